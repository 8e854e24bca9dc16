import pickle
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from tests.envs.helpers import walk
from tests.variants import marked

from faceup.bots import policy
from faceup.core import CHANCE, FORFEIT, AnyRules, Malformed, SeededGenerator, State, draw, find_game, make
from faceup.envs import Pool, encoding_names, observe, vector_env
from faceup.envs.observation import observer
from faceup.games.batch_engines import load_batch_engine
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


@pytest.mark.sample(1)
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


@pytest.mark.parametrize(
    ("options", "shape"), [({}, (3,)), ({"agents": "all", "seats": 3, "encoding": "ids-padded"}, (3, 3))]
)
def test_vector_environment_follows_the_gymnasium_interface(options: dict[str, Any], shape: tuple[int, ...]) -> None:
    env = vector_env("nimmt", num_envs=3, **options)
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    assert env.observation_space == batch_space(env.single_observation_space, 3)
    assert env.action_space == batch_space(env.single_action_space, 3)
    env.action_space.seed(1)
    env.single_action_space.seed(1)
    seen, infos = env.reset(seed=1)
    for _ in range(40):
        assert env.observation_space.contains(seen)
        masks = infos["action_mask"]
        assert masks.any(axis=-1).all()
        space = env.single_action_space
        if len(shape) == 1:
            actions = env.action_space.sample(mask=tuple(masks))
        else:  # Gymnasium has no masks for the batched space of a MultiDiscrete
            actions = np.stack([space.sample(mask=tuple(game)) for game in masks])
        assert env.action_space.contains(actions)
        seen, rewards, ended, cut, infos = env.step(actions)
        assert "replaced" not in infos
        assert rewards.shape == shape
        assert ended.shape == cut.shape == (3,)
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
        results = []
        _, infos = env.reset(seed=seed)
        for _ in range(30):
            seen, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
            results.append(seen.tobytes())
        return results

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
        ("nimmt", {"num_envs": 0}, "num_envs must be 1 to"),
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
        (np.array([0, 2**63], np.uint64), "the action in game 1 must be 0 to 108; got 9223372036854775808"),
        ([[0], [0, 1]], r"actions must be 2 whole numbers; got object \[2\]"),
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


@pytest.mark.parametrize("spec", marked({"nimmt"}, quick=["nimmt:tactical seats=2", "nimmt:arena seats=4"]))
def test_batch_writes_every_encoding_of_every_seat_as_views_have_it(spec: str) -> None:
    env: Any = vector_env(spec, num_envs=3, agents="all")
    rules = env.rules
    lanes, slots = np.array([2, 0], np.uint64), np.array([1, 0], np.uint64)
    everyone = np.arange(rules.seats, dtype=np.uint64)
    env.reset(seed=4)
    for _ in range(12):
        env.step(env.sample_legal())
        states = [env._adapter.state(lane) for lane in (0, 2)]
        for encoding in encoding_names(rules):
            watching = observer(rules, encoding)
            written = np.full((2, rules.seats, watching.size), 77, watching.dtype)
            env._adapter.write(encoding, everyone, lanes, slots, written)
            for state, seen in zip(states, written, strict=True):
                expected = [observe(rules, rules.view(state, seat), encoding) for seat in range(rules.seats)]
                assert np.array_equal(seen, expected)


def test_batch_writes_seats_that_are_out_as_views_have_them() -> None:
    rules: Any = make("nimmt:arena")
    state = walk(rules, seed=2, most=5)[-1]
    assert not state.waiting  # type: ignore[attr-defined]  # a state of 6 nimmt!
    state = rules.apply(state, {0: state.hands[0][0] - 1, 1: FORFEIT, 2: state.hands[2][0] - 1, 3: FORFEIT}).state  # type: ignore[attr-defined]
    batch = load_batch_engine(find_game("nimmt"))
    adapter = batch.EnvAdapter(batch.from_states(rules, [state], seed=1))
    state = adapter.state(0)
    for encoding in encoding_names(rules):
        watching = observer(rules, encoding)
        written = np.empty((1, 4, watching.size), watching.dtype)
        adapter.write(encoding, np.arange(4, dtype=np.uint64), *[np.zeros(1, np.uint64)] * 2, written)
        hidden = ["opening"]  # a state that is put into a lane has no history
        for part in watching.parts:
            if part.piece.name not in hidden:
                expected = [observe(rules, rules.view(state, seat), encoding)[part.at] for seat in range(4)]
                assert np.array_equal(written[0, :, part.at], expected), part.piece.name


def test_opponents_can_be_functions_that_see_only_their_own_seats() -> None:
    calls: list[tuple[int, ...]] = []

    def highest(observations: Any, masks: Any) -> Any:
        calls.append(observations.shape)
        held = observations[:, 104:114]
        assert ((held > 0).sum(axis=1) == masks[:, :104].sum(axis=1)).all() or masks[:, 104:].any()
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env: Any = vector_env("nimmt", num_envs=5, seat=1, opponents=[highest, "greedy", highest], encoding="ids")
    env.reset(seed=3)
    chosen = spied(env)
    for _ in range(12):
        states = [env._adapter.state(lane) for lane in range(5)]
        env.step(env.sample_legal())
        for lane, state in enumerate(states):
            for seat in (0, 3):
                legal = env.rules.legal(state, seat)
                assert chosen[-1][lane, seat] == (legal[-1] if legal else -1)
    assert set(calls) == {(10, 221)}


def test_opponent_function_may_have_an_encoding_of_its_own() -> None:
    class Network:
        encoding = "planes"

        def __call__(self, observations: Any, masks: Any) -> Any:
            assert observations.shape[1] == observer(env.rules, "planes").size
            return masks.argmax(axis=1)

    env: Any = vector_env("nimmt", num_envs=2, opponents=Network())
    env.reset(seed=3)
    env.step(env.sample_legal())


def test_each_game_draws_an_opponent_of_the_pool_when_it_starts() -> None:
    def lowest(observations: Any, masks: Any) -> Any:
        del observations
        return masks.argmax(axis=1)

    pool = Pool(["highest", lowest])
    env: Any = vector_env("nimmt:cowheadking seats=3", num_envs=40, opponents=pool)
    env.reset(seed=3)
    chosen = spied(env)
    styles: list[set[int]] = [set() for _ in range(40)]
    games: list[list[set[int]]] = [[] for _ in range(40)]
    for _ in range(45):
        states = [env._adapter.state(lane) for lane in range(40)]
        ended = env.step(env.sample_legal())[2]
        for lane, state in enumerate(states):
            if state.hands[1] and not state.waiting and len(state.hands[1]) > 1:
                for seat in (1, 2):
                    styles[lane].add([state.hands[seat][0], state.hands[seat][-1]].index(chosen[-1][lane, seat] + 1))
            if ended[lane]:
                games[lane].append(styles[lane])
                styles[lane] = set()
    drawn = [style for lane in games for style in lane]
    assert len(drawn) > 80
    assert {tuple(style) for style in drawn} == {(0,), (1,)}
    assert 0.3 < sum(style == {0} for style in drawn) / len(drawn) < 0.7
    pool[:] = ["lowest"]
    for _ in range(21):
        env.step(env.sample_legal())
    assert (env._opponents.policies[:, 1:] == 1).all()  # the number of `lowest`


@pytest.mark.parametrize("mode", ["SameStep", "NextStep"])
def test_infos_name_the_member_of_the_pool_that_plays(mode: str) -> None:
    class Network:
        """An opponent that numpy would take for a sequence."""

        def __len__(self) -> int:
            return 3

        def __getitem__(self, place: int) -> int:
            return [1, 2, 3][place]

        def __call__(self, observations: Any, masks: Any) -> Any:
            del observations
            return masks.argmax(axis=1)

    network = Network()
    env: Any = vector_env(
        "nimmt hand=1 seats=3", num_envs=40, opponents=["greedy", Pool(["highest", network])], autoreset_mode=mode
    )
    infos = env.reset(seed=3)[1]
    seen: list[Any] = []
    for _ in range(12):
        before = infos["opponents"].copy()
        assert infos["_opponents"].all()
        assert (before[:, 0] == "greedy").all()
        assert (
            env._opponents.policies[:, 2]
            == [env._opponents._kernels.get(m, 255) if m == "highest" else 255 for m in before[:, 1]]
        ).all()
        *_, ended, _, infos = env.step(env.sample_legal())
        if mode == "SameStep" and ended.any():
            final = infos["final_info"]
            assert (final["opponents"][ended] == before[ended]).all()
            assert np.array_equal(final["_opponents"], ended)
        seen += infos["opponents"][ended, 1].tolist()
    assert {type(member) for member in seen} == {str, Network}
    assert "opponents" not in vector_env("nimmt", num_envs=2, opponents="greedy").reset(seed=1)[1]


@pytest.mark.parametrize("encoding", ["scalars", "planes", "ids"])
@pytest.mark.parametrize("agents", ["one", "all"])
def test_full_states_and_rewards_of_all_seats_are_those_of_the_readable_rules(encoding: str, agents: Any) -> None:
    env: Any = vector_env("nimmt:tactical seats=3", num_envs=3, agents=agents, encoding=encoding, reward="relative")
    env.reset(seed=6)
    for _ in range(25):
        before = [env._adapter.state(lane) for lane in range(3)]
        _, rewards, ended, _, infos = env.step(env.sample_legal())
        states = env.state()
        assert states.shape == (3, *env.state_space.shape)
        everyone = rewards if agents == "all" else infos["seat_rewards"]
        for lane in range(3):
            after = env._adapter.state(lane)
            assert np.array_equal(states[lane], observer(env.rules, encoding).state(after))
            assert env.state_space.contains(states[lane])
            if not ended[lane]:
                assert everyone[lane].tolist() == [*env.reward.between(before[lane], after)]
        if agents == "one":
            assert np.array_equal(rewards, everyone[:, 0])


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (np.zeros(3, np.int64), r"an opponent must return 6 whole numbers; got int64 \[3\]"),
        (np.full(6, 109), "an opponent chose action 109, which is not in the action space"),
    ],
)
def test_invalid_answers_of_opponents_raise(answer: Any, message: str) -> None:
    env = vector_env("nimmt", num_envs=2, opponents=lambda _observations, _masks: answer)
    mask = env.reset(seed=1)[1]["action_mask"]
    with pytest.raises(Malformed, match=message):
        env.step(mask.argmax(axis=1))


@pytest.mark.sample(1)
@pytest.mark.parametrize("duplicate", [deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301 -- our own
def test_a_copy_goes_on_as_the_original(duplicate: Any) -> None:
    env = vector_env("nimmt", num_envs=8, opponents=Pool(["greedy", "random", "mc@1"]), encoding="ids", reward="win")
    env.reset(seed=5)
    env.step(env.sample_legal())
    other = duplicate(env)
    for _ in range(12):
        actions = env.sample_legal()
        assert np.array_equal(actions, other.sample_legal())
        first, two = env.step(actions), other.step(actions)
        assert np.array_equal(first[0], two[0])
        assert np.array_equal(first[1], two[1])
        assert np.array_equal(first[4]["action_mask"], two[4]["action_mask"])


def test_without_copies_the_arrays_are_those_of_the_last_step() -> None:
    env = vector_env("nimmt", num_envs=4, agents="all", copy=False)
    seen, infos = env.reset(seed=1)
    later, rewards, _, _, infos_later = env.step(env.sample_legal())
    assert later is seen
    assert infos_later["action_mask"] is infos["action_mask"]
    assert rewards.shape == (4, 4)


def test_samples_are_legal_and_equally_probable() -> None:
    env = vector_env("nimmt:cowheadking seats=2 hand=4", num_envs=2000, agents="all")
    masks = env.reset(seed=1)[1]["action_mask"]
    rng = np.random.default_rng(3)
    ranks = []
    for _ in range(3):
        actions = env.sample_legal(rng)
        assert np.take_along_axis(masks, actions[:, :, None], 2).all()
        ranks.append((masks.cumsum(axis=2, dtype=np.int64)[np.arange(2000)[:, None], [0, 1], actions] - 1).ravel())
    counts = np.bincount(np.concatenate(ranks), minlength=4)
    assert ((counts - 3000) ** 2 / 3000).sum() < 20  # chi-square with 3 degrees of freedom: one in 5000 is above 19.7


def test_frames_show_every_game_as_its_agent_sees_it() -> None:
    env: Any = gymnasium.make_vec("faceup/nimmt-cowheadking-win-v0", num_envs=2, render_mode="ansi")
    with pytest.raises(Malformed, match="the environment must be reset first"):
        env.render()
    env.reset(seed=1)
    frames = env.render()
    hands = [env.unwrapped._adapter.state(lane).hands for lane in range(2)]
    for frame, (hand, *_) in zip(frames, hands, strict=True):
        assert all(str(card) in frame for card in hand)
    env.close()


def test_unknown_keywords_and_options_of_reset_raise() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'opponent'"):
        vector_env("nimmt", num_envs=2, opponent="greedy")
    env = vector_env("nimmt", num_envs=2)
    env.reset(seed=1, options={})
    with pytest.raises(Malformed, match="reset takes no options"):
        env.reset(options={"seat": 2})


def test_sampling_before_the_first_reset_raises() -> None:
    with pytest.raises(Malformed, match="the environment must be reset first"):
        vector_env("nimmt", num_envs=2).sample_legal()
