"""Reviews and hints, computed in worker processes, and a cache of reviews."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Final

import msgspec

from faceup.core import AnyRules, View, write
from faceup.core.record import Record, dumps
from faceup.server.accounts.errors import BusyError
from faceup.server.process.metrics import Metrics
from faceup.server.rooms.room import Viewer
from faceup.server.workers.cache import ByteCache
from faceup.server.workers.coach_worker import ReviewSlice
from faceup.server.workers.fair_queue import SERVER, Owner
from faceup.server.workers.pool import WorkerFailedError, WorkerPool

_SECONDS: Final = 180.0
"""Time limit of a slice of a review or of a hint. The first one after an installation compiles the search."""

_CACHE_SIZE: Final = 32 * 1024 * 1024
"""Maximum size of the cache of reviews, in bytes."""

_IDLE: Final = 1800.0
"""Seconds after the last request at which all processes but one are ended."""

_PREPARE_DELAY: Final = 5.0
"""Seconds after which a process is prepared, so that it does not slow down the start of a game."""


class Coach:
    """Reviews of records, and hints.

    Args:
        metrics: measures the queue.
    """

    def __init__(self, metrics: Metrics) -> None:
        # One process is kept, about 170 MB, because a new one needs seconds to load the search.
        self.pool = WorkerPool(
            "faceup.server.workers.coach_worker",
            "coach",
            metrics,
            seconds=_SECONDS,
            idle=_IDLE,
            kept=1,
            warm_up=lambda: [("prepare",)],
        )
        self._reviews: ByteCache[tuple[int, bytes]] = ByteCache(_CACHE_SIZE, lambda review: len(review[1]))
        self._preparing: asyncio.TimerHandle | None = None
        self._prepared: asyncio.Task[None] | None = None

    async def review(
        self, record: Record | bytes, viewer: Viewer = None, *, owner: Owner, table: str = ""
    ) -> AsyncIterator[bytes]:
        """Review the decisions of one seat, or of all seats. Yield JSON lines; the last one has the review.

        The lines are `queued` with the number of requests ahead, `start`, `step` for each decision in order, and
        `review`. A review in the cache has no `step` lines. Close the iterator to drop the work that is left.

        Args:
            record: a record or its JSON, possibly invalid.
            viewer: the seat to review; None means all seats.
            owner: who asks, as for `FairQueue.enter`.
            table: the table; "" for an uploaded record.

        Raises:
            Malformed: the record is invalid or cannot be reviewed, or the review exceeded its time limit.
            BusyError: too many requests are waiting.
            WorkerFailedError: the worker process failed.
        """
        text = dumps(record).encode() if isinstance(record, Record) else record
        key = f"{viewer} {hashlib.sha256(text).hexdigest()}"
        if (cached := self._reviews.get(key)) is not None:
            requested, done = cached
            yield b'{"line":"start","requested":%d}\n' % requested
            yield b'{"line":"review","review":%b}\n' % done
            return
        evaluated: list[bytes] = []
        last: bytes | None = None
        sent = 0
        with self.pool.queue.enter(owner, table) as ticket:
            while last is None:
                async for position in ticket.positions():
                    if not evaluated:
                        yield b'{"line":"queued","position":%d}\n' % position
                answer = await self.pool.call(ticket, "review", text, viewer, evaluated, sent)
                part = msgspec.msgpack.decode(answer, type=ReviewSlice)
                if not evaluated:
                    yield b'{"line":"start","requested":%d}\n' % part.requested
                for step in part.steps:
                    sent += 1
                    yield b'{"line":"step","done":%d,"requested":%d,"step":%b}\n' % (sent, part.requested, step)
                evaluated += part.evaluated
                last = part.review
            self._reviews.put(key, (part.requested, last), table)
        yield b'{"line":"review","review":%b}\n' % last

    async def hint(self, rules: AnyRules, view: View, *, owner: Owner, table: str) -> bytes:
        """Return a hint for the seat to act, as JSON. It depends only on the view.

        Args:
            rules: the rules of a game with a coach.
            view: the view of the seat that has to choose.
            owner: who asks, as for `FairQueue.enter`.
            table: the table.

        Raises:
            BusyError: too many requests are waiting.
            WorkerFailedError: the worker process failed.
        """
        with self.pool.queue.enter(owner, table) as ticket:
            await ticket.wait()
            return await self.pool.call(ticket, "hint", write(rules, view))

    def prepare(self) -> None:
        """Start a process soon and load the search, so that the first review or hint is quick."""
        if self._preparing is None:
            loop = asyncio.get_running_loop()
            self._preparing = loop.call_later(_PREPARE_DELAY, self._start_preparing)

    def forget(self, table: str) -> None:
        """Remove the reviews of a table that was deleted or changed."""
        self._reviews.forget(table)

    async def stop(self) -> None:
        """Kill the processes."""
        if self._preparing is not None:
            self._preparing.cancel()
        await self.pool.stop()
        if self._prepared is not None:
            await self._prepared

    def _start_preparing(self) -> None:
        self._preparing = None
        if not self.pool.is_warm:
            self._prepared = asyncio.get_running_loop().create_task(self._prepare())

    async def _prepare(self) -> None:
        with suppress(BusyError, WorkerFailedError), self.pool.queue.enter(SERVER) as ticket:
            await ticket.wait()
            await self.pool.call(ticket, "prepare")
