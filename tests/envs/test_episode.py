from typing import Any

import numpy as np
import pytest

from faceup.envs import aec_env, parallel_env, single_env


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["nimmt", "niuniu", "war"])
def test_every_game_renders_in_every_mode(spec: str, capsys: Any) -> None:
    for mode in ("ansi", "svg", "rgb_array", "human"):
        env = parallel_env(spec, render_mode=mode)
        env.reset(seed=1)
        shown = env.render()
        if mode == "ansi":
            text = shown
            assert "seat_1" in text
        elif mode == "svg":
            assert shown.startswith("<svg")
        elif mode == "rgb_array":
            assert shown.dtype == np.uint8
            assert shown.shape == (720, 1280, 3)
            assert len(np.unique(shown[::8, ::8].reshape(-1, 3), axis=0)) > 3
        else:
            assert shown is None
            assert capsys.readouterr().out == text + "\n\n"


@pytest.mark.parametrize("make_env", [single_env, parallel_env, aec_env])
def test_the_mode_for_people_prints_every_state_once(make_env: Any, capsys: Any) -> None:
    env = make_env("niuniu:battle throws=2", render_mode="human")
    env.reset(seed=1)
    shown = [capsys.readouterr().out]
    for _ in range(2):
        if make_env is single_env:
            env.step(0)
        elif make_env is parallel_env:
            env.step(dict.fromkeys(env.agents, 0))
        else:
            for _ in env.possible_agents:
                env.step(0)
        assert env.render() is None
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 3
    assert all(text.count(text.splitlines()[0]) == 1 for text in shown)


def test_a_single_seat_sees_its_own_hand_and_a_spectator_sees_none() -> None:
    env, every = single_env("nimmt", render_mode="ansi"), parallel_env("nimmt", render_mode="ansi")
    env.reset(seed=1)
    every.reset(seed=1)
    assert "hand: " in env.render()
    assert "hand: " not in every.render()


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "spec", ["nimmt seats=10 hand=3", "niuniu throws=2", "war:standard cap=5 reshuffle=4 collect=shuffled"]
)
def test_all_frames_have_one_size(spec: str) -> None:
    env = single_env(spec, render_mode="rgb_array")
    env.reset(seed=1)
    over, sizes = False, {env.render().shape}
    while not over:
        over = env.step(0)[2]
        sizes.add(env.render().shape)
    assert sizes == {(720, 1280, 3)}


def test_render_without_mode_returns_none() -> None:
    env = single_env("nimmt")
    env.reset(seed=1)
    assert env.render() is None
