"""Playing cards. A card is the number rank * 4 + suit, from 0 (two of clubs) to 51 (ace of spades)."""

from functools import lru_cache
from typing import Final, TypeAlias

from faceup.core import Malformed, plural

Card: TypeAlias = int
"""rank * 4 + suit; rank 0 is the two and rank 12 the ace; suits 0 to 3 are clubs, diamonds, hearts, spades."""

Pile: TypeAlias = tuple[Card, ...]
"""Cards in order, the top one first."""

RANKS: Final = "23456789TJQKA"
SUITS: Final = "CDHS"
CARD_NAMES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""Each card in two letters, from "2C" to "AS"."""

_CARDS: Final = {word: card for card, word in enumerate(CARD_NAMES)}
_RANK_NAMES: Final = (*"23456789", "10", "jack", "queen", "king", "ace")
_SUIT_NAMES: Final = ("clubs", "diamonds", "hearts", "spades")


@lru_cache
def deck(per_suit: int = 13, suits: int = 4) -> Pile:
    """Return the deck of the lowest `per_suit` ranks and the first `suits` suits: 2C, 2D, 2H, 2S, 3C ..."""
    return tuple(rank * 4 + suit for rank in range(per_suit) for suit in range(suits))


def card(word: str) -> Card:
    """Parse a card from two letters. Raises `Malformed`.

    >>> card("td")
    33
    """
    number = _CARDS.get(word.upper())
    if number is None:
        raise Malformed(
            f"{word!r} is not a card: write one of {RANKS} and one of {SUITS}, such as TD", what=word, where="card"
        )
    return number


def named(card_: Card) -> str:
    """Return the name of the card.

    >>> named(33)
    'the 10 of diamonds'
    """
    rank, suit = rank_and_suit(card_)
    return f"the {rank} of {suit}"


def rank_and_suit(card_: Card) -> tuple[str, str]:
    """Return the names of the card's rank and suit.

    >>> rank_and_suit(33)
    ('10', 'diamonds')
    """
    return _RANK_NAMES[card_ >> 2], _SUIT_NAMES[card_ & 3]


def check_cards(cards: Pile, expected: Pile, what: str) -> None:
    """Raise `Malformed` unless `cards` are `expected` in some order; the message names the wrong cards."""
    if len(cards) == len(expected) and set(cards) == set(expected):
        return
    faults = []
    if len(cards) != len(expected):
        faults.append(f"got {len(cards)}")
    for fault, wrong in (
        ("twice", [card_ for card_ in sorted(set(cards)) if cards.count(card_) > 1]),
        ("missing", [card_ for card_ in expected if card_ not in cards]),
        ("unexpected", sorted(set(cards) - set(expected))),
    ):
        if wrong:
            shown = " ".join(_word(card_) for card_ in wrong[:6])
            faults.append(f"{fault}: {shown}{f' and {len(wrong) - 6} more' if len(wrong) > 6 else ''}")
    raise Malformed(
        f"{what} must be {plural(len(expected), 'different card')}; {'; '.join(faults)}", what=cards, where=what
    )


def _word(card_: Card) -> str:
    return CARD_NAMES[card_] if 0 <= card_ < len(CARD_NAMES) else str(card_)
