"""Environments and engines name an argument of a wrong type, as `tests/test_wrong_types.py` tests it for functions."""

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest
from pettingzoo import AECEnv
from tests.wrong_arguments import Call, assert_refused_or_accepted, label

from faceup import envs
from faceup.core import Malformed, find_game, make
from faceup.envs import openspiel
from faceup.games.batch_engines import load_batch_engine
from faceup.games.nimmt import batch
from faceup.jax import Env
from faceup.jax import make as make_jax

RULES: Any = make("nimmt seats=2")
SINGLE = envs.single_env("nimmt")
PARALLEL = envs.parallel_env("nimmt")
TURNS: AECEnv[str, Any, Any] = envs.aec_env("nimmt")
GAMES = envs.vector_env("nimmt", num_envs=2)
JAX = make_jax("nimmt seats=2")
STATE = JAX.init(7)
NODE = pyspiel.load_game("faceup_nimmt_tiny_v0(chance=sampled)").new_initial_state()
OBSERVER = NODE.get_game().make_py_observer()
ENGINE = batch.reset(RULES, lanes=2, seed=7)
for env in (SINGLE, PARALLEL, TURNS, GAMES):
    env.reset(seed=7)


def step_single(action: Any) -> None:
    copy.deepcopy(SINGLE).step(action)


def step_parallel(action: Any, others: Any = 0) -> None:
    copy.deepcopy(PARALLEL).step({**dict.fromkeys(PARALLEL.agents, others), "seat_0": action})


def step_turns(action: Any) -> None:
    copy.deepcopy(TURNS).step(action)


def step_games(actions: Any) -> None:
    copy.deepcopy(GAMES).step(actions)


def iterate_turns(most: Any) -> None:
    next(iter(TURNS.agent_iter(most)))


def reset(env: Any, seed: Any, options: Any) -> None:
    copy.deepcopy(env).reset(seed=seed, options=options)


def step_engine(actions: Any) -> None:
    copy.deepcopy(ENGINE).step(actions)


CALLS = (
    Call(envs.Pool, (["greedy"],)),
    Call(step_single, (0,)),
    Call(step_parallel, (0, 0)),
    Call(step_turns, (0,)),
    Call(step_games, (np.zeros(2, np.int64),)),
    Call(iterate_turns, (5,)),
    *(Call(lambda *given, env=env: reset(env, *given), (7, None)) for env in (SINGLE, PARALLEL, TURNS, GAMES)),
    Call(envs.single_env, ("nimmt",), {"opponents": "greedy", "reward": "win", "encoding": "ids"}),
    Call(envs.parallel_env, ("nimmt",), {"reward": "win", "encoding": "ids", "render_mode": "svg", "illegal": "raise"}),
    Call(envs.vector_env, ("nimmt",), {"num_envs": 2, "opponents": "greedy", "reward": "win", "copy": True}),
    Call(make_jax, ("nimmt",), {"reward": "win", "auto_reset": True}),
    Call(Env, (RULES, "win", True)),
    Call(JAX.init, (7, 0, None)),
    Call(JAX.step, (STATE, np.zeros(2, np.int64), None)),
    Call(JAX.legal, (STATE,)),
    Call(JAX.observe, (STATE, 0)),
    Call(JAX.shuffle_pool, (1, 7)),
    Call(NODE.get_game().make_py_observer, (None, None)),
    Call(OBSERVER.set_from, (NODE, 0)),
    Call(OBSERVER.string_from, (NODE, 0)),
    Call(NODE.action_to_struct, (0,)),
    Call(NODE.struct_to_actions, (NODE.action_to_struct(0),)),
    Call(NODE.resample_from_infostate, (0, lambda: 0.5)),
    Call(batch.reset, (RULES,), {"lanes": 2, "seed": 7, "first": 0, "auto_reset": True}),
    Call(batch.from_states, (RULES, [ENGINE.to_state(0)]), {"seed": 7}),
    Call(batch.playouts, (RULES, ["greedy", "lowest"]), {"lanes": 2, "seed": 7, "jobs": 1, "matches": True}),
    Call(step_engine, (ENGINE.mask().argmax(axis=2).astype(np.int32),)),
    Call(ENGINE.to_state, (0,)),
    Call(ENGINE.outcomes, (0,)),
    Call(ENGINE.restart, (np.array([True, False]),)),
    *(
        Call(function, (make(name), "random"), {"lanes": 2, "seed": 7})
        for name in ("war", "niuniu")
        for engine in (load_batch_engine(find_game(name)),)
        for function in (engine.playouts, engine.trace)
    ),
)


@pytest.mark.parametrize("call", CALLS, ids=label)
def test_a_wrong_type_is_refused_by_name_or_accepted(call: Call) -> None:
    assert_refused_or_accepted(call)


@pytest.mark.parametrize(
    "call",
    [
        PARALLEL.observation_space,
        PARALLEL.action_space,
        lambda agent: PARALLEL.check_action(agent, 0),
        TURNS.observation_space,
        TURNS.action_space,
        TURNS.observe,
    ],
)
@pytest.mark.parametrize(
    ("agent", "message"),
    [
        ("seat_4", "there is no agent 'seat_4'; did you mean 'seat_3'?"),
        (0, "there is no agent 0; there are: seat_0, seat_1, seat_2, seat_3"),
        (["seat_0"], "there is no agent ['seat_0']; did you mean 'seat_0'?"),
    ],
)
def test_an_unknown_agent_is_a_key_error_with_the_agents(
    call: Callable[[Any], object], agent: Any, message: str
) -> None:
    with pytest.raises(Malformed) as refused:
        call(agent)
    assert isinstance(refused.value, KeyError)  # as PettingZoo's own environments raise it
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("attempt", "words"),
    [
        (lambda: envs.Pool("greedy"), "opponents must be a list of names of bots and functions; got 'greedy'"),
        (lambda: JAX.legal(None), "state must be a state of `init` or `step`; got None"),  # type: ignore[arg-type]
        (lambda: Env(RULES, "winn", True), "there is no reward 'winn'; did you mean 'win'?"),
        (lambda: Env(RULES, "win", 1), "auto_reset must be True or False; got 1"),  # type: ignore[arg-type]
        (lambda: OBSERVER.set_from(7, 0), "state must be a state of this game; got 7"),
        (lambda: NODE.get_game().make_py_observer("public"), "kind must be a pyspiel.IIGObservationType; got 'public'"),
        (lambda: batch.reset("nimmt", lanes=1, seed=1), "rules must be the rules of this engine's game (Rules); got"),  # type: ignore[arg-type]
        (lambda: batch.from_states(RULES, [7], seed=1), "state must be a state of these rules (State); got 7"),  # type: ignore[list-item]
        (lambda: openspiel.FaceupState(7), "incompatible"),  # type: ignore[arg-type]
    ],
)
def test_the_message_has_the_argument_the_value_and_what_is_accepted(attempt: Callable[[], object], words: str) -> None:
    with pytest.raises((ValueError, TypeError)) as refused:
        attempt()
    assert words in str(refused.value)
