"""The law of the JAX environment: each lane equals the readable rules, and the batch engine in all its arrays."""

from functools import cache, partial
from typing import Any, Final, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from faceup.core.values import Action, Seat
from faceup.envs.rewards import reward
from faceup.games.nimmt import Rules, batch
from faceup.games.nimmt.observation import IN_ROW, REVEALED, SET_ASIDE, TAKEN_BY, write_ids
from faceup.games.nimmt.state import State
from faceup.jax import Env
from faceup.jax.rewards import REWARDS
from faceup.jax.stepping import legal, step

COMPILER: Final = {"xla_backend_optimization_level": 0}
"""Options that halve the time to compile; a test runs few steps."""

SEEN: Final = ("heads", "sizes", "plays", "gone", "acts", "phase", "finished")
"""The arrays that the batch engine has under the same names."""

PLACES: Final = np.zeros(256, np.uint8)
"""For each value of `State.cards`, that of the batch engine."""
for ours, expected, count in ((SET_ASIDE, 64, 1), (IN_ROW, 16, 8), (REVEALED, 32, 10), (TAKEN_BY, 48, 10)):
    PLACES[ours : ours + count] = range(expected, expected + count)


class Compiled(NamedTuple):
    """The functions of an environment for many lanes: start, and step with legal actions and all rewards."""

    start: Any
    advance: Any


@cache
def compiled(env: Env) -> Compiled:
    """Compile the functions of an environment."""

    def start(seed: jax.Array, lane: jax.Array) -> Any:
        state = env.init(seed, lane)
        return state, legal(env.rules, state), env.observe(state)

    def advance(state: Any, actions: jax.Array) -> Any:
        state, played = step(env.rules, state, actions, auto_reset=env.auto_reset)
        rewards = {name: of(played) for name, of in REWARDS.items()}
        return state, played, rewards, legal(env.rules, state), env.observe(state)

    jit = partial(jax.jit, compiler_options=COMPILER)
    return Compiled(jit(jax.vmap(start, (None, 0))), jit(jax.vmap(advance)))


def random_actions(
    rules: Rules, mask: npt.NDArray[np.bool_], rng: np.random.Generator, forfeits: int = 40
) -> npt.NDArray[np.int32]:
    """Return a random legal action for each seat to act, and -1 for the others and for one in `forfeits`."""
    drawn = (rng.random(mask.shape, np.float32) + 1) * mask
    actions = np.where(mask.any(axis=2), drawn.argmax(axis=2), -1).astype(np.int32)
    if rules.forfeits:
        actions[rng.random(actions.shape) * forfeits < 1] = -1
    return actions


def check(env: Env, *, lanes: int, steps: int, seed: int = 7, first: int = 0, scalar: int | None = None) -> int:
    """Play random games step by step, and compare every position.

    Args:
        env: the environment to test.
        lanes: number of lanes.
        steps: number of steps.
        seed: seed of the games and the choices.
        first: the first lane.
        scalar: the number of lanes that the readable rules follow; all by default.

    Returns:
        The number of games that ended.
    """
    rules, rng = env.rules, np.random.default_rng(seed)
    functions = compiled(env)
    engine = batch.reset(rules, lanes=lanes, seed=seed, first=first, auto_reset=env.auto_reset)
    numbers = np.arange(first, first + lanes, dtype=np.uint32)
    state, mask, seen = functions.start(jnp.array([0, seed], jnp.uint32), numbers)
    states = [_dealt(rules, rules.start(), engine, lane) for lane in range(lanes if scalar is None else scalar)]
    rewards = {name: reward(rules, name).between for name in REWARDS}
    games = 0
    for number in range(steps):
        mask, seen = np.asarray(mask), np.asarray(seen)
        _compare(rules, state, mask, engine)
        for lane, lane_state in enumerate(states):
            _compare_scalar(rules, lane_state, (lane + number) % rules.seats, mask[lane], seen[lane])
        actions = random_actions(rules, mask, rng)
        state, played, gains, mask, seen = functions.advance(state, actions)
        result = engine.step(actions)
        np.testing.assert_array_equal(played.ended, result.ended)
        np.testing.assert_array_equal(np.asarray(played.heads)[result.ended], result.final[result.ended])
        games += int(result.ended.sum())
        gains = {name: np.asarray(array) for name, array in gains.items()}
        for lane, before in enumerate(states):
            after = before
            if due := rules.to_act(before):
                after = rules.apply(before, _move(due, actions[lane])).state
                for name, between in rewards.items():
                    np.testing.assert_allclose(gains[name][lane], between(before, after), rtol=1e-6)
            over = env.auto_reset and not rules.to_act(after)
            states[lane] = _dealt(rules, rules.start() if over else after, engine, lane)
    return games


def _move(due: tuple[Seat, ...], actions: npt.NDArray[np.int32]) -> dict[Seat, Action]:
    return {seat: int(actions[seat]) for seat in due}


def _dealt(rules: Rules, state: State, engine: batch.NimmtEngine, lane: int) -> State:
    for outcome in engine.outcomes(lane):
        state = rules.apply(state, outcome).state
    return state


def _compare(rules: Rules, state: Any, mask: npt.NDArray[np.bool_], engine: batch.NimmtEngine) -> None:
    """Compare all lanes with the batch engine."""
    expected = engine.observe()
    np.testing.assert_array_equal(mask, engine.mask())
    for name in SEEN:
        np.testing.assert_array_equal(getattr(state, name), expected[name], err_msg=name)
    np.testing.assert_array_equal(PLACES[np.asarray(state.cards)], expected["cards"])
    parts = np.ascontiguousarray(np.asarray(state.rows)).astype("<u4").view(np.uint8)
    np.testing.assert_array_equal(parts.reshape(*parts.shape[:2], -1)[:, :, : rules.capacity], expected["rows"])
    held = np.asarray(state.held)[:, None, :104] == np.arange(1, rules.seats + 1)[:, None]
    np.testing.assert_array_equal(held & (expected["gone"] == 0)[:, :, None], expected["hands"])


def _compare_scalar(
    rules: Rules, state: State, seat: int, mask: npt.NDArray[np.bool_], seen: npt.NDArray[np.uint8]
) -> None:
    """Compare what a seat of a lane may know and do with the readable rules."""
    assert tuple(np.flatnonzero(mask[seat]).tolist()) == rules.legal(state, seat)
    assert seen[seat].tobytes() == write_ids(rules, rules.view(state, seat))
