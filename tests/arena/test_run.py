"""A schedule is played into its log whatever stops it, and its results do not depend on who was quicker."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep

import msgspec
import pytest
from tests.arena.test_log import bots_of
from tests.arena.unplayed import FIVE, comparison, played

from faceup.arena import Bot, Match, Result, Terms
from faceup.arena.contests import Contest, Named, contest
from faceup.arena.identity import built_in
from faceup.arena.log import Log, Played, read_log, unpack
from faceup.arena.log_writing import open_log
from faceup.arena.run import play
from faceup.arena.schedule import Share, width_of
from faceup.arena.workers import Table, Workers
from faceup.core import Malformed

pytestmark = pytest.mark.slow  # real programs, again and again


class MadeUp:
    """An engine that finishes matches in any order."""

    def __init__(self, room: int, tempo: int) -> None:
        self.room = room
        self.asked: list[int] = []
        self._rng = Random(tempo)  # noqa: S311 -- no game is drawn from it
        self._left: list[Match] = []

    def submit(self, matches: Sequence[Match]) -> None:
        self.asked += [match.number for match in matches]
        self._left += matches

    def wait(self) -> list[Played]:
        self._rng.shuffle(self._left)
        count = self._rng.randint(1, len(self._left))
        found, self._left = self._left[:count], self._left[count:]
        return [played(match) for match in found]


def run(path: Path, wanted: Contest, engine: MadeUp, blocks: int, *, most: int | None = None) -> list[Result]:
    found: list[Result] = []
    with open_log(path, wanted, bots_of(wanted), blocks=blocks) as log:
        for result in play(log, engine, blocks):
            found.append(result)
            if len(found) == most:
                break
    return found


@pytest.mark.parametrize("kind", ["round-robin", "ladder"])
def test_results_come_in_the_order_of_the_schedule_whoever_is_quicker(tmp_path: Path, kind: str) -> None:
    wanted = contest(kind, Terms(), FIVE, seed=7)  # type: ignore[arg-type]  # a parametrised word
    blocks = 100
    found = [run(tmp_path / f"{room}.sqlite", wanted, MadeUp(room, tempo=room), blocks) for room in (1, 16, 1000)]
    assert found[0] == found[1] == found[2]
    assert [each.match.number for each in found[0]] == list(range(blocks * width_of(wanted)))


@pytest.mark.parametrize("kind", ["round-robin", "ladder"])
def test_what_is_in_the_log_is_not_played_again(tmp_path: Path, kind: str) -> None:
    wanted = contest(kind, Terms(), FIVE, seed=7)  # type: ignore[arg-type]  # a parametrised word
    path = tmp_path / "log.sqlite"
    whole = run(tmp_path / "other.sqlite", wanted, MadeUp(8, 1), 90)
    asked: list[int] = []
    for most in (100, 333, None):
        engine = MadeUp(16, 2)
        before = set()
        if path.exists():
            with read_log(path) as log:
                before = set(log.numbers())
        found = run(path, wanted, engine, 90, most=most)
        assert found == whole[: most or len(whole)]
        assert not before & set(engine.asked)
        asked += engine.asked
    assert set(asked) == {each.match.number for each in whole}
    with read_log(path) as log:
        assert list(log.results()) == whole


def test_a_longer_run_begins_with_the_shorter_one(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    short = run(path, comparison(), MadeUp(8, 1), 3)
    engine = MadeUp(8, 1)
    assert run(path, comparison(), engine, 5)[: len(short)] == short
    assert min(engine.asked) == 3 * 14


def test_a_share_plays_its_blocks_alone(tmp_path: Path) -> None:
    engine = MadeUp(8, 1)
    with open_log(tmp_path / "log.sqlite", comparison(), bots_of(comparison()), share=Share(2, 3)) as log:
        assert {each.match.block for each in play(log, engine, 6)} == {1, 4}
        with pytest.raises(Malformed, match="blocks is 1 or more, not 0"):
            play(log, engine, 0)
    ladder = contest("ladder", Terms(), FIVE, seed=7)
    with (
        open_log(tmp_path / "ladder.sqlite", ladder, bots_of(ladder), share=Share(1, 2)) as log,
        pytest.raises(Malformed, match="a ladder cannot be played in shares"),
    ):
        play(log, engine, 6)


OURS = tuple(built_in(name).bot for name in ("greedy", "lowest", "random"))


def ours(seed: int = 7, game: str = "nimmt seats=3 hand=4") -> Contest:
    bots = [Named(bot.name, bot.digest, bot.player) for bot in OURS]
    return contest("round-robin", Terms(game, "json"), bots, seed=seed)


def play_for_real(log: Log, jobs: int, blocks: int) -> list[Result]:
    table = Table(log.contest.terms, {bot.name: bot for bot in OURS}, log.contest.seed)
    with Workers(table, jobs) as workers:
        return list(play(log, workers, blocks))


def without_times(results: Sequence[Result]) -> list[Result]:
    return [msgspec.structs.replace(each, times=()) for each in results]


@pytest.mark.slow
def test_any_number_of_workers_plays_the_same(tmp_path: Path) -> None:
    found = []
    for jobs in (1, 3):
        with open_log(tmp_path / f"{jobs}.sqlite", ours(), [(bot.name, bot) for bot in OURS]) as log:
            found.append(without_times(play_for_real(log, jobs, 6)))
    assert found[0] == found[1]
    assert len(found[0]) == 6 * 3


@pytest.mark.parametrize("jobs", [0, 1025])
def test_no_workers_or_too_many_are_refused(jobs: int) -> None:
    with pytest.raises(Malformed, match=f"jobs is 1 to 1024, not {jobs}"):
        Workers(Table(Terms(), {}, 1), jobs)


@pytest.mark.slow
def test_a_worker_that_is_killed_is_replaced_and_its_matches_are_played(tmp_path: Path) -> None:
    blocks = 40
    with open_log(tmp_path / "log.sqlite", ours(), [(bot.name, bot) for bot in OURS]) as log:
        table = Table(log.contest.terms, {bot.name: bot for bot in OURS}, log.contest.seed)
        found = []
        with Workers(table, 2) as workers:
            for result in play(log, workers, blocks):
                found.append(result)
                if len(found) in {5, 50}:
                    os.kill(next(iter(workers._workers.values())).process.pid or 0, signal.SIGKILL)
        assert [each.match.number for each in found] == list(range(blocks * 3)) == log.numbers()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system keeps no process on a core")
def test_a_worker_that_is_pinned_keeps_to_its_core() -> None:
    core = min(os.sched_getaffinity(0))
    table = Table(Terms("nimmt:arena deals=1"), {bot.name: bot for bot in OURS}, 7)
    with Workers(table, 1, [core]) as workers:
        workers.submit([Match(0, 0, ("greedy", "lowest", "random", "random"), 0)])
        workers.wait()
        assert os.sched_getaffinity(next(iter(workers._workers.values())).process.pid or 0) == {core}


STUBBORN = """
import os, signal, sys, time
if not os.path.exists("mark"):
    with open("mark.new", "w") as mark:
        mark.write(str(os.getpid()))
    os.rename("mark.new", "mark")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)
for line in sys.stdin:
    if line.startswith(("CHOOSE_CARD", "CHOOSE_LINE")):
        lines = [sys.stdin.readline() for _ in range(12)]
        print("PLAY " + lines[-1].split()[0] if line.startswith("CHOOSE_CARD") else "PICK 0", flush=True)
"""


def kill_when_there_is(mark: Path, workers: Workers) -> None:
    """Kill the worker when the bot runs."""
    while not mark.exists():
        sleep(0.02)
    os.kill(next(iter(workers._workers.values())).process.pid or 0, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody takes in what a killed process leaves")
def test_a_worker_that_is_killed_leaves_no_bot_behind(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(STUBBORN)
    bot = Bot("mine", (sys.executable, "-S", "-E", "bot.py"), folder=str(tmp_path))
    table = Table(Terms("nimmt:arena deals=1", first=60.0, turn=60.0), {"mine": bot, "greedy": OURS[0]}, 7)
    mark = tmp_path / "mark"
    with Workers(table, 1) as workers:
        killing = Thread(target=kill_when_there_is, args=(mark, workers))
        killing.start()
        workers.submit([Match(0, 0, ("mine", "greedy", "greedy", "greedy"), 0)])
        (found,) = workers.wait()
        killing.join()
        assert unpack(found).faults == ()
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
