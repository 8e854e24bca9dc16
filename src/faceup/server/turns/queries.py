"""The running correspondence games of a player, and which of them wait for the player's choice."""

from typing import Final

import msgspec
from sqlalchemy import Connection, func, select

from faceup.server.accounts.player_ids import ids_of
from faceup.server.store.schema import rooms, turns

MAX_TURNS: Final = 500
"""The maximum number of games that `find_turns` returns."""


class OpenTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A running correspondence game of a player.

    Attributes:
        table: id of the table.
        code: code of the table.
        summary: the table's entry for lists of tables, as JSON.
        opened_at: when the table was created, in milliseconds since 1970.
        decision: the number of the open decision.
        waiting: whether the table waits for the player's choice.
        due: the player's deadline, in milliseconds since 1970; None without one.
        since: when the decision was opened, in the same unit.
    """

    table: str
    code: str
    summary: bytes
    opened_at: int
    decision: int
    waiting: bool
    due: int | None
    since: int


def find_turns(connection: Connection, *player_ids: str, waiting: bool = False) -> list[OpenTurn]:
    """Return the running correspondence games of a player, given all ids of the player.

    Games that wait for the player come first, then those with the earliest deadline.

    Args:
        connection: a database connection.
        player_ids: the id of the player, and the ids of players who were merged into this one.
        waiting: whether to return only games that wait for the player.
    """
    query = (
        select(turns, rooms.c.code, rooms.c.summary, rooms.c.opened_at)
        .join(rooms, rooms.c.id == turns.c.room)
        .where(turns.c.player.in_(player_ids))
        .order_by(turns.c.waiting.desc(), turns.c.due.is_(None), turns.c.due, turns.c.since, turns.c.room)
        .limit(MAX_TURNS)
    )
    turns_by_table: dict[str, OpenTurn] = {}
    for row in connection.execute(query.where(turns.c.waiting) if waiting else query):
        # A player with two merged ids may have two seats; the one that the table waits for comes first.
        turns_by_table.setdefault(
            row.room,
            OpenTurn(
                table=row.room,
                code=row.code,
                summary=row.summary.encode(),
                opened_at=row.opened_at,
                decision=row.decision,
                waiting=row.waiting,
                due=row.due,
                since=row.since,
            ),
        )
    return list(turns_by_table.values())


def count_turns(connection: Connection, *player_ids: str) -> int:
    """Return how many correspondence games wait for a player, given all ids of the player."""
    query = select(func.count(turns.c.room.distinct())).where(turns.c.player.in_(player_ids), turns.c.waiting)
    count: int = connection.execute(query).scalar_one()
    return count


class ExportedTurn(msgspec.Struct, frozen=True, kw_only=True):
    """A running correspondence game in the export of a player's data."""

    table: str
    waiting: bool
    due: int | None


def export_turns(connection: Connection, player: str) -> list[ExportedTurn]:
    """Return the running correspondence games of a player, for the export of the player's data."""
    open_turns = find_turns(connection, *ids_of(connection, player))
    return [ExportedTurn(table=turn.table, waiting=turn.waiting, due=turn.due) for turn in open_turns]
