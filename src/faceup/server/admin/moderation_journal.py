"""The moderation journal: a file with the bans, deletions and erasures of a database, which a restore repeats.

A backup does not know what happened after it. So each such act is recorded in the audit log, in its own transaction,
and then copied to this file, which is outside of the database: next to an SQLite file, or in the data folder. Servers
copy the file to the place of automatic backups, too.

The file has one line of JSON for each act, after a first line with the times since which and until which
it is complete. Lines are only appended, each with the id of its act, so that an act that two processes append counts
once. If a process is killed after the transaction and before the line, the next process that serves or administers the
database appends it. Acts that are older than the audit log keeps them are removed.

The first line is renewed after the acts are on the disk, so a file never claims to have an act that it lacks. A copy
that no server renews keeps its last time, and a restore treats everything later as unknown.
"""

import asyncio
import os
import tempfile
import threading
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
from faceup.server.admin.backup_targets import PARTIAL, UNFINISHED, BackupTarget, delete_leftovers, open_target
from faceup.server.audit.log import RestorableAct, restorable_acts
from faceup.server.process.settings import Settings, sqlite_path
from faceup.server.retention_periods import retention_periods
from faceup.server.store import Store

COPY: Final = "faceup-moderation-"
"""How the name of a copy at the place of backups starts, before the hash that identifies the database."""

_COMPLETE_SINCE: Final = "moderation_complete_since"
"""The key of the time in `server_state` before which acts may be missing, in milliseconds since 1970."""

_RESTORED_AT: Final = "moderation_restored_at"
"""The key of the time in `server_state` of the last restore, in milliseconds since 1970."""

_LATE: Final = 600_000
"""Milliseconds by which a transaction may end after the time of its act."""

_RENEWED: Final = 60_000
"""Milliseconds after which the first line is renewed, even if there are no acts."""


class _Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line of the file: see `Journal`."""

    database: str
    journal_since: int
    journal_until: int | None = None


class Journal(NamedTuple):
    """The contents of a moderation journal.

    Attributes:
        database: identifies the database and its backups; see `database_id`. "" if the first line is damaged.
        since: from when on it is complete, in milliseconds since 1970; None if the first line is damaged.
        until: until when it is complete: it has all acts that were stored before; None if it does not say.
        acts: its acts by their ids.
        damaged: the numbers of the lines that cannot be read, from 1.
    """

    database: str
    since: int | None
    until: int | None
    acts: Mapping[str, RestorableAct]
    damaged: tuple[int, ...] = ()


_HEADER: Final = msgspec.json.Decoder(_Header)
_ACT: Final = msgspec.json.Decoder(RestorableAct)


def parse_journal(content: bytes) -> Journal:
    r"""Return the contents of a file. Lines that cannot be read, such as one that a crash has cut, are left out.

    >>> parse_journal(b'{"database":"x","journal_since":7}\n{"id":"a","at":8,"act":"unban"}\n{"id":"b","at":').damaged
    (3,)
    """
    database, since, until, acts, damaged = "", None, None, dict[str, RestorableAct](), list[int]()
    for number, line in enumerate(content.splitlines(), 1):
        try:
            if number == 1:
                header = _HEADER.decode(line)
                database, since, until = header.database, header.journal_since, header.journal_until
            elif line:
                act = _ACT.decode(line)
                acts[act.id] = act
        except (msgspec.DecodeError, UnicodeDecodeError):
            damaged.append(number)
    return Journal(database, since, until, acts, tuple(damaged))


def journal_text(database: str, since: int, until: int | None, acts: Iterable[RestorableAct]) -> bytes:
    """Return the contents of a file. See `Journal`."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (_Header(database, since, until), *acts))


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
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    delete_leftovers(path.parent)
    descriptor, fresh = tempfile.mkstemp(prefix=UNFINISHED, suffix=PARTIAL, dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(fresh).replace(path)


def journal_path(url: str, configured: str = "") -> Path:
    """Return the file of a database, given its URL and the setting `moderation_journal`."""
    if configured:
        return Path(configured).expanduser()
    if (file := sqlite_path(url)) is not None:
        return file.with_name(f"{file.name}.moderation.jsonl")
    return data_folder("online") / f"{sa.make_url(url).database}.moderation.jsonl"


def renamed_journals(path: Path) -> list[Path]:
    """Return the journals of lost databases, which a server has renamed because it was started without the database."""
    return [file for file in sorted(path.parent.glob(f"{path.name}.*")) if file.suffix != ".damaged"]


def kept_since(connection: sa.Connection, now: int) -> int:
    """Return from when on acts are kept; 0 for all."""
    kept = retention_periods(connection)["log"]
    return 0 if kept is None else now - kept


def complete_since(connection: sa.Connection, now: int) -> int:
    """Return from when on the audit log has all acts that a restore repeats."""
    return max(int(get_all(connection).get(_COMPLETE_SINCE, "0")), kept_since(connection, now))


def set_complete_since(connection: sa.Connection, since: int) -> None:
    """Record that acts before a time may be missing: a restore did not know them, or they have expired."""
    if since > complete_since(connection, 0):
        set_value(connection, _COMPLETE_SINCE, str(since))


def restored_at(connection: sa.Connection) -> int:
    """Return when the database was restored from a backup, in milliseconds since 1970; 0 for never."""
    return int(get_all(connection).get(_RESTORED_AT, "0"))


def set_restored_at(connection: sa.Connection, now: int) -> None:
    """Record that the database was restored from a backup, with the later acts that the restore knew."""
    set_value(connection, _RESTORED_AT, str(now))


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
        self._file = threading.Lock()  # updating and pruning run in threads, and both write the file
        self._read_since = 0  # all earlier acts are in the file
        self._until = 0  # until when the file is complete
        self._ids: frozenset[str] = frozenset()  # the acts in the file when it had this signature
        self._signature: tuple[int, int] | None = None
        self._copied: tuple[tuple[int, int], int] | None = None

    async def update(self, *, renew: bool = False) -> None:
        """Append the acts that are missing in the file, and create it if it is missing. Raises `OSError`.

        From time to time, or if `renew` is true, also renew the time until which the file is complete.
        """
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
        if renew or now - self._until >= _RENEWED or not self._has(acts):
            await asyncio.to_thread(self._append, acts, _Header(database, complete, now))
        self._read_since = now - _LATE

    async def update_after(self, started: int) -> None:
        """Update the file if there are acts since a time. Raises `OSError`."""
        if await self._store.query(partial(restorable_acts, since=started)):
            await self.update()

    def _has(self, acts: Mapping[str, str]) -> bool:
        """Return whether the file has these acts, and has changed only through this object."""
        is_unchanged = self._signature is not None and _signature(self.path) == self._signature
        return is_unchanged and acts.keys() <= self._ids

    def _append(self, acts: Mapping[str, str], header: _Header) -> None:
        """Append the acts that are missing, and then the time until which all of them are in the file."""
        with self._file:
            if (signature := _signature(self.path)) != self._signature:
                journal = read_journal(self.path)
                if journal is not None and journal.database not in {"", header.database}:
                    # A new database has taken the place of one that was lost, whose backup may be restored later.
                    self.path.rename(self.path.with_name(f"{self.path.name}.{journal.database}"))
                    signature = journal = None
                self._ids = frozenset() if journal is None else frozenset(journal.acts)
            if signature is None:
                lines = (msgspec.json.encode(header).decode(), *acts.values())
                write_journal(self.path, "".join(f"{line}\n" for line in lines).encode())
                signature = _signature(self.path)
            else:
                if missing := [text for identifier, text in acts.items() if identifier not in self._ids]:
                    signature = append_lines(self.path, missing)
                signature = _renew(self.path, header) or signature
            self._ids |= acts.keys()
            self._signature, self._until = signature, header.journal_until or 0

    async def prune(self) -> None:
        """Remove acts that are older than the audit log keeps them. Raises `OSError`."""
        since = await self._store.query(partial(kept_since, now=self._store.now()))
        await asyncio.to_thread(self._prune, since)

    def _prune(self, since: int) -> None:
        with self._file:
            for path in (self.path, *renamed_journals(self.path)):
                journal = read_journal(path)
                if journal is None or journal.damaged:  # a damaged file is left for the operator to look at
                    continue
                kept = [act for act in journal.acts.values() if act.at >= since]
                if len(kept) < len(journal.acts):
                    start = max(since, journal.since or 0)
                    write_journal(path, journal_text(journal.database, start, journal.until, kept))

    async def copy(self) -> None:
        """Copy the file to the place of automatic backups, if there is one and the file has changed.

        Raises `Malformed` if the place cannot be used.
        """
        signature, until = _signature(self.path), self._until
        if self._target is not None and signature is not None and (signature, until) != self._copied:
            since = await self._store.query(partial(kept_since, now=self._store.now()))
            await asyncio.to_thread(copy_journal, self.path, self._target, since)
            self._copied = signature, until


def append_lines(path: Path, lines: Iterable[str]) -> tuple[int, int]:
    """Append lines to a file, sync it to the disk, and return its signature; see `_signature`.

    If a crash has cut the last line, a new one is started.
    """
    with os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "r+b") as file:
        end = file.seek(0, os.SEEK_END)
        file.seek(max(0, end - 1))
        is_cut = file.read(1) not in {b"", b"\n"}
        file.write("".join(("\n" * is_cut, *(f"{line}\n" for line in lines))).encode())
        file.flush()
        os.fsync(file.fileno())
        # Of the open file, because another process may have replaced it by one without these lines.
        return _signature_of(os.fstat(file.fileno()))


def _renew(path: Path, header: _Header) -> tuple[int, int] | None:
    """Renew the first line of a file. Return the new signature if the file was replaced.

    Times have 13 digits, so the line usually keeps its length, and is overwritten in place. A damaged one is left.
    """
    with path.open("r+b") as file:
        line = file.readline().rstrip(b"\n")
        try:
            before = _HEADER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None
        # Acts that have expired in the database are missing in the file since then, too.
        since = max(before.journal_since, header.journal_since)
        renewed = msgspec.json.encode(msgspec.structs.replace(header, journal_since=since))
        if len(renewed) == len(line):
            file.seek(0)
            file.write(renewed)
            file.flush()
            os.fsync(file.fileno())
            return None
        write_journal(path, renewed + b"\n" + file.read())
    return _signature(path)


def copy_journal(path: Path, target: BackupTarget, since: int = 0) -> None:
    """Copy a journal to a place of backups. Acts since a time that only the copy there has are kept."""
    journal = read_journal(path)
    if journal is None or journal.since is None:
        return
    name = f"{COPY}{journal.database}.jsonl"
    copied = target.read(name)
    before = None if copied is None else parse_journal(copied)
    acts = {} if before is None else {identifier: act for identifier, act in before.acts.items() if act.at >= since}
    acts |= journal.acts
    ordered = sorted(acts.values(), key=lambda act: act.at)
    content = journal_text(journal.database, journal.since, _joint_until(journal, before), ordered)
    if content != copied:
        target.replace(name, content)


def _joint_until(journal: Journal, copy: Journal | None) -> int | None:
    """Return until when a journal and its earlier copy, which another machine may have renewed, are complete together.

    >>> journal, copy = Journal("x", 0, 50, {}), Journal("x", 40, 70, {})
    >>> _joint_until(journal, copy), _joint_until(journal, copy._replace(since=60)), _joint_until(journal, None)
    (70, 50, 50)
    """
    if journal.until is None or copy is None or copy.since is None or copy.until is None or copy.damaged:
        return journal.until
    return max(journal.until, copy.until) if copy.since <= journal.until else journal.until


def _signature(path: Path) -> tuple[int, int] | None:
    """Return what changes when a file is replaced or appended to; None if there is none."""
    with suppress(FileNotFoundError):
        return _signature_of(path.stat())
    return None


def _signature_of(status: os.stat_result) -> tuple[int, int]:
    return status.st_ino, status.st_size
