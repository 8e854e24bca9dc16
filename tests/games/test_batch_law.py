from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.variants import marked, variants

from faceup.core import AnyRules, list_games, make
from faceup.games import batch_law
from faceup.games.batch_engines import has_batch_engine, load_batch_engine
from faceup.games.nimmt import batch

GAMES = {game.name: game for game in list_games()}
EVERY = [game.name for game in GAMES.values() if has_batch_engine(game)]


def module(spec: str) -> Any:
    return load_batch_engine(GAMES[spec.partition(":")[0]])


@pytest.mark.parametrize("spec", [spec for spec, _ in variants(EVERY) if spec.endswith((" seats=2", " seats=4"))])
def test_a_lane_is_the_scalar_game_in_every_game_and_variant(spec: str) -> None:
    assert batch_law.check(make(spec), module(spec), lanes=3, seed=1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", marked(EVERY))
def test_lanes_are_scalar_games_for_every_number_of_seats(spec: str) -> None:
    rules = make(spec)
    lanes = 5 if rules.bounds.decisions > 100 else 25
    assert batch_law.check(rules, module(spec), lanes=lanes, seed=2) > lanes


class Wrong:
    """An engine that returns wrong values for one method."""

    def __init__(self, engine: batch_law.SteppedEngine, what: str) -> None:
        self.engine, self.what = engine, what

    def __getattr__(self, name: str) -> Any:
        if name != self.what:
            return getattr(self.engine, name)
        return getattr(self, f"wrong_{name}")

    def wrong_to_act(self) -> Any:
        return ~self.engine.to_act()

    def wrong_mask(self) -> Any:
        return np.roll(self.engine.mask(), 1, axis=2)

    def wrong_scores(self) -> Any:
        return self.engine.scores() + 1

    def wrong_to_state(self, lane: int) -> Any:
        return self.engine.to_state((lane + 1) % self.engine.lanes)


@pytest.mark.parametrize("what", ["to_act", "mask", "scores", "to_state"])
def test_the_law_finds_an_engine_that_differs(what: str) -> None:
    def reset(rules: Any, *, lanes: int, seed: int) -> Any:
        return Wrong(batch.reset(rules, lanes=lanes, seed=seed), what)

    wrong: Any = SimpleNamespace(reset=reset, from_states=batch.from_states, trace=batch.trace)
    with pytest.raises(AssertionError, match="law 15, batch-equality, lane 0: "):
        batch_law.check(make("nimmt"), wrong, lanes=2, seed=1)


def test_the_law_finds_playouts_that_differ() -> None:
    def trace(rules: Any, *, lanes: int, seed: int, matches: bool) -> Any:
        traced = batch.trace(rules, lanes=lanes, seed=seed, matches=matches)
        traced.playouts.heads[1, 0] += 1
        return traced

    wrong: Any = SimpleNamespace(reset=batch.reset, from_states=batch.from_states, trace=trace)
    rules: AnyRules = make("nimmt")
    with pytest.raises(AssertionError, match="law 15, batch-equality, lane 1: final scores"):
        batch_law.check(rules, wrong, lanes=2, seed=1)
