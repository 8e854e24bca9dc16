"""The log of a contest, which is an SQLite file. Matches in the log are not changed and not played again.

A log contains the contest, the bots, and the result and the transcript of each finished match. Next to the log `LOG`,
the folder `LOG.files` contains a copy of each program as it was when it first played. A log can be resumed only with
the same contest, and only by one run at a time.
"""

import os
import sqlite3
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from faceup.arena.match.result import MatchResult, Transcript
from faceup.arena.match.terms import Bot
from faceup.arena.run.log_damage import checksum, report_damage, verify
from faceup.arena.run.pairings import Contest, ContestBot, describe_contest
from faceup.core import Malformed
from faceup.statistics.sequential import SequentialTest

FORMAT: Final = 1
_APPLICATION_ID: Final = 0x66617570  # "faup", by which file(1) and other tools can recognize a log

TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE contests (id INTEGER PRIMARY KEY, contest TEXT NOT NULL, checksum INTEGER NOT NULL);
CREATE TABLE bots (
    name TEXT PRIMARY KEY, given_name TEXT NOT NULL, bot TEXT NOT NULL, checksum INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE results (
    contest INTEGER NOT NULL, number INTEGER NOT NULL, result BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (contest, number)
) WITHOUT ROWID;
CREATE TABLE transcripts (
    contest INTEGER NOT NULL, number INTEGER NOT NULL, packed BLOB NOT NULL, checksum INTEGER NOT NULL,
    PRIMARY KEY (contest, number)
);
"""
"""The tables of a log. Transcripts have their own table, so that reading all results does not read transcripts.

SQLite does not notice changed bytes in a row, so each row has the `checksum` of its other columns.
"""

MARKS: Final = f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {FORMAT};"

_PAGE: Final = 1000
_MOST_CHECKED: Final = 1 << 24
"""The largest file, in bytes, of which all pages are checked when it is opened."""
_RESULT: Final = msgspec.json.Decoder(MatchResult)


class LogWriteError(Malformed):
    """An error because the log cannot be written, for example because the disk is full.

    The content of the log is intact.
    """

    kind = "full"


class StoredMatch(NamedTuple):
    """A match as stored in a log.

    Attributes:
        number: number of the match in the schedule.
        result: the match's `MatchResult` as JSON.
        packed: the match's `Transcript` as MessagePack, compressed with zlib.
    """

    number: int
    result: bytes
    packed: bytes


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What determines the length of a run. See the attributes `blocks` and `test` of `Log`."""

    blocks: int | None = None
    test: SequentialTest | None = None


def pack(result: MatchResult, transcript: Transcript) -> StoredMatch:
    """Encode a match for storage."""
    packed = zlib.compress(msgspec.msgpack.encode(transcript), 6)
    return StoredMatch(result.match.number, msgspec.json.encode(result), packed)


def unpack(played: StoredMatch) -> MatchResult:
    """Decode the result of a stored match."""
    return _RESULT.decode(played.result)


class Log:
    """An open log. `read_log` opens it for reading, and `open_log` for writing.

    Attributes:
        path: path of the file.
        number: number of the selected contest, from 1.
        contest: the selected contest. In a league, `set_field` changes its bots.
    """

    def __init__(self, path: Path, base: sqlite3.Connection, number: int, contest: Contest) -> None:
        self.path = path
        self.number = number
        self.contest = contest
        self._base = base

    @property
    def blocks(self) -> int | None:
        """Return the number of blocks of the last run; None if a sequential test decides when to stop."""
        return self._plan.blocks

    @property
    def test(self) -> SequentialTest | None:
        """Return the sequential test of the last run; None if its number of blocks was fixed."""
        return self._plan.test

    @property
    def _plan(self) -> Plan:
        with report_damage(self.path):
            return msgspec.json.decode(_read_meta(self._base, "plan"), type=Plan)

    @property
    def bots(self) -> Mapping[str, Bot]:
        """Return the bots of all contests in the log by name."""
        with report_damage(self.path):
            rows = verify(self._base.execute("SELECT name, given_name, bot, checksum FROM bots ORDER BY name"))
            bots = [msgspec.json.decode(bot, type=Bot) for _, _, bot in rows]
            return {bot.name: bot for bot in bots}

    @property
    def contests(self) -> tuple[Contest, ...]:
        """Return all contests in the log, which differ only in their programs."""
        with report_damage(self.path):
            rows = verify(self._base.execute("SELECT id, contest, checksum FROM contests ORDER BY id"))
            return tuple(msgspec.json.decode(contest, type=Contest) for _, contest in rows)

    def numbers(self, first: int = 0) -> list[int]:
        """Return the numbers of the finished matches from number `first` on, in ascending order."""
        query = "SELECT number FROM results WHERE contest = ? AND number >= ? ORDER BY number"
        with report_damage(self.path):
            return [number for (number,) in self._base.execute(query, (self.number, first))]

    def all_results(self, first: int = 0) -> Iterator[MatchResult]:
        """Yield the results of all finished matches from number `first` on, in the order of the schedule."""
        while results := self._page(first):
            yield from results
            first = results[-1].match.number + 1

    def _page(self, first: int) -> list[MatchResult]:
        """Return the next results from number `first` on."""
        query = (
            "SELECT contest, number, result, checksum FROM results WHERE contest = ? AND number >= ? "
            "ORDER BY number LIMIT ?"
        )
        with report_damage(self.path):
            rows = verify(self._base.execute(query, (self.number, first, _PAGE)))
            return [_RESULT.decode(result) for _, _, result in rows]

    def results(self) -> Iterator[MatchResult]:
        """Yield the results of all matches before the first unfinished match. Only these may count in statistics.

        Later matches that have finished already are left out, because short matches are overrepresented among them.
        """
        # Matches finish in any order. A test that used results after a gap would see other blocks when it is resumed.
        for number, result in enumerate(self.all_results()):
            if result.match.number != number:
                return
            yield result

    def result(self, number: int) -> MatchResult:
        """Return the result of a match. Raises `Malformed` if it has not been played."""
        with report_damage(self.path):
            return _RESULT.decode(self._one("SELECT contest, number, result, checksum FROM results", number))

    def transcript(self, number: int) -> Transcript:
        """Return the transcript of a match. Raises `Malformed` if it has not been played."""
        with report_damage(self.path):
            packed = self._one("SELECT contest, number, packed, checksum FROM transcripts", number)
            return msgspec.msgpack.decode(zlib.decompress(packed), type=Transcript)

    def _one(self, query: str, number: int) -> bytes:
        rows = verify(self._base.execute(f"{query} WHERE contest = ? AND number = ?", (self.number, number)))
        if not rows and number in self.numbers():  # a result is never stored without its transcript
            raise ValueError(f"the transcript of match {number} is missing")
        if not rows:
            raise Malformed(f"{self.path} has no match {number}", what=number, where="match")
        return bytes(rows[0][2])

    def set_field(self, bots: Sequence[tuple[str, Bot]]) -> None:
        """Set the bots that play in a league now, and add those that are new.

        Args:
            bots: as for `open_log`.

        Raises:
            LogWriteError: the log cannot be written.
        """
        names = {bot.name for bot in self.contest.bots}
        added = tuple(ContestBot(bot.name, bot.digest, bot.player) for _, bot in bots if bot.name not in names)
        field = tuple(bot.name for _, bot in bots)
        contest = msgspec.structs.replace(self.contest, bots=(*self.contest.bots, *added), field=field)
        row = (encoded := _json(contest)), checksum(self.number, encoded), self.number
        with report_damage(self.path), _wrap_write_errors(self.path), self._base as base:
            _insert_bots(base, bots)
            base.execute("UPDATE contests SET contest = ?, checksum = ? WHERE id = ?", row)
        self.contest = contest

    def add(self, matches: Iterable[StoredMatch]) -> None:
        """Store matches in one transaction. Raises `LogWriteError` if the log cannot be written."""
        number, rows = self.number, list(matches)
        # One transaction: a result without its transcript could never be replayed.
        with report_damage(self.path), _wrap_write_errors(self.path), self._base as base:
            for table, values in (
                ("results", [row.result for row in rows]),
                ("transcripts", [row.packed for row in rows]),
            ):
                columns = [(number, row.number, value) for row, value in zip(rows, values, strict=True)]
                base.executemany(
                    f"INSERT INTO {table} VALUES (?, ?, ?, ?)",  # noqa: S608 -- one of our tables
                    [(*column, checksum(*column)) for column in columns],
                )


@contextmanager
def read_log(path: Path, contest: int | None = None) -> Iterator[Log]:
    """Open a log for reading, while another process may write to it.

    Args:
        path: path of the log.
        contest: number of the contest to select, from 1; None for the contest that was played last.

    Raises:
        Malformed: the file is missing or is not a log, or the log has no such contest.
    """
    with _open_readonly(path) as base:
        if base is None:
            raise _error(f"{path} is empty" if path.exists() else f"there is no log {path}", path)
        with report_damage(path):
            number = _current_contest(base) if contest is None else contest
            loaded = _load_contest(base, number)
        if loaded is None:
            raise Malformed(f"{path} has no contest {number}", what=number, where="contest")
        yield Log(path, base, number, loaded)


def last_contest(path: Path) -> Contest | None:
    """Return the contest of a log that was played last; None if the log does not exist yet.

    Raises:
        Malformed: the file is not a log.
    """
    with _open_readonly(path) as base, report_damage(path):
        return None if base is None else _load_contest(base, _current_contest(base))


def rename_changed_bots(path: Path, bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """Return the bots with their names in this log, such as `mine@2` if another program was named `mine` before.

    Raises:
        Malformed: the file is not a log.
    """
    bots_by_name: dict[str, list[Bot]] = {}
    with _open_readonly(path) as base, report_damage(path):
        query = "SELECT name, given_name, bot, checksum FROM bots"
        for _, given_name, bot in verify(base.execute(query)) if base else ():
            bots_by_name.setdefault(given_name, []).append(msgspec.json.decode(bot, type=Bot))
    renamed = []
    for bot in bots:
        before = bots_by_name.get(bot.name, [])
        same = next((bot_before.name for bot_before in before if bot_before.digest == bot.digest), None)
        fresh = f"{bot.name}@{len(before) + 1}" if before else bot.name
        renamed.append(msgspec.structs.replace(bot, name=same or fresh))
    return tuple(renamed)


def programs_folder(path: Path) -> Path:
    """Return the folder that contains the copies of a log's programs."""
    return path.with_name(f"{path.name}.files")


def _error(message: str, path: Path) -> Malformed:
    return Malformed(message, what=str(path), where="--log")


def _read_meta(base: sqlite3.Connection, name: str) -> str:
    """Return a value of the log's metadata."""
    rows = verify(base.execute("SELECT name, value, checksum FROM about WHERE name = ?", (name,)))
    if not rows:
        raise ValueError(f"{name} is missing")
    return str(rows[0][1])


def _current_contest(base: sqlite3.Connection) -> int:
    """Return the number of the contest that was played last."""
    return int(_read_meta(base, "contest"))


def _load_contest(base: sqlite3.Connection, number: int) -> Contest | None:
    rows = verify(base.execute("SELECT id, contest, checksum FROM contests WHERE id = ?", (number,)))
    return msgspec.json.decode(rows[0][1], type=Contest) if rows else None


@contextmanager
def _open_readonly(path: Path) -> Iterator[sqlite3.Connection | None]:
    """Open a log read-only, and yield its database; None if the file does not exist or is empty.

    Raises:
        Malformed: the file is not a log.
    """
    if not path.exists():
        yield None
        return
    if not path.is_file():  # reading a device, for example, might never end
        raise _error(f"{path} is not a file", path)
    # SQLite must create files next to a WAL database even to read it, unless its URI says `immutable`.
    unchanging = not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if unchanging else ''}"
    with closing(sqlite3.connect(uri, uri=True)) as base:
        yield base if _check_format(base, path) else None


def _check_format(base: sqlite3.Connection, path: Path) -> bool:
    """Return whether the file has tables. Raises `Malformed` if it is not a log, or is a log of another format."""
    try:
        (tables,) = base.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # SQLite quotes damaged bytes in its messages
        with path.open("rb") as file:
            header = file.read(72)
        if header.endswith(_APPLICATION_ID.to_bytes(4)):
            with report_damage(path):
                raise
        raise _error(f"{path} is not the log of a contest and was not changed: {error}", path) from None
    if not tables:
        return False
    (ours,) = base.execute("PRAGMA application_id").fetchone()
    (stored_format,) = base.execute("PRAGMA user_version").fetchone()
    if ours != _APPLICATION_ID:
        raise _error(f"{path} is a database of another program and was not changed", path)
    if stored_format != FORMAT:
        raise Malformed(
            f"{path} has log format {stored_format}, but this version of faceup reads format {FORMAT}; "
            "it was not changed",
            what=stored_format,
            where="--log",
        )
    if path.stat().st_size <= _MOST_CHECKED:
        with report_damage(path):
            (answer,) = base.execute("PRAGMA quick_check(1)").fetchone()
            if answer != "ok":
                raise ValueError(" ".join(answer.split()))
    return True


@contextmanager
def _wrap_write_errors(path: Path) -> Iterator[None]:
    """Convert SQLite's write errors in the `with` block to `LogWriteError`. SQLite rolls the transaction back."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise LogWriteError(
            f"{path} cannot be written: {error}; its content is intact, and the same command resumes from it",
            what=str(path),
            where="--log",
        ) from None


@contextmanager
def open_log(
    path: Path,
    contest: Contest,
    bots: Sequence[tuple[str, Bot]],
    *,
    blocks: int | None = None,
    test: SequentialTest | None = None,
) -> Iterator[Log]:
    """Open the log of this contest to resume the contest, or create the log.

    If this contest differs from the last one in the log only in its programs, it is added to the log as a new contest.
    The results of the two contests are kept apart.

    Args:
        path: path of the log.
        contest: the contest.
        bots: for each bot, the name that the user gave it, and the bot with its name in the log, as
            `rename_changed_bots` returns it.
        blocks: the number of blocks to play; None if `test` ends the run.
        test: the sequential test that ends the run, if `blocks` is None.

    Raises:
        Malformed: the file is the log of another contest, is not a log, is a log of another format, or is in use. The
            file is not changed, and the message explains how the contests differ.
        LogWriteError: the file cannot be written.
    """
    if not path.parent.is_dir():
        raise _error(f"cannot create {path}: there is no folder {path.parent}", path)
    with _open_readonly(path) as base:
        if base is not None:
            with report_damage(path):
                _check_same(base, path, contest)
    with _lock(path), closing(_connect(path)) as base:
        with report_damage(path), _wrap_write_errors(path):
            number = _insert_contest(base, path, contest, bots, Plan(blocks, test))
        try:
            yield Log(path, base, number, contest)
        finally:
            # The log may be damaged, or another process may read it; then a later close changes the mode.
            with suppress(sqlite3.DatabaseError):
                base.execute("PRAGMA busy_timeout = 100")
                base.execute("PRAGMA journal_mode = DELETE")


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=10)
    except sqlite3.OperationalError as error:
        raise LogWriteError(f"{path} cannot be opened for writing: {error}", what=str(path), where="--log") from None


def _insert_contest(
    base: sqlite3.Connection,
    path: Path,
    contest: Contest,
    bots: Sequence[tuple[str, Bot]],
    plan: Plan,
) -> int:
    """Insert the contest if it is new, and return its number."""
    base.execute("PRAGMA journal_mode = WAL")  # allows reading during writes
    base.execute("PRAGMA synchronous = NORMAL")  # killing this process loses nothing; a power cut may lose some seconds
    if not _check_format(base, path):
        base.executescript(f"BEGIN; {TABLES} {MARKS} COMMIT;")
    _check_same(base, path, contest)
    with base:
        _insert_bots(base, bots)
        encoded = _json(contest)
        row = base.execute("SELECT id FROM contests WHERE contest = ?", (encoded,)).fetchone()
        if row is None:
            (last,) = base.execute("SELECT coalesce(max(id), 0) FROM contests").fetchone()
            row = (last + 1,)
            base.execute("INSERT INTO contests VALUES (?, ?, ?)", (*row, encoded, checksum(*row, encoded)))
        about = {"contest": str(row[0]), "plan": _json(plan)}
        base.executemany(
            "INSERT OR REPLACE INTO about VALUES (?, ?, ?)", [(*item, checksum(*item)) for item in about.items()]
        )
    return int(row[0])


def _insert_bots(base: sqlite3.Connection, bots: Sequence[tuple[str, Bot]]) -> None:
    """Insert the bots that are not in the log yet."""
    for given_name, bot in bots:
        columns = (bot.name, given_name, _json(bot))
        base.execute("INSERT OR IGNORE INTO bots VALUES (?, ?, ?, ?)", (*columns, checksum(*columns)))


def _json(what: object) -> str:
    return msgspec.json.encode(what).decode()


def _check_same(base: sqlite3.Connection, path: Path, contest: Contest) -> None:
    """Raise `Malformed` if this contest differs from the log's last contest in more than its programs."""
    if not base.execute("SELECT count(*) FROM contests").fetchone()[0]:
        return
    stored = _load_contest(base, _current_contest(base))
    there = describe_contest(stored) if stored else {}
    for field, value in describe_contest(contest).items():
        if value != there[field]:
            raise Malformed(
                f"{path} is the log of another schedule and was not changed: {field} is {there[field]} in the log, but "
                f"{value} in this run; name another file with --log",
                what=field,
                where="--log",
            )


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    """Lock the log against a second writer. The system also releases the lock if this process is killed.

    The lock is on a separate file, because closing any handle of an SQLite file drops SQLite's own locks on it.
    """
    folder = programs_folder(path)
    try:
        folder.mkdir(exist_ok=True)
        file = (folder / "lock").open("ab")
    except OSError as error:
        raise LogWriteError(f"{folder} cannot be written: {error.strerror}", what=str(path), where="--log") from None
    with file:
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 -- not on Windows

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise _error(f"{path} is being written by another run", path) from None
        yield
