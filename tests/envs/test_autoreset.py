"""The three modes in which finished games restart, compared with Gymnasium's own vector environment."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import (
    DictInfoToList,
    FlattenObservation,
    NormalizeObservation,
    NormalizeReward,
    RecordEpisodeStatistics,
    RescaleObservation,
)

from faceup.bots import policy
from faceup.core import Malformed, SeededGenerator
from faceup.envs import parallel_env, single_env, vector_env
from faceup.games.lane_chance import LaneChance

SEED = 21
ANY = SeededGenerator(0)
"""A generator for policies that draw nothing."""


class OneLane(gymnasium.Env[Any, Any]):
    """One lane of a vector environment, by the readable rules: the agent waits while another seat takes a row."""

    def __init__(self, spec: str, lane: int, opponent: str, reward: str) -> None:
        self.env = parallel_env(spec, reward=reward)
        self.lane, self.play = lane, policy(self.env.rules.game, opponent)
        space: Any = self.env.observation_space("seat_0")
        self.observation_space, self.action_space = space["observation"], self.env.action_space("seat_0")

    def _seen(self, observations: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        seen = observations["seat_0"]
        return seen["observation"], {"action_mask": seen["action_mask"]}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        del options
        if seed is not None:
            self.env._chance = LaneChance(self.env.rules, SEED, self.lane)
        return self._seen(self.env.reset()[0])

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        rules, state = self.env.rules, self.env._state
        actions: dict[str, int | None] = {"seat_0": int(action)}
        for seat in range(1, rules.seats):
            acts = seat in rules.to_act(state)
            actions[f"seat_{seat}"] = self.play(rules, rules.view(state, seat), ANY) if acts else self.env.wait
        observations, rewards, ended, cut, infos = self.env.step(actions)
        seen, info = self._seen(observations)
        info["seat_rewards"] = np.array([*rewards.values()], np.float64)
        if ended["seat_0"]:
            info["scores"] = infos["seat_0"]["scores"]
        return seen, rewards["seat_0"], ended["seat_0"], cut["seat_0"], info


def assert_marked_equal(infos: dict[str, Any], expected: dict[str, Any]) -> None:
    """Check that infos have all that Gymnasium's have, wherever Gymnasium's mark it."""
    for name, there in expected.items():
        if name.startswith("_"):
            continue
        marked = expected[f"_{name}"]
        assert (infos[f"_{name}"] >= marked).all(), name
        if isinstance(there, dict):
            assert_marked_equal(infos[name], there)
            continue
        for lane in np.flatnonzero(marked):
            assert np.array_equal(infos[name][lane], there[lane]), name
    for name in ("scores", "final_obs", "final_info"):
        assert (name in infos) == (name in expected)
        if name in expected:
            assert np.array_equal(infos[f"_{name}"], expected[f"_{name}"])


@pytest.mark.sample(2)
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("spec", "opponent", "reward"),
    [
        ("nimmt:cowheadking seats=3 hand=3", "greedy", "heads"),
        ("nimmt:classic seats=2 target=10", "lowest", "place"),
        ("niuniu:battle seats=2 throws=2", "random", "win"),
        ("war per_suit=3 cap=9", "random", "relative"),
    ],
)
def test_every_mode_is_that_of_gymnasium(spec: str, opponent: str, reward: str, mode: AutoresetMode) -> None:
    lanes = 5

    def lane(number: int) -> Callable[[], Any]:
        return lambda: OneLane(spec, number, opponent, reward)

    gym = SyncVectorEnv([lane(number) for number in range(lanes)], autoreset_mode=mode)
    env = vector_env(spec, num_envs=lanes, opponents=opponent, reward=reward, autoreset_mode=mode)
    assert env.autoreset_mode is env.metadata["autoreset_mode"] is mode
    seen, infos = env.reset(seed=SEED)
    expected_seen, expected_infos = gym.reset(seed=SEED)
    rng, endings = np.random.default_rng(1), 0
    for _ in range(70):
        assert np.array_equal(seen, expected_seen)
        assert seen.dtype == expected_seen.dtype
        assert_marked_equal(infos, expected_infos)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        seen, rewards, ended, cut, infos = env.step(actions)
        expected_seen, expected_rewards, expected_ended, expected_cut, expected_infos = gym.step(actions)
        assert np.array_equal(rewards, expected_rewards)
        assert np.array_equal(ended, expected_ended)
        assert np.array_equal(cut, expected_cut)
        endings += int(ended.sum())
        if mode is AutoresetMode.DISABLED and ended.any():
            assert np.array_equal(seen, expected_seen)
            assert_marked_equal(infos, expected_infos)
            ended[rng.integers(lanes)] = True  # perhaps in the middle of a game
            options = {"reset_mask": ended}
            seen, infos = env.reset(options=options)
            assert options == {"reset_mask": ended}
            expected_seen, expected_infos = gym.reset(options={"reset_mask": ended})
            assert np.array_equal(infos["_action_mask"], expected_infos["_action_mask"])
    assert endings > lanes


def test_our_single_environment_in_gymnasium_is_our_vector_environment() -> None:
    gym = SyncVectorEnv([lambda: single_env("war per_suit=3 cap=9")], autoreset_mode=AutoresetMode.NEXT_STEP)
    env = vector_env("war per_suit=3 cap=9", num_envs=1, autoreset_mode="NextStep")
    results = [env.reset(seed=4), gym.reset(seed=4)]
    assert np.array_equal(results[0][0], results[1][0])
    for _ in range(40):
        result: Any = env.step(np.zeros(1, np.int64))
        expected: Any = gym.step(np.zeros(1, np.int64))
        for number in range(4):
            assert np.array_equal(result[number], expected[number])
        assert_marked_equal(result[4], expected[4])


def test_next_step_ignores_actions_of_games_that_restart() -> None:
    env = vector_env("niuniu:battle throws=1", num_envs=2, autoreset_mode=AutoresetMode.NEXT_STEP, illegal="raise")
    env.reset(seed=1)
    assert env.step(np.zeros(2, np.int64))[2].all()
    _, rewards, ended, _, infos = env.step(np.array([999, -7]))
    assert not ended.any()
    assert not rewards.any()
    assert "replaced" not in infos
    assert infos["action_mask"][:, 0].all()


def test_without_restarts_a_finished_game_must_be_reset() -> None:
    env = vector_env("niuniu:battle throws=1", num_envs=2, autoreset_mode="Disabled")
    env.reset(seed=1)
    env.step(np.zeros(2, np.int64))
    with pytest.raises(Malformed, match="2 games ended, such as game 0: reset them with the option reset_mask"):
        env.step(np.zeros(2, np.int64))
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(Malformed, match="1 game ended, such as game 1"):
        env.step(np.zeros(2, np.int64))
    env.reset(options={"reset_mask": np.array([False, True])})
    env.step(np.zeros(2, np.int64))
    env.reset()
    env.step(np.zeros(2, np.int64))


@pytest.mark.parametrize(
    ("options", "seed", "message"),
    [
        ({"reset_mask": [True, False]}, None, r"reset_mask must be bool \[2\]; got list"),
        ({"reset_mask": np.array([1, 0])}, None, r"reset_mask must be bool \[2\]; got int64 \[2\]"),
        ({"reset_mask": np.ones(3, np.bool_)}, None, r"reset_mask must be bool \[2\]; got bool \[3\]"),
        ({"reset_mask": np.zeros(2, np.bool_)}, None, "reset_mask must mark one game or more"),
        ({"reset_mask": np.ones(2, np.bool_)}, 3, "a seed restarts all games: give it without reset_mask"),
        ({"reset_mask": np.ones(2, np.bool_), "seats": 2}, None, "reset takes no options"),
    ],
)
def test_an_invalid_mask_raises_and_changes_nothing(options: dict[str, Any], seed: int | None, message: str) -> None:
    env = vector_env("nimmt", num_envs=2)
    seen, _ = env.reset(seed=1)
    with pytest.raises(Malformed, match=message):
        env.reset(seed=seed, options=options)
    assert np.array_equal(env.reset(seed=1)[0], seen)


def test_a_mask_before_the_first_reset_raises() -> None:
    env = vector_env("nimmt", num_envs=2)
    with pytest.raises(Malformed, match="the environment must be reset first"):
        env.reset(options={"reset_mask": np.ones(2, np.bool_)})


def test_an_unknown_mode_raises() -> None:
    with pytest.raises(Malformed, match="there is no autoreset mode 'Never'; there are: 'NextStep', 'SameStep', 'Disa"):
        vector_env("nimmt", num_envs=2, autoreset_mode="Never")


@pytest.mark.parametrize(
    "wrap",
    [NormalizeObservation, NormalizeReward, RecordEpisodeStatistics, FlattenObservation],
)
def test_vector_wrappers_of_gymnasium_accept_the_environment(wrap: Callable[[Any], Any]) -> None:
    env: Any = wrap(vector_env("nimmt hand=2", num_envs=3, autoreset_mode=AutoresetMode.NEXT_STEP))
    infos = env.reset(seed=1)[1]
    for _ in range(9):
        infos = env.step(infos["action_mask"].argmax(axis=1))[-1]


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_lists_of_infos_have_the_infos_of_every_game(mode: AutoresetMode) -> None:
    env: Any = DictInfoToList(vector_env("nimmt hand=2", num_envs=3, autoreset_mode=mode))
    _, infos = env.reset(seed=1)
    assert all(info["action_mask"].any() for info in infos)
    for _ in range(9):
        *_, infos = env.step(np.array([info["action_mask"].argmax() for info in infos]))


def test_made_by_name_in_another_mode() -> None:
    env = gymnasium.make_vec(
        "faceup/niuniu-battle-throws-v0", num_envs=2, autoreset_mode=AutoresetMode.NEXT_STEP, seats=2
    )
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    RescaleObservation(env, np.float32(0), np.float32(1))
