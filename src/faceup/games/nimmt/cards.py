"""The deck of 6 nimmt!: the cards 1 to 104, and the heads on each card."""

from typing import Final, TypeAlias

Card: TypeAlias = int
"""A card of 6 nimmt!: the number on it, from 1."""

Row: TypeAlias = tuple[Card, ...]
"""The cards of a row, from the first card to the last one, which is called the tail; also the type of a hand."""

MOST_CARDS: Final = 104


def heads(card: Card) -> int:
    """Return the heads (penalty points) of a card.

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
"""The heads of each card, indexed by card; 0 means no card and has no heads."""


def total(cards: Row) -> int:
    """Return the total heads of some cards.

    >>> total(tuple(range(1, 105)))
    171
    """
    return sum([HEADS[card] for card in cards])
