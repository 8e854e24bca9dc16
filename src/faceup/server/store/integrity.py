"""Checks for damage of a database: of its pages, its indexes, and the order of the logs.

SQLite has no checksums. `PRAGMA integrity_check` finds pages and indexes that contradict each other, but not every
changed byte. PostgreSQL has checksums of pages, which it compares when it reads a page, and the extension amcheck.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.database import Database, reason
from faceup.server.store.schema import log, rooms

_MOST: Final = 20
"""The maximum number of problems that are listed."""


_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"


class IntegrityReport(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a check.

    Attributes:
        problems: sentences that name the damage; empty if none was found.
        notes: what the check could not cover, and how to make it cover this.
        tables: number of tables with a log that was read.
    """

    problems: tuple[str, ...]
    notes: tuple[str, ...]
    tables: int


def check_integrity(database: Database) -> IntegrityReport:
    """Read the whole database and report damage. Servers may use it at the same time."""
    problems: list[str] = []
    notes: list[str] = []
    tables = 0
    connection = database.readers.connect()
    try:
        checks = _sqlite_problems(connection) if database.sqlite else _postgresql_problems(connection, notes)
        for problem in chain(checks, _log_problems(connection)):
            problems.append(problem)
            if len(problems) == _MOST:
                notes.append("there may be more problems, because the check stopped")
                break
        tables = connection.execute(sa.select(sa.func.count()).select_from(rooms)).scalar_one()
    except DBAPIError as error:
        problems.append(reason(error))
    finally:
        connection.invalidate()  # after such an error, SQLite also fails to end the transaction
        connection.close()
    return IntegrityReport(problems=tuple(problems), notes=tuple(notes), tables=tables)


def quick_problem(connection: sa.Connection, database: Database) -> str:
    """Return a problem that a short check finds, or an empty string.

    On SQLite, it reads all pages, but does not compare indexes. On PostgreSQL, it reads only how many pages failed
    their checksums.
    """
    if database.sqlite:
        problem = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        return "" if problem == "ok" else str(problem)
    query = "SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()"
    failures = connection.exec_driver_sql(query).scalar()
    return f"{failures} pages failed their checksums" if failures else ""


def _sqlite_problems(connection: sa.Connection) -> Iterator[str]:
    for (problem,) in connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST})"):
        if problem != "ok":
            yield str(problem)
    for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} names a row of {parent} that does not exist"


def _postgresql_problems(connection: sa.Connection, notes: list[str]) -> Iterator[str]:
    if connection.exec_driver_sql("SHOW data_checksums").scalar_one() != "on":
        notes.append("the cluster has no data checksums: stop PostgreSQL and run `pg_checksums --enable`")
    tables = list(connection.exec_driver_sql(_TABLES).scalars())
    if connection.exec_driver_sql("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'").scalar() is None:
        notes.append("indexes were not checked: run `CREATE EXTENSION amcheck` in the database as a superuser")
    else:
        for table in tables:
            heap = sa.text("SELECT msg FROM verify_heapam(CAST(:table AS regclass))")
            yield from (f"{table}: {msg}" for (msg,) in connection.execute(heap, {"table": table}))
            indexes = sa.text(
                "SELECT bt_index_check(i.indexrelid, true) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
                "JOIN pg_am a ON a.oid = c.relam WHERE i.indrelid = CAST(:table AS regclass) AND a.amname = 'btree'"
            )
            connection.execute(indexes, {"table": table})
    for table in tables:
        quoted = connection.dialect.identifier_preparer.quote(table)
        connection.exec_driver_sql(f"SELECT sum(length(CAST(t AS text))) FROM {quoted} t")  # noqa: S608 -- own names


def _log_problems(connection: sa.Connection) -> Iterator[str]:
    """Yield the tables with gaps in their logs, or with rows that are not JSON."""
    query = sa.select(log.c.room, log.c.seq, log.c.entries).order_by(log.c.room, log.c.seq)
    last, expected = "", 0
    # Who reads only the first problems leaves this generator early, which must not leave a cursor open in the database.
    with connection.execute(query.execution_options(yield_per=1_000)) as rows:
        for table, seq, entries in rows:
            expected = 0 if table != last else expected
            last = table
            if seq != expected:
                yield f"the log of table {table} has no row {expected}"
            expected = seq + 1
            try:
                msgspec.json.decode(entries)
            except (msgspec.DecodeError, UnicodeError):
                yield f"row {seq} of the log of table {table} is damaged"
    ends = sa.select(rooms.c.id).join(log, (log.c.room == rooms.c.id) & (log.c.seq == rooms.c.seq), isouter=True)
    for (table,) in connection.execute(ends.where(log.c.seq.is_(None))):
        yield f"the end of the log of table {table} is missing"
