"""Before the first reset, every environment says what comes first, whatever is called."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from faceup.core import Malformed
from faceup.envs import aec_env, parallel_env, single_env, vector_env

CALLS: dict[str, Callable[[], object]] = {
    "single step": lambda: single_env("nimmt").step(0),
    "single render": lambda: single_env("nimmt", render_mode="ansi").render(),
    "single render for people": lambda: single_env("nimmt", render_mode="human").render(),
    "single masks": lambda: single_env("nimmt").action_masks(),
    "single view": lambda: single_env("nimmt").view,
    "single state": lambda: single_env("nimmt").state(),
    "parallel step": lambda: parallel_env("nimmt").step({}),
    "parallel step of all": lambda: parallel_env("nimmt").step({f"seat_{seat}": 0 for seat in range(4)}),
    "parallel render": lambda: parallel_env("nimmt", render_mode="svg").render(),
    "parallel state": lambda: parallel_env("nimmt").state(),
    "turns step": lambda: aec_env("nimmt").step(0),
    "turns last": lambda: aec_env("nimmt").last(),
    "turns observe": lambda: aec_env("nimmt").observe("seat_0"),
    "turns render": lambda: aec_env("nimmt", render_mode="ansi").render(),
    "turns state": lambda: aec_env("nimmt").state(),
    "turns iterator": lambda: aec_env("nimmt").agent_iter(),
    "games step": lambda: vector_env("nimmt", num_envs=2).step(np.zeros(2, np.int64)),
    "games render": lambda: vector_env("nimmt", num_envs=2, render_mode="ansi").render(),
    "games state": lambda: vector_env("nimmt", num_envs=2).state(),
    "games sample": lambda: vector_env("nimmt", num_envs=2).sample_legal(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_environment_must_be_reset_first(call: Callable[[], object]) -> None:
    with pytest.raises(Malformed, match="the environment must be reset first"):
        call()


def test_after_an_episode_pettingzoo_ignores_a_step() -> None:
    env: Any = parallel_env("niuniu:battle throws=1")
    env.reset(seed=1)
    env.step(dict.fromkeys(env.agents, 0))
    assert env.step({}) == ({}, {}, {}, {}, {})
