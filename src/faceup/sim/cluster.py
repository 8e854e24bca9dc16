"""Playing a run on a Dask cluster: the same counts as here, part after part."""

from collections.abc import Iterator
from typing import Final

from faceup.cluster import Cluster
from faceup.sim.counts import Counts, add, nothing
from faceup.sim.run import Run, play

_PART: Final = {"batch": 1 << 18, "scalar": 256}
"""The games of a task: a second's worth or so."""


def play_on(cluster: Cluster, run: Run, begin: int, end: int) -> Iterator[Counts]:
    """Play games `begin` to `end` of the run there, and give the counts in order: see `faceup.sim.play`."""
    size = _PART[run.engine]
    yield from cluster.in_order(play_part, ((run, low, min(low + size, end)) for low in range(begin, end, size)))


def play_part(run: Run, begin: int, end: int) -> Counts:
    """Play games `begin` to `end` in this process: what runs in a worker of the cluster."""
    counts = nothing()
    for part in play(run, begin, end):
        counts = add(counts, part)
    return counts
