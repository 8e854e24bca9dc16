"""The moderation journal: a file with the bans, deletions and erasures of a database, which a restore repeats.

A backup does not know what happened after it. So each such act is recorded in the audit log, in its own transaction,
and then copied to this file, which is outside of the database: next to an SQLite file, or in the data folder. Servers
copy the file to the place of automatic backups, too.

The file has one line of JSON for each act, after a first line with the time since which it is complete. Lines are only
appended, each with the id of its act, so that an act that two processes append counts once. If a process is killed
after the transaction and before the line, the next process that serves or administers the database appends it.
Acts that are older than the audit log keeps them are removed.
"""

import asyncio
import os
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import sqlalchemy as sa

from faceup.core import Malformed
from faceup.paths import data_folder
from faceup.server.accounts.server_state import SERVER_KEY, get_all, server_key, set_value
from faceup.server.admin.backup_targets import BackupTarget, open_target
from faceup.server.audit.log import RestorableAct, restorable_acts
from faceup.server.process.settings import Settings, sqlite_path
from faceup.server.retention_periods import retention_periods
from faceup.server.store import Store

COPY: Final = "faceup-moderation-"
"""How the name of a copy at the place of backups starts, before the hash that identifies the database."""

_COMPLETE_SINCE: Final = "moderation_complete_since"
"""The key of the time in `server_state` before which a restore did not know all acts, in milliseconds since 1970."""

_LATE: Final = 600_000
"""Milliseconds by which a transaction may end after the time of its act."""


_TOUCHED: Final = 60.0
"""Seconds after which the time of the file is renewed."""


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file: see `Journal`."""

    database: str
    journal_since: int


class Journal(NamedTuple):
    """The contents of a moderation journal.

    Attributes:
        database: identifies the database and its backups; see `database_id`. "" if the first line is damaged.
        since: from when on it is complete, in milliseconds since 1970; None if the first line is damaged.
        acts: its acts by their ids.
        damaged: the numbers of the lines that cannot be read, from 1.
    """

    database: str
    since: int | None
    acts: Mapping[str, RestorableAct]
    damaged: tuple[int, ...] = ()


_HEADER: Final = msgspec.json.Decoder(_Header)
_ACT: Final = msgspec.json.Decoder(RestorableAct)


def parse_journal(content: bytes) -> Journal:
    r"""Return the contents of a file. Lines that cannot be read, such as one that a crash has cut, are left out.

    >>> parse_journal(b'{"database":"x","journal_since":7}\n{"id":"a","at":8,"act":"unban"}\n{"id":"b","at":').damaged
    (3,)
    """
    database, since, acts, damaged = "", None, dict[str, RestorableAct](), list[int]()
    for number, line in enumerate(content.splitlines(), 1):
        try:
            if number == 1:
                header = _HEADER.decode(line)
                database, since = header.database, header.journal_since
            elif line:
                act = _ACT.decode(line)
                acts[act.id] = act
        except (msgspec.DecodeError, UnicodeDecodeError):
            damaged.append(number)
    return Journal(database, since, acts, tuple(damaged))


def journal_text(database: str, since: int, acts: Iterable[RestorableAct]) -> bytes:
    """Return the contents of a file. See `Journal`."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (_Header(database, since), *acts))


def database_id(connection: sa.Connection) -> str:
    """Return a hash that a database and its backups have in common; "" before a server has drawn the secret key.

    Otherwise a database that was created after the old one was lost would seem to know what happened in the old one.
    """
    key = get_all(connection).get(SERVER_KEY)
    return "" if key is None else sha256(f"faceup moderation journal\n{key}".encode()).hexdigest()[:16]


def read_journal(path: Path) -> Journal | None:
    """Return the contents of a file; None if there is no file. Raises `Malformed` if it cannot be read."""
    try:
        return parse_journal(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Malformed(
            f"the moderation journal {path} cannot be read: {error.strerror}", what=str(path), where="journal"
        ) from None


def write_journal(path: Path, content: bytes) -> None:
    """Replace a file. A crash leaves the old one or the new one."""
    fresh = path.with_name(f".{path.name}.writing")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def journal_path(url: str, configured: str = "") -> Path:
    """Return the file of a database, given its URL and the setting `moderation_journal`."""
    if configured:
        return Path(configured).expanduser()
    if (file := sqlite_path(url)) is not None:
        return file.with_name(f"{file.name}.moderation.jsonl")
    return data_folder("online") / f"{sa.make_url(url).database}.moderation.jsonl"


def kept_since(connection: sa.Connection, now: int) -> int:
    """Return from when on acts are kept; 0 for all."""
    kept = retention_periods(connection)["log"]
    return 0 if kept is None else now - kept


def complete_since(connection: sa.Connection, now: int) -> int:
    """Return from when on the audit log has all acts that a restore repeats."""
    return max(int(get_all(connection).get(_COMPLETE_SINCE, "0")), kept_since(connection, now))


def set_complete_since(connection: sa.Connection, now: int) -> None:
    """Record that acts before now may be missing, because a restore did not know them."""
    set_value(connection, _COMPLETE_SINCE, str(now))


class ModerationJournal:
    """The journal of a database, which several processes may write.

    Args:
        store: the database.
        settings: the server's settings.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self.path = journal_path(settings.database_url, settings.moderation_journal)
        self._store = store
        self._target = open_target(settings.backup_to) if settings.backup_to else None
        self._read_since = 0  # all earlier acts are in the file
        self._ids: frozenset[str] = frozenset()  # the acts in the file when it had this signature
        self._signature: tuple[int, int] | None = None
        self._copied: tuple[int, int] | None = None

    async def update(self) -> None:
        """Append the acts that are missing in the file, and create it if it is missing. Raises `OSError`."""
        now, signature = self._store.now(), _signature(self.path)
        since = 0 if signature is None or signature != self._signature else self._read_since
        database, acts, complete = await self._store.query(
            lambda connection: (
                database_id(connection),
                restorable_acts(connection, since),
                complete_since(connection, now),
            )
        )
        if not database:
            await self._store.write(server_key)
            database = await self._store.query(database_id)
        if not self._has(acts):
            await asyncio.to_thread(self._append, acts, journal_text(database, complete, ()).decode().strip(), database)
        self._read_since = now - _LATE

    async def update_after(self, started: int) -> None:
        """Update the file if there are acts since a time. Raises `OSError`."""
        if await self._store.query(partial(restorable_acts, since=started)):
            await self.update()

    def _has(self, acts: Mapping[str, str]) -> bool:
        """Return whether the file has these acts, has changed only through this object, and has a recent time."""
        is_unchanged = self._signature is not None and _signature(self.path) == self._signature
        return is_unchanged and acts.keys() <= self._ids and not _is_old(self.path)

    def _append(self, acts: Mapping[str, str], header: str, database: str) -> None:
        if _signature(self.path) != self._signature:
            journal = read_journal(self.path)
            if journal is not None and journal.database not in {"", database}:
                # A new database has taken the place of one that was lost, whose backup may be restored later.
                self.path.rename(self.path.with_name(f"{self.path.name}.{journal.database}"))
                journal = None
            self._ids = frozenset() if journal is None else frozenset(journal.acts)
        missing = [text for identifier, text in acts.items() if identifier not in self._ids]
        is_new = not self.path.exists()
        if missing or is_new:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            append_lines(self.path, [header] * is_new + missing)
            self._ids |= acts.keys()
        self._signature = _signature(self.path)
        if _is_old(self.path):
            os.utime(self.path)  # its time shows a restore until when it is complete

    async def prune(self) -> None:
        """Remove acts that are older than the audit log keeps them. Raises `OSError`."""
        since = await self._store.query(partial(kept_since, now=self._store.now()))
        await asyncio.to_thread(self._prune, since)

    def _prune(self, since: int) -> None:
        journal = read_journal(self.path)
        if journal is None or journal.damaged:  # a damaged file is left for the operator to look at
            return
        kept = [act for act in journal.acts.values() if act.at >= since]
        if len(kept) < len(journal.acts):
            write_journal(self.path, journal_text(journal.database, max(since, journal.since or 0), kept))

    async def copy(self) -> None:
        """Copy the file to the place of automatic backups, if there is one and the file has changed.

        Raises `Malformed` if the place cannot be used.
        """
        signature = _signature(self.path)
        if self._target is not None and signature is not None and signature != self._copied:
            since = await self._store.query(partial(kept_since, now=self._store.now()))
            await asyncio.to_thread(copy_journal, self.path, self._target, since)
            self._copied = signature


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Append lines to a file, and sync it to the disk. If a crash has cut the last line, a new one is started."""
    with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "r+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 1))
        is_cut = file.read(1) not in {b"", b"\n"}
        file.write("".join(("\n" * is_cut, *(f"{line}\n" for line in lines))).encode())
        file.flush()
        os.fsync(file.fileno())


def copy_journal(path: Path, target: BackupTarget, since: int = 0) -> None:
    """Copy a journal to a place of backups. Acts since a time that only the copy there has are kept."""
    journal = read_journal(path)
    if journal is None or journal.since is None:
        return
    name = f"{COPY}{journal.database}.jsonl"
    copied = target.read(name)
    before = {} if copied is None else parse_journal(copied).acts
    acts = {identifier: act for identifier, act in before.items() if act.at >= since} | dict(journal.acts)
    content = journal_text(journal.database, journal.since, sorted(acts.values(), key=lambda act: act.at))
    if content != copied:
        target.replace(name, content)


def _is_old(path: Path) -> bool:
    return time.time() - path.stat().st_mtime > _TOUCHED


def _signature(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is replaced or appended to; None if there is none."""
    with suppress(FileNotFoundError):
        status = path.stat()
        return status.st_ino, status.st_size
    return None
