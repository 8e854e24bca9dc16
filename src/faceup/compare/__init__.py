"""Who plays better, and how sure that is: bots on the same deals, in every rotation of the seats."""

from faceup.compare.contest import Contest, Game, contest, schedule
from faceup.compare.journal import Journal, read_contest
from faceup.compare.playing import Result, play
from faceup.compare.report import report, words
from faceup.compare.standings import Difference, Standing, Standings, standings

__all__ = [
    "Contest",
    "Difference",
    "Game",
    "Journal",
    "Result",
    "Standing",
    "Standings",
    "contest",
    "play",
    "read_contest",
    "report",
    "schedule",
    "standings",
    "words",
]
