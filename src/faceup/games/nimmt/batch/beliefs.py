"""Infer the hidden hands and the policies of the other seats from the cards they have played.

A world gives each other seat a hand. For each world, each other seat and each model of play, this module computes a
likelihood. It is the product, over all turns, of the probability that the model plays the observed card from the hand
that the seat would have had in this world. Each seat is assigned the model that is most likely over all worlds. Worlds
are then resampled in proportion to the likelihood of all observed plays (a particle filter).

At a table of two, the set network can predict the opponent's plays (`opponent.Opponent`), in place of model `FITTED`.

Source: Gordon, Salmond and Smith, "Novel approach to nonlinear/non-Gaussian Bayesian state estimation" (1993).
"""

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from faceup.games.lanes import Array, Word, kernel
from faceup.games.nimmt.batch.fitted_policy import (
    FITTED,
    Scratch,
    Weights,
    add_to_set,
    chances,
    scratch_for,
    survey_card,
    survey_hand,
    value_card,
    value_hand,
)
from faceup.games.nimmt.batch.kernels import (
    BLOCK,
    GREEDY,
    HIGHEST,
    LOWEST,
    NO_ROW,
    RANDOM,
    card_words,
    make_keys,
    opening_for,
    play_greedily,
    shuffle,
)
from faceup.games.nimmt.batch.turn_knowledge import before_each_turn
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import known_turns, unseen_cards

if TYPE_CHECKING:
    from faceup.games.nimmt.batch.opponent import Opponent

PRIORS: Final = {RANDOM: np.log([0.7, 0.05, 0.05, 0.2]), FITTED: np.log([0.1, 0.05, 0.05, 0.2, 0.6])}
"""Log prior probability of each model, `RANDOM` to `FITTED`.

The key is the model that is assumed for seats that match no simpler model: `RANDOM` or `FITTED`.
"""

SLIP: Final = 0.02
"""Assumed probability that a seat deviates from a deterministic model."""

FEWEST: Final = 128
"""Likelihoods are tempered until the effective number of worlds is at least this.

With few worlds, an eighth of their number is enough.
"""

GOLDEN: Final = (math.sqrt(5) - 1) / 2
REPEAT: Final = 16
"""The resampled sequence has this many times as many worlds as were weighed, and then repeats."""

NETWORK_COST: Final = 32
"""The set network weighs one world for this many that the other models weigh, because it takes longer."""

_SIZE: Final[Word] = np.uint64(BLOCK)


@kernel
def network_likelihood(
    opening: Word, capacity: Word, count: Word, seats: Word, rows: Array, cards: Array, seen: Array, unseen: Word,
    likely: Array, network: Weights, held: Array, chosen: Array, scratch: Scratch, sums: Array,
) -> None:  # fmt: skip
    """Compute 1 / P(`FITTED` plays the first card of a hand) into `sums`, float32 [BLOCK].

    The arguments are as for `fitted_policy.play_fitted`, but `held`, uint64 [2 * BLOCK], and `chosen`, float32 [BLOCK],
    are scratch space.
    """
    first, last = network
    unknown, features, values, _, tails, _, base = scratch
    held[:] = 0
    add_to_set(cards, np.uint64(0), count, held)
    most = np.uint16((capacity - 1) * 51)
    survey_hand(opening, most, np.uint64(0), count, seats, rows, cards, seen, held, unseen, unknown, tails, features)
    value_hand(first, features, base)
    sums[:] = 0
    for place in range(count):
        survey_card(
            opening, capacity, place, np.uint64(0), count, seats, rows, cards, unseen, unknown, likely, features
        )
        value_card(first, last, features, base, values)
        if place == np.uint64(0):
            chosen[:] = values
        for lane in range(_SIZE):
            sums[lane] += np.exp(min(np.float32(30), max(np.float32(-30), values[lane] - chosen[lane])))


@kernel
def weigh(
    opening: Word, unseen: Array, size: Word, others: Word, capacity: Word, seed: Word, tables: Array, played: Array,
    seen_sets: Array, counts: Array, likely: Array, network: Weights, use_network: Word, from_world: Word, logs: Array,
) -> None:  # fmt: skip
    """Add to `logs` the log-likelihood of the observed plays in each world, by seat and model.

    Args:
        opening: the same as for `search_kernels.try_options`.
        unseen: the cards that the deciding seat has not seen, as kernel numbers, ascending, uint16 [unseen].
        size: number of cards that each hand holds now, numpy.uint64.
        others: number of other seats that are not out, numpy.uint64.
        capacity: the most cards in a row.
        seed: seed of the worlds, numpy.uint64.
        tables: the rows before each turn, uint16 [turns, rows].
        played: the card that each of those other seats played in each turn, uint16 [turns, others].
        seen_sets: set of the cards seen by everyone before each turn, uint64 [turns, 2].
        counts: number of cards that each player had not seen before each turn, int64 [turns].
        likely: the result of `fitted_policy.chances` for these turns.
        network: the weights of policy `fitted`.
        use_network: whether to evaluate the network, which is slow; without the network, nothing is added for `FITTED`.
        from_world: number of the first world, numpy.uint64.
        logs: float32 [worlds, others, models], updated in place.
    """
    offset = others * size
    seats = others + np.uint64(1)
    turns = np.uint64(len(tables))
    most = np.uint16((capacity - 1) * 51)
    dealt = np.empty(int(offset + np.uint64(1)) * BLOCK, np.uint16)
    picks = np.empty((int(offset) + 3) * BLOCK, np.uint8)
    cards = np.empty(int(size + turns) * BLOCK, np.uint16)
    rows = np.full(len(opening) * BLOCK, NO_ROW, np.uint16)
    seen_set, keys = np.empty(2 * BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    sums, best = np.ones(BLOCK, np.float32), np.empty(BLOCK, np.uint32)
    held, chosen, scratch = np.empty(2 * BLOCK, np.uint64), np.empty(BLOCK, np.float32), scratch_for(BLOCK)
    lowest, highest = np.empty(BLOCK, np.bool_), np.empty(BLOCK, np.bool_)
    for start in range(0, len(logs), BLOCK):
        block = min(BLOCK, len(logs) - start)
        make_keys(seed, from_world + np.uint64(start), keys)
        shuffle(np.uint64(0), unseen, offset, dealt, keys, picks)
        for turn in range(turns):
            for row in range(tables.shape[1]):
                rows[row * BLOCK : (row + 1) * BLOCK] = tables[turn, row]
            seen_set[:BLOCK], seen_set[BLOCK:] = seen_sets[turn, 0], seen_sets[turn, 1]
            count = size + turns - turn
            if count == np.uint64(1):
                continue  # a single card is no evidence
            for other in range(others):
                # The hand has first the card played in this turn, then the cards played later, then the current hand.
                for later in range(turn, turns):
                    cards[int(later - turn) * BLOCK : int(later - turn + np.uint64(1)) * BLOCK] = played[later, other]
                cards[int(turns - turn) * BLOCK : int(count) * BLOCK] = dealt[
                    int(other * size) * BLOCK : int(other * size + size) * BLOCK
                ]
                if use_network:
                    network_likelihood(
                        opening, capacity, count, seats, rows, cards, seen_set, counts[turn], likely[turn], network,
                        held, chosen, scratch, sums,
                    )  # fmt: skip
                lowest[:] = True
                highest[:] = True
                for place in range(np.uint64(1), count):
                    for lane in range(_SIZE):
                        lowest[lane] &= cards[place * _SIZE + lane] >= cards[lane]
                        highest[lane] &= cards[place * _SIZE + lane] <= cards[lane]
                play_greedily(opening, np.uint64(0), count, most, rows, cards, best)
                slip = np.float32(np.log(SLIP / np.float64(count - np.uint64(1))))
                hit = np.float32(np.log(1 - SLIP))
                for lane in range(block):
                    log = logs[start + lane, other]
                    log[RANDOM] -= np.log(np.float64(count))
                    log[LOWEST] += hit if lowest[lane] else slip
                    log[HIGHEST] += hit if highest[lane] else slip
                    log[GREEDY] += hit if cards[lane] == played[turn, other] else slip
                    log[FITTED] -= np.log(sums[lane])


class Beliefs:
    """Worlds of a seed, weighted by how well they explain the turns of this deal.

    Args:
        rules: the rules of the match.
        view: view of the seat that decides.
        seed: seed of the worlds.
        network: weights of policy `fitted`.
        base: model of the seats that match no simpler model: `RANDOM` or `FITTED`.
        use_beliefs: whether seats may be assigned a simpler model.
        trust: exponent for the likelihoods of seats that play like `fitted`: 1 uses them in full, 0 ignores them.
        opponent: what predicts the plays of the only other seat, in place of `fitted`.
    """

    def __init__(
        self,
        rules: Rules,
        view: View,
        *,
        seed: int,
        network: Weights,
        base: int,
        use_beliefs: bool,
        trust: float,
        opponent: "Opponent | None" = None,
    ) -> None:
        others = [seat for seat in rules.seats_in(view.out) if seat != view.seat]
        tables, seen_sets, counts, _ = before_each_turn(rules, view)
        self._base, self._use_beliefs, self._trust = base, use_beliefs, trust
        self._opponent = opponent
        self._has_turns = bool(tables)
        self._learns = opponent is not None or (self._has_turns and trust > 0 and (use_beliefs or base == FITTED))
        self._logs = np.zeros((0, len(others), FITTED + 1), np.float32)
        self._predicted: list[tuple[npt.NDArray[Any], ...]] = []
        self._drawn, self._leads = np.zeros(0, np.uint64), np.zeros(0, np.uint16)
        self._models: npt.NDArray[np.uint8] | None = None
        self._arguments = (
            opening_for(rules.rows),
            card_words(unseen_cards(rules, view)),
            np.uint64(len(view.hand)),
            np.uint64(len(others)),
            rules.capacity,
            np.uint64(seed),
            np.array(tables, np.uint16),
            np.array([card_words(turn.plays[seat] for seat in others) for turn in known_turns(view)], np.uint16),
            np.array(seen_sets, np.uint64),
            np.array(counts, np.int64),
            chances(len(others) + 1, counts, rules.capacity),
            network,
            base == FITTED and opponent is None,
        )

    def weigh(self, worlds: int) -> int:
        """Weigh this many more worlds; return how many are weighed in all, or 0 if this deal teaches nothing."""
        if not self._learns:
            return 0
        logs = np.zeros((worlds, *self._logs.shape[1:]), np.float32)
        if self._has_turns:
            weigh(*self._arguments, np.uint64(len(self._logs)), logs)
        if self._opponent:
            first = sum([len(part[0]) for part in self._predicted])
            self._predicted.append(self._opponent.predict(first, max(1, worlds // NETWORK_COST)))
        self._logs = np.concatenate([self._logs, logs])
        self._drawn, self._leads = np.zeros(0, np.uint64), np.zeros(0, np.uint16)
        self._models = None
        return len(self._logs)

    def models(self) -> npt.NDArray[np.uint8]:
        """Return the most likely model of each other seat that is not out: uint8 [others]."""
        if self._models is None:
            self._models = self._likeliest()
        return self._models

    def _likeliest(self) -> npt.NDArray[np.uint8]:
        if not len(self._logs) or not self._use_beliefs:
            return np.full(self._logs.shape[1], self._base, np.uint8)
        prior = PRIORS[self._base]
        logs = self._logs[:, :, : len(prior)]
        evidence = _log_mean(logs) + prior
        if self._opponent:
            likely, _, _ = self._prediction()
            evidence[:, FITTED] = _log_mean(likely) + prior[FITTED]
        cards: npt.NDArray[np.uint8] = evidence.argmax(axis=1).astype(np.uint8)
        return cards

    def draw(self, positions: npt.NDArray[np.uint64]) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint16]]:
        """Return the worlds at these positions of an endless sequence, with worlds in proportion to their weights.

        The second array has the card that the only opponent plays now in each of them, as a kernel number. It is empty
        unless this seat plays like the set network.
        """
        models = self.models()
        if not len(self._logs) or (models == RANDOM).all():  # all worlds are equally likely
            return positions, self._leads[:0]
        if not len(self._drawn) and self._opponent and models[0] == FITTED:
            logs, hands, policy = self._prediction()
            pairs = _spread(_tempered_weights(logs * self._trust)[:, None] * policy, len(logs))
            self._drawn = (pairs // policy.shape[1]).astype(np.uint64)
            self._leads = card_words(hands.ravel()[pairs].tolist())
        elif not len(self._drawn):
            trust = np.where(models == FITTED, self._trust, 1)
            logs = (self._logs[:, np.arange(len(models)), models] * trust).sum(axis=1, dtype=np.float64)
            self._drawn = _spread(_tempered_weights(logs), len(logs)).astype(np.uint64)
        places = positions % np.uint64(len(self._drawn))
        return self._drawn[places], self._leads[places] if len(self._leads) else self._leads

    def _prediction(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
        """Return what `Opponent.predict` returns, for all worlds that the network has weighed."""
        logs, hands, policy = (np.concatenate(parts) for parts in zip(*self._predicted, strict=True))
        return logs.astype(np.float64), hands, policy


def _log_mean(logs: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Return the logarithm of the mean likelihood over the first axis."""
    greatest = logs.max(axis=0)
    means: npt.NDArray[np.float64] = np.log(np.exp((logs - greatest).astype(np.float64)).mean(axis=0)) + greatest
    return means


def _spread(weights: npt.NDArray[np.float64], worlds: int) -> npt.NDArray[np.int64]:
    """Return `REPEAT` times as many indices of weights as worlds, in proportion to the weights.

    However many of these indices are used, from the first on, they are spread evenly.
    """
    sums = np.cumsum(weights)
    points = (0.5 + GOLDEN * np.arange(REPEAT * worlds)) % 1.0
    places: npt.NDArray[np.int64] = np.searchsorted(sums, points * sums[-1])
    return places


def _tempered_weights(logs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return weights from log-likelihoods, tempered so that enough worlds count.

    All likelihoods are raised to the same power. It is the largest power, at most 1, at which Kish's effective sample
    size, (sum of weights)^2 / (sum of squared weights), is large enough.
    """
    logs = logs - logs.max()
    power, step = 1.0, 0.5
    least = min(FEWEST, len(logs) / 8)
    for attempt in range(12):
        weights = np.exp(power * logs)
        enough = weights.sum() ** 2 / (weights**2).sum() >= least
        if attempt == 0 and enough:
            break
        power += step if enough else -step
        step /= 2
    return weights
