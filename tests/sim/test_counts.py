"""Counts are exact, join in any order, and give the means and intervals that statistics gives."""

from itertools import permutations
from statistics import fmean, stdev

import pytest

from faceup.sim.counts import Counts, add, count, mean, quantile, win_share

PARTS = [
    count([{"score": (3, 0), "rounds": (7,)}]),
    count([{"score": (1, 5), "rounds": (7,)}, {"score": (3, 5), "rounds": (2,)}]),
    Counts(),
    count([{"score": (0, 0), "rounds": (9,)}]),
]


def together(parts: tuple[Counts, ...]) -> Counts:
    total = Counts()
    for part in parts:
        total = add(total, part)
    return total


def test_parts_add_up_to_the_same_in_any_order() -> None:
    totals = [together(parts) for parts in permutations(PARTS)]
    assert all(total == totals[0] for total in totals)
    assert totals[0].games == 4
    assert totals[0].values["score"] == ({0: 1, 1: 1, 3: 2}, {0: 2, 5: 2})
    assert list(totals[-1].values["score"][0]) == [0, 1, 3]


def test_means_and_errors_match_the_numbers() -> None:
    numbers = [0, 0, 3, 4, 4, 4, 19]
    average = mean({value: numbers.count(value) for value in set(numbers)})
    assert average.mean == pytest.approx(fmean(numbers))
    assert average.stderr is not None
    assert average.stderr == pytest.approx(stdev(numbers) / len(numbers) ** 0.5)
    assert average.count == 7


def test_one_game_has_a_mean_and_no_error() -> None:
    assert mean({7: 1}).mean == 7
    assert mean({7: 1}).stderr is None
    assert mean({7: 1}).interval is None


def test_a_win_shared_by_k_counts_one_kth() -> None:
    assert win_share({0: 1, 1: 1, 3: 1}).mean == pytest.approx((1 + 1 / 3) / 3)


def test_quantiles_are_observed_numbers() -> None:
    histogram = {1: 10, 2: 80, 9: 10}
    assert [quantile(histogram, part) for part in (0, 0.1, 0.11, 0.5, 0.9, 0.91, 1)] == [1, 1, 2, 2, 2, 9, 9]
    with pytest.raises(ValueError, match="empty"):
        quantile({}, 0.5)
