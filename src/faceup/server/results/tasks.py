"""Reviews of finished games for the statistics of players, computed in the coach's worker process.

A process takes the seats of persons one after the other, the latest games first, and uses a tenth of the time at most:
after a review that took two seconds, it waits for eighteen. The requests of people go first in the coach's queue.
"""

import asyncio
import logging
from collections import Counter
from functools import partial
from typing import Any, Final

import msgspec
from sqlalchemy import Connection

from faceup.core import RulesError
from faceup.server.accounts.errors import OverloadedError
from faceup.server.live.hub import TableHub
from faceup.server.process.periodic import FailureIsolation, PeriodicTask
from faceup.server.results.seat_reviews import (
    FoundFault,
    PendingSeat,
    SeatFindings,
    pending_seats,
    reserve,
    store_findings,
)
from faceup.server.rooms.errors import RecordWithheldError
from faceup.server.store import Store, StoreError
from faceup.server.workers.coach import Coach
from faceup.server.workers.fair_queue import SERVER

_INTERVAL: Final = 30.0
"""Seconds between two searches for finished games."""

_BACKLOG: Final = 30 * 86_400_000
"""How old the games are at most that a process reviews when it has started, in milliseconds."""

_SLACK: Final = 1_800_000
"""For how long finished games are searched again, in milliseconds, because a review may fail or its process end."""

_AT_ONCE: Final = 20
"""The number of seats that are read from the database at once."""

_MAX_PAUSE: Final = 60.0
"""Seconds of the longest pause after a review. The first one loads the search, which may take long."""

_DAY: Final = 86_400_000

_LOG: Final = logging.getLogger(__name__)


class SeatReviews:
    """A task that lets the coach review finished games for the statistics of their players.

    Args:
        store: the database.
        hub: the tables.
        coach: the coach.
        share: the maximum share of the time in which the coach reviews games for statistics.
        per_day: the maximum number of games of a player in a day, so that a program cannot use all the time.

    Attributes:
        task: the periodic task.
    """

    def __init__(self, store: Store, hub: TableHub, coach: Coach, *, share: float = 0.1, per_day: int = 50) -> None:
        self._store = store
        self._hub = hub
        self._coach = coach
        self._pause = 1 / share - 1
        self._per_day = per_day
        self._since = store.now() - _BACKLOG
        self._failures = FailureIsolation("reviews for statistics", store.metrics)
        self._counts: Counter[str] = Counter()
        self._day = 0
        self._coached: frozenset[str] | None = None
        self.task = PeriodicTask("reviews for statistics", self.run, _INTERVAL, store.metrics)

    async def run(self) -> int:
        """Review all seats that are pending. Return how many were reviewed. Raises `UnavailableError`."""
        if self._coached is None:
            self._coached = await asyncio.to_thread(_coached_games)
        count, started = 0, self._store.now()
        while seats := await self._store.query(self._pending):
            for seat in seats:
                with self._failures.isolate(seat.room) as attempt:
                    count += await self._review(seat)
                if isinstance(attempt.error, StoreError):
                    raise attempt.error  # the seat is perhaps not reserved, so the loop would find it again
        self._since = max(self._since, started - _SLACK)
        return count

    def _pending(self, connection: Connection) -> list[PendingSeat]:
        return pending_seats(connection, self._store.now(), self._since, self._coached or (), _AT_ONCE)

    async def _review(self, seat: PendingSeat) -> bool:
        """Reserve and review a seat. False if another process has it, or if it cannot be reviewed now."""
        if not await self._store.write(partial(reserve, now=self._store.now(), seat=seat)):
            return False
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            findings = SeatFindings() if self._exceeds(seat.who) else await self._find(seat)
        except (OverloadedError, RecordWithheldError) as error:
            _LOG.warning("a seat of the table %s is not reviewed now: %s", seat.room, error.kind)
            return False
        except RulesError as error:  # it can never be reviewed, for example because it has too many decisions
            _LOG.info("a seat of the table %s cannot be reviewed: %s", seat.room, error.kind)
            findings = SeatFindings()
        await self._store.write(partial(store_findings, seat=seat, findings=findings))
        await asyncio.sleep(min(_MAX_PAUSE, self._pause * (loop.time() - started)))
        return True

    def _exceeds(self, who: str) -> bool:
        """Count a game of a player. Return whether the player has had too many today."""
        if (day := self._store.now() // _DAY) != self._day:
            self._day = day
            self._counts.clear()
        self._counts[who] += 1
        return self._counts[who] > self._per_day

    async def _find(self, seat: PendingSeat) -> SeatFindings:
        """Review the choices of a seat, if its player may have the record."""
        record = await self._hub.record(seat.room, seat.who)
        async for line in self._coach.review(record, seat.seat, owner=SERVER, table=seat.room):
            last = line
        return findings_of(msgspec.json.decode(last)["review"])


def _coached_games() -> frozenset[str]:
    from faceup.coach.registry import GAME_COACHES, has_coach  # noqa: PLC0415 -- slow to import, delays every start

    return frozenset(game for game in GAME_COACHES if has_coach(game))


def findings_of(review: dict[str, Any]) -> SeatFindings:  # Any: JSON
    """Sum up the review of one seat, as JSON. Choices that the clock made, and forced ones, do not count.

    >>> step = {"by": "seat", "grade": "mistake", "fault": "risk", "decision": 3, "cost": {"value": 2.5, "error": 0.1}}
    >>> findings_of({"decisions": [step, step | {"by": "clock"}, step | {"grade": "best", "fault": None}]})
    SeatFindings(decisions=2, faults={'risk': FoundFault(count=1, cost=2.5, worst=2.5, decision=3)})
    """
    made = [step for step in review["decisions"] if step["by"] == "seat" and step["grade"] != "only"]
    faults: dict[str, FoundFault] = {}
    for step in made:
        if step["fault"] is not None:
            cost, before = step["cost"]["value"], faults.get(step["fault"], FoundFault(0, 0.0, -1.0, 0))
            faults[step["fault"]] = FoundFault(
                count=before.count + 1,
                cost=round(before.cost + cost, 4),
                worst=max(before.worst, cost),
                decision=step["decision"] if cost > before.worst else before.decision,
            )
    return SeatFindings(len(made), faults)
