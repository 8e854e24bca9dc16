"""Which table is the open quick match of each kind, and at which quick match each player sits.

Several processes may serve the database, so both are decided by conditional writes: there is at most one open quick
match of a kind, and a player gets at most one seat, also with requests to two processes at the same time.

Players who have blocked each other are never seated together. A player who cannot sit at the open quick match of a kind
gets a seat at that of the kind "KIND/1", then "KIND/2" and so on.
"""

from typing import Final, NamedTuple

from sqlalchemy import Connection, delete, func, or_, select, union_all, update

from faceup.server.accounts.player_ids import current_id, move_rows
from faceup.server.accounts.schema import players
from faceup.server.friends.schema import friendships
from faceup.server.store.queries import insert_new
from faceup.server.store.schema import rooms
from faceup.server.tables.schema import player_tables, quick_seats, quick_tables

RECENT: Final = 15_000
"""Milliseconds in which another request of a player for a quick match of the same kind gets the running game."""

_KEPT: Final = 3_600_000
"""Milliseconds after which the quick match of a player is forgotten."""


class TakenError(Exception):
    """Another request has opened a quick match of this kind first. Nothing was stored."""


class BlockedError(Exception):
    """A player at the table has blocked the new one, or was blocked by them. Nothing was stored."""


class QuickSeat(NamedTuple):
    """The table at which a player is to sit, and the table of another kind that the player is to leave, or None."""

    table: str
    leave: str | None


def open_table(connection: Connection, kind: str) -> tuple[str | None, bool]:
    """Return the last quick match of a kind, or None, and whether its game has not started, so that a seat is free."""
    query = (
        select(quick_tables.c.room, rooms.c.status)
        .outerjoin(rooms, rooms.c.id == quick_tables.c.room)
        .where(quick_tables.c.kind == kind)
    )
    row = connection.execute(query).one_or_none()
    return (None, False) if row is None else (row.room, row.status == "pending")


def replace_table(connection: Connection, kind: str, before: str | None, table: str) -> None:
    """Make a table the open quick match of a kind, instead of `before`. Raises `TakenError`."""
    if before is not None:
        replaced = update(quick_tables).where(quick_tables.c.kind == kind, quick_tables.c.room == before)
        if not connection.execute(replaced.values(room=table)).rowcount:
            raise TakenError
        return
    if not insert_new(connection, quick_tables, kind=kind, room=table):
        raise TakenError


def current_seat(connection: Connection, now: int, player: str, kind: str, request: str) -> str | None:
    """Return the quick match at which a request gives the player a seat already; None if there is none.

    This is the table of an earlier request with the same id, or a game of the same kind that has not started yet or in
    which the player has taken a seat less than `RECENT` milliseconds ago.
    """
    query = (
        select(quick_seats, rooms.c.status)
        .join(rooms, rooms.c.id == quick_seats.c.room)
        .where(quick_seats.c.player == player, rooms.c.status != "closed")
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    recent = row.status == "pending" or (row.status == "active" and row.at > now - RECENT)
    return row.room if (request and row.request == request) or (row.kind == kind and recent) else None


def take_seat(connection: Connection, now: int, player: str, kind: str, request: str, *, table: str) -> QuickSeat:
    """Record the table as the quick match of a player, unless the player has a `current_seat`, which is returned.

    Raises:
        BlockedError: the player cannot sit at this table.
    """
    # Two players who take seats at the same time must see each other's, also on two connections of PostgreSQL.
    connection.execute(select(quick_tables.c.room).where(quick_tables.c.room == table).with_for_update())
    own_seat = quick_seats.c.player == player
    values = {"kind": kind, "room": table, "request": request, "at": now}
    while (current := current_seat(connection, now, player, kind, request)) is None:
        if meets_blocked(connection, player, table):
            raise BlockedError
        before = connection.execute(select(quick_seats.c.room).where(own_seat)).scalar()
        if before is not None:
            if connection.execute(
                update(quick_seats).where(own_seat, quick_seats.c.room == before).values(values)
            ).rowcount:
                return QuickSeat(table, before if before != table else None)
            continue
        if insert_new(connection, quick_seats, player=player, **values):
            return QuickSeat(table, None)
    return QuickSeat(current, None)


def meets_blocked(connection: Connection, player: str, table: str) -> bool:
    """Return whether someone with a seat at a quick match has blocked the player, or was blocked by the player."""
    who = current_id()
    seated = union_all(
        *(
            select(who).join(seats, seats.c.player == players.c.id).where(seats.c.room == table)
            for seats in (quick_seats, player_tables)  # some came by the list of tables
        )
    )
    pair = or_(
        (friendships.c.player == player) & friendships.c.other.in_(seated),
        (friendships.c.other == player) & friendships.c.player.in_(seated),
    )
    return (
        connection.execute(select(friendships.c.at).where(pair, friendships.c.state == "blocked")).first() is not None
    )


def merge_quick_seats(connection: Connection, source: str, target: str) -> None:
    """Give the quick match of the player `source` to the player `target`, who keeps the later one."""
    pair = quick_seats.c.player.in_((source, target))
    latest = select(func.max(quick_seats.c.at)).where(pair).scalar_subquery()
    connection.execute(delete(quick_seats).where(pair, quick_seats.c.at < latest))
    move_rows(connection, quick_seats.c.player, source, target)


def delete_old_seats(connection: Connection, now: int) -> None:
    """Forget quick matches that no repeated request looks for any more."""
    connection.execute(delete(quick_seats).where(quick_seats.c.at < now - _KEPT))


def release_seat(connection: Connection, player: str, table: str) -> None:
    """Forget the quick match of a player, because the table had no free seat."""
    connection.execute(delete(quick_seats).where(quick_seats.c.player == player, quick_seats.c.room == table))
