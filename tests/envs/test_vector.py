from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from faceup.bots import policy
from faceup.core import CHANCE, AnyRules, Malformed, SeededGenerator, State, draw
from faceup.envs import Pool, vector_env
from faceup.envs.observation import observer
from faceup.games.nimmt.state import Deal

LANES = 6
SEED = 11


class Replay:
    """A game of the batch under the readable rules, with the engine's deals, or the dice and cards of the lane."""

    def __init__(self, env: Any, lane: int) -> None:
        self.env, self.lane, self.rng = env, lane, SeededGenerator(SEED, lane)
        self.rules: AnyRules = env.rules
        self.start()

    def start(self) -> None:
        self.state = self.apply_chance(self.rules.start())

    def apply_chance(self, state: State) -> State:
        while self.rules.to_act(state) == (CHANCE,):
            if self.rules.game == "nimmt":
                outcome: Any = Deal(tuple(self.env._adapter.engine._arrays["dealt"][self.lane].tolist()))
            else:
                outcome = draw(self.rules, state, self.rng)
            state = self.rules.apply(state, outcome).state
        return state

    def check_policy(self, seat: int, name: str, action: int) -> None:
        """Check that the action is the choice of the policy."""
        if name != "random":
            view = self.rules.view(self.state, seat)
            assert policy(self.rules.game, name)(self.rules, view, SeededGenerator(0)) == action


def spied(env: Any) -> list[np.ndarray[Any, Any]]:
    """Return a list that receives the moves of every step."""
    chosen: list[np.ndarray[Any, Any]] = []
    step = env._adapter.step

    def spy(moves: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        chosen.append(moves.copy())
        ended: np.ndarray[Any, Any] = step(moves)
        return ended

    env._adapter.step = spy
    return chosen


@pytest.mark.parametrize(
    ("spec", "seat", "opponents", "reward", "encoding"),
    [
        ("nimmt:cowheadking seats=4", 1, ["greedy", "lowest", "highest"], "heads", "scalars"),
        ("nimmt:classic seats=3", 0, "random", "relative", "planes"),
        ("nimmt:cowheadking seats=2 cards=12 rows=2 capacity=3 hand=3", 1, "greedy", "place", "ids"),
        ("nimmt:tactical seats=10", None, None, "win", "ids-padded"),
        ("nimmt:arena deals=2", None, None, "place", "planes"),
        ("nimmt:onehundredandfour seats=5 rows=6", None, None, "relative", "scalars"),
        ("nimmt:cowheadking seats=2 hand=2", 0, "mc@2", "win", "ids"),
        ("niuniu:battle seats=3 throws=2", 2, "random", "win", "scalars"),
        ("niuniu:battle seats=1", 0, "random", "throws", "scalars"),
        ("niuniu:battle seats=3 throws=4", None, None, "place", "scalars"),
        ("war:standard cap=40 reshuffle=15 collect=shuffled", 1, "random", "cards", "scalars"),
        ("war per_suit=3 suits=2 cap=12 reshuffle=4 sudden_death=true", None, None, "place", "scalars"),
    ],
)
def test_every_game_of_a_batch_equals_the_scalar_rules(
    spec: str, seat: int | None, opponents: Any, reward: str, encoding: str
) -> None:
    chosen_seat = {"agents": "all"} if seat is None else {"seat": seat, "opponents": opponents}
    env: Any = vector_env(spec, num_envs=LANES, reward=reward, encoding=encoding, **chosen_seat)
    rules, watching, chooser = env.rules, observer(env.rules, encoding), np.random.default_rng(1)
    agents = [*range(rules.seats)] if seat is None else [seat]
    names = [opponents] * rules.seats if isinstance(opponents, str) else [*(opponents or [])]
    names[seat or 0 : seat or 0] = [""]
    shape = (LANES, len(agents))
    seen, infos = env.reset(seed=SEED)
    chosen = spied(env)
    games = [Replay(env, lane) for lane in range(LANES)]
    endings = 0
    for _ in range(90):
        masks = infos["action_mask"].reshape(*shape, -1)
        assert masks.dtype == np.int8
        for game, sights, rows in zip(games, seen.reshape(*shape, -1), masks, strict=True):
            for agent, sight, mask in zip(agents, sights, rows, strict=True):
                assert np.array_equal(sight, watching.seat(game.state, agent))
                assert mask.nonzero()[0].tolist() == list(rules.legal(game.state, agent) or (env.wait,))
        actions = env.sample_legal(chooser)
        assert np.take_along_axis(masks, actions.reshape(*shape, 1), 2).all()
        seen, rewards, ended, cut, infos = env.step(actions)
        assert not cut.any()
        assert "replaced" not in infos
        for lane, game in enumerate(games):
            move = {other: int(chosen[-1][lane, other]) for other in rules.to_act(game.state)}
            for other, action in move.items():
                if other in agents:
                    assert action == actions.reshape(shape)[lane, agents.index(other)]
                elif names[other] in {"greedy", "lowest", "highest"}:
                    game.check_policy(other, names[other], action)
            before, after = game.state, rules.apply(game.state, move).state
            after = game.apply_chance(after)
            gained = env.reward.between(before, after)
            assert rewards.reshape(shape)[lane].tolist() == [gained[agent] for agent in agents]
            assert ended[lane] == (not rules.to_act(after))
            game.state = after
            if ended[lane]:
                endings += 1
                assert infos["_final_obs"][lane]
                for agent, sight in zip(agents, infos["final_obs"].reshape(*shape, -1)[lane], strict=True):
                    assert np.array_equal(sight, watching.seat(after, agent))
                assert tuple(infos["final_info"]["scores"][lane]) == rules.scores(after)
                game.start()
    assert endings


def test_vector_environment_follows_the_gymnasium_interface() -> None:
    env = vector_env("nimmt", num_envs=3)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert env.observation_space == batch_space(env.single_observation_space, 3)
    assert env.action_space == batch_space(env.single_action_space, 3)
    seen, infos = env.reset(seed=1)
    for _ in range(40):
        assert env.observation_space.contains(seen)
        assert infos["action_mask"].any(axis=1).all()
        seen, rewards, ended, cut, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert rewards.shape == ended.shape == cut.shape == (3,)
        assert {str(ended.dtype), str(cut.dtype)} == {"bool"}
    env.close()


def test_vector_environment_is_registered_by_name() -> None:
    env: Any = gymnasium.make_vec(
        "faceup/nimmt-cowheadking-relative-v0",
        num_envs=2,
        vectorization_mode=gymnasium.VectorizeMode.VECTOR_ENTRY_POINT,
        seats=3,
        opponents="lowest",
    )
    assert env.unwrapped.reward.name == "relative"
    assert env.reset(seed=1)[0].shape == (2, 286)


def test_returned_arrays_do_not_change_with_the_next_step() -> None:
    env = vector_env("nimmt", num_envs=4)
    seen, infos = env.reset(seed=1)
    kept, mask = seen.copy(), infos["action_mask"].copy()
    env.step(mask.argmax(axis=1))
    assert np.array_equal(seen, kept)
    assert np.array_equal(infos["action_mask"], mask)


def test_the_seed_determines_chance_and_opponents() -> None:
    def played(seed: int) -> list[bytes]:
        env = vector_env("nimmt", num_envs=5)
        found = []
        _, infos = env.reset(seed=seed)
        for _ in range(30):
            seen, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
            found.append(seen.tobytes())
        return found

    assert played(3) == played(3) != played(4)


def test_an_illegal_action_is_replaced_by_the_lowest_legal_one_and_reported() -> None:
    env = vector_env("nimmt", num_envs=2)
    mask = env.reset(seed=1)[1]["action_mask"]
    infos = env.step(np.array([mask[0].argmax(), (mask[1] == 0).argmax()]))[-1]
    assert infos["_replaced"].tolist() == [False, True]
    assert infos["replaced"][1] == mask[1].argmax()


@pytest.mark.parametrize(
    ("spec", "options", "message"),
    [
        ("nimmt", {"seat": 4}, "a seat must be 0 to 3; got 4"),
        ("nimmt", {"num_envs": 0}, "lanes must be an integer from 1 to"),
        ("nimmt", {"opponents": ["random"]}, "there must be 3 opponents, one for each other seat; got 1"),
        ("nimmt", {"opponents": "gready"}, "nimmt has no policy 'gready'; did you mean 'greedy'"),
        ("nimmt", {"opponents": Pool()}, "a pool must have at least one opponent"),
        ("nimmt", {"opponents": 7}, "an opponent must be the name of a bot, a function or a Pool; got 7"),
        ("nimmt", {"encoding": "plane"}, "nimmt has no encoding 'plane'; did you mean 'planes'"),
        ("war", {"encoding": "ids"}, "war has no encoding 'ids'"),
        ("nimmt", {"agents": "every"}, 'agents must be "one" or "all"; got \'every\''),
        ("nimmt", {"agents": "all", "opponents": "greedy"}, "with all seats as agents, there is neither"),
        ("nimmt", {"agents": "all", "seat": 1}, "with all seats as agents, there is neither"),
        ("nimmt", {"render_mode": "human"}, "there is no render mode 'human'; there are: ansi, svg, rgb_array"),
        ("nimmt", {"reward": "cows"}, "there is no reward 'cows'"),
        ("war", {"opponents": "greedy"}, "War has no bot 'greedy'"),
        ("highcard", {}, "High Card has no"),
    ],
)
def test_invalid_arguments_raise(spec: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        vector_env(spec, **{"num_envs": 2, **options})


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (np.zeros(3, np.int64), r"actions must be 2 whole numbers; got int64 \[3\]"),
        (np.zeros(2), r"actions must be 2 whole numbers; got float64 \[2\]"),
        (np.array([0, 109]), "the action in game 1 must be 0 to 108; got 109"),
        (np.array([-1, 0]), "the action in game 0 must be 0 to 108; got -1"),
    ],
)
def test_invalid_actions_raise_before_anything_is_played(actions: Any, message: str) -> None:
    env = vector_env("nimmt", num_envs=2)
    with pytest.raises(Malformed, match="the environment must be reset first"):
        env.step(actions)
    infos = env.reset(seed=1)[1]
    with pytest.raises(Malformed, match=message):
        env.step(actions)
    assert not env.step(infos["action_mask"].argmax(axis=1))[-1].get("_replaced", np.zeros(2)).any()
