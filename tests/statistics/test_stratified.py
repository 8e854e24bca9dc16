"""Intervals over training runs: each task is resampled on its own, and the aggregate is that of rliable."""

import numpy as np
import pytest

from faceup.statistics.stratified import interquartile_mean, mean, stratified_interval


def test_the_interquartile_mean_leaves_out_a_quarter_at_each_end() -> None:
    """As `scipy.stats.trim_mean(scores, 0.25, axis=None)`, which rliable calls."""
    assert interquartile_mean(np.arange(8.0).reshape(2, 4)) == np.mean([2, 3, 4, 5])
    assert interquartile_mean(np.array([[-100.0, 1.0, 2.0, 3.0, 1000.0]])) == 2  # 5 // 4 is 1
    assert interquartile_mean(np.array([[5.0]])) == 5


def test_runs_are_resampled_within_each_task() -> None:
    scores = np.array([[0.0, 1000.0], [1.0, 1001.0], [2.0, 1002.0]])
    low, high = stratified_interval(scores, mean)
    assert 500 <= low < 501 < high <= 502  # tasks are never mixed
    # The tasks vary independently, so the variance of their mean is half of that of a task.
    assert high - low == pytest.approx(2 * 1.96 * (2 / 3 / 3 / 2) ** 0.5, rel=0.15)


def test_the_interval_of_equal_runs_is_a_point() -> None:
    assert stratified_interval(np.full((5, 3), 0.25)) == (0.25, 0.25)


def test_the_seed_determines_the_interval() -> None:
    scores = np.random.default_rng(1).standard_normal((5, 9))
    assert stratified_interval(scores, seed=1) == stratified_interval(scores, seed=1)
    assert stratified_interval(scores, seed=1) != stratified_interval(scores, seed=2)


@pytest.mark.long
def test_intervals_of_five_runs_have_about_their_nominal_coverage() -> None:
    rng = np.random.default_rng(1)
    held = 0
    for trial in range(200):
        low, high = stratified_interval(rng.standard_normal((5, 9)), mean, times=300, seed=trial)
        held += low <= 0 <= high
    assert 0.84 <= held / 200 <= 0.96  # for five runs, somewhat below 95 %
