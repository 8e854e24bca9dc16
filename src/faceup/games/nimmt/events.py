"""What happens in a game of 6 nimmt!, fact by fact, and each fact in words."""

from collections.abc import Sequence

from faceup.core.values import Event, Seat
from faceup.games.nimmt.cards import Card, Row, total


class Dealt(Event, frozen=True, tag="dealt", gc=False):
    """A seat got its hand; only the seat itself learns which."""

    seat: Seat
    hand: Row

    @property
    def audience(self) -> tuple[Seat, ...]:
        """The seat alone."""
        return (self.seat,)

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        return f"{names[self.seat]} is dealt {_list(self.hand)}."


class Opened(Event, frozen=True, tag="opened", gc=False):
    """A deal began: its number, from 1, and the first card of each row."""

    deal: int
    cards: Row

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        del names
        return f"Deal {self.deal}: the rows open with {_list(self.cards)}."


class Revealed(Event, frozen=True, tag="revealed", gc=False):
    """All chosen cards were turned face up: by seat, 0 for a seat that is out."""

    plays: tuple[Card, ...]

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        cards = ", ".join(f"{names[seat]} {card}" for seat, card in enumerate(self.plays) if card)
        return f"Face up: {cards}."


class Placed(Event, frozen=True, tag="placed", gc=False):
    """A card went to the end of a row."""

    seat: Seat
    card: Card
    row: int

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        return f"{names[self.seat]}'s {self.card} goes to row {self.row}."


class Took(Event, frozen=True, tag="took", gc=False):
    """A seat took a row, and its card became that row: `chosen` if it was too low, else the row was full."""

    seat: Seat
    card: Card
    row: int
    cards: Row
    chosen: bool

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        name = names[self.seat]
        why = "is below every row" if self.chosen else f"finds row {self.row} full"
        return f"{name}'s {self.card} {why}: {name} takes {_list(self.cards)} ({_heads(total(self.cards))})."


class Out(Event, frozen=True, tag="out", gc=False):
    """Seats forfeited in one decision and are out of the match."""

    seats: tuple[Seat, ...]

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        return f"{_and([names[seat] for seat in self.seats])} {'is' if len(self.seats) == 1 else 'are'} out."


class SetAside(Event, frozen=True, tag="set_aside", gc=False):
    """A revealed card will not be placed, and counts for nobody."""

    seat: Seat
    card: Card

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        return f"{names[self.seat]}'s {self.card} is set aside."


class DealOver(Event, frozen=True, tag="deal_over", gc=False):
    """A deal ended: the heads of this deal, and of the match so far, per seat."""

    heads: tuple[int, ...]
    match: tuple[int, ...]

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        deal = ", ".join(f"{name} {count}" for name, count in zip(names, self.heads, strict=False))
        if self.match == self.heads:
            return f"The deal is over. Heads: {deal}."
        return f"The deal is over. Heads: {deal}; in all: {', '.join(map(str, self.match))}."


class Won(Event, frozen=True, tag="won", gc=False):
    """The match is over, and these seats share the first place."""

    seats: tuple[Seat, ...]

    def words(self, names: Sequence[str]) -> str:
        """In one sentence."""
        winners = [names[seat] for seat in self.seats]
        return f"{winners[0]} wins." if len(winners) == 1 else f"{_and(winners)} share the win."


def _list(cards: Row) -> str:
    return " ".join(map(str, cards)) or "nothing"


def _heads(count: int) -> str:
    return "1 head" if count == 1 else f"{count} heads"


def _and(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
