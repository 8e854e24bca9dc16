"""Backup of a database. It can be made while servers are running."""

import errno
import os
import secrets
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError

from faceup.core import Malformed
from faceup.server.admin.backup_targets import PARTIAL, UNFINISHED, dated_name, delete_leftovers
from faceup.server.admin.postgresql_dump import dump
from faceup.server.process.settings import sqlite_path
from faceup.server.store.database import reason

_AT_ONCE: Final = 256
"""Pages of an SQLite database that are copied in one step."""

_PAUSE: Final = 0.002
"""Seconds between two steps, in which the disk and the processor are free for choices."""

_SYNC_EVERY: Final = 16 * 2**20
"""Bytes after which a copy is synced to the disk, so that no choice has to wait for the sync of a whole copy."""

_SPARE: Final = 64 * 2**20
"""Bytes that must stay free in addition to a copy."""


def backup_name(url: str, now: datetime) -> str:
    """Return the name of a backup of the database, with its time in UTC."""
    return dated_name(now, "dump" if sqlite_path(url) is None else "sqlite")


def create_backup(url: str, file: Path) -> int:
    """Copy a consistent snapshot of the database to a new file, and return the number of game tables in the copy.

    The file is written under another name, synced to the disk, and renamed. Only its owner can read it. Servers can
    continue to write, because the backup only reads.

    Raises:
        Malformed: the database does not exist or does not answer, or the backup file exists already or cannot be
            written.
    """
    if file.exists():
        raise Malformed(f"{file} exists already: choose a new file name", what=str(file), where="file")
    try:
        with _complete(file) as partial:
            if (source := sqlite_path(url)) is None:
                return dump(url, partial)
            must_exist(source)
            _require_space(source, partial.parent)
            copy_sqlite(source, partial)
            with closing(sqlite3.connect(partial)) as copy:
                count: int = copy.execute("SELECT count(*) FROM rooms").fetchone()[0]
                return count
    except OSError as error:
        raise Malformed(f"{file} cannot be written: {error.strerror}", what=str(file), where="file") from None
    except sqlite3.DatabaseError as error:
        raise Malformed(f"{source} cannot be copied to {file}: {error}", what=str(source), where="file") from None
    except SQLAlchemyError as error:
        raise Malformed(f"the database cannot be read: {reason(error)}", where="database") from None


def _require_space(source: Path, folder: Path) -> None:
    """Raise `Malformed` if a copy would leave little free space, which servers may need for what players choose."""
    size = sum(file.stat().st_size for file in with_companions(source) if file.exists())
    free = shutil.disk_usage(folder).free
    if free < size + _SPARE:
        raise Malformed(
            f"{folder} has {free / 1e6:,.0f} MB of free space, and a backup needs {(size + _SPARE) / 1e6:,.0f} MB: "
            "make space or choose another folder",
            what=str(folder),
            where="file",
        )


def copy_sqlite(source: Path, target: Path) -> None:
    """Copy an SQLite database as one snapshot to an empty file, a few pages at a time.

    Raises:
        sqlite3.DatabaseError: the source is not a database, or is damaged.
        OSError: the copy cannot be written.
    """
    with (
        closing(sqlite3.connect(f"file:{quote(str(source.absolute()))}?mode=ro", uri=True)) as source_base,
        closing(sqlite3.connect(target)) as there,
    ):
        source_base.isolation_level = None
        source_base.execute("BEGIN")
        page: int = source_base.execute("PRAGMA page_size").fetchone()[0]  # starts the snapshot, which all steps read
        source_base.execute("SELECT count(*) FROM sqlite_master")
        there.execute("PRAGMA synchronous = OFF")

        def sync_sometimes(_: int, remaining: int, total: int) -> None:
            if (total - remaining) * page % _SYNC_EVERY < _AT_ONCE * page:
                sync(target)

        try:
            source_base.backup(there, pages=_AT_ONCE, progress=sync_sometimes, sleep=_PAUSE)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:  # the source is only read, so it is the disk of the copy
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target)) from None
            raise
        there.execute("PRAGMA journal_mode = DELETE")  # a single file, without a separate write-ahead log


@contextmanager
def _complete(file: Path) -> Iterator[Path]:
    """Yield another path. Sync its file to the disk and rename it to `file` in the end, or delete it on an error."""
    delete_leftovers(file.parent)
    # The name is new, so that backups at the same time do not write to one file, and no link leads elsewhere.
    partial = file.parent / f"{UNFINISHED}{secrets.token_hex(8)}{PARTIAL}"
    try:
        # Ctrl-C may come at any time after this, and then the file is deleted, too.
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield partial
        sync(partial)
        partial.replace(file)
        sync(file.parent)
    finally:
        for leftover in with_companions(partial):
            leftover.unlink(missing_ok=True)


def must_exist(path: Path) -> None:
    """Raise `Malformed` if there is no such file."""
    if not path.is_file():
        raise Malformed(f"there is no database {path}", what=str(path), where="database")


def with_companions(path: Path) -> list[Path]:
    """Return the path of an SQLite database and those of the files that SQLite may write next to it."""
    return [path.with_name(f"{path.name}{ending}") for ending in ("", "-wal", "-shm", "-journal")]


def sync(path: Path) -> None:
    """Sync a file or a folder to the disk."""
    if path.is_dir() and os.name != "posix":
        return  # Windows cannot open folders, and syncs changed file names without a call
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
