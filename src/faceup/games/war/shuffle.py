"""An order of cards as a sequence of equally likely choices: Fisher and Yates's shuffle, from the top.

Choice number i, one of `range(n - i)`, says which of the cards not yet laid comes to place i, by swapping it there. The
last card has no choice, so n cards are n - 1 choices.
"""

from collections.abc import Sequence


def arranged(cards: Sequence[int], choices: Sequence[int]) -> tuple[int, ...]:
    """The order that the choices make of these cards.

    >>> arranged((10, 20, 30), (2, 1))
    (30, 10, 20)
    """
    order = list(cards)
    for place, choice in enumerate(choices):
        order[place], order[place + choice] = order[place + choice], order[place]
    return tuple(order)


def choices_of(cards: Sequence[int], order: Sequence[int]) -> tuple[int, ...]:
    """The choices that make this order of these different cards: the inverse of `arranged`.

    >>> choices_of((10, 20, 30), (30, 10, 20))
    (2, 1)
    """
    now = list(cards)
    choices = []
    for place, card in enumerate(order[:-1]):
        at = now.index(card, place)
        choices.append(at - place)
        now[place], now[at] = now[at], now[place]
    return tuple(choices)
