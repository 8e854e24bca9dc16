"""How large a difference is that a sequential test has stopped at: an estimate and an interval that allow for stopping.

A test stops where the walk happens to be high or low, so that the plain mean is too far from 0, and a plain interval
too short. Instead all ends that a test can have are put in an order, from the clearest "better" to the clearest
"worse", and it is asked for which true differences an end at least as good as the one that was seen would be neither
rare nor the rule:

    U(d) = chance, if the difference is d, of an end at least as good as this one

The ends of the interval are the d at which U is 5 % and 95 % (for 90 % confidence), and the estimate is where it is one
half, which makes it too large as often as too small. The order is that of the lines of the test, round the region in
which it goes on: "better" sooner before later, then "no difference" from above later before sooner, and so on to
"worse". "better" therefore goes with an interval above 0, if its share is 1 - 2 error.

Sources: Tsiatis, Rosner and Mehta, "Exact confidence intervals following a group sequential test" (1984), after
Fairbanks and Madsen (1982) and Siegmund (1978); Whitehead, "The Design and Analysis of Sequential Clinical Trials" (2nd
edition, 1997), 5.3; the recursion by Armitage, McPherson and Rowe, "Repeated significance tests on accumulating data"
(1969).
"""

from collections.abc import Callable
from math import sqrt
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np

from faceup.statistics.sequential import BETWEEN_LOOKS, Outcome, Sequential, Sums

Array: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of one or two dimensions

LOOKS: Final = 128
"""A longer test is taken to be looked at so often; the lines allow for what happens in between."""

_FINENESS: Final = 8
"""Points of the grid in one standard deviation of a step."""

_NEXT_TO_NOTHING: Final = 1e-30
_HALVINGS: Final = 32


class Effect(msgspec.Struct, frozen=True):
    """The true mean of the differences.

    Attributes:
        estimate: it is above it as often as below.
        low, high: the ends of the interval.
        share: the confidence, 0.9 for an end wrong one time in twenty on each side.
    """

    estimate: float
    low: float
    high: float
    share: float

    @property
    def half(self) -> float:
        """Half of the interval's length."""
        return (self.high - self.low) / 2

    def times(self, unit: float) -> "Effect":
        """In another unit."""
        return Effect(self.estimate * unit, self.low * unit, self.high * unit, self.share)


def effect(test: Sequential, sums: Sums, share: float = 0.9) -> Effect:
    """The mean of the differences in standard deviations.

    For a test that is still open, what would be said if it had been bound to end here. Where all differences are alike
    there is no deviation: the drift of the walk is told, which is at most 2.

    Args:
        test: which.
        sums: as they were when the test ended, or as they are; of one block at least.
        share: the confidence.

    Raises:
        ValueError: there are no blocks.

    >>> found = effect(Sequential(least=0.5), Sums(25, 13.0, 25.0, 13.0))
    >>> round(found.low, 2), round(found.estimate, 2), round(found.high, 2)
    (0.17, 0.51, 0.85)
    """
    if not sums.count:
        raise ValueError("nothing can be said of a difference of which nothing was seen")
    # The test is the same upside down, and the order is told from the side on which the walk is.
    turned = sums.z < 0
    upright = Sums(sums.count, abs(sums.total), sums.squares, -sums.cubes if turned else sums.cubes)
    chance = _chance(test, upright)
    about, error = upright.z / upright.information, 1 / sqrt(upright.information)
    tail = (1 - share) / 2
    ends = [_solve(chance, wanted, about, 8 * error) for wanted in (tail, 0.5, 1 - tail)]
    if upright.spread:
        # The drift of the walk is the difference only where that is small; how far it may be off holds for any.
        seen, scale = upright.mean / upright.spread, sqrt(upright.information / upright.count)
        ends = [seen + (end - about) * scale for end in ends]
    low, middle, high = ends
    return Effect(-middle, -high, -low, share) if turned else Effect(middle, low, high, share)


def _chance(test: Sequential, sums: Sums) -> Callable[[float], float]:
    """U as a function of the difference, for a walk that is at 0 or above.

    The density of the walk on a grid is carried from look to look with the drift that was seen, what is beyond a line
    is taken out, and what went out above is kept: the chance under another drift follows from these by their likelihood
    ratio, exp((d - drift) z - (d^2 - drift^2) time / 2).
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
        """The part of each cell of the grid that is above a line."""
        found: Array = np.clip((grid - line) / grain + 0.5, 0.0, 1.0)
        return found

    # With fewer looks than blocks, the line that was met is nearer by what happens between them.
    between = BETWEEN_LOOKS * (sigma - sqrt(end / sums.count))
    met = {Outcome.BETTER: -between, Outcome.NONE: between}.get(test.says(sums), 0.0)
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

    # What is next to nothing is left out: it would take all the time.
    rows, columns = np.nonzero(out > _NEXT_TO_NOTHING)
    weights, places, moments = out[rows, columns], grid[columns], times[rows]

    def chance(difference: float) -> float:
        likelihood = np.exp((difference - drift) * places - (difference**2 - drift**2) / 2 * moments)
        return float(weights @ likelihood)

    return chance


def _solve(chance: Callable[[float], float], wanted: float, about: float, width: float) -> float:
    """Where a function that grows has a value; at the end of the width if it does not reach it there."""
    low, high = about - width, about + width
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if chance(middle) < wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2
