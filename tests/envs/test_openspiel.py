from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import gambit
from shimmy import OpenSpielCompatibilityV0
from tests.envs.pettingzoo_checks import pettingzoo_tests

from faceup.core import Malformed, draw, generator, make
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
    head, _, given = name.partition("(")
    words = [word for word in given.rstrip(")").split(",") if word]
    words += [f"{option}={value}" for option, value in options.items()]
    return pyspiel.load_game(f"{head}({','.join(words)})")


@pytest.mark.parametrize("name", SMALL)
def test_openspiel_tests_pass_for_small_games(name: str) -> None:
    pyspiel.random_sim_test(_load(name), num_sims=3, serialize=True, verbose=False)
    pyspiel.random_sim_test(_load(name, chance="sampled"), num_sims=3, serialize=False, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*NAMES, *EXTRA])
@pytest.mark.parametrize("chance", MODES)
def test_openspiel_tests_pass_for_every_game(name: str, chance: str) -> None:
    options: dict[str, object] = {"chance": chance}
    if name == "faceup_war_standard_v0":
        options["cap"] = 100
    # OpenSpiel hands games written in Python no way to give their generator to a serialised game.
    pyspiel.random_sim_test(_load(name, **options), num_sims=2, serialize=chance == "explicit", verbose=False)


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


@pytest.mark.parametrize("name", [*SMALL, "faceup_nimmt_cowheadking_v0"])
def test_a_resampled_state_has_the_same_view(name: str) -> None:
    game, rng = _load(name), np.random.default_rng(6)
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
        ({"chance": "maybe"}, "chance must be explicit or sampled; got 'maybe'"),
        ({"players": 11}, "nimmt:cowheadking must have 2 to 10 seats; got 11"),
        ({"reward": "cows"}, "there is no reward 'cows'"),
    ],
)
def test_invalid_parameters_raise(options: dict[str, object], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        _load("faceup_nimmt_cowheadking_v0", **options)


def _solved(name: str, rounds: int) -> tuple[float, float]:
    """Return the exploitability of uniform play, and of the average policy of CFR+ after this many rounds."""
    tree = pyspiel.load_efg_game(gambit.export_gambit(pyspiel.convert_to_turn_based(pyspiel.load_game(name))))
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    uniform = pyspiel.exploitability(tree, pyspiel.UniformRandomPolicy(tree))
    return uniform, pyspiel.exploitability(tree, solver.average_policy())


def test_cfr_solves_a_deal_with_one_row() -> None:
    uniform, solved = _solved("faceup_nimmt_tiny_v0(cards=5,rows=1,reward=relative)", rounds=50)
    assert uniform == pytest.approx(0.7667, abs=1e-4)
    assert solved < 0.005


@pytest.mark.long
def test_cfr_solves_a_deal_with_two_rows() -> None:
    uniform, solved = _solved("faceup_nimmt_tiny_v0(reward=relative)", rounds=50)
    assert uniform == pytest.approx(1.0333, abs=1e-4)
    assert solved < 0.01
