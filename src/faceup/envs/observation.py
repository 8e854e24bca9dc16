"""Observation vectors, which hold the pieces that a game registers, with the observer's seat first.

The encoding `scalars` exists for every game. A game may register more, such as `planes` and `ids` of 6 nimmt!.
"""

from collections.abc import Hashable
from functools import lru_cache
from math import prod
from typing import Any, Final, NamedTuple, cast

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from faceup.core import AnyRules, Malformed, Seat, State, View
from faceup.core.arguments import check_rules, check_type
from faceup.core.observation import ObservationPiece, observation_spec
from faceup.core.registry import nearest

Floats = NDArray[np.float32]
Numbers = NDArray[Any]  # Any: float32 or uint8, by encoding

SCALARS: Final = "scalars"
"""The name of the encoding that every game has."""


def encoding_names(rules: AnyRules) -> tuple[str, ...]:
    """Return the names of the encodings of the game's observations, `scalars` first.

    >>> from faceup.core import make
    >>> encoding_names(make("nimmt")), encoding_names(make("war"))
    (('scalars', 'planes', 'ids', 'ids-padded'), ('scalars',))
    """
    return (SCALARS, *observation_spec(rules).encodings)


class PieceSlice(NamedTuple):
    """A piece and its slice of the vector.

    Its values are `vector[at].reshape(piece.shape)`, which an encoding in float32 has divided by `piece.high`.
    """

    piece: ObservationPiece
    at: slice


class Observer:
    """A converter from views to observation vectors. Call `observer` to get one, because it caches them by rules.

    Args:
        rules: the rules of the game.
        encoding: one of `encoding_names(rules)`.

    Attributes:
        rules: the rules of the game.
        encoding: the name of the encoding.
        dtype: the type of the numbers, float32 or uint8.
        parts: the pieces and their slices, of which the private pieces of `scalars` are first.
        size: the length of a seat's vector.
        space: the space of a seat's vector: float32 numbers from 0 to 1, or uint8 numbers up to the greatest `high`.
        state_space: the space of the vector that describes the full state.

    Raises:
        Malformed: the game has no such encoding.

    >>> from faceup.core import make, read
    >>> rules, state = read("nimmt seats=2 hand=1 | hands=7/44 rows=5/6/88/29")
    >>> watching = observer(rules)
    >>> [part.piece.name for part, private in watching.private_parts() if private]
    ['hand']
    >>> views = [rules.view(state, seat) for seat in range(2)]
    >>> watching.view(views[0]).shape, watching.seat(state, 0).shape, watching.seats(state, views).shape
    ((246,), (246,), (2, 246))
    >>> watching.state(state).shape, watching.state_of(watching.seats(state, views)).shape
    ((350,), (350,))
    """

    def __init__(self, rules: AnyRules, encoding: str = SCALARS) -> None:
        self.rules, self.encoding = rules, encoding
        self._spec = observation_spec(rules)
        if encoding != SCALARS:
            self._read_encoding()
            return
        self.dtype = np.dtype(np.float32)
        own, public = self._spec.own(rules), self._spec.public(rules)
        self.parts = _parts((*own, *public))
        self.size = self.parts[-1].at.stop
        self._private_size = sum(prod(piece.shape) for piece in own)
        self._private_scale, self._public_scale = _scale(own), _scale(public)
        rotations = [_rotated_index(public, seat) for seat in range(rules.seats)]
        self._rotations = np.array(rotations, dtype=np.intp).reshape(rules.seats, -1)
        # The private numbers of all seats and then the public numbers form one array. These are the scale of each of
        # its numbers, and for each seat the indices of the numbers that the seat's vector holds.
        self._scale = np.concatenate([np.tile(self._private_scale, rules.seats), self._public_scale])
        own_columns = np.arange(rules.seats * self._private_size, dtype=np.intp).reshape(
            rules.seats, self._private_size
        )
        self._seat_index = np.concatenate([own_columns, self._rotations + own_columns.size], axis=1)
        self.space = Box(0.0, 1.0, (self.size,), np.float32)
        self.state_space = Box(0.0, 1.0, (self.size + (rules.seats - 1) * self._private_size,), np.float32)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the arguments, because the game's specification holds functions."""
        return observer, (self.rules, self.encoding)

    def _read_encoding(self) -> None:
        """Read one of the encodings that the game registers besides `scalars`."""
        encoding = self._spec.encodings.get(self.encoding)
        if encoding is None:
            names = [*encoding_names(self.rules)]
            raise Malformed(
                f"{self.rules.game} has no encoding {self.encoding!r}{nearest(self.encoding, names)}",
                what=self.encoding,
                where="encoding",
            )
        pieces = encoding.pieces(self.rules)
        self._write = encoding.write
        self.dtype = np.dtype(encoding.dtype)
        self.parts = _parts(pieces)
        self.size = self._private_size = self.parts[-1].at.stop
        self._scale = _scale(pieces)
        high: Any = 1.0 if encoding.dtype == "float32" else max(piece.high for piece in pieces)
        kind: Any = self.dtype.type
        self.space = Box(kind(0), kind(high), (self.size,), kind)
        self.state_space = Box(kind(0), kind(high), (self.size * self.rules.seats,), kind)

    def view(self, view: View) -> Numbers:
        """Return a seat's observation from its view, `[size]`; for a spectator, seats are in order from 0."""
        if self.encoding == SCALARS:
            return self._scalars(view, own=True, public=True)
        written = self._write(self.rules, view)
        if self.dtype == np.uint8:
            return np.frombuffer(written, np.uint8)
        seen: Numbers = np.frombuffer(written, np.float32) * self._scale
        return seen

    def seats(self, state: State, views: list[View]) -> Numbers:
        """Return the observations of all seats, `[seats, size]`. `views` holds the view of each seat, in order."""
        if self.encoding != SCALARS:
            return np.stack([self.view(view) for view in views])
        rules, write_own = self.rules, self._spec.write_own
        numbers = [write_own(rules, view) for view in views]
        numbers.append(self._spec.write_public(rules, rules.view(state, None)))
        line: Floats = np.frombuffer(b"".join(numbers), np.float32) * self._scale
        seen: Floats = line.take(self._seat_index)
        return seen

    def seat(self, state: State, seat: Seat, *, own: bool = True, public: bool = True) -> Numbers:
        """Return the observation of one seat, `[size]`.

        In the encoding `scalars`, all private pieces are zeros without `own`, and all public pieces without `public`.
        """
        view = self.rules.view(state, seat)
        if self.encoding != SCALARS:
            return self.view(view)
        return self._scalars(view, own=own, public=public)

    def _scalars(self, view: View, *, own: bool, public: bool) -> Floats:
        seen = np.zeros(self.size, np.float32)
        if own:
            own_numbers = self._spec.write_own(self.rules, view)
            seen[: self._private_size] = np.frombuffer(own_numbers, np.float32) * self._private_scale
        if public:
            shared = np.frombuffer(self._spec.write_public(self.rules, view), np.float32) * self._public_scale
            seen[self._private_size :] = shared[self._rotations[view.seat or 0]]
        return seen

    def private_parts(self) -> list[tuple[PieceSlice, bool]]:
        """Return all parts, each with a flag for whether the part is private."""
        return [(part, part.at.stop <= self._private_size) for part in self.parts]

    def state(self, state: State) -> Numbers:
        """Return the vector of the full state.

        In the encoding `scalars`, this is the vector of seat 0, then the private pieces of all other seats; in other
        encodings, it is the vectors of all seats.
        """
        return self.state_of(self.seats(state, [self.rules.view(state, seat) for seat in range(self.rules.seats)]))

    def state_of(self, seen: Numbers) -> Numbers:
        """Return the vector of the full state, `[..., n]`, from the observations of all seats, `[..., seats, size]`."""
        others = seen[..., 1:, : self._private_size]
        return np.concatenate([seen[..., 0, :], others.reshape(*others.shape[:-2], -1)], axis=-1)


def _parts(pieces: tuple[ObservationPiece, ...]) -> tuple[PieceSlice, ...]:
    parts, at = [], 0
    for piece in pieces:
        parts.append(PieceSlice(piece, slice(at, at + prod(piece.shape))))
        at += prod(piece.shape)
    return tuple(parts)


def _scale(pieces: tuple[ObservationPiece, ...]) -> Floats:
    return np.array([1 / piece.high for piece in pieces for _ in range(prod(piece.shape))], np.float32)


def _rotated_index(pieces: tuple[ObservationPiece, ...], seat: Seat) -> list[int]:
    """Return, for each public number of a seat's vector, its index in the public numbers with seats in order from 0."""
    rotated: list[int] = []
    for piece, at in _parts(pieces):
        places = np.arange(at.start, at.stop).reshape(piece.shape)
        if piece.seat_axis is not None:
            places = np.roll(places, -seat, axis=piece.seat_axis)
        rotated += places.ravel().tolist()
    return rotated


_observer = lru_cache(maxsize=64)(Observer)


def observer(rules: AnyRules, encoding: str = SCALARS) -> Observer:
    """Return the cached observer for these rules and this encoding. Raises `Malformed` if there is no such encoding.

    >>> from faceup.core import make
    >>> observer(make("nimmt seats=3"), "ids").size
    205
    """
    check_rules(rules)
    # Rules are hashable, which their protocol does not declare. An encoding that is no text may not be.
    return _observer(cast("Hashable", rules), str(encoding))


def observe(rules: AnyRules, view: View, encoding: str = SCALARS) -> Numbers:
    """Return a seat's observation from its view, as the environments return it.

    Args:
        rules: the rules of the game.
        view: the view of a seat. A network that plays at a table or in the arena gets the same numbers as in training.
        encoding: one of `encoding_names(rules)`.

    Returns:
        A vector of float32 from 0 to 1, or of uint8. `layout(rules, encoding)` describes it.

    Raises:
        Malformed: the game has no observations, or no such encoding.

    >>> from faceup.core import make, SeededGenerator, draw
    >>> rules = make("nimmt:cowheadking", seats=3)
    >>> state = rules.apply(rules.start(), draw(rules, rules.start(), SeededGenerator(7))).state
    >>> view = rules.view(state, 1)
    >>> [int(observe(rules, view, encoding).size) for encoding in ("scalars", "planes", "ids")]
    [286, 2633, 205]
    """
    own = observer(rules, encoding)
    check_type("view", view, View, "a view of the rules")
    return own.view(view)


def layout(rules: AnyRules, encoding: str = SCALARS) -> str:
    """Return a Markdown table with the slice of the vector, the shape, scale and meaning of each piece.

    Raises:
        Malformed: the game has no observations, or no such encoding.

    >>> from faceup.core import make
    >>> print(layout(make("niuniu seats=2")).splitlines()[2][:35])
    | `choosing` | 0..1 | 2 seats | 1 |
    """
    watching = observer(rules, encoding)
    factor = "times" if watching.dtype == np.float32 else "at most"
    lines = [f"| piece | numbers | shape | {factor} | meaning |", "| --- | --- | --- | --- | --- |"]
    for piece, at in watching.parts:
        shape = " x ".join(
            f"{size} seats" if axis == piece.seat_axis else str(size) for axis, size in enumerate(piece.shape)
        )
        lines.append(f"| `{piece.name}` | {at.start}..{at.stop - 1} | {shape} | {piece.high} | {piece.meaning} |")
    return "\n".join(lines)
