"""Kernels of `faceup.games.nimmt.batch.engine`: one move in every lane.

Element i of each array belongs to lane i; `faceup.games.nimmt.batch.layout` explains the arrays. Lanes take different
branches and wait for memory, both of which are slow. Therefore, a step passes over a block of lanes three times:

1. `choose_lanes` applies the chosen actions to each lane, and writes the cards to place and the rows as 16-bit numbers
   with the lanes side by side, `[..., BLOCK]`, flattened.
2. `order_lanes` sorts the cards and finds the row that each card goes to. It processes all lanes in parallel, without
   branches, in vector instructions.
3. `settle_lanes` applies the result to each lane. It need not search, because the row of each card is known.

The number of a card to place:

    bits 9..15  the card
    bits 0..3   its seat

The number of a row:

    bits 9..15  the row's tail
    bit  8      set if a card's seat takes the row
    bits 3..6   the number of cards in the row
    bits 0..2   the index of the row

A card goes to the row with the greatest number below the card's number, because that row has the greatest tail below
the card. Indices are unsigned, because numba generates extra code for negative signed indices.
"""

from typing import Final

import numpy as np

from faceup.games.lanes import FRACTION, FRACTION_BITS, Array, Word, fraction, kernel, lane_key, pick, prefetch
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch.layout import ANYONE, ASIDE, HEADS, NO_SEAT, OPTIONS, ROW, TAKEN, WAITING
from faceup.games.nimmt.observation import CHANCE_DUE, CHOOSE, OVER, TAKE_ROW
from faceup.games.nimmt.parameters import CARDS_PER_WORD, WORDS_PER_DEAL

BLOCK: Final = 64
"""Number of lanes in a block, chosen so that the data of a block fits in the processor's first-level cache."""

AHEAD: Final[Word] = np.uint64(12)
"""Number of lanes by which prefetching runs ahead."""

_SIZE: Final[Word] = np.uint64(BLOCK)
_ZERO: Final[Word] = np.uint64(0)
_ONE: Final[Word] = np.uint64(1)
_CARDS: Final[Word] = np.uint64(TAKE)
_OPTIONS: Final[Word] = np.uint64(OPTIONS)

_NONE: Final[Word] = np.uint16(0)
"""Placeholder for no row, which is below every card."""
_PLACED: Final[Word] = np.uint16(0xFFFF)
"""Placeholder for no card, which is above all rows and cards."""
_TAIL: Final[Word] = np.uint16(0xFE00)
_TAKES: Final[Word] = np.uint16(1 << 8)
_LENGTH: Final[Word] = np.uint16(0x78)
_LONGER: Final[Word] = np.uint16(1 << 3)
_ROW: Final[Word] = np.uint16(7)
_CARD_SHIFT: Final[Word] = np.uint64(9)
_LENGTH_SHIFT: Final[Word] = np.uint64(3)
_SEAT: Final[Word] = np.uint64(15)


@kernel
def shuffle_lanes(seed: Word, first: Word, cards: Word, phase: Array, numbers: Array, dealt: Array) -> None:
    """Draw the next deal for every lane that waits for a deal, as `kernels.shuffle` does."""
    deck = np.empty(cards, np.uint8)
    size = dealt.shape[1]
    for lane in range(len(phase)):
        if phase[lane] != CHANCE_DUE:
            continue
        # The number of the lane in the whole run, so that a game is the same however lanes are split among threads.
        key = lane_key(seed, first + np.uint64(lane))
        number = np.uint64(numbers[lane]) * np.uint64(WORDS_PER_DEAL)
        rest = np.uint64(0)
        for place in range(cards):
            deck[place] = place + 1
        for place in range(size):
            if place % CARDS_PER_WORD == 0:
                number += np.uint64(1)
                rest = fraction(key, number)
            product = rest * np.uint64(cards - place)
            other = place + np.int64(product >> FRACTION_BITS)
            rest = product & FRACTION
            dealt[lane, place] = deck[other]
            deck[other] = deck[place]


@kernel
def open_deals(
    dealt: Array, hand: Word, phase: Array, numbers: Array, fresh: Array, held: Array, hands: Array, cards: Array,
    rows: Array, lengths: Array, sizes: Array, plays: Array, revealed: Array, out_groups: Array, acts: Array,
) -> None:  # fmt: skip
    """Deal the cards of `dealt` in every lane that waits for a deal; mark those lanes in `fresh`."""
    seats, capacity = np.uint64(sizes.shape[1]), np.uint64(rows.shape[2])
    size = np.uint64(hand)
    for lane in range(np.uint64(len(phase))):
        fresh[lane] = phase[lane] == CHANCE_DUE
        if phase[lane] != CHANCE_DUE:
            continue
        for place in range(_CARDS):
            held[lane, place] = 0
            cards[lane, place] = 0
        for seat in range(seats):
            there = out_groups[lane, seat] == 0
            for place in range(_CARDS):
                hands[lane, seat, place] = False
            for index in range(size):
                card = np.uint64(dealt[lane, seat * size + index]) - _ONE
                held[lane, card] = seat + _ONE
                hands[lane, seat, card] = there
            sizes[lane, seat] = size
            plays[lane, seat] = 0
            revealed[lane, seat] = 0
            acts[lane, seat] = there
        for row in range(np.uint64(lengths.shape[1])):
            card = np.uint64(dealt[lane, seats * size + row])
            for index in range(capacity):
                rows[lane, row, index] = 0
            cards[lane, card - _ONE] = ROW + row
            rows[lane, row, 0] = card
            lengths[lane, row] = 1
        phase[lane] = CHOOSE
        numbers[lane] += 1


@kernel
def held_by(seat: Word, phase: Word, acts: Word) -> Word:
    """Return the value in `held` at every legal action of the seat."""
    own = pick(phase == CHOOSE, np.uint8(seat + _ONE), np.uint8(ANYONE))
    return pick(acts, own, np.uint8(NO_SEAT))


@kernel
def first_wrong(actions: Array, forfeits: Word, phase: Array, acts: Array, held: Array) -> Word:
    """Return the first lane with an illegal action or an action for a seat that is not to act; -1 if there is none."""
    for lane in range(np.uint64(actions.shape[0])):
        wrong = False
        for seat in range(np.uint64(actions.shape[1])):
            action = actions[lane, seat]
            # Without branches, because every lane is checked at every step.
            none = (action == -1) & (forfeits | ~acts[lane, seat])
            holder = held[lane, min(np.uint64(np.uint32(action)), _OPTIONS - _ONE)]
            wrong |= ~none & (holder != held_by(seat, phase[lane], acts[lane, seat]))
        if wrong:
            return np.int64(lane)
    return -1


@kernel
def close_deal(lane: Word, deals: Word, target: Word, heads: Array, finished: Array) -> Word:
    """Close a finished deal; return the next phase."""
    finished[lane] += 1
    if deals and finished[lane] >= deals:
        return OVER
    for seat in range(heads.shape[1]):
        if target and heads[lane, seat] >= target:
            return OVER
    return CHANCE_DUE


@kernel
def put_out(
    lane: Word, offset: Word, queue: Array, actions: Array, phase: Array, hands: Array, cards: Array, plays: Array,
    out_groups: Array, acts: Array,
) -> None:  # fmt: skip
    """Put the seats that forfeit out of the match; end the match if fewer than two seats are left."""
    group = out_groups[lane].max() + 1
    left = 0
    for seat in range(out_groups.shape[1]):
        if acts[lane, seat] and actions[lane, seat] < 0:
            out_groups[lane, seat] = group
            hands[lane, seat, :] = False
            card = plays[lane, seat]
            if card:
                cards[lane, card - 1] = ASIDE
                plays[lane, seat] = 0
                queue[seat * BLOCK + offset] = _PLACED
        left += out_groups[lane, seat] == 0
    if left >= 2:
        return
    phase[lane] = OVER
    for seat in range(out_groups.shape[1]):
        acts[lane, seat] = False
        plays[lane, seat] = 0
        word = queue[seat * BLOCK + offset]
        if word != _PLACED:
            cards[lane, (word >> 9) - 1] = ASIDE


@kernel
def choose_lanes(
    start: Word, end: Word, queue: Array, lines: Array, forced: Array, actions: Array, phase: Array, held: Array,
    hands: Array, cards: Array, rows: Array, lengths: Array, sizes: Array, plays: Array, revealed: Array,
    out_groups: Array, acts: Array,
) -> None:  # fmt: skip
    """Remove the chosen cards from the hands and store them for `place`, with the lanes of a block adjacent."""
    seats, count = np.uint64(sizes.shape[1]), np.uint64(lengths.shape[1])
    for lane in range(start, end):
        offset = lane - start
        # The writes below are scattered, so without prefetching, each lane would wait for memory.
        ahead = min(lane + AHEAD, np.uint64(len(phase)) - _ONE)
        for seat in range(seats):
            action = np.uint64(max(actions[ahead, seat], 0))
            prefetch(hands, (ahead * seats + seat) * _CARDS + action)
            prefetch(held, ahead * _OPTIONS + action)
            prefetch(cards, ahead * _CARDS + action)
        if phase[lane] == CHOOSE:
            forfeits: Word = False
            forced[offset] = _NONE
            for seat in range(seats):
                action = actions[lane, seat]
                if action < 0:
                    forfeits |= acts[lane, seat]
                    revealed[lane, seat] = 0
                    queue[seat * _SIZE + offset] = _PLACED
                    continue
                held[lane, np.uint64(action)] = 0
                hands[lane, seat, np.uint64(action)] = False
                sizes[lane, seat] -= 1
                card = np.uint64(action) + _ONE
                revealed[lane, seat] = card
                queue[seat * _SIZE + offset] = np.uint16(card << _CARD_SHIFT | seat)
        elif phase[lane] == TAKE_ROW:
            wanted_row = np.int64(-1)  # only one seat is to act, so the maximum is its action
            for seat in range(seats):
                card = np.uint64(plays[lane, seat])
                queue[seat * _SIZE + offset] = pick(card == _ZERO, _PLACED, np.uint16(card << _CARD_SHIFT | seat))
                wanted_row = max(wanted_row, np.int64(actions[lane, seat]) - TAKE)
            forfeits = wanted_row < 0
            forced[offset] = _NONE
            if not forfeits:
                chosen = np.uint64(wanted_row)
                length = np.uint64(lengths[lane, chosen])
                tail = np.uint64(rows[lane, chosen, length - _ONE])
                forced[offset] = np.uint16(tail << _CARD_SHIFT | length << _LENGTH_SHIFT | chosen)
        else:
            continue
        for row in range(count):
            length = np.uint64(lengths[lane, row])
            tail = np.uint64(rows[lane, row, length - _ONE])
            lines[row * _SIZE + offset] = np.uint16(tail << _CARD_SHIFT | length << _LENGTH_SHIFT | row)
        if forfeits:
            put_out(np.int64(lane), np.int64(offset), queue, actions, phase, hands, cards, plays, out_groups, acts)


@kernel
def order_lanes(
    capacity: Word, seats: Word, count: Word, queue: Array, lines: Array, forced: Array, waits: Array, goals: Array
) -> None:
    """Sort the cards of each lane of a block, and find the row that each card goes to.

    `waits` receives the lowest card of a lane if it is below all tails and its seat has not chosen a row yet, else 0.
    """
    # `_PLACED` is above every card, so it ends up behind them, and `settle_lanes` stops at the first one.
    for done in range(seats):
        for step in range(seats - _ONE - done):
            low = step * _SIZE
            high = low + _SIZE
            for lane in range(_SIZE):
                low_card, other = queue[low + lane], queue[high + lane]
                queue[low + lane] = min(low_card, other)
                queue[high + lane] = max(low_card, other)
    for lane in range(_SIZE):
        waits[lane] = pick(forced[lane] == _NONE, queue[lane], _NONE)
    for row in range(count):
        for lane in range(_SIZE):
            waits[lane] = pick(lines[row * _SIZE + lane] < waits[lane], _NONE, waits[lane])
    full = np.uint16(capacity << _LENGTH_SHIFT)
    for order in range(seats):
        at = order * _SIZE
        for lane in range(_SIZE):
            goals[at + lane] = forced[lane]
        for row in range(count):
            for lane in range(_SIZE):
                line = lines[row * _SIZE + lane]
                goals[at + lane] = max(goals[at + lane], pick(line < queue[at + lane], line, _NONE))
        for lane in range(_SIZE):
            goal = goals[at + lane]
            takes = (forced[lane] != _NONE) | (np.uint16(goal & _LENGTH) >= full)
            length = pick(takes, _LONGER, np.uint16(np.uint16(goal & _LENGTH) + _LONGER))
            goals[at + lane] = np.uint16(goal | pick(takes, _TAKES, _NONE))
            forced[lane] = np.uint16(np.uint16(queue[at + lane] & _TAIL) | np.uint16(length | np.uint16(goal & _ROW)))
        for row in range(count):
            for lane in range(_SIZE):
                same = np.uint16(forced[lane] & _ROW) == np.uint16(row)
                lines[row * _SIZE + lane] = pick(same, forced[lane], lines[row * _SIZE + lane])
        # Only the lowest card can be below all tails: after it, the tail of its row is below all other cards.
        for lane in range(_SIZE):
            forced[lane] = _NONE


@kernel
def settle_lanes(
    start: Word, end: Word, queue: Array, waits: Array, goals: Array, deals: Word, target: Word, phase: Array,
    cards: Array, rows: Array, lengths: Array, sizes: Array, plays: Array, out_groups: Array, acts: Array, heads: Array,
    finished: Array,
) -> None:  # fmt: skip
    """Apply the placements to the lanes of a block; where a seat must choose a row, wait for its choice instead."""
    seats, capacity = np.uint64(sizes.shape[1]), np.uint64(rows.shape[2])
    for lane in range(start, end):
        offset = lane - start
        if phase[lane] != CHOOSE and phase[lane] != TAKE_ROW:
            continue
        if waits[offset] != _NONE:
            lowest = np.uint64(waits[offset]) & _SEAT
            phase[lane] = TAKE_ROW
            for seat in range(seats):
                acts[lane, seat] = seat == lowest
            for order in range(seats):
                word = np.uint64(queue[order * _SIZE + offset])
                if word == np.uint64(_PLACED):
                    break
                card, seat = word >> _CARD_SHIFT, word & _SEAT
                plays[lane, seat] = card
                cards[lane, card - _ONE] = WAITING + seat
            continue
        last = _ZERO
        for order in range(seats):
            word = np.uint64(queue[order * _SIZE + offset])
            if word == np.uint64(_PLACED):
                break
            card, seat = word >> _CARD_SHIFT, word & _SEAT
            goal = np.uint64(goals[order * _SIZE + offset])
            row, length = goal & np.uint64(_ROW), (goal & np.uint64(_LENGTH)) >> _LENGTH_SHIFT
            if goal & np.uint64(_TAKES):
                total = 0
                for index in range(capacity):
                    other = np.uint64(rows[lane, row, index])
                    total += HEADS[other]
                    rows[lane, row, index] = 0
                    cards[lane, pick(other == _ZERO, card, other) - _ONE] = TAKEN + seat
                heads[lane, seat] += total
                length = _ZERO
            rows[lane, row, length] = card
            lengths[lane, row] = length + _ONE
            cards[lane, card - _ONE] = ROW + row
            plays[lane, seat] = 0
            last = seat
        phase[lane] = CHOOSE if sizes[lane, last] else close_deal(lane, deals, target, heads, finished)
        for seat in range(seats):
            acts[lane, seat] = (out_groups[lane, seat] == 0) & (phase[lane] == CHOOSE)


@kernel
def step_lanes(
    actions: Array, deals: Word, target: Word, phase: Array, held: Array, hands: Array, cards: Array,
    rows: Array, lengths: Array, sizes: Array, plays: Array, revealed: Array, out_groups: Array, acts: Array,
    heads: Array, finished: Array,
) -> None:  # fmt: skip
    """Play legal actions in every lane that waits for actions."""
    seats, count = np.uint64(sizes.shape[1]), np.uint64(lengths.shape[1])
    queue, goals = np.empty(seats * _SIZE, np.uint16), np.empty(seats * _SIZE, np.uint16)
    lines = np.empty(count * _SIZE, np.uint16)
    forced, waits = np.empty(BLOCK, np.uint16), np.empty(BLOCK, np.uint16)
    size = np.uint64(len(phase))
    for start in range(_ZERO, size, _SIZE):
        end = min(start + _SIZE, size)
        choose_lanes(
            start, end, queue, lines, forced, actions, phase, held, hands, cards, rows, lengths, sizes, plays, revealed,
            out_groups, acts,
        )  # fmt: skip
        order_lanes(np.uint64(rows.shape[2]), seats, count, queue, lines, forced, waits, goals)
        settle_lanes(
            start, end, queue, waits, goals, deals, target, phase, cards, rows, lengths, sizes, plays, out_groups, acts,
            heads, finished,
        )  # fmt: skip


@kernel
def restart(
    lanes: Array, phase: Array, ended: Array, final: Array, heads: Array, out_groups: Array, finished: Array
) -> None:
    """Reset the matches of these lanes, bool [B]; record the lanes in `ended`, and their heads in `final`."""
    for lane in range(np.uint64(len(phase))):
        ended[lane] = lanes[lane]
        if not lanes[lane]:
            continue
        for seat in range(np.uint64(heads.shape[1])):
            final[lane, seat] = heads[lane, seat]
            heads[lane, seat] = 0
            out_groups[lane, seat] = 0
        finished[lane] = 0
        phase[lane] = CHANCE_DUE


@kernel
def fill_lane(
    lane: Word, width: Word, at: Word, phase: Array, acts: Array, held: Array, mask: Array, actions: Word
) -> None:
    """Write the legal actions of a lane to `mask`, from place `at` on.

    Each seat gets `width` values, of which the first `actions` values are valid.
    """
    for seat in range(np.uint64(acts.shape[1])):
        own = held_by(seat, phase[lane], acts[lane, seat])
        for action in range(width):
            mask[at + action] = held[lane, action] == own
        at += actions


@kernel
def fill_mask(phase: Array, acts: Array, held: Array, mask: Array) -> None:
    """Write the legal actions of all lanes to `mask`, bool [B, seats, actions]."""
    flat = mask.reshape(-1)
    actions, last = np.uint64(mask.shape[2]), np.uint64(mask.shape[0] - 1)
    size = actions * np.uint64(mask.shape[1])
    # Writing a number of values that is known at compile time is faster by half. The surplus values of a seat are then
    # overwritten by the values of the next seat. No values follow the last lane, so it gets the exact number of values.
    for lane in range(last):
        fill_lane(lane, _OPTIONS, lane * size, phase, acts, held, flat, actions)
    fill_lane(last, actions, last * size, phase, acts, held, flat, actions)
