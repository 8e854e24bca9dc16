"""A database of either kind, opened: connections as this store wants them, and what their errors mean."""

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from faceup.core import Malformed
from faceup.server.store.failures import Unavailable

READERS: Final = 3
"""Threads that read."""

_PATIENCE: Final = 5
"""Seconds to wait for another process's lock, or for PostgreSQL to answer a new connection."""

_IDLE: Final = 2_000
"""Milliseconds after which PostgreSQL ends a transaction in which nothing happens.

A process that is frozen in the middle of one would otherwise keep all others from the tables that it touched, and from
their heartbeats.
"""

_LONGEST_LOG: Final = 8_000
"""Pages in SQLite's log after which the next commit copies them to where they belong, whoever waits for it.

It is four times as many as it usually has: they are copied when nobody waits for what was written (`ahead`).
"""

_CLOCK: Final = sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


class Database:
    """Where connections come from.

    Attributes:
        sqlite: it is SQLite, not PostgreSQL.
        path: SQLite's file; None for PostgreSQL.
        engine: for what writes. A transaction on SQLite holds the one lock for writing from its begin.
        readers: for what only reads; a transaction there sees one state of things, and blocks nobody.

    Raises:
        Malformed: the address is of neither kind.
    """

    def __init__(self, url: str) -> None:
        self.url = _understood(url)
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

    def clock(self, connection: sa.Connection) -> int:
        """The database's clock, in milliseconds since 1970: SQLite's is this machine's."""
        if self.sqlite:
            return time.time_ns() // 1_000_000
        return int(connection.execute(_CLOCK).scalar_one())

    def backend(self, driver: Any) -> int | None:  # noqa: ANN401 -- psycopg's connection, which is not installed for SQLite alone
        """The process of PostgreSQL at the other end; None for SQLite."""
        return None if self.sqlite else int(driver.info.backend_pid)

    def close(self) -> None:
        """Give all connections back."""
        self.readers.dispose()
        self.engine.dispose()


def lost_connection(error: Exception) -> bool:
    """Whether the connection was gone, so that the next one may well work."""
    return isinstance(error, DBAPIError) and error.connection_invalidated


def as_unavailable(error: Exception, doing: str, so: str = "nothing was stored") -> Exception:
    """`Unavailable` for what a database cannot do just now, and what follows; wrong statements stay as they are."""
    if not (lost_connection(error) or isinstance(error, OperationalError | InterfaceError | sa.exc.TimeoutError)):
        return error
    refusal = Unavailable(f"{doing} failed: {reason(error)}; {so}")
    refusal.__cause__ = error
    return refusal


def reason(error: Exception) -> str:
    """What the database itself said, in one line."""
    said = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    if said == "disk I/O error":
        said += ", as of a disk that is full or broken"
    return " ".join(said.split()) or type(error).__name__


def _understood(url: str) -> sa.URL:
    wanted = "a database is sqlite:///PATH or postgresql://USER@HOST/NAME"
    try:
        whole = sa.make_url(url)
    except SQLAlchemyError:  # the address may hold a password, so it is not repeated
        raise Malformed(f"this address of a database cannot be read: {wanted}", where="database") from None
    match whole.drivername.partition("+")[0]:
        case "sqlite" if whole.database and whole.database != ":memory:":
            return whole.set(drivername="sqlite+pysqlite")
        case "postgresql" | "postgres":
            return whole.set(drivername="postgresql+psycopg")
    shown = whole.render_as_string(hide_password=True)
    raise Malformed(f"{shown!r} is no database that tables can be kept in: {wanted}", what=shown, where="database")


def _sqlite(url: sa.URL, begin: str) -> sa.Engine:
    engine = sa.create_engine(
        url,
        connect_args={"timeout": _PATIENCE, "check_same_thread": False},
        paramstyle="named",  # as psycopg's, so that what goes to the driver itself is the same for both
        poolclass=sa.QueuePool,
        pool_size=READERS,
        max_overflow=-1,
    )

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, and not where the module guesses
        connection.execute("PRAGMA synchronous = FULL")  # a commit returns when the disk has it
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LONGEST_LOG}")

    @sa.event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgresql(url: sa.URL, more: str) -> sa.Engine:
    arguments: dict[str, Any] = {  # Any: whatever the driver takes
        "application_name": "faceup",
        "connect_timeout": _PATIENCE,
        "options": f"-c idle_in_transaction_session_timeout={_IDLE} -c synchronous_commit=on{more}",
        # Notice within half a minute that the other machine is gone.
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    try:
        return sa.create_engine(url, connect_args=arguments, pool_size=READERS, max_overflow=-1, pool_use_lifo=True)
    except ModuleNotFoundError as error:
        raise Malformed(
            f"PostgreSQL needs {error.name}, which is not installed: pip install 'faceup[postgres]'", where="database"
        ) from None
