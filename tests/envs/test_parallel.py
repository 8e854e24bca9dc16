import types
from typing import Any

import numpy as np
import pytest
from tests.envs.helpers import COPIES, EVERY, SHORT, SMALL
from tests.envs.pettingzoo_checks import pettingzoo_tests

from faceup.core import Malformed
from faceup.envs import aec_env, parallel_env, single_env
from faceup.envs.parallel import AllSeatsEnv

# PettingZoo would have a plain array of each agent; with masks, its own games too give a dictionary, and it knows them
# by their names.
DICTIONARY = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent probably should be"
)


def _both(spec: str) -> tuple[Any, Any]:
    return (lambda **options: parallel_env(spec, **options)), (lambda **options: aec_env(spec, **options))


@pytest.mark.sample(1)
@DICTIONARY
@pytest.mark.parametrize("spec", SMALL)
def test_pettingzoo_tests_pass_for_small_games(spec: str) -> None:
    _every_test(spec, cycles=30)


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("encoding", ["scalars", "ids"])
def test_with_masks_in_the_infos_observations_are_plain_arrays(spec: str, encoding: str) -> None:
    """PettingZoo's tests warn of dictionaries, which wrappers such as SuperSuit's refuse."""
    if encoding == "ids" and "nimmt" not in spec:
        encoding = "scalars"

    def parallel() -> Any:
        return parallel_env(spec, masks="info", encoding=encoding)

    pettingzoo_tests.parallel_api_test(parallel(), num_cycles=30)
    pettingzoo_tests.api_test(aec_env(spec, masks="info", encoding=encoding), num_cycles=30)
    env, with_masks = parallel(), parallel_env(spec, encoding=encoding)
    observations, infos = env.reset(seed=2)
    expected: Any = with_masks.reset(seed=2)[0]
    while env.agents:
        for agent, seen in observations.items():
            assert env.observation_space(agent).contains(seen)
            assert np.array_equal(seen, expected[agent]["observation"])
            assert np.array_equal(infos[agent]["action_mask"], expected[agent]["action_mask"])
        actions: dict[str, int | None] = {agent: int(info["action_mask"].argmax()) for agent, info in infos.items()}
        observations, *_, infos = env.step(actions)
        expected = with_masks.step(actions)[0]
    assert all(info["action_mask"][env.wait] for info in infos.values())


def test_masks_are_in_one_of_two_places() -> None:
    with pytest.raises(Malformed, match='masks must be "observation" or "info"; got \'infos\''):
        parallel_env("nimmt", masks="infos")  # type: ignore[arg-type]  # the error that is tested


@pytest.mark.sample(1)
@DICTIONARY
@pytest.mark.slow
@pytest.mark.parametrize("spec", [*EVERY, *SHORT])
def test_pettingzoo_tests_pass_for_every_game(spec: str) -> None:
    _every_test(spec, cycles=20)


def _every_test(spec: str, cycles: int) -> None:
    parallel, aec = _both(spec)
    pettingzoo_tests.api_test(aec(), num_cycles=cycles)
    pettingzoo_tests.parallel_api_test(parallel(), num_cycles=cycles)
    pettingzoo_tests.seed_test(aec, num_cycles=cycles)
    pettingzoo_tests.parallel_seed_test(parallel, num_cycles=cycles)
    pettingzoo_tests.state_test(aec(), parallel())
    if "seats=1" not in spec:  # for a single agent it would have no cycle
        pettingzoo_tests.render_test(aec)


@pytest.mark.parametrize("spec", ["nimmt", "war"])
def test_episode_is_truncated_after_max_cycles(spec: str) -> None:
    parallel, aec = _both(spec)
    pettingzoo_tests.max_cycles_test(types.SimpleNamespace(parallel_env=parallel, env=aec))


def _started(spec: str, **options: Any) -> tuple[AllSeatsEnv, dict[str, Any]]:
    env = parallel_env(spec, **options)
    return env, env.reset(seed=1)[0]


def test_inactive_seat_can_only_wait_and_no_mask_is_empty() -> None:
    env, seen = _started("nimmt seats=3")
    waited = False
    while env.agents:
        masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
        asked = env.rules.to_act(env._state)
        for seat, mask in enumerate(masks.values()):
            legal = list(env.rules.legal(env._state, seat)) if seat in asked else [env.wait]
            assert mask.nonzero()[0].tolist() == legal
        waited |= len(asked) < 3
        seen, _, over, _, _ = env.step({agent: int(mask.argmax()) for agent, mask in masks.items()})
    assert waited
    assert all(over.values())
    assert all(sight["action_mask"].nonzero()[0].tolist() == [env.wait] for sight in seen.values())
    assert env.step({}) == ({}, {}, {}, {}, {})


def test_an_illegal_action_is_replaced_by_the_lowest_legal_one_and_reported() -> None:
    env, seen = _started("nimmt seats=2")
    lowest = [int(seen[agent]["action_mask"].argmax()) for agent in env.agents]
    _, _, _, _, infos = env.step({"seat_0": env.wait, "seat_1": lowest[1]})
    assert infos == {"seat_0": {"replaced": lowest[0]}, "seat_1": {}}
    assert [card - 1 for card in env.rules.view(env._state, None).log[0].plays] == lowest


@pytest.mark.parametrize("action", [-1, 109, 3.5, None, "play 7", True, np.bool_(True)])
def test_an_action_outside_its_space_raises_and_changes_nothing(action: Any) -> None:
    env, _ = _started("nimmt seats=2")
    before = env.state()
    with pytest.raises(Malformed, match=r"the action of seat_1 must be (0 to 108|a whole number); got"):
        env.step({"seat_0": 0, "seat_1": action})
    assert np.array_equal(env.state(), before)


@pytest.mark.parametrize("actions", [None, [0, 0], 0])
def test_actions_that_are_no_dictionary_raise(actions: Any) -> None:
    env, _ = _started("nimmt seats=2")
    with pytest.raises(Malformed, match="actions must be a dictionary with the agents as keys; got"):
        env.step(actions)


def test_after_an_episode_nothing_is_left_to_see_in_turns() -> None:
    env: Any = aec_env("niuniu:battle throws=1")
    env.reset(seed=1)
    for agent in env.agent_iter():
        env.step(None if env.terminations[agent] else 0)
    with pytest.raises(Malformed, match="the environment must be reset first, because the episode is over"):
        env.last()


def test_a_missing_action_raises_with_its_agent() -> None:
    env, _ = _started("nimmt seats=2")
    with pytest.raises(Malformed, match="the action of seat_1 is missing"):
        env.step({"seat_0": 0})


def test_a_seed_determines_its_episode_and_later_ones() -> None:
    env, other = parallel_env("nimmt seats=2"), parallel_env("nimmt seats=2")
    first = [env.reset(seed=3)[0]["seat_0"]["observation"], env.reset()[0]["seat_0"]["observation"]]
    again = [other.reset(seed=3)[0]["seat_0"]["observation"], other.reset()[0]["seat_0"]["observation"]]
    assert np.array_equal(first, again)
    assert not np.array_equal(first[0], first[1])
    fresh = parallel_env("nimmt seats=2").reset()[0]["seat_0"]["observation"]
    assert not np.array_equal(fresh, parallel_env("nimmt seats=2").reset()[0]["seat_0"]["observation"])


def test_aec_agents_do_not_see_choices_before_the_reveal() -> None:
    env: Any = aec_env("nimmt seats=3")
    env.reset(seed=1)
    before = [env.observe(agent)["observation"].copy() for agent in env.possible_agents]
    for agent in env.possible_agents[:-1]:
        env.step(int(env.observe(agent)["action_mask"].argmax()))
        assert np.array_equal([env.observe(agent)["observation"] for agent in env.possible_agents], before)


def test_name_contains_game_variant_reward_and_version() -> None:
    assert str(parallel_env("nimmt:classic", reward="place")) == "faceup/nimmt-classic-place-v0"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reward": "cows"}, "there is no reward 'cows'"),
        ({"max_cycles": 0}, "max_cycles must be 1 to"),
        ({"render_mode": "png"}, "there is no render mode 'png'"),
        ({"seats": 11}, "nimmt must have 2 to 10 seats; got 11"),
    ],
)
def test_invalid_arguments_raise(options: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        parallel_env("nimmt", **options)


@pytest.mark.parametrize("make_env", [parallel_env, aec_env])
def test_an_unknown_keyword_raises_type_error(make_env: Any) -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour': 6 nimmt! has no such option"):
        make_env("nimmt", colour=3)


def test_options_of_reset_raise() -> None:
    for env in (parallel_env("nimmt"), aec_env("nimmt")):
        with pytest.raises(Malformed, match=r"reset takes no options: .* got \{'hand': 5\}"):
            env.reset(seed=1, options={"hand": 5})


def test_last_infos_hold_the_scores_of_all_seats() -> None:
    for cycles in (None, 3):
        env, seen = _started("nimmt seats=3", max_cycles=cycles)
        while env.agents:
            seen, _, _, _, infos = env.step({agent: int(view["action_mask"].argmax()) for agent, view in seen.items()})
            assert all(("scores" in info) == (not env.agents) for info in infos.values())
        assert all(tuple(info["scores"]) == env.rules.scores(env._state) for info in infos.values())


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("make_env", [parallel_env, aec_env])
def test_a_copy_in_the_middle_of_a_game_continues_as_the_original(make_env: Any, copied: Any) -> None:
    env = make_env("nimmt seats=2", reward="relative", max_cycles=30)
    other = copied(env)
    for environment in (env, other):
        environment.reset(seed=3)
    assert _state(copied(env)) == _state(env) == _state(other)
    third = copied(env)
    for environment in (env, third):
        _play_lowest(environment)
        environment.reset()
    assert _state(env) == _state(third)


def _state(env: Any) -> list[float]:
    state: list[float] = env.state().tolist()
    return state


def _play_lowest(env: Any) -> None:
    """Play one decision of each seat."""
    if hasattr(env, "agent_selection"):
        for _ in range(2):
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    else:
        env.step(dict.fromkeys(env.agents, 0))


def test_the_action_space_samples_legal_actions() -> None:
    env, seen = _started("nimmt seats=2")
    mask = seen["seat_1"]["action_mask"]
    assert mask[env.action_space("seat_1").sample(mask)] == 1


def test_a_seed_out_of_range_raises() -> None:
    with pytest.raises(Malformed, match=r"a seed must be 0 to 2\*\*64 - 1; got -1"):
        parallel_env("nimmt").reset(seed=-1)


@pytest.mark.parametrize("encoding", ["planes", "ids", "ids-padded"])
def test_every_environment_observes_in_the_encoding(encoding: str) -> None:
    options: dict[str, Any] = {"seats": 3, "encoding": encoding}  # Any: keyword arguments of several types
    env = parallel_env("nimmt:cowheadking", **options)
    observations, _ = env.reset(seed=7)
    for seat, agent in enumerate(env.agents):
        assert env.observation_space(agent).contains(observations[agent])
        single, _ = single_env("nimmt:cowheadking", seat=seat, **options).reset(seed=7)
        assert np.array_equal(observations[agent]["observation"], single)
    assert env.state_space.contains(env.state())
    assert all(np.array_equal(copied(env).state(), env.state()) for copied in COPIES)
