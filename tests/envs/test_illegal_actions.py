"""Illegal actions are replaced and reported, or with `illegal="raise"` raise and change nothing."""

import re
from typing import Any, cast

import numpy as np
import pytest

from faceup.core import IllegalActionError, Malformed
from faceup.envs import aec_env, parallel_env, single_env, vector_env


def test_single_seat() -> None:
    env = single_env("nimmt", illegal="raise")
    observation, info = env.reset(seed=1)
    illegal = int(info["action_mask"].argmin())
    with pytest.raises(IllegalActionError, match=f"'play {illegal + 1}' is not legal for seat 0 now; legal: play"):
        env.step(illegal)
    with pytest.raises(IllegalActionError):
        env.step(env.wait)
    other = single_env("nimmt")
    assert np.array_equal(other.reset(seed=1)[0], observation)
    lowest = int(info["action_mask"].argmax())
    assert np.array_equal(env.step(lowest)[0], other.step(illegal)[0])


def test_all_seats() -> None:
    env = parallel_env("nimmt seats=2", illegal="raise")
    observations: Any = env.reset(seed=1)[0]
    lowest: dict[str, int | None] = {agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()}
    before = env.state()
    with pytest.raises(IllegalActionError, match="for seat 1"):
        env.step({**lowest, "seat_1": lowest["seat_0"]})
    assert np.array_equal(env.state(), before)
    assert not any("replaced" in info for info in env.step(lowest)[-1].values())


def _row_choice(env: Any) -> int:
    """Play until a seat must take a row, and return the seat."""
    while True:
        due = env.rules.to_act(env._state)
        if len(due) == 1:
            return int(due[0])
        legal = [env.rules.legal(env._state, seat) for seat in range(env.rules.seats)]
        env.step({agent: legal[seat][0] for seat, agent in enumerate(env.agents)})


def test_a_seat_that_is_not_to_act_can_only_wait() -> None:
    env = parallel_env("nimmt seats=2", illegal="raise")
    env.reset(seed=3)
    taker = _row_choice(env)
    actions: dict[str, int | None] = {"seat_0": env.wait, "seat_1": env.wait, f"seat_{taker}": 104}
    idle = f"seat_{1 - taker}"
    with pytest.raises(IllegalActionError, match=f"seat {1 - taker} is not to act now, so it can only wait, which is"):
        env.step({**actions, idle: 5})
    env.step(actions)


@pytest.mark.parametrize("illegal", ["replace", "raise"])
def test_seats_one_after_another_get_the_error_of_their_own_action(illegal: Any) -> None:
    env: Any = aec_env("nimmt seats=2", illegal=illegal)
    env.reset(seed=1)
    mask = env.last()[0]["action_mask"]
    with pytest.raises(Malformed, match="the action of seat_0 must be 0 to 108; got 999"):
        env.step(999)
    if illegal == "raise":
        with pytest.raises(IllegalActionError, match="for seat 0"):
            env.step(int(mask.argmin()))
    assert env.agent_selection == "seat_0"
    env.step(int(mask.argmax()))
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert env.agent_selection == "seat_0"


def test_many_games() -> None:
    env = vector_env("nimmt", num_envs=3, illegal="raise")
    observations, infos = env.reset(seed=1)
    lowest = infos["action_mask"].argmax(axis=1)
    actions = lowest.copy()
    actions[1] = int(infos["action_mask"][1].argmin())
    with pytest.raises(
        IllegalActionError, match=f"game 1: 'play {actions[1] + 1}' is not legal for seat 0 now; legal:"
    ):
        env.step(actions)
    other = vector_env("nimmt", num_envs=3)
    assert np.array_equal(other.reset(seed=1)[0], observations)
    assert np.array_equal(env.step(lowest)[0], other.step(actions)[0])


def test_many_games_with_every_seat() -> None:
    env = vector_env("nimmt seats=3", num_envs=2, agents="all", illegal="raise")
    masks = env.reset(seed=1)[1]["action_mask"]
    actions = masks.argmax(axis=2)
    actions[1, 2] = env.wait
    with pytest.raises(IllegalActionError, match=r"game 1: .* is not legal for seat 2 now"):
        env.step(actions)


def test_illegal_actions_of_opponents_raise_too() -> None:
    def first_card(observations: Any, masks: Any) -> Any:
        del observations
        return np.zeros(len(masks), np.int64)

    env = vector_env("nimmt seats=2", num_envs=30, opponents=first_card, illegal="raise")
    infos = env.reset(seed=1)[1]
    with pytest.raises(IllegalActionError, match=r"game \d+: 'play 1' is not legal for seat 1 now"):
        env.step(infos["action_mask"].argmax(axis=1))


@pytest.mark.parametrize(
    "make_env", [single_env, parallel_env, aec_env, lambda spec, **options: vector_env(spec, num_envs=2, **options)]
)
def test_another_word_raises(make_env: Any) -> None:
    with pytest.raises(Malformed, match=re.escape('illegal must be "replace" or "raise"; got \'ignore\'')):
        make_env("nimmt", illegal=cast("Any", "ignore"))
