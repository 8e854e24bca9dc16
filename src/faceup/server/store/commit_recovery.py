"""Resolve commits in doubt: find out whether a commit was made although its response was lost.

A query for the written rows gives the answer as soon as the old connection cannot change anything any more.

On PostgreSQL, the old connection cannot change anything when its backend has ended, so the backend is terminated.

On SQLite, only a failed sync leaves a commit in doubt. The next commit overwrites such a commit. Therefore another
commit, which changes nothing, is made before the query. A failed write leaves no doubt, because the last WAL frame,
which marks the commit, is missing then.
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.database import Database
from faceup.server.store.errors import UnavailableError
from faceup.server.store.models import LogRow
from faceup.server.store.schema import log, processes

Probe: TypeAlias = Callable[[sa.Connection], bool]
"""A function that returns whether a write is in the database."""

_TRIES: Final = 40
_PAUSE: Final = 0.2
"""Seconds between attempts. All attempts take eight seconds; a restarted PostgreSQL is usually available by then."""

_ROLLED_BACK: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_IOERR_WRITE,
    }
)

_TERMINATE: Final = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND application_name = 'faceup'"
)


def was_stored(database: Database, error: BaseException, backend: int | None, probes: Sequence[Probe]) -> bool:
    """Return whether a commit was made although the driver raised an error.

    Args:
        database: the database.
        error: the driver's error.
        backend: PID of the PostgreSQL backend of the connection; None for SQLite.
        probes: functions that look for a write of the transaction; the first one is used.

    Raises:
        UnavailableError: the database does not answer, so the outcome is unknown.
    """
    if isinstance(error, sqlite3.Error) and not {error.sqlite_errorcode, error.sqlite_errorcode & 0xFF}.isdisjoint(
        _ROLLED_BACK
    ):
        return False
    stored = _is_stored(database, backend, probes)
    if stored is None:
        raise UnavailableError(
            "the connection to the database was lost during a commit; its changes may or may not have been stored",
            unknown=True,
        ) from error
    return stored


def was_appended(append: LogRow) -> Probe:
    """Return a probe for a log row. It compares the content, because another row may have been stored instead."""

    def probe(connection: sa.Connection) -> bool:
        query = sa.select(log.c.command, log.c.at, log.c.entries).where(
            log.c.room == append.table, log.c.seq == append.seq
        )
        row = connection.execute(query).first()
        return row is not None and tuple(row) == (append.command, append.at, append.entries.decode())

    return probe


def _is_stored(database: Database, backend: int | None, probes: Sequence[Probe]) -> bool | None:
    for _ in range(_TRIES if probes else 0):
        try:
            if _connection_ended(database, backend):
                with database.engine.connect() as connection, connection.begin():
                    return probes[0](connection)
        except DBAPIError:
            pass  # the database is not available yet
        time.sleep(_PAUSE)
    return None


def _connection_ended(database: Database, backend: int | None) -> bool:
    """Terminate the old connection. Return whether it has ended."""
    with database.engine.connect() as connection, connection.begin():
        if backend is None:
            # SQLite writes nothing for an update without a change, so insert and delete a row.
            connection.execute(processes.insert().values(id="", started_at=0, heartbeat_at=0))
            connection.execute(processes.delete().where(processes.c.id == ""))
            return True
        return not connection.execute(_TERMINATE, {"pid": backend}).all()
