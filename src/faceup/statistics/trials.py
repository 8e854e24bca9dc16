"""A sequential test tried on many made-up comparisons at once: how often it errs, and how long it takes.

`script/verdicts` makes the table of docs/statistics.md with it, and the tests hold the test to what it promises.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from faceup.statistics.sequential import Outcome, Sequential, Sums

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of one or two dimensions
Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int], float], Array]
"""From a generator, [comparisons, blocks] and a mean to differences, both in standard deviations."""


class End(msgspec.Struct, frozen=True):
    """How one comparison ended.

    Attributes:
        outcome: what was said.
        sums: of its differences until then.
    """

    outcome: Outcome
    sums: Sums


class Tally(msgspec.Struct, frozen=True):
    """What became of many comparisons, as shares of all.

    Attributes:
        better, worse, none: how often it was said.
        blocks: how many they took on average.
    """

    better: float
    worse: float
    none: float
    blocks: float


def ends(test: Sequential, differences: Array) -> list[End]:
    """How comparisons end.

    Args:
        test: which.
        differences: [comparisons, blocks]; of one that does not end with these, the end is open.
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
    # The lines are straight: two points say all of them.
    first, second = test.bounds(0.0), test.bounds(1.0)
    outer = first.outer + (second.outer - first.outer) * times
    inner = first.inner + (second.inner - first.inner) * times
    better, worse = np.minimum(z, corrected) >= outer, np.maximum(z, corrected) <= -outer
    over = better | worse | (np.abs(z) <= inner) | (times >= test.end)
    ended = over.any(axis=1)
    last = np.where(ended, over.argmax(axis=1), differences.shape[1] - 1)
    found = []
    for row, column in enumerate(last):
        outcome = Outcome.OPEN
        if ended[row]:
            outcome = Outcome.WORSE if worse[row, column] else Outcome.NONE
            outcome = Outcome.BETTER if better[row, column] else outcome
        sums = Sums(int(counts[column]), *(float(each[row, column]) for each in (totals, squares, cubes)))
        found.append(End(outcome, sums))
    return found


def tally(test: Sequential, draw: Draw, mean: float, *, comparisons: int, seed: int = 0) -> Tally:
    """Try a test on made-up comparisons.

    Args:
        test: which.
        draw: what the differences are like.
        mean: of the differences, in standard deviations.
        comparisons: how many.
        seed: of NumPy's generator, whose numbers may change from version to version.

    >>> tally(Sequential(least=0.5), KINDS["normal"], 0.5, comparisons=100).better > 0.9
    True
    """
    rng = np.random.default_rng(seed)
    said = dict.fromkeys(Outcome, 0)
    blocks = 0
    at_once = max(1, 1_000_000 // test.most)
    for begin in range(0, comparisons, at_once):
        drawn = draw(rng, (min(at_once, comparisons - begin), test.most), mean)
        for end in ends(test, drawn):
            said[end.outcome] += 1
            blocks += end.sums.count
    better, worse, none = (said[outcome] / comparisons for outcome in (Outcome.BETTER, Outcome.WORSE, Outcome.NONE))
    return Tally(better, worse, none, blocks / comparisons)


def _normal(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    return rng.standard_normal(shape) + mean


def _places(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Places at a table of four: half of the matches of a block end alike for both, and the others anyhow."""
    one, other = rng.integers(1, 5, (*shape, 4)), rng.integers(1, 5, (*shape, 4))
    alike = rng.random((*shape, 4)) < 0.5
    summed: Array = np.where(alike, 0, one - other).sum(axis=2).astype(np.float64)
    # The sum of four differences, half of them 0, each other's variance being twice that of a place: 2 * 1.25.
    deviation = np.sqrt(4 * 0.5 * 2.5)
    # Differences stay whole numbers: the mean is made up of steps of one.
    found: Array = (summed + np.floor(mean * deviation + rng.random(shape))) / deviation
    return found


def _rare(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Bots that are nearly the same: nineteen blocks of twenty are alike, and one goes either way."""
    deviation = np.sqrt(0.05)
    chance = 0.05  # how often they differ stays the same with any mean; which way, does not
    up = (1 + mean * deviation / chance) / 2
    differ = rng.random(shape) < chance
    found: Array = np.where(differ, np.where(rng.random(shape) < up, 1.0, -1.0), 0.0) / deviation
    return found


def _heavy(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Student's distribution with three degrees of freedom, whose fourth moment is infinite."""
    found: Array = rng.standard_t(3, shape) / np.sqrt(3) + mean
    return found


def _skewed(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """Mostly a little below, now and then far above: an exponential distribution."""
    found: Array = rng.standard_exponential(shape) - 1 + mean
    return found


def _crashing(rng: np.random.Generator, shape: tuple[int, int], mean: float) -> Array:
    """A normal distribution, but in one block of fifty the new bot is put out, which costs it three deviations."""
    chance, cost = 0.02, 3.0
    deviation = np.sqrt(1 + chance * (1 - chance) * cost**2)
    put_out = (rng.random(shape) < chance) * cost
    found: Array = (rng.standard_normal(shape) - put_out + chance * cost) / deviation + mean
    return found


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
"""What the differences of blocks can be like."""
