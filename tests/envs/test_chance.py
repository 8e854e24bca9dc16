"""Chance has a separate stream of random numbers: a seed has the same deals everywhere, whatever is played."""

import copy
import pickle
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyspiel
import pytest

import faceup.envs.openspiel
from faceup.core import CHANCE, AnyRules, Outcome, find_game, make
from faceup.envs import aec_env, parallel_env, single_env, vector_env
from faceup.games.batch_engines import load_batch_engine
from faceup.games.lane_chance import LaneChance

assert faceup.envs.openspiel.SETTINGS  # importing it registers the games

SEED = 2**63 + 5
GAMES = ["nimmt:classic seats=3", "niuniu:battle throws=2", "war cap=60 reshuffle=15 collect=shuffled"]
Play = Callable[[tuple[int, ...]], int]


def lowest(legal: tuple[int, ...]) -> int:
    return legal[0]


def highest(legal: tuple[int, ...]) -> int:
    return legal[-1]


def outcomes(rules: AnyRules, play: Play, chance: LaneChance) -> Iterator[Outcome]:
    """Yield the outcomes of games one after another."""
    while True:
        state = rules.start()
        while due := rules.to_act(state):
            if due == (CHANCE,):
                outcome = chance.draw(state)
                yield outcome
                state = rules.apply(state, outcome).state
            else:
                state = rules.apply(state, {seat: play(rules.legal(state, seat)) for seat in due}).state


class Spy:
    """The chance of an environment, with the outcomes that it drew."""

    def __init__(self, chance: LaneChance) -> None:
        self._chance = chance
        self.drawn: list[Outcome] = []

    def draw(self, state: Any) -> Outcome:
        self.drawn.append(self._chance.draw(state))
        return self.drawn[-1]


@pytest.mark.parametrize("lane", [0, 3])
@pytest.mark.parametrize("spec", GAMES)
def test_a_lane_has_the_chance_of_the_batch_engine(spec: str, lane: int) -> None:
    rules = make(spec)
    engine = load_batch_engine(find_game(rules.game)).reset(rules, lanes=lane + 1, seed=SEED)
    made: list[Outcome] = list(engine.outcomes(lane))
    while len(made) < 12:
        mask = engine.mask()
        engine.step(np.where(engine.to_act(), mask.argmax(axis=2), -1).astype(np.int32))
        made += engine.outcomes(lane)
        if not engine.to_act()[lane].any():
            engine.restart()
            made += engine.outcomes(lane)
    expected = outcomes(rules, lowest, LaneChance(rules, SEED, lane))
    assert made[:12] == list(islice(expected, 12))


def drawn_by_single(spec: str, play: Play, opponents: str) -> list[Outcome]:
    env = single_env(spec, opponents=opponents)
    env._chance = spy = Spy(LaneChance(env.rules, SEED))  # type: ignore[assignment]
    env.reset()
    while len(spy.drawn) < 12:
        *_, over, _, _ = env.step(play(tuple(np.flatnonzero(env.action_masks()).tolist())))
        if over:
            env.reset()
    return spy.drawn


@pytest.mark.parametrize("spec", GAMES)
def test_what_is_played_and_drawn_by_opponents_never_changes_a_deal(spec: str) -> None:
    rules = make(spec)
    games = [
        drawn_by_single(spec, play, opponents)
        for play in (lowest, highest)
        for opponents in ("random", "greedy" if rules.game == "nimmt" else "random")
    ]
    # The cards that a reshuffle of War orders depend on the play, but all deals and throws are those of the seed.
    if rules.game != "war":
        assert all(drawn[:12] == games[0][:12] for drawn in games)
    assert all(drawn[0] == games[0][0] for drawn in games)


def first_states(spec: str) -> dict[str, str]:
    """Return the first position of a seed in every environment, as the rules write it."""
    rules = make(spec)
    chance = LaneChance(rules, SEED)
    dealt = rules.start()
    while rules.to_act(dealt) == (CHANCE,):
        dealt = rules.apply(dealt, chance.draw(dealt)).state
    single, parallel = single_env(spec), parallel_env(spec)
    aec: Any = aec_env(spec)
    single.reset(seed=SEED)
    parallel.reset(seed=SEED)
    aec.reset(seed=SEED)
    batch: Any = vector_env(spec, num_envs=3)
    batch.reset(seed=SEED)
    positions = {
        "lane": dealt,
        "single": single._state,
        "parallel": parallel._state,
        "aec": aec.unwrapped._state,
        "vector": batch._adapter.state(0),
    }
    return {name: rules.to_text(rules.position(state)) for name, state in positions.items()}


@pytest.mark.parametrize("spec", ["nimmt:tactical seats=5", "war", "nimmt:arena"])
def test_one_seed_has_the_same_deal_in_every_environment(spec: str) -> None:
    assert len(set(first_states(spec).values())) == 1


def test_one_seed_has_the_same_deals_in_openspiel() -> None:
    game = pyspiel.load_game("faceup_nimmt_classic_v0(players=3,chance=sampled,rng_seed=77)")
    rules = make("nimmt:classic seats=3")
    made: list[tuple[int, ...]] = []
    state = game.new_initial_state()
    while not state.is_terminal() and len(made) < 5:
        if state.is_chance_node():
            state.apply_action(0)
            node = state.node.state
            made.append((*(card for hand in node.hands for card in hand), *node.opening))
        elif state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(seat)[0] for seat in range(3)])
        else:
            state.apply_action(state.legal_actions()[0])
    expected: list[Any] = [*islice(outcomes(rules, lowest, LaneChance(rules, 77)), len(made))]
    assert len(made) > 1
    for seen, deal in zip(made, expected, strict=True):
        assert (
            seen
            == tuple(card for seat in range(3) for card in sorted(deal.cards[10 * seat : 10 * seat + 10]))
            + (deal.cards[30:])
        )


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])  # noqa: S301 -- our own
def test_copies_continue_with_the_same_deals(duplicate: Callable[[Any], Any]) -> None:
    rules = make("nimmt seats=2")
    chance = LaneChance(rules, 3)
    chance.draw(rules.start())
    assert duplicate(chance).draw(rules.start()) == chance.draw(rules.start())


def test_an_agent_that_samples_does_not_change_the_opponents() -> None:
    def moves(*, samples: bool) -> list[Any]:
        env: Any = vector_env("nimmt:cowheadking seats=3", num_envs=4, opponents="random")
        infos = env.reset(seed=5)[1]
        chosen = []
        for _ in range(3):
            if samples:
                env.sample_legal()
            infos = env.step(infos["action_mask"].argmax(axis=1))[-1]
            chosen.append(env._moves.copy())
        return chosen

    assert np.array_equal(moves(samples=True), moves(samples=False))
