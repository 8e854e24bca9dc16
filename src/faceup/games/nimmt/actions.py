"""The actions of 6 nimmt! as integers.

Actions 0 to 103 play a card: action n plays card n + 1. Actions from 104 on take a row: action n takes row n - 104.
"""

from typing import Final

from faceup.core.values import Action
from faceup.games.nimmt.cards import MOST_CARDS, Card

TAKE: Final[Action] = MOST_CARDS
"""The action that takes row 0."""


def play(card: Card) -> Action:
    """Return the action that plays a card.

    >>> play(57)
    56
    """
    return card - 1


def take(row: int) -> Action:
    """Return the action that takes a row.

    >>> take(2)
    106
    """
    return TAKE + row
