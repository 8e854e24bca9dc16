"""The kernel that plays whole deals of 6 nimmt!, and keeps or counts their results. See `kernels` for the numbers."""

from typing import Final

import numpy as np

from faceup.games.lanes import Array, Word, kernel, pick
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    GREEDY,
    HIGHEST,
    LOWEST,
    NO_ROW,
    RANDOM,
    choose_cheapest,
    draw_rows,
    force,
    got_for,
    make_keys,
    place_all,
    play_greedily,
    reveal,
    shuffle,
    sort_lanes,
)
from faceup.games.nimmt.parameters import CARDS_PER_WORD

OVER: Final = 1 << 24
"""Number added to the deal count of a lane with a finished match, while other lanes of its block continue."""

ROWS_PER_SEAT: Final[Word] = np.uint64(4)
"""Number of rows of each seat in the counts of `play_deals`."""

LOST: Final = 16
"""Number added to the place of a seat that did not win in the counts of `play_deals`."""

_SIZE: Final[Word] = np.uint64(BLOCK)
_NONE: Final[Word] = np.uint16(0)
_ONE: Final[Word] = np.uint64(1)
_TWO: Final[Word] = np.uint64(2)


@kernel
def keep_deal(offset: Word, deal: Word, cards: Array, dealt_cards: Array) -> None:
    """Record the cards that were dealt in a block."""
    for lane in range(min(BLOCK, len(dealt_cards) - offset)):
        for index in range(dealt_cards.shape[2]):
            dealt_cards[offset + lane, deal, index] = cards[index * BLOCK + lane] >> 9


@kernel
def keep_turn(
    offset: Word,
    deal: Word,
    turn: Word,
    cards: Array,
    row_choices: Array,
    forced: Array,
    played: Array,
    rows_taken: Array,
) -> None:
    """Record the cards and rows that the seats of a block chose in a turn."""
    hand, seats = played.shape[2], played.shape[3]
    for lane in range(min(BLOCK, len(played) - offset)):
        rows_taken[offset + lane, deal, turn] = row_choices[lane] if forced[lane] else -1
        for seat in range(seats):
            played[offset + lane, deal, turn, seat] = cards[(seat * hand + turn) * BLOCK + lane] >> 9


@kernel
def close_deal(
    deal: Word, limit: Word, target: Word, lanes: Word, taken: Array, heads: Array, rows: Array, deals: Array
) -> Word:
    """Add the results of a deal to the lanes of a block that are not over; return how many lanes continue.

    Args:
        deal: number of the deal.
        limit: maximum number of deals of a match.
        target: number of heads that end a match; 0 if there is none.
        lanes: number of lanes of the block that are used, from the first one on.
        taken: what each seat took in the deal, uint16 [seats * BLOCK]: heads, rows chosen << 8 and full rows << 12.
        heads: heads of each seat so far, in the layout of `taken`.
        rows: rows chosen and full rows << 16 of each seat so far, in the same layout. Both are at most 10,010.
        deals: number of deals of each lane; see `OVER`.
    """
    seats = np.uint64(len(taken)) // _SIZE
    for seat in range(seats):
        own = seat * _SIZE
        for lane in range(_SIZE):
            got = np.int32(pick(deals[lane] == np.int32(deal), taken[own + lane], _NONE))
            heads[own + lane] += got & np.int32(0xFF)
            chosen, full = np.int32(got >> np.int32(8)) & np.int32(0xF), got >> np.int32(12)
            rows[own + lane] += chosen | np.int32(full << np.int32(16))
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
            deals[lane] += OVER  # so that it differs from the number of every later deal
        else:
            unfinished += 1
    return unfinished


@kernel
def keep_results(
    offset: Word,
    lanes: Word,
    block_heads: Array,
    block_rows: Array,
    block_deals: Array,
    heads: Array,
    full: Array,
    chosen: Array,
    deals: Array,
) -> None:
    """Write the results of a block to the lanes from `offset` on."""
    for lane in range(lanes):
        deals[offset + lane] = block_deals[lane] - OVER
        for seat in range(heads.shape[1]):
            heads[offset + lane, seat] = block_heads[seat * BLOCK + lane]
            rows = block_rows[seat * BLOCK + lane]
            chosen[offset + lane, seat] = rows & 0xFFFF
            full[offset + lane, seat] = rows >> 16


@kernel
def count_results(
    lanes: Word, heads: Array, rows: Array, deals: Array, places: Array, winners: Array, counts: Array
) -> None:
    """Add the results of a block to `counts`; see `play_deals`. `places` and `winners` are overwritten."""
    seats = np.uint64(len(heads)) // _SIZE
    places[:] = 1
    winners[:] = 0
    for seat in range(seats):
        own = seat * _SIZE
        for other in range(seats):
            there = other * _SIZE
            for lane in range(_SIZE):
                places[own + lane] += np.uint8(heads[there + lane] < heads[own + lane])
        for lane in range(_SIZE):
            winners[lane] += np.uint8(places[own + lane] == np.uint8(1))
    for seat in range(seats):
        row, own = ROWS_PER_SEAT * seat, seat * _SIZE
        for lane in range(_SIZE):
            first = places[own + lane] == np.uint8(1)
            places[own + lane] = pick(first, winners[lane], np.uint8(places[own + lane] + np.uint8(LOST)))
        for lane in range(np.uint64(lanes)):
            taken = np.uint64(rows[own + lane])
            counts[row, np.uint64(heads[own + lane])] += 1
            counts[row + _ONE, taken >> np.uint64(16)] += 1
            counts[row + _TWO, taken & np.uint64(0xFFFF)] += 1
            counts[row + np.uint64(3), np.uint64(places[own + lane])] += 1
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
        heads: int32 [lanes, seats]: heads of each seat. This array and the next three are not used if results are
            counted.
        full: uint16 [lanes, seats]: full rows taken.
        chosen: uint16 [lanes, seats]: rows taken by choice.
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
    row_choices, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), got_for(len(policies))
    block_heads, block_rows = np.empty(len(plays), np.int32), np.empty(len(plays), np.int32)
    block_deals, places, winners = np.empty(BLOCK, np.int32), np.empty(len(plays), np.uint8), np.empty(BLOCK, np.uint8)
    for offset in range(0, lanes, BLOCK):
        deal, unfinished, block = 0, 1, min(BLOCK, lanes - offset)
        block_heads[:], block_rows[:], block_deals[:] = 0, 0, 0
        make_keys(seed, first + np.uint64(offset), keys)
        # All lanes of the block play, also those that are over or beyond the last one, so that loops have no branches.
        # Their results are left out where a deal is closed.
        while unfinished:
            number = np.uint64(deal)
            shuffle(number, fresh, size, cards, keys, picks)
            keep_deal(offset, deal, cards, dealt)
            for index in range(int(count) * BLOCK):  # a slice would need code for slices of different lengths
                rows[index] = cards[int(seats * hand) * BLOCK + index]
            taken[:] = 0
            for seat in range(seats):
                if policies[seat] in (LOWEST, HIGHEST):
                    sort_lanes(cards, seat * hand, hand, policies[seat] == HIGHEST)
            for turn in range(hand):
                draw_rows(number, turn, count, keys, left, row_choices)
                for seat in range(seats):
                    if policies[seat] == GREEDY:
                        play_greedily(opening, seat * hand + turn, hand - turn, most, rows, cards, best)
                reveal(turn, hand, seats, cards, plays)
                if randomly != np.uint16((1 << len(policies)) - 1):
                    choose_cheapest(opening, randomly, rows, plays, row_choices)
                force(opening, rows, plays, row_choices, forced, got)
                keep_turn(offset, deal, int(turn), cards, row_choices, forced, played, rows_taken)
                place_all(opening, most, seats, rows, plays, forced, got, taken)
            unfinished = close_deal(deal, numbers[3], numbers[4], block, taken, block_heads, block_rows, block_deals)
            deal += 1
        if len(counts):
            count_results(block, block_heads, block_rows, block_deals, places, winners, counts)
        else:
            keep_results(offset, block, block_heads, block_rows, block_deals, heads, full, chosen, deals)
