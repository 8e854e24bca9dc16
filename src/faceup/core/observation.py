"""Numeric observations of a game, for machine learning and game solvers.

A game registers an `ObservationSpec` in its `Game.formats`. The specification depends on no framework, because it
writes the numbers into Python's `array.array`.
"""

from array import array
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import msgspec

from faceup.core.arguments import check_rules
from faceup.core.errors import Malformed
from faceup.core.registry import find_game
from faceup.core.rules import AnyRules

# Any, here and below: each game has its own rules
ObservationPieces: TypeAlias = Callable[[Any], "tuple[ObservationPiece, ...]"]
Write: TypeAlias = Callable[[Any, Any], "array[float]"]
WriteSeat: TypeAlias = Callable[[Any, Any], "array[float] | bytes | bytearray"]


class ObservationPiece(msgspec.Struct, frozen=True):
    """A named part of an observation, which is an array of whole numbers from 0 to `high`.

    Attributes:
        name: the name of the piece.
        shape: the shape of the array; the numbers are written in row-major order.
        high: the greatest possible number, which is at least 1.
        meaning: a description of the numbers.
        seat_axis: the axis that is indexed by seat, or None. Environments rotate this axis so that the observer's seat
            comes first.
    """

    name: str
    shape: tuple[int, ...]
    high: int
    meaning: str
    seat_axis: int | None = None


class ScoreSpec(msgspec.Struct, frozen=True):
    """The meaning and range of `Rules.scores`.

    Attributes:
        name: the name of the unit that scores count, such as heads.
        better: 1 if a higher score is better, -1 if a lower score is better.
        step: function of the rules that returns the least and greatest change of a seat's score in one joint decision.
        total: function of the rules that returns the least and greatest change of a seat's score in a complete game.
    """

    name: str
    better: Literal[1, -1]
    step: Callable[[Any], tuple[int, int]]
    total: Callable[[Any], tuple[int, int]]


class Encoding(msgspec.Struct, frozen=True):
    """Another way to write a seat's view as numbers.

    Attributes:
        dtype: the type of the numbers. Environments divide the numbers of a `float32` encoding by the `high` of their
            piece; those of a `uint8` encoding are not scaled.
        pieces: function of the rules that returns the pieces, in order. Their numbers are public or known to the seat.
        write: function of the rules and a seat's view that returns the concatenated numbers of the pieces, with the
            observer first wherever seats are listed.
    """

    dtype: Literal["float32", "uint8"]
    pieces: ObservationPieces
    write: WriteSeat


class ObservationSpec(msgspec.Struct, frozen=True):
    """The numeric observations that a game registers.

    Attributes:
        history: one sentence about how much of the game's history an observation holds.
        own: function of the rules that returns the private pieces, which only the observing seat knows.
        public: function of the rules that returns the public pieces.
        write_own: function of the rules and a seat's view that returns the concatenated numbers of the private pieces.
        write_public: function of the rules and the view of a spectator or any seat that returns the concatenated
            numbers of the public pieces, with seats in order from 0.
        points: the meaning and range of `Rules.scores`.
        small: settings that are small enough to solve. The key is a name, the value a spec for `faceup.core.make`.
        encodings: further encodings by name. The pieces above are the encoding `scalars`, which every game has.
    """

    history: str
    own: ObservationPieces
    public: ObservationPieces
    write_own: Write
    write_public: Write
    points: ScoreSpec
    small: Mapping[str, str] = {}
    encodings: Mapping[str, Encoding] = {}


def observation_spec(rules: AnyRules) -> ObservationSpec:
    """Return the game's `ObservationSpec`. Raises `Malformed` if it registers none.

    >>> from faceup.core import make
    >>> [piece.name for piece in observation_spec(make("niuniu")).public(make("niuniu"))]
    ['choosing', 'dice', 'won', 'drawn', 'statistics', 'played']
    """
    check_rules(rules)
    game = find_game(rules.game)
    spec = game.formats.get("observation")
    if not isinstance(spec, ObservationSpec):
        raise Malformed(
            f"{game.title} has no observations: it does not register a "
            f'faceup.core.observation.ObservationSpec as `Game.formats["observation"]`',
            what=rules.game,
            where="game",
        )
    return spec
