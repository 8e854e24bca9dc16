"""State, view, outcomes and events of Niu Niu. Nothing is secret."""

from collections.abc import Sequence
from typing import TypeAlias

from faceup.core import Event, Outcome, Seat, State, View
from faceup.formatting import join_words, plural
from faceup.games import repr_svg
from faceup.games.niuniu.hand import Hand

Dice: TypeAlias = tuple[int, ...]
"""One seat's five dice, in the order of the throw."""

Throw: TypeAlias = tuple[Dice, ...]
"""Everyone's dice, by seat."""


class NiuNiuState(State, frozen=True):
    """The state of a match.

    Attributes:
        played: number of throws made.
        won: number of throws won, by seat.
        drawn: number of throws in which the seat shared the most points, by seat.
        statistics: sum of the hands' statistics points, by seat.
        in_air: whether everyone has thrown and the dice have not landed.
        log: the throws, oldest first.
    """

    played: int
    won: tuple[int, ...]
    drawn: tuple[int, ...]
    statistics: tuple[int, ...]
    in_air: bool = False
    log: tuple[Throw, ...] = ()

    _repr_svg_ = repr_svg


class NiuNiuView(View, frozen=True):
    """The view of a match, with all fields of `NiuNiuState`, since nothing is secret."""

    played: int
    won: tuple[int, ...]
    drawn: tuple[int, ...]
    statistics: tuple[int, ...]
    in_air: bool
    log: tuple[Throw, ...]

    _repr_svg_ = repr_svg


class DiceShow(Outcome, frozen=True):
    """The outcome of a throw: everyone's dice, by seat."""

    dice: Throw


class DiceThrown(Event, frozen=True, tag="threw"):
    """A seat's dice landed."""

    seat: Seat
    dice: Dice
    hand: Hand

    def words(self, names: Sequence[str]) -> str:
        shown = " ".join(map(str, self.dice))
        if self.hand.triple is None or self.hand.rest is None:
            return f"{names[self.seat]} throws {shown}: No Niu."
        triple, rest = (" + ".join(map(str, part)) for part in (self.hand.triple, self.hand.rest))
        why = f"{triple} is {sum(self.hand.triple)}, {rest} is {sum(self.hand.rest)}"
        return f"{names[self.seat]} throws {shown}: {self.hand.name} ({why})."


class ThrowWon(Event, frozen=True, tag="throw_won"):
    """One seat had the most points."""

    seat: Seat
    name: str

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} wins the throw with {self.name}."


class ThrowDrawn(Event, frozen=True, tag="throw_drawn"):
    """Several seats shared the most points: they drew the throw, and the others lost it."""

    seats: tuple[Seat, ...]
    name: str

    def words(self, names: Sequence[str]) -> str:
        return f"The throw is a draw between {join_words([names[seat] for seat in self.seats])}, with {self.name}."


class MatchWon(Event, frozen=True, tag="match_won"):
    """The match is over; these seats won the most throws and, among equals, drew the most throws."""

    seats: tuple[Seat, ...]
    won: int
    drawn: int

    def words(self, names: Sequence[str]) -> str:
        throws = plural(self.won, "throw")
        if self.drawn:
            throws += f" won and {self.drawn} drawn"
        if len(self.seats) == 1:
            return f"{names[self.seats[0]]} wins the match with {throws}."
        return f"The match is shared by {join_words([names[seat] for seat in self.seats])}, with {throws} each."


def reveal_time(events: Sequence[Event]) -> int:
    """Return how long the page shows a throw, in milliseconds: the times of `games/niuniu/niuniu-table.js`, and frames.

    >>> reveal_time(())
    0
    """
    seats = sum(isinstance(event, DiceThrown) for event in events)
    return 4700 + 270 * seats if seats else 0
