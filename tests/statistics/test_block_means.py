"""The error of a mean is that of its blocks, not that of its numbers."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from faceup.statistics import BlockSums, mean_of


def clustered(blocks: Sequence[Sequence[Fraction | float]]) -> BlockSums:
    found = BlockSums()
    for block in blocks:
        found = found.plus(len(block), sum(Fraction(number) for number in block))
    return found


def test_blocks_of_one_number_have_the_usual_error() -> None:
    numbers = [1.0, 5.0, 2.0, 2.0, 7.0]
    found, usual = clustered([[each] for each in numbers]).mean, mean_of((Fraction(each), 1) for each in numbers)
    assert found is not None
    assert (found.mean, found.stderr, found.count) == pytest.approx((usual.mean, usual.stderr, usual.count))


def test_repeating_a_number_in_a_block_does_not_lower_the_error() -> None:
    once, often = clustered([[1.0], [5.0], [2.0]]).mean, clustered([[1.0] * 8, [5.0] * 8, [2.0] * 8]).mean
    assert once is not None
    assert often is not None
    assert often.stderr == pytest.approx(once.stderr)


def test_no_numbers_have_no_mean_and_one_block_has_no_error() -> None:
    assert BlockSums().mean is None
    found = clustered([[1.0, 3.0]]).mean
    assert found is not None
    assert (found.mean, found.stderr, found.count) == (2.0, None, 1)


def test_equal_numbers_have_no_error() -> None:
    found = clustered([[Fraction(1, 3)] * 3, [Fraction(1, 3)] * 7, [Fraction(1, 3)]]).mean
    assert found is not None
    assert found.stderr == 0


def test_the_error_of_unequal_blocks_matches_simulations() -> None:
    rng = np.random.default_rng(1)
    means, errors = [], []
    for _ in range(400):
        blocks = [list(rng.normal(rng.normal(), 1, rng.integers(1, 9))) for _ in range(60)]
        found = clustered(blocks).mean
        assert found is not None
        assert found.stderr is not None
        means.append(found.mean)
        errors.append(found.stderr)
    assert float(np.mean(errors)) == pytest.approx(float(np.std(means)), rel=0.12)
