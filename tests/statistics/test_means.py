"""Means and chances have the intervals that statistics gives them."""

from fractions import Fraction
from math import nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.statistics import Mean, mean_of, proportion, t_quantile, two_sided_p


@given(st.permutations([(Fraction(1, 3), 2), (Fraction(5), 1), (Fraction(1, 7), 4)]))
def test_the_mean_does_not_depend_on_order(pairs: list[tuple[Fraction, int]]) -> None:
    assert mean_of(pairs) == mean_of([(Fraction(5), 1), (Fraction(1, 7), 4), (Fraction(1, 3), 2)])


def test_intervals_are_students() -> None:
    low, high = Mean(10.0, 2.0, 3).interval or (0, 0)
    assert (low, high) == pytest.approx((10 - 2 * 4.3027, 10 + 2 * 4.3027), rel=1e-4)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    # Tables of Student's distribution: the quantiles at 0.975.
    [(1, 12.7062), (2, 4.3027), (3, 3.1824), (4, 2.7764), (5, 2.5706), (9, 2.2622), (30, 2.0423), (120, 1.9799)],
)
def test_the_quantiles_agree_with_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(freedom) == pytest.approx(quantile, abs=6e-5)
    assert two_sided_p(quantile, freedom) == pytest.approx(0.05, rel=1e-4)
    assert two_sided_p(-quantile, freedom) == two_sided_p(quantile, freedom)


@pytest.mark.parametrize(
    ("t", "freedom", "p"), [(636.619, 1, 0.001), (31.599, 2, 0.001), (4.587, 10, 0.001), (3.291, 10**6, 0.001)]
)
def test_small_p_values_agree_with_the_tables(t: float, freedom: int, p: float) -> None:
    assert two_sided_p(t, freedom) == pytest.approx(p, rel=2e-3)


@given(st.floats(0, 50), st.integers(1, 2000))
def test_p_values_are_from_0_to_1(t: float, freedom: int) -> None:
    assert 0 <= two_sided_p(t, freedom) <= 1
    assert two_sided_p(t + 1, freedom) <= two_sided_p(t, freedom) + 1e-12


def test_large_samples_use_the_normal_distribution() -> None:
    assert two_sided_p(2.0, 99_999) == pytest.approx(two_sided_p(2.0, 100_000), rel=1e-4)


def test_one_number_has_no_error_interval_or_p_value() -> None:
    lone = mean_of([(Fraction(7), 1)])
    assert (lone.stderr, lone.interval, lone.p) == (None, None, None)


def test_equal_numbers_have_a_p_value_of_0_or_1() -> None:
    assert mean_of([(Fraction(1), 5)]).p == 0
    assert mean_of([(Fraction(0), 5)]).p == 1


def test_proportions_of_0_and_1_have_intervals_within_0_and_1() -> None:
    assert proportion(0, 20)[0] == 0
    assert proportion(20, 20)[1] == 1
    low, high = proportion(10, 20)
    assert low < 0.5 < high


@pytest.mark.parametrize("share", [0.5, 0.8, 0.9, 0.95, 0.99, 0.999])
@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 5, 8, 20, 99, 100, 101])
def test_the_quantile_is_the_statistic_with_that_p_value(freedom: int, share: float) -> None:
    """With 3 degrees of freedom, the quantile at 99.9 % was 4 % too small."""
    assert two_sided_p(t_quantile(freedom, share), freedom) == pytest.approx(1 - share, rel=1e-7)


@pytest.mark.parametrize("freedom", [0, -1])
def test_a_distribution_without_degrees_of_freedom_is_refused(freedom: Any) -> None:
    for quantity in (t_quantile, lambda freedom: two_sided_p(1.0, freedom)):
        with pytest.raises(ValueError, match="there must be 1 or more degrees of freedom; got "):
            quantity(freedom)


@pytest.mark.parametrize("share", [0, 1, -0.5, 2, nan])
def test_a_confidence_level_is_above_0_and_below_1(share: float) -> None:
    with pytest.raises(ValueError, match="a confidence level must be above 0 and below 1"):
        t_quantile(1, share)


def test_a_statistic_that_is_no_number_is_not_significant() -> None:
    """Its p-value was 0."""
    with pytest.raises(ValueError, match="a t statistic must be a number"):
        two_sided_p(nan, 10)


def test_there_is_no_mean_of_nothing() -> None:
    for pairs in ([], [(Fraction(1), 0)]):
        with pytest.raises(ValueError, match="there is no mean without numbers"):
            mean_of(pairs)
    with pytest.raises(ValueError, match="a frequency must be 0 or more; got -1"):
        mean_of([(Fraction(1), 2), (Fraction(1), -1)])


@pytest.mark.parametrize(("hits", "games"), [(0, 0), (0, -1), (-1, 5), (6, 5)])
def test_a_proportion_is_0_to_1_of_at_least_one_game(hits: Any, games: Any) -> None:
    with pytest.raises(ValueError, match="there must be 1 or more games"):
        proportion(hits, games)


@pytest.mark.parametrize("number", [nan, 2.5, True, "2", None])
def test_a_number_of_games_must_be_whole(number: Any) -> None:
    for attempt in (lambda: proportion(number, 5), lambda: proportion(1, number), lambda: t_quantile(number)):
        with pytest.raises(TypeError, match="must be a whole number; got"):
            attempt()
