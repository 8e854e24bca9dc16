"""What a feature of the server is: a value with one member for each place that has to know all features."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from faceup.extras import needs

with needs("server", __name__):
    from litestar.handlers import HTTPRouteHandler
    from sqlalchemy import Connection, Table

    from faceup.server.accounts.players import Erasure
    from faceup.server.process.periodic import Task

if TYPE_CHECKING:
    from faceup.server.http.services import Services


class PersonalTable(NamedTuple):
    """A database table of a feature, and what it stores about people.

    Attributes:
        table: the table.
        columns: the columns that hold the id, name, address or contact of a player, or a hash of one, or text or data
            that contains one; none if the table has nothing about people.
        what: what it stores, for the documentation.
        why: why the server needs it, for the documentation.
        until: with what it is deleted, for the documentation.
        guest: why rows may have the id of a guest after the guest became part of an account; "" if none does.
        exported: the part of a player's export that shows the rows.
        not_exported: why the export does not show them; "" if it does.
        setting: the setting without which the server stores nothing in it; "" for none.
    """

    table: Table
    columns: tuple[str, ...] = ()
    what: str = ""
    why: str = ""
    until: str = ""
    guest: str = ""
    exported: str = ""
    not_exported: str = ""
    setting: str = ""


def _no_tasks(_: "Services") -> Sequence[Task]:
    return ()


class Feature(NamedTuple):
    """A feature, which is one folder of the server.

    Attributes:
        name: the name of its folder.
        routes: its HTTP routes.
        tasks: returns what each process does for it in the background, in the order in which it starts.
        tables: its database tables.
        merge: gives the rows of a guest, by id, to the account that the guest becomes part of.
        export: returns the parts of the export of a player's data, by their names. A long list is an iterator.
        erase: deletes what foreign keys to the player do not delete.
    """

    name: str
    routes: Sequence[HTTPRouteHandler] = ()
    tasks: Callable[["Services"], Sequence[Task]] = _no_tasks
    tables: Sequence[PersonalTable] = ()
    merge: Callable[[Connection, str, str], None] | None = None
    export: Callable[[Connection, str], Mapping[str, object]] | None = None
    erase: Callable[[Connection, Erasure], None] | None = None


def routes_in(*modules: ModuleType) -> tuple[HTTPRouteHandler, ...]:
    """Return the route handlers that modules define, in their order."""
    return tuple(_handlers(modules))


def _handlers(modules: Sequence[ModuleType]) -> Iterator[HTTPRouteHandler]:
    for module in modules:
        yield from (handler for handler in vars(module).values() if isinstance(handler, HTTPRouteHandler))
