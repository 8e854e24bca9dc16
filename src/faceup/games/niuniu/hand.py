"""The value of a hand of five dice, and the number of hands of each value.

A hand's points depend only on the units digit of each die: if three dice add up to a multiple of ten, the sum of the
other two dice has the same units digit as the sum of all five. So hands with the same units digits, in any order, are
counted together as one kind; for any number of faces there are at most 2,002 kinds. Within each kind, the hands with a
baozi are counted separately. For six faces, a test compares the counts with an enumeration of all 7,776 hands.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod
from typing import Final

import msgspec

from faceup.core import Malformed

DICE: Final = 5
"""Number of dice in a hand."""

BAOZI: Final = 5
"""Statistics score of a baozi, and of no other hand."""

NAMES: Final = ("No Niu", *(f"Niu {points}" for points in range(1, 10)), "Niu Niu")
"""Names of hands, indexed by their points, 0 to 10."""


class Hand(msgspec.Struct, frozen=True):
    """The value of a hand.

    Attributes:
        points: 0 without Niu, 1 to 9 for Niu 1 to Niu 9, and 10 for Niu Niu. The most points win a throw.
        name: "No Niu", "Niu 1" to "Niu 9", or "Niu Niu".
        triple: the three dice that make the Niu, in the order of the throw; None without Niu.
        rest: the other two, in the order of the throw; None without Niu.
        statistics: 0 to 5, the hand's score in the players' statistics; it never decides a throw.
    """

    points: int
    name: str
    triple: tuple[int, int, int] | None
    rest: tuple[int, int] | None
    statistics: int


def score(dice: Sequence[int], faces: int = 6, baozi: int = 3) -> Hand:
    """Return the value of a hand of five dice.

    A hand has Niu if three of its dice add up to a multiple of 10. Its points are then the units digit of the sum of
    the other two, or 10 if that digit is 0. If there are several such triples, the result has the one whose other two
    dice have the highest sum and, among equals, the first by position. Source: the rules of Niu Niu with five dice.

    Args:
        dice: five numbers, each 1 to `faces`, in the order of the throw.
        faces: the highest number on a die.
        baozi: number of equal dice that make a baozi, for the statistics.

    Raises:
        Malformed: there are not five dice, or a die is not an integer or is out of range.

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
    """Raise `Malformed` unless `dice` are five integers, each 1 to `faces`. The message names the invalid die."""
    if len(dice) != DICE:
        raise Malformed(f"a hand must have five dice; got {len(dice)}", what=dice, where="dice")
    for place, die in enumerate(dice):
        if type(die) is not int:
            raise Malformed(f"die {place + 1} must be an integer; got {die!r}", what=die, where=f"dice[{place}]")
        if not 1 <= die <= faces:
            raise Malformed(f"die {place + 1} must be 1 to {faces}; got {die}", what=die, where=f"dice[{place}]")


def _statistics(dice: Sequence[int], points: int, baozi: int) -> int:
    if max(dice.count(die) for die in dice) >= baozi:
        return BAOZI
    if points == 10:
        return 3
    if points >= 7:
        return 2
    return 1 if points else 0


def count_hands_by_points(faces: int, baozi: int) -> tuple[list[int], list[int]]:
    """Count the hands with each number of points, 0 to 10, among all throws of five dice.

    Args:
        faces: number of faces of each die, 2 to 100.
        baozi: number of equal dice that make a baozi, 3 to 5.

    Returns:
        Two lists indexed by points: the number of hands without a baozi, and the number of hands with a baozi.

    >>> [sum(counts) for counts in count_hands_by_points(6, 3)]
    [6120, 1656]
    """
    widths = [(faces - remainder) // 10 + (remainder > 0) for remainder in range(10)]
    plain, with_baozi = [0] * 11, [0] * 11
    for kind in combinations_with_replacement([rest for rest in range(10) if widths[rest] > 0], DICE):
        points = _points(kind)
        times = [kind.count(rest) for rest in range(10)]
        orders = factorial(DICE) // prod(map(factorial, times))
        pairs = list(zip(widths, times, strict=True))
        hands = orders * prod(width**count for width, count in pairs)
        without = orders * prod(_unlike(width, count, baozi) for width, count in pairs)
        plain[points] += without
        with_baozi[points] += hands - without
    return plain, with_baozi


def _points(remainders: tuple[int, ...]) -> int:
    if any(sum(three) % 10 == 0 for three in combinations(remainders, 3)):
        return sum(remainders) % 10 or 10
    return 0


@cache
def _unlike(width: int, dice: int, baozi: int) -> int:
    """Count the throws of `dice` dice with `width` faces in which no face occurs `baozi` times or more."""
    if width == 0:
        return dice == 0
    return sum(comb(dice, alike) * _unlike(width - 1, dice - alike, baozi) for alike in range(min(dice + 1, baozi)))
