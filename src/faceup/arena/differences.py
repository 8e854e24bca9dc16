"""By how much one bot is better than another in one block: the same cards, the same seats, the same others."""

from collections.abc import Sequence

import msgspec

from faceup.arena.contests import Unit
from faceup.arena.counting import points_of, shared_places
from faceup.arena.matches import Result


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is compared, and how it is measured.

    Attributes:
        new, base: the names of the two bots; the difference is that of the new one to the base.
        field: who sits in the other seats, whichever of the two plays; nobody if the two sit at the same tables, in all
            ways in which both are there.
        unit: whether what counts is the place in a match, or the game's own points in a deal.
        points: what the game's points are called.
        fewer: whether fewer of them are better.
        matches: how many matches a block has.
    """

    new: str
    base: str
    field: tuple[str, ...] = ()
    unit: Unit = "match"
    points: str = "heads"
    fewer: bool = True
    matches: int = 8

    @property
    def measured(self) -> str:
        """What differences are counted in.

        >>> Comparison("new", "old").measured, Comparison("new", "old", unit="deal").measured
        ('places a match', 'heads a deal')
        """
        return "places a match" if self.unit == "match" else f"{self.points} a deal"


def difference(comparison: Comparison, results: Sequence[Result]) -> float:
    """By how much the new bot was better in a block, in `Comparison.measured`; below 0 if it was worse.

    With a field, the mean of the new bot's matches is compared with the mean of the base's. Without one, the mean of
    its players with the mean of the other's in each match, and the mean of that is taken: what happens to a whole
    table, such as cards with many heads, is then no part of the difference.

    Args:
        comparison: of whom.
        results: of all matches of one block.

    >>> from faceup.arena.matches import Match
    >>> results = [
    ...     Result(Match(0, 0, ("new", "other"), 0), (9, 12), (1, 2)),
    ...     Result(Match(1, 0, ("new", "other"), 1), (7, 5), (2, 1)),
    ...     Result(Match(2, 0, ("old", "other"), 0), (15, 8), (2, 1)),
    ...     Result(Match(3, 0, ("old", "other"), 1), (9, 3), (2, 1)),
    ... ]
    >>> difference(Comparison("new", "old", ("other",), matches=4), results)
    0.5
    >>> difference(Comparison("new", "old", ("other",), unit="deal", matches=4), results)
    4.0
    """
    if comparison.unit == "match":
        worth = [[-place for place in shared_places(result.places)] for result in results]
    else:
        sign = -1 if comparison.fewer else 1
        worth = [[float(sign * points) for points in match] for match in points_of(results, fewer=comparison.fewer)]
    if comparison.field:
        new, base = (
            [values[0] for values, result in zip(worth, results, strict=True) if result.match.lineup[0] == name]
            for name in (comparison.new, comparison.base)
        )
        return _mean(new) - _mean(base)
    found = []
    for values, result in zip(worth, results, strict=True):
        mine, theirs = (
            [value for value, name in zip(values, result.match.lineup, strict=True) if name == wanted]
            for wanted in (comparison.new, comparison.base)
        )
        found.append(_mean(mine) - _mean(theirs))
    return _mean(found)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
