"""The error of a mean is that of its blocks, not that of its numbers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from faceup.statistics import BlockSums, mean_of


def clustered(blocks: Sequence[Sequence[Fraction | float]]) -> BlockSums:
    sums = BlockSums()
    for block in blocks:
        sums = sums.plus(len(block), sum(Fraction(number) for number in block))
    return sums


def test_blocks_of_one_number_have_the_usual_error() -> None:
    numbers = [1.0, 5.0, 2.0, 2.0, 7.0]
    estimate, usual = (
        clustered([[number] for number in numbers]).mean,
        mean_of((Fraction(number), 1) for number in numbers),
    )
    assert estimate is not None
    assert (estimate.mean, estimate.stderr, estimate.count) == pytest.approx((usual.mean, usual.stderr, usual.count))


def test_repeating_a_number_in_a_block_does_not_lower_the_error() -> None:
    once, often = clustered([[1.0], [5.0], [2.0]]).mean, clustered([[1.0] * 8, [5.0] * 8, [2.0] * 8]).mean
    assert once is not None
    assert often is not None
    assert often.stderr == pytest.approx(once.stderr)


def test_no_numbers_have_no_mean_and_one_block_has_no_error() -> None:
    assert BlockSums().mean is None
    estimate = clustered([[1.0, 3.0]]).mean
    assert estimate is not None
    assert (estimate.mean, estimate.stderr, estimate.count) == (2.0, None, 1)


def test_equal_numbers_have_no_error() -> None:
    estimate = clustered([[Fraction(1, 3)] * 3, [Fraction(1, 3)] * 7, [Fraction(1, 3)]]).mean
    assert estimate is not None
    assert estimate.stderr == 0


def test_the_error_of_unequal_blocks_matches_simulations() -> None:
    rng = np.random.default_rng(1)
    means, errors = [], []
    for _ in range(400):
        blocks = [list(rng.normal(rng.normal(), 1, rng.integers(1, 9))) for _ in range(60)]
        estimate = clustered(blocks).mean
        assert estimate is not None
        assert estimate.stderr is not None
        means.append(estimate.mean)
        errors.append(estimate.stderr)
    assert float(np.mean(errors)) == pytest.approx(float(np.std(means)), rel=0.12)
