"""Means with their errors, chances with theirs, and how surprising a difference would be: for all that measures.

What works on arrays has modules of its own, which are not imported here: `plackett_luce` for ratings, `bootstrap` for
intervals over blocks, `stopping` for what a sequential test has found.
"""

from faceup.statistics.clusters import Clusters
from faceup.statistics.means import Mean, mean_of, proportion
from faceup.statistics.student import two_sided, within

__all__ = ["Clusters", "Mean", "mean_of", "proportion", "two_sided", "within"]
