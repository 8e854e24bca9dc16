"""Evaluate the options of one decision of 6 nimmt! by playouts."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from faceup.core.values import Action
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import fitted_policy, kernels, network, search_kernels
from faceup.games.nimmt.batch.beliefs import PRIORS, Beliefs
from faceup.games.nimmt.batch.endgame import last_choice
from faceup.games.nimmt.batch.fitted_policy import Weights
from faceup.games.nimmt.batch.kernels import card_word, card_words, row_word
from faceup.games.nimmt.batch.lookahead import Lookahead
from faceup.games.nimmt.batch.opponent import Opponent
from faceup.games.nimmt.card_results import KINDS, CardResult, card_results
from faceup.games.nimmt.objectives import MOST_HEADS, OBJECTIVES, WIN_LATE, check_decision, resolve_objective, unit_of
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards

MODELS: Final = {"random": kernels.RANDOM, "greedy": kernels.GREEDY, "fitted": fitted_policy.FITTED}
"""Models of how all seats may play; a seat that must take a row always takes the first of the cheapest rows.

With `random` and `fitted`, a seat can be assigned a simpler policy that explains its plays better than the model. With
`fitted` and at most `RATED_SEATS`, the values of cards are mixed with the ratings of `network`. With two seats,
`network` also predicts the opponent's next card, and rollouts are then random, because they measure cards better
there.
"""

MEASURES: Final = {"heads": search_kernels.OWN, "relative": search_kernels.RELATIVE, "win": search_kernels.WIN}
"""The values that are measured for each option, and the column in which the kernels sum each value."""

RATED: Final = 0.75
"""With model `fitted`, values of cards differ by this times the sum of the differences measured and rated.

The ratings of the network are about a third of the differences in heads, so their sum is brought back to heads.
"""

SHARES: Final = {
    2: ((0.2, 0.1, 0.7), (0.4, 0.1, 0.5)),
    **dict.fromkeys((3, 4), ((0.4, 0.25, 0.35), (0.5, 0.25, 0.25))),
}
"""With a lookahead, the weights of the differences measured by rollouts, rated by the network, and looked up.

By number of seats, for heads and for wins. With more seats, a lookahead brought nothing that could be measured. With
three and four, a larger weight of it is no better among networks, and worse among bots that play differently; see
docs/explanation/bots.md.
"""

LOOKAHEAD: Final = 32
"""The lookahead tries one world for this many that rollouts try."""

RATED_SEATS: Final = 5
"""The most seats with which cards are rated by the network; with more, ratings make the search weaker."""

LAST: Final = 2
"""The size of the hands with which two seats of model `fitted` choose by `endgame.last_choice`."""

TRUST: Final = 0.5
"""Weight of the evidence from cards played by seats of model `fitted`; see `Beliefs`."""


class BatchSearchTrials:
    """The options of one decision, and their results in the worlds tried so far.

    Args:
        rules: any rules of 6 nimmt!.
        view: view of a seat that must play a card or take a row.
        model: one of `MODELS`.
        objective: one of `OBJECTIVES`.
        seed: 0 to 2**64 - 1; the seed and a world's number determine the world.
        use_beliefs: whether seats may be assigned a simpler policy than the model.
        weights: network weights of model `fitted`; by default, the weights in the package.
        trust: weight of the evidence from cards played; see `Beliefs`.
        explain: whether to count what happens to each own card.

    Raises:
        Malformed: the view's seat has no decision to make, or the name of the model or objective is unknown.

    Attributes:
        options: the legal actions, ascending.
        objective: the measure by which options are compared, one of `MEASURES`.
        worlds: int64 [options]: number of worlds in which each option was tried, from the first world of the seed on.
        block: number of worlds to try between two reads of the clock.
    """

    block = kernels.BLOCK

    def __init__(
        self,
        rules: Rules,
        view: View,
        *,
        model: str,
        objective: str,
        seed: int,
        use_beliefs: bool = True,
        weights: Weights | None = None,
        trust: float = TRUST,
        explain: bool = False,
    ) -> None:
        me = check_decision(view, model=(model, [*MODELS]), objective=(objective, OBJECTIVES))
        self.options: tuple[Action, ...] = view.legal
        self.objective = resolve_objective(rules, view, objective)
        seats = [seat for seat in rules.seats_in(view.out) if seat != me] + [me]
        unseen = unseen_cards(rules, view)
        count = len(view.legal)
        self._others = len(seats) - 1
        self._model = kernels.RANDOM if model == "fitted" and self._others == 1 else MODELS[model]
        self._ratings: dict[str, npt.NDArray[np.float64]] = {}
        self._lookahead: Lookahead | None = None
        self._looked_up = np.zeros((0, count, 2))
        opponent = None
        if model == "fitted" and not view.waiting and len(seats) <= RATED_SEATS:
            relative, win = network.rate_cards(rules, view)
            # The others share the heads that a seat avoids, so `relative` changes by more than the seat's own heads.
            self._ratings = {"relative": relative, "heads": relative * self._others / len(seats)}
            if self.objective == "win":  # the ratings are for winning this deal, and are no probabilities
                self._ratings["win"] = win
            opponent = Opponent(rules, view, seed=seed) if self._others == 1 else None
            if objective == WIN_LATE and len(seats) in SHARES:
                self._lookahead = Lookahead(rules, view, seed=seed)
        turns = range(len(view.hand) if self._model == fitted_policy.FITTED else 0)
        self._sums = np.zeros((count, search_kernels.COLUMNS), np.int64)
        self._spread = np.zeros((count, MOST_HEADS), np.int64)
        self._apart = np.zeros((count, count), np.int64)
        self._squared = np.zeros((count, count), np.int64)
        self._hand = view.hand
        self._opening = kernels.opening_for(rules.rows)
        explained = (count, len(view.hand), len(KINDS), len(self._opening), 2) if explain else (0,) * 5
        self._results = np.zeros(explained, np.int64)
        weights = weights or fitted_policy.WEIGHTS
        self._beliefs = Beliefs(
            rules,
            view,
            seed=seed,
            network=weights,
            base=fitted_policy.FITTED if opponent else self._model,
            use_beliefs=use_beliefs,
            trust=trust if self._model in PRIORS else 0,
            opponent=opponent,
        )
        self._last_choice = (
            partial(last_choice, rules, view, win=self.objective == "win", seed=seed)
            if opponent and len(view.hand) == LAST and self.objective != "heads"
            else None
        )
        self._position = (
            card_words(unseen),
            card_words(view.hand),
            np.array([card_word(card) | seats.index(seat) << 3 for card, seat in view.waiting], np.uint16),
            np.array([row_word(row) for row in view.rows], np.uint16),
            np.array([view.heads[seat] for seat in seats], np.int64),
            np.array([action - TAKE if action >= TAKE else card_word(action + 1) for action in view.legal], np.uint16),
            rules.capacity,
            MEASURES[self.objective],
            np.uint64(seed),
            fitted_policy.as_set({*range(128)} - {*unseen, *view.hand}),
            fitted_policy.chances(len(seats), [len(unseen) - turn * self._others for turn in turns], rules.capacity),
            weights,
        )

    @property
    def worlds(self) -> npt.NDArray[np.int64]:
        """Return the number of worlds in which each option was tried: int64 [options]."""
        return self._sums[:, search_kernels.WORLDS]

    def update_beliefs(self, worlds: int) -> int:
        """Weigh this many more worlds by the plays of this deal; return their total, or 0 without information."""
        return self._beliefs.weigh(worlds)

    def strategy(self) -> tuple[float, ...] | None:
        """Return the probability with which to play each option, or None if the best one should be played.

        The only opponent may predict the last choice of a deal, unless it plays by one of the simple models.
        """
        if self._last_choice is None or self._beliefs.models()[0] != fitted_policy.FITTED:
            return None
        return self._last_choice()

    def run(self, options: Sequence[int], worlds: int) -> None:
        """Try some options in the next `worlds` worlds.

        Args:
            options: indices of the options in `self.options`; all must have been tried in equally many worlds before.
            worlds: number of worlds.
        """
        first = int(self.worlds[options[0]])
        others = self._beliefs.models()
        if self._others == 1:  # after the predicted card
            others = np.where(others == fitted_policy.FITTED, self._model, others)
        models = np.array([*others, self._model], np.uint8)
        positions = np.arange(first, first + worlds, dtype=np.uint64)
        search_kernels.try_options(
            self._opening,
            *self._position,
            models,
            np.uint64(first),
            *self._beliefs.draw(positions),
            np.array(options, np.int64),
            self._sums,
            self._spread,
            self._apart,
            self._squared,
            self._results,
        )
        self._look_ahead(options, -(-first // LOOKAHEAD), -(-(first + worlds) // LOOKAHEAD))

    def _look_ahead(self, options: Sequence[int], first: int, last: int) -> None:
        if self._lookahead is None or first == last:
            return
        if 2 * np.isin(self._beliefs.models(), (self._model, fitted_policy.FITTED)).sum() <= self._others:
            return  # most others play like simple bots, or at random, which the rollouts know better
        values = np.full((last - first, len(self.options), 2), np.nan)
        numbers, leads = self._beliefs.draw(np.arange(first, last, dtype=np.uint64))
        cards = (leads >> 9).astype(np.uint8)
        values[:, options] = self._lookahead.values(numbers, cards, np.array(options, np.int64))
        self._looked_up = np.concatenate([self._looked_up[:first], values])

    def means(self, measure: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return the mean of a measure for each option, and its standard error: two arrays float64 [options]."""
        column = MEASURES[measure]
        scale = unit_of(measure, self._others)
        estimates = _mean(self._sums[:, column] / scale, self._sums[:, column + 1] / scale**2, self.worlds)
        if measure not in self._ratings:
            return estimates
        mixed = self._mix(measure, [estimates[0], self._ratings[measure], *self._values_ahead(measure)])
        # Ratings are only differences, so the best option keeps the mean that was measured.
        order = -mixed if measure == "win" else mixed
        best = np.where(self.worlds == self.worlds.max(), order, np.inf).argmin()
        return mixed - mixed[best] + estimates[0][best], estimates[1]

    def behind(self, best: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return how much worse each option is than option `best`, and the standard error of this difference.

        The result is two arrays float64 [options]. The differences are taken in each world, so that the luck that two
        options share cancels out.
        """
        models = self.behind_in_models(best)
        values, errors = zip(*models, strict=True)
        return self._mix(self.objective, values), self._mix(self.objective, errors)

    def behind_in_models(self, best: int) -> list[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]:
        """Return the same by the worlds alone, by the network's ratings and by the lookahead, if there are any."""
        scale = unit_of(self.objective, self._others)
        both = np.minimum(self.worlds, self.worlds[best])
        models = [_mean(self._apart[:, best] / scale, self._squared[:, best] / scale**2, both)]
        if self.objective in self._ratings:
            worse = self._ratings[self.objective] - self._ratings[self.objective][best]
            models.append((-worse if self.objective == "win" else worse, np.zeros(len(worse))))
        ahead = self._values_ahead(self.objective, best)
        models.extend((-values if self.objective == "win" else values, np.zeros(len(values))) for values in ahead)
        return models

    def _values_ahead(self, measure: str, best: int | None = None) -> list[npt.NDArray[np.float64]]:
        """Return the mean values by the lookahead, minus that of option `best`; nothing without a lookahead."""
        if not len(self._looked_up):
            return []
        values = self._looked_up[:, :, int(measure == "win")]
        if best is not None:
            values = values - values[:, best : best + 1]
        means: npt.NDArray[np.float64] = np.nanmean(values, axis=0)
        return [means * self._others / (self._others + 1) if measure == "heads" else means]

    def _mix(self, measure: str, models: Sequence[npt.NDArray[np.float64]]) -> npt.NDArray[np.float64]:
        weights: tuple[float, ...] = (RATED, RATED) if len(models) == 2 else (1.0,)
        if len(self._looked_up):
            weights = SHARES[self._others + 1][int(measure == "win")]
        mixed: npt.NDArray[np.float64] = np.array(weights) @ np.array(models)
        return mixed

    def risk(self) -> npt.NDArray[np.float64]:
        """Return the share of worlds in which the seat takes a row this turn, for each option: float64 [options]."""
        share: npt.NDArray[np.float64] = self._sums[:, search_kernels.RISK] / self.worlds
        return share

    def spread(self) -> npt.NDArray[np.int64]:
        """Return the number of worlds for each option and each number of heads to come in this deal.

        The result is int64 [options, 256].
        """
        return self._spread

    def results(self, option: int) -> tuple[CardResult, ...]:
        """Return what happened to each own card with this option; empty unless the trials explain their options."""
        if not len(self._results):
            return ()
        return card_results(self._hand, self.options[option], int(self.worlds[option]), self._results[option].tolist())


def _mean(
    sums: npt.NDArray[np.float64], squares: npt.NDArray[np.float64], count: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    mean = sums / count
    variance = np.maximum(squares / count - mean**2, 0) * count / np.maximum(count - 1, 1)
    return mean, np.sqrt(variance / count)
