"""The deck: cards 1..104 and their heads."""

from typing import Final, TypeAlias

Card: TypeAlias = int
"""A card of 6 nimmt! by the number on it, from 1."""

Row: TypeAlias = tuple[Card, ...]
"""A row from its first card to its tail."""

MOST_CARDS: Final = 104


def heads(card: Card) -> int:
    """The penalty on a card.

    Source: cowheadking, codingame-6-nimmt-arena.

    >>> [heads(card) for card in (55, 33, 50, 45, 44, 7)]
    [7, 5, 3, 2, 5, 1]
    """
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


HEADS: Final = tuple(heads(card) if card else 0 for card in range(MOST_CARDS + 1))
"""`heads` as a table; card 0 is no card and has none."""


def total(cards: Row) -> int:
    """The heads of some cards together.

    >>> total(tuple(range(1, 105)))
    171
    """
    return sum([HEADS[card] for card in cards])
