"""The search, of any game, tried on 6 nimmt!."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faceup.bots import judge, policy, searches
from faceup.bots.thinking import thinker
from faceup.core import AnyRules, Malformed, Seeded, State, draw, make


def deal(rules: AnyRules, seed: int) -> State:
    state: State = rules.start()
    dealt: State = rules.apply(state, draw(rules, state, Seeded(seed))).state
    return dealt


RULES = make("nimmt:cowheadking seats=4")
VIEW = RULES.view(deal(RULES, 3), 1)


@pytest.mark.parametrize("player", searches("nimmt"))
def test_a_number_of_worlds_and_a_seed_make_the_result(player: str) -> None:
    results = [judge(RULES, VIEW, player=player, worlds=300, seed=seed) for seed in (5, 5, 6)]
    assert results[0].options == results[1].options != results[2].options


def test_the_work_goes_to_what_is_still_in_question() -> None:
    options = judge(RULES, VIEW, worlds=1000, seed=1).options
    assert sorted(option.action for option in options) == list(VIEW.legal)
    assert [option.worlds for option in options] == sorted((option.worlds for option in options), reverse=True)
    # Ten options, five, three, two: each round is a quarter of 10,000 rollouts.
    assert [option.worlds for option in options] == [2833, 2833, 1583, 750, 750, 250, 250, 250, 250, 250]
    assert sum(option.worlds for option in options) <= 10 * 1000
    assert options[0].behind.value == options[0].behind.error == 0


def test_all_options_can_be_tried_equally_often() -> None:
    options = judge(RULES, VIEW, worlds=700, seed=1, every=True).options
    assert {option.worlds for option in options} == {700}
    assert [option.relative.value for option in options] == sorted(option.relative.value for option in options)
    for option in options:
        assert sum(option.spread) == 700
        mean = sum(heads * worlds for heads, worlds in enumerate(option.spread)) / 700
        assert mean == pytest.approx(option.heads.value)


@pytest.mark.parametrize("objective", ["heads", "relative", "win"])
def test_the_best_comes_first_whatever_it_is_compared_by(objective: str) -> None:
    options = judge(RULES, VIEW, worlds=500, seed=1, objective=objective, every=True).options
    values = [getattr(option, objective).value for option in options]
    assert values == sorted(values, reverse=objective == "win")
    assert [option.behind.value for option in options] == pytest.approx([abs(value - values[0]) for value in values])


@pytest.mark.parametrize("heads", [(90, 0, 0, 0), (0, 90, 90, 90)], ids=["lost", "won"])
def test_where_nothing_changes_who_wins_it_plays_for_the_difference(heads: tuple[int, ...]) -> None:
    decided = msgspec.structs.replace(VIEW, seat=0, heads=heads)
    options = judge(RULES, decided, worlds=500, seed=1, objective="win", every=True).options
    assert {option.win.value for option in options} == {float(heads[0] == 0)}
    differences = [option.relative.value for option in options]
    assert differences == sorted(differences)


@pytest.mark.parametrize(("cards", "objective"), [(10, "relative"), (2, "win")])
def test_what_a_decision_was_compared_by_is_said(cards: int, objective: str) -> None:
    rules = make("nimmt:cowheadking", hand=cards)
    view = rules.view(deal(rules, 3), 1)
    late, same = (judge(rules, view, worlds=100, seed=1, objective=name) for name in ("win late", objective))
    assert (late.objective, late.options) == (objective, same.options)


def test_a_player_plays_for_the_win_late_unless_told_otherwise() -> None:
    assert {thinker(name).objective for name in ("mc", "deep@100")} == {"win late"}


def test_a_time_is_kept_and_something_is_always_tried() -> None:
    judge(RULES, VIEW, worlds=1, seed=1)
    assert all(option.worlds for option in judge(RULES, VIEW, seconds=1e-9, seed=1).options)
    assert judge(RULES, VIEW, seconds=0.05, seed=1).options[0].worlds > judge(
        RULES, VIEW, seconds=1e-9, seed=1
    ).options[0].worlds  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"worlds": 0}, "worlds are 1 to"),
        ({"seconds": 0}, "seconds are more than 0"),
        ({"seconds": float("nan")}, "seconds are more than 0"),
        ({}, "either a number of worlds or a time"),
        ({"worlds": 1, "seconds": 1}, "either a number of worlds or a time"),
        ({"worlds": 1, "player": "mcc"}, "did you mean 'mc'"),
        ({"worlds": 1, "seed": -1}, "a seed is 0 to"),
        ({"worlds": 1, "objective": "wins"}, "did you mean 'win'"),
    ],
)
def test_what_cannot_be_meant_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        judge(RULES, VIEW, **{"seed": 1} | settings)


def test_games_that_need_no_search_say_so() -> None:
    war = make("war")
    with pytest.raises(Malformed, match="War has no search"):
        judge(war, war.view(war.start(), 0), worlds=1, seed=1)


@pytest.mark.slow
@settings(deadline=None, max_examples=20)
@given(seats=st.integers(2, 10), seed=st.integers(0, 2**32), variant=st.sampled_from(["cowheadking", "tactical"]))
def test_a_searching_policy_plays_whole_deals_and_legally(seats: int, seed: int, variant: str) -> None:
    rules, rng = make(f"nimmt:{variant} seats={seats}", deals=1), Seeded(seed)
    state, player = deal(rules, seed), policy("nimmt", "mc@4")
    while seats_to_act := rules.to_act(state):
        state = rules.apply(state, {seat: player(rules, rules.view(state, seat), rng) for seat in seats_to_act}).state
    assert not any(rules.to_act(state))


def test_a_name_says_how_long_to_think() -> None:
    assert thinker("mc").seconds == 0.1
    assert policy("nimmt", "mc@20ms") == thinker("mc@20ms")
    for name in ("mc@", "mc@0", "mc@0ms", "mc@1s", "mc@-1", "mc@1.5", "mc@ 5", "mc@5@5"):
        with pytest.raises(Malformed, match="does not say how long to think: write mc@1000"):
            policy("nimmt", name)
    with pytest.raises(Malformed, match="no policy 'mcx@5'"):
        policy("nimmt", "mcx@5")
