"""Everything that chance can do: a generator that gives every sequence of answers in turn, each with its likelihood."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from math import prod
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


class TooMany(Exception):  # noqa: N818 -- not an error: there is more than can be listed
    """More than the limit to list."""


class _Scripted:
    """Answers as the script says, then 0; remembers how many answers there were to each question."""

    def __init__(self, script: list[int], limit: int) -> None:
        self.script = script
        self.sizes: list[int] = []
        self.limit = limit

    def below(self, n: int) -> int:
        place = len(self.sizes)
        if place == len(self.script):
            if place == self.limit:
                raise TooMany
            self.script.append(0)
        self.sizes.append(n)
        return self.script[place]


def every(make: Callable[[_Scripted], T], limit: int) -> dict[T, Fraction]:
    """Everything that `make(rng)` can make, with the probability of each.

    Raises:
        TooMany: there are more than `limit` sequences of answers.

    >>> every(lambda rng: rng.below(2) + rng.below(2), limit=10)
    {0: Fraction(1, 4), 1: Fraction(1, 2), 2: Fraction(1, 4)}
    """
    found: dict[T, Fraction] = {}
    script: list[int] = []
    runs = 0
    while True:
        rng = _Scripted(script, limit)
        made = make(rng)
        ways = prod(rng.sizes)
        runs += 1
        if (runs == 1 and ways > limit) or runs > limit:
            raise TooMany
        found[made] = found.get(made, Fraction(0)) + Fraction(1, ways)
        while script and script[-1] == rng.sizes[len(script) - 1] - 1:
            script.pop()
        if not script:
            return found
        script[-1] += 1
