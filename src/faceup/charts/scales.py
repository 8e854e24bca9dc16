"""Where a number stands on an axis, and which bar of a histogram it belongs to."""

from collections.abc import Callable, Mapping
from math import ceil, floor, log10
from typing import Final

import msgspec

_BINS: Final = 48


class Scale(msgspec.Struct, frozen=True):
    """An axis for whole numbers.

    Attributes:
        edges: where bars begin and end, ascending: bar i holds the numbers from `edges[i]` up to below `edges[i + 1]`.
        ticks: the numbers that are written below it.
        place: from a number to a part of the axis, 0 to 1.
        label: how a number is written below it.
    """

    edges: tuple[float, ...]
    ticks: tuple[int, ...]
    place: Callable[[float], float]
    label: Callable[[int], str] = "{:,}".format

    def bars(self, histogram: Mapping[int, int]) -> list[float]:
        """The part of all numbers in each bar, for each unit of the axis: how high the bar is, in a common measure."""
        counts = [0] * (len(self.edges) - 1)
        at = 0
        for value, times in sorted(histogram.items()):
            while at < len(counts) - 1 and value >= self.edges[at + 1]:
                at += 1
            counts[at] += times
        total = sum(counts)
        widths = [self.place(self.edges[i + 1]) - self.place(self.edges[i]) for i in range(len(counts))]
        return [count / total / width for count, width in zip(counts, widths, strict=True)]


def even(least: int, most: int) -> Scale:
    """An axis of equal steps, whose bars are one number wide, or several where there are many.

    >>> even(0, 12).ticks
    (0, 2, 4, 6, 8, 10, 12)
    """
    step = max(1, ceil((most - least + 1) / _BINS))
    count = ceil((most - least + 1) / step)
    edges = tuple(least - 0.5 + step * index for index in range(count + 1))
    start, width = edges[0], edges[-1] - edges[0]
    every = max(1, _round_step((most - least) / 7))
    first = ceil(least / every) * every
    return Scale(edges, tuple(range(first, most + 1, every)), lambda value: (value - start) / width)


def _round_step(step: float) -> int:
    """The least of 1, 2, 5, 10, 20, ... that is as large."""
    unit = 10 ** floor(log10(step)) if step >= 1 else 1
    return next(unit * many for many in (1, 2, 5, 10) if unit * many >= step)


def logarithmic(least: int, most: int) -> Scale:
    """An axis on which equal steps are equal ratios, for numbers from 1 on.

    >>> logarithmic(26, 5000).ticks
    (50, 100, 200, 500, 1000, 2000, 5000)
    """
    low, high = log10(max(least, 1)), log10(most + 1)
    edges = tuple(10 ** (low + (high - low) * index / _BINS) for index in range(_BINS + 1))
    ticks = (many * 10**power for power in range(10) for many in (1, 2, 5))
    return Scale(
        edges,
        tuple(tick for tick in ticks if least <= tick <= most),
        lambda value: (log10(max(value, 1)) - low) / (high - low),
    )
