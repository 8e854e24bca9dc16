"""The adapters for Pgx and JaxMARL, which are tested where these packages are installed."""

import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from faceup.jax import make

SPEC = "nimmt seats=3 hand=3 rows=2"


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "examples" / "adapters")
    for name in ("pgx_env", "jaxmarl_env"):
        monkeypatch.delitem(sys.modules, name, raising=False)


def _legal(mask: Any, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(np.asarray(mask))))


def test_pgx_plays_a_deal_one_seat_after_the_other() -> None:
    pytest.importorskip("pgx")
    from pgx_env import PgxEnv

    env: Any = PgxEnv(SPEC)
    step, rng, total = jax.jit(env.step), np.random.default_rng(1), np.zeros(3)
    state = jax.jit(env.init)(jax.random.key(4))
    first, choosers = state.observation, []
    while not state.terminated:
        choosers.append(int(state.current_player))
        state = step(state, _legal(state.legal_action_mask, rng))
        total += np.asarray(state.rewards)
        if len(choosers) == 1:
            assert not state.rewards.any()
            np.testing.assert_array_equal(env.observe(state, 0), first)  # a choice is not shown before all have chosen
    assert choosers[:3] == [0, 1, 2]
    np.testing.assert_array_equal(total, -np.asarray(state._game.heads))
    assert env.num_players == 3
    assert env.observation_shape == first.shape
    # Pgx takes all other attributes of a state for parts of its interface.
    assert {name for name in vars(state) if not name.startswith("_")} == {
        "current_player",
        "observation",
        "rewards",
        "terminated",
        "truncated",
        "legal_action_mask",
    }


def test_jaxmarl_plays_as_the_environment_and_starts_again() -> None:
    pytest.importorskip("jaxmarl")
    from jaxmarl_env import JaxMarlEnv

    env: Any = JaxMarlEnv(SPEC, reward="relative")
    single = make(SPEC, reward="relative", auto_reset=False)
    step, plain, rng = jax.jit(env.step), jax.jit(single.step), np.random.default_rng(1)
    key = jax.random.key(4)
    seen, state = env.reset(key)
    assert env.observation_space("agent_0").shape == seen["agent_0"].shape
    same: Any = single.init(jax.random.bits(key, (2,), "uint32"))
    over = False
    while not over:
        masks = env.get_avail_actions(state)
        actions = {agent: jnp.int32(_legal(masks[agent], rng)) for agent in env.agents}
        assert all(action < env.action_space(agent).n for agent, action in actions.items())
        same, result = plain(same, jnp.stack([*actions.values()]))
        seen, state, rewards, ends, _ = step(jax.random.key(5), state, actions)
        np.testing.assert_array_equal(jnp.stack([*rewards.values()]), result.rewards)
        over = bool(ends["__all__"])
        assert over == bool(result.ended)
    assert bool(state.acts.all())
    assert int(state.sizes.sum()) == 9
