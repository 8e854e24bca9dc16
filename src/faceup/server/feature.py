"""What a feature of the server is: a value with one member for each place that has to know all features."""

from collections.abc import Callable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from litestar.handlers import HTTPRouteHandler

from faceup.server.process.periodic import Task

if TYPE_CHECKING:
    from faceup.server.http.services import Services


def _no_tasks(_: "Services") -> Sequence[Task]:
    return ()


class Feature(NamedTuple):
    """A feature, which is one folder of the server.

    Attributes:
        name: the name of its folder.
        routes: its HTTP routes.
        tasks: returns what each process does for it in the background, in the order in which it starts.
    """

    name: str
    routes: Sequence[HTTPRouteHandler] = ()
    tasks: Callable[["Services"], Sequence[Task]] = _no_tasks


def routes_in(*modules: ModuleType) -> tuple[HTTPRouteHandler, ...]:
    """Return the route handlers that modules define, in their order."""
    return tuple(_handlers(modules))


def _handlers(modules: Sequence[ModuleType]) -> Iterator[HTTPRouteHandler]:
    for module in modules:
        yield from (handler for handler in vars(module).values() if isinstance(handler, HTTPRouteHandler))
