"""Engines and connection settings for SQLite and PostgreSQL, and translation of driver errors."""

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from faceup.core import Malformed
from faceup.extras import needs
from faceup.server.store.errors import UnavailableError

READERS: Final = 3
"""Number of reader threads."""

LOCK_TIMEOUT: Final = 5
"""Seconds to wait for a lock of another process, or for a new PostgreSQL connection."""

_IDLE: Final = 2_000
"""Milliseconds after which PostgreSQL ends an idle transaction.

A process that freezes in a transaction would otherwise block the tables and heartbeats of all other processes.
"""

_WAL_LIMIT: Final = 8_000
"""Size of SQLite's WAL, in pages, at which a commit runs a checkpoint itself, so that its caller has to wait.

This is four times the usual size, because checkpoints normally run in the background (`store.wal`).
"""

_CLOCK: Final = sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


class Database:
    """Connections to one database.

    Attributes:
        sqlite: whether the database is SQLite.
        path: the file of an SQLite database; None for PostgreSQL.
        engine: the connections for writing. On SQLite, a transaction takes the write lock when it starts.
        readers: the connections for reading only. A transaction sees one snapshot and blocks no other transaction.
        damage: the database's message about damage that a statement or a check has met; empty if none has.

    Raises:
        Malformed: the URL is not the URL of an SQLite file or a PostgreSQL database.
        MissingExtraError: PostgreSQL needs the extra `postgres`.
    """

    def __init__(self, url: str) -> None:
        self.url = _parse_url(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.path = Path(self.url.database or "") if self.sqlite else None
        if self.sqlite:
            self.engine = _sqlite(self.url, "BEGIN IMMEDIATE")
            self.readers = _sqlite(self.url, "BEGIN")
        else:
            self.engine = _postgresql(self.url, "")
            self.readers = _postgresql(
                self.url, r" -c default_transaction_isolation=repeatable\ read -c default_transaction_read_only=on"
            )
        self.damage = ""
        for engine in (self.engine, self.readers):
            sa.event.listen(engine, "handle_error", self._record_damage)

    def _record_damage(self, context: sa.engine.ExceptionContext) -> None:
        error = context.original_exception
        if isinstance(error, Exception) and _is_damage(error):
            self.damage = reason(error)

    def clock(self, connection: sa.Connection) -> int:
        """Return the time of the database's clock in milliseconds since 1970. SQLite uses this machine's clock."""
        if self.sqlite:
            return time.time_ns() // 1_000_000
        return int(connection.execute(_CLOCK).scalar_one())

    def backend(self, driver: Any) -> int | None:  # noqa: ANN401 -- psycopg's connection, which is not installed for SQLite alone
        """Return the PID of the connection's PostgreSQL backend; None for SQLite."""
        return None if self.sqlite else int(driver.info.backend_pid)

    def close(self) -> None:
        """Close all connections."""
        self.readers.dispose()
        self.engine.dispose()


_UNAVAILABLE: Final = (OperationalError, InterfaceError, sa.exc.TimeoutError)

_SQLITE_DAMAGE: Final = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_POSTGRESQL_DAMAGE: Final = frozenset({"XX001", "XX002"})
"""The SQLSTATEs `data_corrupted` and `index_corrupted`."""


def _is_damage(error: BaseException | None) -> bool:
    """Return whether an error of a driver means that the database is damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in _SQLITE_DAMAGE  # the low byte of an extended code is the primary code
    return getattr(error, "sqlstate", None) in _POSTGRESQL_DAMAGE


def can_retry(error: DBAPIError) -> bool:
    """Return whether a transaction may succeed if it is repeated: its connection was lost, or it was in a deadlock.

    PostgreSQL ends one of the transactions in a deadlock, with the SQLSTATE 40P01.
    """
    return lost_connection(error) or getattr(error.orig, "sqlstate", None) == "40P01"


def lost_connection(error: Exception) -> bool:
    """Return whether the error means that the connection was lost, so that a retry may work."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def as_unavailable(error: Exception, doing: str, so: str = "nothing was stored") -> Exception:
    """Return an `UnavailableError` for an error of an unavailable or damaged database, and other errors unchanged."""
    damaged = isinstance(error, DBAPIError) and _is_damage(error.orig)
    if not damaged and not lost_connection(error) and not isinstance(error, _UNAVAILABLE):
        return error
    unavailable = UnavailableError(f"{doing} failed: {reason(error)}; {so}")
    unavailable.__cause__ = error
    return unavailable


def reason(error: Exception) -> str:
    """Return the database's own error message on one line."""
    message = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    if message == "disk I/O error":
        message += " (the disk may be full or damaged)"
    return " ".join(message.split()) or type(error).__name__


def _parse_url(url: str) -> sa.URL:
    expected = "use sqlite:///PATH or postgresql://USER@HOST/NAME"
    try:
        parsed = sa.make_url(url)
    except SQLAlchemyError:  # the message omits the URL, which may contain a password
        raise Malformed(f"the database URL cannot be parsed; {expected}", where="database") from None
    match parsed.drivername.partition("+")[0]:
        case "sqlite" if parsed.database and parsed.database != ":memory:":
            return parsed.set(drivername="sqlite+pysqlite")
        case "postgresql" | "postgres":
            return parsed.set(drivername="postgresql+psycopg")
    shown = parsed.render_as_string(hide_password=True)
    raise Malformed(f"{shown!r} is not a supported database URL; {expected}", what=shown, where="database")


def _sqlite(url: sa.URL, begin_statement: str) -> sa.Engine:
    engine = sa.create_engine(
        url,
        connect_args={"timeout": LOCK_TIMEOUT, "check_same_thread": False},
        paramstyle="named",  # as in psycopg, so that one statement works with both drivers
        poolclass=sa.QueuePool,
        pool_size=READERS,
        max_overflow=-1,
    )

    @sa.event.listens_for(engine, "connect")
    def _set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions are started explicitly
        connection.execute("PRAGMA synchronous = FULL")  # a commit returns when it is on the disk
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")  # overwrite deleted content with zeros
        connection.execute(f"PRAGMA wal_autocheckpoint = {_WAL_LIMIT}")

    @sa.event.listens_for(engine, "begin")
    def _start_transaction(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin_statement)

    return engine


def _options(url: sa.URL) -> str:
    """Return the options of the session in the URL, such as `?options=-c%20search_path=NAME`."""
    options = url.query.get("options", "")
    return options if isinstance(options, str) else " ".join(options)


def _postgresql(url: sa.URL, more: str) -> sa.Engine:
    arguments: dict[str, Any] = {  # Any: options of the driver
        "application_name": "faceup",
        "connect_timeout": LOCK_TIMEOUT,
        "client_encoding": "utf8",
        "options": f"{_options(url)} -c idle_in_transaction_session_timeout={_IDLE} -c synchronous_commit=on{more}",
        # Detect a dead peer within half a minute.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    with needs("postgres", "PostgreSQL"):
        return sa.create_engine(url, connect_args=arguments, pool_size=READERS, max_overflow=-1, pool_use_lifo=True)
