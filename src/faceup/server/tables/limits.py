"""Limits on the open tables of a player and of an address. Servers that share a database share them, too."""

from typing import Final, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, case, func, select

from faceup.server.accounts.errors import TooManyTablesError
from faceup.server.accounts.player_ids import ids_of, lock_players
from faceup.server.process.settings import Settings
from faceup.server.store import TableOrigin, TableRow
from faceup.server.store.queries import lock
from faceup.server.store.schema import rooms


class OpenTables(NamedTuple):
    """Open tables, by kind.

    Attributes:
        cost: the sum of their costs, without correspondence games.
        listed: how many are public.
        bot_only: at how many only bots play.
        correspondence: how many are correspondence games.
    """

    cost: int = 0
    listed: int = 0
    bot_only: int = 0
    correspondence: int = 0


SUMS: Final = tuple(
    func.coalesce(func.sum(column), 0)
    for column in (
        case((rooms.c.correspondence, 0), else_=rooms.c.cost),
        case((rooms.c.listed, 1), else_=0),
        case((rooms.c.bot_only, 1), else_=0),
        case((rooms.c.correspondence, 1), else_=0),
    )
)
"""The columns of `OpenTables`, as sums over rows of `rooms`."""


def address_load(
    connection: Connection,
    settings: Settings,
    source: str,
    *,
    listed: bool = False,
    bot_only: bool = False,
    correspondence: bool = False,
) -> float:
    """Return how near an address is to the limits on a new table of this kind: 0 is far away, and 1 is at a limit."""
    there = _open_tables(connection, rooms.c.source == source)
    return max(
        _part(there.correspondence, settings.correspondence_tables_per_address)
        if correspondence
        else _part(there.cost, settings.tables_per_address),
        _part(there.listed, settings.listed_tables_per_address) if listed else 0.0,
        _part(there.bot_only, settings.bot_tables_per_address) if bot_only else 0.0,
    )


def require_admitted(connection: Connection, row: TableRow, settings: Settings) -> None:
    """Raise `TooManyTablesError` if a new table exceeds a limit of its creator, or of the creator's address."""
    origin = row.origin
    lock_players(connection, origin.creator)
    lock(connection, f"tables of address {origin.source}")
    own, there = _tables_of(connection, origin)
    _require_room(origin, settings, own, there)
    if row.listed:
        if _exceeds(own.listed + 1, settings.listed_tables_per_player):
            raise TooManyTablesError("you have too many public tables: make this one private, or close one")
        if _exceeds(there.listed + 1, settings.listed_tables_per_address):
            raise TooManyTablesError("your network has too many public tables: make this one private")
    if origin.bot_only:
        _require_bots(settings, own, there)


def require_bots_admitted(connection: Connection, table: str, after: TableOrigin, settings: Settings) -> None:
    """Raise `TooManyTablesError` if the bots that sit down at an open table exceed a limit of its creator or address.

    Args:
        connection: a database connection.
        table: the table. What is stored of it is read with the limits, because its cost is stored after each bot.
        after: the origin with the bots.
        settings: the settings.
    """
    before = connection.execute(select(rooms.c.cost, rooms.c.bot_only).where(rooms.c.id == table)).one_or_none()
    if before is None:
        return
    own, there = _tables_of(connection, after)
    if not after.correspondence and after.cost > before.cost:
        _require_room(msgspec.structs.replace(after, cost=after.cost - before.cost), settings, own, there)
    if after.bot_only and not before.bot_only:
        _require_bots(settings, own, there)


def _tables_of(connection: Connection, origin: TableOrigin) -> tuple[OpenTables, OpenTables]:
    """Return the open tables of a creator, and those of the creator's address."""
    is_own = rooms.c.creator.in_((origin.creator, *ids_of(connection, origin.creator)))
    there = rooms.c.source == origin.source
    return _open_tables(connection, is_own), _open_tables(connection, there)


def _require_bots(settings: Settings, own: OpenTables, there: OpenTables) -> None:
    if _exceeds(own.bot_only + 1, settings.bot_tables_per_player):
        raise TooManyTablesError("bots play at too many of your tables: take a seat, or close one of these tables")
    if _exceeds(there.bot_only + 1, settings.bot_tables_per_address):
        raise TooManyTablesError("bots play at too many tables of your network: take a seat at this table")


def _require_room(origin: TableOrigin, settings: Settings, own: OpenTables, there: OpenTables) -> None:
    """Raise `TooManyTablesError` if there are too many tables of any kind, or too many correspondence games."""
    if origin.correspondence:
        if _exceeds(own.correspondence + 1, settings.correspondence_tables_per_player):
            raise TooManyTablesError("you have too many open tables with days per move: finish or close one")
        if _exceeds(there.correspondence + 1, settings.correspondence_tables_per_address):
            raise TooManyTablesError("your network has too many open tables with days per move")
        return
    if _exceeds(own.cost + origin.cost, settings.tables_per_player):
        raise TooManyTablesError("you have too many open tables: finish or close one, or wait until one is over")
    if _exceeds(there.cost + origin.cost, settings.tables_per_address):
        raise TooManyTablesError("your network has too many open tables: wait until one is over")


def _part(number: int, limit: int) -> float:
    return number / limit if limit else 0.0


def _exceeds(number: int, limit: int) -> bool:
    return bool(limit) and number > limit


def _open_tables(connection: Connection, condition: ColumnElement[bool]) -> OpenTables:
    return OpenTables(*connection.execute(select(*SUMS).where(condition, rooms.c.ended_at.is_(None))).one())
