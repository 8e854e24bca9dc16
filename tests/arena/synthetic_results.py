"""Synthetic results with points from known distributions."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from faceup.arena import Cause, Fault, Match, MatchResult
from faceup.arena.match.result import histogram_of
from faceup.arena.stats.comparison import Comparison
from faceup.core import places


def results(
    lineups: Sequence[Sequence[str]],
    blocks: int,
    *,
    strengths: Mapping[str, float],
    seed: int = 0,
    crashes: Mapping[str, float] | None = None,
    first: int = 0,
) -> Iterator[MatchResult]:
    """Yield the results of blocks in which every lineup plays in every rotation.

    Args:
        lineups: who sits together.
        blocks: how many.
        strengths: how many points fewer than others each has on average, of about ten.
        seed: seed of the random points.
        crashes: how often each is put out of a match.
        first: the number of the first block.
    """
    rng = Random(seed)  # noqa: S311 -- reproducible
    number = 0
    for block in range(first, first + blocks):
        hands = [rng.gauss(0, 4) for _ in lineups[0]]
        for lineup in lineups:
            for rotation in range(len(lineup)):
                match = Match(number, block, tuple(lineup), rotation)
                number += 1
                points = [
                    max(0, round(12 + hands[seat] - strengths[name] + rng.gauss(0, 4)))
                    for name, seat in zip(lineup, match.seat_of, strict=True)
                ]
                out = [player for player, name in enumerate(lineup) if rng.random() < (crashes or {}).get(name, 0)]
                faults = tuple(Fault(player, Cause.LATE, 3, "no line came in 100 ms") for player in out)
                points = [0 if player in out else score for player, score in enumerate(points)]
                ranked = places([(player in out, score) for player, score in enumerate(points)])
                times = tuple(histogram_of([200 + 10 * player, 400]) for player in range(len(lineup)))
                yield MatchResult(match, tuple(points), ranked, faults, times, tuple({} for _ in lineup))


def duel(field: Sequence[str] = ("x", "x", "x"), *, unit: str = "match") -> Comparison:
    """Return results of new against base, with others in the other seats."""
    seats = len(field) + 1
    return Comparison("new", "base", tuple(field), "deal" if unit == "deal" else "match", matches=2 * seats)
