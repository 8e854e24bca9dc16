"""What there is to know of a game of 6 nimmt!: the whole truth, and what one seat may see of it."""

import msgspec

from faceup.core import values
from faceup.core.values import Seat
from faceup.games.nimmt.cards import Card, Row


class Turn(msgspec.Struct, frozen=True, gc=False):
    """One turn as everybody saw it.

    Attributes:
        plays: the card of each seat; 0 for a seat that is out.
        row: the row that the lowest card's seat chose to take; -1 if it did not have to, or has not yet.
    """

    plays: tuple[Card, ...]
    row: int = -1


class State(values.State, frozen=True, gc=False):
    """The whole truth. Every tuple by seat has an element for each seat, those that are out included.

    Attributes:
        hands: each seat's cards, ascending; empty tuples before the first deal.
        rows: the rows on the table; none before the first deal.
        taken: what each seat has taken in this deal, in the order taken.
        heads: each seat's heads, of all deals so far.
        waiting: the revealed (card, seat) still to be placed, ascending, while the first one's seat chooses a row.
        out: the seats that forfeited, grouped by decision, the earliest first.
        aside: revealed cards that count for nobody.
        earlier: the heads per seat of each finished deal.
        opening: the first card of each row in this deal.
        log: the turns of this deal; the last one may still be waiting for its row.
    """

    hands: tuple[Row, ...]
    rows: tuple[Row, ...]
    taken: tuple[Row, ...]
    heads: tuple[int, ...]
    waiting: tuple[tuple[Card, Seat], ...] = ()
    out: tuple[tuple[Seat, ...], ...] = ()
    aside: tuple[Card, ...] = ()
    earlier: tuple[tuple[int, ...], ...] = ()
    opening: tuple[Card, ...] = ()
    log: tuple[Turn, ...] = ()

    def _repr_svg_(self) -> str:
        """As a notebook shows it: every hand open."""
        from faceup.games.nimmt.drawing import draw  # noqa: PLC0415 -- which draws what is defined here

        return draw(self)


class View(values.View, frozen=True, gc=False):
    """What a seat, or a spectator, may know: as `State`, with one hand and the number of cards in the others.

    Attributes:
        hand: this seat's cards, ascending; empty for a spectator.
        sizes: the number of cards in each seat's hand.
    """

    hand: Row
    sizes: tuple[int, ...]
    rows: tuple[Row, ...]
    taken: tuple[Row, ...]
    heads: tuple[int, ...]
    waiting: tuple[tuple[Card, Seat], ...] = ()
    out: tuple[tuple[Seat, ...], ...] = ()
    aside: tuple[Card, ...] = ()
    earlier: tuple[tuple[int, ...], ...] = ()
    opening: tuple[Card, ...] = ()
    log: tuple[Turn, ...] = ()

    def _repr_svg_(self) -> str:
        """As a notebook shows it."""
        from faceup.games.nimmt.drawing import draw  # noqa: PLC0415 -- which draws what is defined here

        return draw(self)


class Deal(values.Outcome, frozen=True, tag="deal", gc=False):
    """The cards in the order dealt: seat 0's hand, seat 1's, ..., then one card for each row."""

    cards: tuple[Card, ...]
