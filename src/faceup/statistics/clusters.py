"""Means of numbers that come in blocks: what belongs to one block hangs together, and only blocks are independent."""

from math import sqrt

import msgspec

from faceup.statistics.means import Mean


class Clusters(msgspec.Struct, frozen=True):
    """What is needed of each block to say the mean of all numbers and its error.

    Attributes:
        blocks: how many.
        numbers: how many numbers in all of them.
        total: the sum of the numbers.
        squares: of the blocks' sums, the sum of squares.
        products: the sum of each block's sum times its number of numbers.
        sizes: the sum of the squares of the numbers of numbers.
    """

    blocks: int = 0
    numbers: float = 0.0
    total: float = 0.0
    squares: float = 0.0
    products: float = 0.0
    sizes: float = 0.0

    def plus(self, numbers: float, total: float) -> "Clusters":
        """With one more block: how many numbers it has, and their sum."""
        return Clusters(
            self.blocks + 1,
            self.numbers + numbers,
            self.total + total,
            self.squares + total * total,
            self.products + total * numbers,
            self.sizes + numbers * numbers,
        )

    @property
    def mean(self) -> Mean | None:
        """The mean of all numbers; None if there are none. Its error is over blocks, and so is its count.

        With m the mean, and a block's residual its sum minus m times its number of numbers, the error's square is
        blocks / (blocks - 1) times the sum of squared residuals, over the square of the number of numbers. Source:
        Cochran, "Sampling Techniques" (3rd edition, 1977), 9A.1: a mean over clusters of unequal size is a ratio.

        >>> Clusters().plus(2, 2.0).plus(2, 6.0).mean
        Mean(mean=2.0, stderr=1.0, count=2)
        """
        if not self.numbers:
            return None
        mean = self.total / self.numbers
        if self.blocks < 2:
            return Mean(mean, None, self.blocks)
        residuals = self.squares - 2 * mean * self.products + mean * mean * self.sizes
        if residuals < 1e-12 * self.squares:  # where all are alike, what is left is the rounding of the sums
            residuals = 0.0
        return Mean(mean, sqrt(self.blocks / (self.blocks - 1) * residuals) / self.numbers, self.blocks)
