"""Replays, drawings and pictures, made in worker processes with a time limit and a cache.

A game of War may have thousands of rounds, and uploaded records are untrusted.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from faceup.core.record import Record, dumps
from faceup.server.process.metrics import Metrics
from faceup.server.rooms.room import Viewer
from faceup.server.workers.cache import ByteCache
from faceup.server.workers.fair_queue import Owner
from faceup.server.workers.pool import WorkerPool

Topic = Literal["lines", "own_lines", "backlog", "drawing", "position", "link", "picture"]

_CACHE_SIZE: Final = 32 * 1024 * 1024
"""Maximum size of the cache, in bytes."""

_IDLE: Final = 300.0
"""Seconds after the last request at which the processes are ended."""


class Replays:
    """Replays and drawings of records.

    Args:
        seconds: time limit per request.
        metrics: measures the queue.
    """

    def __init__(self, seconds: float, metrics: Metrics) -> None:
        self.pool = WorkerPool("faceup.server.replays.replay_worker", "replays", metrics, seconds=seconds, idle=_IDLE)
        self._answers: ByteCache[bytes] = ByteCache(_CACHE_SIZE, len)

    async def ask(
        self,
        topic: Topic,
        record: Record | bytes,
        viewer: Viewer = None,
        step: int = 0,
        *,
        faces: Sequence[str] = (),
        owner: Owner,
        table: str = "",
    ) -> bytes:
        """Return the result for a record, compressed with gzip.

        Args:
            topic: "lines" for the lines of a replay, "own_lines" for those with only what the viewer may see,
                "drawing", "backlog" for the lines of a log so far, "position" for a drawing of a position, "link" for a
                QR code, or "picture" for a PNG.
            record: a record or its JSON, possibly invalid; for "backlog" a log with one row per line; for "position"
                a `DrawnPosition` and for "picture" a `PictureRequest`, as JSON; for "link" an address.
            viewer: the seat; None means a spectator.
            step: the step to draw; 0 is the first decision.
            faces: for the lines of a replay, the animal and colour of each seat's person; "" for a bot.
            owner: who asks, as for `FairQueue.enter`.
            table: the table; "" for an uploaded record.

        Raises:
            Malformed: the record is invalid, or the request exceeded its time limit.
            BusyError: too many requests are waiting.
            WorkerFailedError: the worker process failed.
        """
        text = dumps(record).encode() if isinstance(record, Record) else record
        if topic in {"lines", "own_lines"}:
            text = msgspec.json.encode(faces) + b"\n" + text
        key = f"{topic} {viewer} {step} {hashlib.sha256(text).hexdigest()}"
        if (cached := self._answers.get(key)) is not None:
            return cached
        with self.pool.queue.enter(owner, table) as ticket:
            await ticket.wait()
            answer = self._answers.get(key)
            if answer is None:
                answer = await self.pool.call(ticket, topic, text, viewer, step)
                self._answers.put(key, answer, table)
            return answer

    def forget(self, table: str) -> None:
        """Remove the replays and drawings of a table that was deleted or changed."""
        self._answers.forget(table)

    async def stop(self) -> None:
        """Kill the processes."""
        await self.pool.stop()
