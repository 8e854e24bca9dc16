"""Play a schedule, store its matches in a log, and yield the results in the order of the schedule."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from itertools import count
from typing import Final, Protocol

from faceup.arena.match.result import Match, MatchResult
from faceup.arena.run.log import Log, StoredMatch, unpack
from faceup.arena.run.schedule import Schedule
from faceup.arena.run.schedule import schedule as schedule_of
from faceup.core import Malformed

_MOST_OUT_OF_ORDER: Final = 20_000
"""The most scheduled matches that wait until an earlier match is finished."""


class MatchEngine(Protocol):
    """What plays matches, which are worker processes on this machine or a cluster.

    Attributes:
        room: how many matches must be in progress to keep the engine busy.
    """

    room: int

    def submit(self, matches: Sequence[Match]) -> None:
        """Submit matches of a block."""
        ...

    def wait(self) -> list[StoredMatch]:
        """Wait until at least one match is finished, and return all finished matches that were not returned before."""
        ...


def play(
    log: Log, engine: MatchEngine, blocks: int | None, *, schedule: Schedule | None = None, first: int = 0
) -> Generator[MatchResult, None, None]:
    """Play the matches that the log lacks, and yield all results in the order of the schedule.

    Each match is stored as soon as it is finished. Close the iterator to stop.

    Args:
        log: the log, which contains the contest.
        engine: plays the matches.
        blocks: the number of blocks of the schedule; None to play until the iterator is closed.
        schedule: the schedule; by default the one that follows from the contest.
        first: number of the first match. The schedule must have all results before it already.

    Raises:
        Malformed: `blocks` is less than 1, or the log has lost a match.
        LogWriteError: the log cannot be written.
    """
    if blocks is not None and blocks < 1:
        raise Malformed(f"blocks must be 1 or more; got {blocks}", what=blocks, where="--blocks")
    return _ScheduleRun(log, engine, schedule or schedule_of(log.contest), blocks, first).results()


class _ScheduleRun:
    """A run of a schedule."""

    def __init__(self, log: Log, engine: MatchEngine, schedule: Schedule, blocks: int | None, first: int) -> None:
        self._log = log
        self._engine = engine
        self._schedule = schedule
        self._first = first
        block = first // schedule.width
        self._blocks = iter(range(block, blocks)) if blocks is not None else count(block)
        self._next = next(self._blocks, None)
        self._in_log = set(log.numbers(first))
        self._stored = log.all_results(first)
        self._due: deque[Match] = deque()
        self._out_of_order: dict[int, MatchResult] = {}
        self._in_progress = 0

    def results(self) -> Generator[MatchResult, None, None]:
        while True:
            self._schedule_more()
            for result in self._ordered_results():
                self._schedule.add_result(result)
                yield result
            if not self._in_progress:
                if self._next is None and not self._due:
                    return
                continue
            finished = self._engine.wait()
            self._log.add(finished)
            self._in_progress -= len(finished)
            for played in finished:
                self._out_of_order[played.number] = unpack(played)

    def _schedule_more(self) -> None:
        """Submit matches block by block while the engine has room."""
        while self._next is not None and self._in_progress < self._engine.room and len(self._due) < _MOST_OUT_OF_ORDER:
            matches = self._schedule.block(self._next)
            if matches is None:
                return
            self._next = next(self._blocks, None)
            self._due.extend(match for match in matches if match.number >= self._first)
            missing = [match for match in matches if match.number >= self._first and match.number not in self._in_log]
            self._in_progress += len(missing)
            if missing:
                self._engine.submit(missing)

    def _ordered_results(self) -> Iterator[MatchResult]:
        """Yield the results that come next in the order of the schedule, up to the first unfinished match."""
        while self._due:
            number = self._due[0].number
            if number in self._in_log:
                result = self._from_log(number)
            elif number in self._out_of_order:
                result = self._out_of_order.pop(number)
            else:
                return
            self._due.popleft()
            yield result

    def _from_log(self, number: int) -> MatchResult:
        """Return the result of a match that was in the log before this run. Call this in the order of the numbers."""
        for result in self._stored:
            if result.match.number == number:
                return result
        raise Malformed(
            f"{self._log.path} no longer contains match {number}, which it contained at the start of this run",
            what=number,
            where="--log",
        )
