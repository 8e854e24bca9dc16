"""Engine: resumes after a stop, with results independent of timing."""

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
from tests.arena.run.test_log import bots_of
from tests.arena.synthetic_log import FIVE, comparison, played

from faceup.arena import Bot, Match, MatchResult, MatchTerms
from faceup.arena.run.engine import play
from faceup.arena.run.identity import built_in
from faceup.arena.run.log import Log, StoredMatch, open_log, read_log, unpack
from faceup.arena.run.pairings import Contest, ContestBot, contest
from faceup.arena.run.schedule import matches_per_block
from faceup.arena.run.workers import WorkerConfig, WorkerEngine
from faceup.core import Malformed

pytestmark = pytest.mark.slow  # real programs, again and again


class FakeEngine:
    """An engine that finishes matches in random order."""

    def __init__(self, room: int, order_seed: int) -> None:
        self.room = room
        self.asked: list[int] = []
        self._rng = Random(order_seed)  # noqa: S311 -- no game is drawn from it
        self._left: list[Match] = []

    def submit(self, matches: Sequence[Match]) -> None:
        self.asked += [match.number for match in matches]
        self._left += matches

    def wait(self) -> list[StoredMatch]:
        self._rng.shuffle(self._left)
        count = self._rng.randint(1, len(self._left))
        results, self._left = self._left[:count], self._left[count:]
        return [played(match) for match in results]


def run(
    path: Path, schedule: Contest, engine: FakeEngine, blocks: int, *, most: int | None = None
) -> list[MatchResult]:
    results: list[MatchResult] = []
    with open_log(path, schedule, bots_of(schedule), blocks=blocks) as log:
        for result in play(log, engine, blocks):
            results.append(result)
            if len(results) == most:
                break
    return results


@pytest.mark.parametrize("kind", ["round-robin", "ladder"])
def test_results_are_in_schedule_order(tmp_path: Path, kind: str) -> None:
    schedule = contest(kind, MatchTerms(), FIVE, seed=7)  # type: ignore[arg-type]  # a parametrised word
    blocks = 100
    runs = [run(tmp_path / f"{room}.sqlite", schedule, FakeEngine(room, room), blocks) for room in (1, 16, 1000)]
    assert runs[0] == runs[1] == runs[2]
    assert [result.match.number for result in runs[0]] == list(range(blocks * matches_per_block(schedule)))


@pytest.mark.parametrize("kind", ["round-robin", "ladder"])
def test_matches_in_log_are_not_played_again(tmp_path: Path, kind: str) -> None:
    schedule = contest(kind, MatchTerms(), FIVE, seed=7)  # type: ignore[arg-type]  # a parametrised word
    path = tmp_path / "log.sqlite"
    whole = run(tmp_path / "other.sqlite", schedule, FakeEngine(8, 1), 90)
    asked: list[int] = []
    for most in (100, 333, None):
        engine = FakeEngine(16, 2)
        before = set()
        if path.exists():
            with read_log(path) as log:
                before = set(log.numbers())
        results = run(path, schedule, engine, 90, most=most)
        assert results == whole[: most or len(whole)]
        assert not before & set(engine.asked)
        asked += engine.asked
    assert set(asked) == {result.match.number for result in whole}
    with read_log(path) as log:
        assert list(log.results()) == whole


def test_longer_run_repeats_results_of_shorter_run(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite"
    short = run(path, comparison(), FakeEngine(8, 1), 3)
    engine = FakeEngine(8, 1)
    assert run(path, comparison(), engine, 5)[: len(short)] == short
    assert min(engine.asked) == 3 * 14


def test_zero_blocks_are_refused(tmp_path: Path) -> None:
    with (
        open_log(tmp_path / "log.sqlite", comparison(), bots_of(comparison())) as log,
        pytest.raises(Malformed, match="blocks must be 1 or more; got 0"),
    ):
        play(log, FakeEngine(8, 1), 0)


BUILTIN_BOTS = tuple(built_in(name).bot for name in ("greedy", "lowest", "random"))


def builtin(seed: int = 7, game: str = "nimmt seats=3 hand=4") -> Contest:
    bots = [ContestBot(bot.name, bot.digest, bot.player) for bot in BUILTIN_BOTS]
    return contest("round-robin", MatchTerms(game, "json"), bots, seed=seed)


def play_with_workers(log: Log, jobs: int, blocks: int) -> list[MatchResult]:
    table = WorkerConfig(log.contest.terms, {bot.name: bot for bot in BUILTIN_BOTS}, log.contest.seed)
    with WorkerEngine(table, jobs) as workers:
        return list(play(log, workers, blocks))


def without_times(results: Sequence[MatchResult]) -> list[MatchResult]:
    return [msgspec.structs.replace(result, times=()) for result in results]


@pytest.mark.slow
def test_any_number_of_workers_plays_the_same(tmp_path: Path) -> None:
    results = []
    for jobs in (1, 3):
        with open_log(tmp_path / f"{jobs}.sqlite", builtin(), [(bot.name, bot) for bot in BUILTIN_BOTS]) as log:
            results.append(without_times(play_with_workers(log, jobs, 6)))
    assert results[0] == results[1]
    assert len(results[0]) == 6 * 3


@pytest.mark.parametrize("jobs", [0, 1025])
def test_number_of_workers_out_of_range_is_refused(jobs: int) -> None:
    with pytest.raises(Malformed, match=f"jobs must be 1 to 1024; got {jobs}"):
        WorkerEngine(WorkerConfig(MatchTerms(), {}, 1), jobs)


@pytest.mark.slow
def test_killed_worker_is_replaced_and_its_matches_are_played(tmp_path: Path) -> None:
    blocks = 40
    with open_log(tmp_path / "log.sqlite", builtin(), [(bot.name, bot) for bot in BUILTIN_BOTS]) as log:
        table = WorkerConfig(log.contest.terms, {bot.name: bot for bot in BUILTIN_BOTS}, log.contest.seed)
        results = []
        with WorkerEngine(table, 2) as workers:
            for result in play(log, workers, blocks):
                results.append(result)
                if len(results) in {5, 50}:
                    os.kill(next(iter(workers._workers.values())).process.pid or 0, signal.SIGKILL)
        assert [result.match.number for result in results] == list(range(blocks * 3)) == log.numbers()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system keeps no process on a core")
def test_pinned_worker_stays_on_its_core() -> None:
    core = min(os.sched_getaffinity(0))
    table = WorkerConfig(MatchTerms("nimmt:arena deals=1"), {bot.name: bot for bot in BUILTIN_BOTS}, 7)
    with WorkerEngine(table, 1, [core]) as workers:
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


def kill_worker_of_bot(mark: Path, workers: WorkerEngine) -> None:
    """Kill the worker when the bot runs."""
    while not mark.exists():
        sleep(0.02)
    os.kill(next(iter(workers._workers.values())).process.pid or 0, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has child subreapers")
def test_bots_of_a_killed_worker_are_killed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(STUBBORN)
    bot = Bot("mine", (sys.executable, "-S", "-E", "bot.py"), folder=str(tmp_path))
    bots = {"mine": bot, "greedy": BUILTIN_BOTS[0]}
    table = WorkerConfig(MatchTerms("nimmt:arena deals=1", first=60.0, turn=60.0), bots, 7)
    mark = tmp_path / "mark"
    with WorkerEngine(table, 1) as workers:
        killing = Thread(target=kill_worker_of_bot, args=(mark, workers))
        killing.start()
        workers.submit([Match(0, 0, ("mine", "greedy", "greedy", "greedy"), 0)])
        (result,) = workers.wait()
        killing.join()
        assert unpack(result).faults == ()
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
