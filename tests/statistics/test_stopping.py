"""What is said of the size of a difference allows for when the test stopped."""

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest

from faceup.statistics.sequential import Outcome, Sequential, Sums, Walk
from faceup.statistics.stopping import effect
from faceup.statistics.trials import KINDS, ends


def test_with_no_line_near_it_is_the_interval_of_a_normal_distribution() -> None:
    sums = Sums(40, 2.0, 40.0, 2.0)
    found = effect(Sequential(least=0.05), sums)
    middle, half = sums.z / sums.information, NormalDist().inv_cdf(0.95) / sqrt(sums.information)
    assert (found.low, found.estimate, found.high) == pytest.approx((middle - half, middle, middle + half), abs=0.004)


def test_a_larger_share_makes_a_longer_interval() -> None:
    narrow, wide = (effect(Sequential(least=0.5), Sums(30, 12.0, 30.0, 12.0), share) for share in (0.8, 0.95))
    assert wide.low < narrow.low < narrow.estimate == pytest.approx(wide.estimate)
    assert narrow.high < wide.high


def test_upside_down_the_interval_is_upside_down() -> None:
    test = Sequential(least=0.5)
    up, down = effect(test, Sums(30, 12.0, 30.0, 12.0)), effect(test, Sums(30, -12.0, 30.0, -12.0))
    assert (down.low, down.estimate, down.high) == pytest.approx((-up.high, -up.estimate, -up.low))


def test_of_nothing_nothing_can_be_said() -> None:
    with pytest.raises(ValueError, match="nothing was seen"):
        effect(Sequential(), Sums())


def test_stopping_at_a_height_draws_the_estimate_down() -> None:
    test, walk = Sequential(least=0.5), Walk()
    while walk.outcome is Outcome.OPEN:
        walk = walk.after(test, 1.0 if walk.sums.count % 3 else -1.0)
    assert walk.outcome is Outcome.BETTER
    assert effect(test, walk.sums).estimate < walk.sums.z / walk.sums.information


@pytest.mark.parametrize("least", [0.01, 0.1, 0.5])
def test_the_clearest_of_ends_has_an_interval(least: float) -> None:
    test, walk = Sequential(least=least), Walk()
    while walk.outcome is Outcome.OPEN:
        walk = walk.after(test, 1.0)
    found = effect(test, walk.sums)
    assert 0 < found.low < found.estimate < found.high < 5


@pytest.mark.slow
@pytest.mark.parametrize("least", [0.1, 0.3, 0.5])
def test_better_goes_with_an_interval_above_0_and_no_difference_with_one_around_it(least: float) -> None:
    test = Sequential(least=least)
    rng = np.random.default_rng(2)
    drawn = np.concatenate([rng.standard_normal((20, test.most)) + mean for mean in (0.0, least / 2, least)])
    for end in ends(test, drawn):
        found = effect(test, end.sums, 1 - 2 * test.error)
        error = 0.05 / sqrt(end.sums.information)  # the lines are straight, and errors known as well as that
        if end.outcome is Outcome.BETTER:
            assert found.low > -error
        elif end.outcome is Outcome.WORSE:
            assert found.high < error
        else:
            assert found.low < error
            assert found.high > -error


def coverage(test: Sequential, kind: str, mean: float, comparisons: int) -> tuple[float, float, float]:
    """How often the interval is above the truth, and below it, and the estimate above it, in their own unit."""
    drawn = KINDS[kind](np.random.default_rng(5), (comparisons, test.most), mean)
    found = [effect(test, end.sums).times(end.sums.spread) for end in ends(test, drawn)]
    return (
        sum(each.low > mean for each in found) / comparisons,
        sum(each.high < mean for each in found) / comparisons,
        sum(each.estimate > mean for each in found) / comparisons,
    )


@pytest.mark.slow
@pytest.mark.parametrize("mean", [0.0, 0.5, 1.0])
def test_each_end_of_the_interval_is_wrong_one_time_in_twenty(mean: float) -> None:
    """`mean` is in parts of the least difference: at both hypotheses, and midway, where tests are longest."""
    comparisons = 400
    test = Sequential(least=0.5)
    above, below, high = coverage(test, "normal", mean * test.least, comparisons)
    assert above == pytest.approx(0.05, abs=0.033)
    assert below == pytest.approx(0.05, abs=0.033)
    assert high == pytest.approx(0.5, abs=0.08)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["normal", "places"])
@pytest.mark.parametrize("part", [0.0, 0.5, 1.0, 2.0])
def test_the_ends_are_wrong_as_often_as_stated_at_all_differences(kind: str, part: float) -> None:
    test = Sequential(least=0.2)
    above, below, high = coverage(test, kind, part * test.least, 500)
    assert above == pytest.approx(0.05, abs=0.03)
    assert below == pytest.approx(0.05, abs=0.03)
    assert high == pytest.approx(0.5, abs=0.07)
