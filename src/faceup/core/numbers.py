"""A game in numbers: what it tells those who learn or solve it, for arrays are all that they read.

A game registers a `Numbers` in its `Game.formats` under the name "numbers". It names no framework and needs none: the
numbers are written into Python's own arrays.
"""

from array import array
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

Pieces: TypeAlias = Callable[[Any], "tuple[Piece, ...]"]  # Any: each game has its own rules, here and below
Write: TypeAlias = Callable[[Any, Any], "array[float]"]


class Piece(msgspec.Struct, frozen=True):
    """A named part of an observation: whole numbers from 0 to `high`, in an array of this shape.

    Attributes:
        name: what it is called.
        shape: of the array; the numbers are written row by row.
        high: the greatest number that can stand in it, 1 at least.
        meaning: in words.
        seat_axis: the axis that is by seat, if one is; whoever observes turns it so that the observer comes first.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    seat_axis: int | None = None


class Points(msgspec.Struct, frozen=True):
    """What the numbers in `Rules.scores` are.

    Attributes:
        name: what is counted.
        better: 1 if more is better, -1 if fewer.
        step: from the rules to the least and the greatest change of a seat's points by one joint decision.
        total: from the rules to the least and the greatest change by a whole game.
    """

    name: str
    better: Literal[1, -1]
    step: Callable[[Any], tuple[int, int]]
    total: Callable[[Any], tuple[int, int]]


class Numbers(msgspec.Struct, frozen=True):
    """What a game registers.

    Attributes:
        history: how much of what has happened an observation holds, in a sentence.
        own: from the rules to the pieces that only the seat itself may know.
        public: from the rules to the pieces that all know.
        write_own: from the rules and a seat's view to the numbers of the own pieces, one piece after the other.
        write_public: from the rules and a spectator's view to the numbers of the public pieces, seats in their order.
        points: what `Rules.scores` counts.
        small: settings fit for solving, by name, in words that `faceup.core.make` reads.
    """

    history: str
    own: Pieces
    public: Pieces
    write_own: Write
    write_public: Write
    points: Points
    small: Mapping[str, str] = {}
