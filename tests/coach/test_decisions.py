"""Verdicts take the standard error into account."""

from hypothesis import given
from hypothesis import strategies as st

from faceup.bots.search import Estimate, Option
from faceup.coach.decisions import INACCURACY, MISTAKE, lower_bound, verdict

ORDER = ["best", "fine", "doubtful", "costly"]
NOTHING = Estimate(0.0, 0.0)
costs = st.floats(0, 50)
errors = st.floats(0, 10)


def option(cost: float, error: float) -> Option:
    return Option(0, 100, NOTHING, NOTHING, NOTHING, Estimate(cost, error), 0.0, (100,))


@given(costs, errors, errors)
def test_a_larger_error_never_makes_a_verdict_harsher(cost: float, error: float, more: float) -> None:
    words = [verdict(option(cost, each), 5) for each in (error, error + more)]
    assert ORDER.index(words[1]) <= ORDER.index(words[0])


@given(costs, costs, errors)
def test_a_larger_cost_never_makes_a_verdict_milder(cost: float, more: float, error: float) -> None:
    words = [verdict(option(each, error), 5) for each in (cost, cost + more)]
    assert ORDER.index(words[1]) >= ORDER.index(words[0])


@given(costs, errors)
def test_doubtful_and_costly_choices_have_a_lower_bound_of_cost(cost: float, error: float) -> None:
    word = verdict(option(cost, error), 5)
    least = lower_bound(Estimate(cost, error))
    assert least >= {"costly": MISTAKE, "doubtful": INACCURACY}.get(word, 0)


def test_a_single_option_has_the_verdict_only() -> None:
    assert verdict(option(9, 0), 1) == "only"
