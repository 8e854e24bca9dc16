from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from tests.envs.helpers import COPIES

from faceup.bots import policy
from faceup.core import AnyRules, Generator, Malformed, SeededGenerator, View
from faceup.envs import parallel_env, single_env
from faceup.envs.registration import settings

IDS = [f"faceup/{game}-{setting}-win-v0" for game, setting, _ in settings()]


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", IDS)
def test_gymnasium_environment_check_passes(name: str) -> None:
    check_env(gymnasium.make(name).unwrapped)


def test_every_game_setting_and_reward_is_registered_with_gymnasium_and_pettingzoo() -> None:
    ours = [name for name in gymnasium.registry if name.startswith("faceup/")]
    assert {name.rpartition("-v")[0].rpartition("-")[0] for name in ours} == {
        name.rpartition("-win-")[0] for name in IDS
    }
    assert {name.split("-")[2] for name in ours if "nimmt" in name} == {"heads", "relative", "place", "win"}
    assert {name for name in pettingzoo.parallel_registry if name.startswith("faceup/")} == set(ours)
    assert {name for name in pettingzoo.aec_registry if name.startswith("faceup/")} == set(ours)


def test_a_registered_environment_takes_options() -> None:
    env: Any = gymnasium.make("faceup.envs:faceup/nimmt-cowheadking-heads-v0", seats=6, opponents="greedy").unwrapped
    assert env.rules.seats == 6
    assert env.reward.name == "heads"


def _rollout(env: Any, seed: int) -> tuple[float, int]:
    """Return the sum of rewards and the number of steps of an episode of lowest legal actions."""
    _, info = env.reset(seed=seed)
    total, steps, over = 0.0, 0, False
    while not over:
        _, gain, over, cut, info = env.step(int(info["action_mask"].argmax()))
        assert not cut
        total, steps = total + gain, steps + 1
    return total, steps


def test_agent_decides_once_a_turn_and_for_each_row() -> None:
    env = single_env("nimmt:cowheadking", seats=4)
    total, steps = _rollout(env, seed=1)
    state: Any = env._state
    assert steps == 10 + sum(turn.row >= 0 and turn.plays[0] == min(turn.plays) for turn in state.log)
    assert total == -state.heads[0]


def test_the_action_space_samples_legal_actions_and_is_that_of_every_seat() -> None:
    env = single_env("nimmt")
    mask = env.reset(seed=1)[1]["action_mask"]
    assert {int(env.action_space.sample(mask)) for _ in range(200)} == {*mask.nonzero()[0].tolist()}
    assert env.action_space == parallel_env("nimmt").action_space("seat_0")


def test_a_bot_plays_the_seat_of_the_learner_from_its_view() -> None:
    env = single_env("nimmt:cowheadking", seats=3, seat=2, opponents="greedy")
    _, info = env.reset(seed=7)
    over = False
    while not over:
        assert env.view.seat == 2
        assert env.view.legal == tuple(info["action_mask"].nonzero()[0])
        _, _, over, _, info = env.step(policy("nimmt", "mc@1")(env.rules, env.view, SeededGenerator(1)))
        assert "replaced" not in info
    assert env.view.legal == ()


def test_opponents_play_from_their_own_views() -> None:
    seen: list[int] = []

    def spy(rules: AnyRules, view: View, rng: Generator) -> int:
        del rules, rng
        assert view.seat is not None
        seen.append(view.seat)
        return view.legal[-1]

    _rollout(single_env("nimmt:cowheadking", seats=3, seat=1, opponents=["greedy", spy]), seed=1)
    assert set(seen) == {2}


def test_the_seed_determines_chance_and_opponents() -> None:
    assert _rollout(single_env("nimmt"), seed=5) == _rollout(single_env("nimmt"), seed=5)
    env = single_env("nimmt")
    assert len({_rollout(env, seed=seed)[0] for seed in range(8)}) > 1


def test_masks_equal_legal_actions_and_are_never_empty() -> None:
    env = single_env("nimmt seats=2")
    _, info = env.reset(seed=1)
    over = False
    while not over:
        assert np.array_equal(info["action_mask"], env.action_masks())
        assert info["action_mask"].nonzero()[0].tolist() == list(env.rules.legal(env._state, 0))
        _, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert info["action_mask"].nonzero()[0].tolist() == [env.wait]
    assert info["scores"].tolist() == list(env.rules.scores(env._state))
    with pytest.raises(Malformed, match="must be reset first, because the episode is over"):
        env.step(0)


def test_an_illegal_action_is_replaced_by_the_lowest_legal_one_and_reported() -> None:
    env = single_env("nimmt seats=2")
    _, info = env.reset(seed=1)
    lowest = int(info["action_mask"].argmax())
    other = int((info["action_mask"] == 0).argmax())
    *_, info = env.step(other)
    assert info["replaced"] == lowest
    assert "scores" not in info
    assert env.step(env.wait)[-1]["replaced"] == int(info["action_mask"].argmax())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 4}, "a seat must be 0 to 3; got 4"),
        ({"opponents": ["random"]}, "there must be 3 opponents, one for each other seat; got 1"),
        ({"opponents": "gready"}, "nimmt has no policy 'gready'; did you mean 'greedy'"),
        ({"reward": "cows"}, "there is no reward 'cows'"),
        ({"render_mode": "png"}, "there is no render mode 'png'"),
    ],
)
def test_invalid_arguments_raise(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        single_env("nimmt", **options)


def test_an_unknown_keyword_raises_type_error_with_the_closest_option() -> None:
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'seat_count'.*6 nimmt! has no such option"):
        single_env("nimmt", seat_count=3)
    with pytest.raises(TypeError, match="did you mean 'seats'"):
        gymnasium.make("faceup/nimmt-cowheadking-heads-v0", seat=1, seatz=3)


def test_infos_have_the_rewards_of_all_seats() -> None:
    env = single_env("nimmt", reward="relative", seat=2)
    info = env.reset(seed=1)[1]
    assert env.state_space.contains(env.state())
    over = False
    while not over:
        _, gain, over, _, info = env.step(int(info["action_mask"].argmax()))
        assert info["seat_rewards"][2] == gain
        assert info["seat_rewards"].sum() == pytest.approx(0)


@pytest.mark.parametrize("seed", [np.int64(3), np.uint8(3)])
def test_seeds_of_numpy_are_the_seeds_that_they_equal(seed: Any) -> None:
    env: Any = gymnasium.make("faceup/nimmt-cowheadking-heads-v0")
    assert np.array_equal(env.unwrapped.reset(seed=seed)[0], env.unwrapped.reset(seed=3)[0])
    for refused in (3.0, True, "3"):
        with pytest.raises(Malformed, match="a seed must be a whole number"):
            env.unwrapped.reset(seed=refused)


def test_options_of_reset_raise() -> None:
    with pytest.raises(Malformed, match=r"reset takes no options: .* got \{'seats': 3\}"):
        single_env("nimmt").reset(seed=1, options={"seats": 3})
    single_env("nimmt").reset(seed=1, options={})


def _played(env: Any, info: dict[str, Any]) -> list[Any]:
    """Return what happens if the lowest legal actions are played to the end."""
    rewards, over = [], False
    while not over:
        observation, gain, over, _, info = env.step(int(info["action_mask"].argmax()))
        rewards.append((observation.tobytes(), gain, str(info)))
    return rewards


@pytest.mark.parametrize("opponents", ["random", ["greedy", "mc@20", "gentle"]])
def test_a_copy_in_the_middle_of_a_game_continues_as_the_original(opponents: Any) -> None:
    env = single_env("nimmt", opponents=opponents, reward="place")
    env.reset(seed=3)
    *_, info = env.step(env.wait)
    copies = [copied(env) for copied in COPIES]
    expected = _played(env, info)
    assert all(_played(copy, info) == expected for copy in copies)


def test_an_environment_with_opponents_in_python_runs_in_subprocesses() -> None:
    def last(rules: AnyRules, view: View, rng: Generator) -> int:
        del rules, rng
        return view.legal[-1]

    name = "faceup.envs:faceup/nimmt-small-heads-v0"
    envs: dict[str, Any] = {mode: gymnasium.make_vec(name, 2, mode, opponents=last) for mode in ("async", "sync")}
    observations = {mode: [env.reset(seed=5)[0]] for mode, env in envs.items()}
    for _ in range(4):
        for mode, env in envs.items():
            observations[mode].append(env.step(np.array([env.single_action_space.n - 1] * 2))[0])
    for env in envs.values():
        env.close()
    assert np.array_equal(observations["async"], observations["sync"])
