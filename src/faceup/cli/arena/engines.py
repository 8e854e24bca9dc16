"""Where the arena's commands play: their options, and what those make of them."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from faceup.cli.sim import add_engine, add_jobs, processors

if TYPE_CHECKING:
    from pathlib import Path

    from faceup.arena.contests import Contest
    from faceup.arena.identity import Entrant
    from faceup.arena.run import Engine


def add_engines(parser: ArgumentParser) -> None:
    """How many at once, on which cores, and on which machines."""
    add_jobs(parser)
    parser.add_argument("--pin", action="store_true", help="keep each match and its programs on a core of its own")
    add_engine(parser)


@contextmanager
def engine(
    contest: "Contest", entrants: "Sequence[Entrant]", store: "Path", arguments: Namespace
) -> "Iterator[Engine]":
    """What plays: processes of this machine, or a cluster. Nothing is left running when the block is left."""
    from faceup.arena.identity import settle
    from faceup.arena.workers import Table, Workers

    jobs = processors() if arguments.jobs is None else arguments.jobs
    bots = {each.bot.name: settle(each, store) for each in entrants}
    if arguments.engine == "dask":
        from faceup.arena.on_cluster import OnCluster, parcel
        from faceup.cluster import connect

        with connect(arguments.scheduler, jobs) as cluster:
            yield OnCluster(cluster, parcel(contest.terms, entrants, contest.seed, store))
        return
    if jobs > processors():
        print(
            f"{jobs} matches at once on {processors()} cores: programs will wait for each other, and may be "
            f"late through no fault of theirs. --jobs {processors()} is the most that is fair.",
            file=sys.stderr,
        )
    with Workers(Table(contest.terms, bots, contest.seed), jobs, _cores() if arguments.pin else ()) as workers:
        yield workers


def _cores() -> Sequence[int]:
    import os

    from faceup.core import Malformed

    if not hasattr(os, "sched_getaffinity"):
        raise Malformed("this system cannot keep a process on a core", where="--pin")
    return sorted(os.sched_getaffinity(0))
