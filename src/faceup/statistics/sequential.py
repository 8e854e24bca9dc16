"""A sequential test for comparisons: it looks after every block, has three possible conclusions, and always ends.

The differences of the blocks, the new bot's result minus the old one's, are assumed independent. Their distribution and
spread are unknown. The test is about their mean in units of their standard deviation:

- better: the mean is above 0. The error rate is `error` if the mean is 0, and lower if it is below 0.
- worse: the mean is below 0. The error rate is `error` if the mean is 0, and lower if it is above 0.
- no difference: neither "better" nor "worse". If the mean is `least` standard deviations or more away from 0, the error
  rate is at most `miss`.

It is the double triangular test: two tests run together, one for "better" and one for "worse", each between two
straight boundaries that meet, so that the test always ends. In the worst case, with a mean midway between the
hypotheses, a triangular test has nearly the least expected length of all tests with the same error rates. A sequential
probability ratio test (SPRT), in contrast, has no maximum length.

The boundaries are computed for a Brownian motion with drift. The walk is Z, the efficient score of the mean in standard
units with the spread as a nuisance parameter, at the time V, the information of the score:

    Z = sum(x) / sqrt(sum(x^2) / n)        V = n - Z^2 / (2 n)

Z is a self-normalised sum, so it is robust with few blocks, unequal spreads and heavy tails. If the
differences are symmetric, as they are if both programs are equally good and play alike, the tails of Z / sqrt(n) are
below the tails of a normal distribution, whatever the distribution of the differences (Efron 1969). |Z| is
at most n, so the boundaries determine the least number of blocks that can decide (`SequentialTest.fewest`). If all
differences are 0, Z is 0, not undefined.

Skewed differences, for example many a little above 0 and few far below, bias Z. So "better" and "worse" also require
that Z crosses the boundary after a correction for skewness, by Hall's transformation of t = Z / sqrt(n) with the
skewness g of the differences:

    sqrt(n) (t + g t^2 / (3 sqrt(n)) + g^2 t^3 / (27 n) + g / (6 sqrt(n)))

Sources: Whitehead, "The Design and Analysis of Sequential Clinical Trials" (2nd edition, 1997), 3.7 for the boundaries,
3.8 for discrete looks, 5.2 for the double triangle; Whitehead and Todd, "The double triangular test in practice"
(2004); Anderson, "A modification of the sequential probability ratio test to reduce the sample size" (1960); Efron,
"Student's t-test under symmetry conditions" (1969); Hall, "On the removal of skewness by transformation" (1992).
"""

from enum import StrEnum
from fractions import Fraction
from math import ceil, copysign, isfinite, log, sqrt
from statistics import NormalDist
from typing import Final

import msgspec

OVERSHOOT: Final = 0.5826
"""The mean overshoot of a normal walk over a boundary, in standard deviations of a step. Source: Siegmund, "Sequential
Analysis" (1985), (4.59): -zeta(1/2) / sqrt(2 pi)."""


class Conclusion(StrEnum):
    """The conclusion of a test."""

    BETTER = "better"
    WORSE = "worse"
    NONE = "no difference"
    OPEN = "open"
    """The test has not ended."""


class DifferenceSums(msgspec.Struct, frozen=True):
    """The number of differences, and the sums of their powers, which are the complete state of a test.

    The sums are exact, so that differences that cancel or are all equal leave no rounding errors to divide by.
    """

    count: int = 0
    total: Fraction = Fraction()
    squares: Fraction = Fraction()
    cubes: Fraction = Fraction()

    def plus(self, difference: Fraction | float) -> "DifferenceSums":
        """Return the sums with one more difference.

        Raises:
            ValueError: the difference is not finite.

        >>> sums = DifferenceSums().plus(0.5).plus(Fraction(-1, 3))
        >>> str(sums.total), str(sums.squares), str(sums.cubes)
        ('1/6', '13/36', '19/216')
        """
        if not isfinite(difference):
            raise ValueError(f"a difference must be a finite number; got {difference}")
        exact = Fraction(difference)
        return DifferenceSums(self.count + 1, self.total + exact, self.squares + exact**2, self.cubes + exact**3)

    @property
    def mean(self) -> float:
        """The mean of the differences; 0 if there are none."""
        return float(self.total / self.count) if self.count else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of the differences; 0 for fewer than two, or if all are equal."""
        return sqrt((self.squares - self.total**2 / self.count) / (self.count - 1)) if self.count > 1 else 0.0

    @property
    def z(self) -> float:
        """The efficient score, which is the position of the walk; between -count and count.

        >>> DifferenceSums(4, Fraction(2), Fraction(4)).z, DifferenceSums(3).z
        (2.0, 0.0)
        """
        return copysign(sqrt(self.total**2 * self.count / self.squares), self.total) if self.squares else 0.0

    @property
    def corrected(self) -> float:
        """The efficient score, corrected for the skewness of the differences.

        >>> lopsided = DifferenceSums()
        >>> for difference in [0.25] * 9 + [2.75]:
        ...     lopsided = lopsided.plus(difference)
        >>> lopsided.corrected > lopsided.z
        True
        """
        if self.count < 2:
            return self.z
        mean, squares = self.total / self.count, self.squares / self.count
        variance = squares - mean**2
        if not variance:
            return self.z
        third = self.cubes / self.count - 3 * mean * squares + 2 * mean**3
        root = sqrt(self.count)
        t, part = self.z / root, copysign(sqrt(third**2 / (variance**3 * self.count)), third)
        return root * (t + part * t**2 / 3 + part**2 * t**3 / 27 + part / 6)

    @property
    def shown(self) -> float:
        """The smaller of `z` and `corrected` in absolute value; 0 if their signs differ."""
        z, corrected = self.z, self.corrected
        return max(0.0, min(z, corrected)) if z > 0 else min(0.0, max(z, corrected))

    @property
    def information(self) -> float:
        """The time of the walk, between half the count and the count.

        >>> DifferenceSums(4, Fraction(2), Fraction(4)).information
        3.5
        """
        return float(self.count - self.total**2 / (2 * self.squares)) if self.squares else float(self.count)


class Boundaries(msgspec.Struct, frozen=True):
    """The boundaries of the test at one moment: the test ends when its statistic reaches one.

    Attributes:
        outer: the conclusion is "better" from `outer` up, and "worse" from `-outer` down.
        inner: the conclusion is "no difference" from `-inner` to `inner`; `inner` is negative as long as the
            test cannot reach this conclusion.
    """

    outer: float
    inner: float


class Progress(msgspec.Struct, frozen=True):
    """The progress of a test.

    Attributes:
        blocks: the number of blocks so far.
        z: the position of the walk.
        bounds: the current boundaries.
        standing: the position as a fraction of the outer boundary: 1 is "better", -1 is "worse".
        expected: the expected number of remaining blocks at the current drift; 0 if the test has ended.
        most: the greatest number of remaining blocks.
        outcome: the conclusion.
    """

    blocks: int
    z: float
    bounds: Boundaries
    standing: float
    expected: int
    most: int
    outcome: Conclusion


class SequentialTest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of the test.

    Attributes:
        least: the least difference to detect, in standard deviations of a block's difference; 0.01 to 0.5.
        error: the rate of a wrong "better", which is also the rate of a wrong "worse"; 0.001 to 0.2.
        miss: the rate of missing a difference of `least`; 0.001 to 0.2.

    Raises:
        ValueError: a parameter is out of range.

    >>> SequentialTest().most
    452
    >>> SequentialTest(least=0.1).most
    1822
    """

    least: float = 0.2
    error: float = 0.05
    miss: float = 0.05

    def __post_init__(self) -> None:
        if not 0.01 <= self.least <= 0.5:
            raise ValueError(f"the least difference must be 0.01 to 0.5 standard deviations; got {self.least:g}")
        for name in ("error", "miss"):
            if not 0.001 <= getattr(self, name) <= 0.2:
                raise ValueError(f"{name} must be 0.001 to 0.2; got {getattr(self, name):g}")

    @property
    def _reference(self) -> float:
        """The reference improvement: the least difference of an equivalent test whose `miss` is equal to `error`."""
        error, miss = (NormalDist().inv_cdf(1 - share) for share in (self.error, self.miss))
        return self.least * 2 * error / (error + miss)

    @property
    def height(self) -> float:
        """The intercept of the upper boundary: 2 ln(1 / (2 error)) / reference. Source: Whitehead (1997), (3.13)."""
        return 2 * log(1 / (2 * self.error)) / self._reference

    @property
    def slope(self) -> float:
        """The slope of the upper boundary; the lower boundary is three times as steep. Source: as for `height`."""
        return self._reference / 4

    @property
    def most(self) -> int:
        """The greatest number of blocks.

        Before the boundaries meet, the count exceeds the time by at most z^2 / (2 count) <= 2 height slope =
        ln(1 / (2 error)), unless the score of a skewed sum is beyond the outer boundary without a conclusion.
        """
        return ceil(self.end + 2 * self.height * self.slope)

    @property
    def fewest(self) -> int:
        """The least number of blocks, about 2 ln(1 / (2 error)) / reference; 4.6 / least for the default error rates.

        A walk reaches the outer boundary fastest if all differences are equal: z is then the count, and the time is
        half the count. "No difference" takes longer: a walk at 0 takes (height - OVERSHOOT) / (3 slope) blocks.

        >>> [SequentialTest(least=least).fewest for least in (0.1, 0.2, 0.5)]
        [47, 24, 10]
        """
        return ceil((self.height - OVERSHOOT) / (1 - self.slope / 2))

    @property
    def end(self) -> float:
        """The time at which the boundaries meet."""
        return (self.height - OVERSHOOT) / self.slope

    def bounds(self, time: float, step: float = 1.0) -> Boundaries:
        """Return the boundaries at a time, corrected for the overshoot between two looks.

        Args:
            time: the information.
            step: the information between two looks; 1 for a look after each block.
        """
        nearer = OVERSHOOT * sqrt(step)
        outer = self.height + self.slope * time - nearer
        return Boundaries(outer, 3 * self.slope * time - self.height + nearer)

    def decide(self, sums: DifferenceSums) -> Conclusion:
        """Return the conclusion at a look, if the test has not ended before.

        >>> SequentialTest(least=0.5).decide(DifferenceSums(16, Fraction(16), Fraction(20), Fraction(28)))
        <Conclusion.BETTER: 'better'>
        """
        # `shown` reaches a boundary only if both scores do: a skewed sum alone claims too much.
        shown, time = sums.shown, sums.information
        bounds = self.bounds(time)
        if abs(shown) >= bounds.outer:
            return Conclusion.BETTER if shown > 0 else Conclusion.WORSE
        over = time >= self.end or sums.count >= self.most
        return Conclusion.NONE if over or abs(sums.z) <= bounds.inner else Conclusion.OPEN

    def progress(self, sums: DifferenceSums) -> Progress:
        """Return the progress of the test.

        The expected length assumes the drift so far, as if 1 / (2 least)^2 blocks without drift came before it.
        """
        z, time = sums.z, sums.information
        bounds, outcome = self.bounds(time), self.decide(sums)
        standing = sums.shown / bounds.outer
        most = max(0, self.most - sums.count)
        if outcome is not Conclusion.OPEN:
            return Progress(sums.count, z, bounds, standing, 0, 0, outcome)
        drift = abs(z) / (time + 1 / (2 * self.least) ** 2)
        up = (bounds.outer - abs(sums.shown)) / (drift - self.slope) if drift > self.slope else most
        down = (abs(z) - bounds.inner) / (3 * self.slope - drift) if drift < 3 * self.slope else most
        expected = min(most, max(1, ceil(min(up, down))))
        return Progress(sums.count, z, bounds, standing, expected, most, outcome)


class RunningTest(msgspec.Struct, frozen=True):
    """The state of a running test: the sums until it ended, and its conclusion.

    >>> walk = RunningTest()
    >>> for difference in [0.5, 0.25, 0.5, 0.0, 0.5, 0.5, 0.25, 0.5] * 3:
    ...     walk = walk.after(SequentialTest(least=0.5), difference)
    >>> walk.outcome, walk.sums.count
    (<Conclusion.BETTER: 'better'>, 15)
    """

    sums: DifferenceSums = DifferenceSums()
    outcome: Conclusion = Conclusion.OPEN

    def after(self, test: SequentialTest, difference: Fraction | float) -> "RunningTest":
        """Return the state after one more difference, which has no effect if the test has ended."""
        # A conclusion is final: another look at a test that has ended would add to its error rates.
        if self.outcome is not Conclusion.OPEN:
            return self
        sums = self.sums.plus(difference)
        return RunningTest(sums, test.decide(sums))
