"""Histograms of results. Counts are integers, so adding the parts of a run gives exactly the counts of the run."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

import msgspec

from faceup.core.arguments import check_type
from faceup.games.measures import Numbers
from faceup.statistics import Mean, mean_of

Histogram: TypeAlias = dict[int, int]
"""The frequency of each value, in ascending order of values."""


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The counts of a number of games.

    Attributes:
        games: the number of games; none by default.
        values: for each measure, a histogram for each seat, or one histogram if the measure is not by seat. Besides the
            game's own measures there are "score", "place" and "share". A seat's "share" is the number of winners if the
            seat won, else 0.
    """

    games: int = 0
    values: dict[str, tuple[Histogram, ...]] = {}


def add(first: Counts, other: Counts) -> Counts:
    """Return the sum of two counts; their order makes no difference.

    >>> add(Counts(2, {"score": ({1: 2},)}), Counts(3, {"score": ({0: 1, 1: 2},)}))
    Counts(games=5, values={'score': ({0: 1, 1: 4},)})
    """
    for counts in (first, other):
        check_type("counts", counts, Counts, "counts of `play`")
    if not first.games:
        return other
    if not other.games:
        return first
    values = {
        name: tuple(_sum(left, right) for left, right in zip(seats, other.values[name], strict=True))
        for name, seats in first.values.items()
    }
    return Counts(first.games + other.games, values)


def _sum(first: Histogram, other: Histogram) -> Histogram:
    return {value: first.get(value, 0) + other.get(value, 0) for value in sorted({*first, *other})}


def count(games: Iterable[Mapping[str, Sequence[Numbers]]]) -> Counts:
    """Count games, each given as a mapping from measures to the numbers of the seats.

    >>> count([{"score": (3, 0)}, {"score": (3, 1)}]).values
    {'score': ({3: 2}, {0: 1, 1: 1})}
    """
    histograms: dict[str, list[Histogram]] = {}
    played = 0
    for game in games:
        played += 1
        for name, numbers in game.items():
            for seat, value in zip(histograms.setdefault(name, [{} for _ in numbers]), numbers, strict=True):
                for number in (value,) if isinstance(value, int) else value:
                    seat[number] = seat.get(number, 0) + 1
    return Counts(
        played, {name: tuple(dict(sorted(seat.items())) for seat in seats) for name, seats in histograms.items()}
    )


def mean(histogram: Histogram) -> Mean:
    """Return the mean of a histogram. The sums are exact, so the result does not depend on how a run was divided.

    >>> mean({0: 1, 2: 1})
    Mean(mean=1.0, stderr=1.0, count=2)
    """
    return mean_of((Fraction(value), times) for value, times in histogram.items())


def win_share(histogram: Histogram) -> Mean:
    """Return the mean share of the win from a histogram of "share": a win shared by k seats counts 1/k.

    >>> win_share({0: 1, 1: 2, 2: 1}).mean
    0.625
    """
    return mean_of((Fraction(1, value) if value else Fraction(0), times) for value, times in histogram.items())


def quantile(histogram: Histogram, part: float) -> int:
    """Return the least value such that at least the fraction `part` of all values is no greater.

    >>> quantile({1: 5, 7: 5}, 0.5), quantile({1: 5, 7: 5}, 0.51)
    (1, 7)
    """
    needed, so_far = part * sum(histogram.values()), 0
    for value, times in histogram.items():
        so_far += times
        if so_far >= needed:
            return value
    raise ValueError("an empty histogram has no quantiles")
