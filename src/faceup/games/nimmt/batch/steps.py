"""One move in every lane at a time: the kernels under `faceup.games.nimmt.batch.engine`.

Here a lane is a row of each array, and is played by itself: what callers choose goes different ways in each. What the
arrays mean is in `faceup.games.nimmt.batch.layout`.
"""

import numpy as np

from faceup.games.lanes import FRACTION, FRACTION_BITS, Array, Word, fraction, kernel, lane_key, pick
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch.kernels import CARDS_PER_WORD, PER_DEAL
from faceup.games.nimmt.batch.layout import ASIDE, CHANCE_DUE, CHOOSE, HEADS, OVER, ROW, TAKE_ROW, TAKEN, WAITING


@kernel
def shuffle_lanes(seed: Word, first: Word, cards: Word, phase: Array, numbers: Array, dealt: Array) -> None:
    """Draw the next deal of every lane that waits for one, as `kernels.shuffle` does."""
    deck = np.empty(cards, np.uint8)
    size = dealt.shape[1]
    for lane in range(len(phase)):
        if phase[lane] != CHANCE_DUE:
            continue
        key = lane_key(seed, first + np.uint64(lane))
        number = np.uint64(numbers[lane]) * np.uint64(PER_DEAL)
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
    rows: Array, lengths: Array, sizes: Array, plays: Array, revealed: Array, gone: Array, acts: Array,
) -> None:  # fmt: skip
    """Deal the cards of `dealt` in every lane that waits for a deal; `fresh` says in which that was."""
    seats = sizes.shape[1]
    for lane in range(len(phase)):
        fresh[lane] = phase[lane] == CHANCE_DUE
        if not fresh[lane]:
            continue
        held[lane, :] = 0
        hands[lane, :, :] = False
        cards[lane, :] = 0
        rows[lane, :, :] = 0
        for seat in range(seats):
            for index in range(hand):
                card = dealt[lane, seat * hand + index]
                held[lane, card - 1] = seat + 1
                hands[lane, seat, card - 1] = gone[lane, seat] == 0
            sizes[lane, seat] = hand
            plays[lane, seat] = 0
            revealed[lane, seat] = 0
            acts[lane, seat] = gone[lane, seat] == 0
        for row in range(lengths.shape[1]):
            card = dealt[lane, seats * hand + row]
            cards[lane, card - 1] = ROW + row
            rows[lane, row, 0] = card
            lengths[lane, row] = 1
        phase[lane] = CHOOSE
        numbers[lane] += 1


@kernel
def first_wrong(actions: Array, forfeits: Word, rows: Word, phase: Array, acts: Array, held: Array) -> Word:
    """The first lane with an action that is not legal, or that is nobody's to choose; -1 if there is none."""
    for lane in range(actions.shape[0]):
        for seat in range(actions.shape[1]):
            action = actions[lane, seat]
            if action == -1:
                right = forfeits or not acts[lane, seat]
            elif not acts[lane, seat]:
                right = False
            elif phase[lane] == CHOOSE:
                right = 0 <= action < held.shape[1] and held[lane, action] == seat + 1
            else:
                right = TAKE <= action < TAKE + rows
            if not right:
                return lane
    return -1


@kernel
def take_row(
    lane: Word, seat: Word, row: Word, cards: Array, rows: Array, lengths: Array, plays: Array, heads: Array
) -> None:
    """The seat takes the row, and its card becomes that row."""
    for index in range(lengths[lane, row]):
        card = rows[lane, row, index]
        cards[lane, card - 1] = TAKEN + seat
        heads[lane, seat] += HEADS[card]
        rows[lane, row, index] = 0
    card = plays[lane, seat]
    rows[lane, row, 0] = card
    lengths[lane, row] = 1
    cards[lane, card - 1] = ROW + row
    plays[lane, seat] = 0


@kernel
def place_cards(lane: Word, cards: Array, rows: Array, lengths: Array, plays: Array, heads: Array) -> Word:
    """Place what is revealed, ascending, until a card is below all tails: its seat then; -1 when all are placed."""
    capacity = rows.shape[2]
    while True:
        # Lowest and nearest are found by numbers that end in where they are: without branches, which would be guesses.
        lowest = 1 << 12
        for seat in range(plays.shape[1]):
            lowest = min(lowest, pick(plays[lane, seat] > 0, plays[lane, seat] << 4 | seat, 1 << 12))
        if lowest == 1 << 12:
            return -1
        seat, card = lowest & 15, lowest >> 4
        nearest = -1
        for row in range(rows.shape[1]):
            tail = np.int64(rows[lane, row, lengths[lane, row] - 1])
            nearest = max(nearest, pick(tail < card, tail << 4 | row, -1))
        if nearest < 0:
            return seat
        row = nearest & 15
        if lengths[lane, row] == capacity:
            take_row(lane, seat, row, cards, rows, lengths, plays, heads)
        else:
            rows[lane, row, lengths[lane, row]] = card
            lengths[lane, row] += 1
            cards[lane, card - 1] = ROW + row
            plays[lane, seat] = 0


@kernel
def close_deal(lane: Word, deals: Word, target: Word, heads: Array, finished: Array) -> Word:
    """Count a deal that is over: the phase that follows."""
    finished[lane] += 1
    if deals and finished[lane] >= deals:
        return OVER
    for seat in range(heads.shape[1]):
        if target and heads[lane, seat] >= target:
            return OVER
    return CHANCE_DUE


@kernel
def step_lanes(
    actions: Array, deals: Word, target: Word, phase: Array, held: Array, hands: Array, cards: Array,
    rows: Array, lengths: Array, sizes: Array, plays: Array, revealed: Array, gone: Array, acts: Array,
    heads: Array, finished: Array,
) -> None:  # fmt: skip
    """Play legal actions in every lane that waits for some."""
    seats = sizes.shape[1]
    for lane in range(len(phase)):
        if phase[lane] != CHOOSE and phase[lane] != TAKE_ROW:
            continue
        group = 0
        choosing = phase[lane] == CHOOSE
        for seat in range(seats):
            if not acts[lane, seat]:
                revealed[lane, seat] = pick(choosing, np.uint8(0), revealed[lane, seat])
                continue
            action = actions[lane, seat]
            if action < 0:
                if group == 0:
                    group = gone[lane].max() + 1
                gone[lane, seat] = group
                hands[lane, seat, :] = False
                if not choosing:
                    cards[lane, plays[lane, seat] - 1] = ASIDE
                    plays[lane, seat] = 0
            elif choosing:
                plays[lane, seat] = action + 1
                revealed[lane, seat] = action + 1
                held[lane, action] = 0
                hands[lane, seat, action] = False
                cards[lane, action] = WAITING + seat
                sizes[lane, seat] -= 1
            else:
                take_row(lane, seat, action - TAKE, cards, rows, lengths, plays, heads)
        left, one = 0, 0
        for seat in range(seats):
            acts[lane, seat] = gone[lane, seat] == 0
            if acts[lane, seat]:
                left, one = left + 1, seat
        if left < 2:
            for seat in range(seats):
                if plays[lane, seat]:
                    cards[lane, plays[lane, seat] - 1] = ASIDE
                    plays[lane, seat] = 0
            phase[lane] = OVER
        else:
            waits_for = place_cards(lane, cards, rows, lengths, plays, heads)
            if waits_for >= 0:
                phase[lane] = TAKE_ROW
                for seat in range(seats):
                    acts[lane, seat] = seat == waits_for
                continue
            phase[lane] = CHOOSE if sizes[lane, one] else close_deal(lane, deals, target, heads, finished)
        if phase[lane] != CHOOSE:
            for seat in range(seats):
                acts[lane, seat] = False


@kernel
def restart(phase: Array, ended: Array, final: Array, heads: Array, gone: Array, finished: Array) -> None:
    """Make the lanes that are over ready for another game; `ended` and `final` keep which, and their heads."""
    for lane in range(len(phase)):
        ended[lane] = phase[lane] == OVER
        if ended[lane]:
            final[lane, :] = heads[lane, :]
            heads[lane, :] = 0
            gone[lane, :] = 0
            finished[lane] = 0
            phase[lane] = CHANCE_DUE


@kernel
def fill_mask(phase: Array, acts: Array, held: Array, mask: Array) -> None:
    """The legal actions, bool [B, seats, actions]."""
    for lane in range(mask.shape[0]):
        for seat in range(mask.shape[1]):
            mine = np.uint8(seat + 1 if acts[lane, seat] and phase[lane] == CHOOSE else 255)
            for card in range(TAKE):
                mask[lane, seat, card] = held[lane, card] == mine
            row_due = acts[lane, seat] and phase[lane] == TAKE_ROW
            for row in range(TAKE, mask.shape[2]):
                mask[lane, seat, row] = row_due
