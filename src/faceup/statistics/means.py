"""Means and chances, with what is known of their errors."""

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt

import msgspec

from faceup.statistics.student import NORMAL, two_sided, within


class Mean(msgspec.Struct, frozen=True):
    """A mean and what is known of its error.

    Attributes:
        mean: of the numbers.
        stderr: the standard error of that mean; None for fewer than two numbers.
        count: how many numbers.
    """

    mean: float
    stderr: float | None
    count: int

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true mean is with 95 % confidence: Student's, so that it holds for a few numbers too."""
        if self.stderr is None:
            return None
        half = within(self.count - 1) * self.stderr
        return self.mean - half, self.mean + half

    @property
    def p(self) -> float | None:
        """The chance of a mean so far from 0 if the true one were 0 (Student's test, two-sided); None as above.

        >>> Mean(0.0, 1.0, 10).p
        1.0
        """
        if self.stderr is None:
            return None
        if not self.stderr:
            return float(not self.mean)
        return two_sided(self.mean / self.stderr, self.count - 1)

    def told(self) -> dict[str, float | tuple[float, float] | None]:
        """What reports in JSON say of it.

        >>> Mean(2.5, None, 1).told()
        {'mean': 2.5, 'stderr': None, 'count': 1, 'interval': None}
        """
        return {"mean": self.mean, "stderr": self.stderr, "count": self.count, "interval": self.interval}


def mean_of(pairs: Iterable[tuple[Fraction, int]]) -> Mean:
    """The mean of numbers, each given with how often it came up; the sums are exact, so their order is no matter.

    >>> mean_of([(Fraction(0), 1), (Fraction(2), 1)])
    Mean(mean=1.0, stderr=1.0, count=2)
    """
    n, total, squares = 0, Fraction(0), Fraction(0)
    for value, times in pairs:
        n += times
        total += value * times
        squares += value * value * times
    stderr = sqrt((squares - total * total / n) / (n - 1) / n) if n > 1 else None
    return Mean(float(total / n), stderr, n)


def proportion(hits: int, games: int) -> tuple[float, float]:
    """Where a chance is with 95 % confidence after so many hits in so many games. Source: Wilson (1927).

    >>> [round(end, 3) for end in proportion(0, 100)]
    [0.0, 0.037]
    """
    square = NORMAL * NORMAL
    middle = (hits + square / 2) / (games + square)
    half = NORMAL / (games + square) * sqrt(hits * (games - hits) / games + square / 4)
    return (0.0 if hits == 0 else middle - half), (1.0 if hits == games else middle + half)
