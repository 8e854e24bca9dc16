"""Whole deals of 6 nimmt!, a block of lanes at a time.

Everything is an array with the lanes side by side, `[..., BLOCK]`, flattened, and every loop over lanes does one plain
thing to all of them without a branch, so that the compiler turns it into vector instructions, 32 lanes to one. The
exception is the shuffle, whose swaps go where chance says.

A card, and a row, fits in 16 bits:

    bits 9..15  the card, or the row's tail
    bits 0..8   51 for each card of a row after the first, plus their heads (50 at most: 55, eight more elevens, a ten)

The tail is on top, so that of two rows the greater number is the one with the greater tail, and a card's row is the
greatest number below its own. A row that takes a card keeps its low bits and adds the card's; a card on its own is
already a row. While the cards of a turn are sorted, each carries its seat in bits 3..6.

What a seat takes is added to 16 bits as well: heads of this deal (171 at most) in bits 0..7, rows chosen in bits
8..11, full rows in bits 12..15.

Only the lowest card of a turn can be below all tails; `force` looks at it alone.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import FRACTION, FRACTION_BITS, Array, Word, fraction, kernel, lane_key, pick
from faceup.games.nimmt.cards import HEADS, Card, Row, total
from faceup.games.nimmt.parameters import MOST_ROWS

BLOCK: Final = 256
"""Lanes in a block: all that is done to them stays in the processor's nearest memory."""

STRIP: Final = 32
"""Lanes that are shuffled together: as many cards as one line of memory holds."""

RANDOM: Final = 0
LOWEST: Final = 1
HIGHEST: Final = 2
GREEDY: Final = 3

PER_DEAL: Final = 64
"""Deal d of a lane has the words from 64 d + 1: three cards from each, then eight rows from each."""
CARDS_PER_WORD: Final = 3
ROWS_PER_WORD: Final = 8

OVER: Final = 1 << 24
"""Added to the number of deals of a lane that is over while the rest of its block plays on."""

_USUAL_ROWS: Final = 4

NO_ROW: Final[Word] = np.uint16(0xFE00 | 509)
"""Stands where there are fewer rows than the kernel is compiled for: above every card, and dearer than every row."""


def opening_for(rows: int) -> tuple[int, ...]:
    """What kernels take as `opening` for so many rows: of two lengths, so that at most two of each are compiled.

    >>> opening_for(4), len(opening_for(5))
    ((0, 0, 0, 0), 8)
    """
    return (0,) * (_USUAL_ROWS if rows <= _USUAL_ROWS else MOST_ROWS)


def card_word(card: Card) -> int:
    """A card as kernels have it."""
    return card << 9 | HEADS[card]


def row_word(row: Row) -> int:
    """A row as kernels have it."""
    return row[-1] << 9 | 51 * (len(row) - 1) + total(row)


_SIZE: Final[Word] = np.uint64(BLOCK)
_CARD: Final[Word] = np.uint16(0xFE00)
_LOW: Final[Word] = np.uint16(0x01FF)
_HEADS: Final[Word] = np.uint16(0x0007)
_SEAT: Final[Word] = np.uint16(0x0078)
_LONGER: Final[Word] = np.uint16(51)
_CHOSEN: Final[Word] = np.uint16(1 << 8)
_FULL: Final[Word] = np.uint16(1 << 12)
_NONE: Final[Word] = np.uint16(0)
_ONE: Final[Word] = np.uint64(1)


@kernel
def make_keys(seed: Word, first: Word, keys: Array) -> None:
    """The keys of a block's lanes, from lane `first` on."""
    for lane in range(_SIZE):
        keys[lane] = lane_key(seed, first + lane)


@kernel
def shuffle(deal: Word, fresh: Array, dealt: Word, cards: Array, keys: Array, picks: Array) -> None:
    """Deal to a block: the first `dealt` places of a Fisher-Yates shuffle of `fresh`."""
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
    # A strip of lanes at a time: the cards of one lane lie so far apart that they would drive each other out of the
    # nearest memory, which finds things by the lower part of their address.
    strip = np.empty(int(dealt) * STRIP, np.uint16)
    for begin in range(np.uint64(0), _SIZE, np.uint64(STRIP)):
        for lane in range(np.uint64(STRIP)):
            for place in range(np.uint64(len(fresh))):
                deck[place] = fresh[place]
            for place in range(dealt):
                other = place + np.uint64(picks[place * _SIZE + begin + lane])
                strip[place * np.uint64(STRIP) + lane] = deck[other]
                deck[other] = deck[place]
        for place in range(dealt):
            for lane in range(np.uint64(STRIP)):
                cards[place * _SIZE + begin + lane] = strip[place * np.uint64(STRIP) + lane]


@kernel
def draw_rows(deal: Word, turn: Word, rows: Word, keys: Array, left: Array, wanted: Array) -> None:
    """The row that each lane's lowest card takes this turn if it has to and its seat chooses at random."""
    if turn % np.uint64(ROWS_PER_WORD) == np.uint64(0):
        number = (deal + _ONE) * np.uint64(PER_DEAL) - turn // np.uint64(ROWS_PER_WORD)
        for lane in range(_SIZE):
            left[lane] = fraction(keys[lane], number)
    for lane in range(_SIZE):
        product = left[lane] * rows
        wanted[lane] = np.uint16(product >> FRACTION_BITS)
        left[lane] = product & FRACTION


@kernel
def sort_lanes(cards: Array, begin: Word, count: Word, descending: Word) -> None:
    """Sort `count` numbers from place `begin` on, in every lane at once, by exchanges of neighbours."""
    for done in range(count):
        for step in range(count - _ONE - done):
            low = (begin + step) * _SIZE
            high = low + _SIZE
            if descending:
                low, high = high, low
            for lane in range(_SIZE):
                one, other = cards[low + lane], cards[high + lane]
                cards[low + lane] = min(one, other)
                cards[high + lane] = max(one, other)


@kernel
def play_greedily(opening: Word, begin: Word, count: Word, most: Word, rows: Array, cards: Array, best: Array) -> None:
    """Bring the card that policy `greedy` plays to place `begin`; the hand is `count` places from there on."""
    count_rows = np.uint64(len(opening))
    for lane in range(_SIZE):
        best[lane] = np.uint32(0xFFFFFFFF)
    for place in range(begin, begin + count):
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
    first = begin * _SIZE
    for place in range(begin + _ONE, begin + count):
        here = place * _SIZE
        for lane in range(_SIZE):
            one, other = cards[first + lane], cards[here + lane]
            found = np.uint16(other >> np.uint16(9)) == np.uint16(best[lane] & np.uint32(127))
            cards[first + lane] = pick(found, other, one)
            cards[here + lane] = pick(found, one, other)


@kernel
def reveal(turn: Word, hand: Word, seats: Word, cards: Array, plays: Array) -> None:
    """The cards of a turn with their seats, ascending."""
    for seat in range(seats):
        here, hers = seat * _SIZE, (seat * hand + turn) * _SIZE
        tag = np.uint16(seat << np.uint64(3))
        for lane in range(_SIZE):
            plays[here + lane] = np.uint16(cards[hers + lane] | tag)
    sort_lanes(plays, np.uint64(0), seats, False)


@kernel
def choose_cheapest(opening: Word, randomly: Word, rows: Array, plays: Array, wanted: Array) -> None:
    """Where the lowest card's seat is not among those that choose randomly, it wants the first of the cheapest rows."""
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
    """Where the lowest card is below all tails: the row that it takes, elsewhere 0; and what that row would bring."""
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        lowest, chosen = np.uint16(0xFFFF), _NONE
        for index in range(count):
            row = rows[index * _SIZE + lane]
            lowest = min(lowest, row)
            chosen = pick(wanted[lane] == np.uint16(index), row, chosen)
        forced[lane] = pick(np.uint16(plays[lane] & _CARD) < lowest, chosen, _NONE)
        prize[lane] = np.uint16(np.uint16(np.uint16(chosen & _LOW) % _LONGER) | _CHOSEN)


@kernel
def place(opening: Word, here: Word, most: Word, rows: Array, plays: Array, forced: Array, got: Array) -> None:
    """Place one card in each lane. `got` is what its seat takes if the row is forced, and then what it takes.

    `most` is what the low bits of a full row come to without heads.
    """
    count = np.uint64(len(opening))
    for lane in range(_SIZE):
        card = np.uint16(plays[here + lane] & np.uint16(_CARD | _HEADS))
        target = forced[lane]
        low = target != _NONE
        for index in range(count):
            row = rows[index * _SIZE + lane]
            target = max(target, pick(row < card, row, _NONE))
        content = np.uint16(target & _LOW)
        full = content >= most
        taken = pick(full, np.uint16(np.uint16(content - most) | _FULL), _NONE)
        got[lane] = pick(low, got[lane], taken)
        new = np.uint16(card + pick(low | full, _NONE, np.uint16(content + _LONGER)))
        for index in range(count):
            row = rows[index * _SIZE + lane]
            rows[index * _SIZE + lane] = pick(row == target, new, row)


@kernel
def tally(here: Word, seats: Word, plays: Array, got: Array, taken: Array) -> None:
    """Add what was got to the seat whose card it was."""
    for seat in range(seats):
        hers = seat * _SIZE
        tag = np.uint16(seat << np.uint64(3))
        for lane in range(_SIZE):
            mine = np.uint16(plays[here + lane] & _SEAT) == tag
            taken[hers + lane] = np.uint16(taken[hers + lane] + pick(mine, got[lane], _NONE))


@kernel
def keep_deal(begin: Word, deal: Word, cards: Array, dealt_cards: Array) -> None:
    """Write down what a block was dealt."""
    for lane in range(min(BLOCK, len(dealt_cards) - begin)):
        for index in range(dealt_cards.shape[2]):
            dealt_cards[begin + lane, deal, index] = cards[index * BLOCK + lane] >> 9


@kernel
def keep_turn(
    begin: Word, deal: Word, turn: Word, cards: Array, wanted: Array, forced: Array, played: Array, rows_taken: Array
) -> None:
    """Write down what the seats of a block chose."""
    hand, seats = played.shape[2], played.shape[3]
    for lane in range(min(BLOCK, len(played) - begin)):
        rows_taken[begin + lane, deal, turn] = wanted[lane] if forced[lane] else -1
        for seat in range(seats):
            played[begin + lane, deal, turn, seat] = cards[(seat * hand + turn) * BLOCK + lane] >> 9


@kernel
def close_deal(
    begin: Word,
    deal: Word,
    limit: Word,
    target: Word,
    taken: Array,
    heads: Array,
    full: Array,
    chosen: Array,
    deals: Array,
) -> Word:
    """Add what a deal brought to the lanes of a block that are not over. How many of them go on?"""
    going = 0
    for lane in range(begin, min(begin + BLOCK, len(heads))):
        if deals[lane] != deal:
            continue
        worst = 0
        for seat in range(heads.shape[1]):
            got = taken[seat * BLOCK + lane - begin]
            heads[lane, seat] += got & 0xFF
            chosen[lane, seat] += (got >> 8) & 0xF
            full[lane, seat] += got >> 12
            worst = max(worst, heads[lane, seat])
        deals[lane] = deal + 1
        if deal + 1 == limit or (target and worst >= target):
            deals[lane] += OVER
        else:
            going += 1
    return going


@kernel
def play_deals(
    opening: Word, fresh: Array, policies: Array, numbers: Array, seed: Word, first: Word,
    heads: Array, full: Array, chosen: Array, deals: Array, dealt: Array, played: Array, rows_taken: Array,
) -> None:  # fmt: skip
    """Play the lanes from `first` on, as many as the results have, each until its match is over.

    Args:
        opening: a tuple of at least as many elements as there are rows: the number is known when this is compiled.
        fresh: the cards in play as numbers, ascending, uint16 [cards].
        policies: uint8 [seats].
        numbers: rows, hand, capacity, deals, target, int64 [5].
        seed: numpy.uint64.
        first: numpy.uint64.
        heads: int32 [lanes, seats], to be 0 at first, as the next three: what each seat got.
        full: int32 [lanes, seats]: full rows taken.
        chosen: int32 [lanes, seats]: rows taken by choice.
        deals: int32 [lanes]: the deals that were played.
        dealt: uint8 [lanes, deals, seats * hand + rows]: what was dealt; or of no lanes, and nothing is kept.
        played: uint8 [lanes, deals, hand, seats]: what each seat played, likewise.
        rows_taken: int8 [lanes, deals, hand]: the row chosen, -1 if none was, likewise.
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
    wanted, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    for begin in range(0, len(heads), BLOCK):
        deal, going = 0, 1
        make_keys(seed, first + np.uint64(begin), keys)
        while going:
            number = np.uint64(deal)
            shuffle(number, fresh, size, cards, keys, picks)
            keep_deal(begin, deal, cards, dealt)
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
                keep_turn(begin, deal, int(turn), cards, wanted, forced, played, rows_taken)
                for order in range(seats):
                    place(opening, order * _SIZE, most, rows, plays, forced, got)
                    tally(order * _SIZE, seats, plays, got, taken)
                    forced[:] = 0
            going = close_deal(begin, deal, numbers[3], numbers[4], taken, heads, full, chosen, deals)
            deal += 1
    deals -= OVER
