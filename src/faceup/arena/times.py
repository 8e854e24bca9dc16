"""How long a bot's answers took: a histogram that adds up, small enough to be kept with every match."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import ceil
from typing import Final

import msgspec

PER_OCTAVE: Final = 8
"""Classes in each doubling of the time, so that a class is 1/16 to 1/8 of its times wide."""


class Times(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long answers took, in microseconds, from the last byte that was sent.

    Attributes:
        count: how many answers.
        total: of all.
        most: the longest.
        grace: how much beyond its limit was put down to the machine, in all.
        classes: how many answers each class has; `least_of` says where a class begins.
    """

    count: int = 0
    total: int = 0
    most: int = 0
    grace: int = 0
    classes: Mapping[int, int] = {}

    @property
    def mean(self) -> float:
        """In microseconds; 0 if there is no answer."""
        return self.total / self.count if self.count else 0.0

    def quantile(self, share: float) -> int:
        """A time that so many of the answers did not exceed, 1/8 too large at most; 0 if there is no answer.

        >>> times_of([100] * 99 + [90_000]).quantile(0.99)
        104
        """
        left = ceil(share * self.count)
        for index in sorted(self.classes):
            left -= self.classes[index]
            if left <= 0:
                return min(self.most, least_of(index + 1))
        return self.most


def class_of(time: int) -> int:
    """The class of a time in microseconds.

    >>> [class_of(time) for time in (0, 7, 8, 9, 16, 18, 1000)]
    [0, 7, 8, 9, 16, 17, 63]
    """
    if time < PER_OCTAVE:
        return max(0, time)
    octave = time.bit_length() - PER_OCTAVE.bit_length()
    return octave * PER_OCTAVE + (time >> octave)


def least_of(index: int) -> int:
    """The least time of a class, in microseconds: the inverse of `class_of`.

    >>> all(class_of(least_of(index)) == index for index in range(200))
    True
    """
    octave = max(0, index // PER_OCTAVE - 1)
    return (index - octave * PER_OCTAVE) << octave


def times_of(times: Iterable[int], grace: int = 0) -> Times:
    """The times of some answers, each in microseconds."""
    all_of_them = list(times)
    classes = Counter(map(class_of, all_of_them))
    return Times(len(all_of_them), sum(all_of_them), max(all_of_them, default=0), grace, dict(sorted(classes.items())))


def together(many: Iterable[Times]) -> Times:
    """The times of several matches as one.

    >>> together([times_of([5, 7]), times_of([9])])
    Times(count=3, total=21, most=9, grace=0, classes={5: 1, 7: 1, 9: 1})
    """
    count = total = most = grace = 0
    classes: dict[int, int] = {}
    for each in many:
        count += each.count
        total += each.total
        most = max(most, each.most)
        grace += each.grace
        for index, found in each.classes.items():
            classes[index] = classes.get(index, 0) + found
    return Times(count, total, most, grace, dict(sorted(classes.items())))
