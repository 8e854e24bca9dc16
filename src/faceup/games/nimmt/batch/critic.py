"""A critic of 6 nimmt! that sees all hands: the heads that each seat still takes in a deal, and who wins it.

A search places cards in a world, where it knows all hands, and the critic values the deal after that. All cards go
through the same layers, as do all seats: the mean and the maximum of its cards describe a seat, and those of the seats
describe the table. `script/train` trains it, with the network.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.batch import network
from faceup.games.nimmt.batch.network import add_layer, read_weights, rectify
from faceup.games.nimmt.batch.table_kernels import ascending
from faceup.games.nimmt.cards import HEADS, MOST_CARDS
from faceup.games.nimmt.parameters import MOST_HAND, MOST_ROWS
from faceup.games.nimmt.rules import Rules

WEIGHTS_FILE: Final = network.WEIGHTS_FILE.with_name("critic.npz")

TOKEN: Final = 18
"""Numbers for each card."""
SEAT: Final = 4
"""Numbers for each seat."""
ROW: Final = 7
CONTEXT: Final = MOST_ROWS * ROW + 7
"""Numbers for the table: `ROW` for each row by ascending tail, then seven others."""
HEADS_SCALE: Final = 10
"""The critic's first value is in tens of heads."""

CARD_UNITS: Final = 64
SEAT_UNITS: Final = 192
WIDE: Final = 384
MIDDLE: Final = 192
LATE: Final = 96

_HEADS: Final = np.array(HEADS, np.float32)
_LOW: Final = 0x01FF
_LONGER: Final = 51


class CriticWeights(NamedTuple):
    """The weights of the critic, float32. A layer is a matrix [inputs, outputs]; its bias [outputs] ends in `_bias`.

    Attributes:
        card_in: the first layer of the cards.
        number: [MOST_CARDS + 1, CARD_UNITS]: what each card adds to the outputs of this layer.
        card_mid: the second layer of the cards.
        seat_in: the layer of the seats. Its inputs are the seat, and the mean and the maximum of its cards.
        wide: the first layer of the table. Its inputs are the context, and the mean and the maximum of the seats.
        middle: the second layer of the table.
        late_card: the third layer of the cards, applied to the cards.
        late_seat: the third layer of the cards, applied to their seat.
        late_context: the third layer of the cards, applied to the table.
        last: the fourth layer of the cards.
        value_in: the second layer of the seats. Its inputs are the mean and the maximum of the cards, the seat, and the
            table.
        value: the outputs for each seat: its heads to come, and a logit that it wins.
    """

    card_in: npt.NDArray[np.float32]
    card_in_bias: npt.NDArray[np.float32]
    number: npt.NDArray[np.float32]
    card_mid: npt.NDArray[np.float32]
    card_mid_bias: npt.NDArray[np.float32]
    seat_in: npt.NDArray[np.float32]
    seat_in_bias: npt.NDArray[np.float32]
    wide: npt.NDArray[np.float32]
    wide_bias: npt.NDArray[np.float32]
    middle: npt.NDArray[np.float32]
    middle_bias: npt.NDArray[np.float32]
    late_card: npt.NDArray[np.float32]
    late_seat: npt.NDArray[np.float32]
    late_context: npt.NDArray[np.float32]
    late_context_bias: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]
    last_bias: npt.NDArray[np.float32]
    value_in: npt.NDArray[np.float32]
    value_in_bias: npt.NDArray[np.float32]
    value: npt.NDArray[np.float32]
    value_bias: npt.NDArray[np.float32]


SHAPES: Final = dict(
    zip(
        CriticWeights._fields,
        (
            (TOKEN, CARD_UNITS), (CARD_UNITS,), (MOST_CARDS + 1, CARD_UNITS), (CARD_UNITS, CARD_UNITS), (CARD_UNITS,),
            (SEAT + 2 * CARD_UNITS, SEAT_UNITS), (SEAT_UNITS,),
            (CONTEXT + 2 * SEAT_UNITS, WIDE), (WIDE,), (WIDE, MIDDLE), (MIDDLE,),
            (CARD_UNITS, LATE), (SEAT_UNITS, LATE), (MIDDLE, LATE), (LATE,), (LATE, CARD_UNITS), (CARD_UNITS,),
            (2 * CARD_UNITS + SEAT_UNITS + MIDDLE, SEAT_UNITS), (SEAT_UNITS,), (SEAT_UNITS, 2), (2,),
        ),
        strict=True,
    )
)  # fmt: skip
"""The shape of each array of `CriticWeights`."""


@cache
def load() -> CriticWeights:
    """Return the weights in the package."""
    return CriticWeights(**read_weights(WEIGHTS_FILE, SHAPES))


@kernel
def encode_cards(
    place_in_hand: Word, hand: Array, count: Word, held: Array, own_up_to: Array, total: Word,
    tails: Array, free: Array, costs: Array, cheapest: Word, numbers: Array,
) -> None:  # fmt: skip
    """Write the numbers of one card.

    Args:
        place_in_hand: the place of the card.
        hand: the hand, ascending.
        count: number of its cards.
        held: int32 [MOST_CARDS + 1]: number of cards in all hands up to each card.
        own_up_to: int32 [rows]: number of cards of the hand up to each tail.
        total: number of cards in all hands.
        tails: int32 [rows]: the tails, ascending.
        free: int32 [rows]: how many cards fit in each of these rows.
        costs: float32 [rows]: the heads of each of these rows.
        cheapest: the least of these costs.
        numbers: float32 [TOKEN], overwritten.
    """
    card = np.int32(hand[place_in_hand])
    under = -1
    for index in range(len(tails)):
        if tails[index] < card:
            under = index
    low = under < 0
    end = tails[under + 1] if under + 1 < len(tails) else np.int32(MOST_CARDS)
    tail, slots, cost, own_between = np.int32(0), np.int32(0), np.float32(0), np.int32(place_in_hand)
    if not low:
        tail, slots, cost = tails[under], free[under], costs[under]
        own_between -= own_up_to[under]
    between = held[card] - held[tail] - 1
    of_others = between - own_between
    heads = _HEADS[card]
    fifth, tenth, two = np.float32(0.2), np.float32(0.1), np.float32(2)
    numbers[0] = low
    numbers[1] = np.float32(slots) * fifth
    numbers[2] = (cheapest if low else cost) * tenth
    numbers[3] = not low and slots == 0
    numbers[4] = min(np.float32(between) * fifth, two)
    numbers[5] = np.float32(own_between) * fifth
    numbers[6] = min(np.float32(of_others) * fifth, two)
    numbers[7] = of_others == 0
    numbers[8] = of_others >= slots
    numbers[9] = np.float32(place_in_hand) / np.float32(count)
    numbers[10] = np.float32(card) / np.float32(MOST_CARDS)
    numbers[11] = heads * fifth
    numbers[12] = min(np.float32(card - tail) / np.float32(30), np.float32(1))
    numbers[13] = (cost + heads) * tenth
    numbers[14] = min(np.float32(held[end] - held[card]) * fifth, two)
    numbers[15] = np.float32(held[card]) / np.float32(total)
    numbers[16] = place_in_hand == count - 1
    numbers[17] = np.float32(under + 1) / np.float32(len(tails))


@kernel
def encode_table(
    capacity: Word, deck: Word, final: Word, count: Word, seats: Word, rows: Array, held: Array,
    tails: Array, free: Array, costs: Array, context: Array,
) -> None:  # fmt: skip
    """Write the numbers of the table; `tails`, `free` and `costs` are filled, too. See `encode_cards`."""
    others = np.float32(seats - 1)
    order = ascending(rows)  # a row's number has its tail in the highest bits
    cheapest = np.float32(1000)
    for index in range(len(rows)):
        row = np.int32(rows[order[index]])
        tails[index] = row >> 9
        free[index] = capacity - (row & _LOW) // _LONGER - 1
        costs[index] = (row & _LOW) % _LONGER
        cheapest = min(cheapest, costs[index])
    context[:] = 0
    for index in range(len(rows)):
        end = tails[index + 1] if index + 1 < len(rows) else np.int32(MOST_CARDS)
        inside = np.float32(held[end] - held[tails[index]])
        numbers = context[index * ROW : (index + 1) * ROW]
        numbers[0] = 1
        numbers[1] = np.float32(tails[index]) / np.float32(MOST_CARDS)
        numbers[2] = np.float32(free[index]) * np.float32(0.2)
        numbers[3] = costs[index] * np.float32(0.1)
        numbers[4] = costs[index] == cheapest
        numbers[5] = free[index] == 0
        numbers[6] = min(inside / others / np.float32(3), np.float32(2))
    numbers = context[MOST_ROWS * ROW :]
    numbers[0] = final
    numbers[1] = np.float32(count) / np.float32(MOST_HAND)
    numbers[2] = others / np.float32(8)
    numbers[3] = np.float32(capacity) * np.float32(0.2)
    numbers[4] = np.float32(deck) / np.float32(MOST_CARDS)
    numbers[5] = cheapest * np.float32(0.1)
    numbers[6] = count == 2


@kernel
def encode_seat(seat: Word, count: Word, heads: Array, numbers: Array) -> None:
    """Write the numbers of one seat."""
    least, sum_of_others = np.float32(1000), np.float32(0)
    for other in range(len(heads)):
        least = min(least, np.float32(heads[other]))
        if other != seat:
            sum_of_others += np.float32(heads[other])
    own, three = np.float32(heads[seat]), np.float32(3)
    mean = sum_of_others / np.float32(len(heads) - 1)
    numbers[0] = max(-three, min(three, (own - mean) / np.float32(15)))
    numbers[1] = max(-three, min(three, (own - least) / np.float32(15)))
    numbers[2] = own == least
    numbers[3] = np.float32(count) * np.float32(0.1)


@kernel
def evaluate_deals(
    weights: CriticWeights,
    capacity: Word,
    deck: Word,
    final: Word,
    rows: Array,
    hands: Array,
    heads: Array,
    values: Array,
) -> None:
    """Evaluate n deals between two turns.

    Args:
        weights: the weights.
        capacity: the most cards in a row.
        deck: number of cards in play.
        final: whether the deal decides the match.
        rows: uint16 [n, rows]: the numbers of the rows; see `kernels`.
        hands: uint8 [n, seats, cards]: the hands, ascending, without missing cards.
        heads: int16 [n, seats]: each seat's heads in the match.
        values: float32 [n, seats, 2], overwritten: each seat's heads to come in this deal, and the logit that it wins.
    """
    w = weights
    seats, count = hands.shape[1], hands.shape[2]
    total, share = seats * count, np.float32(1) / np.float32(count)
    lines = rows.shape[1]
    held, own_up_to = np.zeros(MOST_CARDS + 1, np.int32), np.empty(lines, np.int32)
    tails, free, costs = np.empty(lines, np.int32), np.empty(lines, np.int32), np.empty(lines, np.float32)
    context, numbers, seat_numbers = (
        np.empty(CONTEXT, np.float32),
        np.empty(TOKEN, np.float32),
        np.empty(SEAT + 2 * CARD_UNITS, np.float32),
    )
    first, cards = np.empty(CARD_UNITS, np.float32), np.empty((seats, count, CARD_UNITS), np.float32)
    units, pooled = np.empty((seats, SEAT_UNITS), np.float32), np.empty(2 * SEAT_UNITS, np.float32)
    wide, middle, of_table = np.empty(WIDE, np.float32), np.empty(MIDDLE, np.float32), np.empty(LATE, np.float32)
    of_seat, late, last = np.empty(LATE, np.float32), np.empty(LATE, np.float32), np.empty(CARD_UNITS, np.float32)
    of_cards, from_table, value_units = (
        np.empty(2 * CARD_UNITS, np.float32),
        np.empty(SEAT_UNITS, np.float32),
        np.empty(SEAT_UNITS, np.float32),
    )
    for n in range(len(rows)):
        held[:] = 0
        for seat in range(seats):
            for place in range(count):
                held[hands[n, seat, place]] += 1
        for card in range(1, MOST_CARDS + 1):
            held[card] += held[card - 1]
        encode_table(capacity, deck, final, count, seats, rows[n], held, tails, free, costs, context)
        cheapest = context[MOST_ROWS * ROW + 5] * np.float32(10)
        pooled[:] = 0
        for seat in range(seats):
            for index in range(lines):
                own_up_to[index] = 0
                for place in range(count):
                    own_up_to[index] += hands[n, seat, place] <= tails[index]
            seat_numbers[:] = 0
            for place in range(count):
                encode_cards(
                    place, hands[n, seat], count, held, own_up_to, total, tails, free, costs, cheapest, numbers
                )
                first[:] = w.card_in_bias
                first += w.number[hands[n, seat, place]]
                add_layer(numbers, w.card_in, 0, first)
                rectify(first)
                cards[seat, place] = w.card_mid_bias
                add_layer(first, w.card_mid, 0, cards[seat, place])
                rectify(cards[seat, place])
                for unit in range(CARD_UNITS):
                    value = cards[seat, place, unit]
                    seat_numbers[SEAT + unit] += value * share
                    at = SEAT + CARD_UNITS + unit
                    seat_numbers[at] = max(seat_numbers[at], value)
            encode_seat(seat, count, heads[n], seat_numbers)
            units[seat] = w.seat_in_bias
            add_layer(seat_numbers, w.seat_in, 0, units[seat])
            rectify(units[seat])
            for unit in range(SEAT_UNITS):
                pooled[unit] += units[seat, unit] / np.float32(seats)
                pooled[SEAT_UNITS + unit] = max(pooled[SEAT_UNITS + unit], units[seat, unit])
        wide[:] = w.wide_bias
        add_layer(context, w.wide, 0, wide)
        add_layer(pooled, w.wide, CONTEXT, wide)
        rectify(wide)
        middle[:] = w.middle_bias
        add_layer(wide, w.middle, 0, middle)
        rectify(middle)
        of_table[:] = w.late_context_bias
        add_layer(middle, w.late_context, 0, of_table)
        from_table[:] = w.value_in_bias
        add_layer(middle, w.value_in, 2 * CARD_UNITS + SEAT_UNITS, from_table)
        for seat in range(seats):
            of_seat[:] = of_table
            add_layer(units[seat], w.late_seat, 0, of_seat)
            of_cards[:] = 0
            for place in range(count):
                late[:] = of_seat
                add_layer(cards[seat, place], w.late_card, 0, late)
                rectify(late)
                last[:] = w.last_bias
                add_layer(late, w.last, 0, last)
                rectify(last)
                for unit in range(CARD_UNITS):
                    of_cards[unit] += last[unit] * share
                    of_cards[CARD_UNITS + unit] = max(of_cards[CARD_UNITS + unit], last[unit])
            value_units[:] = from_table
            add_layer(of_cards, w.value_in, 0, value_units)
            add_layer(units[seat], w.value_in, 2 * CARD_UNITS, value_units)
            rectify(value_units)
            values[n, seat] = w.value_bias
            add_layer(value_units, w.value, 0, values[n, seat])
            values[n, seat, 0] *= np.float32(HEADS_SCALE)


def evaluate(
    rules: Rules,
    rows: npt.NDArray[np.uint16],
    hands: npt.NDArray[np.uint8],
    heads: npt.NDArray[np.int16],
    *,
    final: bool,
    weights: CriticWeights | None = None,
) -> npt.NDArray[np.float32]:
    """Evaluate deals; see `evaluate_deals`."""
    values = np.empty((*heads.shape, 2), np.float32)
    evaluate_deals(weights or load(), rules.capacity, rules.cards, final, rows, hands, heads, values)
    return values
