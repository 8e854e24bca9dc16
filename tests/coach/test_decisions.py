"""Grades take the standard error and the chance of winning into account."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.bots.search import Estimate, Option
from faceup.coach.decisions import THRESHOLDS, Grade, grade_of, lower_bound

ORDER = ["best", "good", "inaccurate", "mistake", "blunder"]
NOTHING = Estimate(0.0, 0.0)
costs = st.floats(0, 50)
errors = st.floats(0, 10)
chances = st.floats(0, 1)


def option(cost: float = 0, error: float = 0, win: float = 0.5) -> Option:
    return Option(0, 100, NOTHING, NOTHING, Estimate(win, 0.0), Estimate(cost, error), 0.0, (100,))


@given(costs, errors, errors, chances)
def test_a_larger_error_never_makes_a_grade_worse(cost: float, error: float, more: float, win: float) -> None:
    grades = [grade_of(option(cost, value, win), option(), 5) for value in (error, error + more)]
    assert ORDER.index(grades[1]) <= ORDER.index(grades[0])


@given(costs, costs, errors, chances)
def test_a_larger_cost_never_makes_a_grade_better(cost: float, more: float, error: float, win: float) -> None:
    grades = [grade_of(option(value, error, win), option(), 5) for value in (cost, cost + more)]
    assert ORDER.index(grades[1]) >= ORDER.index(grades[0])


@given(costs, errors, chances)
def test_a_bad_grade_has_its_lower_bound_of_cost_and_its_loss_of_the_chance_of_winning(
    cost: float, error: float, win: float
) -> None:
    least = THRESHOLDS.get(grade_of(option(cost, error, win), option(), 5))
    if least is not None:
        assert lower_bound(Estimate(cost, error)) >= least.heads
        assert least.win is None or 0.5 - win >= least.win


@pytest.mark.parametrize(
    ("cost", "loss", "grade"),
    [
        (0.0, 0.0, "best"),
        (0.4, 0.2, "good"),
        (1.0, 0.2, "inaccurate"),  # a slip of one head
        (2.0, 0.01, "inaccurate"),  # the game was decided already
        (2.0, 0.2, "mistake"),
        (9.0, 0.03, "mistake"),
        (3.1, 0.06, "blunder"),
    ],
)
def test_grades(cost: float, loss: float, grade: Grade) -> None:
    assert grade_of(option(cost, win=0.5 - loss), option(), 5) == grade


def test_a_single_option_has_the_grade_only() -> None:
    assert grade_of(option(9), option(9), 1) == "only"
