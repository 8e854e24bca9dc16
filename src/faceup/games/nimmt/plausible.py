"""The actions that a person would consider: every beginner counts the heads of rows.

A level that makes mistakes chooses among these actions.
"""

from collections.abc import Mapping
from typing import Final

from faceup.core.values import Action
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import Card, total
from faceup.games.nimmt.parameters import Parameters
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import seen_cards

ROW_HEADS: Final = 1
"""How many heads a chosen row may have more than the cheapest row."""

CARD_HEADS: Final = 3
"""The heads from which on a card that almost certainly takes a row is left out."""

SAFE: Final = 0.1
"""The greatest probability of taking a row this turn with which a card is safe."""

ALMOST_CERTAIN: Final = 0.8
"""The least probability of taking a row this turn with which any card almost certainly takes one."""


def plausible_actions(rules: Parameters, view: View, risks: Mapping[Action, float]) -> tuple[Action, ...]:
    """Return the legal actions that a person would consider, at least one.

    If the seat must take a row, these are the rows with at most `ROW_HEADS` more heads than the cheapest row.

    Otherwise, a card almost certainly takes a row if its row is full, or if it takes one with a probability of at
    least `ALMOST_CERTAIN`. Another card is *safe* if it takes a row with a probability of at most `SAFE`, or if the
    cards that could come between cannot fill its row. With a safe card in hand, cards that almost certainly take a row
    of at least `CARD_HEADS` heads are left out.

    Args:
        rules: the rules.
        view: the view of a seat that is to act.
        risks: for each legal action, the probability that the seat takes a row this turn.
    """
    if view.waiting:
        prices = {action: total(view.rows[action - TAKE]) for action in view.legal}
        return tuple(action for action in view.legal if prices[action] <= min(prices.values()) + ROW_HEADS)
    safe, costly = set[Action](), set[Action]()
    for action in view.legal:
        card = action + 1
        index = row_for(view.rows, card)
        row = view.rows[index if index >= 0 else cheapest_row(view.rows)]
        room = rules.capacity - len(row) if index >= 0 else 0
        if len(row) == rules.capacity or risks[action] >= ALMOST_CERTAIN:
            # Each card that fills the row before it is taken has at least one head.
            costly |= {action} if total(row) + room >= CARD_HEADS else set()
        elif risks[action] <= SAFE or (room and cards_between(view, row[-1], card) < room):
            safe.add(action)
    return tuple(action for action in view.legal if not safe or action not in costly)


def cards_between(view: View, tail: Card, card: Card) -> int:
    """Return the number of cards that the view's seat has not seen between the tail of a row and a card."""
    visible = {*seen_cards(view), *view.hand}
    return sum(1 for other in range(tail + 1, card) if other not in visible)
