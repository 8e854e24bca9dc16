"""What became of the cards of the last turn, as far as the table shows it."""

from typing import Literal, TypeAlias

import msgspec

from faceup.core.values import Seat
from faceup.games.nimmt.cards import Card
from faceup.games.nimmt.state import View

Kind: TypeAlias = Literal["fits", "took", "low", "waits", "swept", "aside"]


class Fate(msgspec.Struct, frozen=True):
    """One revealed card.

    Attributes:
        card: the card.
        seat: whose it is.
        kind: it joined a row; it took one; it is below all rows and its seat takes one; it waits to be placed; it was
            placed and then taken in the same turn; or it was set aside.
        row: for a card on the table.
        by: for a card that was taken.
    """

    card: Card
    seat: Seat
    kind: Kind
    row: int = -1
    by: Seat = -1


def fates(view: View) -> tuple[Fate, ...]:
    """The cards of the turn that waits, or else of the last one, ascending.

    >>> from faceup.core import make
    >>> rules = make("nimmt:cowheadking seats=2 hand=1")
    >>> view = rules.from_text("view=- sizes=0,0 rows=5,7/6/88/29,44 opening=5,6,88,29 log=7,44")
    >>> [(fate.card, fate.seat, fate.kind, fate.row) for fate in fates(view)]
    [(7, 0, 'fits', 0), (44, 1, 'fits', 3)]
    """
    if view.waiting:
        (low, seat), *others = view.waiting
        return (Fate(low, seat, "low"), *(Fate(card, seat, "waits") for card, seat in others))
    if not view.log:
        return ()
    return tuple(
        _fate(view, card, seat)
        for card, seat in sorted((card, seat) for seat, card in enumerate(view.log[-1].plays))
        if card
    )


def _fate(view: View, card: Card, seat: Seat) -> Fate:
    for index, row in enumerate(view.rows):
        if card in row:
            return Fate(card, seat, "took" if row[0] == card else "fits", row=index)
    for other, taken in enumerate(view.taken):
        if card in taken:
            return Fate(card, seat, "swept", by=other)
    return Fate(card, seat, "aside")
