"""All hands that there are, counted by what they are worth.

A hand's points depend on its dice only by what remains of each when tens are taken away: any three that add up to a
multiple of ten leave two whose sum has the units digit of the whole hand's. So hands are counted by those remainders,
2,002 kinds of hand at most, whatever the dice; a baozi is counted within each kind. For dice with six faces the tests
hold this against a list of all 7,776 hands.
"""

from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, factorial, prod

from faceup.games.niuniu.hand import DICE


def count_hands(faces: int, baozi: int) -> tuple[list[int], list[int]]:
    """How many of all throws of five dice have each number of points, 0 to 10.

    Args:
        faces: of each die, 2 to 100.
        baozi: how many dice alike make one, 3 to 5.

    Returns:
        Those without a baozi, and those with one.

    >>> [sum(counts) for counts in count_hands(6, 3)]
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
    """In how many ways so many dice show some of `width` faces, none of them `baozi` times or more."""
    if width == 0:
        return dice == 0
    return sum(comb(dice, alike) * _unlike(width - 1, dice - alike, baozi) for alike in range(min(dice + 1, baozi)))
