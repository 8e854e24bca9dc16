"""Means with their errors, chances with theirs, and how surprising a difference would be: for all that measures."""

from faceup.statistics.means import Mean, mean_of, proportion
from faceup.statistics.student import two_sided, within

__all__ = ["Mean", "mean_of", "proportion", "two_sided", "within"]
