"""A commit was sent, and no answer came: was it made?

The answer is in the database, once the old connection cannot change anything any more. On PostgreSQL that is when its
backend has ended, which we ask for. On SQLite a commit fails without being certainly undone only where the disk failed
to sync; it is overwritten by the next one, so we make one. (A write that failed is undone: the last frame is the one
that makes a commit of those before it.)
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.database import Database
from faceup.server.store.failures import Unavailable
from faceup.server.store.schema import log, processes
from faceup.server.store.values import Append

Probe: TypeAlias = Callable[[sa.Connection], bool]
"""Whether something that was to be written is there."""

_TRIES: Final = 40
_PAUSE: Final = 0.2
"""Seconds between them: eight seconds together, in which a PostgreSQL that was restarted is usually back."""

_UNDONE: Final = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_IOERR_WRITE,
    }
)

_END: Final = sa.text(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = :pid AND application_name = 'faceup'"
)


def was_stored(database: Database, error: BaseException, backend: int | None, probes: Sequence[Probe]) -> bool:
    """Whether a commit was made although the driver met this error.

    Args:
        database: where it was.
        error: the driver's own.
        backend: the process of PostgreSQL that was asked to commit, None on SQLite.
        probes: ways to see whether something of the transaction is there.

    Raises:
        Unavailable: nobody can tell yet.
    """
    if isinstance(error, sqlite3.Error) and not {error.sqlite_errorcode, error.sqlite_errorcode & 0xFF}.isdisjoint(
        _UNDONE
    ):
        return False
    stored = _settled(database, backend, probes)
    if stored is None:
        raise Unavailable(
            "the connection to the database was lost during a commit: whether it was made is not known yet",
            unknown=True,
        ) from error
    return stored


def was_appended(append: Append) -> Probe:
    """Whether this very append is in the log, and not another with its number."""

    def probe(connection: sa.Connection) -> bool:
        kept = sa.select(log.c.command, log.c.at, log.c.entries).where(
            log.c.room == append.table, log.c.seq == append.seq
        )
        row = connection.execute(kept).first()
        return row is not None and tuple(row) == (append.command, append.at, append.entries.decode())

    return probe


def _settled(database: Database, backend: int | None, probes: Sequence[Probe]) -> bool | None:
    for _ in range(_TRIES if probes else 0):
        try:
            if _over(database, backend):
                with database.engine.connect() as connection, connection.begin():
                    return probes[0](connection)
        except DBAPIError:
            pass  # it is not back yet
        time.sleep(_PAUSE)
    return None


def _over(database: Database, backend: int | None) -> bool:
    """Whether the connection that sent the commit can change nothing any more."""
    with database.engine.connect() as connection, connection.begin():
        if backend is None:
            # SQLite writes nothing where a row stays as it is.
            connection.execute(processes.insert().values(id="", started=0, beat=0))
            connection.execute(processes.delete().where(processes.c.id == ""))
            return True
        return not connection.execute(_END, {"pid": backend}).all()
