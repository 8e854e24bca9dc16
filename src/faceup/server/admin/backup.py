"""Backup and restore of an SQLite database. A backup can be made while servers are running."""

import asyncio
import os
import re
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO, Final
from urllib.parse import quote

from faceup.core import Malformed
from faceup.server.store import Store, UnsupportedDatabaseError
from faceup.server.store.heartbeat import HEARTBEAT_TIMEOUT


def create_backup(url: str, file: Path) -> int:
    """Copy a consistent snapshot of the database to a new file, and return the number of game tables in the copy.

    Servers can continue to write, because the backup only reads the database and its write-ahead log.

    Raises:
        Malformed: the database is PostgreSQL or does not exist, or the backup file exists already or cannot be written.
    """
    source = _sqlite_file(url, f"pg_dump --format=custom --file={file} URL")
    _must_exist(source)
    if file.exists():
        raise Malformed(f"{file} exists already: choose a new file name", what=str(file), where="file")
    try:
        _copy(source, file)
    except OSError as error:
        raise Malformed(f"{file} cannot be written: {error.strerror}", what=str(file), where="file") from None
    with closing(sqlite3.connect(file)) as copy:
        count: int = copy.execute("SELECT count(*) FROM rooms").fetchone()[0]
    return count


def dated_file(folder: Path, now: datetime) -> Path:
    """Return the path of a backup in a folder, named by its time in UTC.

    >>> dated_file(Path("backups"), datetime(2026, 3, 1, 4, 30, tzinfo=UTC)).as_posix()
    'backups/faceup-2026-03-01T04-30-00Z.sqlite'
    """
    return folder / f"faceup-{now.astimezone(UTC):%Y-%m-%dT%H-%M-%S}Z.sqlite"


def delete_old_backups(folder: Path, keep: int) -> list[Path]:
    """Delete all but the newest backups that `dated_file` has named. Return the deleted files, the oldest first."""
    dated = sorted(path for path in folder.iterdir() if _DATED.fullmatch(path.name))
    old = dated[: max(0, len(dated) - keep)]
    for path in old:
        path.unlink()
    return old


_DATED: Final = re.compile(r"faceup-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.sqlite")


def restore_stream(url: str, stream: BinaryIO) -> Path | None:
    """Restore a backup that is read from a stream. See `restore_backup`.

    Raises:
        Malformed: as `restore_backup` does.
    """
    target = _sqlite_file(url, _PG_RESTORE)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    received = target.with_name(f".{target.name}.received")
    try:
        with open(os.open(received, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as copy:  # noqa: PTH123 -- Path.open takes no descriptor
            shutil.copyfileobj(stream, copy)
        return restore_backup(url, received)
    except Malformed as error:
        message = error.message.replace(str(received), "standard input")
        raise Malformed(message, what="-", where=error.where) from None
    finally:
        for leftover in _with_companions(received):
            leftover.unlink(missing_ok=True)


def restore_backup(url: str, file: Path) -> Path | None:
    """Replace the database by a backup. Return the new path of the previous database; None if there was none.

    Raises:
        Malformed: the database is PostgreSQL, the backup is invalid or too new, or a server is running on the database.
    """
    target = _sqlite_file(url, _PG_RESTORE)
    _must_exist(file)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.restoring")
    fresh.unlink(missing_ok=True)
    try:
        _copy(file, fresh)
        asyncio.run(_try(fresh, file))
        before = _put_aside(target)
        fresh.replace(target)
    finally:
        for leftover in _with_companions(fresh):
            leftover.unlink(missing_ok=True)
    _sync(target.parent)
    return before


def _put_aside(target: Path) -> Path | None:
    if not target.exists():
        return None
    with closing(sqlite3.connect(target)) as database:
        now = datetime.now(UTC)
        lately = now.timestamp() * 1000 - HEARTBEAT_TIMEOUT
        runs = "SELECT count(*) FROM processes WHERE ended_at IS NULL AND heartbeat_at > ?"
        if _has(database, "processes") and database.execute(runs, (lately,)).fetchone()[0]:
            raise Malformed(
                f"a server is using the database {target}: stop the server before you restore a backup",
                what=str(target),
                where="database",
            )
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = target.with_name(f"{target.stem}-before-{now:%Y%m%d-%H%M%S}{target.suffix}")
    target.rename(before)
    for leftover in _with_companions(target):
        leftover.unlink(missing_ok=True)
    return before


async def _try(copy: Path, named: Path) -> None:
    """Check the copy of a backup and migrate it to the schema of this faceup version.

    Args:
        copy: the copied file, which is changed.
        named: the original backup file, which error messages name.

    Raises:
        Malformed: the file is not a faceup database, or its schema is not supported.
    """
    with closing(sqlite3.connect(copy)) as database:
        if not (_has(database, "rooms") and _has(database, "log")):
            raise Malformed(f"{named} is not a faceup database", what=str(named), where="file")
    try:
        store = await Store.attach(f"sqlite:///{copy}")
    except UnsupportedDatabaseError as error:
        raise Malformed(f"{named}: {error.message}", what=str(named), where="file") from None
    await store.close()


def _copy(source: Path, target: Path) -> None:
    """Copy a database as one snapshot. The new file is synced to the disk, and only its owner can read it."""
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(source.absolute()))}?mode=ro", uri=True)) as here,
            closing(sqlite3.connect(partial)) as there,
        ):
            here.backup(there)
            there.execute("PRAGMA journal_mode = DELETE")  # a single file, without a write-ahead log beside it
        _sync(partial)
        partial.replace(target)
        _sync(target.parent)
    except sqlite3.DatabaseError as error:
        raise Malformed(f"{source} cannot be copied to {target}: {error}", what=str(source), where="file") from None
    finally:
        for leftover in _with_companions(partial):
            leftover.unlink(missing_ok=True)


def _has(database: sqlite3.Connection, table: str) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return database.execute(query, (table,)).fetchone() is not None


def _sqlite_file(url: str, instead: str) -> Path:
    if not url.startswith(_SQLITE):
        raise Malformed(
            f"this command supports only SQLite: for PostgreSQL, run `{instead}` with the server's database URL",
            where="database",
        )
    return Path(url.removeprefix(_SQLITE))


_SQLITE: Final = "sqlite:///"
_PG_RESTORE: Final = "pg_restore --clean --if-exists --dbname=URL FILE"


def _must_exist(path: Path) -> None:
    if not path.is_file():
        raise Malformed(f"there is no database {path}", what=str(path), where="database")


def _with_companions(path: Path) -> list[Path]:
    return [path.with_name(f"{path.name}{ending}") for ending in ("", "-wal", "-shm", "-journal")]


def _sync(path: Path) -> None:
    if path.is_dir() and os.name != "posix":
        return  # Windows cannot open folders, and syncs changed file names without a call
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
