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

Only the lowest card of a turn can be below all tails; `forced` looks at it alone.
"""

from typing import Any, Final, TypeAlias

import numpy as np

from faceup.games.lanes import FRACTION, FRACTION_BITS, fraction, kernel, lane_key, pick

Array: TypeAlias = Any
"""A numpy array of a known type here, what numba makes of it in a kernel."""

BLOCK: Final = 256
"""Lanes in a block: all that is done to them stays in the processor's nearest memory."""

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

_SIZE: Final = np.uint64(BLOCK)
_CARD: Final = np.uint16(0xFE00)
_LOW: Final = np.uint16(0x01FF)
_HEADS: Final = np.uint16(0x0007)
_SEAT: Final = np.uint16(0x0078)
_LONGER: Final = np.uint16(51)
_CHOSEN: Final = np.uint16(1 << 8)
_FULL: Final = np.uint16(1 << 12)
_NONE: Final = np.uint16(0)
_ONE: Final = np.uint64(1)


@kernel
def shuffle(seed: Any, first: Any, deal: Any, fresh: Array, dealt: Any, cards: Array, keys: Array, picks: Array) -> None:  # noqa: ANN401 -- unsigned words
    """Deal to the block's lanes, from lane `first` on: the first `dealt` places of a Fisher-Yates shuffle of `fresh`."""
    lane = np.uint64(0)
    while lane < _SIZE:
        keys[lane] = lane_key(seed, first + lane)
        lane += _ONE
    number = deal * np.uint64(PER_DEAL)
    place = np.uint64(0)
    while place < dealt:
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
        place += np.uint64(CARDS_PER_WORD)
    deck = fresh.copy()
    for lane in range(_SIZE):
        for place in range(np.uint64(len(fresh))):
            deck[place] = fresh[place]
        for place in range(dealt):
            other = place + np.uint64(picks[place * _SIZE + lane])
            cards[place * _SIZE + lane] = deck[other]
            deck[other] = deck[place]


@kernel
def draw_rows(deal: Any, turn: Any, rows: Any, keys: Array, left: Array, wanted: Array) -> None:  # noqa: ANN401 -- unsigned words
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
def sort_lanes(cards: Array, begin: Any, count: Any, descending: Any) -> None:  # noqa: ANN401 -- unsigned words
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
def play_greedily(opening: Any, begin: Any, count: Any, most: Any, rows: Array, cards: Array, best: Array) -> None:  # noqa: ANN401 -- a tuple, unsigned words
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
def reveal(turn: Any, hand: Any, seats: Any, cards: Array, plays: Array) -> None:  # noqa: ANN401 -- unsigned words
    """The cards of a turn with their seats, ascending."""
    for seat in range(seats):
        here, hers = seat * _SIZE, (seat * hand + turn) * _SIZE
        tag = np.uint16(seat << np.uint64(3))
        for lane in range(_SIZE):
            plays[here + lane] = np.uint16(cards[hers + lane] | tag)
    sort_lanes(plays, np.uint64(0), seats, descending=False)


@kernel
def choose_cheapest(opening: Any, randomly: Any, rows: Array, plays: Array, wanted: Array) -> None:  # noqa: ANN401 -- a tuple, a word of bits
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
def force(opening: Any, rows: Array, plays: Array, wanted: Array, forced: Array, prize: Array) -> None:  # noqa: ANN401 -- a tuple
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
def place(opening: Any, here: Any, most: Any, rows: Array, plays: Array, forced: Array, got: Array) -> None:  # noqa: ANN401 -- a tuple, unsigned words
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
def tally(here: Any, seats: Any, plays: Array, got: Array, taken: Array) -> None:  # noqa: ANN401 -- unsigned words
    """Add what was got to the seat whose card it was."""
    for seat in range(seats):
        hers = seat * _SIZE
        tag = np.uint16(seat << np.uint64(3))
        for lane in range(_SIZE):
            mine = np.uint16(plays[here + lane] & _SEAT) == tag
            taken[hers + lane] = np.uint16(taken[hers + lane] + pick(mine, got[lane], _NONE))


@kernel
def play_deals(
    opening: Any,  # noqa: ANN401 -- a tuple
    fresh: Array,
    policies: Array,
    numbers: Array,
    seed: Any,  # noqa: ANN401 -- an unsigned word
    first: Any,  # noqa: ANN401 -- an unsigned word
    heads: Array,
    full: Array,
    chosen: Array,
    deals: Array,
    dealt_cards: Array,
    played_cards: Array,
    rows_taken: Array,
) -> None:
    """Play the lanes from `first` on, as many as the results have, each until its match is over.

    Args:
        opening: one element a row; its length is known when this is compiled.
        fresh: the cards in play as numbers, ascending, uint16[cards].
        policies: uint8[seats].
        numbers: hand, capacity, deals, target, int64[4].
        seed: numpy.uint64.
        first: numpy.uint64.
        heads: int32[lanes, seats], as `full` and `chosen`: what each seat got; all are to be 0.
        full: full rows taken.
        chosen: rows taken by choice.
        deals: int32[lanes], the deals that were played; to be 0.
        dealt_cards: uint8[lanes, deals, seats * hand + rows], what was dealt, or of no lanes: then nothing is kept.
        played_cards: uint8[lanes, deals, hand, seats], what each seat played, likewise.
        rows_taken: int8[lanes, deals, hand], the row chosen, -1 if none was, likewise.
    """
    lanes, seats, hand = len(heads), np.uint64(len(policies)), np.uint64(numbers[0])
    size = seats * hand + np.uint64(len(opening))
    most = np.uint16((numbers[1] - 1) * 51)
    keep = len(dealt_cards) > 0
    randomly, thinking = np.uint16(0), False
    for seat in range(len(policies)):
        if policies[seat] == RANDOM:
            randomly |= np.uint16(1 << seat)
        thinking |= policies[seat] != RANDOM
    cards = np.empty((int(size)) * BLOCK, np.uint16)
    picks = np.empty((int(size) + CARDS_PER_WORD) * BLOCK, np.uint8)
    rows = np.empty(len(opening) * BLOCK, np.uint16)
    plays = np.empty(len(policies) * BLOCK, np.uint16)
    taken = np.empty(len(policies) * BLOCK, np.uint16)
    keys, left = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    wanted, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    best = np.empty(BLOCK, np.uint32)
    for begin in range(0, lanes, BLOCK):
        here = min(BLOCK, lanes - begin)
        deal = 0
        going = here
        while going:
            number = np.uint64(deal)
            shuffle(seed, first + np.uint64(begin), number, fresh, size, cards, keys, picks)
            if keep:
                for lane in range(here):
                    for index in range(int(size)):
                        dealt_cards[begin + lane, deal, index] = cards[index * BLOCK + lane] >> 9
            for index in range(len(rows)):
                rows[index] = cards[int(seats * hand) * BLOCK + index]
            taken[:] = 0
            for seat in range(seats):
                if policies[seat] == LOWEST or policies[seat] == HIGHEST:  # noqa: PLR1714 -- numba has no such test
                    sort_lanes(cards, seat * hand, hand, descending=policies[seat] == HIGHEST)
            for turn in range(hand):
                draw_rows(number, turn, np.uint64(len(opening)), keys, left, wanted)
                for seat in range(seats):
                    if policies[seat] == GREEDY:
                        play_greedily(opening, seat * hand + turn, hand - turn, most, rows, cards, best)
                reveal(turn, hand, seats, cards, plays)
                if thinking:
                    choose_cheapest(opening, randomly, rows, plays, wanted)
                force(opening, rows, plays, wanted, forced, got)
                if keep:
                    for lane in range(here):
                        rows_taken[begin + lane, deal, turn] = wanted[lane] if forced[lane] else -1
                        for seat in range(len(policies)):
                            card = cards[(seat * int(hand) + int(turn)) * BLOCK + lane]
                            played_cards[begin + lane, deal, turn, seat] = card >> 9
                for order in range(seats):
                    place(opening, order * _SIZE, most, rows, plays, forced, got)
                    tally(order * _SIZE, seats, plays, got, taken)
                    if order == np.uint64(0):
                        forced[:] = 0
            deal += 1
            going = 0
            for lane in range(here):
                if deals[begin + lane] == deal - 1:
                    deals[begin + lane] = deal
                    worst = 0
                    for seat in range(len(policies)):
                        sum_of = taken[seat * BLOCK + lane]
                        heads[begin + lane, seat] += sum_of & 0xFF
                        chosen[begin + lane, seat] += (sum_of >> 8) & 0xF
                        full[begin + lane, seat] += sum_of >> 12
                        worst = max(worst, heads[begin + lane, seat])
                    if deal == numbers[2] or (numbers[3] and worst >= numbers[3]):
                        deals[begin + lane] = deal + OVER
                    else:
                        going += 1
        for lane in range(here):
            deals[begin + lane] -= OVER

