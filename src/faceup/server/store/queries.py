"""Queries for the rows of tables and their logs."""

from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.server.store.errors import ConflictError, TableDeletedError
from faceup.server.store.models import LogRow, TableRow
from faceup.server.store.schema import deleted_tables, log, rooms

_LOG: Final = (
    sa.select(log.c.seq, log.c.at, log.c.entries, log.c.command, rooms.c.status, rooms.c.wake)
    .join(rooms, rooms.c.id == log.c.room)
    .where(log.c.room == sa.bindparam("table"), log.c.seq > sa.bindparam("after"))
    .order_by(log.c.seq)
)

# This query is built only once, because it runs several times a second and is executed faster than it is built.
DUE: Final = (
    sa.select(rooms)
    .where(rooms.c.wake <= sa.bindparam("now"))
    .order_by(rooms.c.wake, rooms.c.id)
    .limit(sa.bindparam("limit"))
)


def log_values(append: LogRow) -> dict[str, Any]:  # Any: values of columns
    """Return the values of a log row by column."""
    return {
        "room": append.table,
        "seq": append.seq,
        "at": append.at,
        "command": append.command,
        "entries": append.entries.decode(),
    }


def create(connection: sa.Connection, *, append: LogRow, row: TableRow) -> None:
    """Insert a new table with its first log row.

    Raises:
        ConflictError: the ID or code is taken.
        TableDeletedError: a table with this ID was deleted.
    """
    require_not_deleted(connection, row.id)
    values = msgspec.structs.asdict(row) | {"summary": row.summary.decode()}
    try:
        connection.execute(rooms.insert().values(values))
    except IntegrityError as error:
        if "code" in str(error.orig):
            raise ConflictError("code", f"code {row.code}") from None
        raise ConflictError("table", f"table {row.id}") from None
    connection.execute(log.insert().values(log_values(append)))


def require_not_deleted(connection: sa.Connection, table: str) -> None:
    """Raise `TableDeletedError` if the table was deleted."""
    if connection.execute(sa.select(deleted_tables.c.id).where(deleted_tables.c.id == table)).first() is not None:
        raise TableDeletedError("this table was deleted: create another one")


def appends(connection: sa.Connection, *, table: str, after: int) -> list[LogRow]:
    """Return the log rows of a table with numbers greater than `after`."""
    rows = connection.execute(_LOG, {"table": table, "after": after})
    return [
        LogRow(table=table, seq=seq, at=at, entries=entries.encode(), command=command, status=status, wake=wake)
        for seq, at, entries, command, status, wake in rows
    ]


def table_rows(connection: sa.Connection, *, query: sa.Select[Any], values: dict[str, int]) -> list[TableRow]:
    """Return the rows that a query of `rooms` selects."""
    rows = connection.execute(query, values).mappings()
    return [TableRow(**{**row, "summary": row["summary"].encode()}) for row in rows]
