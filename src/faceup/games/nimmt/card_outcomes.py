"""The outcome of each card of the last turn, derived from the cards on the table."""

from typing import Literal, TypeAlias

import msgspec

from faceup.core.values import Seat
from faceup.games.nimmt.cards import Card
from faceup.games.nimmt.state import View

Kind: TypeAlias = Literal["fits", "took", "low", "waits", "swept", "aside"]


class CardOutcome(msgspec.Struct, frozen=True):
    """The outcome of one revealed card.

    Attributes:
        card: the card.
        seat: the seat that played it.
        kind: "fits" if the card joined a row; "took" if its seat took a row and the card started the row again; "low"
            if the card is below all rows and its seat must take a row; "waits" if the card is still to be placed;
            "swept" if the card was placed and then taken in the same turn; "aside" if the card was set aside.
        row: the row that the card is in; -1 if it is in no row.
        by: the seat that took the card; -1 if no seat took it.
    """

    card: Card
    seat: Seat
    kind: Kind
    row: int = -1
    by: Seat = -1


def card_outcomes(view: View) -> tuple[CardOutcome, ...]:
    """Return the outcome of each card of the last turn, in ascending order of the cards.

    While a seat must choose a row, return only the outcomes of the revealed cards that are still to be placed.

    >>> from faceup.core import make
    >>> rules = make("nimmt:cowheadking seats=2 hand=1")
    >>> view = rules.from_text("view=- sizes=0,0 rows=5,7/6/88/29,44 opening=5,6,88,29 log=7,44")
    >>> [(outcome.card, outcome.seat, outcome.kind, outcome.row) for outcome in card_outcomes(view)]
    [(7, 0, 'fits', 0), (44, 1, 'fits', 3)]
    """
    if view.waiting:
        (low, seat), *others = view.waiting
        return (CardOutcome(low, seat, "low"), *(CardOutcome(card, seat, "waits") for card, seat in others))
    if not view.log:
        return ()
    return tuple(
        _outcome(view, card, seat)
        for card, seat in sorted((card, seat) for seat, card in enumerate(view.log[-1].plays))
        if card
    )


def _outcome(view: View, card: Card, seat: Seat) -> CardOutcome:
    for index, row in enumerate(view.rows):
        if card in row:
            return CardOutcome(card, seat, "took" if row[0] == card else "fits", row=index)
    for other, taken in enumerate(view.taken):
        if card in taken:
            return CardOutcome(card, seat, "swept", by=other)
    return CardOutcome(card, seat, "aside")
