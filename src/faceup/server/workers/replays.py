"""Replays, reviews and drawings of records, computed in a worker process with a time limit and a cache.

A game of War may have thousands of rounds, a review takes seconds, and uploaded records are untrusted. If a request
exceeds its time limit, the process is killed and restarted.
"""

import asyncio
import hashlib
from collections import OrderedDict
from typing import Final, Literal

import msgspec

from faceup.core import Malformed
from faceup.core.record import Record, dumps
from faceup.server.accounts.errors import BusyError
from faceup.server.rooms.room import Viewer
from faceup.server.workers.child_process import ChildProcess

Topic = Literal["lines", "backlog", "review", "drawing"]

_MAX_WAITING: Final = 16
"""Maximum number of waiting requests."""

_CACHE_SIZE: Final = 32 * 1024 * 1024
"""Maximum size of the cache, in bytes."""

_IDLE: Final = 300.0
"""Seconds after the last request at which the process is ended."""


class ReplayProcess:
    """The worker process, started on demand and ended after five idle minutes.

    Args:
        seconds: time limit per request.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._process = ChildProcess("faceup.server.workers.replay_worker")
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._cached = 0
        self._idle: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None] | None = None

    async def ask(self, topic: Topic, record: Record | bytes, viewer: Viewer = None, step: int = 0) -> bytes:
        """Return the result for a record, compressed with gzip.

        Args:
            topic: "lines" for the lines of a replay, "review", "drawing", or "backlog" for the lines of a log so far.
            record: a record or its JSON, possibly invalid; for "backlog" a log with one row per line.
            viewer: the seat; None means a spectator, and in a review all seats.
            step: the step to draw; 0 is the first decision.

        Raises:
            Malformed: the record is invalid or cannot be reviewed, or the request exceeded its time limit.
            BusyError: too many requests are waiting.
        """
        text = dumps(record).encode() if isinstance(record, Record) else record
        head = f"{len(text)} {topic} {'-' if viewer is None else viewer} {step}\n"
        key = f"{head}{hashlib.sha256(text).hexdigest()}"
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        if self._waiting >= _MAX_WAITING:
            raise BusyError("too many replay requests are waiting; try again in a few seconds")
        self._waiting += 1
        try:
            async with self._turn:
                return self._answers.get(key) or await self._compute(key, head.encode() + text)
        finally:
            self._waiting -= 1

    async def stop(self) -> None:
        """Kill the process."""
        if self._idle is not None:
            self._idle.cancel()
        await self._process.kill()

    async def _compute(self, key: str, request: bytes) -> bytes:
        if self._idle is not None:
            self._idle.cancel()
        done = False
        try:
            async with asyncio.timeout(self.seconds):
                status, body = await self._exchange(request)
            done = True
        except TimeoutError:
            raise Malformed(
                f"the record took longer than the limit of {self.seconds:g} s; use the `faceup` command instead",
                where="record",
            ) from None
        finally:
            if not done:  # the next request would read the pending response
                await self._process.kill()
        self._idle = asyncio.get_running_loop().call_later(_IDLE, self._end_idle)
        if status != "ok":
            error = msgspec.json.decode(body)
            raise Malformed(error["message"], where=error["where"])
        self._cache(key, body)
        return body

    async def _exchange(self, request: bytes) -> tuple[str, bytes]:
        into, output = await self._process.pipes()
        into.write(request)
        length, status = (await output.readline()).decode().split()
        return status, await output.readexactly(int(length))

    def _cache(self, key: str, body: bytes) -> None:
        self._answers[key] = body
        self._cached += len(body)
        while self._cached > _CACHE_SIZE:
            _, oldest = self._answers.popitem(last=False)
            self._cached -= len(oldest)

    def _end_idle(self) -> None:
        if not self._turn.locked():
            self._ending = asyncio.get_running_loop().create_task(self._process.kill())
