"""Actions as dense small integers: 0..103 play card n + 1; from 104 on, take row n - 104."""

from typing import Final

from faceup.core.values import Action
from faceup.games.nimmt.cards import MOST_CARDS, Card

TAKE: Final[Action] = MOST_CARDS
"""The action that takes row 0."""


def play(card: Card) -> Action:
    """The action that plays a card.

    >>> play(57)
    56
    """
    return card - 1


def take(row: int) -> Action:
    """The action that takes a row.

    >>> take(2)
    106
    """
    return TAKE + row
