"""Student's t: how far the mean of a few numbers may be off, when their spread is known from themselves alone.

Source: Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4 for the distribution,
26.7.5 for its quantiles.
"""

from functools import cache
from math import atan, cos, erfc, pi, sin, sqrt, tan
from statistics import NormalDist
from typing import Final

NORMAL: Final = 1.959963984540054
"""Of a normal distribution, 95 % lies within so many standard deviations of its mean."""

_AS_NORMAL: Final = 100_000
"""With so many degrees of freedom the distribution is the normal one in all digits that are ever shown."""


@cache
def within(freedom: int, share: float = 0.95) -> float:
    """So much of Student's distribution lies within so many standard errors of its mean.

    Args:
        freedom: one less than there are numbers; 1 or more.
        share: above 0 and below 1.

    >>> [round(within(freedom), 3) for freedom in (1, 2, 10, 10**6)]
    [12.706, 4.303, 2.228, 1.96]
    >>> round(within(10, 0.9), 3)
    1.812
    """
    if freedom < 3:  # where the expansion is poor, there are closed forms
        return tan(pi / 2 * share) if freedom == 1 else share * sqrt(2 / (1 - share * share))
    z = NORMAL if share == 0.95 else NormalDist().inv_cdf((1 + share) / 2)
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * freedom**4)
    )


def two_sided(t: float, freedom: int) -> float:
    """The chance that a mean is so many standard errors off, or more, to either side, if the true one is 0.

    Args:
        t: the mean over its standard error.
        freedom: as in `within`.

    >>> round(two_sided(2.228, 10), 3)
    0.05
    """
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
