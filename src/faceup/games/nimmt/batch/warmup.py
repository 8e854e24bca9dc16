"""Compile the kernels of all variants ahead of time."""

from collections.abc import Iterator

import numpy as np

from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch.engine import reset
from faceup.games.nimmt.batch.env_adapter import EnvAdapter
from faceup.games.nimmt.batch.playouts import playouts
from faceup.games.nimmt.batch.search import SearchTrials
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal


def warm() -> Iterator[str]:
    """Compile the kernels in parts, except for cached kernels; yield the name of each part before it is compiled."""
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
    EnvAdapter(engine, ["random"]).choices(np.zeros((1, rules.seats), np.uint64))


def _search(rules: Rules) -> None:
    """Search a decision of the second turn, because beliefs need the plays of an earlier turn."""
    dealt = rules.apply(rules.start(), Deal(tuple(range(1, rules.dealt + 1)))).state
    later = rules.apply(dealt, {seat: dealt.hands[seat][-1] - 1 for seat in range(rules.seats)}).state
    while later.waiting:
        later = rules.apply(later, {later.waiting[0][1]: TAKE}).state
    trials = SearchTrials(rules, rules.view(later, 0), model="fitted", objective="heads", seed=0)
    trials.update_beliefs(1)
    trials.run([0], 1)
