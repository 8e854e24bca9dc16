"""State and view of 6 nimmt!, and the deal as an outcome of chance."""

from typing import Any, Final

import msgspec

from faceup.core import values
from faceup.core.values import Seat
from faceup.games import repr_svg
from faceup.games.nimmt.cards import Card, Row


class Turn(msgspec.Struct, frozen=True, gc=False):
    """One turn, as all players saw it.

    Attributes:
        plays: each seat's card; 0 for a seat that is out.
        row: the row that the seat of the lowest card chose; -1 if this seat did not have to choose, or has not chosen
            yet.
    """

    plays: tuple[Card, ...]
    row: int = -1


class State(values.State, frozen=True, gc=False):
    """The full state, including hidden cards. Tuples by seat have an element for every seat, even if it is out.

    Attributes:
        hands: each seat's cards, ascending; empty tuples before the first deal.
        rows: the rows on the table; none before the first deal.
        taken: the cards that each seat has taken in this deal, in the order taken.
        heads: each seat's heads in the match so far: those of the finished deals, and of the cards in `taken`.
        waiting: (card, seat) pairs of the revealed cards that are still to be placed, ascending, while the seat of the
            first pair must choose a row; otherwise empty.
        out: the seats that forfeited, grouped by decision, earliest first.
        aside: revealed cards that were set aside and count for no seat.
        earlier: for each finished deal of the match, oldest first, the heads that each seat got in that deal alone.
        opening: the first card of each row in this deal.
        log: the turns of this deal, oldest first; in the last turn, a seat may still have to choose a row.
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

    _repr_svg_ = repr_svg


class View(values.View, frozen=True, gc=False):
    """The view of a seat or a spectator. It has the fields of `State`, but one hand and the size of each hand.

    Attributes:
        hand: this seat's cards, ascending; empty for a spectator, and for a seat that is out.
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

    _repr_svg_ = repr_svg


def face_up(view: View) -> frozenset[int]:
    """Return the cards that lie face up on the table: those in the rows, and the revealed ones still to be placed.

    >>> rows = ((5, 48), (20,))
    >>> sorted(face_up(View(None, (), (), hand=(9,), sizes=(1, 1), rows=rows, taken=(), heads=(), waiting=((3, 1),))))
    [3, 5, 20, 48]
    """
    return frozenset([card for row in view.rows for card in row] + [card for card, _ in view.waiting])


SHARED: Final = ("rows", "taken", "heads", "waiting", "out", "aside", "earlier", "opening", "log")
"""The fields that a state and its views have in common."""


def shared_fields(what: State | View) -> dict[str, Any]:  # Any: the fields have several types
    """Return the values of the fields in `SHARED`, by name."""
    return {name: getattr(what, name) for name in SHARED}


class Deal(values.Outcome, frozen=True, tag="deal", gc=False):
    """The cards in the order dealt: the hand of seat 0, the hand of seat 1 and so on, then one card for each row."""

    cards: tuple[Card, ...]
