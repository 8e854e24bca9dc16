"""Kernels of the search: play the options of one decision to the end of the deal, in the same worlds.

In a world, the hands of the other seats are random, dealt from the cards that the deciding seat has not seen. Where no
policy decides in which order a hand is played, this order is random, too. World w of a seed is the same for every
option, so that options are compared on equal luck. `faceup.games.nimmt.batch.kernels` explains blocks and the numbers
that stand for cards and rows. Seats that are out are omitted, and the deciding seat comes last.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import Array, Word, kernel, lane_key, pick
from faceup.games.nimmt.batch.fitted_policy import FITTED, Weights, add_to_set, noise_for, play_fitted, scratch_for
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    GREEDY,
    HIGHEST,
    LOWEST,
    NO_ROW,
    RANDOM,
    choose_cheapest,
    force,
    got_for,
    make_keys,
    place_all,
    play_greedily,
    reveal,
    shuffle,
)
from faceup.games.nimmt.batch.table_kernels import cheapest_row, row_below
from faceup.games.nimmt.objectives import SHARES

WORLDS: Final = 0
"""Column of `sums` with the number of worlds in which each option was tried."""
OWN: Final = 1
"""Column of `sums` with the seat's own heads; the next column has their squares."""
RELATIVE: Final = 3
"""Column of `sums` with the seat's heads minus the mean of the others, times the number of others.

The next column has the squares of these numbers.
"""
WIN: Final = 5
"""Column of `sums` with the seat's shares of the win; the next column has their squares."""
RISK: Final = 7
"""Column of `sums` with the number of worlds in which the seat takes a row this turn."""
COLUMNS: Final = 8

JOINED: Final = 0
"""Place in `card_results.KINDS`, for the other kinds likewise."""
SIXTH: Final = 1
LOW: Final = 2

_SIZE: Final[Word] = np.uint64(BLOCK)
_SEAT: Final[Word] = np.uint16(0x0078)
_CARD_AND_HEADS: Final[Word] = np.uint16(0xFE07)
_HEADS: Final[Word] = np.uint16(0xFF)
_CONTENT: Final[Word] = np.uint16(0x01FF)
_CHOSEN: Final[Word] = np.uint16(1 << 6)
_LONGER: Final[Word] = np.uint16(51)
_ZERO: Final[Word] = np.uint64(0)
_ONE: Final[Word] = np.uint64(1)
_TWO: Final[Word] = np.uint64(2)


@kernel
def lead_with(card: Word, hand: Word, offset: Word, order: Array, cards: Array) -> None:
    """Write the seat's own hand to `cards` in each lane's order, with this card and the first card exchanged."""
    for lane in range(_SIZE):
        cards[offset * _SIZE + lane] = card
    for index in range(_ONE, hand):
        slot, there = (offset + index) * _SIZE, index * _SIZE
        for lane in range(_SIZE):
            card_here = order[there + lane]
            cards[slot + lane] = pick(card_here == card, order[lane], card_here)


@kernel
def lead_in_lanes(leads: Array, order: Array, cards: Array) -> None:
    """Put the hand of the first seat in each lane's order, with the lane's lead and the first card exchanged."""
    held = np.empty(len(order) // BLOCK, np.uint16)
    for lane in range(np.uint64(len(leads))):
        for index in range(np.uint64(len(held))):
            held[index] = cards[order[index * _SIZE + lane] * _SIZE + lane]
        for index in range(np.uint64(len(held))):
            cards[index * _SIZE + lane] = held[0] if held[index] == leads[lane] else held[index]
        cards[lane] = leads[lane]


@kernel
def play_turn(
    opening: Word, most: Word, seats: Word, rows: Array, plays: Array, row_choices: Array, forced: Array, got: Array,
    taken: Array,
) -> None:  # fmt: skip
    """Place the revealed cards in `plays`; a seat that must take a row takes the first of the cheapest rows."""
    choose_cheapest(opening, np.uint16(0), rows, plays, row_choices)
    force(opening, rows, plays, row_choices, forced, got)
    place_all(opening, most, seats, rows, plays, forced, got, taken)


@kernel
def take_and_place(
    opening: Word, most: Word, row: Word, waiting: Array, rows: Array, plays: Array, forced: Array, got: Array,
    taken: Array,
) -> None:  # fmt: skip
    """Finish the waiting turn: the seat of the lowest card takes this row, and then the other cards are placed."""
    seats = np.uint64(len(waiting))
    for order in range(seats):
        for lane in range(_SIZE):
            plays[order * _SIZE + lane] = waiting[order]
    for lane in range(_SIZE):
        forced[lane] = rows[row * _SIZE + lane]
        content = np.uint16(forced[lane] & np.uint16(0x01FF))
        got[lane] = np.uint8(np.uint16(content % _LONGER) | _CHOSEN)
    place_all(opening, most, seats, rows, plays, forced, got, taken)


@kernel
def count_worlds(
    option: Word, block: Word, objective: Word, before: Array, first_taken: Array, taken: Array, values: Array,
    sums: Array, spread: Array,
) -> None:  # fmt: skip
    """Add up the results of an option in the first `block` lanes.

    `values` receives the objective in each lane; lower is better.
    """
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
        # Times the number of others, so that sums stay exact integers and do not depend on the order of addition.
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
def count_own_card(
    opening: Word, most: Word, seats: Word, block: Word, indices: Array, rows: Array, plays: Array, results: Array
) -> None:  # fmt: skip
    """Add up what the card of the deciding seat, which comes last, will do in this turn, in the first `block` lanes.

    `indices` has the index of each card in the seat's hand, and `results` is int64 [hand, kinds, rows, 2]: the number
    of worlds, and the heads taken in them.
    """
    table, count = np.empty(len(opening), np.uint16), np.uint64(len(opening))
    for lane in range(block):
        for index in range(count):
            table[index] = rows[index * _SIZE + lane]
        for order in range(seats):
            word = plays[order * _SIZE + lane]
            card = np.uint16(word & _CARD_AND_HEADS)
            target, kind = row_below(card >> np.uint16(9), table), JOINED
            if target < 0:
                kind, target = LOW, cheapest_row(table)
            elif np.uint16(table[target] & _CONTENT) >= most:
                kind = SIXTH
            content = np.uint16(table[target] & _CONTENT)
            if np.uint64(np.uint16(word & _SEAT) >> np.uint16(3)) == seats - _ONE:
                own = indices[card >> np.uint16(9)]
                results[own, kind, target, 0] += 1
                results[own, kind, target, 1] += np.int64(content % _LONGER) if kind != JOINED else 0
                break
            table[target] = np.uint16(card + content + _LONGER) if kind == JOINED else card


@kernel
def count_differences(options: Array, block: Word, values: Array, apart: Array, squared: Array) -> None:
    """Add up, over the worlds, how much worse each option was than each other one, and the squared differences."""
    for option in options:
        for other in options:
            total, squares = np.int64(0), np.int64(0)
            for lane in range(block):
                difference = np.int64(values[option, lane]) - np.int64(values[other, lane])
                total += difference
                squares += difference * difference
            apart[option, other] += total
            squared[option, other] += squares


@kernel
def play_extreme(offset: Word, count: Word, highest: Word, cards: Array) -> None:
    """Move the lowest or the highest card of a hand to place `offset`."""
    slot = offset * _SIZE
    for index in range(_ONE, count):
        there = (offset + index) * _SIZE
        for lane in range(_SIZE):
            card_here, other = cards[slot + lane], cards[there + lane]
            cards[slot + lane] = pick(highest, max(card_here, other), min(card_here, other))
            cards[there + lane] = pick(highest, min(card_here, other), max(card_here, other))


@kernel
def play_card(
    opening: Word, model: Word, capacity: Word, offset: Word, count: Word, seats: Word, unseen: Word, rows: Array,
    cards: Array, seen: Array, held: Array, chances: Array, network: Weights, noise: Word, keys: Array, best: Array,
    scratch: Array,
) -> None:  # fmt: skip
    """Move the card that a model plays to place `offset`; the other arguments are as for `play_fitted`.

    Model `RANDOM` needs no call, because hands are shuffled, and therefore the card at `offset` is random.
    """
    if model == GREEDY:
        play_greedily(opening, offset, count, np.uint16((capacity - 1) * 51), rows, cards, best)
    elif model in (LOWEST, HIGHEST):
        play_extreme(offset, count, model == HIGHEST, cards)
    elif model == FITTED:
        play_fitted(
            opening, capacity, offset, count, seats, unseen, rows, cards, seen, held, chances, network, noise, keys,
            scratch,
        )  # fmt: skip


@kernel
def try_options(
    opening: Word, unseen: Array, hand: Array, waiting: Array, table: Array, before: Array, choices: Array,
    capacity: Word, objective: Word, seed: Word, seen_sets: Array, chances: Array, network: Weights,
    models: Array, first: Word, drawn: Array, leads: Array, options: Array, sums: Array, spread: Array, apart: Array,
    squared: Array, results: Array,
) -> None:  # fmt: skip
    """Sample worlds of a decision, play its options in each of them, and add up the results.

    A world deals the unseen cards to the other hands (determinization).

    Args:
        opening: a tuple with at least as many elements as there are rows. Only its length matters, because it is known
            at compile time.
        unseen: the cards that this seat has not seen, as kernel numbers, ascending, uint16 [unseen].
        hand: the seat's own cards, as kernel numbers, uint16 [hand].
        waiting: if the seat must take a row, the revealed cards with their seats, ascending, so that the seat's own
            card is the first, uint16 [seats]; otherwise empty.
        table: the rows, uint16 [rows].
        before: heads of the match so far, by seat, the deciding seat last, int64 [seats].
        choices: for each option, its card as in `hand`, or the index of its row, uint16 [options].
        capacity: the most cards in a row.
        objective: the measure by which options are compared: `OWN`, `RELATIVE` or `WIN`.
        seed: seed of the worlds, numpy.uint64.
        seen_sets: set of the cards that everyone has seen, and of the numbers that are not cards, uint64 [2].
        chances: `fitted_policy.chances` for each turn to come, float32 [hand, capacity + 1, cards].
        network: the weights of policy `fitted`: float32 [HIDDEN, INPUTS + 1], float32 [HIDDEN].
        models: number of each seat's policy in `kernels`, or `FITTED`: uint8 [seats].
        first: number of worlds tried before. The n-th world tried uses the n-th random order of the own hand, and the
            n-th noise.
        drawn: numbers of the worlds to try, uint64 [worlds].
        leads: the card that the only opponent plays first in each of them, as kernel numbers, uint16 [worlds]; the rest
            of its hand is shuffled again. If this is empty, the models choose the first cards.
        options: the choices to try, ascending, int64 [k].
        sums: int64 [options, COLUMNS]. This array and the next four are updated in place.
        spread: int64 [options, 256]: number of worlds, by the heads in the rest of the deal.
        apart: int64 [options, options]: sums of the differences between options; see `count_differences`.
        squared: int64 [options, options]: sums of the squares of these differences.
        results: int64 [options, hand, kinds, rows, 2]: what happened to each own card, see `count_own_card`; empty if
            this is not needed.
    """
    seats, size = np.uint64(len(before)), np.uint64(len(hand))
    me, choosing, most = seats - _ONE, len(waiting) == 0, np.uint16((capacity - 1) * 51)
    offset = me * size
    cards = np.empty(int(seats * size + _ONE) * BLOCK, np.uint16)
    dealt, order = np.empty(int(offset + _ONE) * BLOCK, np.uint16), np.empty(int(size + _ONE) * BLOCK, np.uint16)
    picks = np.empty((int(seats * size) + 3) * BLOCK, np.uint8)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    plays, taken = np.empty(len(before) * BLOCK, np.uint16), np.empty(len(before) * BLOCK, np.uint16)
    keys, best = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint32)
    row_choices, forced, got = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16), got_for(len(before))
    first_taken, values = np.empty(BLOCK, np.uint16), np.empty((len(choices), BLOCK), np.int32)
    fitted = False
    for model in models:
        fitted |= model == FITTED
    scratch = scratch_for(BLOCK if fitted else 0)
    places, again = np.arange(len(hand)).astype(np.uint16), np.empty(len(hand) * BLOCK, np.uint16)
    indices = np.zeros(128, np.int64)
    for index in range(len(hand)):
        indices[hand[index] >> np.uint16(9)] = index
    seen, held = np.empty(2 * BLOCK, np.uint64), np.empty((len(before), 2 * BLOCK), np.uint64)
    for start in range(0, len(drawn), BLOCK):
        block = min(BLOCK, len(drawn) - start)
        for lane in range(block):
            # Keyed by the number of the world alone, so that later calls can play any of the worlds again.
            keys[lane] = lane_key(seed, drawn[start + lane])
        shuffle(_ZERO, unseen, offset, dealt, keys, picks)
        make_keys(seed, first + np.uint64(start), keys)
        shuffle(_ONE, hand, size, order, keys, picks)
        if len(leads):
            shuffle(_TWO, places, size, again, keys, picks)
            lead_in_lanes(leads[start : start + block], again, dealt)
        if fitted:
            held[:] = 0
            for seat in range(me):
                add_to_set(dealt, seat * size, size, held[seat])
            add_to_set(order, _ZERO, size, held[len(before) - 1])
        # All options are tried in the same worlds, so that the luck of a world is in both results of a difference and
        # `count_differences` subtracts it.
        for option in options:
            for row in range(len(table)):
                rows[row * BLOCK : (row + 1) * BLOCK] = table[row]
            # The arrays are reused, so each option starts from the table and not from the end of the option before.
            seen[:BLOCK], seen[BLOCK:] = seen_sets[0], seen_sets[1]
            if choosing and option == options[0]:
                # The other seats choose once for all options, because they do not know this seat's card.
                for seat in range(me):
                    if models[seat] != RANDOM and len(leads) == 0:
                        play_card(
                            opening, models[seat], capacity, seat * size, size, seats, len(unseen), rows, dealt, seen,
                            held[seat], chances[0], network, noise_for(_ZERO, seat), keys, best, scratch,
                        )  # fmt: skip
            cards[: int(offset) * BLOCK] = dealt[: int(offset) * BLOCK]
            taken[:] = 0
            if choosing:
                lead_with(choices[option], size, offset, order, cards)
            else:
                cards[int(offset) * BLOCK : int(seats * size) * BLOCK] = order[: int(size) * BLOCK]
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
                if len(results):
                    count_own_card(opening, most, seats, block, indices, rows, plays, results[option])
                play_turn(opening, most, seats, rows, plays, row_choices, forced, got, taken)
                if choosing and turn == _ZERO:
                    first_taken[:] = taken[int(me) * BLOCK :]
            count_worlds(option, block, objective, before, first_taken, taken, values, sums, spread)
        count_differences(options, block, values, apart, squared)
