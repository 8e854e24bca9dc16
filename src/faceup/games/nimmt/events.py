"""The events of 6 nimmt!, and a sentence for each."""

from collections.abc import Sequence

from faceup.core.values import Event, Seat
from faceup.formatting import join_words, plural
from faceup.games.nimmt.cards import Card, Row, total


class Dealt(Event, frozen=True, tag="dealt", gc=False):
    """A seat was dealt its hand, which only that seat may see."""

    seat: Seat
    hand: Row

    @property
    def audience(self) -> tuple[Seat, ...]:
        """Return the seat that was dealt the hand."""
        return (self.seat,)

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]} is dealt {' '.join(map(str, self.hand)) or 'nothing'}."


class Opened(Event, frozen=True, tag="opened", gc=False):
    """A deal started. `deal` is its number, from 1; `cards` has the first card of each row."""

    deal: int
    cards: Row

    def words(self, names: Sequence[str]) -> str:
        del names
        return f"Deal {self.deal}: the rows open with {' '.join(map(str, self.cards)) or 'nothing'}."


class Revealed(Event, frozen=True, tag="revealed", gc=False):
    """All chosen cards were revealed. `plays` has each seat's card, or 0 for a seat that is out."""

    plays: tuple[Card, ...]

    def words(self, names: Sequence[str]) -> str:
        cards = ", ".join(f"{names[seat]} {card}" for seat, card in enumerate(self.plays) if card)
        return f"Face up: {cards}."


class Placed(Event, frozen=True, tag="placed", gc=False):
    """A card was placed at the end of a row."""

    seat: Seat
    card: Card
    row: int

    def words(self, names: Sequence[str]) -> str:
        """Return the event as a sentence; rows count from 1."""
        return f"{names[self.seat]}'s {self.card} goes to row {self.row + 1}."


class Took(Event, frozen=True, tag="took", gc=False):
    """A seat took a row, and its card started the row again.

    `chosen` is true if the seat chose the row because its card was below all rows, and false if the row was full.
    """

    seat: Seat
    card: Card
    row: int
    cards: Row
    chosen: bool

    def words(self, names: Sequence[str]) -> str:
        """Return the event as a sentence; rows count from 1."""
        name = names[self.seat]
        why = "is below every row" if self.chosen else f"finds row {self.row + 1} full"
        cards = " ".join(map(str, self.cards)) or "nothing"
        return f"{name}'s {self.card} {why}: {name} takes {cards} ({plural(total(self.cards), 'head')})."


class Out(Event, frozen=True, tag="out", gc=False):
    """Seats forfeited in the same decision and are out of the match."""

    seats: tuple[Seat, ...]

    def words(self, names: Sequence[str]) -> str:
        return f"{join_words([names[seat] for seat in self.seats])} {'is' if len(self.seats) == 1 else 'are'} out."


class SetAside(Event, frozen=True, tag="set_aside", gc=False):
    """A revealed card will not be placed and counts for no seat."""

    seat: Seat
    card: Card

    def words(self, names: Sequence[str]) -> str:
        return f"{names[self.seat]}'s {self.card} is set aside."


class DealOver(Event, frozen=True, tag="deal_over", gc=False):
    """A deal ended. `heads` has each seat's heads in this deal, and `match` each seat's heads in all deals so far."""

    heads: tuple[int, ...]
    match: tuple[int, ...]

    def words(self, names: Sequence[str]) -> str:
        deal = ", ".join(f"{name} {count}" for name, count in zip(names, self.heads, strict=False))
        if self.match == self.heads:
            return f"The deal is over. Heads: {deal}."
        return f"The deal is over. Heads: {deal}; in all: {', '.join(map(str, self.match))}."


class Won(Event, frozen=True, tag="won", gc=False):
    """The match is over, and these seats share the first place."""

    seats: tuple[Seat, ...]

    def words(self, names: Sequence[str]) -> str:
        winners = [names[seat] for seat in self.seats]
        return f"{winners[0]} wins." if len(winners) == 1 else f"{join_words(winners)} share the win."


def reveal_time(events: Sequence[Event]) -> int:
    """Return how long the page shows these events, in milliseconds: the times of `games/nimmt/reveal.js`, and frames.

    >>> reveal_time([Revealed((12, 5)), Placed(0, 12, 1)])
    2280
    """
    return sum(map(_time, events))


def _time(event: Event) -> int:
    match event:
        case Opened(deal=deal, cards=cards) if deal > 1:  # no turn precedes the first deal
            return 400 + 90 * len(cards)
        case Revealed(plays=plays):
            return 1500 + 60 * len(plays)
        case Placed():
            return 660
        case Took(chosen=True, cards=cards):
            return 1700 + 70 * len(cards)
        case Took():
            return 3100
        case Out() | SetAside():
            return 350
        case DealOver():
            return 3050
        case _:
            return 0
