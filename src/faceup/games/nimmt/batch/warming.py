"""Compiling ahead what the batch engine needs for all variants."""

from collections.abc import Iterator

import numpy as np

from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch.engine import reset
from faceup.games.nimmt.batch.learning import Learning
from faceup.games.nimmt.batch.playouts import playouts
from faceup.games.nimmt.batch.trials import Trials
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal


def warm() -> Iterator[str]:
    """Compile part by part, unless it is done already; the name of each part comes before it is compiled."""
    rules = Rules()
    yield "whole games"
    playouts(rules, lanes=1, seed=0).places()
    yield "whole games with more than four rows"
    playouts(Rules(rows=5), lanes=1, seed=0)
    yield "search"
    _search(rules)
    yield "search with more than four rows"
    _search(Rules(rows=5))
    yield "games step by step"
    engine = reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.observe()
    engine.step(np.where(engine.to_act(), engine.mask().argmax(axis=2), -1).astype(np.int32))
    yield "policies step by step"
    Learning(engine, ["random"]).choices(np.zeros((1, rules.seats), np.uint64))


def _search(rules: Rules) -> None:
    """Of a decision in the second turn: there is something to believe."""
    dealt = rules.apply(rules.start(), Deal(tuple(range(1, rules.dealt + 1)))).state
    later = rules.apply(dealt, {seat: dealt.hands[seat][-1] - 1 for seat in range(rules.seats)}).state
    while later.waiting:
        later = rules.apply(later, {later.waiting[0][1]: TAKE}).state
    trials = Trials(rules, rules.view(later, 0), model="fitted", objective="heads", seed=0)
    trials.believe(1)
    trials.run([0], 1)
