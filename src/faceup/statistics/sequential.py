"""When to stop comparing: a test that looks after every block, ends with one of three answers, and always ends.

The differences of the blocks, the new one's result minus the old one's, are taken to be independent; nothing is known
of their spread, and they need not be normal. What is tested is their mean in units of their own standard deviation:

- better: the mean is above 0. This is said wrongly, of a mean that is 0, in `error` of all comparisons; of one below
  0 more rarely.
- worse: the same with the sign turned.
- no difference: neither. Where the mean is `least` standard deviations or more, this is said in `miss` at most.

It is the double triangular test: two tests side by side, one for "better" and one for "worse", each between two
straight lines that meet, which is why it ends. Among all tests with the same errors, a triangle has nearly the least
expected length where length is worst, midway between the hypotheses; a test of likelihood ratios (SPRT) has no end
there.

The lines are drawn for a Brownian motion with drift; the walk that takes its place is Z, the efficient score of the
mean in standard units with the spread as a nuisance, at the time V, its information:

    Z = sum(x) / sqrt(sum(x^2) / n)        V = n - Z^2 / (2 n)

Z is a self-normalised sum, which is what makes few blocks, unequal spreads and heavy tails harmless: if the differences
are as likely to fall one way as the other, which they are if both programs play equally well in the same manner, then
Z / sqrt(n) has tails below those of a normal distribution, whatever the differences are (Efron 1969). It is never more
than n, so that the lines alone say how few blocks can decide; and it is 0, not undefined, where all differences are.

Differences that are lopsided, mostly a little above 0 and now and then far below, make Z err to one side. So "better"
and "worse" are said only if Z says so corrected for skewness as well, by Hall's transformation of t = Z / sqrt(n) with
the skewness g of the differences:

    sqrt(n) (t + g t^2 / (3 sqrt(n)) + g^2 t^3 / (27 n) + g / (6 sqrt(n)))

Sources: Whitehead, "The Design and Analysis of Sequential Clinical Trials" (2nd edition, 1997), 3.7 for the lines, 3.8
for looking only now and then, 5.2 for the double triangle; Whitehead and Todd, "The double triangular test in practice"
(2004); Anderson, "A modification of the sequential probability ratio test to reduce the sample size" (1960); Efron,
"Student's t-test under symmetry conditions" (1969); Hall, "On the removal of skewness by transformation" (1992).
"""

from enum import StrEnum
from math import ceil, isfinite, log, sqrt
from statistics import NormalDist
from typing import Final

import msgspec

BETWEEN_LOOKS: Final = 0.5826
"""How far, on average, a normal walk has gone past a line when it is first seen behind it, in units of the deviation of
a step. Source: Siegmund, "Sequential Analysis" (1985), (4.59): -zeta(1/2) / sqrt(2 pi)."""


class Outcome(StrEnum):
    """What a test says."""

    BETTER = "better"
    WORSE = "worse"
    NONE = "no difference"
    OPEN = "open"
    """Nothing yet."""


class Sums(msgspec.Struct, frozen=True):
    """All that the test remembers of the differences.

    Attributes:
        count: how many.
        total: of the differences.
        squares: of their squares.
        cubes: of their cubes.
    """

    count: int = 0
    total: float = 0.0
    squares: float = 0.0
    cubes: float = 0.0

    def plus(self, difference: float) -> "Sums":
        """With one more.

        Raises:
            ValueError: it is no number.

        >>> Sums().plus(0.5).plus(-0.25)
        Sums(count=2, total=0.25, squares=0.3125, cubes=0.109375)
        """
        if not isfinite(difference):
            raise ValueError(f"a difference is a finite number, not {difference}")
        square = difference * difference
        return Sums(self.count + 1, self.total + difference, self.squares + square, self.cubes + square * difference)

    @property
    def mean(self) -> float:
        """Of the differences; 0 if there are none."""
        return self.total / self.count if self.count else 0.0

    @property
    def spread(self) -> float:
        """Their standard deviation; 0 for fewer than two, or where all are alike."""
        if self.count < 2:
            return 0.0
        around = (self.squares - self.total * self.mean) / (self.count - 1)
        # Where all are alike, what is left is the rounding of the sums.
        return sqrt(around) if around > 1e-12 * self.squares else 0.0

    @property
    def z(self) -> float:
        """The efficient score: how far the walk has come. Between -count and count.

        >>> Sums(4, 2.0, 4.0).z, Sums(3, 0.0, 0.0).z
        (2.0, 0.0)
        """
        return self.total / sqrt(self.squares / self.count) if self.squares else 0.0

    @property
    def corrected(self) -> float:
        """The same, corrected for the skewness of the differences.

        >>> lopsided = Sums(10, 5.0, 8.5, 13.25)  # nine of 0.25 and one of 2.75, or so
        >>> lopsided.corrected > lopsided.z
        True
        """
        if not self.spread:
            return self.z
        mean, squares = self.mean, self.squares / self.count
        variance = squares - mean * mean
        third = self.cubes / self.count - 3 * mean * squares + 2 * mean**3
        root = sqrt(self.count)
        # No numbers are more skewed than the root of how many they are; tiny ones only seem so, by rounding.
        t, part = self.z / root, max(-1.0, min(1.0, third / variance / sqrt(variance) / root))
        return root * (t + part * t**2 / 3 + part**2 * t**3 / 27 + part / 6)

    @property
    def shown(self) -> float:
        """How far the walk has come by both, with and without the correction: 0 if they are not on the same side."""
        z, corrected = self.z, self.corrected
        return max(0.0, min(z, corrected)) if z > 0 else min(0.0, max(z, corrected))

    @property
    def information(self) -> float:
        """The time of the walk; between half the count and the count.

        >>> Sums(4, 2.0, 4.0).information
        3.5
        """
        return self.count - self.z**2 / (2 * self.count) if self.count else 0.0


class Bounds(msgspec.Struct, frozen=True):
    """Where the walk has to come to at a time, for the test to end.

    Attributes:
        outer: there or above it, "better"; at minus this or below, "worse".
        inner: between minus this and this, "no difference"; below 0 as long as that cannot be said yet.
    """

    outer: float
    inner: float


class Progress(msgspec.Struct, frozen=True):
    """How far a test has come.

    Attributes:
        blocks: so far.
        z: where the walk is.
        bounds: where it would end now.
        standing: how much of the way to an end it has gone: 1 is "better", -1 is "worse"; the way to "no difference" is
            not counted.
        expected: how many more blocks it takes if it goes on as it has come; 0 if it has ended.
        most: how many more it can take.
        outcome: what it says.
    """

    blocks: int
    z: float
    bounds: Bounds
    standing: float
    expected: int
    most: int
    outcome: Outcome


class Sequential(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The test.

    Attributes:
        least: the difference that must not be missed, in standard deviations of a block's difference; 0.01 to 0.5.
        error: how often "better" may be said though it is not, and likewise "worse"; 0.001 to 0.2.
        miss: how often a difference of `least` may be missed; 0.001 to 0.2.

    Raises:
        ValueError: one of them is out of range.

    >>> Sequential().most
    452
    >>> Sequential(least=0.1).most
    1822
    """

    least: float = 0.2
    error: float = 0.05
    miss: float = 0.05

    def __post_init__(self) -> None:
        if not 0.01 <= self.least <= 0.5:
            raise ValueError(f"the least difference is 0.01 to 0.5 standard deviations, not {self.least:g}")
        for name in ("error", "miss"):
            if not 0.001 <= getattr(self, name) <= 0.2:
                raise ValueError(f"{name} is 0.001 to 0.2, not {getattr(self, name):g}")

    @property
    def _reference(self) -> float:
        """The difference at which a test with `error` for both errors is as good as this one is at `least`."""
        error, miss = (NormalDist().inv_cdf(1 - share) for share in (self.error, self.miss))
        return self.least * 2 * error / (error + miss)

    @property
    def height(self) -> float:
        """Where the upper line begins: 2 ln(1 / (2 error)) / reference. Source: Whitehead (1997), (3.13)."""
        return 2 * log(1 / (2 * self.error)) / self._reference

    @property
    def slope(self) -> float:
        """Of the upper line; the lower one is three times as steep. Source: as above."""
        return self._reference / 4

    @property
    def most(self) -> int:
        """No test has more blocks than this.

        Before the time at which the lines meet, the count is more than the time by z^2 / (2 count) <= 2 height slope =
        ln(1 / (2 error)) at most.
        """
        return ceil(self.end + 2 * self.height * self.slope)

    @property
    def end(self) -> float:
        """The time at which the lines meet."""
        return (self.height - BETWEEN_LOOKS) / self.slope

    def bounds(self, time: float, step: float = 1.0) -> Bounds:
        """The lines at a time, each nearer by what a walk goes beyond a line between two looks.

        Args:
            time: the information.
            step: the information between two looks: a block is 1.
        """
        nearer = BETWEEN_LOOKS * sqrt(step)
        outer = self.height + self.slope * time - nearer
        return Bounds(outer, 3 * self.slope * time - self.height + nearer)

    def says(self, sums: Sums) -> Outcome:
        """What is said at a look, if nothing was said before.

        >>> Sequential(least=0.5).says(Sums(16, 16.0, 20.0, 28.0))
        <Outcome.BETTER: 'better'>
        """
        shown, time = sums.shown, sums.information
        bounds = self.bounds(time)
        if abs(shown) >= bounds.outer:
            return Outcome.BETTER if shown > 0 else Outcome.WORSE
        return Outcome.NONE if abs(sums.z) <= bounds.inner or time >= self.end else Outcome.OPEN

    def progress(self, sums: Sums) -> Progress:
        """How far it has come.

        What it goes on with is the drift so far, drawn to 0 as if as much had been seen before as 1 / (2 least)^2
        blocks without any.
        """
        z, time = sums.z, sums.information
        bounds, outcome = self.bounds(time), self.says(sums)
        standing = sums.shown / bounds.outer
        most = max(0, self.most - sums.count)
        if outcome is not Outcome.OPEN:
            return Progress(sums.count, z, bounds, standing, 0, 0, outcome)
        drift = abs(z) / (time + 1 / (2 * self.least) ** 2)
        up = (bounds.outer - abs(sums.shown)) / (drift - self.slope) if drift > self.slope else most
        down = (abs(z) - bounds.inner) / (3 * self.slope - drift) if drift < 3 * self.slope else most
        expected = min(most, max(1, ceil(min(up, down))))
        return Progress(sums.count, z, bounds, standing, expected, most, outcome)


class Walk(msgspec.Struct, frozen=True):
    """A test under way: what it has seen until it ended, and what it said then.

    >>> walk = Walk()
    >>> for difference in [0.5, 0.25, 0.5, 0.0, 0.5, 0.5, 0.25, 0.5] * 3:
    ...     walk = walk.after(Sequential(least=0.5), difference)
    >>> walk.outcome, walk.sums.count
    (<Outcome.BETTER: 'better'>, 15)
    """

    sums: Sums = Sums()
    outcome: Outcome = Outcome.OPEN

    def after(self, test: Sequential, difference: float) -> "Walk":
        """With one more difference; what comes after the end changes nothing."""
        if self.outcome is not Outcome.OPEN:
            return self
        sums = self.sums.plus(difference)
        return Walk(sums, test.says(sums))
