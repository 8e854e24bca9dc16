"""Effect sizes allow for the stopping time of the test."""

from fractions import Fraction
from math import sqrt
from statistics import NormalDist

import msgspec
import numpy as np
import pytest

from faceup.statistics import t_quantile
from faceup.statistics.calibration import KINDS, simulate
from faceup.statistics.effect_size import Effect, effect, mean_effect
from faceup.statistics.sequential import Conclusion, DifferenceSums, RunningTest, SequentialTest


def sums_of(count: int, total: float, squares: float, cubes: float) -> DifferenceSums:
    return DifferenceSums(count, Fraction(total), Fraction(squares), Fraction(cubes))


def test_far_from_boundaries_the_interval_is_normal() -> None:
    sums = sums_of(40, 2.0, 40.0, 2.0)
    estimate = effect(SequentialTest(least=0.05), sums)
    middle, half = sums.z / sums.information, NormalDist().inv_cdf(0.95) / sqrt(sums.information)
    assert (estimate.low, estimate.estimate, estimate.high) == pytest.approx(
        (middle - half, middle, middle + half), abs=0.004
    )


def test_a_higher_confidence_level_gives_a_longer_interval() -> None:
    narrow, wide = (effect(SequentialTest(least=0.5), sums_of(30, 12.0, 30.0, 12.0), share) for share in (0.8, 0.95))
    assert wide.low < narrow.low < narrow.estimate == pytest.approx(wide.estimate)
    assert narrow.high < wide.high


def test_mirrored_differences_mirror_the_interval() -> None:
    test = SequentialTest(least=0.5)
    up, down = effect(test, sums_of(30, 12.0, 30.0, 12.0)), effect(test, sums_of(30, -12.0, 30.0, -12.0))
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
    estimate = effect(test, walk.sums)
    assert 0 < estimate.low < estimate.estimate < estimate.high < 5


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("least", [0.1, 0.3, 0.5])
def test_intervals_agree_with_the_conclusion(least: float) -> None:
    test = SequentialTest(least=least)
    rng = np.random.default_rng(2)
    drawn = np.concatenate([rng.standard_normal((20, test.most)) + mean for mean in (0.0, least / 2, least)])
    for end in simulate(test, drawn):
        estimate = effect(test, end.sums, 1 - 2 * test.error)
        error = 0.05 / sqrt(end.sums.information)  # the lines are straight, and errors known as well as that
        if end.outcome is Conclusion.BETTER:
            assert estimate.low > -error
        elif end.outcome is Conclusion.WORSE:
            assert estimate.high < error
        else:
            assert estimate.low < error
            assert estimate.high > -error


class Coverage(msgspec.Struct, frozen=True):
    """The errors of the intervals of simulated comparisons, as parts of all comparisons.

    Attributes:
        above: how often the whole interval is above the true difference.
        below: how often it is below.
        high: how often the estimate is too high.
    """

    above: float
    below: float
    high: float


def coverage(test: SequentialTest, kind: str, mean: float, comparisons: int) -> tuple[Coverage, Coverage]:
    """Return the errors in the unit of the differences, and in standard deviations, which are 1."""
    ends = simulate(test, KINDS[kind](np.random.default_rng(5), (comparisons, test.most), mean))
    points = [mean_effect(test, end.sums) for end in ends]
    standard = [size.standardized(end.sums.mean, end.sums.spread) for size, end in zip(points, ends, strict=True)]
    in_points, in_deviations = (
        Coverage(
            sum(size.low > mean for size in sizes) / comparisons,
            sum(size.high < mean for size in sizes) / comparisons,
            sum(size.estimate > mean for size in sizes) / comparisons,
        )
        for sizes in (points, standard)
    )
    return in_points, in_deviations


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize("part", [0.0, pytest.param(0.5, marks=pytest.mark.long), 1.0, 2.0])
def test_each_end_of_the_interval_has_an_error_of_5_percent(part: float) -> None:
    """At 0, midway, where tests are longest, and at large differences, whose deviation makes a difference."""
    test = SequentialTest(least=0.5)
    points, standard = coverage(test, "normal", part * test.least, 1500)
    for errors in (points, standard):
        assert errors.above == pytest.approx(0.05, abs=0.018)
        assert errors.below == pytest.approx(0.05, abs=0.018)
        assert errors.high == pytest.approx(0.5, abs=0.08)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["normal", "places"])
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0, 2.0])
def test_interval_errors_hold_for_all_differences(kind: str, part: float) -> None:
    test = SequentialTest(least=0.2)
    for errors in coverage(test, kind, part * test.least, 500):
        assert errors.above == pytest.approx(0.05, abs=0.03)
        assert errors.below == pytest.approx(0.05, abs=0.03)
        assert errors.high == pytest.approx(0.5, abs=0.07)


@pytest.mark.parametrize("difference", [0.0, 1.0, 2.0])
def test_student_intervals_in_standard_deviations_have_an_error_of_5_percent(difference: float) -> None:
    blocks, comparisons = 40, 4000
    drawn = np.random.default_rng(6).standard_normal((comparisons, blocks)) + difference
    above = below = 0
    for mean, spread in zip(drawn.mean(axis=1).tolist(), drawn.std(axis=1, ddof=1).tolist(), strict=True):
        half = t_quantile(blocks - 1, 0.9) * spread / sqrt(blocks)
        size = Effect(mean, mean - half, mean + half, 0.9).standardized(mean, spread)
        above, below = above + (size.low > difference), below + (size.high < difference)
    assert above / comparisons == pytest.approx(0.05, abs=0.015)
    assert below / comparisons == pytest.approx(0.05, abs=0.015)


def test_an_interval_is_on_the_same_side_of_0_in_both_units() -> None:
    for low in (0.01, 0.1, 1.0):
        points = Effect(low + 2, low, low + 4, 0.9)
        assert points.standardized(low + 2, 0.5).low >= 0
        mirrored = Effect(-points.estimate, -points.high, -points.low, 0.9)
        assert mirrored.standardized(-low - 2, 0.5).high <= 0
