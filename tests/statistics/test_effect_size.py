"""Effect sizes allow for the stopping time of the test."""

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from faceup.statistics.calibration import KINDS, simulate
from faceup.statistics.effect_size import effect
from faceup.statistics.sequential import Conclusion, DifferenceSums, RunningTest, SequentialTest


def test_far_from_boundaries_the_interval_is_normal() -> None:
    sums = DifferenceSums(40, 2.0, 40.0, 2.0)
    found = effect(SequentialTest(least=0.05), sums)
    middle, half = sums.z / sums.information, NormalDist().inv_cdf(0.95) / sqrt(sums.information)
    assert (found.low, found.estimate, found.high) == pytest.approx((middle - half, middle, middle + half), abs=0.004)


def test_a_higher_confidence_level_gives_a_longer_interval() -> None:
    narrow, wide = (
        effect(SequentialTest(least=0.5), DifferenceSums(30, 12.0, 30.0, 12.0), share) for share in (0.8, 0.95)
    )
    assert wide.low < narrow.low < narrow.estimate == pytest.approx(wide.estimate)
    assert narrow.high < wide.high


def test_mirrored_differences_mirror_the_interval() -> None:
    test = SequentialTest(least=0.5)
    up, down = effect(test, DifferenceSums(30, 12.0, 30.0, 12.0)), effect(test, DifferenceSums(30, -12.0, 30.0, -12.0))
    assert (down.low, down.estimate, down.high) == pytest.approx((-up.high, -up.estimate, -up.low))


def test_no_blocks_raise() -> None:
    with pytest.raises(ValueError, match="needs at least one block"):
        effect(SequentialTest(), DifferenceSums())


def test_early_stopping_lowers_the_estimate() -> None:
    test, walk = SequentialTest(least=0.5), RunningTest()
    while walk.outcome is Conclusion.OPEN:
        walk = walk.after(test, 1.0 if walk.sums.count % 3 else -1.0)
    assert walk.outcome is Conclusion.BETTER
    assert effect(test, walk.sums).estimate < walk.sums.z / walk.sums.information


@pytest.mark.parametrize("least", [0.01, 0.1, 0.5])
def test_the_most_extreme_end_has_an_interval(least: float) -> None:
    test, walk = SequentialTest(least=least), RunningTest()
    while walk.outcome is Conclusion.OPEN:
        walk = walk.after(test, 1.0)
    found = effect(test, walk.sums)
    assert 0 < found.low < found.estimate < found.high < 5


@pytest.mark.slow
@pytest.mark.parametrize("least", [0.1, 0.3, 0.5])
def test_intervals_agree_with_the_conclusion(least: float) -> None:
    test = SequentialTest(least=least)
    rng = np.random.default_rng(2)
    drawn = np.concatenate([rng.standard_normal((20, test.most)) + mean for mean in (0.0, least / 2, least)])
    for end in simulate(test, drawn):
        found = effect(test, end.sums, 1 - 2 * test.error)
        error = 0.05 / sqrt(end.sums.information)  # the lines are straight, and errors known as well as that
        if end.outcome is Conclusion.BETTER:
            assert found.low > -error
        elif end.outcome is Conclusion.WORSE:
            assert found.high < error
        else:
            assert found.low < error
            assert found.high > -error


def coverage(test: SequentialTest, kind: str, mean: float, comparisons: int) -> tuple[float, float, float]:
    """How often the interval is above the truth, and below it, and the estimate above it, in their own unit."""
    drawn = KINDS[kind](np.random.default_rng(5), (comparisons, test.most), mean)
    found = [effect(test, end.sums).times(end.sums.spread) for end in simulate(test, drawn)]
    return (
        sum(each.low > mean for each in found) / comparisons,
        sum(each.high < mean for each in found) / comparisons,
        sum(each.estimate > mean for each in found) / comparisons,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "mean", [pytest.param(0.0, marks=pytest.mark.long), 0.5, pytest.param(1.0, marks=pytest.mark.long)]
)
def test_each_end_of_the_interval_has_an_error_of_5_percent(mean: float) -> None:
    """`mean` is in parts of the least difference: at both hypotheses, and midway, where tests are longest."""
    comparisons = 400
    test = SequentialTest(least=0.5)
    above, below, high = coverage(test, "normal", mean * test.least, comparisons)
    assert above == pytest.approx(0.05, abs=0.033)
    assert below == pytest.approx(0.05, abs=0.033)
    assert high == pytest.approx(0.5, abs=0.08)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["normal", "places"])
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0, 2.0])
def test_interval_errors_hold_for_all_differences(kind: str, part: float) -> None:
    test = SequentialTest(least=0.2)
    above, below, high = coverage(test, kind, part * test.least, 500)
    assert above == pytest.approx(0.05, abs=0.03)
    assert below == pytest.approx(0.05, abs=0.03)
    assert high == pytest.approx(0.5, abs=0.07)
