"""Queries for the rows of tables and their logs."""

from collections.abc import Callable, Collection
from typing import Any, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.server.store.errors import ConflictError, TableDeletedError
from faceup.server.store.models import LogRow, PublicTableRow, TableOrigin, TableRow
from faceup.server.store.schema import deleted_tables, log, rooms, turns

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


def create(
    connection: sa.Connection, *, append: LogRow, row: TableRow, admit: Callable[[sa.Connection, TableRow], None] | None
) -> None:
    """Insert a new table with its first log row, unless `admit` raises.

    Raises:
        ConflictError: the ID or code of the table is taken.
        TableDeletedError: a table with this ID was deleted.
    """
    require_not_deleted(connection, row.id)
    if admit is not None:
        admit(connection, row)
    values = msgspec.structs.asdict(row) | {"summary": row.summary.decode()} | msgspec.structs.asdict(row.origin)
    del values["origin"]
    try:
        connection.execute(rooms.insert().values(values))
    except IntegrityError as error:
        if "code" in str(error.orig):
            raise ConflictError("code", f"code {row.code}") from None
        raise ConflictError("table", f"table {row.id}") from None
    connection.execute(log.insert().values(log_values(append)))
    for turn in append.turns or ():
        connection.execute(turns.insert().values(room=append.table, **msgspec.structs.asdict(turn)))


def require_not_deleted(connection: sa.Connection, table: str) -> None:
    """Raise `TableDeletedError` if the table was deleted."""
    if connection.execute(sa.select(deleted_tables.c.id).where(deleted_tables.c.id == table)).first() is not None:
        raise TableDeletedError("this table was deleted: create another one")


def set_cost(connection: sa.Connection, *, table: str, cost: int, bot_only: bool) -> None:
    """Store what a table counts in the limits on open tables; see `TableOrigin`."""
    connection.execute(rooms.update().where(rooms.c.id == table).values(cost=cost, bot_only=bot_only))


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
    return [_table_row({**row}) for row in rows]


def is_unseen(now: int | sa.BindParameter[int]) -> sa.ColumnElement[bool]:
    """Return the condition that a table is over, and spectators have not seen this yet because of their delay."""
    # The first comparison is that of a partial index, so it has no parameter.
    return (rooms.c.spectator_delay > sa.literal_column("0")) & (rooms.c.ended_at + rooms.c.spectator_delay > now)


def public_tables(
    connection: sa.Connection, *, now: int, limit: int, after: tuple[int, int, str] | None
) -> list[PublicTableRow]:
    """Return a part of the list of public tables; see `Store.open_list`."""
    newest_first = rooms.c.opened_at.desc(), rooms.c.id
    turn = sa.func.row_number().over(partition_by=rooms.c.source, order_by=newest_first).label("turn")
    # Each part of the union has an index.
    open_tables, unseen = (sa.select(rooms.c.id).where(part) for part in (rooms.c.ended_at.is_(None), is_unseen(now)))
    listed = sa.select(rooms, turn).where(rooms.c.listed, rooms.c.id.in_(sa.union_all(open_tables, unseen))).subquery()
    query = sa.select(listed).order_by(listed.c.turn, listed.c.opened_at.desc(), listed.c.id).limit(limit)
    if after is not None:
        number, opened_at, table = after
        later = sa.or_(listed.c.opened_at < opened_at, sa.and_(listed.c.opened_at == opened_at, listed.c.id > table))
        query = query.where(sa.or_(listed.c.turn > number, sa.and_(listed.c.turn == number, later)))
    public_rows = [{**row} for row in connection.execute(query).mappings()]
    return [PublicTableRow(turn=values.pop("turn"), row=_table_row(values)) for values in public_rows]


def games_to_watch(connection: sa.Connection, *, now: int, limit: int) -> list[TableRow]:
    """Return public tables with a running game, or with an end that spectators have not seen.

    Correspondence games are left out, because hardly anything happens there while someone watches.

    The addresses that created them take turns, as in the list of public tables. Of ended tables there are at most
    `limit`, too.
    """
    running = rooms.c.status == "active", rooms.c.ended_at.is_(None)
    ended = rooms.c.status == "finished", is_unseen(now)
    watched = []
    for conditions in (running, ended):
        turn = sa.func.row_number().over(partition_by=rooms.c.source, order_by=(rooms.c.opened_at.desc(), rooms.c.id))
        listed = (
            sa.select(rooms, turn.label("turn")).where(rooms.c.listed, ~rooms.c.correspondence, *conditions).subquery()
        )
        columns = [listed.c[column.name] for column in rooms.c]
        query = sa.select(*columns).order_by(listed.c.turn, listed.c.opened_at.desc(), listed.c.id).limit(limit)
        watched += table_rows(connection, query=query, values={})
    return watched


def is_one_of(
    connection: sa.Connection, column: sa.ColumnElement[str], values: Collection[str]
) -> sa.ColumnElement[bool]:
    """Return the condition that a column has one of the values, of which there may be thousands."""
    if connection.dialect.name == "postgresql":
        # A single parameter: thousands of them take longer than the query.
        return column == sa.any_(sa.bindparam(None, list(values), type_=sa.ARRAY(sa.Text)))
    return column.in_(values)


def lock(connection: sa.Connection, name: str) -> None:
    """Wait until other transactions that hold the lock of this name are over, and hold it until this one is.

    On SQLite, only one transaction can write at a time anyway.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(name, 0))))


def insert_new(connection: sa.Connection, table: sa.Table, **values: object) -> bool:
    """Insert a row, and return True. Return False if it breaks a constraint, such as a key that another process took.

    Other statements of the transaction remain. Without this, two processes that insert the same row would both read
    that it is missing, and one would fail.
    """
    try:
        with connection.begin_nested():
            connection.execute(table.insert().values(values))
    except IntegrityError:
        return False  # the other process came first, and its row counts
    return True


def _table_row(values: dict[str, Any]) -> TableRow:  # Any: values of columns
    origin = TableOrigin(**{name: values.pop(name) for name in TableOrigin.__struct_fields__})
    return TableRow(**{**values, "summary": values["summary"].encode()}, origin=origin)
