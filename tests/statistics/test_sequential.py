"""The sequential test has the stated error rates, always ends, and never returns NaN."""

from itertools import pairwise
from math import isfinite, log, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faceup.statistics.calibration import KINDS, estimate_error_rates, simulate
from faceup.statistics.sequential import Conclusion, RunningTest, SequentialTest


def walked(test: SequentialTest, differences: list[float]) -> RunningTest:
    walk = RunningTest()
    for difference in differences:
        walk = walk.after(test, difference)
    return walk


TESTS = st.builds(SequentialTest, st.floats(0.1, 0.5), st.floats(0.001, 0.2), st.floats(0.001, 0.2))


@given(TESTS, st.lists(st.sampled_from([-1.0, -0.25, 0.0, 0.25, 1.0]) | st.floats(-1e6, 1e6), max_size=60))
@example(SequentialTest(), [0.0, 7.2e-156])
@example(SequentialTest(), [0.0, 3e-110, 1e-110])
def test_every_reported_number_is_finite(test: SequentialTest, differences: list[float]) -> None:
    walk = walked(test, differences)
    progress = test.progress(walk.sums)
    for number in (
        walk.sums.z,
        walk.sums.information,
        walk.sums.spread,
        progress.standing,
        *progress_numbers(test, walk),
    ):
        assert isfinite(number)
    assert abs(walk.sums.z) <= walk.sums.count * (1 + 1e-9)


def progress_numbers(test: SequentialTest, walk: RunningTest) -> tuple[float, ...]:
    progress = test.progress(walk.sums)
    return progress.bounds.outer, progress.bounds.inner, progress.expected, progress.most


@given(
    st.builds(SequentialTest, st.floats(0.3, 0.5), st.floats(0.001, 0.2), st.floats(0.001, 0.2)),
    st.lists(st.sampled_from([-3.0, -1.0, 0.0, 0.0, 1.0, 2.0]), min_size=1, max_size=20),
)
@example(SequentialTest(0.41149981794279594, 0.001, 0.19861728896672132), [-1.0, 1.0, 1.0])
def test_a_test_ends_within_its_maximum_length(test: SequentialTest, pattern: list[float]) -> None:
    differences = pattern * (test.most // len(pattern) + 1)
    walk = walked(test, differences[: test.most])
    assert walk.outcome is not Conclusion.OPEN
    assert walk.sums.count <= test.most


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), max_size=40))
def test_mirrored_differences_mirror_the_conclusion(differences: list[float]) -> None:
    test = SequentialTest(least=0.5)
    turned = {Conclusion.BETTER: Conclusion.WORSE, Conclusion.WORSE: Conclusion.BETTER}
    first, other = walked(test, differences), walked(test, [-difference for difference in differences])
    assert other.outcome is turned.get(first.outcome, first.outcome)
    assert other.sums.count == first.sums.count


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), max_size=40), st.sampled_from([0.001, 0.25, 8.0]))
def test_the_unit_of_the_points_does_not_matter(differences: list[float], unit: float) -> None:
    test = SequentialTest(least=0.5)
    first, other = walked(test, differences), walked(test, [unit * difference for difference in differences])
    assert (first.outcome, first.sums.count) == (other.outcome, other.sums.count)


def test_equal_results_mean_no_difference() -> None:
    test = SequentialTest(least=0.2)
    walk = walked(test, [0.0] * test.most)
    assert walk.outcome is Conclusion.NONE
    assert walk.sums.count < test.most / 2


@pytest.mark.parametrize("difference", [1e-9, 0.25, 1e9])
def test_a_constant_difference_is_detected(difference: float) -> None:
    walk = walked(SequentialTest(), [difference] * 100)
    assert walk.outcome is Conclusion.BETTER
    assert walk.sums.spread == 0


@pytest.mark.parametrize("least", [0.05, 0.1, 0.25, 0.5])
def test_a_minimum_number_of_blocks_is_needed(least: float) -> None:
    test = SequentialTest(least=least)
    # Equal bots give this many of the same sign by chance.
    walk = walked(test, [1.0] * 2000)
    assert 0.5**walk.sums.count <= test.error


@pytest.mark.parametrize("error", [0.001, 0.05, 0.2])
@pytest.mark.parametrize("least", [0.05, 0.1, 0.2, 0.5])
def test_the_shortest_comparison_is_as_long_as_stated(least: float, error: float) -> None:
    """Equal differences are the clearest result; it takes about 2 ln(1 / (2 error)) / least blocks."""
    test = SequentialTest(least, error, error)
    for difference in (1.0, -3.5):
        assert walked(test, [difference] * test.most).sums.count == test.fewest
    assert test.fewest == pytest.approx(2 * log(1 / (2 * error)) / least, abs=2)
    if error == 0.05:
        assert test.fewest == pytest.approx(4.6 / least, abs=1.1)


@given(TESTS, st.lists(st.sampled_from([-1.0, 0.0, 0.25, 1.0, 40.0]) | st.floats(-9, 9), min_size=1, max_size=60))
@example(SequentialTest(0.125, 0.0625, 0.125), [8.453649112919305e-162])
def test_no_comparison_is_shorter_than_the_shortest(test: SequentialTest, differences: list[float]) -> None:
    walk = walked(test, differences * (test.fewest // len(differences) + 1))
    assert walk.outcome is Conclusion.OPEN or walk.sums.count >= test.fewest


@pytest.mark.parametrize("least", [0.1, 0.2, 0.5])
def test_no_difference_takes_as_long_as_stated(least: float) -> None:
    walk = walked(SequentialTest(least), [0.0] * 2000)
    assert walk.outcome is Conclusion.NONE
    assert walk.sums.count == pytest.approx(6.1 / least**2, rel=0.06)


@pytest.mark.parametrize("difference", [float("nan"), float("inf")])
def test_non_finite_differences_raise(difference: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        RunningTest().after(SequentialTest(), difference)


@pytest.mark.parametrize(
    "settings", [{"least": 0.0}, {"least": 0.6}, {"error": 0.5}, {"miss": 0.0}, {"error": float("nan")}]
)
def test_settings_out_of_range_raise(settings: dict[str, float]) -> None:
    with pytest.raises(ValueError, match=r"must be 0\.01 to 0\.5|must be 0\.001 to 0\.2"):
        SequentialTest(**settings)


def test_differences_after_the_end_change_nothing() -> None:
    test = SequentialTest(least=0.5)
    walk = walked(test, [1.0] * 20)
    assert walk.after(test, -1e6) is walk


def test_stricter_settings_need_more_blocks() -> None:
    assert SequentialTest(least=0.05).most > SequentialTest(least=0.1).most
    assert SequentialTest(error=0.01).most > SequentialTest().most
    assert SequentialTest(miss=0.01).most > SequentialTest().most


def test_the_boundaries_meet_at_the_maximum_length() -> None:
    test = SequentialTest()
    gaps = [test.bounds(time).outer - test.bounds(time).inner for time in (0, test.most / 2, test.most)]
    assert gaps[0] > gaps[1] > 0 > gaps[2]


def test_vectorized_simulation_matches_the_scalar_test() -> None:
    test = SequentialTest(least=0.4)
    rng = np.random.default_rng(1)
    for mean in (-0.4, 0.0, 0.2):
        for draw in KINDS.values():
            drawn = draw(rng, (20, test.most), mean)
            for row, end in zip(drawn, simulate(test, drawn), strict=True):
                walk = walked(test, [float(number) for number in row])
                assert (walk.outcome, walk.sums.count) == (end.outcome, end.sums.count)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mean", [-0.2, 0.0, 0.3])
def test_simulated_differences_have_the_requested_mean_and_deviation(kind: str, mean: float) -> None:
    drawn = KINDS[kind](np.random.default_rng(3), (200, 2000), mean * (0.3 if kind == "rare" else 1))
    assert float(drawn.mean()) == pytest.approx(mean * (0.3 if kind == "rare" else 1), abs=0.01)
    assert float(drawn.std()) == pytest.approx(1, abs=0.05)


def test_progress_counts_down_to_the_end() -> None:
    test = SequentialTest(least=0.5)
    walk, stages = RunningTest(), []
    while walk.outcome is Conclusion.OPEN:
        walk = walk.after(test, 1.0 if walk.sums.count % 4 else -0.5)
        stages.append(test.progress(walk.sums))
    assert [stage.blocks for stage in stages] == list(range(1, len(stages) + 1))
    assert all(stage.most >= other.most for stage, other in pairwise(stages))
    assert all(0 < stage.standing < 1 for stage in stages[2:-1])
    assert stages[-1].standing >= 1
    assert stages[-1].expected == 0
    assert all(stage.expected <= stage.most for stage in stages)


def allowed(rate: float, comparisons: int) -> float:
    """A rate, and three standard errors of its estimate."""
    return rate + 3 * sqrt(rate * (1 - rate) / comparisons)


QUICK = 2000


@pytest.mark.sample(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "skewed"])
@pytest.mark.parametrize("least", [0.25, 0.5])
def test_the_error_rate_for_equal_bots_is_at_most_nominal(kind: str, least: float) -> None:
    rates = estimate_error_rates(SequentialTest(least=least), KINDS[kind], 0.0, comparisons=QUICK)
    assert rates.better <= allowed(0.055, QUICK)
    assert rates.worse <= allowed(0.055, QUICK)
    assert rates.better + rates.worse + rates.none == pytest.approx(1)


@pytest.mark.slow
def test_the_error_rate_for_skewed_differences_is_close_to_nominal() -> None:
    rates = estimate_error_rates(SequentialTest(least=0.25), KINDS["skewed"], 0.0, comparisons=QUICK)
    assert rates.better + rates.worse <= allowed(0.1, QUICK)
    assert max(rates.better, rates.worse) <= allowed(0.07, QUICK)


@pytest.mark.slow
def test_a_smaller_error_rate_is_met() -> None:
    test = SequentialTest(least=0.3, error=0.01, miss=0.1)
    equal, better = (estimate_error_rates(test, KINDS["places"], mean, comparisons=QUICK) for mean in (0.0, test.least))
    assert max(equal.better, equal.worse) <= allowed(0.011, QUICK)
    assert 1 - better.better <= allowed(0.1, QUICK)


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_the_miss_rate_at_the_least_difference_is_at_most_nominal(kind: str) -> None:
    test = SequentialTest(least=0.2)
    rates = estimate_error_rates(test, KINDS[kind], test.least, comparisons=QUICK)
    assert 1 - rates.better <= allowed(0.05, QUICK)
    assert rates.worse <= 0.001
