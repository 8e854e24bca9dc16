"""What a feature of the server is: a value with one member for each place that has to know all features."""

from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import NamedTuple

from litestar.handlers import HTTPRouteHandler


class Feature(NamedTuple):
    """A feature, which is one folder of the server.

    Attributes:
        name: the name of its folder.
        routes: its HTTP routes.
    """

    name: str
    routes: Sequence[HTTPRouteHandler] = ()


def routes_in(*modules: ModuleType) -> tuple[HTTPRouteHandler, ...]:
    """Return the route handlers that modules define, in their order."""
    return tuple(_handlers(modules))


def _handlers(modules: Sequence[ModuleType]) -> Iterator[HTTPRouteHandler]:
    for module in modules:
        yield from (handler for handler in vars(module).values() if isinstance(handler, HTTPRouteHandler))
