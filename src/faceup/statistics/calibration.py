"""Monte Carlo calibration of the sequential test: its error rates and expected length on simulated comparisons.

`script/verdicts` makes the table of docs/explanation/statistics.md with it, and the tests check the promised error
rates.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from faceup.extras import needs
from faceup.statistics.sequential import Conclusion, DifferenceSums, SequentialTest

with needs("fast", __name__):
    import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of one or two dimensions
Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int], float], Array]
"""A function from a generator, a shape [comparisons, blocks] and a true mean to sampled differences.

The mean and the differences are in standard deviations.
"""


class ComparisonEnd(msgspec.Struct, frozen=True):
    """The end of one comparison.

    Attributes:
        outcome: the conclusion of the test.
        sums: the sums of the comparison's differences until its end.
    """

    outcome: Conclusion
    sums: DifferenceSums


class ErrorRates(msgspec.Struct, frozen=True):
    """Rates of the conclusions in simulated comparisons.

    Attributes:
        better, worse, none: the fraction of comparisons with this conclusion.
        blocks: the mean number of blocks.
    """

    better: float
    worse: float
    none: float
    blocks: float


def simulate(test: SequentialTest, differences: Array) -> list[ComparisonEnd]:
    """Return how each comparison ends.

    Args:
        test: the test.
        differences: [comparisons, blocks]; a comparison that does not end within its blocks is `OPEN`.
    """
    counts = np.arange(1, differences.shape[1] + 1)
    totals, squares, cubes = (np.cumsum(differences**power, axis=1) for power in (1, 2, 3))
    means, squared = totals / counts, squares / counts
    variances = squared - means**2
    spread = variances * counts > 1e-12 * squares
    with np.errstate(invalid="ignore", divide="ignore"):
        z = np.where(squares > 0, totals / np.sqrt(squared), 0.0)
        thirds = cubes / counts - 3 * means * squared + 2 * means**3
        skew = np.where(spread, thirds / variances**1.5, 0.0) / np.sqrt(counts)
    t = z / np.sqrt(counts)
    corrected = np.where(spread, np.sqrt(counts) * (t + skew * t**2 / 3 + skew**2 * t**3 / 27 + skew / 6), z)
    times = counts - z**2 / (2 * counts)
    # Each boundary is a straight line through two points.
    first, second = test.bounds(0.0), test.bounds(1.0)
    outer = first.outer + (second.outer - first.outer) * times
    inner = first.inner + (second.inner - first.inner) * times
    better, worse = np.minimum(z, corrected) >= outer, np.maximum(z, corrected) <= -outer
    over = better | worse | (np.abs(z) <= inner) | (times >= test.end)
    ended = over.any(axis=1)
    last = np.where(ended, over.argmax(axis=1), differences.shape[1] - 1)
    ends = []
    for row, column in enumerate(last):
        outcome = Conclusion.OPEN
        if ended[row]:
            outcome = Conclusion.WORSE if worse[row, column] else Conclusion.NONE
            outcome = Conclusion.BETTER if better[row, column] else outcome
        sums = DifferenceSums(
            int(counts[column]), *(Fraction(float(sums[row, column])) for sums in (totals, squares, cubes))
        )
        ends.append(ComparisonEnd(outcome, sums))
    return ends


def estimate_error_rates(
    test: SequentialTest, draw: Draw, mean: float, *, comparisons: int, seed: int = 0
) -> ErrorRates:
    """Estimate the error rates of a test from simulated comparisons.

    Args:
        test: the test.
        draw: function that samples differences.
        mean: the true mean of the differences, in standard deviations.
        comparisons: the number of comparisons.
        seed: the seed of NumPy's generator; its numbers may change with NumPy's version.

    >>> estimate_error_rates(SequentialTest(least=0.5), KINDS["normal"], 0.5, comparisons=100).better > 0.9
    True
    """
    rng = np.random.default_rng(seed)
    tally = dict.fromkeys(Conclusion, 0)
    blocks = 0
    chunk = max(1, 1_000_000 // test.most)
    for start in range(0, comparisons, chunk):
        drawn = draw(rng, (min(chunk, comparisons - start), test.most), mean)
        for end in simulate(test, drawn):
            tally[end.outcome] += 1
            blocks += end.sums.count
    better, worse, none = (
        tally[outcome] / comparisons for outcome in (Conclusion.BETTER, Conclusion.WORSE, Conclusion.NONE)
    )
    return ErrorRates(better, worse, none, blocks / comparisons)


def _normal(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    return rng.standard_normal(shape) + mean


def _places(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Sample ranks at a table of four. In half of the matches, both bots have equal ranks; else independent ones."""
    first, other = rng.integers(1, 5, (*shape, 4)), rng.integers(1, 5, (*shape, 4))
    alike = rng.random((*shape, 4)) < 0.5
    summed: Array = np.where(alike, 0, first - other).sum(axis=2).astype(np.float64)
    # A block sums up four differences. Half of them are 0; the others have twice the variance of a rank, 2 * 1.25.
    deviation = np.sqrt(4 * 0.5 * 2.5)
    # Random steps of one shift the mean, so that differences stay integers.
    scaled: Array = (summed + np.floor(mean * deviation + rng.random(shape))) / deviation
    return scaled


def _rare(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Sample nearly equal bots: 19 of 20 blocks have equal results, and in the other either bot is better."""
    deviation = np.sqrt(0.05)
    chance = 0.05  # the mean changes the sign of a difference, not its probability
    up = (1 + mean * deviation / chance) / 2
    differ = rng.random(shape) < chance
    values: Array = np.where(differ, np.where(rng.random(shape) < up, 1.0, -1.0), 0.0) / deviation
    return values


def _heavy(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Sample from Student's distribution with three degrees of freedom, which has an infinite fourth moment."""
    values: Array = rng.standard_t(3, shape) / np.sqrt(3) + mean
    return values


def _skewed(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Sample from an exponential distribution, mostly a little below its mean, rarely far above it."""
    values: Array = rng.standard_exponential(shape) - 1 + mean
    return values


def _crashing(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Sample normal differences, but in one block of 50, the new bot is disqualified, which costs three deviations."""
    chance, cost = 0.02, 3.0
    deviation = np.sqrt(1 + chance * (1 - chance) * cost**2)
    disqualified = (rng.random(shape) < chance) * cost
    values: Array = (rng.standard_normal(shape) - disqualified + chance * cost) / deviation + mean
    return values


KINDS: Final[Mapping[str, Draw]] = MappingProxyType(
    {
        "normal": _normal,
        "places": _places,
        "rare": _rare,
        "heavy": _heavy,
        "skewed": _skewed,
        "crashing": _crashing,
    }
)
"""Distributions of block differences, by name."""
