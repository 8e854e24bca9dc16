"""Predict the plays of the only opponent at a table of two, in the worlds of a search, with the set network.

In a world, the opponent has a hand, so the network's policy can be evaluated for its seat, too: for the card that it
plays now, and for those that it has played in this deal.
"""

from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.batch import set_network
from faceup.games.nimmt.batch.kernels import BLOCK, card_words, make_keys, shuffle, sort_lanes
from faceup.games.nimmt.batch.set_features import Positions, positions
from faceup.games.nimmt.batch.turn_knowledge import before_each_turn
from faceup.games.nimmt.parameters import MOST_HAND
from faceup.games.nimmt.python_search import LATE
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import known_turns, unseen_cards

_SIZE: Final[Word] = np.uint64(BLOCK)


@kernel
def deal_hands(seed: Word, first: Word, unseen: Array, hands: Array) -> None:
    """Write the opponent's hand in each world from world `first` on, ascending: uint8 [worlds, size]."""
    size = np.uint64(hands.shape[1])
    dealt, picks = np.empty(int(size + np.uint64(1)) * BLOCK, np.uint16), np.empty((int(size) + 3) * BLOCK, np.uint8)
    keys = np.empty(BLOCK, np.uint64)
    for start in range(0, len(hands), BLOCK):
        make_keys(seed, first + np.uint64(start), keys)
        shuffle(np.uint64(0), unseen, size, dealt, keys, picks)
        sort_lanes(dealt, np.uint64(0), size, False)
        for place in range(size):
            for lane in range(min(BLOCK, len(hands) - start)):
                hands[start + lane, place] = dealt[place * _SIZE + np.uint64(lane)] >> np.uint16(9)


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
        hands = np.empty((worlds, self._size), np.uint8)
        deal_hands(self._seed, np.uint64(first), self._unseen, hands)
        logs = np.zeros(worlds, np.float32)
        for turn, card in enumerate(self._plays):
            later = np.broadcast_to(self._plays[turn:], (worlds, len(self._plays) - turn))
            held = np.sort(np.concatenate([later, hands], axis=1), axis=1)
            logs += np.log(self._policy(held, self._turns[turn])[held == card])
        return logs, hands, self._policy(hands, self._turns[-1])

    def _policy(self, hands: npt.NDArray[np.uint8], observed: Positions) -> npt.NDArray[np.float32]:
        worlds, count = hands.shape
        held = np.zeros((worlds, MOST_HAND), np.uint8)
        held[:, :count] = hands
        repeated = Positions._make(np.repeat(array, worlds, axis=0) for array in observed)._replace(hands=held)
        winning = self._is_last_deal and count <= LATE
        logits = set_network.evaluate_positions(self._rules, repeated, beliefs=False).policy[:, :count, int(winning)]
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        policy: npt.NDArray[np.float32] = powers / powers.sum(axis=1, keepdims=True)
        return policy
