"""What can be on the table: the deal, the state, the views and the events."""

from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from faceup.core import Event, Outcome, Seat, State, View

Cards: TypeAlias = tuple[int, ...]


class Deal(Outcome, frozen=True):
    """The hands and the prizes, in the order in which the cards are drawn."""

    hands: tuple[Cards, ...]
    prizes: Cards


class Round(msgspec.Struct, frozen=True):
    """A finished round: its prize, and the card of each seat."""

    prize: int
    bids: Cards


class Table(State, frozen=True):
    """Everything, including secrets. `hands` is empty before the deal, and `prizes[0]` is the prize of this round."""

    hands: tuple[Cards, ...]
    prizes: Cards
    points: tuple[int, ...]
    log: tuple[Round, ...] = ()


class Seen(View, frozen=True):
    """What one seat may know. `prize` is 0 before the deal and after the last round; a spectator has no hand."""

    hand: Cards
    prize: int
    points: tuple[int, ...]
    log: tuple[Round, ...]


class Dealt(Event, frozen=True, tag="dealt"):
    """A seat received its hand, which only this seat may see."""

    seat: Seat
    cards: Cards

    @property
    def audience(self) -> tuple[Seat, ...]:
        """Return the seat, which alone may see the event."""
        return (self.seat,)

    def words(self, names: Sequence[str]) -> str:
        """Return one sentence."""
        return f"{names[self.seat]} is dealt {' '.join(map(str, self.cards))}."


class Offered(Event, frozen=True, tag="offered"):
    """The next prize was turned up."""

    prize: int

    def words(self, names: Sequence[str]) -> str:
        """Return one sentence."""
        return f"The prize is {self.prize}."


class Bid(Event, frozen=True, tag="bid"):
    """A seat's card was revealed."""

    seat: Seat
    card: int

    def words(self, names: Sequence[str]) -> str:
        """Return one sentence."""
        return f"{names[self.seat]} bids {self.card}."


class Won(Event, frozen=True, tag="won"):
    """The highest card took the prize."""

    seat: Seat
    prize: int

    def words(self, names: Sequence[str]) -> str:
        """Return one sentence."""
        return f"{names[self.seat]} wins the prize of {self.prize}."
