"""Disk space: deleted content is overwritten, and free space is returned to the operating system.

SQLite overwrites deleted content with zeros (`secure_delete`), but the write-ahead log keeps old pages until it is
truncated. `reclaim` truncates it and returns free pages in small steps, while servers run. `compact` rewrites the whole
database. PostgreSQL reuses space by itself (autovacuum).
"""

import time
from typing import Any, Final

import sqlalchemy as sa

from faceup.server.store.database import Database, as_unavailable

_SPARE_PAGES: Final = 256
"""Number of free pages that are kept for new content: 1 MB."""

_STEP: Final = 50
"""Number of pages to return in one transaction, which takes about a millisecond."""

_TRIES: Final = 40
_PAUSE: Final = 0.05
"""Seconds between attempts to truncate the write-ahead log, which fail while others read or write."""


def release_pages(connection: sa.Connection) -> bool:
    """Return some free pages of an SQLite database to the operating system. Return whether to call this again."""
    free = connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()
    incremental = connection.exec_driver_sql("PRAGMA auto_vacuum").scalar_one() == 2
    if not incremental or free <= _SPARE_PAGES:
        return False
    for _ in range(min(_STEP, free - _SPARE_PAGES)):
        connection.exec_driver_sql("PRAGMA incremental_vacuum(1)")  # sqlite3 does not step to a second page
    return True


def truncate_wal(database: Database) -> bool:
    """Copy SQLite's write-ahead log to the database and truncate it. Return False if others did not let it in time.

    An attempt that would have to wait for readers fails immediately, because writers would have to wait with it.
    """
    with database.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection  # Any: untyped in SQLAlchemy
        try:
            driver.execute("PRAGMA busy_timeout = 0")
            for attempt in range(_TRIES):
                if attempt:
                    time.sleep(_PAUSE)
                driver.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
                if not driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                    return True
        finally:
            connection.invalidate()  # the timeout must not stay
    return False


def compact(database: Database, *, full: bool) -> None:
    """Rewrite an SQLite database, or vacuum a PostgreSQL database; with `full`, rewrite its tables, too.

    While it rewrites, others cannot write. Raises `UnavailableError`.
    """
    try:
        with database.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection  # Any: untyped in SQLAlchemy
            if database.sqlite:
                driver.execute("PRAGMA auto_vacuum = INCREMENTAL")
                driver.execute("VACUUM")
            else:
                _vacuum(driver, full=full)
    except Exception as error:
        raise as_unavailable(error, "compacting the database", "the database is unchanged") from error


def _vacuum(driver: Any, *, full: bool) -> None:  # noqa: ANN401 -- psycopg's connection, which is not installed for SQLite alone
    driver.autocommit = True
    driver.execute("VACUUM (ANALYZE)")
    if full:
        driver.execute("VACUUM (FULL)")  # after ANALYZE, so that old statistics, which contain values, are rewritten
        may = "SELECT rolsuper OR pg_has_role(current_user, 'pg_checkpoint', 'USAGE') FROM pg_roles"
        if driver.execute(f"{may} WHERE rolname = current_user").fetchone()[0]:
            driver.execute("CHECKPOINT")  # deletes the old files


def size(database: Database) -> int:
    """Return the size of the database in bytes, with SQLite's write-ahead log."""
    if database.path is not None:
        files = (database.path, database.path.with_name(f"{database.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
    with database.readers.connect() as connection:
        return int(connection.execute(sa.select(sa.func.pg_database_size(sa.func.current_database()))).scalar_one())
