"""What a seat sees, as one vector: the pieces that the game registers, scaled to 0..1, the observer's seat first."""

from collections.abc import Hashable, Mapping
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from gymnasium.spaces import Box
from numpy.typing import NDArray

from faceup.core import AnyRules, Malformed, Seat, State, View, find_game
from faceup.core.numbers import Numbers, Piece

Floats = NDArray[np.float32]


def numbers_of(rules: AnyRules) -> Numbers:
    """What the game registers as "numbers". Raises `Malformed` if it registers nothing."""
    numbers = find_game(rules.game).formats.get("numbers")
    if not isinstance(numbers, Numbers):
        raise Malformed(
            f"{find_game(rules.game).title} has no observation in numbers: it would register one as "
            f'`Game.formats["numbers"]`, a faceup.core.numbers.Numbers',
            what=rules.game,
            where="game",
        )
    return numbers


class Part(NamedTuple):
    """Where a piece stands in the vector: `vector[at].reshape(piece.shape) * piece.high` is what it holds."""

    piece: Piece
    at: slice


class Observer:
    """Turns states into what the seats see. One for each setting of the rules: see `observer`.

    Attributes:
        parts: the pieces and their places, own ones first.
        size: numbers in the vector of a seat.
        space: the vectors, float32 from 0 to 1.
        state_space: the vectors of the whole state: the public pieces, then each seat's own.
    """

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self._numbers = numbers_of(rules)
        own, public = self._numbers.own(rules), self._numbers.public(rules)
        self.parts = _parts((*own, *public))
        self.size = self.parts[-1].at.stop
        self._own = sum(prod(piece.shape) for piece in own)
        self._own_scale, self._public_scale = _scale(own), _scale(public)
        turns = [_turned(public, seat) for seat in range(rules.seats)]
        self._turns = np.array(turns, dtype=np.intp).reshape(rules.seats, -1)
        # All seats' own numbers and then the public ones, in a line: what to divide them by, and who sees which where.
        self._scale = np.concatenate([np.tile(self._own_scale, rules.seats), self._public_scale])
        mine = np.arange(rules.seats * self._own, dtype=np.intp).reshape(rules.seats, self._own)
        self._sights = np.concatenate([mine, self._turns + mine.size], axis=1)
        self.space = Box(0.0, 1.0, (self.size,), np.float32)
        self.state_space = Box(0.0, 1.0, (self.size + (rules.seats - 1) * self._own,), np.float32)

    def seats(self, state: State, views: list[View]) -> Floats:
        """What each seat sees: `[seats, size]`. `views` are the seats' own."""
        rules, write_own = self.rules, self._numbers.write_own
        numbers = [write_own(rules, view) for view in views]
        numbers.append(self._numbers.write_public(rules, rules.view(state, None)))
        line: Floats = np.frombuffer(b"".join(numbers), np.float32) * self._scale
        seen: Floats = line.take(self._sights)
        return seen

    def _public(self, state: State) -> Floats:
        numbers = self._numbers.write_public(self.rules, self.rules.view(state, None))
        public: Floats = np.frombuffer(numbers, np.float32) * self._public_scale
        return public

    def seat(self, state: State, seat: Seat, *, own: bool = True, public: bool = True) -> Floats:
        """What one seat sees: `[size]`; with zeros in its own or the public pieces if they are not asked for."""
        seen = np.zeros(self.size, np.float32)
        if own:
            mine = self._numbers.write_own(self.rules, self.rules.view(state, seat))
            seen[: self._own] = np.frombuffer(mine, np.float32) * self._own_scale
        if public:
            seen[self._own :] = self._public(state)[self._turns[seat]]
        return seen

    def lanes(self, pieces: Mapping[str, NDArray[Any]], seat: Seat) -> Floats:
        """What one seat sees in each game of a batch: `[B, size]`.

        Args:
            pieces: the numbers by name, `[B, *shape]` each, of own pieces `[B, seats, *shape]`.
            seat: who sees.
        """
        seen = np.empty((len(next(iter(pieces.values()))), self.size), np.float32)
        for part, mine in self.owned():
            numbers = pieces[part.piece.name]
            if mine:
                numbers = numbers[:, seat]
            elif part.piece.seat_axis is not None:
                numbers = np.roll(numbers, -seat, axis=1 + part.piece.seat_axis)
            seen[:, part.at] = numbers.reshape(len(seen), -1)
            if part.piece.high != 1:
                seen[:, part.at] *= np.float32(1 / part.piece.high)
        return seen

    def owned(self) -> list[tuple[Part, bool]]:
        """The parts, and whether they are the seat's own."""
        return [(part, part.at.stop <= self._own) for part in self.parts]

    def state(self, state: State) -> Floats:
        """The whole truth, for those who train with it: the vector of seat 0, then the other seats' own pieces."""
        seen = self.seats(state, [self.rules.view(state, seat) for seat in range(self.rules.seats)])
        return np.concatenate([seen[0], seen[1:, : self._own].ravel()])


def _parts(pieces: tuple[Piece, ...]) -> tuple[Part, ...]:
    parts, at = [], 0
    for piece in pieces:
        parts.append(Part(piece, slice(at, at + prod(piece.shape))))
        at += prod(piece.shape)
    return tuple(parts)


def _scale(pieces: tuple[Piece, ...]) -> Floats:
    return np.array([1 / piece.high for piece in pieces for _ in range(prod(piece.shape))], np.float32)


def _turned(pieces: tuple[Piece, ...], seat: Seat) -> list[int]:
    """From the index in the observer's vector to the index in the public numbers, whose seats are in their order."""
    turned: list[int] = []
    for piece, at in _parts(pieces):
        places = np.arange(at.start, at.stop).reshape(piece.shape)
        if piece.seat_axis is not None:
            places = np.roll(places, -seat, axis=piece.seat_axis)
        turned += places.ravel().tolist()
    return turned


_observer = lru_cache(maxsize=64)(Observer)


def observer(rules: AnyRules) -> Observer:
    """The observer for these rules, made once."""
    return _observer(cast("Hashable", rules))  # rules are frozen values, which the protocol cannot say


def layout(rules: AnyRules) -> str:
    """The pieces as a table in Markdown: where in the vector, shape, what to multiply by, and meaning.

    >>> from faceup.core import make
    >>> print(layout(make("niuniu seats=2")).splitlines()[2])
    | `choosing` | 0..1 | 2 seats | 1 | 1 for each seat whose throw is awaited |
    """
    lines = ["| piece | numbers | shape | times | meaning |", "| --- | --- | --- | --- | --- |"]
    for piece, at in observer(rules).parts:
        shape = " x ".join(
            f"{size} seats" if axis == piece.seat_axis else str(size) for axis, size in enumerate(piece.shape)
        )
        lines.append(f"| `{piece.name}` | {at.start}..{at.stop - 1} | {shape} | {piece.high} | {piece.meaning} |")
    return "\n".join(lines)
