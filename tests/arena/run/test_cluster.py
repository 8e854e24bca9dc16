"""Cluster engine: same results as local workers, even if a worker is killed."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.arena.run.test_engine import without_times

from faceup.arena import MatchResult, MatchTerms
from faceup.arena.run.cluster import ClusterEngine, create_payload
from faceup.arena.run.engine import play
from faceup.arena.run.identity import BotFiles, built_in, identify, install_bot
from faceup.arena.run.log import open_log, programs_folder
from faceup.arena.run.pairings import Contest, ContestBot, contest
from faceup.arena.run.workers import WorkerConfig, WorkerEngine
from faceup.cluster import Cluster, connect
from faceup.core import make
from faceup.sim import plan
from faceup.sim import play as simulate
from faceup.sim.counts import Counts, add
from faceup.sim.run import play_on_cluster

BOT = """
import sys
weights = open("weights.txt").read().split()
print(*weights, file=sys.stderr)
for line in sys.stdin:
    if line.startswith(("CHOOSE_CARD", "CHOOSE_LINE")):
        lines = [sys.stdin.readline() for _ in range(12)]
        print("PLAY " + lines[-1].split()[int(weights[0])] if line.startswith("CHOOSE_CARD") else "PICK 0", flush=True)
"""
BLOCKS = 8


def entrants(folder: Path) -> tuple[BotFiles, ...]:
    (folder / "bot.py").write_text(BOT)
    (folder / "weights.txt").write_text("0")
    entrant = identify("mine", [sys.executable, "-S", "-E", "bot.py"], folder, files=["weights.txt"])
    return (entrant, built_in("greedy"))


def gauntlet(bots: Sequence[BotFiles]) -> Contest:
    entrants = [ContestBot(bot.bot.name, bot.bot.digest, bot.bot.player) for bot in bots]
    return contest("gauntlet", MatchTerms(first=30.0, turn=30.0), entrants, seed=7, unit="deal")


def here(path: Path, bots: Sequence[BotFiles]) -> list[MatchResult]:
    schedule = gauntlet(bots)
    table = WorkerConfig(
        schedule.terms, {bot.bot.name: install_bot(bot, programs_folder(path)) for bot in bots}, schedule.seed
    )
    with open_log(path, schedule, [(bot.bot.name, bot.bot) for bot in bots]) as log, WorkerEngine(table, 1) as workers:
        return list(play(log, workers, BLOCKS))


def there(path: Path, bots: Sequence[BotFiles], cluster: Cluster) -> list[MatchResult]:
    """Play on a cluster and kill a worker half-way."""
    schedule = gauntlet(bots)
    results = []
    with open_log(path, schedule, [(bot.bot.name, bot.bot) for bot in bots]) as log:
        for bot in bots:
            install_bot(bot, programs_folder(path))
        engine = ClusterEngine(cluster, create_payload(schedule.terms, bots, schedule.seed, programs_folder(path)))
        for result in play(log, engine, BLOCKS):
            results.append(result)
            if len(results) == BLOCKS:
                kill_a_worker(cluster)
        assert log.numbers() == [result.match.number for result in results]
        assert [log.transcript(number).logs[0] for number in log.numbers()] == [b"0\n"] * len(results)
    return results


def kill_a_worker(cluster: Cluster) -> None:
    pids = cluster._client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)


@pytest.mark.long
def test_cluster_results_survive_killed_worker(tmp_path: Path) -> None:
    bots = entrants(tmp_path)
    run = plan(make("nimmt seats=3 hand=3"), ["greedy", "lowest", "random"], deals=2000, seed=7)
    run = type(run)(run.game, run.policies, run.deals, run.seed, run.matches, "scalar")
    with connect(None, 2) as cluster:
        away = there(tmp_path / "there.sqlite", bots, cluster)
        counts, parts = Counts(), 0
        for part in play_on_cluster(cluster, run, 0, run.deals):
            counts, parts = add(counts, part), parts + 1
            if parts == 2:
                kill_a_worker(cluster)
    assert without_times(away) == without_times(here(tmp_path / "here.sqlite", bots))
    whole = Counts()
    for part in simulate(run, 0, run.deals):
        whole = add(whole, part)
    assert counts == whole
