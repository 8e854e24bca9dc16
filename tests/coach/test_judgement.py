"""The coach takes the smallest cost of several models of the other seats."""

import pytest

from faceup.bots.search import Estimate, Option, evaluate
from faceup.coach.decisions import Grade, grade_of
from faceup.coach.judgement import RANDOM, RATINGS, WORLDS, combine_models, judge
from faceup.core import View, make

RULES = make("nimmt")
FIRST = RULES.from_text("view=0 sizes=9,9,9,9 hand=14,21,45,51,55,63,73,76,80 rows=8/30,32,33/4/41,61,102")
SECOND = RULES.from_text(
    "view=0 sizes=8,8,8,8 hand=8,15,40,74,77,94,96,101 rows=87,103/48,49,80,88/3,5/20,22,28 taken=-/10/-/- "
    "heads=0,3,0,0"
)


def option(action: int, worlds: float, rating: float | None) -> Option:
    nothing = Estimate(0.0, 0.0)
    models = (Estimate(worlds, 0.1), *([] if rating is None else [Estimate(rating, 0.0)]))
    return Option(action, 9, Estimate(7.0, 0.2), nothing, nothing, nothing, 0.0, (), models)


def grade(view: object, card: int, worlds: int) -> Grade:
    assert isinstance(view, View)
    options = judge(RULES, view, player="deep", worlds=worlds, seed=3)
    return grade_of(next(option for option in options if option.action == card - 1), options[0], len(options))


@pytest.mark.parametrize("worlds", [500, 2_000, 8_000])
def test_what_costs_nothing_against_some_players_is_no_blunder(worlds: int) -> None:
    """A single model had 14 and 94 five heads behind, and a referee found far less or nothing."""
    assert grade(FIRST, 14, worlds) == "close"
    assert grade(SECOND, 94, worlds) == "good"


def test_a_cost_is_the_smallest_difference() -> None:
    options = (option(1, 0, 0), option(2, 4, 3), option(3, 4, 1), option(4, 1, 3), option(5, 4, -1), option(6, 2, None))
    random_heads = {1: 5.0, 2: 5.5, 3: 9.0, 4: 9.0, 5: 9.0, 6: 9.0}
    judged = combine_models(options, random_heads)
    costs = {judged_option.action: judged_option.behind for judged_option in judged}
    expected = {1: 0.0, 2: 0.5 * RANDOM, 3: RATINGS, 4: WORLDS, 5: 0.0, 6: 2 * WORLDS}
    assert {action: cost.value for action, cost in costs.items()} == expected
    assert {cost.error for action, cost in costs.items() if action != 1} == {WORLDS * 0.1}
    assert [judged_option.action for judged_option in judged] == [1, 5, 4, 2, 6, 3]
    assert all(judged_option.heads.value == 7 + judged_option.behind.value for judged_option in judged)
    assert grade_of(judged[1], judged[0], 6) == "close"


def test_one_search_alone_keeps_its_differences() -> None:
    assert isinstance(FIRST, View)
    evaluation = evaluate(RULES, FIRST, worlds=100, seed=3, objective="heads", every=True, use_beliefs=False)
    options = judge(RULES, FIRST, player="mc", worlds=100, seed=3)
    assert [option.behind for option in options] == [option.behind for option in evaluation.options]
