"""Whoever wants a record told again or judged waits here, and nobody else: it is done in a process of its own.

A game of War may have thousands of rounds, and judging is seconds of work; what comes from a stranger's file may be
anything. So the process has its time for each record, and is ended and started anew when that is over.
"""

import asyncio
import hashlib
import sys
from collections import OrderedDict
from contextlib import suppress
from typing import Final, Literal

import msgspec

from faceup.core import Malformed
from faceup.core.record import Record, dumps
from faceup.server.people.refusals import Busy
from faceup.server.rooms import Viewer

Topic = Literal["lines", "past", "review", "drawing"]

_COMMAND: Final = (sys.executable, "-m", "faceup.server.beside.study")

_WAITING: Final = 16
"""So many may wait for the process at a time."""

_KEPT: Final = 32 * 1024 * 1024
"""Bytes of answers that are kept."""

_IDLE: Final = 300.0
"""Seconds without work after which the process ends."""


class Studying:
    """One process, started when it is first needed.

    Args:
        seconds: that one record may take.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._answers: OrderedDict[str, bytes] = OrderedDict()
        self._kept = 0
        self._idle: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def ask(self, topic: Topic, record: Record | bytes, viewer: Viewer = None, step: int = 0) -> bytes:
        """What there is to say of a record, from a seat or from none; compressed (gzip).

        Args:
            topic: its lines, what each choice was worth, or a drawing; or the lines of a log so far.
            record: a record, or what may be the JSON of one; or the appends of a log, one a line.
            viewer: from which seat; None is a spectator, or of a review all seats.
            step: which moment is drawn; 0 is the first decision.

        Raises:
            Malformed: it is no record, or not one that can be told or judged; or it takes too long.
            Busy: too many others are waiting.
        """
        text = dumps(record).encode() if isinstance(record, Record) else record
        head = f"{len(text)} {topic} {'-' if viewer is None else viewer} {step}\n"
        key = f"{head}{hashlib.sha256(text).hexdigest()}"
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        if self._waiting >= _WAITING:
            raise Busy("many records are waiting here already: try again in a few seconds")
        self._waiting += 1
        try:
            async with self._turn:
                return self._answers.get(key) or await self._study(key, head.encode() + text)
        finally:
            self._waiting -= 1

    async def stop(self) -> None:
        """End the process, whatever it is doing."""
        if self._idle is not None:
            self._idle.cancel()
        await self._end()

    async def _study(self, key: str, asked: bytes) -> bytes:
        if self._idle is not None:
            self._idle.cancel()
        done = False
        try:
            async with asyncio.timeout(self.seconds):
                how, body = await self._exchange(asked)
            done = True
        except TimeoutError:
            raise Malformed(
                f"this takes more than the {self.seconds:g} s that a record has here: try it with `faceup`",
                where="record",
            ) from None
        finally:
            if not done:  # its answer would be taken for the next one's
                await self._end()
        self._idle = asyncio.get_running_loop().call_later(_IDLE, self._rest)
        if how != "ok":
            said = msgspec.json.decode(body)
            raise Malformed(said["message"], where=said["where"])
        self._keep(key, body)
        return body

    async def _exchange(self, asked: bytes) -> tuple[str, bytes]:
        if self._process is None:
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(*_COMMAND, stdin=pipe, stdout=pipe)
        into, out = self._process.stdin, self._process.stdout
        assert into is not None  # noqa: S101 -- it was started with pipes
        assert out is not None  # noqa: S101 -- likewise
        into.write(asked)
        length, how = (await out.readline()).decode().split()
        return how, await out.readexactly(int(length))

    def _keep(self, key: str, body: bytes) -> None:
        self._answers[key] = body
        self._kept += len(body)
        while self._kept > _KEPT:
            _, oldest = self._answers.popitem(last=False)
            self._kept -= len(oldest)

    def _rest(self) -> None:
        if not self._turn.locked():
            task = asyncio.get_running_loop().create_task(self._end())
            self._ending.add(task)
            task.add_done_callback(self._ending.discard)

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError):
                process.kill()
            with suppress(RuntimeError):  # somebody is reading still, and reads to the end
                await process.communicate()  # what is left in the pipe keeps it open
            await process.wait()
