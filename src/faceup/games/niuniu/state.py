"""What a match of Niu Niu is at any moment, and what happens in it. Nothing in it is secret."""

from collections.abc import Sequence
from typing import TypeAlias

from faceup.core import Event, Outcome, Seat, State, View
from faceup.games.niuniu.hand import Hand

Dice: TypeAlias = tuple[int, ...]
"""One seat's five dice, in the order of the throw."""

Throw: TypeAlias = tuple[Dice, ...]
"""Everyone's dice, by seat."""


class NiuNiuState(State, frozen=True):
    """A match so far.

    Attributes:
        played: throws made.
        won: throws won, by seat.
        statistics: sums of the hands' statistics scores, by seat.
        in_air: everyone has thrown, and chance has yet to say what the dice show.
        log: the throws, oldest first.
    """

    played: int
    won: tuple[int, ...]
    statistics: tuple[int, ...]
    in_air: bool = False
    log: tuple[Throw, ...] = ()

    def _repr_svg_(self) -> str:
        """As a notebook shows it."""
        from faceup.games.niuniu.drawing import draw  # noqa: PLC0415 -- which draws what is defined here

        return draw(self)


class NiuNiuView(View, frozen=True):
    """What anyone may know of a match: all of it. The fields are those of `NiuNiuState`."""

    played: int
    won: tuple[int, ...]
    statistics: tuple[int, ...]
    in_air: bool
    log: tuple[Throw, ...]

    def _repr_svg_(self) -> str:
        """As a notebook shows it."""
        from faceup.games.niuniu.drawing import draw  # noqa: PLC0415 -- which draws what is defined here

        return draw(self)


class DiceShow(Outcome, frozen=True):
    """Chance's answer to a throw: everyone's dice, by seat."""

    dice: Throw


class Threw(Event, frozen=True, tag="threw"):
    """A seat's dice came to rest."""

    seat: Seat
    dice: Dice
    hand: Hand

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        shown = " ".join(map(str, self.dice))
        if self.hand.triple is None or self.hand.rest is None:
            return f"{names[self.seat]} throws {shown}: No Niu."
        triple, rest = (" + ".join(map(str, part)) for part in (self.hand.triple, self.hand.rest))
        why = f"{triple} is {sum(self.hand.triple)}, {rest} is {sum(self.hand.rest)}"
        return f"{names[self.seat]} throws {shown}: {self.hand.name} ({why})."


class ThrowWon(Event, frozen=True, tag="throw_won"):
    """One seat alone had the most points."""

    seat: Seat
    name: str

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return f"{names[self.seat]} wins the throw with {self.name}."


class ThrowDrawn(Event, frozen=True, tag="throw_drawn"):
    """Several seats shared the most points, so nobody won the throw."""

    seats: tuple[Seat, ...]
    name: str

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        return f"The throw is a draw: {_listed(self.seats, names)} have {self.name}."


class MatchWon(Event, frozen=True, tag="match_won"):
    """The last throw was made; these seats won the most throws."""

    seats: tuple[Seat, ...]
    won: int

    def words(self, names: Sequence[str]) -> str:
        """The fact as one sentence."""
        throws = f"{self.won} throw{'' if self.won == 1 else 's'}"
        if len(self.seats) == 1:
            return f"{names[self.seats[0]]} wins the match with {throws}."
        return f"The match is shared by {_listed(self.seats, names)}, with {throws} each."


def _listed(seats: Sequence[Seat], names: Sequence[str]) -> str:
    return f"{', '.join(names[seat] for seat in seats[:-1])} and {names[seats[-1]]}"
