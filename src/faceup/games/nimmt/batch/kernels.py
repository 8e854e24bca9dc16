"""Kernels for the steps of a deal of 6 nimmt!, a block of lanes at a time.

Every array holds the lanes side by side, `[..., BLOCK]`, flattened. Every loop over lanes is simple and free of
branches, so that the compiler turns it into vector instructions, each of which processes 32 lanes. The shuffle is an
exception, because its swaps depend on random numbers.

A card or a row is a number of 16 bits:

    bits 9..15  the card, or the row's tail
    bits 0..8   the heads of all cards of the row (50 at most, for 55, eight other multiples of 11, and a multiple of
                10), plus 51 for each card after the first

The tail is in the high bits, so that the row with the greater tail has the greater number, and a card goes to the row
with the greatest number below the card's number. When a card joins a row, the new row has the high bits of the card,
and its low bits are the sum of the low bits of the row and of the card, plus 51. The number of a card is also the
number of a row that has only this card. While the cards of a turn are sorted, each card has its seat in bits 3..6.

What a card takes is a number of 8 bits: the heads in bits 0..5, whether the row was chosen in bit 6, and whether it was
full in bit 7. What a seat takes in a deal is counted in 16 bits: the heads (171 at most) in bits 0..7, the number of
rows chosen in bits 8..11, and the number of full rows in bits 12..15.

Only the lowest card of a turn can be below all tails, so `force` looks only at this card.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import FRACTION, FRACTION_BITS, Array, Word, fraction, kernel, lane_key, pick
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.parameters import CARDS_PER_WORD, MOST_ROWS, WORDS_PER_DEAL

BLOCK: Final = 256
"""Number of lanes in a block, chosen so that the data of a block fits in the processor's first-level cache."""

STRIP: Final = 32
"""Number of lanes that are shuffled together; a cache line holds as many cards."""

RANDOM: Final = 0
LOWEST: Final = 1
HIGHEST: Final = 2
GREEDY: Final = 3

ROWS_PER_WORD: Final = 8

_USUAL_ROWS: Final = 4

NO_ROW: Final[Word] = np.uint16(0xFE00 | 509)
"""Placeholder for a row that the kernel has but the rules do not.

It is above every card, and no row has more heads.
"""


def opening_for(rows: int) -> tuple[int, ...]:
    """Return the `opening` argument for this number of rows, with one of two lengths, so that few kernels are compiled.

    >>> opening_for(4), len(opening_for(5))
    ((0, 0, 0, 0), 8)
    """
    return (0,) * (_USUAL_ROWS if rows <= _USUAL_ROWS else MOST_ROWS)


def card_word(card: Card) -> int:
    """Return the number of a card in the kernels."""
    return card << 9 | HEADS[card]


def card_words(cards: Iterable[Card]) -> npt.NDArray[np.uint16]:
    """Return the numbers of these cards in the kernels."""
    return np.array([card_word(card) for card in cards], np.uint16)


def row_word(row: Row) -> int:
    """Return the number of a row in the kernels."""
    return row[-1] << 9 | 51 * (len(row) - 1) + total(row)


_SIZE: Final[Word] = np.uint64(BLOCK)
_CARD: Final[Word] = np.uint16(0xFE00)
_LOW: Final[Word] = np.uint16(0x01FF)
_HEADS: Final[Word] = np.uint16(0x0007)
_SEAT: Final[Word] = np.uint16(0x0078)
_LONGER: Final[Word] = np.uint16(51)
_CHOSEN: Final[Word] = np.uint16(1 << 6)
_FULL: Final[Word] = np.uint16(1 << 7)
_NONE: Final[Word] = np.uint16(0)
_TAKEN_HEADS: Final[Word] = np.uint16(63)
_EMPTY: Final[Word] = np.uint8(0)
_ZERO: Final[Word] = np.uint64(0)
_ONE: Final[Word] = np.uint64(1)
_TWO: Final[Word] = np.uint64(2)


@kernel
def make_keys(seed: Word, first: Word, keys: Array) -> None:
    """Write the random keys of a block's lanes, from lane `first` on."""
    for lane in range(_SIZE):
        keys[lane] = lane_key(seed, first + lane)


@kernel
def shuffle(deal: Word, fresh: Array, dealt: Word, cards: Array, keys: Array, picks: Array) -> None:
    """Deal in each lane of a block: shuffle `fresh` (Fisher-Yates), and write the first `dealt` places to `cards`."""
    number = deal * np.uint64(WORDS_PER_DEAL)
    # A pick uses what the pick before it left of the word. `step_kernels.shuffle_lanes` and JAX use words in the same
    # way, because a seed must have the same deals there. Picks beyond the last place are not used.
    for place in range(np.uint64(0), dealt, np.uint64(CARDS_PER_WORD)):
        number += _ONE
        n = np.uint64(len(fresh)) - place
        slot = place * _SIZE
        for lane in range(_SIZE):
            product = fraction(keys[lane], number) * n
            picks[slot + lane] = np.uint8(product >> FRACTION_BITS)
            product = (product & FRACTION) * (n - _ONE)
            picks[slot + lane + _SIZE] = np.uint8(product >> FRACTION_BITS)
            product = (product & FRACTION) * (n - np.uint64(2))
            picks[slot + lane + np.uint64(2) * _SIZE] = np.uint8(product >> FRACTION_BITS)
    deck = fresh.copy()
    # Shuffle a strip of lanes at a time, because the cards of one lane are a power of two apart in memory and would
    # evict each other from the set-associative cache.
    strip = np.empty(int(dealt) * STRIP, np.uint16)
    for offset in range(np.uint64(0), _SIZE, np.uint64(STRIP)):
        for lane in range(np.uint64(STRIP)):
            for place in range(np.uint64(len(fresh))):
                deck[place] = fresh[place]
            for place in range(dealt):
                other = place + np.uint64(picks[place * _SIZE + offset + lane])
                strip[place * np.uint64(STRIP) + lane] = deck[other]
                deck[other] = deck[place]
        for place in range(dealt):
            for lane in range(np.uint64(STRIP)):
                cards[place * _SIZE + offset + lane] = strip[place * np.uint64(STRIP) + lane]


@kernel
def draw_rows(deal: Word, turn: Word, rows: Word, keys: Array, left: Array, row_choices: Array) -> None:
    """Draw a random row for each lane; the lowest card's seat takes it if it must take a row and plays at random."""
    if turn % np.uint64(ROWS_PER_WORD) == np.uint64(0):
        number = (deal + _ONE) * np.uint64(WORDS_PER_DEAL) - turn // np.uint64(ROWS_PER_WORD)
        for lane in range(_SIZE):
            left[lane] = fraction(keys[lane], number)
    for lane in range(_SIZE):
        product = left[lane] * rows
        row_choices[lane] = np.uint16(product >> FRACTION_BITS)
        left[lane] = product & FRACTION


@kernel
def exchange(low: Word, high: Word, cards: Array) -> None:
    """Exchange two cards in each lane, if the one at index `low` is the greater."""
    for lane in range(_SIZE):
        low_card, other = cards[low + lane], cards[high + lane]
        cards[low + lane] = min(low_card, other)
        cards[high + lane] = max(low_card, other)


@kernel
def sort_lanes(cards: Array, offset: Word, count: Word, descending: Word) -> None:
    """Sort `count` numbers from place `offset` on, in all lanes in parallel, by Batcher's merge exchange.

    Source: algorithm M in section 5.2.2 of Knuth's The Art of Computer Programming.
    """
    largest = _ONE
    while largest + largest < count:
        largest += largest
    group = largest
    while group:
        end, odd, distance = largest, _ZERO, group
        while distance:
            for step in range(count - min(distance, count)):
                if step & group != odd:
                    continue
                low = (offset + step) * _SIZE
                high = low + distance * _SIZE
                if descending:
                    low, high = high, low
                exchange(low, high, cards)
            distance = end - group
            end >>= _ONE
            odd = group
        group >>= _ONE


@kernel
def play_greedily(opening: Word, offset: Word, count: Word, most: Word, rows: Array, cards: Array, best: Array) -> None:
    """Move the card that policy `greedy` plays to place `offset`; the hand is the `count` places from `offset` on."""
    count_rows = np.uint64(len(opening))
    for lane in range(_SIZE):
        best[lane] = np.uint32(0xFFFFFFFF)
    for place in range(offset, offset + count):
        slot = place * _SIZE
        for lane in range(_SIZE):
            card = cards[slot + lane]
            under = _NONE
            cheapest = np.uint16(0xFFFF)
            for index in range(count_rows):
                row = rows[index * _SIZE + lane]
                under = max(under, pick(row < card, row, _NONE))
                cheapest = min(cheapest, np.uint16(np.uint16(row & _LOW) % _LONGER))
            full = pick(np.uint16(under & _LOW) >= most, np.uint16(np.uint16(under & _LOW) % _LONGER), _NONE)
            cost = np.uint32(pick(under == _NONE, cheapest, full))
            number = np.uint32(card >> np.uint16(9))
            gap = np.uint32(number - np.uint32(under >> np.uint16(9)))
            key = np.uint32(np.uint32(cost << np.uint32(14)) | np.uint32(gap << np.uint32(7)) | number)
            best[lane] = min(best[lane], key)
    first = offset * _SIZE
    for place in range(offset + _ONE, offset + count):
        slot = place * _SIZE
        for lane in range(_SIZE):
            first_card, other = cards[first + lane], cards[slot + lane]
            is_best = np.uint16(other >> np.uint16(9)) == np.uint16(best[lane] & np.uint32(127))
            cards[first + lane] = pick(is_best, other, first_card)
            cards[slot + lane] = pick(is_best, first_card, other)


@kernel
def reveal(turn: Word, hand: Word, seats: Word, cards: Array, plays: Array) -> None:
    """Write the cards of a turn, with their seats, to `plays` in ascending order."""
    for seat in range(seats):
        target, source = seat * _SIZE, (seat * hand + turn) * _SIZE
        tag = np.uint16(seat << np.uint64(3))
        for lane in range(_SIZE):
            plays[target + lane] = np.uint16(cards[source + lane] | tag)
    sort_lanes(plays, _ZERO, seats, False)


@kernel
def choose_cheapest(opening: Word, randomly: Word, rows: Array, plays: Array, row_choices: Array) -> None:
    """Set `wanted` to the first of the cheapest rows, unless the seat of the lowest card chooses at random."""
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        cheapest = np.uint16(0xFFFF)
        for index in range(count):
            heads = np.uint16(np.uint16(rows[index * _SIZE + lane] & _LOW) % _LONGER)
            cheapest = min(cheapest, np.uint16(np.uint16(heads << np.uint16(3)) | np.uint16(index)))
        seat = np.uint16(np.uint16(plays[lane] & _SEAT) >> np.uint16(3))
        free = np.uint16(np.uint16(randomly >> seat) & np.uint16(1)) != _NONE
        row_choices[lane] = pick(free, row_choices[lane], np.uint16(cheapest & np.uint16(7)))


@kernel
def force(opening: Word, rows: Array, plays: Array, row_choices: Array, forced: Array, prize: Array) -> None:
    """Compute the row that the lowest card is forced to take, and what its seat would take with the wanted row.

    `forced` receives the wanted row in each lane whose lowest card is below all tails, and 0 in the other lanes.
    `prize` receives the heads of the wanted row, counted as taken by choice.
    """
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        lowest, chosen = np.uint16(0xFFFF), _NONE
        for index in range(count):
            row = rows[index * _SIZE + lane]
            lowest = min(lowest, row)
            chosen = pick(row_choices[lane] == np.uint16(index), row, chosen)
        forced[lane] = pick(np.uint16(plays[lane] & _CARD) < lowest, chosen, _NONE)
        prize[lane] = np.uint8(np.uint16(np.uint16(chosen & _LOW) % _LONGER) | _CHOSEN)


@kernel
def place(opening: Word, block: Word, most: Word, rows: Array, plays: Array, forced: Array, got: Array) -> None:
    """Place one card in each lane, and store in `got` what it takes.

    `most` is the low part of the number of a full row, without the bits of the heads. `forced` is None if no card can
    be below all tails. If a card forces its seat to take a row, `got` must already be set.
    """
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        card = np.uint16(plays[block + lane] & np.uint16(_CARD | _HEADS))
        target = _NONE if forced is None else forced[lane]
        low = target != _NONE
        for index in range(count):
            row = rows[index * _SIZE + lane]
            target = max(target, pick(row < card, row, _NONE))
        content = np.uint16(target & _LOW)
        full = content >= most
        taken = np.uint8(pick(full, np.uint16(np.uint16(content - most) | _FULL), _NONE))
        got[block + lane] = taken if forced is None else pick(low, got[block + lane], taken)
        new = np.uint16(card + pick(low | full, _NONE, np.uint16(content + _LONGER)))
        for index in range(count):
            row = rows[index * _SIZE + lane]
            rows[index * _SIZE + lane] = pick(row == target, new, row)


@kernel
def got_for(seats: Word) -> Array:
    """Return the array `got` of `place_all` for this number of seats, with its scratch space."""
    even = (seats + 1) // 2 * 2
    return np.zeros(3 * even * BLOCK, np.uint8)


@kernel
def place_all(
    opening: Word, most: Word, seats: Word, rows: Array, plays: Array, forced: Array, got: Array, taken: Array
) -> None:
    """Place the revealed cards, lowest first, and add what each of them takes to the total of its seat.

    `forced` has the row that the lowest card must take, or 0; `got` has what the card takes with this row.
    """
    place(opening, _ZERO, most, rows, plays, forced, got)
    for order in range(_ONE, seats):
        place(opening, order * _SIZE, most, rows, plays, None, got)
    part = len(got) // 3
    tally(seats, plays, got[:part], got[part : 2 * part], got[2 * part :], taken)


@kernel
def tally(seats: Word, plays: Array, got: Array, owners: Array, sums: Array, taken: Array) -> None:
    """Add what each card of a turn took, `got`, to the total of the seat that played it.

    `got` and the next two arrays, which are overwritten, have an even number of places. Two seats and two cards at a
    time need fewer loads and stores.
    """
    for index in range(seats * _SIZE):
        owners[index] = np.uint8(plays[index] & _SEAT)
    sums[:] = 0
    for seat in range(_ZERO, seats, _TWO):
        own, there = seat * _SIZE, (seat + _ONE) * _SIZE
        tag, next_tag = np.uint8(seat << np.uint64(3)), np.uint8((seat + _ONE) << np.uint64(3))
        for order in range(_ZERO, seats, _TWO):
            first, second = order * _SIZE, (order + _ONE) * _SIZE
            for lane in range(_SIZE):
                owner, other_owner = owners[first + lane], owners[second + lane]
                first_entry, other = got[first + lane], got[second + lane]
                sums[own + lane] |= pick(owner == tag, first_entry, _EMPTY) | pick(other_owner == tag, other, _EMPTY)
                sums[there + lane] |= pick(owner == next_tag, first_entry, _EMPTY) | pick(
                    other_owner == next_tag, other, _EMPTY
                )
    for index in range(seats * _SIZE):
        total = np.uint16(sums[index])
        chosen, full = np.uint16(total & _CHOSEN), np.uint16(total & _FULL)
        counts = np.uint16(np.uint16(chosen << np.uint16(2)) | np.uint16(full << np.uint16(5)))
        taken[index] += np.uint16(np.uint16(total & _TAKEN_HEADS) | counts)
