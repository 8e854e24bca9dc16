"""Restore of a database from a backup, while no server runs."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from faceup.core import Malformed
from faceup.paths import data_folder
from faceup.server.admin.backup import copy_sqlite, create_backup, must_exist, sync, with_companions
from faceup.server.admin.backup_targets import Bucket, Folder
from faceup.server.admin.postgresql_dump import dumped_version, replace_tables
from faceup.server.process.settings import sqlite_path
from faceup.server.store import Store, UnavailableError, UnsupportedDatabaseError
from faceup.server.store.database import Database, reason
from faceup.server.store.heartbeat import HEARTBEAT_TIMEOUT
from faceup.server.store.migrations import check_version
from faceup.server.store.schema import processes

_RUNS: Final = sa.select(sa.func.count()).select_from(processes).where(processes.c.ended_at.is_(None))


def restore_from(url: str, location: str) -> Path | None:
    """Restore a backup from a path, or from a URL such as `s3://bucket/path/NAME`. See `restore_backup`.

    Raises:
        Malformed: as `restore_backup` does; or the location is not a backup but a folder of backups, of which the
            message names the newest.
    """
    parent, _, name = location.rpartition("/")
    if "://" not in location:
        if Path(location).is_dir():
            raise _not_one_backup(Folder(Path(location)), location)
        return restore_backup(url, Path(location))
    bucket = Bucket(parent)
    if name not in bucket.names():
        raise _not_one_backup(Bucket(location.rstrip("/")), location)
    with _received(url) as file:
        bucket.fetch(name, file)
        return _restore_received(url, file, location)


def _not_one_backup(target: Folder | Bucket, location: str) -> Malformed:
    newest = "".join(f"; its newest backup is {target.location(name)}" for name in target.names()[-1:])
    return Malformed(f"{location} is not a backup: name a backup{newest}", what=location, where="file")


def restore_stream(url: str, stream: BinaryIO) -> Path | None:
    """Restore a backup that is read from a stream. See `restore_backup`.

    Raises:
        Malformed: as `restore_backup` does.
    """
    with _received(url) as file:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as copy:
            shutil.copyfileobj(stream, copy)
        return _restore_received(url, file, "standard input")


def _restore_received(url: str, file: Path, name: str) -> Path | None:
    try:
        return restore_backup(url, file)
    except Malformed as error:
        raise Malformed(error.message.replace(str(file), name), what=name, where=error.where) from None


@contextmanager
def _received(url: str) -> Iterator[Path]:
    """Yield the path of a file for a backup that comes from elsewhere, and delete the file in the end."""
    target = sqlite_path(url) or data_folder("online") / "faceup.dump"
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    received = target.with_name(f".{target.name}.received")
    try:
        yield received
    finally:
        for leftover in with_companions(received):
            leftover.unlink(missing_ok=True)


def restore_backup(url: str, file: Path) -> Path | None:
    """Replace the database by a backup, and migrate it to the schema of this faceup version.

    Return the file with the previous database: an SQLite database is renamed, and of a PostgreSQL database a backup is
    made in the data folder. Return None if there was none.

    Raises:
        Malformed: the backup is invalid, too new, or of the other kind of database; or a server is running on the
            database.
    """
    must_exist(file)
    try:
        if (target := sqlite_path(url)) is not None:
            return _restore_sqlite(target, file)
        return _restore_postgresql(url, file)
    except UnsupportedDatabaseError as error:
        raise Malformed(f"{file}: {error.message}", what=str(file), where="file") from None
    except UnavailableError as error:
        raise Malformed(error.message, where="database") from None
    except SQLAlchemyError as error:
        raise Malformed(f"the database cannot be restored: {reason(error)}", where="database") from None


def _restore_postgresql(url: str, file: Path) -> Path | None:
    if (version := dumped_version(file)) is None:
        raise _not_ours(file)
    check_version(version)
    before = None
    database = Database(url)
    try:
        with database.readers.connect() as connection:
            exists = sa.inspect(connection).has_table(processes.name)
            since = database.clock(connection) - HEARTBEAT_TIMEOUT
            if exists and connection.execute(_RUNS.where(processes.c.heartbeat_at > since)).scalar_one():
                raise _is_used(database.url.render_as_string())
    finally:
        database.close()
    if exists:
        before = data_folder("online") / f"faceup-before-{datetime.now(UTC):%Y%m%d-%H%M%S}.dump"
        before.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_backup(url, before)
    replace_tables(url, file)
    asyncio.run(_migrate(url))
    return before


def _restore_sqlite(target: Path, file: Path) -> Path | None:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.restoring")
    fresh.unlink(missing_ok=True)
    try:
        fresh.touch(mode=0o600)
        copy_sqlite(file, fresh)
        with closing(sqlite3.connect(fresh)) as database:
            if not (_has(database, "rooms") and _has(database, "log")):
                raise _not_ours(file)
        asyncio.run(_migrate(f"sqlite:///{fresh}"))
        sync(fresh)
        before = _put_aside(target)
        fresh.replace(target)
    except sqlite3.DatabaseError as error:
        raise Malformed(f"{file} cannot be read: {error}", what=str(file), where="file") from None
    finally:
        for leftover in with_companions(fresh):
            leftover.unlink(missing_ok=True)
    sync(target.parent)
    return before


def _put_aside(target: Path) -> Path | None:
    if not target.exists():
        return None
    with closing(sqlite3.connect(target)) as database:
        now = datetime.now(UTC)
        lately = now.timestamp() * 1000 - HEARTBEAT_TIMEOUT
        runs = "SELECT count(*) FROM processes WHERE ended_at IS NULL AND heartbeat_at > ?"
        if _has(database, "processes") and database.execute(runs, (lately,)).fetchone()[0]:
            raise _is_used(str(target))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = target.with_name(f"{target.stem}-before-{now:%Y%m%d-%H%M%S}{target.suffix}")
    target.rename(before)
    for leftover in with_companions(target):
        leftover.unlink(missing_ok=True)
    return before


async def _migrate(url: str) -> None:
    """Migrate a database to the schema of this faceup version."""
    store = await Store.attach(url)
    await store.close()


def _is_used(database: str) -> Malformed:
    return Malformed(
        f"a server is using the database {database}: stop the server before you restore a backup",
        what=database,
        where="database",
    )


def _not_ours(file: Path) -> Malformed:
    return Malformed(f"{file} is not a faceup database", what=str(file), where="file")


def _has(database: sqlite3.Connection, table: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return database.execute(query, (table,)).fetchone() is not None
