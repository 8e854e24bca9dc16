"""Kernels that play whole deals of 6 nimmt!, a block of lanes at a time.

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
from faceup.games.nimmt.parameters import MOST_ROWS

BLOCK: Final = 256
"""Number of lanes in a block, chosen so that the data of a block fits in the processor's first-level cache."""

STRIP: Final = 32
"""Number of lanes that are shuffled together; a cache line holds as many cards."""

RANDOM: Final = 0
LOWEST: Final = 1
HIGHEST: Final = 2
GREEDY: Final = 3

PER_DEAL: Final = 64
"""Number of random words per deal.

The words of deal d of a lane are 64 d + 1 to 64 d + 64. From the first word upwards, each word is used to deal three
cards; from the last word downwards, each word is used to choose rows in eight turns.
"""
CARDS_PER_WORD: Final = 3
ROWS_PER_WORD: Final = 8

OVER: Final = 1 << 24
"""Number added to the deal count of a lane with a finished match, while other lanes of its block continue."""

ROWS_PER_SEAT: Final[Word] = np.uint64(4)
"""Number of rows of each seat in the counts of `play_deals`."""

LOST: Final = 16
"""Number added to the place of a seat that did not win in the counts of `play_deals`."""

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
    number = deal * np.uint64(PER_DEAL)
    for place in range(np.uint64(0), dealt, np.uint64(CARDS_PER_WORD)):
        number += _ONE
        n = np.uint64(len(fresh)) - place
        here = place * _SIZE
        for lane in range(_SIZE):
            product = fraction(keys[lane], number) * n
            picks[here + lane] = np.uint8(product >> FRACTION_BITS)
            product = (product & FRACTION) * (n - _ONE)
            picks[here + lane + _SIZE] = np.uint8(product >> FRACTION_BITS)
            product = (product & FRACTION) * (n - np.uint64(2))
            picks[here + lane + np.uint64(2) * _SIZE] = np.uint8(product >> FRACTION_BITS)
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
def draw_rows(deal: Word, turn: Word, rows: Word, keys: Array, left: Array, wanted: Array) -> None:
    """Draw a random row for each lane; the lowest card's seat takes it if it must take a row and plays at random."""
    if turn % np.uint64(ROWS_PER_WORD) == np.uint64(0):
        number = (deal + _ONE) * np.uint64(PER_DEAL) - turn // np.uint64(ROWS_PER_WORD)
        for lane in range(_SIZE):
            left[lane] = fraction(keys[lane], number)
    for lane in range(_SIZE):
        product = left[lane] * rows
        wanted[lane] = np.uint16(product >> FRACTION_BITS)
        left[lane] = product & FRACTION


@kernel
def exchange(low: Word, high: Word, cards: Array) -> None:
    """Exchange two cards in each lane, if the one at index `low` is the greater."""
    for lane in range(_SIZE):
        one, other = cards[low + lane], cards[high + lane]
        cards[low + lane] = min(one, other)
        cards[high + lane] = max(one, other)


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
        here = place * _SIZE
        for lane in range(_SIZE):
            card = cards[here + lane]
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
        here = place * _SIZE
        for lane in range(_SIZE):
            one, other = cards[first + lane], cards[here + lane]
            found = np.uint16(other >> np.uint16(9)) == np.uint16(best[lane] & np.uint32(127))
            cards[first + lane] = pick(found, other, one)
            cards[here + lane] = pick(found, one, other)


@kernel
def reveal(turn: Word, hand: Word, seats: Word, cards: Array, plays: Array) -> None:
    """Write the cards of a turn, with their seats, to `plays` in ascending order."""
    for seat in range(seats):
        here, source = seat * _SIZE, (seat * hand + turn) * _SIZE
        tag = np.uint16(seat << np.uint64(3))
        for lane in range(_SIZE):
            plays[here + lane] = np.uint16(cards[source + lane] | tag)
    sort_lanes(plays, _ZERO, seats, False)


@kernel
def choose_cheapest(opening: Word, randomly: Word, rows: Array, plays: Array, wanted: Array) -> None:
    """Set `wanted` to the first of the cheapest rows, unless the seat of the lowest card chooses at random."""
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        cheapest = np.uint16(0xFFFF)
        for index in range(count):
            heads = np.uint16(np.uint16(rows[index * _SIZE + lane] & _LOW) % _LONGER)
            cheapest = min(cheapest, np.uint16(np.uint16(heads << np.uint16(3)) | np.uint16(index)))
        seat = np.uint16(np.uint16(plays[lane] & _SEAT) >> np.uint16(3))
        free = np.uint16(np.uint16(randomly >> seat) & np.uint16(1)) != _NONE
        wanted[lane] = pick(free, wanted[lane], np.uint16(cheapest & np.uint16(7)))


@kernel
def force(opening: Word, rows: Array, plays: Array, wanted: Array, forced: Array, prize: Array) -> None:
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
            chosen = pick(wanted[lane] == np.uint16(index), row, chosen)
        forced[lane] = pick(np.uint16(plays[lane] & _CARD) < lowest, chosen, _NONE)
        prize[lane] = np.uint8(np.uint16(np.uint16(chosen & _LOW) % _LONGER) | _CHOSEN)


@kernel
def place(opening: Word, here: Word, most: Word, rows: Array, plays: Array, forced: Array, got: Array) -> None:
    """Place one card in each lane, and store in `got` what it takes.

    `most` is the low part of the number of a full row, without the bits of the heads. `forced` is None if no card can
    be below all tails. If a card forces its seat to take a row, `got` must already be set.
    """
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        card = np.uint16(plays[here + lane] & np.uint16(_CARD | _HEADS))
        target = _NONE if forced is None else forced[lane]
        low = target != _NONE
        for index in range(count):
            row = rows[index * _SIZE + lane]
            target = max(target, pick(row < card, row, _NONE))
        content = np.uint16(target & _LOW)
        full = content >= most
        taken = np.uint8(pick(full, np.uint16(np.uint16(content - most) | _FULL), _NONE))
        got[here + lane] = taken if forced is None else pick(low, got[here + lane], taken)
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
def tally(seats: Word, plays: Array, got: Array, owners: Array, mine: Array, taken: Array) -> None:
    """Add what each card of a turn took, `got`, to the total of the seat that played it.

    `got` and the next two arrays, which are overwritten, have an even number of places. Two seats and two cards at a
    time need fewer loads and stores.
    """
    for index in range(seats * _SIZE):
        owners[index] = np.uint8(plays[index] & _SEAT)
    mine[:] = 0
    for seat in range(_ZERO, seats, _TWO):
        here, there = seat * _SIZE, (seat + _ONE) * _SIZE
        tag, next_tag = np.uint8(seat << np.uint64(3)), np.uint8((seat + _ONE) << np.uint64(3))
        for order in range(_ZERO, seats, _TWO):
            first, second = order * _SIZE, (order + _ONE) * _SIZE
            for lane in range(_SIZE):
                owner, other_owner = owners[first + lane], owners[second + lane]
                one, other = got[first + lane], got[second + lane]
                mine[here + lane] |= pick(owner == tag, one, _EMPTY) | pick(other_owner == tag, other, _EMPTY)
                mine[there + lane] |= pick(owner == next_tag, one, _EMPTY) | pick(
                    other_owner == next_tag, other, _EMPTY
                )
    for index in range(seats * _SIZE):
        found = np.uint16(mine[index])
        chosen, full = np.uint16(found & _CHOSEN), np.uint16(found & _FULL)
        counts = np.uint16(np.uint16(chosen << np.uint16(2)) | np.uint16(full << np.uint16(5)))
        taken[index] += np.uint16(np.uint16(found & _TAKEN_HEADS) | counts)


@kernel
def keep_deal(offset: Word, deal: Word, cards: Array, dealt_cards: Array) -> None:
    """Record the cards that were dealt in a block."""
    for lane in range(min(BLOCK, len(dealt_cards) - offset)):
        for index in range(dealt_cards.shape[2]):
            dealt_cards[offset + lane, deal, index] = cards[index * BLOCK + lane] >> 9


@kernel
def keep_turn(
    offset: Word, deal: Word, turn: Word, cards: Array, wanted: Array, forced: Array, played: Array, rows_taken: Array
) -> None:
    """Record the cards and rows that the seats of a block chose in a turn."""
    hand, seats = played.shape[2], played.shape[3]
    for lane in range(min(BLOCK, len(played) - offset)):
        rows_taken[offset + lane, deal, turn] = wanted[lane] if forced[lane] else -1
        for seat in range(seats):
            played[offset + lane, deal, turn, seat] = cards[(seat * hand + turn) * BLOCK + lane] >> 9


@kernel
def close_deal(
    offset: Word,
    deal: Word,
    limit: Word,
    target: Word,
    taken: Array,
    heads: Array,
    full: Array,
    chosen: Array,
    deals: Array,
) -> Word:
    """Add the results of a deal to the lanes of a block that are not over; return how many lanes continue."""
    unfinished = 0
    for lane in range(offset, min(offset + BLOCK, len(heads))):
        if deals[lane] != deal:
            continue
        worst = 0
        for seat in range(heads.shape[1]):
            got = taken[seat * BLOCK + lane - offset]
            heads[lane, seat] += got & 0xFF
            chosen[lane, seat] += (got >> 8) & 0xF
            full[lane, seat] += got >> 12
            worst = max(worst, heads[lane, seat])
        deals[lane] = deal + 1
        if deal + 1 == limit or (target and worst >= target):
            deals[lane] += OVER
        else:
            unfinished += 1
    return unfinished


@kernel
def close_counted(
    deal: Word, limit: Word, target: Word, lanes: Word, taken: Array, heads: Array, rows: Array, deals: Array
) -> Word:
    """Do as `close_deal` for the first `lanes` of a block whose results are counted, in the layout of `taken`."""
    seats = np.uint64(len(taken)) // _SIZE
    for seat in range(seats):
        here = seat * _SIZE
        for lane in range(_SIZE):
            got = np.int32(pick(deals[lane] == np.int32(deal), taken[here + lane], _NONE))
            heads[here + lane] += got & np.int32(0xFF)
            chosen, full = np.int32(got >> np.int32(8)) & np.int32(0xF), got >> np.int32(12)
            rows[here + lane] += chosen | np.int32(full << np.int32(16))
    unfinished = 0
    for lane in range(lanes):
        if deals[lane] != deal:
            continue
        worst = 0
        if target:
            for seat in range(seats):
                worst = max(worst, heads[seat * _SIZE + lane])
        deals[lane] = deal + 1
        if deal + 1 == limit or (target and worst >= target):
            deals[lane] += OVER
        else:
            unfinished += 1
    return unfinished


@kernel
def count_results(
    lanes: Word, heads: Array, rows: Array, deals: Array, places: Array, winners: Array, counts: Array
) -> None:
    """Add the results of a block to `counts`; see `play_deals`. `places` and `winners` are overwritten."""
    seats = np.uint64(len(heads)) // _SIZE
    places[:] = 1
    winners[:] = 0
    for seat in range(seats):
        here = seat * _SIZE
        for other in range(seats):
            there = other * _SIZE
            for lane in range(_SIZE):
                places[here + lane] += np.uint8(heads[there + lane] < heads[here + lane])
        for lane in range(_SIZE):
            winners[lane] += np.uint8(places[here + lane] == np.uint8(1))
    for seat in range(seats):
        row, here = ROWS_PER_SEAT * seat, seat * _SIZE
        for lane in range(_SIZE):
            first = places[here + lane] == np.uint8(1)
            places[here + lane] = pick(first, winners[lane], np.uint8(places[here + lane] + np.uint8(LOST)))
        for lane in range(np.uint64(lanes)):
            taken = np.uint64(rows[here + lane])
            counts[row, np.uint64(heads[here + lane])] += 1
            counts[row + _ONE, taken >> np.uint64(16)] += 1
            counts[row + _TWO, taken & np.uint64(0xFFFF)] += 1
            counts[row + np.uint64(3), np.uint64(places[here + lane])] += 1
    for lane in range(lanes):
        counts[ROWS_PER_SEAT * seats, np.uint64(deals[lane] - OVER)] += 1


@kernel
def play_deals(
    opening: Word, fresh: Array, policies: Array, numbers: Array, seed: Word, first: Word, lanes: Word, counts: Array,
    heads: Array, full: Array, chosen: Array, deals: Array, dealt: Array, played: Array, rows_taken: Array,
) -> None:  # fmt: skip
    """Play the lanes from `first` on until each match is over, and count their results or keep them.

    Args:
        opening: a tuple with at least as many elements as there are rows. Only its length matters, because it is known
            at compile time.
        fresh: the cards in play, as kernel numbers, ascending, uint16 [cards].
        policies: number of each seat's policy, uint8 [seats].
        numbers: the parameters rows, hand, capacity, deals and target, int64 [5].
        seed: seed of the deals, numpy.uint64.
        first: number of the first lane, numpy.uint64.
        lanes: number of lanes.
        counts: int64 [4 * seats + 1, numbers]: how often each number occurred, updated in place. Seat s has four rows
            from row 4 * s on: heads, full rows taken, rows taken by choice, and the number of winners if the seat won,
            or else `LOST` + its place. The last row has the deals. If this array has no rows, results are kept, not
            counted.
        heads: int32 [lanes, seats]: heads of each seat. This array and the next three must be 0 at first; they are
            not used if results are counted.
        full: int32 [lanes, seats]: full rows taken.
        chosen: int32 [lanes, seats]: rows taken by choice.
        deals: int32 [lanes]: number of deals that were played.
        dealt: uint8 [lanes, deals, seats * hand + rows]: the cards dealt. If this array and the next two have no lanes,
            nothing is recorded.
        played: uint8 [lanes, deals, hand, seats]: the card that each seat played in each turn.
        rows_taken: int8 [lanes, deals, hand]: the row that was chosen in each turn; -1 if none was.
    """
    seats, count, hand = np.uint64(len(policies)), np.uint64(numbers[0]), np.uint64(numbers[1])
    size = seats * hand + count
    most = np.uint16((numbers[2] - 1) * 51)
    randomly = np.uint16(0)
    for seat in range(len(policies)):
        if policies[seat] == RANDOM:
            randomly |= np.uint16(1 << seat)
    cards = np.empty(int(size) * BLOCK, np.uint16)
    picks = np.empty((int(size) + CARDS_PER_WORD) * BLOCK, np.uint8)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    plays, taken = np.empty(len(policies) * BLOCK, np.uint16), np.empty(len(policies) * BLOCK, np.uint16)
    keys, left, best = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32)
    wanted, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), got_for(len(policies))
    block_heads, block_rows = np.empty(len(plays), np.int32), np.empty(len(plays), np.int32)
    block_deals, places, winners = np.empty(BLOCK, np.int32), np.empty(len(plays), np.uint8), np.empty(BLOCK, np.uint8)
    for offset in range(0, lanes, BLOCK):
        deal, unfinished, block = 0, 1, min(BLOCK, lanes - offset)
        block_heads[:], block_rows[:], block_deals[:] = 0, 0, 0
        make_keys(seed, first + np.uint64(offset), keys)
        while unfinished:
            number = np.uint64(deal)
            shuffle(number, fresh, size, cards, keys, picks)
            keep_deal(offset, deal, cards, dealt)
            rows[: int(count) * BLOCK] = cards[int(seats * hand) * BLOCK :]
            taken[:] = 0
            for seat in range(seats):
                if policies[seat] in (LOWEST, HIGHEST):
                    sort_lanes(cards, seat * hand, hand, policies[seat] == HIGHEST)
            for turn in range(hand):
                draw_rows(number, turn, count, keys, left, wanted)
                for seat in range(seats):
                    if policies[seat] == GREEDY:
                        play_greedily(opening, seat * hand + turn, hand - turn, most, rows, cards, best)
                reveal(turn, hand, seats, cards, plays)
                if randomly != np.uint16((1 << len(policies)) - 1):
                    choose_cheapest(opening, randomly, rows, plays, wanted)
                force(opening, rows, plays, wanted, forced, got)
                keep_turn(offset, deal, int(turn), cards, wanted, forced, played, rows_taken)
                place_all(opening, most, seats, rows, plays, forced, got, taken)
            if len(counts):
                unfinished = close_counted(
                    deal, numbers[3], numbers[4], block, taken, block_heads, block_rows, block_deals
                )
            else:
                unfinished = close_deal(offset, deal, numbers[3], numbers[4], taken, heads, full, chosen, deals)
            deal += 1
        if len(counts):
            count_results(block, block_heads, block_rows, block_deals, places, winners, counts)
    deals -= OVER
