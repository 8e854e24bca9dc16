"""An adapter between the batch engine and learning environments.

It chooses actions for the other seats by their policies, and returns the observations.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from faceup.games.batch_base import policy_numbers
from faceup.games.lanes import FRACTION_BITS, Array, Word, kernel
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch.engine import Engine
from faceup.games.nimmt.batch.kernels import HIGHEST, LOWEST, RANDOM
from faceup.games.nimmt.batch.layout import CHOOSE, HEADS, TAKE_ROW
from faceup.games.nimmt.batch.playouts import POLICIES


@kernel
def row_heads(lane: Word, row: Word, rows: Array, lengths: Array) -> Word:
    """Return the heads of a row."""
    heads = 0
    for index in range(lengths[lane, row]):
        heads += HEADS[rows[lane, row, index]]
    return heads


@kernel
def cheapest_row(lane: Word, rows: Array, lengths: Array) -> Word:
    """Return the index of the row with the fewest heads; of several such rows, the first."""
    best = 0
    for row in range(1, lengths.shape[1]):
        if row_heads(lane, row, rows, lengths) < row_heads(lane, best, rows, lengths):
            best = row
    return best


@kernel
def greedy_card(lane: Word, mine: Word, held: Array, rows: Array, lengths: Array) -> Word:
    """Return the card that `faceup.games.nimmt.policies.greedy` plays."""
    best, least, narrowest = 0, 1 << 30, np.int64(1 << 30)
    for card in range(1, held.shape[1] + 1):
        if held[lane, card - 1] != mine:
            continue
        nearest, tail = -1, np.int64(0)
        for row in range(lengths.shape[1]):
            last = np.int64(rows[lane, row, lengths[lane, row] - 1])
            if tail < last < card:
                nearest, tail = row, last
        cost = 0
        if nearest < 0:
            cost = row_heads(lane, cheapest_row(lane, rows, lengths), rows, lengths)
        elif lengths[lane, nearest] == rows.shape[2]:
            cost = row_heads(lane, nearest, rows, lengths)
        if cost < least or (cost == least and card - tail < narrowest):
            best, least, narrowest = card, cost, card - tail
    return best


@kernel
def held_card(lane: Word, mine: Word, held: Array, number: Word) -> Word:
    """Return card `number`, from 0, of a hand in ascending order; 0 if the hand has fewer cards."""
    for card in range(held.shape[1]):
        if held[lane, card] == mine:
            if number == 0:
                return card + 1
            number -= 1
    return 0


@kernel
def choose(
    policies: Array, words: Array, actions: Array, phase: Array, acts: Array, held: Array, sizes: Array, rows: Array,
    lengths: Array,
) -> None:  # fmt: skip
    """Write, in every lane, the action that each seat to act gets from its policy, and -1 for the other seats."""
    for lane in range(len(phase)):
        for seat in range(len(policies)):
            actions[lane, seat] = -1
            if not acts[lane, seat]:
                continue
            policy, mine, size = policies[seat], np.uint8(seat + 1), np.int64(sizes[lane, seat])
            options = lengths.shape[1] if phase[lane] == TAKE_ROW else size
            number = np.int64((words[lane, seat] * np.uint64(options)) >> FRACTION_BITS)
            if phase[lane] == TAKE_ROW:
                actions[lane, seat] = TAKE + (number if policy == RANDOM else cheapest_row(lane, rows, lengths))
            elif policy == RANDOM:
                actions[lane, seat] = held_card(lane, mine, held, number) - 1
            elif policy == LOWEST:
                actions[lane, seat] = held_card(lane, mine, held, 0) - 1
            elif policy == HIGHEST:
                actions[lane, seat] = held_card(lane, mine, held, size - 1) - 1
            else:
                actions[lane, seat] = greedy_card(lane, mine, held, rows, lengths) - 1


class EnvAdapter:
    """An engine with a policy for each seat, and with a record of the turns of the current deals.

    Args:
        engine: the engine, which deals from a seed.
        policies: policy names, one for each seat.

    Raises:
        Malformed: a policy has no kernel, or there are too few or too many policies.
    """

    def __init__(self, engine: Engine, policies: Sequence[str]) -> None:
        rules, lanes = engine.rules, engine.lanes
        self.engine = engine
        self._policies = policy_numbers(rules.seats, policies, POLICIES)
        self._actions = np.empty((lanes, rules.seats), np.int32)
        self._plays = np.zeros((lanes, rules.hand, rules.seats), np.uint8)
        self._chosen = np.zeros((lanes, rules.hand), np.uint8)
        self._opening = np.zeros((lanes, rules.rows), np.uint8)
        self.reset_history()

    def choices(self, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
        """Return the action that each seat gets from its policy: int32 [B, seats], writable; -1 if it is not to act.

        Args:
            words: uint64 [B, seats], each below 2**57: random numbers, which policy `random` uses.
        """
        names = ("phase", "acts", "held", "sizes", "rows", "lengths")
        arrays = self.engine._of(names)  # noqa: SLF001 -- of the same package
        choose(self._policies, words, self._actions, *arrays)
        return self._actions

    def record_moves(self, actions: npt.NDArray[np.int32]) -> None:
        """Record the actions of a step before the engine plays them; they must be legal."""
        seen = self.engine.observe()
        turn = self.engine.rules.hand - seen["sizes"][:, 0].astype(np.intp)
        choosing = np.flatnonzero(seen["phase"] == CHOOSE)
        self._plays[choosing, turn[choosing]] = actions[choosing] + 1
        taking = np.flatnonzero(seen["phase"] == TAKE_ROW)
        self._chosen[taking, turn[taking] - 1] = actions[taking].max(axis=1) - TAKE + 1

    def reset_history(self) -> None:
        """Clear the history of the lanes in which a deal has just been made."""
        seen = self.engine.observe()
        fresh = (seen["sizes"] == self.engine.rules.hand).all(axis=1)
        self._plays[fresh], self._chosen[fresh] = 0, 0
        self._opening[fresh] = seen["rows"][fresh, :, 0]

    def numbers(self) -> dict[str, npt.NDArray[Any]]:  # Any: the arrays have several types
        """Return the observation pieces of `faceup.games.nimmt.observation`.

        Their shapes are [B, ...] for public pieces and [B, seats, ...] for private pieces.
        """
        seen, cards = self.engine.observe(), self.engine.rules.cards
        return {
            "hand": seen["hands"][:, :, :cards],
            "choosing": seen["acts"],
            "seen": seen["cards"][:, :cards] != 0,
            "rows": seen["rows"],
            "row_heads": HEADS[seen["rows"]].sum(axis=2),
            "revealed": seen["plays"],
            "heads": seen["heads"],
            "plays": self._plays,
            "chosen_rows": self._chosen,
            "opening": self._opening,
            "deals": seen["finished"],
        }
