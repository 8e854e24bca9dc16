"""What five dice are worth."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import msgspec

from faceup.core import Malformed

DICE: Final = 5
"""Dice in a hand."""

NAMES: Final = ("No Niu", *(f"Niu {points}" for points in range(1, 10)), "Niu Niu")
"""Hands by their points, 0 to 10."""


class Hand(msgspec.Struct, frozen=True):
    """A hand's worth.

    Attributes:
        points: 0 without Niu, 1 to 9, or 10 for Niu Niu; the most points win a throw.
        name: "No Niu", "Niu 1" to "Niu 9", or "Niu Niu".
        triple: the three dice that make the Niu, in the order of the throw; None without Niu.
        rest: the other two, in the order of the throw; None without Niu.
        statistics: 0 to 5, what the hand adds to a table of results; it never decides a throw.
    """

    points: int
    name: str
    triple: tuple[int, int, int] | None
    rest: tuple[int, int] | None
    statistics: int


def score(dice: Sequence[int], faces: int = 6, baozi: int = 3) -> Hand:
    """The worth of a hand of five dice.

    A hand has Niu if three of its dice add up to a multiple of 10; its points are then the units digit of the sum of
    the other two, and 10 if that digit is 0. Of several such triples the one that leaves the highest sum is shown, and
    among equals the first by the dice's positions. Source: the rules of Niu Niu with five dice.

    Args:
        dice: five numbers, each 1 to `faces`, in the order of the throw.
        faces: the highest number on a die.
        baozi: how many dice alike make a baozi, for the statistics.

    Raises:
        Malformed: not five dice, or one that is no number or out of range.

    >>> score((5, 2, 4, 6, 3))
    Hand(points=10, name='Niu Niu', triple=(5, 2, 3), rest=(4, 6), statistics=3)
    """
    check_dice(dice, faces)
    triple: tuple[int, int, int] | None = None
    rest: tuple[int, int] | None = None
    for a, b, c in combinations(range(DICE), 3):
        if (dice[a] + dice[b] + dice[c]) % 10 == 0:
            left, right = (dice[i] for i in range(DICE) if i not in {a, b, c})
            if rest is None or left + right > sum(rest):
                triple, rest = (dice[a], dice[b], dice[c]), (left, right)
    points = 0 if rest is None else sum(rest) % 10 or 10
    return Hand(points, NAMES[points], triple, rest, _statistics(dice, points, baozi))


def check_dice(dice: Sequence[int], faces: int) -> None:
    """Raise `Malformed` unless these are five dice, each 1 to `faces`; the message says which is not."""
    if len(dice) != DICE:
        raise Malformed(f"a hand is five dice, not {len(dice)}", what=dice, where="dice")
    for place, die in enumerate(dice):
        if type(die) is not int:
            raise Malformed(f"die {place} is {die!r}, which is not a whole number", what=die, where=f"dice[{place}]")
        if not 1 <= die <= faces:
            raise Malformed(f"die {place} is {die}; a die shows 1 to {faces}", what=die, where=f"dice[{place}]")


def _statistics(dice: Sequence[int], points: int, baozi: int) -> int:
    if max(dice.count(die) for die in dice) >= baozi:
        return 5
    if points == 10:
        return 3
    if points >= 7:
        return 2
    return 1 if points else 0
