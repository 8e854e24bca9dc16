"""A schedule that is played on a cluster gives what one that is played here gives, even if workers end."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.arena.test_run import without_times

from faceup.arena import Result, Terms
from faceup.arena.contests import Contest, Named, contest
from faceup.arena.identity import Entrant, built_in, identify, settle
from faceup.arena.log import files_of
from faceup.arena.log_writing import open_log
from faceup.arena.on_cluster import OnCluster, parcel
from faceup.arena.run import play
from faceup.arena.workers import Table, Workers
from faceup.cluster import Cluster, connect
from faceup.core import make
from faceup.sim import plan
from faceup.sim import play as simulate
from faceup.sim.cluster import play_on
from faceup.sim.counts import add, nothing

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


def entrants(folder: Path) -> tuple[Entrant, ...]:
    (folder / "bot.py").write_text(BOT)
    (folder / "weights.txt").write_text("0")
    mine = identify("mine", [sys.executable, "-S", "-E", "bot.py"], folder, files=["weights.txt"])
    return (mine, built_in("greedy"))


def gauntlet(bots: Sequence[Entrant]) -> Contest:
    named = [Named(each.bot.name, each.bot.digest, each.bot.player) for each in bots]
    return contest("gauntlet", Terms(first=30.0, turn=30.0), named, seed=7, unit="deal")


def here(path: Path, bots: Sequence[Entrant]) -> list[Result]:
    found = gauntlet(bots)
    table = Table(found.terms, {each.bot.name: settle(each, files_of(path)) for each in bots}, found.seed)
    with open_log(path, found, [(each.bot.name, each.bot) for each in bots]) as log, Workers(table, 1) as workers:
        return list(play(log, workers, BLOCKS))


def there(path: Path, bots: Sequence[Entrant], cluster: Cluster) -> list[Result]:
    """On the cluster, one of whose workers is killed half-way."""
    found = gauntlet(bots)
    results = []
    with open_log(path, found, [(each.bot.name, each.bot) for each in bots]) as log:
        for each in bots:
            settle(each, files_of(path))
        engine = OnCluster(cluster, parcel(found.terms, bots, found.seed, files_of(path)))
        for result in play(log, engine, BLOCKS):
            results.append(result)
            if len(results) == BLOCKS:
                kill_a_worker(cluster)
        assert log.numbers() == [each.match.number for each in results]
        assert [log.transcript(number).logs[0] for number in log.numbers()] == [b"0\n"] * len(results)
    return results


def kill_a_worker(cluster: Cluster) -> None:
    pids = cluster._client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)


@pytest.mark.long
def test_a_cluster_plays_and_counts_the_same_though_a_worker_is_killed(tmp_path: Path) -> None:
    bots = entrants(tmp_path)
    run = plan(make("nimmt seats=3 hand=3"), ["greedy", "lowest", "random"], deals=2000, seed=7)
    run = type(run)(run.game, run.policies, run.deals, run.seed, run.matches, "scalar")
    with connect(None, 2) as cluster:
        away = there(tmp_path / "there.sqlite", bots, cluster)
        counts, parts = nothing(), 0
        for part in play_on(cluster, run, 0, run.deals):
            counts, parts = add(counts, part), parts + 1
            if parts == 2:
                kill_a_worker(cluster)
    assert without_times(away) == without_times(here(tmp_path / "here.sqlite", bots))
    whole = nothing()
    for part in simulate(run, 0, run.deals):
        whole = add(whole, part)
    assert counts == whole
