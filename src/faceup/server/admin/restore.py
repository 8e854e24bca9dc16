"""Restore of a database from a backup, while no server runs."""

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from itertools import chain, count
from pathlib import Path
from typing import BinaryIO, Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from faceup.core import Malformed
from faceup.paths import data_folder
from faceup.server.admin.backup import copy_sqlite, create_backup, must_exist, sync, with_companions
from faceup.server.admin.backup_targets import Bucket, Folder
from faceup.server.admin.moderation_journal import (
    COPY,
    Journal,
    journal_path,
    parse_journal,
    read_journal,
    renamed_journals,
)
from faceup.server.admin.postgresql_dump import drop_new_schema, dumped_version, load_new_schema, switch
from faceup.server.admin.reapply import (
    ActSource,
    Moderation,
    journal_file,
    previous_database,
    reapply,
    renew_journal,
    require_no_new_acts,
)
from faceup.server.process.settings import sqlite_path
from faceup.server.store import Store, UnavailableError, UnsupportedDatabaseError
from faceup.server.store.database import Database, reason
from faceup.server.store.heartbeat import HEARTBEAT_TIMEOUT
from faceup.server.store.migrations import check_version
from faceup.server.store.schema import processes

_RUNS: Final = sa.select(sa.func.count()).select_from(processes).where(processes.c.ended_at.is_(None))


class Restored(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a restore.

    Attributes:
        before: the file with the previous database; None if there was none.
        moderation: what was done after the backup was made.
    """

    before: Path | None
    moderation: Moderation


class Journals(msgspec.Struct, frozen=True, kw_only=True):
    """Where a restore finds the bans, deletions and erasures since the backup.

    Attributes:
        path: the moderation journal of the database; None for the default.
        copies: further copies.
        repeat: whether the restore repeats them.
    """

    path: Path | None = None
    copies: tuple[ActSource, ...] = ()
    repeat: bool = True

    def with_copy(self, name: str, journal: Journal | None) -> "Journals":
        """Return these and a copy, if it exists."""
        copies = self.copies if journal is None else (*self.copies, ActSource(name, journal))
        return msgspec.structs.replace(self, copies=copies)

    def sources(self, url: str) -> tuple[Path, tuple[ActSource, ...]]:
        """Return the journal's path, and everything that knows what was done in the database before the restore."""
        path = self.path or journal_path(url)
        files = [journal_file(file) for file in (path, *renamed_journals(path))]
        return path, (*files, *self.copies, previous_database(url))


_DEFAULT: Final = Journals()


def restore_from(url: str, location: str, journals: Journals = _DEFAULT) -> Restored:
    """Restore a backup from a path, or from a URL such as `s3://bucket/path/NAME`. See `restore_backup`.

    Raises:
        Malformed: as `restore_backup` does; or the location is not a backup but a folder of backups, of which the
            message names the newest.
    """
    parent, _, name = location.rpartition("/")
    if "://" not in location:
        if Path(location).is_dir():
            raise _not_one_backup(Folder(Path(location)), location)
        for copy in sorted(Path(location).parent.glob(f"{COPY}*.jsonl")):
            journals = journals.with_copy(str(copy), read_journal(copy))
        return restore_backup(url, Path(location), journals)
    bucket = Bucket(parent)
    if name not in bucket.names():
        raise _not_one_backup(Bucket(location.rstrip("/")), location)
    with _received(url) as file:
        bucket.fetch(name, file)
        for copied in bucket.names(f"{COPY}*.jsonl"):
            content = bucket.read(copied)
            journals = journals.with_copy(bucket.location(copied), None if content is None else parse_journal(content))
        return _restore_received(url, file, location, journals)


def _not_one_backup(target: Folder | Bucket, location: str) -> Malformed:
    newest = "".join(f"; its newest backup is {target.location(name)}" for name in target.names()[-1:])
    return Malformed(f"{location} is not a backup: name a backup{newest}", what=location, where="file")


def restore_stream(url: str, stream: BinaryIO, journals: Journals = _DEFAULT) -> Restored:
    """Restore a backup that is read from a stream. See `restore_backup`.

    Raises:
        Malformed: as `restore_backup` does.
    """
    with _received(url) as file:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as copy:
            shutil.copyfileobj(stream, copy)
        return _restore_received(url, file, "standard input", journals)


def _restore_received(url: str, file: Path, name: str, journals: Journals) -> Restored:
    try:
        return restore_backup(url, file, journals)
    except Malformed as error:
        raise Malformed(error.message.replace(str(file), name), what=name, where=error.where) from None


@contextmanager
def _received(url: str) -> Iterator[Path]:
    """Yield the path of a file for a backup that comes from elsewhere, and delete the file in the end."""
    received = _received_file(url)
    received.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield received
    finally:
        _delete(received)


def _received_file(url: str) -> Path:
    target = sqlite_path(url) or data_folder("online") / "faceup.dump"
    return target.with_name(f".{target.name}.received")


def _delete(path: Path) -> None:
    for file in with_companions(path):
        file.unlink(missing_ok=True)


def restore_backup(url: str, file: Path, journals: Journals = _DEFAULT) -> Restored:
    """Replace the database by a backup, migrate it to the schema of this faceup version, and repeat later acts.

    If it is killed at any moment, the database is either the previous or the restored one. The previous database is
    kept: an SQLite database gets another name, and of a PostgreSQL database a backup is made in the data folder.

    Raises:
        Malformed: the backup is invalid, too new, or of the other kind of database; a server is running on the
            database; or the database cannot be written.
    """
    must_exist(file)
    if file != (received := _received_file(url)):
        _delete(received)  # a restore that was killed has left it
    try:
        if (target := sqlite_path(url)) is not None:
            return _restore_sqlite(target, file, journals)
        return _restore_postgresql(url, file, journals)
    except UnsupportedDatabaseError as error:
        raise Malformed(f"{file}: {error.message}", what=str(file), where="file") from None
    except UnavailableError as error:
        raise Malformed(error.message, where="database") from None
    except SQLAlchemyError as error:
        raise Malformed(f"the database cannot be restored: {reason(error)}", where="database") from None


def _restore_postgresql(url: str, file: Path, journals: Journals) -> Restored:
    if (version := dumped_version(file)) is None:
        raise _not_ours(file)
    check_version(version)
    before = None
    database = Database(url)
    try:
        with database.readers.connect() as connection:
            exists = _require_unused_postgresql(database, connection)
    finally:
        database.close()
    if exists:
        before = _name_before(data_folder("online") / "faceup.dump", datetime.now(UTC))
        before.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        create_backup(url, before)
    path, sources = journals.sources(url)

    def check(connection: sa.Connection) -> None:
        _require_unused_postgresql(database, connection)
        require_no_new_acts(connection, sources)

    try:
        new_schema_url = load_new_schema(url, file)
        moderation, content = asyncio.run(_migrate(new_schema_url, sources, repeat=journals.repeat))
        switch(url, check)
    except BaseException:
        with suppress(SQLAlchemyError):
            drop_new_schema(url)
        raise
    renew_journal(path, content)
    return Restored(before=before, moderation=moderation)


def _require_unused_postgresql(database: Database, connection: sa.Connection) -> bool:
    """Raise `Malformed` if a server uses a database. Return whether it has tables."""
    if not sa.inspect(connection).has_table(processes.name):
        return False
    since = database.clock(connection) - HEARTBEAT_TIMEOUT
    if connection.execute(_RUNS.where(processes.c.heartbeat_at > since)).scalar_one():
        raise _is_used(database.url.render_as_string(hide_password=True))
    return True


def _restore_sqlite(target: Path, file: Path, journals: Journals) -> Restored:
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = target.with_name(f".{target.name}.restoring")
    _delete(fresh)
    if target.exists():
        _require_unused(target, datetime.now(UTC))
    try:
        try:
            fresh.touch(mode=0o600)
            copy_sqlite(file, fresh)
        except OSError as error:
            raise Malformed(
                f"{target} cannot be written: {error.strerror}", what=str(target), where="database"
            ) from None
        with closing(sqlite3.connect(fresh)) as database:
            if not (_has(database, "rooms") and _has(database, "log")):
                raise _not_ours(file)
        path, sources = journals.sources(f"sqlite:///{target}")
        moderation, content = asyncio.run(_migrate(f"sqlite:///{fresh}", sources, repeat=journals.repeat))
        _merge_wal(fresh)
        sync(fresh)
        before = _keep(target, sources)
        fresh.replace(target)
        sync(target.parent)
    except sqlite3.DatabaseError as error:
        raise Malformed(f"{file} cannot be read: {error}", what=str(file), where="file") from None
    finally:
        _delete(fresh)
    renew_journal(path, content)
    sync(target.parent)
    return Restored(before=before, moderation=moderation)


def _keep(target: Path, sources: Sequence[ActSource]) -> Path | None:
    """Give the previous database a second name, so that the restored one can replace it in one step.

    Its other files are gone afterwards, because SQLite would take them for those of the restored one.
    """
    if not target.exists():
        return None
    now = datetime.now(UTC)
    _require_unused(target, now)
    for former in target.parent.glob(f"{target.stem}-before-*{target.suffix}"):
        if former.samefile(target):  # a restore that was killed has left it
            former.unlink()
    before = _name_before(target, now)
    _merge_wal(target)
    database = Database(f"sqlite:///{target}")
    try:
        with suppress(SQLAlchemyError), database.readers.connect() as connection:  # it may be damaged
            require_no_new_acts(connection, sources)
    finally:
        database.close()
    for file, kept in list(zip(with_companions(target), with_companions(before), strict=True))[1:]:
        if file.exists():  # only if it is damaged
            file.rename(kept)
    try:
        os.link(target, before)
    except OSError:  # a file system without links
        shutil.copyfile(target, before)
        before.chmod(0o600)
        sync(before)
    sync(target.parent)
    return before


def _name_before(target: Path, now: datetime) -> Path:
    """Return a new name for the previous database, with the time in UTC."""
    name = f"{target.stem}-before-{now:%Y%m%d-%H%M%S}"
    endings = chain([""], (f"-{number}" for number in count(2)))
    names = (target.with_name(f"{name}{ending}{target.suffix}") for ending in endings)
    return next(path for path in names if not any(file.exists() for file in with_companions(path)))


def _merge_wal(path: Path) -> None:
    """Write everything to the one file of a database, and delete the others, unless it is damaged.

    Raises `Malformed` if another process uses the database.
    """
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            raise Malformed(
                f"another process is using the database {path}: stop it before you restore a backup",
                what=str(path),
                where="database",
            ) from None
    except sqlite3.DatabaseError:
        pass


def _require_unused(target: Path, now: datetime) -> None:
    """Raise `Malformed` if a server uses a database. One that cannot be read counts as not used."""
    with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(target)) as database:
        lately = now.timestamp() * 1000 - HEARTBEAT_TIMEOUT
        runs = "SELECT count(*) FROM processes WHERE ended_at IS NULL AND heartbeat_at > ?"
        if _has(database, "processes") and database.execute(runs, (lately,)).fetchone()[0]:
            raise _is_used(str(target))


async def _migrate(url: str, sources: Sequence[ActSource], *, repeat: bool) -> tuple[Moderation, bytes]:
    """Migrate a database to the schema of this faceup version, and repeat acts; see `reapply`."""
    store = await Store.attach(url)
    try:
        return await reapply(store, sources, repeat=repeat)
    finally:
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
