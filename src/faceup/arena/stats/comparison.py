"""The measure of a comparison: how much better a bot is than another, or than even, in a block of equal cards."""

from collections.abc import Sequence
from fractions import Fraction

import msgspec

from faceup.arena.match.result import MatchResult
from faceup.arena.run.pairings import Unit


def shared_places(places: Sequence[int]) -> tuple[Fraction | int, ...]:
    """Return places with ties averaged, so that players who share a place get the mean of the places they take up.

    The mean place of a match is then the same for all matches, so sharing a place is no advantage. Source: Kendall,
    "The treatment of ties in ranking problems" (1945).

    >>> print(*shared_places((1, 3, 1, 4)))
    3/2 3 3/2 4
    """
    if len(set(places)) == len(places):
        return tuple(places)
    return tuple([place + Fraction(places.count(place) - 1, 2) for place in places])


def points_of(results: Sequence[MatchResult], *, fewer: bool) -> list[tuple[int, ...]]:
    """Return each player's points in each match of a block. A player that forfeited gets the worst points of the block.

    A player's points stop growing when it forfeits. Without this rule, a program would do best to crash immediately in
    games in which fewer points are better. `fewer` is whether this is such a game.
    """
    scores = [score for result in results for score in result.scores]
    worst = max(scores) if fewer else min(scores)
    return [
        tuple([worst if player in result.forfeited else score for player, score in enumerate(result.scores)])
        for result in results
    ]


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A comparison of two bots, or of a bot with even, with its measure and method.

    Attributes:
        new: name of the new bot. The difference is positive if it is better than the base.
        base: name of the bot to compare with. None means even, which is the mean of all players in a match.
        field: names of the bots in the other seats; empty if the two bots play each other in all seatings.
        unit: "match" if the place in a match counts; "deal" if the points of a deal count.
        points: what the game's points are called.
        fewer: whether fewer points are better.
        matches: the number of matches in a block.
        seats: the number of players in a match.
    """

    new: str
    base: str | None
    field: tuple[str, ...] = ()
    unit: Unit = "match"
    points: str = "heads"
    fewer: bool = True
    matches: int = 8
    seats: int = 4

    @property
    def measured(self) -> str:
        """Return the unit in which differences are measured.

        >>> Comparison("new", "old").measured, Comparison("new", "old", unit="deal").measured
        ('places a match', 'heads a deal')
        """
        return "places a match" if self.unit == "match" else f"{self.points} a deal"


def difference(comparison: Comparison, results: Sequence[MatchResult]) -> Fraction:
    """Return how much better the new bot was than the base in a block; negative if it was worse.

    The difference is exact, so equal results are a difference of 0. The unit is `Comparison.measured`. With a base and
    a field, the result is the mean over the new bot's matches minus the mean over the base's matches. In all other
    comparisons, the new bot and the base (or everyone, if there is no base) play in each match, and the result is the
    mean of the differences in the single matches. So effects on the whole table, such as costly cards, cancel out.

    >>> from faceup.arena.match.result import Match
    >>> results = [
    ...     MatchResult(Match(0, 0, ("new", "other"), 0), (9, 12), (1, 2)),
    ...     MatchResult(Match(1, 0, ("new", "other"), 1), (7, 5), (2, 1)),
    ...     MatchResult(Match(2, 0, ("old", "other"), 0), (15, 8), (2, 1)),
    ...     MatchResult(Match(3, 0, ("old", "other"), 1), (9, 3), (2, 1)),
    ... ]
    >>> difference(Comparison("new", "old", ("other",), matches=4), results)
    Fraction(1, 2)
    >>> difference(Comparison("new", "old", ("other",), unit="deal", matches=4), results)
    Fraction(4, 1)
    >>> difference(Comparison("new", None, ("other",), matches=2), results[:2])
    Fraction(0, 1)
    """
    worth: list[list[Fraction | int]]
    if comparison.unit == "match":
        worth = [[-place for place in shared_places(result.places)] for result in results]
    else:
        sign = -1 if comparison.fewer else 1
        worth = [[sign * points for points in match] for match in points_of(results, fewer=comparison.fewer)]
    if comparison.base and comparison.field:
        new, base = (
            [values[0] for values, result in zip(worth, results, strict=True) if result.match.lineup[0] == name]
            for name in (comparison.new, comparison.base)
        )
        return _mean(new) - _mean(base)
    differences = []
    for values, result in zip(worth, results, strict=True):
        new_values, base_values = (
            [value for value, name in zip(values, result.match.lineup, strict=True) if player in {name, None}]
            for player in (comparison.new, comparison.base)
        )
        differences.append(_mean(new_values) - _mean(base_values))
    return _mean(differences)


def _mean(values: Sequence[Fraction | int]) -> Fraction:
    return Fraction(sum(values)) / len(values)
