"""Playing a schedule into its log, and handing over the results in the order of the schedule."""

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from typing import Final, Protocol

from faceup.arena.log import Log, Played, unpack
from faceup.arena.matches import Match, Result
from faceup.arena.schedule import Schedule, schedule
from faceup.core import Malformed

_OUT_OF_TURN: Final = 20_000
"""Matches that may be scheduled and not yet handed over, because an earlier one is still being played."""


class Engine(Protocol):
    """What plays matches: worker processes here, or a cluster.

    Attributes:
        room: how many matches it should have, so that nothing in it is idle.
    """

    room: int

    def submit(self, matches: Sequence[Match]) -> None:
        """Have the matches of a block played."""
        ...

    def wait(self) -> list[Played]:
        """Wait until at least one match is finished, and give all that are."""
        ...


def play(log: Log, engine: Engine, blocks: int | None) -> Generator[Result, None, None]:
    """Play what is missing in the log, and give all results in the order of the schedule.

    Each match is in the log as soon as it is finished, even if earlier ones are not. To close the iterator is to stop.

    Args:
        log: open for writing.
        engine: what plays.
        blocks: how many blocks of the whole schedule; None for no end, until the iterator is closed.

    Raises:
        Malformed: no blocks, or a share of a ladder.
        Full: the log cannot be written.
    """
    if blocks is not None and blocks < 1:
        raise Malformed(f"blocks is 1 or more, not {blocks}", what=blocks, where="--blocks")
    if log.contest.kind == "ladder" and not log.share.whole:
        raise Malformed("a ladder cannot be played in shares: who meets depends on all results before", where="--shard")
    return _Play(log, engine, blocks).results()


class _Play:
    """A schedule on its way."""

    def __init__(self, log: Log, engine: Engine, blocks: int | None) -> None:
        self._log = log
        self._engine = engine
        self._schedule: Schedule = schedule(log.contest)
        self._blocks = log.share.blocks(blocks)
        self._next = next(self._blocks, None)
        self._before = set(log.numbers())
        self._stored = log.all_results()
        self._due: deque[Match] = deque()
        self._held: dict[int, Result] = {}
        self._under_way = 0

    def results(self) -> Generator[Result, None, None]:
        while True:
            self._schedule_more()
            for result in self._in_turn():
                self._schedule.learn(result)
                yield result
            if not self._under_way:
                if self._next is None and not self._due:
                    return
                continue
            found = self._engine.wait()
            self._log.add(found)
            self._under_way -= len(found)
            for played in found:
                self._held[played.number] = unpack(played)

    def _schedule_more(self) -> None:
        """Hand matches to the engine while it has room, block after block."""
        while self._next is not None and self._under_way < self._engine.room and len(self._due) < _OUT_OF_TURN:
            matches = self._schedule.block(self._next)
            if matches is None:
                return
            self._next = next(self._blocks, None)
            self._due.extend(matches)
            missing = [match for match in matches if match.number not in self._before]
            self._under_way += len(missing)
            if missing:
                self._engine.submit(missing)

    def _in_turn(self) -> Iterator[Result]:
        """The results whose turn it is."""
        while self._due:
            number = self._due[0].number
            if number in self._before:
                result = self._from_log(number)
            elif number in self._held:
                result = self._held.pop(number)
            else:
                return
            self._due.popleft()
            yield result

    def _from_log(self, number: int) -> Result:
        """A result that was there when we began; they are asked for in order."""
        for result in self._stored:
            if result.match.number == number:
                return result
        raise Malformed(f"{self._log.path} has lost match {number}", what=number, where="--log")
