"""The arrays in which the engine keeps its lanes, and those in which it shows them."""

from typing import Final

import numpy as np

from faceup.games.lane_arrays import Piece, memory_of
from faceup.games.nimmt import cards
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.parameters import MOST_ROWS
from faceup.games.nimmt.rules import Rules

ROW: Final = 16
WAITING: Final = 32
TAKEN: Final = 48
ASIDE: Final = 64
"""Where a card is, as all know: 0 unseen, ROW + row, WAITING + seat, TAKEN + seat, or ASIDE."""

CHANCE_DUE: Final = 0
CHOOSE: Final = 1
TAKE_ROW: Final = 2
OVER: Final = 3
"""What a lane waits for: a deal, all seats' cards, one seat's row, or nothing any more."""

OPTIONS: Final = TAKE + MOST_ROWS
"""The actions that there are under any rules."""

ANYONE: Final = 254
NOBODY: Final = 255
"""What `held` has, in place of a seat, at the rows of these rules, which any seat may take; and what it never has."""

HEADS: Final = np.array(cards.HEADS, np.int32)


def observations(rules: Rules) -> tuple[Piece, ...]:
    """What `Engine.observe` shows."""
    seats, rows = (rules.seats,), (rules.rows,)
    return (
        Piece("hands", (*seats, MOST_CARDS), np.bool_, "row s, which is for seat s alone: whether it holds card c + 1"),
        Piece(
            "cards",
            (MOST_CARDS,),
            np.uint8,
            "where card c + 1 is, as all know: 0 unseen, 16 + row, 32 + seat that has revealed it and waits, "
            "48 + seat that has taken it, 64 set aside",
        ),
        Piece("rows", (*rows, rules.capacity), np.uint8, "the cards of each row from its first to its tail, then 0"),
        Piece("lengths", rows, np.uint8, "the number of cards in each row"),
        Piece("heads", seats, np.int32, "each seat's heads, of all deals so far"),
        Piece("sizes", seats, np.uint8, "the number of cards in each hand"),
        Piece("revealed", seats, np.uint8, "the card that each seat played last in this deal, 0 for none"),
        Piece("plays", seats, np.uint8, "those of them that are still to be placed, else 0"),
        Piece("gone", seats, np.uint8, "0, or 1 for the seats that went out first, 2 for those after them, ..."),
        Piece("acts", seats, np.bool_, "whose decision is awaited"),
        Piece("phase", (), np.uint8, "what is awaited: 0 a deal, 1 everyone's card, 2 a seat's row, 3 nothing"),
        Piece("finished", (), np.int32, "the deals of this match that are over"),
    )


def inner(rules: Rules) -> tuple[Piece, ...]:
    """What the engine keeps besides."""
    seats = (rules.seats,)
    return (
        Piece(
            "held",
            (OPTIONS,),
            np.uint8,
            "1 + the seat that holds card c + 1, those that are out included; 0 for none; from action 104 on, ANYONE "
            "for each row",
        ),
        Piece("dealt", (rules.dealt,), np.uint8, "the cards of the last deal, in the order of `Deal.cards`"),
        Piece("numbers", (), np.int64, "the deals that this lane has had, of all its matches"),
        Piece("fresh", (), np.bool_, "whether the last step dealt"),
        Piece("ended", (), np.bool_, "whether the last step ended a match"),
        Piece("final", seats, np.int32, "the heads at the end of that match"),
        Piece("mask", (rules.seats, TAKE + rules.rows), np.bool_, "the legal actions"),
    )


def memory(rules: Rules, lanes: int) -> int:
    """The bytes that an engine of so many lanes takes.

    >>> from faceup.core import make
    >>> memory(make("nimmt"), 4096) < 10_000_000
    True
    """
    return memory_of((*observations(rules), *inner(rules)), lanes)
