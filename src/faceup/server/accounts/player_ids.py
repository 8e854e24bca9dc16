"""The ids of a person: the one of the player, and those of the guests who were merged into it.

Seats, results and hosts in logs keep the id under which they were taken. All other rows go to the player that remains.
So every comparison of people uses one of these functions, or `rooms.room.acting_player` at a table.
"""

from collections.abc import Iterable, Sequence

import sqlalchemy as sa
from sqlalchemy import Column, ColumnElement, Connection, FromClause, PrimaryKeyConstraint, UniqueConstraint

from faceup.server.accounts.schema import players


def current_id(player: FromClause = players) -> ColumnElement[str]:
    """Return the id of the player that remains, for a row of `players` or an alias of it."""
    return sa.func.coalesce(player.c.merged_into, player.c.id)


def current_ids(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Return the ids with the id of each merged player replaced by the id of the player that remains."""
    merged = players.c.merged_into
    rows = connection.execute(sa.select(players.c.id, merged).where(players.c.id.in_(ids), merged.is_not(None)))
    into: dict[str, str] = {row.id: row.merged_into for row in rows}
    return [into.get(player, player) for player in ids]


def current_handles(connection: Connection, handles: Iterable[str]) -> frozenset[str]:
    """Return the public handles of the players that remain, for the handles at a table."""
    owner = players.alias()
    query = sa.select(owner.c.handle).join(players, current_id() == owner.c.id)
    return frozenset(connection.execute(query.where(players.c.handle.in_(tuple(handles)))).scalars())


def ids_query(current: str) -> sa.Select[tuple[str]]:
    """Return the query for all ids of a person, given the current one."""
    return sa.select(players.c.id).where((players.c.id == current) | (players.c.merged_into == current))


def ids_of(connection: Connection, player: str) -> tuple[str, ...]:
    """Return all ids of a person, given any of them. The current one comes first."""
    (current,) = current_ids(connection, (player,))
    merged = ids_query(current).where(players.c.id != current).order_by(players.c.id)
    return current, *connection.execute(merged).scalars()


def lock_players(connection: Connection, *ids: str) -> list[str]:
    """Wait for other changes of these players, and return their current ids.

    Call this before reading what the same transaction then changes, such as a number of rows that has a limit, and
    before locking anything else. It takes the locks in one order, so that two transactions do not wait for each other.
    """
    current = current_ids(connection, ids)
    while True:
        rows = sa.select(players.c.id).where(players.c.id.in_({*ids, *current})).order_by(players.c.id)
        connection.execute(rows.with_for_update(key_share=True)).all()
        before, current = current, current_ids(connection, ids)
        if before == current:
            return current


def move_rows(connection: Connection, column: Column[str], source: str, target: str) -> None:
    """Give the rows of one player in a table to another player, who keeps the own rows with the same key."""
    table = column.table
    for key in table.constraints:
        if isinstance(key, PrimaryKeyConstraint | UniqueConstraint) and column.name in key.columns:
            kept = table.alias()
            same = (kept.c[other.name] == other for other in key.columns if other.name != column.name)
            twice = sa.exists().where(kept.c[column.name] == target, *same)
            connection.execute(table.delete().where(column == source, twice))
    connection.execute(table.update().where(column == source).values({column.name: target}))


def rows_about(connection: Connection, column: Column[str], player: str) -> list[dict[str, object]]:
    """Return the rows of a table with the player in a column, without this column, for the export of the data."""
    others = [other for other in column.table.c if other is not column]
    return [dict(row) for row in connection.execute(sa.select(*others).where(column == player)).mappings()]
