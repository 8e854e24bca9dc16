"""How revealed cards go to the rows: the heart of the game."""

from collections.abc import Sequence

from faceup.core.values import Event, Seat
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.events import Placed, Took


def row_for(rows: Sequence[Row], card: Card) -> int:
    """The row with the greatest tail below the card; -1 if the card is below all tails.

    >>> row_for([(5,), (6, 7), (88,), (29,)], 37)
    3
    """
    best, greatest = -1, 0
    for index, row in enumerate(rows):
        if greatest < row[-1] < card:
            best, greatest = index, row[-1]
    return best


def cheapest_row(rows: Sequence[Row]) -> int:
    """The row with the fewest heads, the first of equals."""
    costs = [total(row) for row in rows]
    return costs.index(min(costs))


class Table:
    """The rows and what each seat has taken while cards are being placed: the one mutable thing, and short-lived.

    Attributes:
        rows: the rows as they stand.
        taken: what each seat has taken, in the order taken.
        heads: each seat's heads.
        events: what happened, in order.
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
        """Place (card, seat) in the order given, which is ascending, until one is below all tails.

        Returns:
            How many were placed; less than all of them if the next card's seat has to choose a row.
        """
        rows, events, capacity = self.rows, self.events, self.capacity
        for done, (card, seat) in enumerate(cards):
            # row_for, written out: most of the time of a game is spent here.
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
        """The seat takes the row, and its card becomes that row."""
        cards = self.rows[row]
        self.rows[row] = (card,)
        self.taken[seat] += cards
        self.heads[seat] += sum([HEADS[each] for each in cards])
        self.events.append(Took(seat, card, row, cards, chosen))
