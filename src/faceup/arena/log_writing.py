"""Beginning a log, and going on with it: only with the contest that it is of, and only one run at a time."""

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.contests import Contest
from faceup.arena.log import (
    MARKS,
    TABLES,
    Full,
    Log,
    Plan,
    check_ours,
    current,
    files_of,
    is_empty,
    look_into,
    said,
    writing,
)
from faceup.arena.schedule import Share
from faceup.core import Malformed
from faceup.statistics.sequential import Sequential


@contextmanager
def open_log(
    path: Path,
    contest: Contest,
    bots: Sequence[tuple[str, Bot]],
    *,
    share: Share = Share(),  # noqa: B008 -- a frozen value
    blocks: int | None = None,
    test: Sequential | None = None,
) -> Iterator[Log]:
    """Open the log of this contest, to go on with it or to begin it.

    A contest that differs from the last one in its programs alone is a new one in the same log, and nothing of theirs
    is mixed.

    Args:
        path: of the file.
        contest: what is played.
        bots: who takes part: each under the name that it was given, and as it is called here (`rename_changed`).
        share: which part of the schedule is played.
        blocks: how many blocks of the whole schedule; None for as many as a test needs.
        test: that test.

    Raises:
        Malformed: it is the log of another contest or share (it says what differs), no log at all, of another version,
            or in use. The file is left as it is.
        Full: it cannot be written.
    """
    if not path.parent.is_dir():
        raise Malformed(f"{path} cannot be made: there is no folder {path.parent}", what=str(path), where="--log")
    if path.exists():
        with closing(look_into(path)) as base:
            _check_same(base, path, contest, share)
    with _alone(path), closing(_connect(path)) as base:
        with writing(path):
            number = _begin(base, path, contest, bots, Plan(share, blocks, test))
        try:
            yield Log(path, base, number, contest)
        finally:
            with suppress(sqlite3.OperationalError):  # while somebody reads it; the next who closes it will do it
                base.execute("PRAGMA busy_timeout = 100")
                base.execute("PRAGMA journal_mode = DELETE")


def _connect(path: Path) -> sqlite3.Connection:
    try:
        return sqlite3.connect(path, timeout=10)
    except sqlite3.OperationalError as error:
        raise Full(f"{path} cannot be opened for writing: {error}", what=str(path), where="--log") from None


def _begin(
    base: sqlite3.Connection,
    path: Path,
    contest: Contest,
    bots: Sequence[tuple[str, Bot]],
    plan: Plan,
) -> int:
    """Write down what is played, unless it is there already, and give its number."""
    base.execute("PRAGMA journal_mode = WAL")  # others read while we write
    base.execute("PRAGMA synchronous = NORMAL")  # a kill loses nothing; a power cut may lose the last seconds
    if is_empty(base, path):
        base.executescript(f"BEGIN; {TABLES} {MARKS} COMMIT;")
    check_ours(base, path)
    _check_same(base, path, contest, plan.share)
    with base:
        for called, bot in bots:
            base.execute("INSERT OR IGNORE INTO bots VALUES (?, ?, ?)", (bot.name, called, _json(bot)))
        wanted = _json(contest)
        found = base.execute("SELECT id FROM contests WHERE contest = ?", (wanted,)).fetchone()
        if found is None:
            found = (base.execute("INSERT INTO contests (contest) VALUES (?)", (wanted,)).lastrowid,)
        about = {"contest": str(found[0]), "plan": _json(plan)}
        base.executemany("INSERT OR REPLACE INTO about VALUES (?, ?)", about.items())
    return int(found[0])


def _json(what: object) -> str:
    return msgspec.json.encode(what).decode()


def _check_same(base: sqlite3.Connection, path: Path, contest: Contest, share: Share) -> None:
    """Raise `Malformed` unless the log's last contest is this one, or differs in its programs alone."""
    if is_empty(base, path) or not base.execute("SELECT count(*) FROM contests").fetchone()[0]:
        return
    (told,) = base.execute("SELECT contest FROM contests WHERE id = ?", (current(base),)).fetchone()
    share_there = msgspec.json.decode(said(base, "plan"), type=Plan).share
    here = in_words(contest) | {"share": f"{share.number}/{share.shares}"}
    there = in_words(msgspec.json.decode(told, type=Contest))
    there["share"] = f"{share_there.number}/{share_there.shares}"
    for field, mine in here.items():
        if mine != there[field]:
            raise Malformed(
                f"{path} is the log of another schedule, and is left as it is: {field} is {there[field]} there and "
                f"{mine} here; name another file with --log",
                what=field,
                where="--log",
            )


def in_words(contest: Contest) -> dict[str, str]:
    """What makes two contests one, in words; a program counts by the name that it was given, whatever is in it."""
    names = {bot.name: bot.name if bot.player else bot.name.partition("@")[0] for bot in contest.bots}
    told = {
        "kind": contest.kind,
        "unit": contest.unit,
        "bots": ", ".join(names.values()),
        "field": ", ".join(names[name] for name in contest.field) or "none",
        "seed": str(contest.seed),
        "faceup": contest.faceup,
    }
    return told | {name: str(getattr(contest.terms, name)) for name in contest.terms.__struct_fields__}


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep a second run from writing to the same log. The system unlocks it when this process ends.

    The lock is a file of its own, because closing any handle of an SQLite file would drop SQLite's own locks.
    """
    folder = files_of(path)
    try:
        folder.mkdir(exist_ok=True)
        file = (folder / "lock").open("ab")
    except OSError as error:
        raise Full(f"{folder} cannot be written: {error.strerror}", what=str(path), where="--log") from None
    with file:
        if sys.platform != "win32":
            import fcntl  # noqa: PLC0415 -- which Windows has not

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Malformed(f"{path} is being written by another run", what=str(path), where="--log") from None
        yield
