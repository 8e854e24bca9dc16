"""Which match follows which: block after block, each with the same cards for all its lineups and rotations."""

from collections.abc import Iterator
from itertools import count
from typing import Protocol

import msgspec

from faceup.arena.contests import Contest, lineups
from faceup.arena.matches import Match, Result
from faceup.core import Malformed


class Schedule(Protocol):
    """A contest's matches. A block's matches are numbered on from those of the block before.

    Attributes:
        width: how many matches a block has.
    """

    width: int

    def block(self, number: int) -> tuple[Match, ...] | None:
        """The matches of a block; None as long as too few results are known for it. Ask for them in order."""
        ...

    def learn(self, result: Result) -> None:
        """Take note of a result; they come in the order of the schedule, whoever finished first."""
        ...


class Fixed:
    """A schedule that is known from the start: every lineup of the contest in every block.

    >>> from faceup.arena import Terms
    >>> from faceup.arena.contests import Named, contest
    >>> both = [Named("new", "1"), Named("old", "2")]
    >>> plan = Fixed(contest("compare", Terms(), both, seed=7))
    >>> plan.width
    14
    >>> plan.block(2)[9]
    Match(number=37, block=2, lineup=('new', 'old', 'new', 'old'), rotation=1)
    """

    def __init__(self, contest: Contest) -> None:
        self._tables = [(each.names, turn) for each in lineups(contest) for turn in range(each.rotations)]
        self.width = len(self._tables)

    def block(self, number: int) -> tuple[Match, ...]:
        """The matches of a block."""
        first = number * self.width
        return tuple(Match(first + index, number, names, turn) for index, (names, turn) in enumerate(self._tables))

    def learn(self, result: Result) -> None:
        """Nothing depends on results."""


class Share(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which blocks of a schedule are played here: every so many of them.

    Attributes:
        number: which share, from 1.
        shares: of how many.
    """

    number: int = 1
    shares: int = 1

    def __post_init__(self) -> None:
        """Refuse a share that there is not."""
        if not 1 <= self.number <= self.shares:
            raise Malformed(
                f"shares are 1/{self.shares} to {self.shares}/{self.shares}, not {self.number}/{self.shares}",
                what=self.number,
                where="--shard",
            )

    @property
    def whole(self) -> bool:
        """Whether it is all."""
        return self.shares == 1

    def blocks(self, blocks: int | None) -> Iterator[int]:
        """The blocks of the share, of so many in all; without end for None.

        >>> list(Share(2, 3).blocks(9))
        [1, 4, 7]
        """
        first = self.number - 1
        return count(first, self.shares) if blocks is None else iter(range(first, blocks, self.shares))


def width_of(contest: Contest) -> int:
    """How many matches a block of the contest has."""
    if contest.kind == "ladder":
        return contest.seats
    return sum(each.rotations for each in lineups(contest))


def schedule(contest: Contest) -> Schedule:
    """The schedule of a contest."""
    if contest.kind == "ladder":
        from faceup.arena.ladder import Ladder  # noqa: PLC0415 -- whose ratings no other schedule needs

        return Ladder(contest)
    return Fixed(contest)
