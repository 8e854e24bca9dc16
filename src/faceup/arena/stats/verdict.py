"""The verdict of a comparison: whether a bot is better than another, or than even, and when a test may stop."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from math import sqrt
from typing import Final

import msgspec

from faceup.arena.match.result import Cause, MatchResult
from faceup.arena.run.log import Log
from faceup.arena.run.pairings import Contest
from faceup.arena.run.schedule import matches_per_block
from faceup.arena.stats.comparison import Comparison, difference
from faceup.core import Malformed, plural
from faceup.statistics import t_quantile
from faceup.statistics.effect_size import Effect, mean_effect
from faceup.statistics.sequential import Conclusion, DifferenceSums, Progress, RunningTest, SequentialTest

ERROR: Final = 0.05
"""The default rate at which a bot that is not better is called better."""


class DifferenceEstimate(msgspec.Struct, frozen=True):
    """An estimate of the difference between two bots, computed from some blocks.

    Attributes:
        outcome: the conclusion.
        blocks: number of blocks.
        mean: mean of the blocks' differences.
        spread: standard deviation of the blocks' differences.
        points: estimate of the true difference in the unit `Comparison.measured`; None if there are fewer than two
            blocks.
        standard: estimate of the true difference in units of `spread`; None if `points` is None or `spread` is 0.
    """

    outcome: Conclusion
    blocks: int
    mean: float
    spread: float
    points: Effect | None
    standard: Effect | None


class FirstForfeit(msgspec.Struct, frozen=True):
    """The first forfeit of a bot.

    Attributes:
        match: number of the match.
        player: index of the player in the lineup, in which a bot can have several seats.
        decision: number among the player's own decisions, from 0.
        cause: the category.
        message: what was wrong, and what would have been accepted.
    """

    match: int
    player: int
    decision: int
    cause: Cause
    message: str


class Verdict(msgspec.Struct, frozen=True):
    """The verdict of a comparison.

    Attributes:
        comparison: what was compared, and how.
        test: the sequential test; None if the number of blocks was fixed beforehand.
        found: the estimate from all blocks. A bot that forfeited counts as the last in its match or deal.
        without: the estimate from blocks without forfeits; None if there were no forfeits.
        faulty: number of blocks with forfeits.
        out: number of forfeits by bot and cause.
        first_out: the first forfeit of each bot in `out`.
        progress: progress of the test; None if there is no test.
        fewest, most: the least and the greatest number of blocks of the test; None if there is no test.
    """

    comparison: Comparison
    test: SequentialTest | None
    found: DifferenceEstimate
    without: DifferenceEstimate | None
    faulty: int
    out: dict[str, dict[Cause, int]]
    first_out: dict[str, FirstForfeit]
    progress: Progress | None
    fewest: int | None
    most: int | None


class Judge:
    """A judge, which counts results in the order of the schedule until the sequential test, if there is one, ends.

    >>> from faceup.arena.match.result import Match
    >>> judge = Judge(Comparison("new", "old", ("other",), matches=2), sequential(least=0.5))
    >>> for block in range(20):
    ...     judge.add(MatchResult(Match(2 * block, block, ("new", "other"), 0), (9, 12), (1, 2)))
    ...     judge.add(MatchResult(Match(2 * block + 1, block, ("old", "other"), 0), (15, 8), (2, 1)))
    ...     if judge.ended:
    ...         break
    >>> judge.verdict().found.outcome, judge.blocks
    (<Conclusion.BETTER: 'better'>, 10)
    """

    def __init__(self, comparison: Comparison, test: SequentialTest | None) -> None:
        self._comparison = comparison
        self._test = test
        self._all, self._without = RunningTest(), RunningTest()
        self._block: list[MatchResult] = []
        self._faulty = 0
        self._out: dict[str, Counter[Cause]] = {}
        self._first_out: dict[str, FirstForfeit] = {}

    @property
    def ended(self) -> bool:
        """Return whether the test has ended. Results that are added later are ignored."""
        return self._all.outcome is not Conclusion.OPEN

    @property
    def blocks(self) -> int:
        """Return the number of counted blocks."""
        return self._all.sums.count

    @property
    def progress(self) -> Progress | None:
        """Return the progress of the test; None if there is no test."""
        return self._test.progress(self._all.sums) if self._test else None

    def add(self, result: MatchResult) -> None:
        """Add a result. A block counts as soon as the result of its last match is added.

        Raises:
            ValueError: a block starts before the previous one is complete.
        """
        if self.ended:
            return
        if self._block and self._block[0].match.block != result.match.block:
            raise ValueError(
                f"all {plural(self._comparison.matches, 'match', 'matches')} of block {self._block[0].match.block} "
                f"must come before block {result.match.block}; got only {len(self._block)} of them"
            )
        self._block.append(result)
        if len(self._block) == self._comparison.matches:
            self._close(self._block)
            self._block = []

    def _close(self, block: list[MatchResult]) -> None:
        new_difference = difference(self._comparison, block)
        self._all = self._after(self._all, new_difference)
        faults = [(result.match, fault) for result in block for fault in result.faults]
        for match, fault in faults:
            name = match.lineup[fault.player]
            self._out.setdefault(name, Counter())[fault.cause] += 1
            first = FirstForfeit(match.number, fault.player, fault.decision, fault.cause, fault.message)
            self._first_out.setdefault(name, first)
        if faults:
            self._faulty += 1
        else:
            self._without = self._after(self._without, new_difference)

    def _after(self, walk: RunningTest, value: Fraction) -> RunningTest:
        return walk.after(self._test, value) if self._test else RunningTest(walk.sums.plus(value))

    def verdict(self) -> Verdict:
        """Return the verdict from the results added so far."""
        return Verdict(
            comparison=self._comparison,
            test=self._test,
            found=_estimate(self._all, self._test),
            without=_estimate(self._without, self._test) if self._faulty else None,
            faulty=self._faulty,
            out={name: {cause: out[cause] for cause in Cause if out[cause]} for name, out in sorted(self._out.items())},
            first_out=dict(sorted(self._first_out.items())),
            progress=self.progress,
            fewest=self._test.fewest if self._test else None,
            most=self._test.most if self._test else None,
        )


def verdict(comparison: Comparison, test: SequentialTest | None, results: Iterable[MatchResult]) -> Verdict:
    """Compute the verdict of these results, which must be in the order of the schedule.

    Results after the end of the test are ignored.
    """
    judge = Judge(comparison, test)
    for result in results:
        judge.add(result)
    return judge.verdict()


def sequential(least: float = 0.2, error: float = ERROR, miss: float = 0.05) -> SequentialTest:
    """Create a sequential test with these settings. See `SequentialTest`.

    Raises:
        Malformed: a setting is out of range.
    """
    try:
        return SequentialTest(least, error, miss)
    except ValueError as problem:
        raise Malformed(str(problem), what=(least, error, miss), where="test") from None


def _estimate(walk: RunningTest, test: SequentialTest | None) -> DifferenceEstimate:
    sums = walk.sums
    if test is None:
        points = _student(sums)
        standard = points.standardized(sums.mean, sums.spread) if points and sums.spread else None
        return DifferenceEstimate(_fixed_conclusion(sums, points), sums.count, sums.mean, sums.spread, points, standard)
    if sums.count < 2:
        return DifferenceEstimate(walk.outcome, sums.count, sums.mean, sums.spread, None, None)
    share = 1 - 2 * test.error
    if not sums.spread:
        same = Effect(sums.mean, sums.mean, sums.mean, share)
        return DifferenceEstimate(walk.outcome, sums.count, sums.mean, 0.0, same, None)
    points = mean_effect(test, sums, share)
    standard = points.standardized(sums.mean, sums.spread)
    return DifferenceEstimate(walk.outcome, sums.count, sums.mean, sums.spread, points, standard)


def _student(sums: DifferenceSums) -> Effect | None:
    """Return the mean with Student's confidence interval; None if there are fewer than two differences.

    The true difference is below the interval with probability `ERROR`, and above it with the same probability.
    """
    if sums.count < 2:
        return None
    share = 1 - 2 * ERROR
    half = t_quantile(sums.count - 1, share) * sums.spread / sqrt(sums.count)
    return Effect(sums.mean, sums.mean - half, sums.mean + half, share)


def _fixed_conclusion(sums: DifferenceSums, points: Effect | None) -> Conclusion:
    """Return the conclusion from a fixed number of blocks.

    If all differences are equal, Student's interval has length 0 even for two blocks. In this case a second condition
    applies: equally good bots would have n positive differences with probability 1 / 2^n at most, and this probability
    must not exceed `ERROR`.
    """
    if points is None:
        return Conclusion.OPEN
    if points.low <= 0 <= points.high or (not sums.spread and 0.5**sums.count > ERROR):
        return Conclusion.NONE
    return Conclusion.BETTER if points.low > 0 else Conclusion.WORSE


def comparison_of(contest: Contest) -> Comparison:
    """Return the comparison of a contest of the kind "compare", or of a gauntlet's first bot with even."""
    new, *others = contest.names
    gauntlet = contest.kind == "gauntlet"
    return Comparison(
        new,
        None if gauntlet else others[0],
        tuple(others) if gauntlet else contest.field,
        contest.unit,
        contest.measures.score,
        contest.measures.fewer,
        matches_per_block(contest),
        contest.seats,
    )


def verdict_of(log: Log, results: Iterable[MatchResult]) -> Verdict | None:
    """Compute the verdict of a comparison or gauntlet, with the sequential test of the log's last run.

    Args:
        log: the log.
        results: the results of the log, in the order of the schedule.

    Returns:
        The verdict; None for other kinds of schedules.
    """
    if log.contest.kind not in {"compare", "gauntlet"}:
        return None
    return verdict(comparison_of(log.contest), log.test, results)
