"""The text environment: whole matches, faults, seeds, and calls in the wrong order."""

from typing import Any

import numpy as np
import pytest

from faceup.core import Malformed, generator
from faceup.envs import parallel_env
from faceup.llm import TextEnv


def offered(observation: str) -> list[str]:
    """Return the possible answers of an observation."""
    return observation.rpartition("Possible answers:\n\n")[2].partition("\n\n")[0].splitlines()


def play(env: TextEnv, seed: int) -> tuple[dict[int, float], dict[str, Any]]:
    """Play a match with random answers."""
    choose = generator(seed)
    env.reset(seed=seed)
    done = not env.rules.to_act(env._state)
    while not done:
        _, observation = env.get_observation()
        answers = offered(observation)
        done, info = env.step(f"ANSWER: {answers[choose.below(len(answers))]}")
        assert not info["fault"]
    return env.close()


@pytest.mark.parametrize("variant", ["cowheadking", "classic", "tactical"])
def test_match_of_texts_ends_without_faults(variant: str) -> None:
    rewards, info = play(TextEnv(f"nimmt:{variant}", seats=3), 5)
    assert set(rewards) == {0, 1, 2}
    assert set(info["faults"].values()) == {0}
    assert all(count >= 9 for count in info["decisions"].values())


@pytest.mark.parametrize("spec", ["niuniu", "war"])
def test_game_without_choices_asks_nobody(spec: str) -> None:
    _, info = play(TextEnv(spec), 5)
    assert not info["decisions"]


def test_seed_has_the_deals_of_the_other_environments() -> None:
    text, arrays = TextEnv("nimmt:cowheadking", seats=4), parallel_env("nimmt:cowheadking", seats=4)
    text.reset(seed=11)
    arrays.reset(seed=11)
    assert text._state == arrays._state
    text.reset(seed=np.uint64(11))  # type: ignore[arg-type]  # as callers with numpy do
    assert text._state == arrays._state


def test_seats_are_asked_once_each_without_seeing_what_others_chose() -> None:
    env = TextEnv("nimmt", seats=3, opponents={1: "greedy"})
    env.reset(seed=3)
    seat, first = env.get_observation()
    assert (seat, first) == env.get_observation()
    other = TextEnv("nimmt", seats=3, opponents={1: "greedy"})
    other.reset(seed=3)
    assert seat == 0
    env.step(offered(first)[0])
    other.step(offered(first)[-1])
    assert env.get_observation() == other.get_observation()
    assert env.get_observation()[0] == 2


def test_reply_without_an_answer_plays_the_lowest_and_is_counted() -> None:
    env = TextEnv("nimmt", seats=2, opponents={1: "random"})
    env.reset(num_players=2, seed=3)
    _, observation = env.get_observation()
    _, info = env.step("No idea.")
    assert env.rules.describe(info["action"]) == offered(observation)[0]
    assert "got 'No idea.'" in info["fault"]
    assert env.close()[1]["faults"] == {0: 1}
    assert env.decisions[0].reply == "No idea."


def test_calls_in_the_wrong_order_are_refused() -> None:
    env = TextEnv("nimmt", seats=2, hand=2)
    for call in (env.get_observation, env.close, lambda: env.step("x")):
        with pytest.raises(Malformed, match="must be reset first"):
            call()
    play(env, 1)
    with pytest.raises(Malformed, match="must be reset first, because the match is over"):
        env.get_observation()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": {2: "greedy"}}, "a seat of an opponent must be"),
        ({"opponents": {0: "greedy", 1: "greedy"}}, "at least one seat must have no opponent"),
        ({"opponents": {0: "greedi"}}, "did you mean"),
    ],
)
def test_wrong_opponents_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        TextEnv("nimmt", seats=2, **arguments)


def test_wrong_seed_and_number_of_players_are_refused() -> None:
    env = TextEnv("nimmt", seats=2)
    with pytest.raises(Malformed, match="a seed must be a whole number"):
        env.reset(seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(Malformed, match="num_players must be the number of seats, 2; got 3"):
        env.reset(num_players=3)
