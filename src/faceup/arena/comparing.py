"""What a contest of two compares, and what its log says of it."""

from faceup.arena.contests import Contest
from faceup.arena.differences import Comparison
from faceup.arena.log import Log
from faceup.arena.schedule import width_of
from faceup.arena.verdict import Verdict, verdict


def compared(contest: Contest) -> Comparison:
    """Who is compared in it, and how that is measured."""
    new, base = contest.names[:2]
    return Comparison(
        new,
        base,
        contest.field,
        contest.unit,
        contest.measures.score,
        contest.measures.fewer,
        width_of(contest),
    )


def verdict_of(log: Log) -> Verdict:
    """What a log of a comparison says, by the test that it was played under."""
    return verdict(compared(log.contest), log.test, log.results())
