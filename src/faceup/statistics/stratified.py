"""Stratified bootstrap over training runs: intervals of aggregate scores of a few runs on many tasks.

Runs are resampled with replacement for each task on its own, so every resample has the tasks of the benchmark. The
aggregate is the mean, or the interquartile mean, which leaves out the best and the worst quarter of all scores. The
intervals describe the differences between training runs; with five runs they are somewhat too short.

Source: Agarwal, Schwarzer, Castro, Courville and Bellemare, "Deep reinforcement learning at the edge of the statistical
precipice" (2021), section 4, with the library rliable. It would install 24 packages, among them matplotlib, pandas
and statsmodels.
"""

from collections.abc import Callable
from typing import TypeAlias

from faceup.extras import needs
from faceup.statistics.bootstrap import Numbers, interval, resamples

with needs("fast", __name__):
    import numpy as np

Aggregate: TypeAlias = Callable[[Numbers], float]
"""A function from scores [runs, tasks] to a number."""


def interquartile_mean(scores: Numbers) -> float:
    """Return the mean without the lowest and the highest quarter of the scores, rounded down.

    >>> interquartile_mean(np.array([[0.0, 1.0], [2.0, 9.0]]))
    1.5
    """
    ordered = np.sort(scores, axis=None)
    cut = len(ordered) // 4
    return float(ordered[cut : len(ordered) - cut].mean())


def mean(scores: Numbers) -> float:
    """Return the mean of all scores."""
    return float(scores.mean())


def stratified_interval(
    scores: Numbers, aggregate: Aggregate = interquartile_mean, *, times: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """Return the ends of the 95 % percentile interval of an aggregate.

    Args:
        scores: [runs, tasks], 2 runs or more.
        aggregate: the aggregate.
        times: the number of resamples.
        seed: seed of the resamples.

    >>> low, high = stratified_interval(np.array([[0.0, 10.0], [1.0, 11.0], [2.0, 12.0]]), mean)
    >>> 5 < low < 6 < high < 7
    True
    """
    runs, tasks = scores.shape
    drawn = resamples(runs, times * tasks, seed)
    values = [
        aggregate(np.stack([np.repeat(column, next(drawn).astype(np.int64)) for column in scores.T], axis=1))
        for _ in range(times)
    ]
    low, high = interval(np.array(values)[:, np.newaxis])
    return float(low[0]), float(high[0])
