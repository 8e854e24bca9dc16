"""Place revealed cards in the rows."""

from collections.abc import Sequence

from faceup.core.values import Event, Seat
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.events import Placed, Took


def row_for(rows: Sequence[Row], card: Card) -> int:
    """Return the index of the row with the greatest tail below the card; -1 if the card is below all tails.

    >>> row_for([(5,), (6, 7), (88,), (29,)], 37)
    3
    """
    best, greatest = -1, 0
    for index, row in enumerate(rows):
        if greatest < row[-1] < card:
            best, greatest = index, row[-1]
    return best


def cheapest_row(rows: Sequence[Row]) -> int:
    """Return the index of the row with the fewest heads; of several such rows, the first."""
    costs = [total(row) for row in rows]
    return costs.index(min(costs))


class PlacingTable:
    """The rows and the cards taken while a turn is being placed; mutable and short-lived.

    Attributes:
        rows: the current rows.
        taken: the cards each seat has taken, in the order taken.
        heads: each seat's heads.
        events: the events of the turn so far, in order.
    """

    __slots__ = ("capacity", "events", "heads", "rows", "taken")

    def __init__(
        self, rows: Sequence[Row], capacity: int, taken: Sequence[Row], heads: Sequence[int], events: list[Event]
    ) -> None:
        self.rows = list(rows)
        self.capacity = capacity
        self.taken = list(taken)
        self.heads = list(heads)
        self.events = events

    def place(self, cards: Sequence[tuple[Card, Seat]]) -> int:
        """Place the cards in their order, until a card is below all tails.

        Args:
            cards: (card, seat) pairs, ascending.

        Returns:
            The number of cards placed. If it is less than the number of cards given, the seat of the first card that
            was not placed must choose a row.
        """
        rows, events, capacity = self.rows, self.events, self.capacity
        for done, (card, seat) in enumerate(cards):
            # This is `row_for`, inlined because games spend most of their time here.
            best, greatest = -1, 0
            for index, row in enumerate(rows):
                if greatest < row[-1] < card:
                    best, greatest = index, row[-1]
            if best < 0:
                return done
            row = rows[best]
            if len(row) < capacity:
                rows[best] = (*row, card)
                events.append(Placed(seat, card, best))
            else:
                self.take(seat, card, best, chosen=False)
        return len(cards)

    def take(self, seat: Seat, card: Card, row: int, *, chosen: bool) -> None:
        """Let the seat take the row, and start the row again with the seat's card."""
        cards = self.rows[row]
        self.rows[row] = (card,)
        self.taken[seat] += cards
        self.heads[seat] += sum([HEADS[card] for card in cards])
        self.events.append(Took(seat, card, row, cards, chosen))
