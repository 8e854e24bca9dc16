"""Policy `fitted`: every card of a hand gets a number from a small network, and the greatest is played.

What the network is told of a card is what any player at the table can work out: which row it would go to, how much lies
there, and how likely it is that others come in between, if they played any cards that this player has not seen. Its
weights are fitted to what search found cards to be worth (`script/fit`). Noise is added to the
numbers, so that a card is played as often as its number says (Gumbel's way to draw from a softmax).

The blocks, and the words in them, are those of `faceup.games.nimmt.batch.kernels`.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, count_ones, fraction, kernel, pick
from faceup.games.nimmt.batch.kernels import BLOCK, NO_ROW, card_word, opening_for, row_word
from faceup.games.nimmt.batch.weights import FIRST, LAST
from faceup.games.nimmt.cards import MOST_CARDS
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.position import seen
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View

FEATURES: Final = (
    "1 if the card is below all tails",
    "the chance that its seat takes a row with it, if others play any cards that this seat has not seen",
    "a tenth of the heads that it would take then",
    "the product of the two",
    "a fifth of the cards that its row takes before it is full",
    "a third of the cards that are likely to come in between, at most 1",
    "the card's place among all cards",
    "the card's place in the hand",
    "a fifth of the heads on the card",
    "a tenth of the cards in the hand",
    "a tenth of the heads of the cheapest row",
    "an eighth of the seats beyond two",
    "the share of unseen cards that are below all tails",
    "the share of the hand that is below all tails",
    "a tenth of the heads of the dearest row",
    "the share of rows that are full",
)
"""What the network is told of a card, in this order: first what differs from card to card of a hand."""

FITTED: Final = 4
"""This policy's number, beside those of `kernels`."""

INPUTS: Final = 16
CARD_INPUTS: Final = 9
HIDDEN: Final = 24

GUMBEL_BITS: Final = 11
GUMBEL: Final = np.array(
    [-math.log(-math.log((index + 0.5) / (1 << GUMBEL_BITS))) for index in range(1 << GUMBEL_BITS)], np.float32
)
"""Noise by 11 random bits."""
DRAWS_PER_WORD: Final = 5
FIRST_NOISE: Final = 128
"""The words of a lane from here on are for noise: two for each hand in each turn."""

_SIZE: Final[Word] = np.uint64(BLOCK)
_LOW: Final[Word] = np.uint16(0x01FF)
_LONGER: Final[Word] = np.uint16(51)
_NONE: Final[Word] = np.uint16(0)
_ONE: Final[Word] = np.uint64(1)

Weights: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""Of the network: float32 [HIDDEN, INPUTS + 1], the bias at the end of each line, and float32 [HIDDEN]."""

Scratch: TypeAlias = tuple[Array, ...]

WEIGHTS: Final[Weights] = (np.array(FIRST, np.float32), np.array(LAST, np.float32))

BELOW: Final = np.array(
    [[(1 << min(card, 64)) - 1, (1 << max(card - 64, 0)) - 1] for card in range(129)], np.uint64
).T.copy()
"""Sets of cards are two words, card c in bit c: these are the cards below each card."""


def chances(seats: int, unseen: Sequence[int], capacity: int) -> npt.NDArray[np.float32]:
    """The chance that at least k of the other seats play one of d certain cards, each any of the unseen ones.

    Args:
        seats: how many there are.
        unseen: how many cards a player has not seen, turn by turn.
        capacity: the most cards in a row.

    Returns:
        float32 [turns, capacity + 1, MOST_CARDS + 1]: by turn, k and d.
    """
    found = np.zeros((len(unseen), capacity + 1, MOST_CARDS + 1), np.float32)
    for turn, cards in enumerate(unseen):
        share = np.minimum(np.arange(MOST_CARDS + 1) / max(cards, 1), 1)
        exactly = np.array(
            [math.comb(seats - 1, count) * share**count * (1 - share) ** (seats - 1 - count) for count in range(seats)]
        )
        for least in range(min(capacity + 1, seats)):
            found[turn, least] = exactly[least:].sum(axis=0)
    return found


def as_set(cards: Iterable[int]) -> npt.NDArray[np.uint64]:
    """A set of numbers up to 127: uint64 [2]."""
    whole = sum(1 << card for card in {*cards})
    return np.array([whole & (1 << 64) - 1, whole >> 64], np.uint64)


@kernel
def noise_for(turn: Word, seat: Word) -> Word:
    """The number of the first word of noise for a hand in a turn."""
    return np.uint64(FIRST_NOISE) + (turn * np.uint64(16) + seat) * np.uint64(2)


@kernel
def add_to_set(cards: Array, begin: Word, count: Word, cards_set: Array) -> None:
    """Add `count` cards of each lane to its set."""
    for index in range(begin, begin + count):
        for lane in range(_SIZE):
            number = np.uint64(cards[index * _SIZE + lane] >> np.uint16(9))
            bit = _ONE << np.uint64(number & np.uint64(63))
            upper = number >= np.uint64(64)
            cards_set[lane] |= pick(upper, np.uint64(0), bit)
            cards_set[_SIZE + lane] |= pick(upper, bit, np.uint64(0))


@kernel
def survey_hand(
    opening: Word, most: Word, begin: Word, count: Word, seats: Word, rows: Array, cards: Array, seen: Array,
    held: Array, unseen: Word, unknown: Array, tails: Array, features: Array,
) -> None:  # fmt: skip
    """What is the same for every card of a hand: the set of `unknown` cards, the lowest of the `tails`, features."""
    count_rows = np.uint64(len(opening))
    scale, share = np.float32(1 / max(1, unseen)), np.float32(1 / count)
    others = np.float32((np.int64(seats) - 2) / 8)
    for lane in range(_SIZE):
        cheapest, dearest, lowest = np.uint16(0xFFFF), _NONE, np.uint16(0xFFFF)
        real, full = np.float32(0), np.float32(0)
        for index in range(count_rows):
            row = rows[index * _SIZE + lane]
            content = np.uint16(row & _LOW)
            heads = np.uint16(content % _LONGER)
            there = row < np.uint16(127 << 9)
            cheapest = min(cheapest, heads)
            dearest = pick(there, max(dearest, heads), dearest)
            lowest = min(lowest, np.uint16(row >> np.uint16(9)))
            real += pick(there, np.float32(1), np.float32(0))
            full += pick(there & (content >= most), np.float32(1), np.float32(0))
        tails[lane] = lowest
        unknown[lane] = ~(seen[lane] | held[lane])
        unknown[_SIZE + lane] = ~(seen[_SIZE + lane] | held[_SIZE + lane])
        below = count_ones(unknown[lane] & BELOW[0, lowest]) + count_ones(unknown[_SIZE + lane] & BELOW[1, lowest])
        features[np.uint64(9) * _SIZE + lane] = np.float32(count) * np.float32(0.1)
        features[np.uint64(10) * _SIZE + lane] = np.float32(cheapest) * np.float32(0.1)
        features[np.uint64(11) * _SIZE + lane] = others
        features[np.uint64(12) * _SIZE + lane] = np.float32(below) * scale
        features[np.uint64(13) * _SIZE + lane] = np.float32(0)
        features[np.uint64(14) * _SIZE + lane] = np.float32(dearest) * np.float32(0.1)
        features[np.uint64(15) * _SIZE + lane] = full / real
    for place in range(begin, begin + count):
        for lane in range(_SIZE):
            low = np.uint16(cards[place * _SIZE + lane] >> np.uint16(9)) < tails[lane]
            features[np.uint64(13) * _SIZE + lane] += pick(low, share, np.float32(0))


@kernel
def survey_card(
    opening: Word, capacity: Word, place: Word, begin: Word, count: Word, seats: Word, rows: Array, cards: Array,
    unseen: Word, unknown: Array, chances: Array, features: Array,
) -> None:  # fmt: skip
    """The features of one card of a hand."""
    count_rows = np.uint64(len(opening))
    here = place * _SIZE
    between = np.float32((np.int64(seats) - 1) / (3 * max(1, unseen)))
    most = np.uint16(capacity)
    for lane in range(_SIZE):
        card = cards[here + lane]
        under = _NONE
        for index in range(count_rows):
            row = rows[index * _SIZE + lane]
            under = max(under, pick(row < card, row, _NONE))
        low = under == _NONE
        content = np.uint16(under & _LOW)
        slots = pick(low, np.uint16(1), np.uint16(most - np.uint16(np.uint16(content // _LONGER) + np.uint16(1))))
        number, tail = np.uint64(card >> np.uint16(9)), np.uint64(under >> np.uint16(9))
        gap = count_ones(unknown[lane] & BELOW[0, number] & ~BELOW[0, tail])
        gap += count_ones(unknown[_SIZE + lane] & BELOW[1, number] & ~BELOW[1, tail])
        chance = chances[np.uint64(slots), gap]
        chance = pick(low, np.float32(1) - chance, chance)
        full = np.float32(content % _LONGER) * np.float32(0.1) + np.float32(slots) * np.float32(0.164)
        heads = pick(low, features[np.uint64(10) * _SIZE + lane], full)
        features[lane] = pick(low, np.float32(1), np.float32(0))
        features[_SIZE + lane] = chance
        features[np.uint64(2) * _SIZE + lane] = heads
        features[np.uint64(3) * _SIZE + lane] = chance * heads
        features[np.uint64(4) * _SIZE + lane] = pick(low, np.float32(0), np.float32(slots) * np.float32(0.2))
        features[np.uint64(5) * _SIZE + lane] = min(np.float32(1), np.float32(gap) * between)
        features[np.uint64(6) * _SIZE + lane] = np.float32(number) * np.float32(1 / 104)
        features[np.uint64(7) * _SIZE + lane] = np.float32(0)
        features[np.uint64(8) * _SIZE + lane] = np.float32(card & np.uint16(7)) * np.float32(0.2)
    share = np.float32(1 / count)
    for other in range(begin, begin + count):
        for lane in range(_SIZE):
            features[np.uint64(7) * _SIZE + lane] += pick(
                cards[other * _SIZE + lane] < cards[here + lane], share, np.float32(0)
            )


@kernel
def value_hand(first: Array, features: Array, base: Array) -> None:
    """The part of the network that is the same for every card of a hand: `base` float32 [HIDDEN * BLOCK]."""
    for unit in range(np.uint64(HIDDEN)):
        for lane in range(_SIZE):
            total = first[unit, INPUTS]
            for index in range(np.uint64(CARD_INPUTS), np.uint64(INPUTS)):
                total += first[unit, index] * features[index * _SIZE + lane]
            base[unit * _SIZE + lane] = total


@kernel
def value_card(first: Array, last: Array, features: Array, base: Array, values: Array) -> None:
    """The network for one card. Two units at a time, so that what was loaded for the one serves the other."""
    nothing = np.float32(0)
    values[:] = 0
    for unit in range(np.uint64(0), np.uint64(HIDDEN), np.uint64(2)):
        for lane in range(_SIZE):
            one, other = base[unit * _SIZE + lane], base[(unit + _ONE) * _SIZE + lane]
            for index in range(np.uint64(CARD_INPUTS)):
                one += first[unit, index] * features[index * _SIZE + lane]
                other += first[unit + _ONE, index] * features[index * _SIZE + lane]
            values[lane] += last[unit] * max(one, nothing) + last[unit + _ONE] * max(other, nothing)


@kernel
def scratch_for(lanes: Word) -> Scratch:
    """What `play_fitted` works in."""
    return (
        np.empty(2 * lanes, np.uint64), np.empty(INPUTS * lanes, np.float32), np.empty(lanes, np.float32),
        np.empty(lanes, np.float32), np.empty(lanes, np.uint16), np.empty(lanes, np.uint64),
        np.empty(HIDDEN * lanes, np.float32),
    )  # fmt: skip


@kernel
def play_fitted(
    opening: Word, capacity: Word, begin: Word, count: Word, seats: Word, unseen: Word, rows: Array, cards: Array,
    seen: Array, held: Array, chances: Array, network: Weights, noise: Word, keys: Array, scratch: Scratch,
) -> None:  # fmt: skip
    """Bring the card that policy `fitted` plays to place `begin`; the hand is `count` places from there on.

    Args:
        opening: as for `kernels.play_deals`, as are `rows`, `cards` and `keys`.
        capacity: the most cards in a row.
        begin: where the hand begins.
        count: how many cards are left in it.
        seats: at the table.
        unseen: how many cards each of their players has not seen.
        rows: [rows * BLOCK].
        cards: [... * BLOCK].
        seen: the set of cards that everybody has seen, of each lane, uint64 [2 * BLOCK].
        held: the set of cards that were in this hand, likewise.
        chances: of this turn: `chances(seats, unseen, capacity)`.
        network: its two arrays of weights.
        noise: the number of the first word of noise.
        keys: uint64 [BLOCK].
        scratch: `scratch_for(BLOCK)`.
    """
    first, last = network
    unknown, features, values, greatest, chosen, left, base = scratch
    most = np.uint16((np.int64(capacity) - 1) * 51)
    survey_hand(opening, most, begin, count, seats, rows, cards, seen, held, unseen, unknown, chosen, features)
    value_hand(first, features, base)
    number = noise
    for index in range(count):
        if index % np.uint64(DRAWS_PER_WORD) == np.uint64(0):
            for lane in range(_SIZE):
                left[lane] = fraction(keys[lane], number)
            number += _ONE
        place = begin + index
        survey_card(opening, capacity, place, begin, count, seats, rows, cards, unseen, unknown, chances, features)
        value_card(first, last, features, base, values)
        for lane in range(_SIZE):
            value = values[lane] + GUMBEL[left[lane] >> np.uint64(57 - GUMBEL_BITS)]
            left[lane] = np.uint64(left[lane] << np.uint64(GUMBEL_BITS)) & np.uint64((1 << 57) - 1)
            better = (value > greatest[lane]) | (index == np.uint64(0))
            greatest[lane] = pick(better, value, greatest[lane])
            chosen[lane] = pick(better, cards[place * _SIZE + lane], chosen[lane])
    here = begin * _SIZE
    for index in range(_ONE, count):
        there = (begin + index) * _SIZE
        for lane in range(_SIZE):
            one, other = cards[here + lane], cards[there + lane]
            found = other == chosen[lane]
            cards[here + lane] = pick(found, other, one)
            cards[there + lane] = pick(found, one, other)


def features(rules: Rules, view: View) -> npt.NDArray[np.float32]:
    """What the network is told of each card of a hand: float32 [MOST_HAND, INPUTS], zeros where there is no card."""
    seats = np.uint64(len(rules.seats_in(view.out)))
    unseen = {*range(1, rules.cards + 1)} - {*seen(view), *view.hand}
    opening = opening_for(rules.rows)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    for index, row in enumerate(view.rows):
        rows[index * BLOCK : (index + 1) * BLOCK] = row_word(row)
    cards = np.repeat(np.array([card_word(card) for card in view.hand], np.uint16), BLOCK)
    known, held = (
        np.repeat(as_set(numbers), BLOCK) for numbers in ({*range(128)} - unseen - {*view.hand}, {*view.hand})
    )
    unknown, pieces, _, _, tails, _, _ = scratch_for(BLOCK)
    count = np.uint64(len(view.hand))
    likely = chances(int(seats), [len(unseen)], rules.capacity)[0]
    most = np.uint16((rules.capacity - 1) * 51)
    nothing = np.uint64(0)
    survey_hand(opening, most, nothing, count, seats, rows, cards, known, held, len(unseen), unknown, tails, pieces)
    found = np.zeros((MOST_HAND, INPUTS), np.float32)
    for place in range(count):
        survey_card(
            opening, rules.capacity, np.uint64(place), nothing, count, seats, rows, cards, len(unseen), unknown,
            likely, pieces,
        )  # fmt: skip
        found[place] = pieces[::BLOCK]
    return found
