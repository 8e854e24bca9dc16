"""Solve the last choice of a deal between two seats, so that the opponent cannot predict and exploit it.

With two cards in each hand, each seat chooses which of them to play first, and the other follows. Neither seat knows
the other's hand. The search plays its best card, which an opponent can learn to expect. Here, both seats choose with
probabilities that approximate an equilibrium: no other choice gains anything against them.

The probabilities are found by regret matching (Hart and Mas-Colell, "A simple adaptive procedure leading to correlated
equilibrium", 2000), with the two changes of CFR+ (Tammelin, "Solving large imperfect information games using CFR+",
2014): regrets never fall below zero, and later rounds count more.
"""

from itertools import combinations
from typing import Final

import numpy as np

from faceup.core.generator import generator
from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.batch.kernels import row_word
from faceup.games.nimmt.batch.table_kernels import place_card
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards

HANDS: Final = 64
"""The most possible hands of each seat. If there are more, this many are sampled."""

ROUNDS: Final = 200
"""Rounds of regret matching."""

HEADS_FOR_A_WIN: Final = 5.0
"""When the deal decides the match, a win counts as much as this many heads."""

RARE: Final = 0.05
"""A card that should be played less often than this is never played, because small probabilities are mostly errors."""


@kernel
def fill_payoffs(
    own_hands: Array,
    other_hands: Array,
    capacity: Word,
    table: Array,
    lead: Word,
    win: Word,
    payoffs: Array,
) -> None:
    """Play all pairs of hands in all four orders.

    Args:
        own_hands: possible hands of the deciding seat, int64 [own hands, 2].
        other_hands: possible hands of the opponent, int64 [other hands, 2].
        capacity: the most cards in a row.
        table: uint16 [rows]: the numbers of the rows; see `kernels`.
        lead: heads of the opponent in this match minus those of the deciding seat.
        win: what a win counts, in heads; 0 if the deal does not decide the match.
        payoffs: float64 [2, 2, own hands, other hands]: by the index of each seat's first card, the heads
            that the opponent takes minus those of the deciding seat, with half of `win` added for a win and subtracted
            for a loss; 0 if both hands have a card in common.
    """
    rows = np.empty_like(table)
    for own_hand in range(len(own_hands)):
        for other in range(len(other_hands)):
            payoffs[:, :, own_hand, other] = 0
            if (
                own_hands[own_hand, 0] == other_hands[other, 0]
                or own_hands[own_hand, 0] == other_hands[other, 1]
                or own_hands[own_hand, 1] == other_hands[other, 0]
                or own_hands[own_hand, 1] == other_hands[other, 1]
            ):
                continue
            for first in range(2):
                for answer in range(2):
                    rows[:] = table
                    difference = 0
                    for turn in range(2):
                        own = own_hands[own_hand, first if turn == 0 else 1 - first]
                        card = other_hands[other, answer if turn == 0 else 1 - answer]
                        sign = 1 if own < card else -1
                        difference -= sign * place_card(capacity, min(own, card), -1, rows)
                        difference += sign * place_card(capacity, max(own, card), -1, rows)
                    payoffs[first, answer, own_hand, other] = difference + win / 2 * np.sign(lead + difference)


@kernel
def match_regrets(payoffs: Array, rounds: int) -> Array:
    """Return how often the deciding seat should play the first card of each hand: float64 [own hands]."""
    sizes = payoffs.shape[2], payoffs.shape[3]
    regrets = np.zeros((2, max(sizes), 2))
    chances = np.full((2, max(sizes)), 0.5)
    average = np.zeros(sizes[0])
    for number in range(1, rounds + 1):
        for seat in range(2):
            for hand in range(sizes[seat]):
                values = np.zeros(2)
                for other in range(sizes[1 - seat]):
                    chance = chances[1 - seat, other]
                    for card in range(2):
                        if seat == 0:
                            first, two = payoffs[card, 0, hand, other], payoffs[card, 1, hand, other]
                        else:
                            first, two = -payoffs[0, card, other, hand], -payoffs[1, card, other, hand]
                        values[card] += chance * first + (1 - chance) * two
                mean = chances[seat, hand] * values[0] + (1 - chances[seat, hand]) * values[1]
                seat_regrets = regrets[seat, hand]
                seat_regrets[0], seat_regrets[1] = (
                    max(0.0, seat_regrets[0] + values[0] - mean),
                    max(0.0, seat_regrets[1] + values[1] - mean),
                )
                both = seat_regrets[0] + seat_regrets[1]
                chances[seat, hand] = seat_regrets[0] / both if both > 0 else 0.5
        average += number * chances[0, : sizes[0]]
    return average * 2 / (rounds * (rounds + 1))


def last_choice(rules: Rules, view: View, *, win: bool, seed: int) -> tuple[float, float]:
    """Return the probabilities with which a seat should play the lower and the higher of its last two cards.

    Args:
        rules: rules of a match.
        view: view of one of two seats with two cards each, which must play a card.
        win: whether the deal decides the match, so that a win counts, too, and not only heads.
        seed: seed of the sampled hands, 0 to 2**64 - 1.

    >>> rules = Rules(seats=2, hand=2)
    >>> view = rules.from_text("view=0 sizes=2,2 hand=6,46 rows=21/20/81/44 opening=21,20,81,44")
    >>> last_choice(rules, view, win=False, seed=1)
    (0.0, 1.0)
    """
    [me, other] = sorted(rules.seats_in(view.out), key=lambda seat: seat != view.seat)
    pairs = list(combinations(sorted({*unseen_cards(rules, view), *view.hand}), 2))
    if len(pairs) > HANDS:
        rng = generator(seed)
        own_hands, other_hands = ([pairs[rng.below(len(pairs))] for _ in range(HANDS)] for _ in range(2))
    else:
        own_hands, other_hands = pairs, pairs
    hands = np.array([view.hand, *own_hands], np.int64), np.array(other_hands, np.int64)
    payoffs = np.empty((2, 2, *map(len, hands)))
    table = np.array([row_word(row) for row in view.rows], np.uint16)
    lead = view.heads[other] - view.heads[me]
    fill_payoffs(*hands, rules.capacity, table, lead, HEADS_FOR_A_WIN if win else 0.0, payoffs)
    low = float(match_regrets(payoffs, ROUNDS)[0])
    low = 0.0 if low < RARE else 1.0 if low > 1 - RARE else low
    return low, 1 - low
