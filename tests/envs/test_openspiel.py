import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import gambit, ismcts, mcts
from shimmy import OpenSpielCompatibilityV0
from tests.envs.helpers import COPIES
from tests.envs.pettingzoo_checks import pettingzoo_tests

from faceup.core import IllegalActionError, Malformed, draw, generator, make, write
from faceup.core.values import CHANCE
from faceup.envs.openspiel import SETTINGS

SMALL = ("faceup_nimmt_small_v0", "faceup_niuniu_small_v0", "faceup_war_small_v0")
EXTRA = ("faceup_nimmt_arena_v0(deals=2)", "faceup_war_standard_v0(cap=60,collect=shuffled,reshuffle=20)")
NAMES = [setting.name for setting in SETTINGS]
MODES = ("explicit", "sampled")

# PettingZoo's tests warn about the observation spaces that Shimmy declares for OpenSpiel games.
SHIMMY = pytest.mark.filterwarnings(
    "ignore:Agent's (minimum|maximum) observation space value",
    "ignore:Observation numpy array is all zeros",
    "ignore:The observation contains negative numbers",
)


def _load(name: str, **options: object) -> Any:
    """Load the game; `name` may have parameters already."""
    head, _, argument = name.partition("(")
    words = [word for word in argument.rstrip(")").split(",") if word]
    words += [f"{option}={value}" for option, value in options.items()]
    return pyspiel.load_game(f"{head}({','.join(words)})")


@pytest.mark.parametrize("name", SMALL)
def test_openspiel_tests_pass_for_small_games(name: str) -> None:
    pyspiel.random_sim_test(_load(name), num_sims=1, serialize=True, verbose=False)
    pyspiel.random_sim_test(_load(name, chance="sampled"), num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("reward", ["place", "win", "relative"])
def test_openspiel_tests_pass_for_turns_and_every_reward(name: str, reward: str) -> None:
    pyspiel.random_sim_test(
        _load(name, dynamics="sequential", reward=reward), num_sims=1, serialize=True, verbose=False
    )
    sampled = _load(name, dynamics="sequential", reward=reward, chance="sampled")
    pyspiel.random_sim_test(sampled, num_sims=1, serialize=False, verbose=False)
    pyspiel.random_sim_test(_load(name, reward=reward), num_sims=1, serialize=True, verbose=False)


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, *EXTRA])
@pytest.mark.parametrize("chance", MODES)
def test_openspiel_tests_pass_for_every_game(name: str, chance: str) -> None:
    options: dict[str, object] = {"chance": chance}
    if name == "faceup_war_standard_v0":
        options["cap"] = 100
    # OpenSpiel hands games written in Python no way to give their generator to a serialised game.
    pyspiel.random_sim_test(_load(name, **options), num_sims=1, serialize=chance == "explicit", verbose=False)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("chance", MODES)
def test_state_survives_serialization(name: str, chance: str) -> None:
    game = _load(name, chance=chance, rng_seed=1)
    for state in _states(game, seed=2):
        again = game.deserialize_state(state.serialize())
        assert str(again) == str(state)
        assert again.returns() == state.returns()
        assert again.history() == state.history()


def _states(game: Any, seed: int) -> list[Any]:
    """Yield the states of a random game in order."""
    rng, state, states = np.random.default_rng(seed), game.new_initial_state(), []
    while not state.is_terminal():
        states.append(state.clone())
        if state.is_simultaneous_node():
            legal = [state.legal_actions(player) for player in range(game.num_players())]
            state.apply_actions([int(rng.choice(actions)) if actions else 0 for actions in legal])
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return [*states, state]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", SMALL)
def test_a_playthrough_is_the_same_when_replayed(name: str, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough  # loads SciPy, which takes a second

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    path = tmp_path / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(name, [], seed=3), "utf-8")
    original, again = generate_playthrough.replay(str(path))
    assert original == again


@SHIMMY
@pytest.mark.parametrize("name", [*SMALL, pytest.param("faceup_nimmt_cowheadking_v0", marks=pytest.mark.slow)])
def test_pettingzoo_tests_pass_through_shimmy(name: str) -> None:
    pettingzoo_tests.api_test(OpenSpielCompatibilityV0(game_name=name), num_cycles=30)


@pytest.mark.parametrize("name", [*SMALL, "faceup_nimmt_arena_v0"])
def test_choices_of_chance_are_equally_likely_and_make_the_outcomes_of_the_rules(name: str) -> None:
    game = _load(name)
    for state in _states(game, seed=4)[:80]:
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert [outcome for outcome, _ in outcomes] == list(range(len(outcomes)))
            assert 1 < len(outcomes) <= game.max_chance_outcomes()
            assert sum(likelihood for _, likelihood in outcomes) == pytest.approx(1)


def test_game_follows_the_rules() -> None:
    game = pyspiel.load_game("faceup_nimmt_cowheadking_v0(players=3,hand=4)")
    rules, rng = make("nimmt:cowheadking seats=3 hand=4"), generator(5)
    truth, state = rules.start(), game.new_initial_state()
    while to_act := rules.to_act(truth):
        if to_act == (CHANCE,):
            outcome = draw(rules, truth, rng)
            for choice in rules.choices(truth, outcome):
                state.apply_action(choice)
            truth = rules.apply(truth, outcome).state
            continue
        move = {seat: rules.legal(truth, seat)[-1] for seat in to_act}
        for seat in range(3):
            assert state.legal_actions(seat) == list(rules.legal(truth, seat))
        if len(to_act) == 1:
            assert state.current_player() == to_act[0]
            state.apply_action(move[to_act[0]])
        else:
            assert state.is_simultaneous_node()
            state.apply_actions([move[seat] for seat in range(3)])
        truth = rules.apply(truth, move).state
    assert state.is_terminal()
    assert state.returns() == [-heads for heads in rules.scores(truth)]


def test_sampled_chance_follows_from_the_seed_of_the_game() -> None:
    def dealt(seed: int) -> str:
        state = pyspiel.load_game(f"faceup_nimmt_cowheadking_v0(chance=sampled,rng_seed={seed})").new_initial_state()
        state.apply_action(0)
        return str(state)

    assert dealt(1) == dealt(1)
    assert dealt(1) != dealt(2)
    assert dealt(-1) != dealt(-1)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("chance", MODES)
def test_games_and_states_can_be_pickled_and_copied(name: str, chance: str) -> None:
    game = _load(name, chance=chance, rng_seed=3)
    state = _states(game, seed=2)[-2]
    for copied in COPIES:
        assert str(copied(state)) == str(state)
        assert copied(state).returns() == state.returns()
        other = copied(game)
        assert str(other) == str(game)
        assert str(_states(other, seed=5)[-1]) == str(_states(copied(game), seed=5)[-1])


def test_seats_with_turns_do_not_see_what_others_have_chosen() -> None:
    game = _load("faceup_nimmt_cowheadking_v0", players=3, dynamics="sequential", chance="sampled", rng_seed=1)
    state = game.new_initial_state()
    state.apply_action(0)
    action = state.legal_actions()[2]
    views = [(state.information_state_string(seat), state.information_state_tensor(seat)) for seat in range(3)]
    state.apply_action(action)
    assert state.current_player() == 1
    assert state.legal_actions(0) == []
    after = [(state.information_state_string(seat), state.information_state_tensor(seat)) for seat in range(3)]
    assert after[1:] == views[1:]
    assert after[0][0] == f"{views[0][0]} | chosen 0:{action}"
    assert [index for index, number in enumerate(after[0][1]) if number != views[0][1][index]] == [
        len(views[0][1]) - game.num_distinct_actions() + action
    ]
    assert state.rewards() == [0, 0, 0]


def test_turns_lead_to_the_states_of_joint_decisions() -> None:
    together, turns = _load("faceup_nimmt_small_v0"), _load("faceup_nimmt_small_v0", dynamics="sequential")
    state, other = together.new_initial_state(), turns.new_initial_state()
    rng = np.random.default_rng(3)
    while not state.is_terminal():
        if state.is_simultaneous_node():
            actions = [int(rng.choice(state.legal_actions(player))) for player in range(2)]
            state.apply_actions(actions)
            for action in actions:
                other.apply_action(action)
        else:
            actions = [int(rng.choice(state.legal_actions()))]
            state.apply_action(actions[0])
            other.apply_action(actions[0])
        assert str(other) == str(state)
        assert other.is_terminal() or other.rewards() == state.rewards()
    assert other.returns() == state.returns()
    assert turns.max_game_length() == 2 * together.max_game_length()


def test_place_and_win_are_terminal_rewards() -> None:
    models = pyspiel.GameType.RewardModel
    reward_models = {name: _load("faceup_nimmt_small_v0", reward=name).get_type().reward_model for name in _REWARDS}
    assert reward_models == {
        "heads": models.REWARDS,
        "relative": models.REWARDS,
        "place": models.TERMINAL,
        "win": models.TERMINAL,
    }


_REWARDS = ("heads", "relative", "place", "win")


def _first_decision(**options: object) -> tuple[Any, Any]:
    game = _load("faceup_nimmt_small_v0", dynamics="sequential", chance="sampled", rng_seed=1, **options)
    state = game.new_initial_state()
    state.apply_action(0)
    return game, state


def test_mcts_plays_in_python_and_in_c() -> None:
    game, state = _first_decision(reward="win")
    for bot in (
        mcts.MCTSBot(game, 2.0, 30, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))),
        pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 30, 10, False, 1, False),
    ):
        # `step` of the bot in C++ crashes with every game in Python, as it does not hold the interpreter's lock.
        assert bot.step_with_policy(state)[1] in state.legal_actions()


@pytest.mark.long
@pytest.mark.parametrize(
    ("games", "least"),
    [pytest.param(3, -1.0, id="a few games"), pytest.param(300, 0.15, id="many", marks=pytest.mark.long)],
)
def test_ismcts_plays_better_than_a_random_player(games: int, least: float) -> None:
    game, _ = _first_decision(reward="place")
    chooser = np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, chooser), 2.0, 100, random_state=chooser)
    won = 0.0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() == 0:
                state.apply_action(int(bot.step(state)))
            else:
                state.apply_action(int(chooser.choice(state.legal_actions())))
        won += state.returns()[0]
    assert won >= least * games


def test_ismcts_in_c_raises() -> None:
    _, state = _first_decision(reward="win")
    bot = pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 30)
    with pytest.raises(pyspiel.SpielError, match=r"ResampleFromInfostate\(\) not implemented"):
        bot.step_with_policy(state)


def test_resampling_draws_each_state_of_the_information_state_equally_often() -> None:
    _, state = _first_decision()
    own = state.legal_actions()[0]
    state.apply_action(own)
    rng = np.random.default_rng(5)
    for player in (0, 1):
        drawn = Counter(str(state.resample_from_infostate(player, rng.random)) for _ in range(4200))
        # Seven unseen cards make 35 hands; seat 1 does not know which of three cards seat 0 has chosen.
        states = 35 if player == 0 else 35 * 3
        assert len(drawn) == states
        assert (
            sum((count - 4200 / states) ** 2 for count in drawn.values()) / (4200 / states)
            < states + 4 * (2 * states) ** 0.5
        )
        assert all(f" chosen 0:{own}" in text for text in drawn) == (player == 0)


def test_a_resampled_state_holds_nothing_of_the_true_state() -> None:
    for state in _states(_load("faceup_nimmt_cowheadking_v0", dynamics="sequential"), seed=7)[-30::4]:
        truth = state.node
        other = state.resample_from_infostate(0, np.random.default_rng(1).random).node
        for name in ("state", "first", "before"):
            true, drawn = getattr(truth, name), getattr(other, name)
            assert (true is None) == (drawn is None)
            if true is not None and any(true.hands[1:]):
                assert drawn.hands[0] == true.hands[0]
                assert drawn.hands[1:] != true.hands[1:]


@pytest.mark.parametrize("name", [*SMALL, "faceup_nimmt_cowheadking_v0"])
@pytest.mark.parametrize("dynamics", ["simultaneous", "sequential"])
def test_a_resampled_state_has_the_same_view(name: str, dynamics: str) -> None:
    game, rng = _load(name, dynamics=dynamics), np.random.default_rng(6)
    for state in _states(game, seed=7)[::3]:
        for player in range(game.num_players()):
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.history() == []
            assert other.current_player() == state.current_player()
            assert other.returns() == state.returns()


def test_resampling_draws_other_hands() -> None:
    state = _states(_load("faceup_nimmt_cowheadking_v0"), seed=8)[-3]
    rng = np.random.default_rng(9)
    hands = {state.resample_from_infostate(0, rng.random).information_state_string(1) for _ in range(5)}
    assert len(hands) > 1


def test_public_and_private_parts_contain_only_their_information() -> None:
    game = _load("faceup_nimmt_small_v0")
    state = _states(game, seed=10)[-3]
    kinds = pyspiel.IIGObservationType, pyspiel.PrivateInfoType
    public = game.make_py_observer(kinds[0](public_info=True, perfect_recall=False, private_info=kinds[1].NONE))
    own = game.make_py_observer(kinds[0](public_info=False, perfect_recall=False, private_info=kinds[1].SINGLE_PLAYER))
    whole = game.make_py_observer(kinds[0](public_info=True, perfect_recall=False, private_info=kinds[1].ALL_PLAYERS))
    assert "hand" not in public.dict
    assert list(own.dict) == ["hand"]
    assert public.string_from(state, 0) == public.string_from(state, 1)
    assert own.string_from(state, 0).startswith("hand=")
    public.set_from(state, 0)
    own.set_from(state, 0)
    assert np.array_equal(public.tensor + own.tensor, np.float32(state.observation_tensor(0)))
    assert whole.string_from(state, 0) == str(state)


def test_zero_sum_and_general_sum_are_distinguished() -> None:
    assert _load("faceup_nimmt_small_v0", reward="relative").get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert _load("faceup_nimmt_small_v0", reward="relative").utility_sum() == 0
    assert _load("faceup_nimmt_small_v0").get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chance": "maybe"}, 'chance must be "explicit" or "sampled"; got'),
        ({"dynamics": "turns"}, 'dynamics must be "simultaneous" or "sequential"; got'),
        ({"players": 11}, "nimmt:cowheadking must have 2 to 10 seats; got 11"),
        ({"reward": "cows"}, "there is no reward 'cows'"),
    ],
)
def test_invalid_parameters_raise(options: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        _load("faceup_nimmt_cowheadking_v0", **options)


def _dealt(dynamics: str, chance: str = "sampled") -> Any:
    state = _load("faceup_nimmt_small_v0", dynamics=dynamics, chance=chance, rng_seed=3).new_initial_state()
    if chance == "sampled":
        state.apply_action(0)
    return state


@pytest.mark.parametrize(
    ("dynamics", "chance", "action", "message"),
    [
        ("sequential", "sampled", 1, "'play 2' is not legal for seat 0 now; legal: play 1, play 8, play 12"),
        ("sequential", "sampled", 500, "500, which is not an action, is not legal for seat 0 now"),
        ("simultaneous", "sampled", 0, "several players are to act together: use apply_actions"),
        ("simultaneous", "sampled", [0], "there must be 2 actions, one for each player; got 1"),
        ("simultaneous", "sampled", [1, 2], "'play 2' is not legal for seat 0 now"),
        ("sequential", "sampled", [0, 2], "this is no simultaneous node: use apply_action"),
        ("simultaneous", "explicit", 99, "a choice of chance must be 0 to 11; got 99"),
        ("simultaneous", "explicit", [0, 0], "this is no simultaneous node: use apply_action"),
    ],
)
def test_an_invalid_action_raises_and_changes_nothing(
    dynamics: str, chance: str, action: int | list[int], message: str
) -> None:
    state = _dealt(dynamics, chance)
    before = str(state), state.history()
    with pytest.raises((IllegalActionError, Malformed), match=message):
        (state.apply_actions if isinstance(action, list) else state.apply_action)(action)
    assert (str(state), state.history()) == before


def test_after_the_end_an_action_raises() -> None:
    state = _states(_load("faceup_niuniu_small_v0"), seed=1)[-1]
    with pytest.raises(Malformed, match="the game is over"):
        state.apply_action(0)


def _solved(name: str, rounds: int) -> tuple[float, float]:
    """Return the exploitability of uniform play, and of the average policy of CFR+ after this many rounds."""
    tree = pyspiel.load_efg_game(gambit.export_gambit(pyspiel.convert_to_turn_based(pyspiel.load_game(name))))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    return uniform, pyspiel.exploitability(tree, solver.average_policy())


@pytest.mark.long
def test_cfr_solves_a_deal_with_one_row() -> None:
    uniform, solved = _solved("faceup_nimmt_tiny_v0(cards=5,rows=1,reward=relative)", rounds=50)
    assert uniform == pytest.approx(0.7667, abs=1e-4)
    assert solved < 0.005


@pytest.mark.long
def test_cfr_solves_a_deal_with_two_rows() -> None:
    uniform, solved = _solved("faceup_nimmt_tiny_v0(reward=relative)", rounds=50)
    assert uniform == pytest.approx(1.0333, abs=1e-4)
    assert solved < 0.01


def test_states_observations_and_actions_have_named_fields() -> None:
    game = pyspiel.load_game("faceup_nimmt_small_v0(dynamics=sequential,chance=sampled,rng_seed=3)")
    state = game.new_initial_state()
    dealing = state.to_struct()
    assert (dealing.current_player, dealing.is_terminal, dealing.legal_actions) == (CHANCE, False, ((), ()))
    state.apply_action(0)
    fields = state.to_struct()
    assert fields.state == str(state)
    assert [*map(list, fields.legal_actions)] == [state.legal_actions(), []]
    assert json.loads(fields.to_json()) == fields.to_dict()
    own, other = state.to_observation_struct(), state.to_observation_struct(1)
    assert own.observation == state.observation_string(0)
    assert (own.player, other.player, other.legal_actions) == (0, 1, ())
    assert write(game.rules, game.rules.view(state.node.state, 1)) == other.observation
    for arguments in ((own.legal_actions[0],), (0, own.legal_actions[0])):
        action = state.action_to_struct(*arguments)
        assert action.to_dict() == {"action": own.legal_actions[0], "text": f"play {own.legal_actions[0] + 1}"}
        assert state.struct_to_actions(action) == [own.legal_actions[0]]
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.to_struct().is_terminal
    assert [*state.to_struct().returns] == state.returns()
    with pytest.raises(Malformed, match="player must be 0 to 1; got -4"):
        state.to_observation_struct()
