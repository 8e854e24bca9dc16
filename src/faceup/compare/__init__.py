"""Who plays better, and how sure that is: our own bots on the same deals, in every rotation of the seats.

The arena plays the games. What is here it has no place for: several bots against several fields in one comparison, all
on the same deals, each with a report of its own by Student's test; and a log of lines of JSON, since all there is to
keep of bots of ours is how each game ended. The arena's contests are between programs: they keep every answer, have
terms that programs can break, and may stop by a sequential test.
"""

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
