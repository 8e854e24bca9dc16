"""One decision of 6 nimmt!, tried out: what search asks of the game."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.registry import nearest
from faceup.core.values import Action
from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch import fitted, kernels, rollouts
from faceup.games.nimmt.batch.beliefs import PRIORS, Beliefs
from faceup.games.nimmt.batch.fitted import Weights
from faceup.games.nimmt.batch.kernels import card_word, row_word
from faceup.games.nimmt.cards import Card
from faceup.games.nimmt.position import unseen_by
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View

MODELS: Final = {"random": kernels.RANDOM, "greedy": kernels.GREEDY, "fitted": fitted.FITTED}
"""How all seats may be taken to play; a row that they take is always the first of the cheapest.

With `random` and `fitted`, a seat whose cards were likelier to come from a simpler policy can be recognised, and is
then taken to go on like that.
"""

MEASURES: Final = {"heads": rollouts.OWN, "relative": rollouts.RELATIVE, "win": rollouts.WIN}
"""What is counted of each option, and where."""

WIN_LATE: Final = "win late"
OBJECTIVES: Final = (*MEASURES, WIN_LATE)
"""What options may be compared by: something that is counted, or what `compared_by` says of the decision."""

LATE: Final = 5
"""With so many cards in hand, or fewer, `WIN_LATE` is about the win; docs/search.md has what other numbers bring."""

MOST_HEADS: Final = 256

TRUST: Final = 0.5
"""How far the cards that others played are believed to be those of model `fitted`; see `Beliefs`."""


def compared_by(rules: Rules, view: View, objective: str) -> str:
    """What an objective comes to in one decision: one of `MEASURES`.

    With "win late" that is the win late in what is known to be the last deal of a match, and the difference before: who
    gets few heads gets ahead, and a lead, or its lack, is of little weight as long as much is to come.
    """
    if objective != WIN_LATE:
        return objective
    return "win" if len(view.hand) <= LATE and rules.is_last_deal(view) else "relative"


class Trials:
    """The options of one decision, and what they brought in the worlds tried so far.

    Args:
        rules: any rules of 6 nimmt!.
        view: of a seat that is to play a card or take a row.
        model: one of `MODELS`.
        objective: one of `OBJECTIVES`.
        seed: 0 to 2**64 - 1; it and a world's number make the world.
        recognise: whether seats that play simply are recognised.
        weights: of the network of model `fitted`, if not those that are shipped.
        trust: how far it is believed of cards that were played.

    Raises:
        Malformed: the view is of nobody who decides now, or a name is not known.

    Attributes:
        options: the legal actions, ascending.
        objective: what they are compared by: one of `MEASURES`.
        worlds: int64 [options]: in how many worlds each was tried; always the first so many.
    """

    def __init__(
        self,
        rules: Rules,
        view: View,
        *,
        model: str,
        objective: str,
        seed: int,
        recognise: bool = True,
        weights: Weights | None = None,
        trust: float = TRUST,
    ) -> None:
        if view.seat is None or not view.legal:
            raise Malformed("this view is not of a seat that decides now", what=view.seat, where="view")
        for name, known, where in ((model, MODELS, "model"), (objective, OBJECTIVES, "objective")):
            if name not in known:
                raise Malformed(f"there is no {where} {name!r}{nearest(name, [*known])}", what=name, where=where)
        self.options: tuple[Action, ...] = view.legal
        self.objective = compared_by(rules, view, objective)
        seats = [seat for seat in rules.seats_in(view.out) if seat != view.seat] + [view.seat]
        unseen = unseen_by(rules, view)
        count = len(view.legal)
        self._others = len(seats) - 1
        self._model = MODELS[model]
        turns = range(len(view.hand) if model == "fitted" else 0)
        self._sums = np.zeros((count, rollouts.COLUMNS), np.int64)
        self._spread = np.zeros((count, MOST_HEADS), np.int64)
        self._apart = np.zeros((count, count), np.int64)
        self._squared = np.zeros((count, count), np.int64)
        self._opening = kernels.opening_for(rules.rows)
        network = weights or fitted.WEIGHTS
        self._beliefs = Beliefs(
            rules,
            view,
            seed=seed,
            network=network,
            base=self._model,
            recognise=recognise,
            trust=trust if self._model in PRIORS else 0,
        )
        self._position = (
            _words(unseen),
            _words(view.hand),
            np.array([card_word(card) | seats.index(seat) << 3 for card, seat in view.waiting], np.uint16),
            np.array([row_word(row) for row in view.rows], np.uint16),
            np.array([view.heads[seat] for seat in seats], np.int64),
            np.array([action - TAKE if action >= TAKE else card_word(action + 1) for action in view.legal], np.uint16),
            rules.capacity,
            MEASURES[self.objective],
            np.uint64(seed),
            fitted.as_set({*range(128)} - {*unseen, *view.hand}),
            fitted.chances(len(seats), [len(unseen) - turn * self._others for turn in turns], rules.capacity),
            network,
        )

    @property
    def worlds(self) -> npt.NDArray[np.int64]:
        """In how many worlds each option was tried: the first so many of the seed; int64 [options]."""
        return self._sums[:, rollouts.WORLDS]

    def believe(self, worlds: int) -> int:
        """Weigh so many more worlds by the turns of this deal: how many now are; 0 where nothing can be learnt."""
        return self._beliefs.weigh(worlds)

    def run(self, options: Sequence[int], worlds: int) -> None:
        """Try these options, by number, in the next `worlds` worlds; all of them were tried in as many before."""
        first = int(self.worlds[options[0]])
        models = np.array([*self._beliefs.models(), self._model], np.uint8)
        positions = np.arange(first, first + worlds, dtype=np.uint64)
        rollouts.try_options(
            self._opening,
            *self._position,
            models,
            np.uint64(first),
            self._beliefs.draw(positions),
            np.array(options, np.int64),
            self._sums,
            self._spread,
            self._apart,
            self._squared,
        )

    def means(self, measure: str) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The mean of "heads", "relative" or "win" for each option tried, and its standard error: float64 [options]."""
        column = MEASURES[measure]
        scale = {"heads": 1, "relative": self._others, "win": rollouts.SHARES}[measure]
        return _mean(self._sums[:, column] / scale, self._sums[:, column + 1] / scale**2, self.worlds)

    def behind(self, best: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """How much worse than option `best` each is, by the objective, and the standard error: float64 [options].

        The mean of the differences over the worlds in which both were tried: world by world, luck cancels.
        """
        scale = {"heads": 1, "relative": self._others, "win": rollouts.SHARES}[self.objective]
        both = np.minimum(self.worlds, self.worlds[best])
        return _mean(self._apart[:, best] / scale, self._squared[:, best] / scale**2, both)

    def risk(self) -> npt.NDArray[np.float64]:
        """The share of worlds in which the seat takes a row this turn: float64 [options]."""
        share: npt.NDArray[np.float64] = self._sums[:, rollouts.RISK] / self.worlds
        return share

    def spread(self) -> npt.NDArray[np.int64]:
        """Worlds by heads to come in this deal: int64 [options, 256]."""
        return self._spread


def _mean(
    sums: npt.NDArray[np.float64], squares: npt.NDArray[np.float64], count: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    mean = sums / count
    variance = np.maximum(squares / count - mean**2, 0) * count / np.maximum(count - 1, 1)
    return mean, np.sqrt(variance / count)


def _words(cards: Sequence[Card]) -> npt.NDArray[np.uint16]:
    return np.array([card_word(card) for card in cards], np.uint16)
