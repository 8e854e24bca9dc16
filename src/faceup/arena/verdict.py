"""Which of two bots is better: the judge who says when enough has been played, and what came of it."""

from collections import Counter
from collections.abc import Iterable
from math import sqrt
from typing import Final

import msgspec

from faceup.arena.differences import Comparison, difference
from faceup.arena.matches import Cause, Result
from faceup.core import Malformed
from faceup.statistics import within
from faceup.statistics.sequential import Outcome, Progress, Sequential, Sums, Walk
from faceup.statistics.stopping import Effect, effect

ERROR: Final = 0.05
"""How often "better" may be said though it is not, where nothing else was asked for."""


class Finding(msgspec.Struct, frozen=True):
    """What some blocks say.

    Attributes:
        outcome: in a word.
        blocks: how many blocks it rests on.
        mean: of their differences.
        spread: their standard deviation.
        points: the true difference, in `Comparison.measured`; None for less than two blocks.
        standard: the same in standard deviations of a block; None where there is no spread.
    """

    outcome: Outcome
    blocks: int
    mean: float
    spread: float
    points: Effect | None
    standard: Effect | None


class Verdict(msgspec.Struct, frozen=True):
    """What a comparison says.

    Attributes:
        comparison: who was compared, and how.
        test: which test said when to stop; None if the number of blocks was fixed beforehand.
        found: what all blocks say, a bot that was put out being last in its match or deal.
        without: what those say in which nobody was put out; None if nobody was.
        faulty: the number of blocks in which somebody was put out.
        out: who was put out how often, by cause.
        progress: how far the test has come; None without one.
    """

    comparison: Comparison
    test: Sequential | None
    found: Finding
    without: Finding | None
    faulty: int
    out: dict[str, dict[Cause, int]]
    progress: Progress | None


class Judge:
    """Hears the results in the order of the schedule, and says when enough has been played.

    >>> from faceup.arena.matches import Match
    >>> judge = Judge(Comparison("new", "old", ("other",), matches=2), sequential(least=0.5))
    >>> for block in range(20):
    ...     judge.add(Result(Match(2 * block, block, ("new", "other"), 0), (9, 12), (1, 2)))
    ...     judge.add(Result(Match(2 * block + 1, block, ("old", "other"), 0), (15, 8), (2, 1)))
    ...     if judge.ended:
    ...         break
    >>> judge.verdict().found.outcome, judge.blocks
    (<Outcome.BETTER: 'better'>, 10)
    """

    def __init__(self, comparison: Comparison, test: Sequential | None) -> None:
        """Begin.

        Args:
            comparison: who is compared, and how.
            test: says when to stop; None for a number of blocks that is fixed beforehand.
        """
        self._comparison = comparison
        self._test = test
        self._all, self._without = Walk(), Walk()
        self._block: list[Result] = []
        self._faulty = 0
        self._out: dict[str, Counter[Cause]] = {}

    @property
    def ended(self) -> bool:
        """Whether enough has been played; what comes later is not counted."""
        return self._all.outcome is not Outcome.OPEN

    @property
    def blocks(self) -> int:
        """How many have been counted."""
        return self._all.sums.count

    @property
    def progress(self) -> Progress | None:
        """How far the test has come; None without one."""
        return self._test.progress(self._all.sums) if self._test else None

    def add(self, result: Result) -> None:
        """One more; a block counts when its last match has come.

        Raises:
            ValueError: a block begins before all matches of the one before have come.
        """
        if self.ended:
            return
        if self._block and self._block[0].match.block != result.match.block:
            raise ValueError(
                f"block {self._block[0].match.block} has {self._comparison.matches} matches, and only "
                f"{len(self._block)} came before block {result.match.block}"
            )
        self._block.append(result)
        if len(self._block) == self._comparison.matches:
            self._close(self._block)
            self._block = []

    def _close(self, block: list[Result]) -> None:
        found = difference(self._comparison, block)
        self._all = self._after(self._all, found)
        faults = [(result.match.lineup[fault.player], fault.cause) for result in block for fault in result.faults]
        for name, cause in faults:
            self._out.setdefault(name, Counter())[cause] += 1
        if faults:
            self._faulty += 1
        else:
            self._without = self._after(self._without, found)

    def _after(self, walk: Walk, found: float) -> Walk:
        return walk.after(self._test, found) if self._test else Walk(walk.sums.plus(found))

    def verdict(self) -> Verdict:
        """What it says now."""
        return Verdict(
            comparison=self._comparison,
            test=self._test,
            found=_finding(self._all, self._test),
            without=_finding(self._without, self._test) if self._faulty else None,
            faulty=self._faulty,
            out={name: {cause: out[cause] for cause in Cause if out[cause]} for name, out in sorted(self._out.items())},
            progress=self.progress,
        )


def verdict(comparison: Comparison, test: Sequential | None, results: Iterable[Result]) -> Verdict:
    """What results in the order of the schedule say; those after the end of the test are not counted."""
    judge = Judge(comparison, test)
    for result in results:
        judge.add(result)
    return judge.verdict()


def sequential(least: float = 0.2, error: float = ERROR, miss: float = 0.05) -> Sequential:
    """The test with these settings, as `Sequential` has them.

    Raises:
        Malformed: one of them is out of range.
    """
    try:
        return Sequential(least, error, miss)
    except ValueError as problem:
        raise Malformed(str(problem), what=(least, error, miss), where="test") from None


def _finding(walk: Walk, test: Sequential | None) -> Finding:
    sums = walk.sums
    if test is None:
        points = _student(sums)
        standard = points.times(1 / sums.spread) if points and sums.spread else None
        return Finding(_said(sums, points), sums.count, sums.mean, sums.spread, points, standard)
    if sums.count < 2:
        return Finding(walk.outcome, sums.count, sums.mean, sums.spread, None, None)
    share = 1 - 2 * test.error
    if not sums.spread:
        same = Effect(sums.mean, sums.mean, sums.mean, share)
        return Finding(walk.outcome, sums.count, sums.mean, 0.0, same, None)
    standard = effect(test, sums, share)
    return Finding(walk.outcome, sums.count, sums.mean, sums.spread, standard.times(sums.spread), standard)


def _student(sums: Sums) -> Effect | None:
    """The mean with Student's interval, an end of which is wrong in `ERROR` of all comparisons."""
    if sums.count < 2:
        return None
    share = 1 - 2 * ERROR
    half = within(sums.count - 1, share) * sums.spread / sqrt(sums.count)
    return Effect(sums.mean, sums.mean - half, sums.mean + half, share)


def _said(sums: Sums, points: Effect | None) -> Outcome:
    """What a fixed number of blocks says.

    Where all differences are alike Student's interval has no length, even for two of them. If both bots are equally
    good, n differences have the same sign with a chance of 1 / 2^n, and that is asked for besides.
    """
    if points is None:
        return Outcome.OPEN
    if points.low <= 0 <= points.high or (not sums.spread and 0.5**sums.count > ERROR):
        return Outcome.NONE
    return Outcome.BETTER if points.low > 0 else Outcome.WORSE
