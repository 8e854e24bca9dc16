"""Log: survives kills and full disks, and refuses other contests."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.arena.synthetic_log import FIVE, TWO, comparison, matches, played, result

from faceup.arena import Bot, Match
from faceup.arena.match.terms import MatchTerms
from faceup.arena.run.log import (
    Log,
    LogWriteError,
    last_contest,
    open_log,
    programs_folder,
    read_log,
    rename_changed_bots,
)
from faceup.arena.run.pairings import Contest, ContestBot, contest
from faceup.core import Malformed

ROOT = Path(__file__).parents[3]


def bots_of(contest: Contest) -> list[tuple[str, Bot]]:
    return [(bot.name.partition("@")[0], Bot(bot.name, ("./bot",), digest=bot.digest)) for bot in contest.bots]


def write(path: Path, contest: Contest, count: int, **settings: Any) -> None:
    with open_log(path, contest, bots_of(contest), **settings) as log:
        log.add(played(match) for match in matches(contest, count))


def test_log_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    write(path, comparison(), 2, blocks=2)
    with read_log(path) as log:
        assert log.contest == comparison()
        assert list(log.results()) == list(log.all_results()) == [result(match) for match in matches(comparison(), 2)]
        assert log.result(3).match.number == 3
        assert log.transcript(3).answers[0] == (b"PLAY 4",)
        assert (log.blocks, list(log.bots)) == (2, ["new", "old"])
        with pytest.raises(Malformed, match="has no match 99"):
            log.transcript(99)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["log.sqlite", "log.sqlite.files"]


def test_results_stop_at_first_unfinished_match(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    order = list(matches(comparison(), 2))
    with open_log(path, comparison(), bots_of(comparison())) as log:
        for number in (5, 1, 0, 2, 20):
            log.add([played(order[number])])
        assert [result.match.number for result in log.results()] == [0, 1, 2]
        assert [result.match.number for result in log.all_results()] == log.numbers() == [0, 1, 2, 5, 20]


def test_results_span_several_pages(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    write(path, comparison(), 160)
    with read_log(path) as log:
        assert sum(1 for _ in log.results()) == 160 * 14


def test_log_can_be_read_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    order = list(matches(comparison(), 1))
    with open_log(path, comparison(), bots_of(comparison())) as log:
        log.add(map(played, order[:2]))
        with read_log(path) as reader:
            assert len(list(reader.results())) == 2
            log.add(map(played, order[2:]))
            assert len(list(reader.results())) == 14


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (comparison(8), "seed is 7 in the log, but 8 in this run"),
        (comparison(unit="deal"), "unit is match in the log, but deal in this run"),
        (
            comparison(game="nimmt seats=3"),
            "game is nimmt:arena .*in the log, but nimmt:cowheadking seats=3 in this run",
        ),
        (contest("round-robin", MatchTerms(), TWO, seed=7), "kind is compare in the log, but round-robin in this run"),
        (
            contest("compare", MatchTerms(), (*TWO, FIVE[0]), seed=7, field=["a"]),
            "bots is new, old in the log, but new, old, a",
        ),
        (contest("compare", MatchTerms(turn=0.5), TWO, seed=7), "turn is 0.1 in the log, but 0.5 in this run"),
        (msgspec.structs.replace(comparison(), faceup="9.0"), "faceup is .* in the log, but 9.0 in this run"),
    ],
)
def test_log_of_another_schedule_is_refused_with_the_difference(tmp_path: Path, other: Contest, message: str) -> None:
    path = tmp_path / "log.sqlite"
    write(path, comparison(), 1)
    before = path.read_bytes()
    with pytest.raises(Malformed, match=f"another schedule and was not changed: {message}"):
        write(path, other, 1)
    assert path.read_bytes() == before


def test_changed_program_starts_new_contest_in_same_log(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    write(path, comparison(), 2)
    changed = [Bot("new", ("./bot",), digest="3" * 64), Bot("old", ("./bot",), digest=TWO[1].digest)]
    renamed = rename_changed_bots(path, changed)
    assert [bot.name for bot in renamed] == ["new@2", "old"]
    again = comparison(bots=tuple(ContestBot(bot.name, bot.digest) for bot in renamed))
    write(path, again, 1)
    with read_log(path) as log:
        assert log.contest == again
        assert log.contests == (comparison(), again)
        assert len(list(log.results())) == 14
        assert {result.match.lineup[0] for result in log.results()} == {"new@2"}
    with read_log(path, 1) as log:
        assert len(list(log.results())) == 28
    assert [bot.name for bot in rename_changed_bots(path, [Bot("new", digest=TWO[0].digest), *changed])] == [
        "new",
        "new@2",
        "old",
    ]
    with open_log(path, comparison(), bots_of(comparison())) as log:  # the first program is back
        assert len(list(log.results())) == 28
    assert last_contest(path) == comparison()


def test_two_runs_do_not_write_to_one_log(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    with (
        open_log(path, comparison(), bots_of(comparison())),
        pytest.raises(Malformed, match="is being written by another run"),
        open_log(path, comparison(), bots_of(comparison())),
    ):
        pass


def foreign_text(path: Path) -> None:
    path.write_text("Dear Ann,\n" * 200)


def foreign_base(path: Path) -> None:
    with closing(sqlite3.connect(path)) as base:
        base.execute("CREATE TABLE addresses (name)")
        base.commit()


def later_format(path: Path) -> None:
    write(path, comparison(), 1)
    with closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA user_version = 2")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (foreign_text, "is not the log of a contest and was not changed"),
        (foreign_base, "is a database of another program and was not changed"),
        (later_format, "has log format 2, but this version of faceup reads format 1; it was not changed"),
        (Path.mkdir, "is not a file"),
    ],
)
def test_foreign_file_is_refused_unchanged(tmp_path: Path, make: Any, message: str) -> None:
    path = tmp_path / "log.sqlite"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    for attempt in (
        lambda: write(path, comparison(), 1),
        lambda: read_log(path).__enter__(),
        lambda: last_contest(path),
        lambda: rename_changed_bots(path, []),
    ):
        with pytest.raises(Malformed, match=message):
            attempt()
    assert (path.read_bytes() if path.is_file() else b"") == before


def test_missing_log_has_no_contest(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    assert last_contest(path) is None
    with pytest.raises(Malformed, match="there is no log"), read_log(path):
        pass
    path.touch()
    assert last_contest(path) is None
    with pytest.raises(Malformed, match="is empty"), read_log(path):
        pass
    with pytest.raises(Malformed, match="there is no folder"):
        write(tmp_path / "none" / "log.sqlite", comparison(), 1)


def full_of_pages(log: Log) -> None:
    """Limit the database to its current number of pages."""
    (pages,) = log._base.execute("PRAGMA page_count").fetchone()
    log._base.execute(f"PRAGMA max_page_count = {pages + 4}")


def add_by_tens(log: Log, order: list[Match]) -> None:
    for first in range(0, len(order), 10):
        log.add(map(played, order[first : first + 10]))


def test_full_disk_is_reported_and_log_can_be_resumed(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    order = list(matches(comparison(), 100))
    with open_log(path, comparison(), bots_of(comparison())) as log:
        full_of_pages(log)
        with pytest.raises(LogWriteError, match="full; its content is intact, and the same command resumes"):
            add_by_tens(log, order)
        kept = len(log.numbers())
    assert 0 < kept < len(order)
    with open_log(path, comparison(), bots_of(comparison())) as log:
        assert log.numbers() == list(range(kept))
        log.add(map(played, order[kept:]))
        assert list(log.results()) == [result(match) for match in order]


LIMITED = """
import resource, sys
from pathlib import Path
from faceup.arena.run.log import LogWriteError
from faceup.arena.run.log import open_log
from tests.arena.synthetic_log import comparison, matches, played
from tests.arena.run.test_log import bots_of
with open_log(Path(sys.argv[1]), comparison(), bots_of(comparison())) as log:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        for match in matches(comparison(), 1000):
            log.add([played(match)])
            print(match.number, flush=True)
    except LogWriteError as error:
        print(error, file=sys.stderr)
"""


def test_file_size_limit_is_reported_and_log_stays_intact(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert "its content is intact" in done.stderr
    with open_log(path, comparison(), bots_of(comparison())) as log:
        assert log.numbers() == [int(number) for number in done.stdout.split()]


KILLED = """
import sys
from pathlib import Path
from faceup.arena.run.log import open_log
from tests.arena.synthetic_log import comparison, matches, played
from tests.arena.run.test_log import bots_of
with open_log(Path(sys.argv[1]), comparison(), bots_of(comparison())) as log:
    first = len(log.numbers())
    for match in list(matches(comparison(), 5000))[first:]:
        log.add([played(match)])
        print(match.number, flush=True)
"""


@pytest.mark.slow
def test_kill_loses_no_written_match(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    printed: list[int] = []
    for more in (40, 300, 3):
        with subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            printed += [int(process.stdout.readline()) for _ in range(more)]
            os.kill(process.pid, signal.SIGKILL)
            printed += [int(line) for line in process.stdout if line.endswith("\n")]
        with read_log(path) as log:
            numbers = log.numbers()
            assert numbers[: len(printed)] == printed
            assert len(numbers) <= len(printed) + 1  # one may be written and not yet printed
            assert [result.match.number for result in log.results()] == numbers
            assert all(log.transcript(number).answers for number in numbers)
            printed = numbers


def test_program_copies_are_in_the_folder_of_the_log() -> None:
    assert programs_folder(Path("a/log.sqlite")) == Path("a/log.sqlite.files")
