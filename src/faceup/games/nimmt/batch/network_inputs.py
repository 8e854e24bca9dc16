"""Encode what a seat of 6 nimmt! knows when it must choose a card, as the inputs of `network`.

A position is public information and one hand. It is stored in a few small arrays (`Positions`), which are the same
whether they come from a view, or from the arrays of games that are played in blocks. `encode` turns them into three
arrays of numbers: one for the whole position, one for each card of the hand, and one for each other seat.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.batch.fitted_policy import as_set
from faceup.games.nimmt.batch.kernels import row_word
from faceup.games.nimmt.batch.table_kernels import ascending
from faceup.games.nimmt.batch.turn_knowledge import before_each_turn
from faceup.games.nimmt.cards import HEADS, MOST_CARDS
from faceup.games.nimmt.parameters import MOST_HAND, MOST_ROWS
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import known_turns, seen_cards

PLANES: Final = 4 * MOST_CARDS
"""For each card: 1 if it is unseen; 1 if it is in the hand; the free places of the row whose tail it is, plus one, in
fifths; a tenth of this row's heads."""
GENERAL: Final = 24
ROW: Final = 10
CONTEXT: Final = PLANES + GENERAL + MOST_ROWS * ROW
"""Numbers that describe the whole position: `PLANES`, then `GENERAL`, then `ROW` for each row by ascending tail."""
CARD: Final = 28
"""Numbers for each card of the hand; the first nine are those of policy `fitted`."""
SEAT: Final = 28
"""Numbers for each other seat."""

_HEADS: Final = np.array(HEADS, np.float32)
_BUCKET: Final = 13
_LOW: Final = 0x01FF
_LONGER: Final = 51


class Positions(NamedTuple):
    """Positions of n seats at tables of one size. Seats are counted from the deciding seat, which is seat 0.

    Attributes:
        rows: uint16 [n, MOST_HAND, rows]: the numbers of the rows before each turn of this deal, the present one
            included; see `kernels`.
        hands: uint8 [n, MOST_HAND]: the cards of the hand, ascending, then 0.
        seen: uint64 [n, 2]: the set of the cards that have been face up in this deal, and of the numbers up to 127 that
            are not cards in play; see `fitted_policy.as_set`.
        history: uint8 [n, MOST_HAND, seats]: the card that each seat played in each finished turn of this deal, then 0.
        heads: int16 [n, seats]: each seat's heads in this match.
        turns: uint8 [n]: the number of finished turns of this deal.
    """

    rows: npt.NDArray[np.uint16]
    hands: npt.NDArray[np.uint8]
    seen: npt.NDArray[np.uint64]
    history: npt.NDArray[np.uint8]
    heads: npt.NDArray[np.int16]
    turns: npt.NDArray[np.uint8]


def positions(rules: Rules, views: Sequence[View]) -> Positions:
    """Collect the positions of views of seats that are to choose a card; seats that are out are left out."""
    seats = len(views[0].to_act)
    count = len(views)
    no_cards = {*range(128)} - {*range(1, rules.cards + 1)}
    arrays = Positions(
        np.zeros((count, MOST_HAND, rules.rows), np.uint16),
        np.zeros((count, MOST_HAND), np.uint8),
        np.zeros((count, 2), np.uint64),
        np.zeros((count, MOST_HAND, seats), np.uint8),
        np.zeros((count, seats), np.int16),
        np.zeros(count, np.uint8),
    )
    for index, view in enumerate(views):
        there = view.to_act
        first = there.index(view.seat or 0)
        order = [*there[first:], *there[:first]]
        tables, *_ = before_each_turn(rules, view)
        arrays.rows[index, : len(tables) + 1] = [*tables, [row_word(row) for row in view.rows]]
        arrays.hands[index, : len(view.hand)] = view.hand
        arrays.seen[index] = as_set({*seen_cards(view), *no_cards})
        for turn, played in enumerate(known_turns(view)):
            arrays.history[index, turn] = [played.plays[seat] for seat in order]
        arrays.heads[index] = [view.heads[seat] for seat in order]
        arrays.turns[index] = len(tables)
    return arrays


@kernel
def clip(value: Word) -> Word:
    """Return the value, or the nearer of -2 and 2 if it is not between them."""
    return max(np.float32(-2), min(np.float32(2), np.float32(value)))


@kernel
def encode_context(
    others: Word, capacity: Word, deck: Word, hand: Array, seen_set: Array, rows: Array, heads: Array, unseen: Array,
    own_cards: Array, tails: Array, free: Array, costs: Array, context: Array,
) -> None:  # fmt: skip
    """Write the numbers of the whole position, and what `encode_card` needs.

    Args:
        others: number of other seats.
        capacity: the most cards in a row.
        deck: number of cards in play.
        hand: the hand, as in `Positions`.
        seen_set: the set of cards that have been face up.
        rows: the numbers of the rows.
        heads: each seat's heads.
        unseen: int32 [MOST_CARDS + 1], filled: number of unseen cards up to each card.
        own_cards: int32 [MOST_CARDS + 1], filled: number of cards of the hand up to each card.
        tails: int32 [rows], filled: the tails, ascending.
        free: int32 [rows], filled: how many cards fit in each of these rows.
        costs: float32 [rows], filled: the heads of each of these rows.
        context: float32 [CONTEXT], zeros, filled.
    """
    count, held, total = 0, 0, 0
    for place in range(MOST_HAND):
        count += hand[place] > 0
    for card in range(1, MOST_CARDS + 1):
        own = held < count and hand[held] == card
        face_up = (seen_set[card >> 6] >> np.uint64(card & 63)) & np.uint64(1)
        there = card <= deck and not own and face_up == 0
        held += own
        total += there
        unseen[card], own_cards[card] = total, held
        context[card - 1] = there
        context[MOST_CARDS + card - 1] = own
    order = ascending(rows)  # a row's number has its tail in the highest bits
    cheapest, dearest, full = np.float32(1000), np.float32(0), 0
    for index in range(len(rows)):
        row = np.int32(rows[order[index]])
        tails[index] = row >> 9
        free[index] = capacity - (row & _LOW) // _LONGER - 1
        costs[index] = (row & _LOW) % _LONGER
        cheapest, dearest = min(cheapest, costs[index]), max(dearest, costs[index])
        full += free[index] == 0
    scale = np.float32(1) / np.float32(max(1, total))
    for index in range(len(rows)):
        tail, end = tails[index], tails[index + 1] if index + 1 < len(rows) else MOST_CARDS
        gap = np.float32(unseen[end] - unseen[tail]) * scale
        context[2 * MOST_CARDS + tail - 1] = np.float32(0.2) + np.float32(free[index]) * np.float32(0.2)
        context[3 * MOST_CARDS + tail - 1] = costs[index] * np.float32(0.1)
        row_numbers = context[PLANES + GENERAL + index * ROW : PLANES + GENERAL + (index + 1) * ROW]
        row_numbers[0] = 1
        row_numbers[1] = np.float32(tail) / np.float32(MOST_CARDS)
        row_numbers[2] = np.float32(free[index]) * np.float32(0.2)
        row_numbers[3] = costs[index] * np.float32(0.1)
        row_numbers[4] = costs[index] == cheapest
        row_numbers[5] = free[index] == 0
        row_numbers[6] = gap
        row_numbers[7] = np.float32(own_cards[end] - own_cards[tail]) * np.float32(0.2)
        row_numbers[8] = min(np.float32(2), gap * np.float32(others) / np.float32(3))
        row_numbers[9] = min(np.float32(2), gap * np.float32(others) / np.float32(free[index] + 1))
    most, least, mean = np.float32(-1000), np.float32(1000), np.float32(0)
    for seat in range(1, others + 1):
        most, least = max(most, np.float32(heads[seat])), min(least, np.float32(heads[seat]))
        mean += np.float32(heads[seat]) / np.float32(others)
    own_heads = np.float32(heads[0])
    general = context[PLANES : PLANES + GENERAL]
    general[0] = np.float32(count) * np.float32(0.1)
    general[1] = cheapest * np.float32(0.1)
    general[2] = np.float32(others - 1) / np.float32(8)
    general[3] = np.float32(unseen[tails[0]]) * scale
    general[4] = np.float32(own_cards[tails[0]]) / np.float32(max(1, count))
    general[5] = dearest * np.float32(0.1)
    general[6] = np.float32(full) / np.float32(len(rows))
    general[7] = np.float32(total) / np.float32(MOST_CARDS)
    general[8] = np.float32(deck) / np.float32(MOST_CARDS)
    general[9] = np.float32(others * count) * scale
    general[10] = np.float32(capacity) * np.float32(0.2)
    general[11] = np.float32(len(rows)) * np.float32(0.25)
    general[12] = clip((own_heads - mean) / np.float32(15))
    general[13] = clip((own_heads - least) / np.float32(15))
    general[14] = clip((own_heads - most) / np.float32(15))
    general[15] = own_heads < least
    general[16] = others == 1
    general[17] = count == 1
    general[18] = count == 2
    general[19] = count == 3
    general[20] = np.float32(others) / np.float32(4 * len(rows))


@kernel
def encode_card(
    place: Word, others: Word, hand: Array, unseen: Array, own: Array, tails: Array, free: Array,
    costs: Array, count: Word, chances: Array, numbers: Array,
) -> None:  # fmt: skip
    """Write the numbers of one card of the hand; the arguments are as for `encode_context`.

    `chances` is scratch space, float32 [MOST_SEATS]: the probability of each number of cards that others place in this
    card's row before it, if each of them plays any unseen card.
    """
    card = np.int32(hand[place])
    under, end, cheapest = -1, MOST_CARDS, np.float32(1000)
    for index in range(len(tails)):
        if tails[index] < card:
            under = index
        elif end == MOST_CARDS:
            end = tails[index]
        cheapest = min(cheapest, costs[index])
    low = under < 0
    tail, slots, paid = (0, 1, cheapest) if low else (tails[under], free[under], costs[under])
    total = np.float32(max(1, unseen[MOST_CARDS]))
    scale = np.float32(1) / total
    gap = np.float32(unseen[card] - unseen[tail])
    share = min(np.float32(1), gap * scale)
    chances[:] = 0
    if share == np.float32(1):
        chances[others] = 1
    else:
        probability = np.float32(1)
        for _ in range(others):
            probability *= np.float32(1) - share
        for before in range(others + 1):
            chances[before] = probability
            probability *= share / (np.float32(1) - share) * np.float32(others - before) / np.float32(before + 1)
    fewer = np.float32(0)
    for before in range(min(slots, others + 1)):
        fewer += chances[before]
    takes = chances[0] if low else chances[slots] if slots <= others else np.float32(0)
    chance = fewer if low else np.float32(1) - fewer
    prize = paid * np.float32(0.1) + (np.float32(0) if low else np.float32(0.164) * np.float32(slots))
    below = np.int32(hand[place - 1]) if place else 0
    above = np.int32(hand[place + 1]) if place + 1 < count else MOST_CARDS
    numbers[0] = low
    numbers[1] = chance
    numbers[2] = prize
    numbers[3] = chance * prize
    numbers[4] = np.float32(0) if low else np.float32(slots) * np.float32(0.2)
    numbers[5] = min(np.float32(1), gap * np.float32(others) * scale / np.float32(3))
    numbers[6] = np.float32(card) / np.float32(MOST_CARDS)
    numbers[7] = np.float32(place) / np.float32(count)
    numbers[8] = _HEADS[card] * np.float32(0.2)
    numbers[9] = takes
    numbers[10] = takes * prize
    numbers[11] = chances[slots + 1] if slots + 1 <= others else np.float32(0)
    numbers[12] = chances[slots - 1] if 1 <= slots <= others + 1 else np.float32(0)
    numbers[13] = np.float32(own[card - 1] - own[tail]) * np.float32(0.2)
    numbers[14] = min(np.float32(1), np.float32(card - tail) / np.float32(30))
    numbers[15] = np.float32(0) if low else np.float32(under + 1) / np.float32(len(tails))
    numbers[16] = np.float32(unseen[card] - unseen[below]) * scale * np.float32(2)
    numbers[17] = np.float32(unseen[above] - unseen[card]) * scale * np.float32(2)
    numbers[18] = np.float32(unseen[card]) * scale
    numbers[19] = not low and slots == 0
    numbers[20] = not low and slots == 0 and gap == np.float32(0)
    numbers[21] = not low and others <= slots
    numbers[22] = paid * np.float32(0.1)
    numbers[23] = min(np.float32(2), ((np.float32(0) if low else costs[under]) + _HEADS[card]) * np.float32(0.1))
    numbers[24] = place == 0
    numbers[25] = place == count - 1
    numbers[26] = min(
        np.float32(1), np.float32(unseen[end] - unseen[card]) * np.float32(others) * scale / np.float32(3)
    )
    numbers[27] = np.float32(own[end] - own[card]) * np.float32(0.2)


@kernel
def encode_seat(
    seat: Word, least: Word, capacity: Word, turns: Word, rows: Array, history: Array, heads: Array, numbers: Array
) -> None:  # fmt: skip
    """Write the numbers of another seat: its heads and its plays; `least` is the least heads of the other seats."""
    numbers[0] = clip(np.float32(heads[seat] - heads[0]) / np.float32(15))
    numbers[1] = heads[seat] == least
    numbers[2] = np.float32(heads[seat]) / np.float32(20)
    lowest: Word = MOST_CARDS + 1
    highest: Word = 0
    total: Word = 0
    for turn in range(turns):
        card: Word = np.int32(history[turn, seat])
        if card:
            lowest, highest = min(lowest, card), max(highest, card)
            total += card
            numbers[10 + min(7, (card - 1) // _BUCKET)] += np.float32(1) / np.float32(3)
            under: Word = 0
            for index in range(rows.shape[1]):
                row = np.int32(rows[turn, index])
                if row >> 9 < card:
                    under = max(under, row)
            gap = min(np.float32(1), np.float32(card - (under >> 9)) / np.float32(30))
            slots = capacity - (under & _LOW) // _LONGER - 1
            numbers[20] += np.float32(under == 0) / np.float32(3)
            numbers[21] += np.float32(under != 0 and slots == 0) / np.float32(3)
            numbers[22] += gap / np.float32(turns)
            numbers[23] += np.float32(slots) * np.float32(0.2) / np.float32(turns)
            numbers[24] = max(numbers[24], gap)
            numbers[25], numbers[26] = gap, np.float32(slots) * np.float32(0.2)
            numbers[27] = under == 0
    if turns:
        last = np.int32(history[turns - 1, seat])
        numbers[3] = 1
        numbers[4] = np.float32(lowest) / np.float32(MOST_CARDS)
        numbers[5] = np.float32(highest) / np.float32(MOST_CARDS)
        numbers[6] = np.float32(total) / np.float32(MOST_CARDS * turns)
        numbers[7] = np.float32(last) / np.float32(MOST_CARDS)
        numbers[8] = _HEADS[last] * np.float32(0.2)
        numbers[9] = np.float32(turns) * np.float32(0.1)
    if turns > 1:
        numbers[18] = np.float32(history[turns - 2, seat]) / np.float32(MOST_CARDS)
    if turns > 2:
        numbers[19] = np.float32(history[turns - 3, seat]) / np.float32(MOST_CARDS)


@kernel
def encode(
    capacity: Word, deck: Word, rows: Array, hands: Array, seen: Array, history: Array, heads: Array, turns: Array,
    context: Array, card: Array, seat: Array,
) -> None:  # fmt: skip
    """Encode positions.

    Args:
        capacity: the most cards in a row.
        deck: the number of cards in play.
        rows: this and the next five arguments are the arrays of `Positions`.
        hands: see `rows`.
        seen: see `rows`.
        history: see `rows`.
        heads: see `rows`.
        turns: see `rows`.
        context: float32 [n, CONTEXT], overwritten.
        card: float32 [n, MOST_HAND, CARD], overwritten; zeros for missing cards.
        seat: float32 [n, seats - 1, SEAT], overwritten.
    """
    others, lines = heads.shape[1] - 1, rows.shape[2]
    unseen, own = np.zeros(MOST_CARDS + 1, np.int32), np.zeros(MOST_CARDS + 1, np.int32)
    tails, free, costs = np.empty(lines, np.int32), np.empty(lines, np.int32), np.empty(lines, np.float32)
    chances = np.empty(others + 1, np.float32)
    for n in range(len(rows)):
        context[n], card[n], seat[n] = 0, 0, 0
        encode_context(
            others, capacity, deck, hands[n], seen[n], rows[n, turns[n]], heads[n], unseen, own, tails, free, costs,
            context[n],
        )  # fmt: skip
        count = own[MOST_CARDS]
        for place in range(count):
            encode_card(place, others, hands[n], unseen, own, tails, free, costs, count, chances, card[n, place])
        least = heads[n, 1]
        for other in range(2, others + 1):
            least = min(least, heads[n, other])
        for other in range(1, others + 1):
            encode_seat(other, least, capacity, np.int64(turns[n]), rows[n], history[n], heads[n], seat[n, other - 1])


def inputs(
    rules: Rules, observed: Positions
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Encode positions: float32 [n, CONTEXT], [n, MOST_HAND, CARD] and [n, seats - 1, SEAT]."""
    count, seats = observed.heads.shape
    arrays = (
        np.empty((count, CONTEXT), np.float32),
        np.empty((count, MOST_HAND, CARD), np.float32),
        np.empty((count, seats - 1, SEAT), np.float32),
    )
    encode(rules.capacity, rules.cards, *observed, *arrays)
    return arrays
