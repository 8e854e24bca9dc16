"""Joining the logs of a schedule's shares into the log of the whole."""

import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from heapq import merge as in_order
from operator import attrgetter
from pathlib import Path

import msgspec

from faceup.arena.contests import Contest
from faceup.arena.log import MARKS, TABLES, Log, Plan, Played, files_of, keep, read_log, writing
from faceup.arena.log_writing import in_words
from faceup.arena.schedule import Share, width_of
from faceup.core import Malformed


def merge(out: Path, logs: Sequence[Path]) -> Contest:
    """Write one log with all matches of these, in the order of the schedule, and the programs beside it.

    What is written follows from what the logs hold alone: neither their order nor how matches are spread over them
    changes a byte.

    Args:
        out: the file to write; there must be none.
        logs: all shares of one schedule, or one log of the whole.

    Raises:
        Malformed: there is such a file; logs of different schedules, one share twice, one missing, or one that is not
            complete.
        Full: it cannot be written.
    """
    if not logs:
        raise Malformed("there are no logs to merge", where="logs")
    if out.exists() or files_of(out).exists():
        raise Malformed(f"{out} is there already, and is left as it is", what=str(out), where="out")
    with ExitStack() as stack:
        opened = [stack.enter_context(read_log(path)) for path in logs]
        _check(opened)
        beside = out.with_name(f".{out.name}.{os.getpid()}")
        try:
            with writing(out):
                _write(beside, opened)
            for log in opened:
                _copy_programs(log, files_of(out))
            beside.replace(out)
        except OSError as error:
            raise Malformed(f"{out} cannot be written: {error.strerror}", what=str(out), where="out") from None
        finally:
            beside.unlink(missing_ok=True)
        return opened[0].contest


def _write(path: Path, logs: Sequence[Log]) -> None:
    first = logs[0]
    bots = first.bots
    with closing(sqlite3.connect(path)) as base:
        base.executescript(f"BEGIN; {TABLES} {MARKS} COMMIT;")
        with base:
            about = {"contest": "1", "plan": _json(Plan(Share(), first.blocks, first.test))}
            base.executemany("INSERT INTO about VALUES (?, ?)", about.items())
            base.execute("INSERT INTO contests VALUES (1, ?)", (_json(first.contest),))
            rows = [
                (each.name, _called(each.name, bool(each.player)), _json(bots[each.name]))
                for each in first.contest.bots
            ]
            base.executemany("INSERT INTO bots VALUES (?, ?, ?)", sorted(rows))
            for played in _matches(logs):
                keep(base, 1, [played])


def _called(name: str, is_player: bool) -> str:
    return name if is_player else name.partition("@")[0]


def _matches(logs: Sequence[Log]) -> Iterator[Played]:
    blocks = logs[0].blocks
    end = None if blocks is None else blocks * width_of(logs[0].contest)
    for played in in_order(*(log.kept() for log in logs), key=attrgetter("number")):
        if end is None or played.number < end:
            yield played


def _check(logs: Sequence[Log]) -> None:
    """Raise `Malformed` unless they are all the shares of one schedule, each complete."""
    first = logs[0]
    numbers: dict[int, Path] = {}
    for log in logs:
        _check_alike(first, log)
        share = log.share
        if share.number in numbers:
            raise Malformed(
                f"{numbers[share.number]} and {log.path} are both share {share.number}/{share.shares}",
                where=str(log.path),
            )
        numbers[share.number] = log.path
        _check_complete(log)
    shares = first.share.shares
    if missing := [number for number in range(1, shares + 1) if number not in numbers]:
        listed = ", ".join(f"{number}/{shares}" for number in missing[:10])
        more = f" and {len(missing) - 10} more" if len(missing) > 10 else ""
        raise Malformed(f"not all shares are here: {listed}{more} missing", what=missing, where="logs")


def _check_alike(first: Log, log: Log) -> None:
    here, there = (
        in_words(each.contest) | {"shares": str(each.share.shares), "blocks": str(each.blocks)} for each in (first, log)
    )
    for field, mine in here.items():
        if mine != there[field]:
            raise Malformed(
                f"{first.path} and {log.path} are of different schedules: {field} is {mine} and {there[field]}",
                where=str(log.path),
            )
    for mine_bot, other in zip(first.contest.bots, log.contest.bots, strict=True):
        if mine_bot != other:
            raise Malformed(
                f"{mine_bot.name} in {first.path} and {other.name} in {log.path} are different programs",
                where=str(log.path),
            )


def _check_complete(log: Log) -> None:
    if log.blocks is None:
        return
    width = width_of(log.contest)
    due = sum(width for _ in log.share.blocks(log.blocks))
    end = log.blocks * width
    done = sum(number < end for number in log.numbers())
    if done < due:
        raise Malformed(
            f"{log.path} holds {done:,} of {due:,} matches: run its command again, and it goes on where it stopped",
            where=str(log.path),
        )


def _copy_programs(log: Log, to: Path) -> None:
    for bot in log.contest.bots:
        folder = files_of(log.path) / bot.digest[:16]
        if not bot.player and folder.is_dir() and not (to / bot.digest[:16]).exists():
            shutil.copytree(folder, to / bot.digest[:16])


def _json(what: object) -> str:
    return msgspec.json.encode(what).decode()
