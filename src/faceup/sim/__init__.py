"""Simulation: play many games and count the results exactly."""

from faceup.sim.counts import Counts, add
from faceup.sim.report import format_report, report
from faceup.sim.run import Run, plan, play, warm

__all__ = [
    "Counts",
    "Run",
    "add",
    "format_report",
    "plan",
    "play",
    "report",
    "warm",
]
