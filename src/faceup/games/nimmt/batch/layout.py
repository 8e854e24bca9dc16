"""The layout of the batch engine's arrays, some of which are observed by seats and some internal."""

from typing import Final

import numpy as np

from faceup.games.lanes import ArrayPiece
from faceup.games.nimmt import cards
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.parameters import MOST_ROWS
from faceup.games.nimmt.rules import Rules

ROW: Final = 16
WAITING: Final = 32
TAKEN: Final = 48
ASIDE: Final = 64
"""Values of the array `cards`, which has the place of each card as far as everyone knows it.

The value is 0 for an unseen card; otherwise it is ROW + row, WAITING + seat, TAKEN + seat, or ASIDE.
"""

OPTIONS: Final = TAKE + MOST_ROWS
"""Number of actions under the rules with the most rows."""

ANYONE: Final = 254
NO_SEAT: Final = 255
"""Special values for `held`.

ANYONE marks a row, which any seat may take. NO_SEAT never occurs in `held`, so that no action is legal for a seat that
is not to act.
"""

HEADS: Final = np.array(cards.HEADS, np.int32)


def observations(rules: Rules) -> tuple[ArrayPiece, ...]:
    """List the arrays that `Engine.observe` returns."""
    seats, rows = (rules.seats,), (rules.rows,)
    return (
        ArrayPiece(
            "hands",
            (*seats, MOST_CARDS),
            np.bool_,
            "whether seat s holds card c + 1; only seat s may see its own values",
        ),
        ArrayPiece(
            "cards",
            (MOST_CARDS,),
            np.uint8,
            "where card c + 1 is, as far as everyone knows: 0 unseen, 16 + row, 32 + seat if it is revealed and not "
            "placed, 48 + seat that has taken it, 64 set aside",
        ),
        ArrayPiece(
            "rows", (*rows, rules.capacity), np.uint8, "the cards of each row from its first to its tail, then 0"
        ),
        ArrayPiece("lengths", rows, np.uint8, "the number of cards in each row"),
        ArrayPiece("heads", seats, np.int32, "each seat's heads, of all deals so far"),
        ArrayPiece("sizes", seats, np.uint8, "the number of cards in each hand"),
        ArrayPiece("revealed", seats, np.uint8, "the card that each seat played last in this deal, 0 for none"),
        ArrayPiece("plays", seats, np.uint8, "the card of `revealed` if it is not placed yet, else 0"),
        ArrayPiece(
            "gone",
            seats,
            np.uint8,
            "0 for a seat in the match, 1 for the seats that went out first, 2 for the next ones, and so on",
        ),
        ArrayPiece("acts", seats, np.bool_, "whether a decision of the seat is due"),
        ArrayPiece(
            "phase",
            (),
            np.uint8,
            "0 if a deal is due, 1 a card from every seat, 2 a row from one seat, 3 nothing, as the match is over",
        ),
        ArrayPiece("finished", (), np.int32, "the number of finished deals of this match"),
    )


def internal(rules: Rules) -> tuple[ArrayPiece, ...]:
    """List the engine's internal arrays."""
    seats = (rules.seats,)
    return (
        ArrayPiece(
            "held",
            (OPTIONS,),
            np.uint8,
            "for the action that plays card c + 1: 1 + the seat that holds this card, even if the seat is out, or 0 if "
            "no seat holds it; for the action that takes a row: ANYONE",
        ),
        ArrayPiece("dealt", (rules.dealt,), np.uint8, "the cards of the last deal, in the order of `Deal.cards`"),
        ArrayPiece("numbers", (), np.int64, "the number of deals in all matches of this lane so far"),
        ArrayPiece("fresh", (), np.bool_, "whether the last step dealt"),
        ArrayPiece("ended", (), np.bool_, "whether the last step ended a match"),
        ArrayPiece("final", seats, np.int32, "each seat's heads at the end of the match that the last step ended"),
        ArrayPiece("mask", (rules.seats, TAKE + rules.rows), np.bool_, "the legal actions"),
    )
