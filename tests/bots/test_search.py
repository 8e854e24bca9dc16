"""The Monte Carlo search, tested on 6 nimmt!."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.bots import evaluate, policy, searches
from faceup.bots.search_policies import parse_search_policy
from faceup.core import AnyRules, Malformed, SeededGenerator, State, draw, make


def deal(rules: AnyRules, seed: int) -> State:
    state: State = rules.start()
    dealt: State = rules.apply(state, draw(rules, state, SeededGenerator(seed))).state
    return dealt


RULES = make("nimmt:cowheadking seats=4")
VIEW = RULES.view(deal(RULES, 3), 1)


@pytest.mark.parametrize("player", searches("nimmt"))
def test_worlds_and_seed_determine_the_result(player: str) -> None:
    results = [evaluate(RULES, VIEW, player=player, worlds=300, seed=seed) for seed in (5, 5, 6)]
    assert results[0].options == results[1].options != results[2].options


def test_sequential_halving_concentrates_the_work() -> None:
    options = evaluate(RULES, VIEW, worlds=1000, seed=1).options
    assert sorted(option.action for option in options) == list(VIEW.legal)
    assert [option.worlds for option in options] == sorted((option.worlds for option in options), reverse=True)
    # Ten options, five, three, two: each round is a quarter of 10,000 rollouts.
    assert [option.worlds for option in options] == [2833, 2833, 1583, 750, 750, 250, 250, 250, 250, 250]
    assert sum(option.worlds for option in options) <= 10 * 1000
    assert options[0].behind.value == options[0].behind.error == 0


def test_all_options_can_be_tried_equally_often() -> None:
    options = evaluate(RULES, VIEW, worlds=700, seed=1, every=True).options
    assert {option.worlds for option in options} == {700}
    assert [option.relative.value for option in options] == sorted(option.relative.value for option in options)
    for option in options:
        assert sum(option.spread) == 700
        mean = sum(heads * worlds for heads, worlds in enumerate(option.spread)) / 700
        assert mean == pytest.approx(option.heads.value)


@pytest.mark.parametrize("objective", ["heads", "relative", "win"])
def test_best_option_is_first_under_every_objective(objective: str) -> None:
    options = evaluate(RULES, VIEW, worlds=500, seed=1, objective=objective, every=True).options
    values = [getattr(option, objective).value for option in options]
    assert values == sorted(values, reverse=objective == "win")
    assert [option.behind.value for option in options] == pytest.approx([abs(value - values[0]) for value in values])


@pytest.mark.parametrize("heads", [(90, 0, 0, 0), (0, 90, 90, 90)], ids=["lost", "won"])
def test_decided_match_is_played_for_relative_points(heads: tuple[int, ...]) -> None:
    decided = msgspec.structs.replace(VIEW, seat=0, heads=heads)
    options = evaluate(RULES, decided, worlds=500, seed=1, objective="win", every=True).options
    assert {option.win.value for option in options} == {float(heads[0] == 0)}
    differences = [option.relative.value for option in options]
    assert differences == sorted(differences)


@pytest.mark.parametrize(("cards", "objective"), [(10, "relative"), (2, "win")])
def test_an_evaluation_reports_its_objective(cards: int, objective: str) -> None:
    rules = make("nimmt:cowheadking", hand=cards)
    view = rules.view(deal(rules, 3), 1)
    late, same = (evaluate(rules, view, worlds=100, seed=1, objective=name) for name in ("win late", objective))
    assert (late.objective, late.options) == (objective, same.options)


def test_the_default_objective_is_win_late() -> None:
    assert {parse_search_policy(name).objective for name in ("mc", "deep@100")} == {"win late"}


def test_a_time_limit_is_kept_and_options_are_always_tried() -> None:
    evaluate(RULES, VIEW, worlds=1, seed=1)
    assert all(option.worlds for option in evaluate(RULES, VIEW, seconds=1e-9, seed=1).options)
    assert evaluate(RULES, VIEW, seconds=0.05, seed=1).options[0].worlds > evaluate(
        RULES, VIEW, seconds=1e-9, seed=1
    ).options[0].worlds  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"worlds": 0}, "worlds must be 1 to"),
        ({"seconds": 0}, "seconds must be more than 0"),
        ({"seconds": float("nan")}, "seconds must be a number"),
        ({}, "either a number of worlds or a time limit"),
        ({"worlds": 1, "seconds": 1}, "either a number of worlds or a time limit"),
        ({"worlds": 1, "player": "mcc"}, "did you mean 'mc'"),
        ({"worlds": 1, "seed": -1}, "a seed must be 0 to"),
        ({"worlds": 1, "objective": "wins"}, "did you mean 'win'"),
    ],
)
def test_invalid_arguments_raise(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        evaluate(RULES, VIEW, **{"seed": 1} | settings)


def test_games_without_a_search_raise() -> None:
    war = make("war")
    with pytest.raises(Malformed, match="War has no search"):
        evaluate(war, war.view(war.start(), 0), worlds=1, seed=1)


@pytest.mark.long
@pytest.mark.slow
@given(seats=st.integers(2, 10), seed=st.integers(0, 2**32), variant=st.sampled_from(["cowheadking", "tactical"]))
def test_search_policy_plays_complete_deals_legally(seats: int, seed: int, variant: str) -> None:
    rules, rng = make(f"nimmt:{variant} seats={seats}", deals=1), SeededGenerator(seed)
    state, player = deal(rules, seed), policy("nimmt", "mc@4")
    while seats_to_act := rules.to_act(state):
        state = rules.apply(state, {seat: player(rules, rules.view(state, seat), rng) for seat in seats_to_act}).state
    assert not any(rules.to_act(state))


def test_a_policy_name_contains_its_budget() -> None:
    assert parse_search_policy("mc").seconds == 0.1
    assert policy("nimmt", "mc@20ms") == parse_search_policy("mc@20ms")
    for name in ("mc@", "mc@0", "mc@0ms", "mc@1s", "mc@-1", "mc@1.5", "mc@ 5", "mc@5@5"):
        with pytest.raises(Malformed, match="has an invalid budget: write mc@1000"):
            policy("nimmt", name)
    with pytest.raises(Malformed, match="no policy 'mcx@5'"):
        policy("nimmt", "mcx@5")
