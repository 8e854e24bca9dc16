"""Kernels of the search: play the options of one decision to the end of the deal, in the same worlds.

A world is what the seat has not seen, drawn anew: the others' hands, the order in which cards will be played where
nothing else decides it. World w of a seed is the same for every option, so that options differ by what they bring and
not by luck. The blocks, and the words in them, are those of `faceup.games.nimmt.batch.kernels`; seats that are out are
left out here, and the seat that decides is the last.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import Array, Word, kernel, pick
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    GREEDY,
    NO_ROW,
    choose_cheapest,
    force,
    place,
    play_greedily,
    reveal,
    shuffle,
    tally,
)

SHARES: Final = 2520
"""A win counts so much, shared by up to ten without a rest."""

WORLDS: Final = 0
"""Columns of what is summed over worlds for each option: in how many it was tried,"""
OWN: Final = 1
"""the seat's heads to come, and their squares;"""
RELATIVE: Final = 3
"""how much they are above the others' mean, times the number of others, and squares;"""
WIN: Final = 5
"""shares of the win, and squares;"""
RISK: Final = 7
"""in how many worlds the seat takes a row this turn."""
COLUMNS: Final = 8

_SIZE: Final[Word] = np.uint64(BLOCK)
_CARD_AND_HEADS: Final[Word] = np.uint16(0xFE07)
_HEADS: Final[Word] = np.uint16(0xFF)
_CHOSEN: Final[Word] = np.uint16(1 << 8)
_LONGER: Final[Word] = np.uint16(51)
_ZERO: Final[Word] = np.uint64(0)
_ONE: Final[Word] = np.uint64(1)


@kernel
def lead_with(card: Word, hand: Word, begin: Word, order: Array, cards: Array) -> None:
    """The own hand in the order of each lane, but that this card comes first and the first one where it was."""
    for lane in range(_SIZE):
        cards[begin * _SIZE + lane] = card
    for index in range(_ONE, hand):
        here, there = (begin + index) * _SIZE, index * _SIZE
        for lane in range(_SIZE):
            one = order[there + lane]
            cards[here + lane] = pick(one == card, order[lane], one)


@kernel
def play_turn(
    opening: Word, most: Word, seats: Word, rows: Array, plays: Array, wanted: Array, forced: Array, got: Array,
    taken: Array,
) -> None:  # fmt: skip
    """Place what is revealed in `plays`; whoever has to take a row takes the first of the cheapest."""
    choose_cheapest(opening, np.uint16(0), rows, plays, wanted)
    force(opening, rows, plays, wanted, forced, got)
    for order in range(seats):
        place(opening, order * _SIZE, most, rows, plays, forced, got)
        tally(order * _SIZE, seats, plays, got, taken)
        forced[:] = 0


@kernel
def take_and_place(
    opening: Word, most: Word, row: Word, waiting: Array, rows: Array, plays: Array, forced: Array, got: Array,
    taken: Array,
) -> None:  # fmt: skip
    """The turn that waits: the lowest card's seat takes this row, and the rest is placed."""
    seats = np.uint64(len(waiting))
    for order in range(seats):
        for lane in range(_SIZE):
            plays[order * _SIZE + lane] = waiting[order]
    for lane in range(_SIZE):
        forced[lane] = rows[row * _SIZE + lane]
        content = np.uint16(forced[lane] & np.uint16(0x01FF))
        got[lane] = np.uint16(np.uint16(content % _LONGER) | _CHOSEN)
    for order in range(seats):
        place(opening, order * _SIZE, most, rows, plays, forced, got)
        tally(order * _SIZE, seats, plays, got, taken)
        forced[:] = 0


@kernel
def count_worlds(
    option: Word, block: Word, objective: Word, before: Array, first_taken: Array, taken: Array, values: Array,
    sums: Array, spread: Array,
) -> None:  # fmt: skip
    """Add what an option brought in the first `block` lanes; `values` keeps the objective, lane by lane."""
    seats = len(before)
    me = seats - 1
    for lane in range(block):
        own = np.int64(taken[me * BLOCK + lane] & _HEADS)
        others, better, equal = np.int64(0), 0, 1
        for seat in range(me):
            heads = np.int64(taken[seat * BLOCK + lane] & _HEADS)
            others += heads
            ahead = before[seat] + heads - before[me] - own
            better += ahead < 0
            equal += ahead == 0
        relative = own * me - others
        win = SHARES // equal if better == 0 else 0
        sums[option, WORLDS] += 1
        sums[option, OWN] += own
        sums[option, OWN + 1] += own * own
        sums[option, RELATIVE] += relative
        sums[option, RELATIVE + 1] += relative * relative
        sums[option, WIN] += win
        sums[option, WIN + 1] += win * win
        sums[option, RISK] += first_taken[lane] != 0
        spread[option, own] += 1
        values[option, lane] = own if objective == OWN else relative if objective == RELATIVE else -win


@kernel
def count_differences(options: Array, block: Word, values: Array, apart: Array, squared: Array) -> None:
    """Add by how much each option was worse than each other one, world by world, and the squares."""
    for one in options:
        for other in options:
            total, squares = np.int64(0), np.int64(0)
            for lane in range(block):
                difference = np.int64(values[one, lane]) - np.int64(values[other, lane])
                total += difference
                squares += difference * difference
            apart[one, other] += total
            squared[one, other] += squares


@kernel
def try_options(
    opening: Word, unseen: Array, hand: Array, waiting: Array, table: Array, before: Array, choices: Array,
    policy: Word, most: Word, objective: Word, seed: Word, first: Word, worlds: Word, options: Array,
    sums: Array, spread: Array, apart: Array, squared: Array,
) -> None:  # fmt: skip
    """Try some options of a decision in `worlds` worlds from world `first` on, and add up what they bring.

    Args:
        opening: a tuple of at least as many elements as there are rows: the number is known when this is compiled.
        unseen: the cards that this seat has not seen, as `kernels` has cards, ascending, uint16 [unseen].
        hand: the cards that it holds, uint16 [hand].
        waiting: the revealed cards with their seats, ascending, the first its own, uint16 [seats], if it is to take a
            row; else of length 0.
        table: the rows, uint16 [rows].
        before: heads of the match so far, by seat, the deciding one last, int64 [seats].
        choices: what each option is: the card, as in `hand`; or the row's number. uint16 [options].
        policy: what all seats play in the turns to come: `RANDOM` or `GREEDY`.
        most: what the low bits of a full row come to without heads, numpy.uint16.
        objective: `OWN`, `RELATIVE` or `WIN`: what the differences are of.
        seed: numpy.uint64.
        first: numpy.uint64.
        worlds: how many.
        options: which of the choices, ascending, int64 [k].
        sums: int64 [options, COLUMNS], as are the next three, to be added to.
        spread: int64 [options, 256]: worlds by heads to come.
        apart: int64 [options, options].
        squared: int64 [options, options].
    """
    seats, size = np.uint64(len(before)), np.uint64(len(hand))
    begin = (seats - _ONE) * size
    cards = np.empty(int(seats * size + _ONE) * BLOCK, np.uint16)
    dealt, order = np.empty(int(begin + _ONE) * BLOCK, np.uint16), np.empty(int(size + _ONE) * BLOCK, np.uint16)
    picks = np.empty((int(seats * size) + 3) * BLOCK, np.uint8)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    plays, taken = np.empty(len(before) * BLOCK, np.uint16), np.empty(len(before) * BLOCK, np.uint16)
    keys, best = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32)
    wanted, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    first_taken = np.empty(BLOCK, np.uint16)
    values = np.empty((len(choices), BLOCK), np.int32)
    for start in range(0, worlds, BLOCK):
        block = min(BLOCK, worlds - start)
        shuffle(seed, first + np.uint64(start), _ZERO, unseen, begin, dealt, keys, picks)
        shuffle(seed, first + np.uint64(start), _ONE, hand, size, order, keys, picks)
        for option in options:
            cards[: int(begin) * BLOCK] = dealt[: int(begin) * BLOCK]
            for row in range(len(table)):
                rows[row * BLOCK : (row + 1) * BLOCK] = table[row]
            taken[:] = 0
            if len(waiting):
                cards[int(begin) * BLOCK : int(seats * size) * BLOCK] = order[: int(size) * BLOCK]
                take_and_place(opening, most, np.uint64(choices[option]), waiting, rows, plays, forced, got, taken)
                first_taken[:] = 1
            else:
                lead_with(choices[option], size, begin, order, cards)
            for turn in range(size):
                for seat in range(seats):
                    if policy == GREEDY and (seat != seats - _ONE or turn > _ZERO or len(waiting)):
                        play_greedily(opening, seat * size + turn, size - turn, most, rows, cards, best)
                reveal(turn, size, seats, cards, plays)
                play_turn(opening, most, seats, rows, plays, wanted, forced, got, taken)
                if turn == _ZERO and not len(waiting):
                    first_taken[:] = taken[int(seats - _ONE) * BLOCK :]
            count_worlds(option, block, objective, before, first_taken, taken, values, sums, spread)
        count_differences(options, block, values, apart, squared)
