"""The log of a contest: an SQLite file that only grows. What is in it is not played again.

It holds what is played, who the bots are, and of each finished match the result and what the programs wrote, in
whatever order matches finished. Beside it the folder `LOG.files` holds a copy of each program, as it was when it was
first run.
"""

import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.contests import Contest
from faceup.arena.matches import Result, Transcript
from faceup.arena.schedule import Share, width_of
from faceup.core import Malformed
from faceup.statistics.sequential import Sequential

FORMAT: Final = 1
_OURS: Final = 0x66617570  # "faup", by which tools such as file(1) tell it from other SQLite files

TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, said TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE contests (id INTEGER PRIMARY KEY, contest TEXT NOT NULL);
CREATE TABLE bots (name TEXT PRIMARY KEY, called TEXT NOT NULL, bot TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE results (
    contest INTEGER NOT NULL, number INTEGER NOT NULL, result BLOB NOT NULL, PRIMARY KEY (contest, number)
) WITHOUT ROWID;
CREATE TABLE transcripts (
    contest INTEGER NOT NULL, number INTEGER NOT NULL, packed BLOB NOT NULL, PRIMARY KEY (contest, number)
);
"""
"""Transcripts stand apart, so that reading all results does not pass over them."""

MARKS: Final = f"PRAGMA application_id = {_OURS}; PRAGMA user_version = {FORMAT};"

_PAGE: Final = 1000
_RESULT: Final = msgspec.json.Decoder(Result)


class Full(Malformed):
    """The log cannot be written: the disk is full, or gone. What it held before is whole."""

    kind = "full"


class Played(NamedTuple):
    """A match as it is kept.

    Attributes:
        number: its place in the schedule.
        result: a `Result`, as JSON.
        packed: a `Transcript`, as MessagePack in zlib's format.
    """

    number: int
    result: bytes
    packed: bytes


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much of a schedule is played: see `Log`."""

    share: Share = Share()
    blocks: int | None = None
    test: Sequential | None = None


def pack(result: Result, transcript: Transcript) -> Played:
    """A match as it is kept."""
    packed = zlib.compress(msgspec.msgpack.encode(transcript), 6)
    return Played(result.match.number, msgspec.json.encode(result), packed)


def unpack(played: Played) -> Result:
    """The result of a match as it is kept."""
    return _RESULT.decode(played.result)


class Log:
    """A log that is open: for reading by `read_log`, for writing by `open_log`.

    Attributes:
        path: of the file.
        number: which of its contests is meant, from 1.
        contest: that contest.
    """

    def __init__(self, path: Path, base: sqlite3.Connection, number: int, contest: Contest) -> None:
        self.path = path
        self.number = number
        self.contest = contest
        self._base = base

    @property
    def share(self) -> Share:
        """Which share of the schedule it is the log of."""
        return self._plan.share

    @property
    def blocks(self) -> int | None:
        """How many blocks of the whole schedule the last run was to play; None for as many as a test needs."""
        return self._plan.blocks

    @property
    def test(self) -> Sequential | None:
        """The test that says when a comparison has been played long enough; None if the blocks were counted."""
        return self._plan.test

    @property
    def _plan(self) -> Plan:
        return msgspec.json.decode(said(self._base, "plan"), type=Plan)

    @property
    def bots(self) -> Mapping[str, Bot]:
        """All bots that have ever taken part, by name, each as it is run from the folder of its copy."""
        told = self._base.execute("SELECT bot FROM bots ORDER BY name").fetchall()
        bots = [msgspec.json.decode(bot, type=Bot) for (bot,) in told]
        return {bot.name: bot for bot in bots}

    @property
    def contests(self) -> tuple[Contest, ...]:
        """All that it has been the log of: one for each set of programs."""
        told = self._base.execute("SELECT contest FROM contests ORDER BY id").fetchall()
        return tuple(msgspec.json.decode(each, type=Contest) for (each,) in told)

    def numbers(self) -> list[int]:
        """The matches that are finished, in the order of the schedule."""
        found = self._base.execute("SELECT number FROM results WHERE contest = ? ORDER BY number", (self.number,))
        return [number for (number,) in found]

    def all_results(self, first: int = 0) -> Iterator[Result]:
        """The results of all finished matches from number `first` on, in the order of the schedule."""
        while found := self._base.execute(
            "SELECT number, result FROM results WHERE contest = ? AND number >= ? ORDER BY number LIMIT ?",
            (self.number, first, _PAGE),
        ).fetchall():
            for number, result in found:
                first = number + 1
                yield _RESULT.decode(result)

    def results(self) -> Iterator[Result]:
        """The results up to the first match that is not finished: what statistics may count.

        Those that finished out of turn are left out, because they are more often those that end early.
        """
        width = width_of(self.contest)
        due = (block * width + index for block in self.share.blocks(None) for index in range(width))
        for result, number in zip(self.all_results(), due, strict=False):
            if result.match.number != number:
                return
            yield result

    def result(self, number: int) -> Result:
        """The result of a match. Raises `Malformed` if it has not been played."""
        return _RESULT.decode(self._one("SELECT result FROM results WHERE contest = ? AND number = ?", number))

    def transcript(self, number: int) -> Transcript:
        """What the programs wrote in a match. Raises `Malformed` if it has not been played."""
        packed = self._one("SELECT packed FROM transcripts WHERE contest = ? AND number = ?", number)
        return msgspec.msgpack.decode(zlib.decompress(packed), type=Transcript)

    def _one(self, query: str, number: int) -> bytes:
        found: tuple[bytes] | None = self._base.execute(query, (self.number, number)).fetchone()
        if found is None:
            raise Malformed(f"{self.path} has no match {number}", what=number, where="match")
        return found[0]

    def kept(self, first: int = 0) -> Iterator[Played]:
        """All finished matches from number `first` on as they are kept, in the order of the schedule."""
        while found := self._base.execute(
            "SELECT number, result, packed FROM results JOIN transcripts USING (contest, number) "
            "WHERE contest = ? AND number >= ? ORDER BY number LIMIT ?",
            (self.number, first, _PAGE),
        ).fetchall():
            for number, result, packed in found:
                first = number + 1
                yield Played(number, result, packed)

    def add(self, matches: Iterable[Played]) -> None:
        """Keep matches, all or none of them. Raises `Full` if they cannot be written."""
        with writing(self.path), self._base:
            keep(self._base, self.number, matches)


@contextmanager
def read_log(path: Path, contest: int | None = None) -> Iterator[Log]:
    """Open a log to read it; it may be written meanwhile.

    Args:
        path: of the file.
        contest: which of its contests, from 1; the one that was played last if not given.

    Raises:
        Malformed: there is no such file, it is no log, or it has no such contest.
    """
    if not path.exists():
        raise Malformed(f"there is no log {path}", what=str(path), where="log")
    with closing(look_into(path)) as base:
        if is_empty(base, path):
            raise Malformed(f"{path} has been begun and holds nothing yet", what=str(path), where="log")
        number = current(base) if contest is None else contest
        found = base.execute("SELECT contest FROM contests WHERE id = ?", (number,)).fetchone()
        if found is None:
            raise Malformed(f"{path} has no contest {number}", what=number, where="contest")
        yield Log(path, base, number, msgspec.json.decode(found[0], type=Contest))


def last_contest(path: Path) -> Contest | None:
    """What a log is of; None if there is none yet. Raises `Malformed` if the file is no log."""
    if not path.exists():
        return None
    with closing(look_into(path)) as base:
        if is_empty(base, path):
            return None
    with read_log(path) as log:
        return log.contest


def rename_changed(path: Path, bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """The bots under the names that they have in this log: `mine@2` if another program was called `mine` before.

    Raises:
        Malformed: the file is no log.
    """
    known: dict[str, list[Bot]] = {}
    if path.exists():
        with closing(look_into(path)) as base:
            if not is_empty(base, path):
                for called, bot in base.execute("SELECT called, bot FROM bots"):
                    known.setdefault(called, []).append(msgspec.json.decode(bot, type=Bot))
    renamed = []
    for bot in bots:
        before = known.get(bot.name, [])
        same = next((each.name for each in before if each.digest == bot.digest), None)
        fresh = f"{bot.name}@{len(before) + 1}" if before else bot.name
        renamed.append(msgspec.structs.replace(bot, name=same or fresh))
    return tuple(renamed)


def files_of(path: Path) -> Path:
    """The folder in which a log's programs are kept."""
    return path.with_name(f"{path.name}.files")


def said(base: sqlite3.Connection, name: str) -> str:
    """What the log says about itself."""
    (found,) = base.execute("SELECT said FROM about WHERE name = ?", (name,)).fetchone()
    return str(found)


def current(base: sqlite3.Connection) -> int:
    """The number of the contest that was played last."""
    return int(said(base, "contest"))


def keep(base: sqlite3.Connection, contest: int, matches: Iterable[Played]) -> None:
    """Write matches of a contest."""
    rows = list(matches)
    base.executemany("INSERT INTO results VALUES (?, ?, ?)", [(contest, each.number, each.result) for each in rows])
    base.executemany("INSERT INTO transcripts VALUES (?, ?, ?)", [(contest, each.number, each.packed) for each in rows])


def look_into(path: Path) -> sqlite3.Connection:
    """Open a file for reading, and leave it as it is. Raises `Malformed` if it is neither one of our logs nor empty."""
    if not path.is_file():  # a device may have no end
        raise Malformed(f"{path} is not a file", what=str(path), where="--log")
    unchanging = not os.access(path.parent, os.W_OK) and not path.with_name(f"{path.name}-wal").exists()
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if unchanging else ''}", uri=True)
    try:
        check_ours(base, path)
    except BaseException:
        base.close()
        raise
    return base


def is_empty(base: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing stands in the file yet. Raises `Malformed` if it is no SQLite file."""
    try:
        (tables,) = base.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        raise Malformed(
            f"{path} is not the log of a contest, and is left as it is: {error}", what=str(path), where="--log"
        ) from None
    return not tables


def check_ours(base: sqlite3.Connection, path: Path) -> None:
    """Raise `Malformed` if the file is no log, or one of another format."""
    if is_empty(base, path):
        return
    (ours,) = base.execute("PRAGMA application_id").fetchone()
    (found,) = base.execute("PRAGMA user_version").fetchone()
    if ours != _OURS:
        raise Malformed(f"{path} is a database of another program, and is left as it is", what=str(path), where="--log")
    if found != FORMAT:
        raise Malformed(
            f"{path} is a log of format {found}, and this faceup reads {FORMAT}: it is left as it is",
            what=found,
            where="--log",
        )


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say in words that the log cannot be written; SQLite undoes what was being written."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise Full(
            f"{path} cannot be written: {error}; what it held before is whole, and the same command goes on from there",
            what=str(path),
            where="--log",
        ) from None
