"""Effect size after a sequential test: a median-unbiased estimate and a confidence interval that allow for stopping.

A sequential test stops where the walk is unusually high or low, so the mean is biased away from 0 and the usual
interval is too short. Instead, all possible ends of the test are ordered from the clearest "better" to the clearest
"worse":

    U(d) = probability, if the true difference is d, of an end at least as good as the observed one

The ends of the interval are the d at which U is 5 % and 95 % (for 90 % confidence), and the estimate is the d at which
U is one half. The order follows the boundary of the continuation region (stagewise ordering). First come the ends with
"better", from the soonest to the latest; then the ends with "no difference" that the walk reaches from above, from the
latest to the soonest; then those that it reaches from below, from the soonest to the latest; and last the ends with
"worse", from the latest to the soonest. So a "better" always has an interval above 0, if the confidence level is
1 - 2 error.

The mean, in its own unit, has the standard error s / sqrt(n), if s is the standard deviation of n differences. In units
of s, the difference d = mean / s has the larger standard error sqrt((1 + d^2 / 2) / n), because s is an estimate, too:
the variance of s / sigma is about 1 / (2 n) for normal differences, and s is independent of the mean.

Sources: Tsiatis, Rosner and Mehta, "Exact confidence intervals following a group sequential test" (1984), after
Fairbanks and Madsen (1982) and Siegmund (1978); Whitehead, "The Design and Analysis of Sequential Clinical Trials" (2nd
edition, 1997), 5.3; the recursion by Armitage, McPherson and Rowe, "Repeated significance tests on accumulating data"
(1969); the variance of d by Hedges, "Distribution theory for Glass's estimator of effect size and related estimators"
(1981), and Hedges and Olkin, "Statistical Methods for Meta-Analysis" (1985), 5.B.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any, Final, TypeAlias

import msgspec

from faceup.extras import needs
from faceup.statistics.sequential import OVERSHOOT, Conclusion, DifferenceSums, SequentialTest

with needs("fast", __name__):
    import numpy as np

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of one or two dimensions

LOOKS: Final = 128
"""The most looks in the computation. For a longer test, the boundaries are corrected for the time between looks."""

_FINENESS: Final = 8
"""Grid points per standard deviation of a step."""

_NEXT_TO_NOTHING: Final = 1e-30
_HALVINGS: Final = 32


class Effect(msgspec.Struct, frozen=True):
    """An estimate of the true mean of the differences, with its interval.

    Attributes:
        estimate: the median-unbiased estimate.
        low, high: the ends of the interval.
        share: the confidence level; 0.9 means an error of 5 % on each side.
    """

    estimate: float
    low: float
    high: float
    share: float

    @property
    def half_width(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2

    def standardized(self, mean: float, spread: float) -> "Effect":
        """Return the effect on a mean in standard deviations of the differences, of which `spread` is an estimate.

        Args:
            mean: the mean of the differences, in the unit of this effect.
            spread: their standard deviation, above 0.

        >>> size = Effect(4.0, 2.0, 6.0, 0.9).standardized(4.0, 2.0)
        >>> size.estimate, round(size.low, 2), round(size.high, 2)
        (2.0, 0.27, 3.73)
        """
        seen = mean / spread
        factor = sqrt(1 + seen**2 / 2)
        low, high = (seen + (end / spread - seen) * factor for end in (self.low, self.high))
        # A mean of 0 is 0 in every unit, so both intervals are on the same side of it.
        low, high = max(low, 0.0) if self.low > 0 else low, min(high, 0.0) if self.high < 0 else high
        return Effect(self.estimate / spread, low, high, self.share)


def effect(test: SequentialTest, sums: DifferenceSums, share: float = 0.9) -> Effect:
    """Estimate the mean of the differences, in standard deviations. See `mean_effect`.

    >>> from fractions import Fraction
    >>> size = effect(SequentialTest(least=0.5), DifferenceSums(25, Fraction(13), Fraction(25), Fraction(13)))
    >>> round(size.low, 2), round(size.estimate, 2), round(size.high, 2)
    (0.13, 0.51, 0.87)
    """
    size = mean_effect(test, sums, share)
    return size.standardized(sums.mean, sums.spread) if sums.spread else size


def mean_effect(test: SequentialTest, sums: DifferenceSums, share: float = 0.9) -> Effect:
    """Estimate the mean of the differences, in their own unit.

    If the test is still open, the effect is estimated as if the test ended here. If all differences are equal, there is
    no deviation, and the estimate is the drift of the walk, which is at most 2.

    Args:
        test: the test.
        sums: the sums when the test ended, or the current sums of an open test; they need at least one block.
        share: the confidence level.

    Raises:
        ValueError: there are no blocks.
    """
    if not sums.count:
        raise ValueError("an effect size needs at least one block")
    # The test is symmetric, so a negative walk is mirrored, and the ordering starts from its side.
    turned = sums.z < 0
    upright = DifferenceSums(sums.count, abs(sums.total), sums.squares, -sums.cubes if turned else sums.cubes)
    chance = _chance(test, upright)
    about, error = upright.z / upright.information, 1 / sqrt(upright.information)
    tail = (1 - share) / 2
    ends = [_solve(chance, level, about, 8 * error) for level in (tail, 0.5, 1 - tail)]
    if upright.spread:
        # The drift of the walk equals the difference only if the difference is small; its error is always right.
        scale = upright.spread * sqrt(upright.information / upright.count)
        ends = [upright.mean + (end - about) * scale for end in ends]
    low, middle, high = ends
    return Effect(-middle, -high, -low, share) if turned else Effect(middle, low, high, share)


def _chance(test: SequentialTest, sums: DifferenceSums) -> Callable[[float], float]:
    """Return U as a function of the difference, for a walk at 0 or above.

    The density of the walk is propagated on a grid from look to look with the observed drift. Mass beyond a boundary is
    removed, and mass beyond the upper boundary is recorded. Its probability under another drift follows from the
    likelihood ratio, exp((d - drift) z - (d^2 - drift^2) time / 2).
    """
    z, end = sums.z, sums.information
    looks = min(sums.count, LOOKS)
    step = end / looks
    sigma, drift = sqrt(step), z / end
    grain = sigma / _FINENESS
    far = round((6 * sigma + drift * step) / grain)
    about = round(max(test.bounds(end, step).outer, z) / grain) + far
    grid = np.arange(-about, about + 1) * grain
    stride = np.exp(-0.5 * ((np.arange(-far, far + 1) * grain - drift * step) / sigma) ** 2) * grain
    stride /= sigma * sqrt(2 * np.pi)

    def above(line: float) -> Array:
        """Return the fraction of each grid cell above a line."""
        clipped: Array = np.clip((grid - line) / grain + 0.5, 0.0, 1.0)
        return clipped

    # With fewer looks than blocks, the crossed boundary is corrected for what happens between looks.
    between = OVERSHOOT * (sigma - sqrt(end / sums.count))
    met = {Conclusion.BETTER: -between, Conclusion.NONE: between}.get(test.decide(sums), 0.0)
    times = step * np.arange(1, looks + 1)
    out = np.zeros((looks, len(grid)))
    mass: Array = np.zeros(len(grid))
    mass[about] = 1.0
    for look, time in enumerate(times):
        mass = np.convolve(mass, stride)[far:-far]
        if look == looks - 1:
            out[look] = mass * above(z + met)
            break
        bounds = test.bounds(time, step)
        over = above(bounds.outer)
        out[look] = mass * over
        stays = above(-bounds.outer) - over
        if bounds.inner > 0:
            stays *= 1 - (above(-bounds.inner) - above(bounds.inner))
        mass = mass * stays

    # Negligible masses are left out, because they would take most of the time.
    rows, columns = np.nonzero(out > _NEXT_TO_NOTHING)
    weights, places, moments = out[rows, columns], grid[columns], times[rows]

    def chance(difference: float) -> float:
        likelihood = np.exp((difference - drift) * places - (difference**2 - drift**2) / 2 * moments)
        return float(weights @ likelihood)

    return chance


def _solve(chance: Callable[[float], float], target: float, about: float, width: float) -> float:
    """Solve `chance(x) = wanted` by bisection for an increasing function; clipped to `about` plus or minus `width`."""
    low, high = about - width, about + width
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if chance(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2
