"""Kernels that place cards on the rows of one table; `kernels` explains the numbers of rows."""

from typing import Final

import numpy as np

from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.cards import HEADS

_HEADS: Final = np.array(HEADS, np.int64)
_CONTENT: Final = 0x01FF
_LONGER: Final = 51


@kernel
def ascending(numbers: Array) -> Array:
    """Return the indexes of a few numbers in ascending order of the numbers, int64.

    Unlike `numpy.argsort`, which numba compiles for each type of array, it adds little to the time of compilation.
    """
    order = np.empty(len(numbers), np.int64)
    for index in range(len(numbers)):
        place = index
        while place > 0 and numbers[order[place - 1]] > numbers[index]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = index
    return order


@kernel
def row_below(card: Word, rows: Array) -> Word:
    """Return the index of the row with the greatest tail below the card; -1 if it is below all tails."""
    index_below = -1
    for index in range(len(rows)):
        if np.int64(rows[index]) >> 9 < card and (index_below < 0 or rows[index] > rows[index_below]):
            index_below = index
    return index_below


@kernel
def cheapest_row(rows: Array) -> Word:
    """Return the index of the first row with the fewest heads."""
    cheapest = 0
    for index in range(1, len(rows)):
        if (rows[index] & _CONTENT) % _LONGER < (rows[cheapest] & _CONTENT) % _LONGER:
            cheapest = index
    return cheapest


@kernel
def place_card(capacity: Word, card: Word, row_choice: Word, rows: Array) -> Word:
    """Place a card, and return the heads that its seat takes.

    Args:
        capacity: the most cards in a row.
        card: the card.
        row_choice: the row that the seat takes if the card is below all tails; -1 for the first of the cheapest rows.
        rows: uint16 [rows], updated in place: the numbers of the rows.
    """
    number = np.int64(card)
    index = row_below(number, rows)
    is_low = index < 0
    if is_low:
        index = row_choice if row_choice >= 0 else cheapest_row(rows)
    content, heads = np.int64(rows[index]) & _CONTENT, np.int64(0)
    if is_low or content // _LONGER + 1 >= capacity:
        heads = content % _LONGER
        content = np.int64(-_LONGER)
    rows[index] = number << 9 | (content + _LONGER + _HEADS[number])
    return heads


@kernel
def place_cards(capacity: Word, cards: Array, row_choice: Word, rows: Array, heads: Array) -> None:
    """Place a card of each seat, 0 for none, and add the heads that the seats take; see `place_card`."""
    for seat in ascending(cards):
        if cards[seat] > 0:
            heads[seat] += place_card(capacity, cards[seat], row_choice, rows)
