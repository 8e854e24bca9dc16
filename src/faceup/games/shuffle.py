"""Shuffles as sequences of equally likely choices (Fisher-Yates from the top).

Choice i, one of `range(n - i)`, picks the card that is swapped to place i from those not placed yet. The last of n
cards has only choice 0, so n - 1 choices shuffle them all; fewer choices put only the first cards in order.
"""

from collections.abc import Sequence

from faceup.core.errors import Malformed


def apply_shuffle(cards: Sequence[int], choices: Sequence[int]) -> tuple[int, ...]:
    """Return the cards in the order that the choices produce.

    Raises:
        Malformed: a choice is out of range.

    >>> apply_shuffle((10, 20, 30), (2, 1))
    (30, 10, 20)
    """
    order = list(cards)
    size = len(order)
    for place, choice in enumerate(choices):
        if not 0 <= choice < size - place:
            raise Malformed(
                f"choice {place} must be 0 to {size - place - 1}; got {choice}", what=choice, where="choices"
            )
        other = place + choice
        order[place], order[other] = order[other], order[place]
    return tuple(order)


def shuffle_choices(cards: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """Return the choices that put these distinct cards first, in this order; the inverse of `apply_shuffle`.

    >>> shuffle_choices((10, 20, 30), (30, 10, 20))
    (2, 1, 0)
    """
    rest = list(cards)
    choices = []
    for place, card in enumerate(order):
        at = rest.index(card, place)
        choices.append(at - place)
        rest[place], rest[at] = rest[at], rest[place]
    return tuple(choices)
