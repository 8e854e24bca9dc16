"""Bootstrap confidence intervals for any statistic of blocks: complete blocks are resampled with replacement.

Observations that depend on each other within a block, such as matches with the same cards, stay together. The intervals
are percentile intervals: they transform with any increasing function of the statistic, and stay within its range. They
are too short for few blocks: with ten blocks, the coverage of a 95 % interval is about 90 %.

Sources: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), 13.3; Davison and Hinkley, "Bootstrap Methods
and their Application" (1997), 3.8, for resampling blocks.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from faceup.extras import needs

with needs("fast", __name__):
    import numpy as np

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of any shape

_WEYL: Final = 0x9E3779B97F4A7C15
_MASK: Final = (1 << 64) - 1


def resamples(blocks: int, times: int, seed: int = 0) -> Iterator[Numbers]:
    """Yield bootstrap samples, each an array [blocks] with the number of times that each block is drawn.

    The random numbers come from SplitMix64, so that a seed gives the same samples on any machine and with any NumPy.
    Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).

    Args:
        blocks: the number of blocks, 1 to 2**32 - 1; each sample draws this number of blocks.
        times: the number of samples.
        seed: 0 to 2**64 - 1.

    >>> [list(map(int, drawn)) for drawn in resamples(4, 2)]
    [[0, 1, 3, 0], [2, 1, 0, 1]]
    """
    places = np.arange(1, blocks + 1, dtype=np.uint64)
    for time in range(times):
        start = _mixed((seed + (time + 1) * _WEYL) & _MASK)
        with np.errstate(over="ignore"):  # words are multiplied modulo 2**64
            words = places * np.uint64(_WEYL) + np.uint64(start)
            words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        high = words >> np.uint64(32)
        drawn = (high * np.uint64(blocks)) >> np.uint64(32)
        yield np.bincount(drawn.astype(np.int64), minlength=blocks).astype(np.float64)


def _mixed(x: int) -> int:
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & _MASK
    return x ^ (x >> 31)


def interval(values: Numbers, share: float = 0.95) -> tuple[Numbers, Numbers]:
    """Return the lower and upper ends of the central percentile interval, column by column.

    Args:
        values: [samples, ...], the statistic in each sample.
        share: the confidence level.

    >>> low, high = interval(np.arange(101.0)[:, None])
    >>> round(float(low[0]), 3), round(float(high[0]), 3)
    (2.5, 97.5)
    """
    low, high = np.quantile(values, [(1 - share) / 2, (1 + share) / 2], axis=0)
    return low, high
