"""The rows of tables and of their logs: what is asked of them, and what comes back."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.server.store.failures import Collision
from faceup.server.store.schema import log, rooms
from faceup.server.store.values import Append, Row

Asked: TypeAlias = sa.Select[Any]  # Any: the columns of a table have no types of their own

_LOG: Final = (
    sa.select(log.c.seq, log.c.at, log.c.entries, log.c.command, rooms.c.status, rooms.c.wake)
    .join(rooms, rooms.c.id == log.c.room)
    .where(log.c.room == sa.bindparam("table"), log.c.seq > sa.bindparam("after"))
    .order_by(log.c.seq)
)


# Asked several times a second: made once, since making it takes longer than answering it.
_DUE: Final = (
    sa.select(rooms)
    .where(rooms.c.wake <= sa.bindparam("now"))
    .order_by(rooms.c.wake, rooms.c.id)
    .limit(sa.bindparam("limit"))
)


def create(connection: sa.Connection, *, append: Append, row: Row) -> None:
    """Keep a new table. Raises `Collision` if its id or its code is taken."""
    known = {
        "id": row.id,
        "code": row.code,
        "opened_at": row.opened_at,
        "status": row.status,
        "listed": row.listed,
        "seq": row.seq,
        "wake": row.wake,
        "changed_at": row.changed_at,
        "summary": row.summary.decode(),
    }
    first = {
        "room": append.table,
        "seq": append.seq,
        "at": append.at,
        "command": append.command,
        "entries": append.entries.decode(),
    }
    try:
        connection.execute(rooms.insert().values(known))
    except IntegrityError as error:
        if "code" in str(error.orig):
            raise Collision("code", f"code {row.code}") from None
        raise Collision("table", f"table {row.id}") from None
    connection.execute(log.insert().values(first))


def forget(connection: sa.Connection, *, table: str) -> None:
    """Delete a table and its log."""
    connection.execute(log.delete().where(log.c.room == table))
    connection.execute(rooms.delete().where(rooms.c.id == table))


def appends(connection: sa.Connection, *, table: str, after: int) -> list[Append]:
    """A table's log after a number."""
    found = connection.execute(_LOG, {"table": table, "after": after})
    return [
        Append(table=table, seq=seq, at=at, entries=entries.encode(), command=command, status=status, wake=wake)
        for seq, at, entries, command, status, wake in found
    ]


def by_id(table: str) -> Asked:
    """A table."""
    return sa.select(rooms).where(rooms.c.id == table)


def by_code(code: str) -> Asked:
    """The table with a code, as somebody has typed it: one that is open, else the last that had it."""
    asked = sa.select(rooms).where(rooms.c.code == code.strip().upper())
    return asked.order_by(rooms.c.ended_at.is_not(None), rooms.c.ended_at.desc()).limit(1)


def due(connection: sa.Connection, *, now: int, limit: int) -> list[Row]:
    """What has to be looked at by now."""
    return _rows(connection.execute(_DUE, {"now": now, "limit": limit}))


def waiting(after: str, limit: int) -> Asked:
    """What waits for any time."""
    return sa.select(rooms).where(rooms.c.wake.is_not(None), rooms.c.id > after).order_by(rooms.c.id).limit(limit)


def open_list(limit: int) -> Asked:
    """What is listed and not over."""
    asked = sa.select(rooms).where(rooms.c.listed, rooms.c.ended_at.is_(None))
    return asked.order_by(rooms.c.opened_at.desc(), rooms.c.id).limit(limit)


def all_rooms(status: str | None, after: str, limit: int) -> Asked:
    """Everything, or what has a status."""
    asked = sa.select(rooms).where(rooms.c.id > after).order_by(rooms.c.id).limit(limit)
    return asked if status is None else asked.where(rooms.c.status == status)


def one(connection: sa.Connection, *, asked: Asked) -> Row | None:
    """The row that was asked for, if it is there."""
    return next(iter(many(connection, asked=asked)), None)


def many(connection: sa.Connection, *, asked: Asked) -> list[Row]:
    """All rows that were asked for."""
    return _rows(connection.execute(asked))


def _rows(found: sa.CursorResult[Any]) -> list[Row]:  # Any: as `Asked`
    return [Row(**{**row, "summary": row["summary"].encode()}) for row in found.mappings()]


def next_wake(connection: sa.Connection) -> int | None:
    """The earliest time that any table waits for."""
    return connection.execute(sa.select(sa.func.min(rooms.c.wake))).scalar()


def lengths(connection: sa.Connection, *, tables: Sequence[str]) -> dict[str, int]:
    """The number of each table's last append."""
    found = connection.execute(sa.select(rooms.c.id, rooms.c.seq).where(rooms.c.id.in_(tables)))
    return {row.id: row.seq for row in found}
