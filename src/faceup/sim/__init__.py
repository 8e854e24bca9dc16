"""Playing a game many times over and counting what becomes of it, exactly and in parts that can be joined."""

from faceup.sim.counts import Counts, add, nothing
from faceup.sim.report import report, words
from faceup.sim.run import Run, plan, play, warm
from faceup.sim.shares import Share, merge, new_share, read_share, write_share

__all__ = [
    "Counts",
    "Run",
    "Share",
    "add",
    "merge",
    "new_share",
    "nothing",
    "plan",
    "play",
    "read_share",
    "report",
    "warm",
    "words",
    "write_share",
]
