"""Means and proportions with confidence intervals, and p-values.

Modules that need NumPy are not imported here: `plackett_luce` for ratings, `bootstrap` for intervals over blocks,
`effect_size` for estimates after a sequential test.
"""

from faceup.statistics.means import BlockSums, Mean, mean_of, proportion, t_quantile, two_sided_p

__all__ = ["BlockSums", "Mean", "mean_of", "proportion", "t_quantile", "two_sided_p"]
