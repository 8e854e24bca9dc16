"""Means and proportions with confidence intervals, including means of clustered observations (blocks).

Source of Student's t distribution: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and
26.7.4 for the distribution, 26.7.5 for its quantiles.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import atan, cos, erfc, exp, isnan, lgamma, log, log1p, pi, sin, sqrt, tan
from numbers import Integral, Rational, Real
from statistics import NormalDist
from typing import Final

import msgspec

NORMAL: Final = 1.959963984540054
"""The two-sided 95 % quantile of the standard normal distribution."""

_AS_NORMAL: Final = 100_000
"""With this many degrees of freedom or more, the normal distribution is used; no printed digit differs."""

_EXPANSION_FROM: Final = 100
"""With this many degrees of freedom or more, the expansion of the quantile has nine correct digits up to 99.9 %."""

_STEPS: Final = 50


@cache
def t_quantile(freedom: int, share: float = 0.95) -> float:
    """Return the two-sided quantile: the number of standard errors around the mean that contain `share`.

    Args:
        freedom: the degrees of freedom, the sample size minus 1; 1 or more.
        share: the confidence level, above 0 and below 1.

    Raises:
        ValueError: an argument is out of range.
        TypeError: an argument is no number.

    >>> [round(t_quantile(freedom), 3) for freedom in (1, 2, 10, 10**6)]
    [12.706, 4.303, 2.228, 1.96]
    >>> round(t_quantile(10, 0.9), 3)
    1.812
    """
    _check_freedom(freedom)
    _check_number("a confidence level", share)
    if not 0 < share < 1:
        raise ValueError(f"a confidence level must be above 0 and below 1; got {share}")
    if freedom < 3:  # exact formulas, since the expansion is inaccurate for these
        return tan(pi / 2 * share) if freedom == 1 else share * sqrt(2 / (1 - share * share))
    z = NORMAL if share == 0.95 else NormalDist().inv_cdf((1 + share) / 2)
    quantile = (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )
    if freedom < _EXPANSION_FROM:
        # Newton's method. The p-value is convex, so every step from below the quantile stays below it.
        for _ in range(_STEPS):
            step = (two_sided_p(quantile, freedom) - (1 - share)) / (2 * _density(quantile, freedom))
            quantile += step
            if abs(step) < 1e-12 * quantile:
                break
    return quantile


def _density(t: float, freedom: int) -> float:
    """Return the density of Student's t distribution."""
    constant = lgamma((freedom + 1) / 2) - lgamma(freedom / 2) - log(freedom * pi) / 2
    return exp(constant - (freedom + 1) / 2 * log1p(t * t / freedom))


def two_sided_p(t: float, freedom: int) -> float:
    """Return the two-sided p-value of a t statistic.

    Args:
        t: the mean divided by its standard error.
        freedom: the degrees of freedom, 1 or more.

    Raises:
        ValueError: `t` is not a number, or there are too few degrees of freedom.

    >>> round(two_sided_p(2.228, 10), 3)
    0.05
    """
    _check_freedom(freedom)
    _check_number("a t statistic", t)
    if isnan(t):  # `max` below would take it for the strongest evidence, 0
        raise ValueError("a t statistic must be a number; got nan")
    if freedom >= _AS_NORMAL:
        return erfc(abs(t) / sqrt(2))
    angle = atan(abs(t) / sqrt(freedom))
    if freedom == 1:
        return 1 - 2 * angle / pi
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = term
    for k in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    inside = 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
    return max(0.0, 1 - inside)


def _whole(name: str, number: object) -> int:
    """Return a whole number of any library as an `int`. Raises `TypeError` for anything else, also for a boolean."""
    if isinstance(number, bool) or not isinstance(number, Integral):
        raise TypeError(f"{name} must be a whole number; got {number!r:.200}")
    return int(number)


def _check_number(name: str, number: object) -> None:
    """Raise `TypeError` unless this is a number."""
    if isinstance(number, bool) or not isinstance(number, Real):
        raise TypeError(f"{name} must be a number; got {number!r:.200}")


def _check_freedom(freedom: int) -> None:
    if _whole("the degrees of freedom", freedom) < 1:
        raise ValueError(f"there must be 1 or more degrees of freedom; got {freedom}")


class Mean(msgspec.Struct, frozen=True):
    """A mean and its standard error.

    Attributes:
        mean: the mean.
        stderr: the standard error; None for fewer than two numbers.
        count: the number of numbers.
    """

    mean: float
    stderr: float | None
    count: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval, by Student's t distribution; None without a standard error."""
        if self.stderr is None:
            return None
        half = t_quantile(self.count - 1) * self.stderr
        return self.mean - half, self.mean + half

    @property
    def p(self) -> float | None:
        """The two-sided p-value of Student's t test against a true mean of 0; None without a standard error.

        >>> Mean(0.0, 1.0, 10).p
        1.0
        """
        if self.stderr is None:
            return None
        if not self.stderr:
            return float(not self.mean)
        return two_sided_p(self.mean / self.stderr, self.count - 1)

    def to_json(self) -> dict[str, float | tuple[float, float] | None]:
        """Return the mean for a JSON report.

        >>> Mean(2.5, None, 1).to_json()
        {'mean': 2.5, 'stderr': None, 'count': 1, 'interval': None}
        """
        return {"mean": self.mean, "stderr": self.stderr, "count": self.count, "interval": self.interval}


def mean_of(pairs: Iterable[tuple[Fraction, int]]) -> Mean:
    """Return the mean of numbers, each given with its frequency; the sums are exact, so the order is irrelevant.

    Raises:
        ValueError: there are no numbers, or a frequency is negative.

    >>> mean_of([(Fraction(0), 1), (Fraction(2), 1)])
    Mean(mean=1.0, stderr=1.0, count=2)
    """
    n, total, squares = 0, Fraction(0), Fraction(0)
    for value, times in pairs:
        if times < 0:
            raise ValueError(f"a frequency must be 0 or more; got {times}")
        n += times
        total += value * times
        squares += value * value * times
    if not n:
        raise ValueError("there is no mean without numbers")
    stderr = sqrt((squares - total * total / n) / (n - 1) / n) if n > 1 else None
    return Mean(float(total / n), stderr, n)


def proportion(hits: int, games: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of a proportion. Source: Wilson (1927).

    Raises:
        ValueError: there are no games, or the hits are not 0 to `games`.

    >>> [round(end, 3) for end in proportion(0, 100)]
    [0.0, 0.037]
    """
    hits, games = _whole("hits", hits), _whole("games", games)
    if not (games >= 1 and 0 <= hits <= games):
        raise ValueError(f"there must be 1 or more games and 0 to {games} hits; got {hits} hits in {games} games")
    square = NORMAL * NORMAL
    middle = (hits + square / 2) / (games + square)
    half = NORMAL / (games + square) * sqrt(hits * (games - hits) / games + square / 4)
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == games else middle + half)


class BlockSums(msgspec.Struct, frozen=True):
    """Sums over blocks, from which the mean of all numbers and its standard error follow.

    The sums are exact, so that blocks with equal means leave no rounding errors.

    Attributes:
        blocks: the number of blocks.
        numbers: the number of numbers in all blocks, which is the sum of the blocks' sizes.
        total: the sum of the numbers.
        squares: the sum of the squares of the blocks' sums.
        products: the sum, over all blocks, of a block's sum times its size.
        sizes: the sum of the squares of the blocks' sizes.
    """

    blocks: int = 0
    numbers: int = 0
    total: Fraction | int = 0
    squares: Fraction | int = 0
    products: Fraction | int = 0
    sizes: int = 0

    def plus(self, numbers: int, total: Fraction | int) -> "BlockSums":
        """Return the sums with one more block, of this size and sum. Raises `TypeError` unless they are exact."""
        numbers = _whole("a size", numbers)
        if isinstance(total, bool) or not isinstance(total, Rational):
            raise TypeError(f"a sum must be a whole number or a fraction; got {total!r:.200}")
        return BlockSums(
            self.blocks + 1,
            self.numbers + numbers,
            self.total + total,
            self.squares + total * total,
            self.products + total * numbers,
            self.sizes + numbers * numbers,
        )

    @property
    def mean(self) -> Mean | None:
        """The mean of all numbers; None if there are none. Its standard error and count are over blocks.

        Let m be the mean, and let the residual of a block be its sum minus m times its size. Then the squared error is
        blocks / (blocks - 1) times the sum of squared residuals, divided by the squared number of numbers. Source:
        Cochran, "Sampling Techniques" (3rd edition, 1977), 9A.1: a mean over clusters of unequal size is a ratio.

        >>> BlockSums().plus(2, 2).plus(2, 6).mean
        Mean(mean=2.0, stderr=1.0, count=2)
        """
        if not self.numbers:
            return None
        mean = Fraction(self.total) / self.numbers
        if self.blocks < 2:
            return Mean(float(mean), None, self.blocks)
        residuals = self.squares - 2 * mean * self.products + mean**2 * self.sizes
        return Mean(float(mean), sqrt(self.blocks * residuals / (self.blocks - 1)) / self.numbers, self.blocks)
