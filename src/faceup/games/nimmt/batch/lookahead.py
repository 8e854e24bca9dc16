"""Look one turn ahead in the worlds of a search: place each card, and let the critic value the deal after that.

In a world, all hands are known. The other seats draw their cards as the set network would play, each card of the own
hand is placed against them exactly, and the critic, which sees all hands, says what the rest of the deal brings.
"""

from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from faceup.games.lanes import FRACTION_BITS, Array, Word, fraction, kernel, lane_key
from faceup.games.nimmt.batch import critic
from faceup.games.nimmt.batch.kernels import card_words, row_word
from faceup.games.nimmt.batch.network_inputs import positions
from faceup.games.nimmt.batch.opponent import deal_hands, predict_cards
from faceup.games.nimmt.batch.table_kernels import place_cards
from faceup.games.nimmt.objectives import LATE
from faceup.games.nimmt.parameters import WORDS_PER_DEAL
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards

SHARPNESS: Final = 2
"""The other seats draw cards with the network's probabilities to this power, because they often play the best card."""

_DRAWS: Final[Word] = np.uint64(32 * WORDS_PER_DEAL)
"""The random words of a world from here on draw the cards of the other seats; its deals use earlier ones."""


@kernel
def draw_cards(seed: Word, numbers: Array, policy: Array, hands: Array, cards: Array) -> None:
    """Draw a card of each other seat: uint8 [worlds, others]. The probabilities need not add up to 1."""
    for world in range(len(numbers)):
        key = lane_key(seed, numbers[world])
        for other in range(hands.shape[1]):
            chances = policy[world, other]
            word = fraction(key, _DRAWS + np.uint64(other + 1))
            left = np.float64(word) / np.float64(np.uint64(1) << FRACTION_BITS) * chances.sum()
            place = 0
            while place + 1 < len(chances) and left >= chances[place]:
                left -= chances[place]
                place += 1
            cards[world, other] = hands[world, other, place]


@kernel
def place_options(
    capacity: Word, rows: Array, own_hand: Array, options: Array, cards: Array, hands: Array,
    new_rows: Array, new_hands: Array, gains: Array,
) -> None:  # fmt: skip
    """Place each option in each world. With two cards in each hand, the last turn is placed, too.

    Args:
        capacity: the most cards in a row.
        rows: uint16 [rows]: the numbers of the rows.
        own_hand: uint8 [size]: the hand, ascending.
        options: int64 [options]: places of cards in it.
        cards: uint8 [worlds, others]: the cards of the other seats.
        hands: uint8 [worlds, others, size]: their hands, ascending.
        new_rows: uint16 [worlds, options, rows], overwritten.
        new_hands: uint8 [worlds, options, seats, size - 1], overwritten; the own hand is the last.
        gains: int16 [worlds, options, seats], overwritten.
    """
    worlds, others, size = hands.shape
    played = np.empty(others + 1, np.uint8)
    for world in range(worlds):
        played[:others] = cards[world]
        for index, option in enumerate(options):
            played[others] = own_hand[option]
            new_rows[world, index] = rows
            gains[world, index] = 0
            place_cards(capacity, played, -1, new_rows[world, index], gains[world, index])
            for seat in range(others + 1):
                left = 0
                for place in range(size):
                    card = hands[world, seat, place] if seat < others else own_hand[place]
                    if card != played[seat]:
                        new_hands[world, index, seat, left] = card
                        left += 1
            if size == 2:
                place_cards(capacity, new_hands[world, index, :, 0], -1, new_rows[world, index], gains[world, index])


class Lookahead:
    """The options of a seat that must play a card, in worlds of a search.

    Args:
        rules: the rules of the match.
        view: view of the seat.
        seed: seed of the worlds.
    """

    def __init__(self, rules: Rules, view: View, *, seed: int) -> None:
        others = [seat for seat in rules.seats_in(view.out) if seat != view.seat]
        self._rules, self._seed, self._unseen = rules, np.uint64(seed), card_words(unseen_cards(rules, view))
        self._hand = np.array(view.hand, np.uint8)
        self._rows = np.array([row_word(row) for row in view.rows], np.uint16)
        self._heads = np.array([view.heads[seat] for seat in [*others, view.seat or 0]], np.int16)
        self._observed = [positions(rules, [msgspec.structs.replace(view, seat=seat, hand=())]) for seat in others]
        self._is_last_deal = rules.is_last_deal(view)
        self._winning = self._is_last_deal and len(view.hand) <= LATE

    def values(
        self, numbers: npt.NDArray[np.uint64], leads: npt.NDArray[np.uint8], options: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.float64]:
        """Value options in worlds.

        Args:
            numbers: the numbers of the worlds.
            leads: uint8 [worlds, others]: the cards that the other seats play now, or uint8 [worlds] with one other
                seat; empty if the network predicts them.
            options: places of cards in the hand.

        Returns:
            For each world and option the heads to come in this deal relative to the other seats, and the share of the
            win: float64 [worlds, options, 2].
        """
        worlds, others, size = len(numbers), len(self._observed), len(self._hand)
        hands = np.empty((worlds, others, size), np.uint8)
        deal_hands(self._seed, numbers, self._unseen, hands)
        if len(leads):
            cards = leads.reshape(worlds, others)
        else:
            cards = np.empty((worlds, others), np.uint8)
            policy = [
                predict_cards(self._rules, hands[:, other], observed, winning=self._winning)
                for other, observed in enumerate(self._observed)
            ]
            draw_cards(self._seed, numbers, np.stack(policy, 1) ** SHARPNESS, hands, cards)
        shape = (worlds, len(options))
        rows = np.empty((*shape, len(self._rows)), np.uint16)
        new_hands = np.empty((*shape, others + 1, size - 1), np.uint8)
        gains = np.empty((*shape, others + 1), np.int16)
        place_options(self._rules.capacity, self._rows, self._hand, options, cards, hands, rows, new_hands, gains)
        heads, taken = self._heads + gains, gains.astype(np.float64)
        if size > 2:
            values = critic.evaluate(
                self._rules,
                rows.reshape(-1, rows.shape[2]),
                new_hands.reshape(-1, *new_hands.shape[2:]),
                heads.reshape(-1, others + 1),
                final=self._is_last_deal,
            ).reshape(*shape, others + 1, 2)
            taken += values[..., 0]
            powers = np.exp(values[..., 1] - values[..., 1].max(axis=2, keepdims=True))
        else:
            powers = heads == heads.min(axis=2, keepdims=True)
        own, wins = taken[..., -1], powers[..., -1] / powers.sum(axis=2)
        return np.stack([own - taken[..., :-1].mean(axis=2), wins], 2)
