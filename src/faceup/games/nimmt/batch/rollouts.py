"""Kernels of the search: play the options of one decision to the end of the deal, in the same worlds.

A world is what the seat has not seen, drawn anew: the others' hands, the order in which cards will be played where
nothing else decides it. World w of a seed is the same for every option, so that options differ by what they bring and
not by luck. The blocks, and the words in them, are those of `faceup.games.nimmt.batch.kernels`; seats that are out are
left out here, and the seat that decides is the last.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import Array, Word, kernel, lane_key, pick
from faceup.games.nimmt.batch.fitted import FITTED, Weights, add_to_set, noise_for, play_fitted, scratch_for
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    GREEDY,
    HIGHEST,
    LOWEST,
    NO_ROW,
    RANDOM,
    choose_cheapest,
    force,
    make_keys,
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
def place_all(
    opening: Word, most: Word, seats: Word, rows: Array, plays: Array, forced: Array, got: Array, taken: Array
) -> None:
    """Place what is revealed, the lowest first, which may be forced to take a row."""
    for order in range(seats):
        place(opening, order * _SIZE, most, rows, plays, forced, got)
        tally(order * _SIZE, seats, plays, got, taken)
        forced[:] = 0


@kernel
def play_turn(
    opening: Word, most: Word, seats: Word, rows: Array, plays: Array, wanted: Array, forced: Array, got: Array,
    taken: Array,
) -> None:  # fmt: skip
    """Place what is revealed in `plays`; whoever has to take a row takes the first of the cheapest."""
    choose_cheapest(opening, np.uint16(0), rows, plays, wanted)
    force(opening, rows, plays, wanted, forced, got)
    place_all(opening, most, seats, rows, plays, forced, got, taken)


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
    place_all(opening, most, seats, rows, plays, forced, got, taken)


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
def play_extreme(begin: Word, count: Word, highest: Word, cards: Array) -> None:
    """Bring the lowest card of a hand to place `begin`, or the highest."""
    here = begin * _SIZE
    for index in range(_ONE, count):
        there = (begin + index) * _SIZE
        for lane in range(_SIZE):
            one, other = cards[here + lane], cards[there + lane]
            cards[here + lane] = pick(highest, max(one, other), min(one, other))
            cards[there + lane] = pick(highest, min(one, other), max(one, other))


@kernel
def play_card(
    opening: Word, model: Word, capacity: Word, begin: Word, count: Word, seats: Word, unseen: Word, rows: Array,
    cards: Array, seen: Array, held: Array, chances: Array, network: Weights, noise: Word, keys: Array, best: Array,
    scratch: Array,
) -> None:  # fmt: skip
    """Bring the card that a model plays to place `begin`; arguments are those of `play_fitted`.

    At random, which needs no call, that is the card which lies there: hands were shuffled.
    """
    if model == GREEDY:
        play_greedily(opening, begin, count, np.uint16((capacity - 1) * 51), rows, cards, best)
    elif model in (LOWEST, HIGHEST):
        play_extreme(begin, count, model == HIGHEST, cards)
    elif model == FITTED:
        play_fitted(
            opening, capacity, begin, count, seats, unseen, rows, cards, seen, held, chances, network, noise, keys,
            scratch,
        )  # fmt: skip


@kernel
def try_options(
    opening: Word, unseen: Array, hand: Array, waiting: Array, table: Array, before: Array, choices: Array,
    capacity: Word, objective: Word, seed: Word, known: Array, chances: Array, network: Weights,
    models: Array, first: Word, drawn: Array, options: Array, sums: Array, spread: Array, apart: Array, squared: Array,
) -> None:  # fmt: skip
    """Try some options of a decision in some worlds, and add up what they bring.

    Args:
        opening: a tuple of at least as many elements as there are rows: the number is known when this is compiled.
        unseen: the cards that this seat has not seen, as `kernels` has cards, ascending, uint16 [unseen].
        hand: the cards that it holds, uint16 [hand].
        waiting: the revealed cards with their seats, ascending, the first its own, uint16 [seats], if it is to take a
            row; else of length 0.
        table: the rows, uint16 [rows].
        before: heads of the match so far, by seat, the deciding one last, int64 [seats].
        choices: what each option is: the card, as in `hand`; or the row's number. uint16 [options].
        capacity: the most cards in a row.
        objective: `OWN`, `RELATIVE` or `WIN`: what the differences are of.
        seed: numpy.uint64.
        known: the cards that everybody has seen, and the numbers that no card has, as a set, uint64 [2].
        chances: `fitted.chances` for each turn to come, float32 [hand, capacity + 1, cards].
        network: the weights of policy `fitted`: float32 [HIDDEN, INPUTS + 1], float32 [HIDDEN].
        models: by which policy each seat is taken to play, as `kernels` number them, or `FITTED`: uint8 [seats].
        first: how many worlds were tried before: in the n-th one, whatever it is, the own order and noise are n's.
        drawn: the worlds to try, by number, uint64 [worlds].
        options: which of the choices, ascending, int64 [k].
        sums: int64 [options, COLUMNS], as are the next three, to be added to.
        spread: int64 [options, 256]: worlds by heads to come.
        apart: int64 [options, options].
        squared: int64 [options, options].
    """
    seats, size = np.uint64(len(before)), np.uint64(len(hand))
    me, choosing, most = seats - _ONE, len(waiting) == 0, np.uint16((capacity - 1) * 51)
    begin = me * size
    cards = np.empty(int(seats * size + _ONE) * BLOCK, np.uint16)
    dealt, order = np.empty(int(begin + _ONE) * BLOCK, np.uint16), np.empty(int(size + _ONE) * BLOCK, np.uint16)
    picks = np.empty((int(seats * size) + 3) * BLOCK, np.uint8)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    plays, taken = np.empty(len(before) * BLOCK, np.uint16), np.empty(len(before) * BLOCK, np.uint16)
    keys, best = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32)
    wanted, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    first_taken, values = np.empty(BLOCK, np.uint16), np.empty((len(choices), BLOCK), np.int32)
    fitted = False
    for model in models:
        fitted |= model == FITTED
    scratch = scratch_for(BLOCK if fitted else 0)
    seen, held = np.empty(2 * BLOCK, np.uint64), np.empty((len(before), 2 * BLOCK), np.uint64)
    for start in range(0, len(drawn), BLOCK):
        block = min(BLOCK, len(drawn) - start)
        for lane in range(block):
            keys[lane] = lane_key(seed, drawn[start + lane])
        shuffle(_ZERO, unseen, begin, dealt, keys, picks)
        make_keys(seed, first + np.uint64(start), keys)
        shuffle(_ONE, hand, size, order, keys, picks)
        if fitted:
            held[:] = 0
            for seat in range(me):
                add_to_set(dealt, seat * size, size, held[seat])
            add_to_set(order, _ZERO, size, held[len(before) - 1])
        for option in options:
            for row in range(len(table)):
                rows[row * BLOCK : (row + 1) * BLOCK] = table[row]
            seen[:BLOCK], seen[BLOCK:] = known[0], known[1]
            if choosing and option == options[0]:
                # What the others play in this turn does not depend on what this seat plays.
                for seat in range(me):
                    if models[seat] != RANDOM:
                        play_card(
                            opening, models[seat], capacity, seat * size, size, seats, len(unseen), rows, dealt, seen,
                            held[seat], chances[0], network, noise_for(_ZERO, seat), keys, best, scratch,
                        )  # fmt: skip
            cards[: int(begin) * BLOCK] = dealt[: int(begin) * BLOCK]
            taken[:] = 0
            if choosing:
                lead_with(choices[option], size, begin, order, cards)
            else:
                cards[int(begin) * BLOCK : int(seats * size) * BLOCK] = order[: int(size) * BLOCK]
                take_and_place(opening, most, np.uint64(choices[option]), waiting, rows, plays, forced, got, taken)
                first_taken[:] = 1
            for turn in range(size):
                if size - turn > _ONE and not (choosing and turn == _ZERO):
                    for seat in range(seats):
                        if models[seat] != RANDOM:
                            play_card(
                                opening, models[seat], capacity, seat * size + turn, size - turn, seats,
                                len(unseen) - np.int64(me * turn), rows, cards, seen, held[seat],
                                chances[turn if fitted else _ZERO], network, noise_for(turn, seat), keys, best, scratch,
                            )  # fmt: skip
                reveal(turn, size, seats, cards, plays)
                if fitted:
                    add_to_set(plays, _ZERO, seats, seen)
                play_turn(opening, most, seats, rows, plays, wanted, forced, got, taken)
                if choosing and turn == _ZERO:
                    first_taken[:] = taken[int(me) * BLOCK :]
            count_worlds(option, block, objective, before, first_taken, taken, values, sums, spread)
        count_differences(options, block, values, apart, squared)
