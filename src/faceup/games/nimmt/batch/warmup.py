"""Compile the kernels of all variants ahead of time."""

from collections.abc import Iterator
from math import prod

import numpy as np

from faceup.games.nimmt.actions import TAKE
from faceup.games.nimmt.batch.endgame import last_choice
from faceup.games.nimmt.batch.engine import NimmtEngine
from faceup.games.nimmt.batch.env_adapter import NimmtEnvAdapter
from faceup.games.nimmt.batch.playouts import playouts
from faceup.games.nimmt.batch.search import BatchSearchTrials
from faceup.games.nimmt.objectives import WIN_LATE
from faceup.games.nimmt.observation import OBSERVATION
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal, State


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
    yield "search with two seats"
    _search(Rules(seats=2, hand=4))  # the critic looks ahead with two cards or more in each hand afterwards
    last_choice(short := Rules(seats=2, hand=2), short.view(_dealt(short), 0), win=True, seed=0)
    yield "games step by step"
    engine = NimmtEngine.reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.observe()
    engine.step(np.where(engine.to_act(), engine.mask().argmax(axis=2), -1).astype(np.int32))
    yield "environments"
    _environment(rules)


def _environment(rules: Rules) -> None:
    """Play a step as the vector environment does, with every encoding."""
    adapter = NimmtEnvAdapter(NimmtEngine.reset(rules, lanes=1, seed=0))
    seats, lanes = np.arange(rules.seats, dtype=np.uint64), np.zeros(1, np.uint64)
    shape = (1, rules.seats)
    for name, encoding in OBSERVATION.encodings.items():
        size = sum(prod(piece.shape) for piece in encoding.pieces(rules))
        adapter.write(name, seats, lanes, lanes, np.empty((*shape, size), encoding.dtype))
    size = sum(prod(piece.shape) for piece in (*OBSERVATION.own(rules), *OBSERVATION.public(rules)))
    adapter.write("scalars", seats, lanes, lanes, np.empty((*shape, size), np.float32))
    adapter.masks(seats, np.empty((*shape, rules.bounds.actions + 1), np.int8))
    moves = np.empty(shape, np.int32)
    adapter.fit(adapter.sample(0, seats), seats, moves, np.empty(shape, np.int64))
    adapter.choose(np.zeros(shape, np.uint8), 0, moves)
    adapter.rewards("win", adapter.step(moves), seats, np.empty(shape))


def _search(rules: Rules) -> None:
    """Search a decision of the second turn, because beliefs need the plays of an earlier turn."""
    dealt = _dealt(rules)
    later = rules.apply(dealt, {seat: dealt.hands[seat][-1] - 1 for seat in range(rules.seats)}).state
    while later.waiting:
        later = rules.apply(later, {later.waiting[0][1]: TAKE}).state
    # Without simple opponents, a search with two seats looks ahead, too.
    trials = BatchSearchTrials(
        rules, rules.view(later, 0), model="fitted", objective=WIN_LATE, seed=0, use_beliefs=False
    )
    trials.update_beliefs(1)
    trials.run([0], 1)


def _dealt(rules: Rules) -> State:
    """Return a position after a deal."""
    return rules.apply(rules.start(), Deal(tuple(range(1, rules.dealt + 1)))).state
