"""Copies of an SQLite database: made while people play, and put back."""

import asyncio
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from faceup.core import Malformed
from faceup.server.store import Store, Unfit
from faceup.server.store.beating import FRESH


def copy_out(url: str, file: Path) -> int:
    """Copy the database as it is at one moment into a file that there is not yet; says how many tables it holds.

    Nobody waits for it: it is a reader like others, and the write-ahead log keeps readers and the writer apart.

    Raises:
        Malformed: it is PostgreSQL, there is no database, or the file is there already or cannot be written.
    """
    source = _sqlite_file(url, f"pg_dump --format=custom --file={file} URL")
    _must_exist(source)
    if file.exists():
        raise Malformed(f"{file} is there already: name one that is not", what=str(file), where="file")
    try:
        _copy(source, file)
    except OSError as error:
        raise Malformed(f"{file} cannot be written: {error.strerror}", what=str(file), where="file") from None
    with closing(sqlite3.connect(file)) as copy:
        count: int = copy.execute("SELECT count(*) FROM rooms").fetchone()[0]
    return count


def put_back(url: str, file: Path) -> Path | None:
    """Put a copy in the place of the database; says where what was there before is kept.

    Raises:
        Malformed: it is PostgreSQL, the copy is no database of ours or of a later version, or a server runs on it.
    """
    target = _sqlite_file(url, "pg_restore --clean --dbname=URL FILE")
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
        lately = now.timestamp() * 1000 - FRESH
        runs = "SELECT count(*) FROM processes WHERE ended IS NULL AND beat > ?"
        if _has(database, "processes") and database.execute(runs, (lately,)).fetchone()[0]:
            raise Malformed(f"a server runs on {target}: stop it, then restore", what=str(target), where="database")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = target.with_name(f"{target.stem}-before-{now:%Y%m%d-%H%M%S}{target.suffix}")
    target.rename(before)
    for leftover in _with_companions(target):
        leftover.unlink(missing_ok=True)
    return before


async def _try(copy: Path, named: Path) -> None:
    """Open it as a server would, which brings it to this version."""
    with closing(sqlite3.connect(copy)) as database:
        if not (_has(database, "rooms") and _has(database, "log")):
            raise Malformed(f"{named} is no database of a server", what=str(named), where="file")
    try:
        store = await Store.visit(f"sqlite:///{copy}")
    except Unfit as error:
        raise Malformed(f"{named}: {error.message}", what=str(named), where="file") from None
    await store.close()


def _copy(source: Path, target: Path) -> None:
    """All pages in one step, which is one moment; on the disk when it returns, and readable by its owner alone."""
    partial = target.with_name(f".{target.name}.partial")
    partial.unlink(missing_ok=True)
    partial.touch(mode=0o600)
    try:
        with (
            closing(sqlite3.connect(f"file:{quote(str(source.absolute()))}?mode=ro", uri=True)) as here,
            closing(sqlite3.connect(partial)) as there,
        ):
            here.backup(there)
            there.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
        _sync(partial)
        partial.replace(target)
        _sync(target.parent)
    except sqlite3.DatabaseError as error:
        raise Malformed(f"{source} cannot be copied to {target}: {error}", what=str(source), where="file") from None
    finally:
        for leftover in _with_companions(partial):
            leftover.unlink(missing_ok=True)


def _has(database: sqlite3.Connection, table: str) -> bool:
    asked = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"
    return database.execute(asked, (table,)).fetchone() is not None


def _sqlite_file(url: str, instead: str) -> Path:
    if not url.startswith(_SQLITE):
        raise Malformed(
            f"PostgreSQL has commands of its own for this: `{instead}`, with the URL of the server's setting",
            where="database",
        )
    return Path(url.removeprefix(_SQLITE))


_SQLITE: Final = "sqlite:///"


def _must_exist(path: Path) -> None:
    if not path.is_file():
        raise Malformed(f"there is no database {path}", what=str(path), where="database")


def _with_companions(path: Path) -> list[Path]:
    return [path.with_name(f"{path.name}{ending}") for ending in ("", "-wal", "-shm", "-journal")]


def _sync(path: Path) -> None:
    if path.is_dir() and os.name != "posix":
        return  # Windows keeps the names of files by itself, and opens no folder
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
