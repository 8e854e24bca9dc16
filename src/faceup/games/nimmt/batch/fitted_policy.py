"""Policy `fitted`: a small network scores every card of a hand, and the card with the highest score is played.

The features of a card follow from public information and the hand. For example, they include the heads in the row that
the card would go to, and the probability that other cards are placed in this row before it. For this probability, the
other seats are assumed to play random cards that this player has not seen. The weights are trained
together with those of `network` (`script/train`). Noise is added to the scores, so that the policy draws from a softmax
distribution (the Gumbel-max trick).

`faceup.games.nimmt.batch.kernels` explains blocks and the numbers of cards and rows.
"""

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, count_ones, fraction, kernel, pick
from faceup.games.nimmt.batch.kernels import BLOCK
from faceup.games.nimmt.cards import MOST_CARDS

FEATURES: Final = (
    "1 if the card is below all tails",
    "the probability that its seat takes a row with it, if others play any cards that this seat has not seen",
    "a tenth of the heads that it would take then",
    "the product of this probability and this tenth",
    "a fifth of the cards that its row takes before it is full",
    "a third of the expected number of cards placed before it in its row, at most 1",
    "the card's rank among all cards",
    "the card's rank in the hand",
    "a fifth of the heads on the card",
    "a tenth of the cards in the hand",
    "a tenth of the heads of the cheapest row",
    "an eighth of the seats beyond two",
    "the share of unseen cards that are below all tails",
    "the share of the hand that is below all tails",
    "a tenth of the heads of the most expensive row",
    "the share of rows that are full",
)
"""The features of a card, in order; the features that differ between the cards of a hand come first."""

FITTED: Final = 4
"""Number of this policy; it follows the numbers of the policies in `kernels`."""

INPUTS: Final = 16
CARD_INPUTS: Final = 9
HIDDEN: Final = 24

GUMBEL_BITS: Final = 11
GUMBEL: Final = np.array(
    [-math.log(-math.log((index + 0.5) / (1 << GUMBEL_BITS))) for index in range(1 << GUMBEL_BITS)], np.float32
)
"""Gumbel noise, indexed by 11 random bits."""
DRAWS_PER_WORD: Final = 5
FIRST_NOISE: Final = 128
"""Number of the first random word of a lane that is used for noise; each hand uses two such words in each turn."""

_SIZE: Final[Word] = np.uint64(BLOCK)
_LOW: Final[Word] = np.uint16(0x01FF)
_LONGER: Final[Word] = np.uint16(51)
_NONE: Final[Word] = np.uint16(0)
_ONE: Final[Word] = np.uint64(1)

Weights: TypeAlias = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]
"""Weights of the network: float32 [HIDDEN, INPUTS + 1], with the bias last in each row, and float32 [HIDDEN]."""

Scratch: TypeAlias = tuple[Array, ...]

WEIGHTS_FILE: Final = Path(__file__).with_name("fitted_policy.npz")


def _load() -> Weights:
    with np.load(WEIGHTS_FILE, allow_pickle=False) as arrays:
        return arrays["first"], arrays["last"]


WEIGHTS: Final = _load()

BELOW: Final = np.array(
    [[(1 << min(card, 64)) - 1, (1 << max(card - 64, 0)) - 1] for card in range(129)], np.uint64
).T.copy()
"""The set of the cards below each card, indexed by word and card; a set is two words, in which bit c is card c."""


def chances(seats: int, unseen: Sequence[int], capacity: int) -> npt.NDArray[np.float32]:
    """Return the probability that at least k other seats play one of d cards, if each plays a random unseen card.

    Args:
        seats: number of seats.
        unseen: number of cards that a player has not seen, for each turn.
        capacity: the most cards in a row.

    Returns:
        float32 [turns, capacity + 1, MOST_CARDS + 1], indexed by turn, k and d.
    """
    table = np.zeros((len(unseen), capacity + 1, MOST_CARDS + 1), np.float32)
    for turn, cards in enumerate(unseen):
        share = np.minimum(np.arange(MOST_CARDS + 1) / max(cards, 1), 1)
        exactly = np.array(
            [math.comb(seats - 1, count) * share**count * (1 - share) ** (seats - 1 - count) for count in range(seats)]
        )
        for least in range(min(capacity + 1, seats)):
            table[turn, least] = exactly[least:].sum(axis=0)
    return table


def as_set(cards: Iterable[int]) -> npt.NDArray[np.uint64]:
    """Return a set of numbers up to 127: uint64 [2]."""
    bits = sum(1 << card for card in {*cards})
    return np.array([bits & (1 << 64) - 1, bits >> 64], np.uint64)


@kernel
def noise_for(turn: Word, seat: Word) -> Word:
    """Return the number of the first noise word of a hand in a turn."""
    return np.uint64(FIRST_NOISE) + (turn * np.uint64(16) + seat) * np.uint64(2)


@kernel
def add_to_set(cards: Array, offset: Word, count: Word, cards_set: Array) -> None:
    """Add the `count` cards from place `offset` on to the set of each lane."""
    for index in range(offset, offset + count):
        for lane in range(_SIZE):
            number = np.uint64(cards[index * _SIZE + lane] >> np.uint16(9))
            bit = _ONE << np.uint64(number & np.uint64(63))
            upper = number >= np.uint64(64)
            cards_set[lane] |= pick(upper, np.uint64(0), bit)
            cards_set[_SIZE + lane] |= pick(upper, bit, np.uint64(0))


@kernel
def survey_hand(
    opening: Word, most: Word, offset: Word, count: Word, seats: Word, rows: Array, cards: Array, seen: Array,
    held: Array, unseen: Word, unknown: Array, tails: Array, features: Array,
) -> None:  # fmt: skip
    """Compute the features that all cards of a hand share, the set of `unknown` cards, and the lowest tail."""
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
    for place in range(offset, offset + count):
        for lane in range(_SIZE):
            low = np.uint16(cards[place * _SIZE + lane] >> np.uint16(9)) < tails[lane]
            features[np.uint64(13) * _SIZE + lane] += pick(low, share, np.float32(0))


@kernel
def survey_card(
    opening: Word, capacity: Word, place: Word, offset: Word, count: Word, seats: Word, rows: Array, cards: Array,
    unseen: Word, unknown: Array, chances: Array, features: Array,
) -> None:  # fmt: skip
    """Compute those features of one card that differ between the cards of its hand."""
    count_rows = np.uint64(len(opening))
    slot = place * _SIZE
    between = np.float32((np.int64(seats) - 1) / (3 * max(1, unseen)))
    most = np.uint16(capacity)
    for lane in range(_SIZE):
        card = cards[slot + lane]
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
    for other in range(offset, offset + count):
        for lane in range(_SIZE):
            features[np.uint64(7) * _SIZE + lane] += pick(
                cards[other * _SIZE + lane] < cards[slot + lane], share, np.float32(0)
            )


@kernel
def value_hand(first: Array, features: Array, base: Array) -> None:
    """Compute the part of the first layer that all cards of a hand share: `base`, float32 [HIDDEN * BLOCK]."""
    for unit in range(np.uint64(HIDDEN)):
        for lane in range(_SIZE):
            total = first[unit, INPUTS]
            for index in range(np.uint64(CARD_INPUTS), np.uint64(INPUTS)):
                total += first[unit, index] * features[index * _SIZE + lane]
            base[unit * _SIZE + lane] = total


@kernel
def value_card(first: Array, last: Array, features: Array, base: Array, values: Array) -> None:
    """Evaluate the network for one card. Two units are evaluated at a time, so that they share loads from memory."""
    nothing = np.float32(0)
    values[:] = 0
    for unit in range(np.uint64(0), np.uint64(HIDDEN), np.uint64(2)):
        for lane in range(_SIZE):
            first_value, other = base[unit * _SIZE + lane], base[(unit + _ONE) * _SIZE + lane]
            for index in range(np.uint64(CARD_INPUTS)):
                first_value += first[unit, index] * features[index * _SIZE + lane]
                other += first[unit + _ONE, index] * features[index * _SIZE + lane]
            values[lane] += last[unit] * max(first_value, nothing) + last[unit + _ONE] * max(other, nothing)


@kernel
def scratch_for(lanes: Word) -> Scratch:
    """Allocate the scratch space of `play_fitted`."""
    return (
        np.empty(2 * lanes, np.uint64), np.empty(INPUTS * lanes, np.float32), np.empty(lanes, np.float32),
        np.empty(lanes, np.float32), np.empty(lanes, np.uint16), np.empty(lanes, np.uint64),
        np.empty(HIDDEN * lanes, np.float32),
    )  # fmt: skip


@kernel
def play_fitted(
    opening: Word, capacity: Word, offset: Word, count: Word, seats: Word, unseen: Word, rows: Array, cards: Array,
    seen: Array, held: Array, chances: Array, network: Weights, noise: Word, keys: Array, scratch: Scratch,
) -> None:  # fmt: skip
    """Move the card that policy `fitted` plays to place `offset`; the hand is the `count` places from `offset` on.

    Args:
        opening: the same as for `deal_kernels.play_deals`.
        capacity: the most cards in a row.
        offset: place of the hand's first card.
        count: number of cards left in the hand.
        seats: number of seats.
        unseen: number of cards that each player has not seen.
        rows: the rows, as kernel numbers, uint16 [rows * BLOCK].
        cards: the hands, as kernel numbers, uint16 [... * BLOCK].
        seen: each lane's set of the cards that everyone has seen, uint64 [2 * BLOCK].
        held: each lane's set of the cards that were in this hand at first, uint64 [2 * BLOCK].
        chances: the part of the result of `chances` that belongs to this turn.
        network: the two arrays of weights.
        noise: number of the first random word to use for noise.
        keys: the random keys of the lanes, uint64 [BLOCK].
        scratch: the result of `scratch_for(BLOCK)`.
    """
    first, last = network
    unknown, features, values, greatest, chosen, left, base = scratch
    most = np.uint16((np.int64(capacity) - 1) * 51)
    survey_hand(opening, most, offset, count, seats, rows, cards, seen, held, unseen, unknown, chosen, features)
    value_hand(first, features, base)
    number = noise
    for index in range(count):
        if index % np.uint64(DRAWS_PER_WORD) == np.uint64(0):
            for lane in range(_SIZE):
                left[lane] = fraction(keys[lane], number)
            number += _ONE
        place = offset + index
        survey_card(opening, capacity, place, offset, count, seats, rows, cards, unseen, unknown, chances, features)
        value_card(first, last, features, base, values)
        for lane in range(_SIZE):
            value = values[lane] + GUMBEL[left[lane] >> np.uint64(57 - GUMBEL_BITS)]
            left[lane] = np.uint64(left[lane] << np.uint64(GUMBEL_BITS)) & np.uint64((1 << 57) - 1)
            better = (value > greatest[lane]) | (index == np.uint64(0))
            greatest[lane] = pick(better, value, greatest[lane])
            chosen[lane] = pick(better, cards[place * _SIZE + lane], chosen[lane])
    slot = offset * _SIZE
    for index in range(_ONE, count):
        there = (offset + index) * _SIZE
        for lane in range(_SIZE):
            card_here, other = cards[slot + lane], cards[there + lane]
            is_chosen = other == chosen[lane]
            cards[slot + lane] = pick(is_chosen, other, card_here)
            cards[there + lane] = pick(is_chosen, card_here, other)
