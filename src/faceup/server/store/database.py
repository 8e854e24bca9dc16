"""A database of either kind, opened: connections as this store wants them, and what their errors mean."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from faceup.core import Malformed
from faceup.server.store.failures import Unavailable

READERS: Final = 3
_PATIENCE: Final = 5
"""Seconds to wait for another process's lock, or for PostgreSQL to answer a new connection."""

_IDLE: Final = 2_000
"""Milliseconds after which PostgreSQL ends a transaction in which nothing happens.

A process that is frozen in the middle of one would otherwise keep all others from the tables that it touched, and from
their heartbeats.
"""


class Database:
    """Where connections come from.

    Attributes:
        engine: for statements of any kind; each transaction is one that writes.
        readers: for what only reads; on SQLite a transaction there sees one state of things and blocks nobody.
        path: SQLite's file; None for PostgreSQL.
    """

    def __init__(self, url: str) -> None:
        self.url = _understood(url)
        self.sqlite = self.url.get_backend_name() == "sqlite"
        self.path = Path(self.url.database or "") if self.sqlite else None
        if self.sqlite:
            self.engine = _sqlite(self.url, "BEGIN IMMEDIATE")
            self.readers = _sqlite(self.url, "BEGIN")
        else:
            self.engine = self.readers = _postgresql(self.url)

    def clock(self, connection: sa.Connection) -> int:
        """The database's clock, in milliseconds since 1970: SQLite's is this machine's."""
        if self.sqlite:
            return time.time_ns() // 1_000_000
        return int(connection.execute(_CLOCK).scalar_one())

    def close(self) -> None:
        """Give all connections back."""
        self.readers.dispose()
        self.engine.dispose()


_CLOCK: Final = sa.text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


@contextmanager
def faults(doing: str) -> Iterator[None]:
    """Turn what a database cannot do just now into `Unavailable`; what was wrong with a statement stays as it is."""
    try:
        yield
    except (OperationalError, sa.exc.InterfaceError, sa.exc.TimeoutError) as error:
        raise Unavailable(f"{doing} failed: {reason(error)}; nothing was stored") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise Unavailable(f"{doing} failed: {reason(error)}; nothing was stored") from error
        raise


def reason(error: SQLAlchemyError) -> str:
    """What the database itself said, in one line."""
    said = str(error.orig) if isinstance(error, DBAPIError) and error.orig is not None else str(error)
    return " ".join(said.split()) or type(error).__name__


def _understood(url: str) -> sa.URL:
    try:
        whole = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise Malformed(
            f"{url!r} is no database: it is sqlite:///PATH or postgresql://USER@HOST/NAME", what=url, where="database"
        ) from None
    match whole.get_backend_name():
        case "sqlite" if whole.database and whole.database != ":memory:":
            return whole.set(drivername="sqlite+pysqlite")
        case "postgresql" | "postgres":
            return whole.set(drivername="postgresql+psycopg")
        case _:
            raise Malformed(
                f"{whole.render_as_string()!r} is no database that we keep tables in: it is sqlite:///PATH or "
                "postgresql://USER@HOST/NAME",
                what=whole.render_as_string(),
                where="database",
            )


def _sqlite(url: sa.URL, begin: str) -> sa.Engine:
    engine = sa.create_engine(
        url,
        connect_args={"timeout": _PATIENCE, "check_same_thread": False},
        pool_size=READERS,
        max_overflow=-1,
        poolclass=sa.QueuePool,
    )

    @sa.event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where we say so, and not where the module guesses
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # a commit returns when the disk has it
        connection.execute("PRAGMA foreign_keys = ON")

    @sa.event.listens_for(engine, "begin")
    def _begun(connection: sa.Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _postgresql(url: sa.URL) -> sa.Engine:
    arguments: dict[str, Any] = {  # Any: whatever the driver takes
        "connect_timeout": _PATIENCE,
        "options": f"-c idle_in_transaction_session_timeout={_IDLE} -c synchronous_commit=on -c timezone=UTC",
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
    }
    return sa.create_engine(url, connect_args=arguments, pool_size=READERS + 1, max_overflow=-1, pool_use_lifo=True)
