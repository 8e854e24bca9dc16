"""Statistics of single hands, for games that score them.

A game registers its `HandScores` in `Game.formats` under the name "hand_scores".
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from faceup.core import Game


class HandTotals(msgspec.Struct, frozen=True):
    """Sums over the hands of one player.

    Attributes:
        hands: number of hands.
        sum: sum of the hands' statistics points.
        baozi: number of hands that were a baozi.
        points: number of hands with 0 points, 1 point and so on.

    >>> HandTotals(2, 8, 1, (1, 0, 1)) + HandTotals(1, 1, 0, (0, 1, 0))
    HandTotals(hands=3, sum=9, baozi=1, points=(1, 1, 1))
    """

    hands: int
    sum: int
    baozi: int
    points: tuple[int, ...]

    @property
    def mean(self) -> float:
        """Return the mean statistics points of a hand."""
        return self.sum / self.hands

    def __add__(self, other: "HandTotals") -> "HandTotals":
        """Add the hands of another game of the same variant."""
        points = tuple(map(sum, zip(self.points, other.points, strict=True)))
        return HandTotals(self.hands + other.hands, self.sum + other.sum, self.baozi + other.baozi, points)


Totals: TypeAlias = Callable[[Any, Any], tuple[HandTotals, ...]]  # Any: the game's rules and states


class HandScores(msgspec.Struct, frozen=True):
    """The scoring of single hands in a game.

    Attributes:
        totals: function from rules and a state to the totals of the hands so far, by seat.
        comparable: function that returns whether the rules score hands as the variant's default options do.
    """

    totals: Totals
    comparable: Callable[[Any], bool]


def hand_scores_of(game: Game) -> HandScores | None:
    """Return the game's `HandScores`; None for a game that does not score single hands."""
    scores = game.formats.get("hand_scores")
    return scores if isinstance(scores, HandScores) else None
