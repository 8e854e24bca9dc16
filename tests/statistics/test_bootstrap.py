"""Complete blocks are drawn, uniformly, and reproducibly for a seed."""

import numpy as np
import pytest

from faceup.statistics.bootstrap import interval, resamples


def test_each_sample_draws_as_many_blocks_as_there_are() -> None:
    assert [int(drawn.sum()) for drawn in resamples(37, 20)] == [37] * 20


def test_samples_are_determined_by_the_seed() -> None:
    first, same, other = (np.array(list(resamples(50, 5, seed))) for seed in (3, 3, 4))
    assert (first == same).all()
    assert (first != other).any()


def test_more_samples_extend_fewer_samples() -> None:
    few, many = (np.array(list(resamples(50, times, 3))) for times in (2, 5))
    assert (many[:2] == few).all()


def test_blocks_are_drawn_uniformly() -> None:
    drawn = np.array(list(resamples(20, 5000, 1)))
    assert drawn.mean(axis=0) == pytest.approx(np.ones(20), abs=0.06)
    assert drawn.var(axis=0) == pytest.approx(np.full(20, 19 / 20), abs=0.12)
    # One that is drawn more often leaves less for the others.
    assert float(np.corrcoef(drawn[:, 0], drawn[:, 1])[0, 1]) == pytest.approx(-1 / 19, abs=0.06)


def test_the_largest_seed_is_valid() -> None:
    assert int(next(resamples(10, 1, 2**64 - 1)).sum()) == 10


def test_an_interval_is_central() -> None:
    low, high = interval(np.arange(1001.0).reshape(-1, 1), 0.9)
    assert (float(low[0]), float(high[0])) == pytest.approx((50, 950))


@pytest.mark.long
def test_bootstrap_intervals_have_about_their_nominal_coverage() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for trial in range(300):
        blocks = rng.standard_exponential(60)
        low, high = interval(np.array([(drawn @ blocks) / 60 for drawn in resamples(60, 300, trial)])[:, None])
        held += bool(low[0] <= 1 <= high[0])
    assert 0.89 <= held / 300 <= 0.97
