"""Observation vectors, which hold the pieces that a game registers, scaled to 0..1, with the observer's seat first."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from faceup.core import AnyRules, Malformed, Seat, State, View, find_game
from faceup.core.observation import ObservationPiece, ObservationSpec

Floats = NDArray[np.float32]


def observation_spec(rules: AnyRules) -> ObservationSpec:
    """Return the game's `ObservationSpec`. Raises `Malformed` if it registers none."""
    found = find_game(rules.game).formats.get("observation")
    if not isinstance(found, ObservationSpec):
        raise Malformed(
            f"{find_game(rules.game).title} has no observations: it does not register a "
            f'faceup.core.observation.ObservationSpec as `Game.formats["observation"]`',
            what=rules.game,
            where="game",
        )
    return found


class Part(NamedTuple):
    """A piece and its slice of the vector. Its values are `vector[at].reshape(piece.shape) * piece.high`."""

    piece: ObservationPiece
    at: slice


class Observer:
    """A converter from states to observation vectors. Call `observer` to get one, because it caches them by rules.

    Attributes:
        parts: the pieces and their slices, of which the private pieces are first.
        size: the length of a seat's vector.
        space: the space of a seat's vector, which holds float32 numbers from 0 to 1.
        state_space: the space of the vector that describes the full state.
    """

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self._spec = observation_spec(rules)
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
        mine = np.arange(rules.seats * self._private_size, dtype=np.intp).reshape(rules.seats, self._private_size)
        self._seat_index = np.concatenate([mine, self._rotations + mine.size], axis=1)
        self.space = Box(0.0, 1.0, (self.size,), np.float32)
        self.state_space = Box(0.0, 1.0, (self.size + (rules.seats - 1) * self._private_size,), np.float32)

    def seats(self, state: State, views: list[View]) -> Floats:
        """Return the observations of all seats, `[seats, size]`. `views` holds the view of each seat, in order."""
        rules, write_own = self.rules, self._spec.write_own
        numbers = [write_own(rules, view) for view in views]
        numbers.append(self._spec.write_public(rules, rules.view(state, None)))
        line: Floats = np.frombuffer(b"".join(numbers), np.float32) * self._scale
        seen: Floats = line.take(self._seat_index)
        return seen

    def _public(self, state: State) -> Floats:
        numbers = self._spec.write_public(self.rules, self.rules.view(state, None))
        public: Floats = np.frombuffer(numbers, np.float32) * self._public_scale
        return public

    def seat(self, state: State, seat: Seat, *, own: bool = True, public: bool = True) -> Floats:
        """Return the observation of one seat, `[size]`.

        Without `own`, all private pieces are zeros; without `public`, all public pieces are zeros.
        """
        seen = np.zeros(self.size, np.float32)
        if own:
            mine = self._spec.write_own(self.rules, self.rules.view(state, seat))
            seen[: self._private_size] = np.frombuffer(mine, np.float32) * self._private_scale
        if public:
            seen[self._private_size :] = self._public(state)[self._rotations[seat]]
        return seen

    def lanes(self, pieces: Mapping[str, NDArray[Any]], seat: Seat) -> Floats:
        """Return the observation of one seat in each game of a batch, `[B, size]`.

        Args:
            pieces: the numbers of each piece by its name, `[B, *shape]` for a public and `[B, seats, *shape]` for a
                private piece.
            seat: the observing seat.
        """
        seen = np.empty((len(next(iter(pieces.values()))), self.size), np.float32)
        for part, mine in self.private_parts():
            numbers = pieces[part.piece.name]
            if mine:
                numbers = numbers[:, seat]
            elif part.piece.seat_axis is not None:
                numbers = np.roll(numbers, -seat, axis=1 + part.piece.seat_axis)
            seen[:, part.at] = numbers.reshape(len(seen), -1)
            if part.piece.high != 1:
                seen[:, part.at] *= np.float32(1 / part.piece.high)
        return seen

    def private_parts(self) -> list[tuple[Part, bool]]:
        """Return all parts, each with a flag for whether the part is private."""
        return [(part, part.at.stop <= self._private_size) for part in self.parts]

    def state(self, state: State) -> Floats:
        """Return the vector of the full state: the vector of seat 0, then the private pieces of all other seats."""
        seen = self.seats(state, [self.rules.view(state, seat) for seat in range(self.rules.seats)])
        return np.concatenate([seen[0], seen[1:, : self._private_size].ravel()])


def _parts(pieces: tuple[ObservationPiece, ...]) -> tuple[Part, ...]:
    parts, at = [], 0
    for piece in pieces:
        parts.append(Part(piece, slice(at, at + prod(piece.shape))))
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


def observer(rules: AnyRules) -> Observer:
    """Return the cached observer for these rules."""
    return _observer(cast("Hashable", rules))  # rules are hashable, which their protocol does not declare


def layout(rules: AnyRules) -> str:
    """Return a Markdown table with the slice of the vector, the shape, scale and meaning of each piece.

    >>> from faceup.core import make
    >>> print(layout(make("niuniu seats=2")).splitlines()[2][:35])
    | `choosing` | 0..1 | 2 seats | 1 |
    """
    lines = ["| piece | numbers | shape | times | meaning |", "| --- | --- | --- | --- | --- |"]
    for piece, at in observer(rules).parts:
        shape = " x ".join(
            f"{size} seats" if axis == piece.seat_axis else str(size) for axis, size in enumerate(piece.shape)
        )
        lines.append(f"| `{piece.name}` | {at.start}..{at.stop - 1} | {shape} | {piece.high} | {piece.meaning} |")
    return "\n".join(lines)
