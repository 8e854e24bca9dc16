"""Predict the plays of the only opponent at a table of two, in the worlds of a search, with the set network.

In a world, the opponent has a hand, so the network's policy can be evaluated for its seat, too: for the card that it
plays now, and for those that it has played in this deal.
"""

from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel, lane_key
from faceup.games.nimmt.batch import network
from faceup.games.nimmt.batch.kernels import BLOCK, card_words, shuffle, sort_lanes
from faceup.games.nimmt.batch.network_inputs import Positions, positions
from faceup.games.nimmt.batch.turn_knowledge import before_each_turn
from faceup.games.nimmt.objectives import LATE
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import known_turns, unseen_cards

_SIZE: Final[Word] = np.uint64(BLOCK)


@kernel
def deal_hands(seed: Word, numbers: Array, unseen: Array, hands: Array) -> None:
    """Write the hands of the other seats in the worlds of these numbers, ascending: uint8 [worlds, others, size]."""
    others, size = np.uint64(hands.shape[1]), np.uint64(hands.shape[2])
    cards = others * size
    dealt, picks = np.empty(int(cards + np.uint64(1)) * BLOCK, np.uint16), np.empty((int(cards) + 3) * BLOCK, np.uint8)
    keys = np.zeros(BLOCK, np.uint64)
    for start in range(0, len(hands), BLOCK):
        lanes = min(BLOCK, len(hands) - start)
        for lane in range(lanes):
            keys[lane] = lane_key(seed, numbers[start + lane])
        shuffle(np.uint64(0), unseen, cards, dealt, keys, picks)
        for other in range(others):
            sort_lanes(dealt, other * size, size, False)
            for place in range(size):
                for lane in range(lanes):
                    card = dealt[(other * size + place) * _SIZE + np.uint64(lane)] >> np.uint16(9)
                    hands[start + lane, other, place] = card


def predict_cards(
    rules: Rules, hands: npt.NDArray[np.uint8], observed: Positions, *, winning: bool
) -> npt.NDArray[np.float32]:
    """Return the probabilities with which a seat plays the cards of hands, float32 [worlds, size].

    Args:
        rules: the rules.
        hands: uint8 [worlds, size]: the hands, ascending.
        observed: one position of the seat; its hand is replaced.
        winning: whether the seat plays to win.
    """
    worlds, count = hands.shape
    held = np.zeros((worlds, MOST_HAND), np.uint8)
    held[:, :count] = hands
    repeated = Positions._make(np.repeat(array, worlds, axis=0) for array in observed)._replace(hands=held)
    logits = network.evaluate_positions(rules, repeated, beliefs=False).policy[:, :count, int(winning)]
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    policy: npt.NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
    return policy


class Opponent:
    """The only opponent of a seat that must play a card.

    Args:
        rules: the rules of the match.
        view: view of the seat.
        seed: seed of the worlds.
    """

    def __init__(self, rules: Rules, view: View, *, seed: int) -> None:
        [other] = [seat for seat in rules.seats_in(view.out) if seat != view.seat]
        _, seen_sets, _, scores = before_each_turn(rules, view)
        self._rules, self._seed, self._unseen = rules, np.uint64(seed), card_words(unseen_cards(rules, view))
        self._size = len(view.hand)
        self._plays = np.array([turn.plays[other] for turn in known_turns(view)], np.uint8)
        self._is_last_deal = rules.is_last_deal(view)
        now = positions(rules, [msgspec.structs.replace(view, seat=other, hand=())])
        self._turns = [
            now._replace(
                seen=seen[None],
                heads=np.array([[heads[other], heads[view.seat or 0]]], np.int16),
                turns=np.array([turn], np.uint8),
            )
            for turn, (seen, heads) in enumerate(zip(seen_sets, scores, strict=True))
        ]
        self._turns.append(now)

    def predict(
        self, first: int, worlds: int
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        """Predict the plays in each world.

        Args:
            first: number of the first world.
            worlds: number of worlds.

        Returns:
            Three arrays: the log-probability of the cards that the opponent has played in this deal, float32 [worlds];
            its hand, uint8 [worlds, size], ascending; and the probability of each card of the hand to be played now,
            float32 [worlds, size].
        """
        hands = np.empty((worlds, 1, self._size), np.uint8)
        deal_hands(self._seed, np.arange(first, first + worlds, dtype=np.uint64), self._unseen, hands)
        hands = hands[:, 0]
        logs = np.zeros(worlds, np.float32)
        for turn, card in enumerate(self._plays):
            later = np.broadcast_to(self._plays[turn:], (worlds, len(self._plays) - turn))
            held = np.sort(np.concatenate([later, hands], axis=1), axis=1)
            logs += np.log(self._policy(held, self._turns[turn])[held == card])
        return logs, hands, self._policy(hands, self._turns[-1])

    def _policy(self, hands: npt.NDArray[np.uint8], observed: Positions) -> npt.NDArray[np.float32]:
        winning = self._is_last_deal and hands.shape[1] <= LATE
        return predict_cards(self._rules, hands, observed, winning=winning)
