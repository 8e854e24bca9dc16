"""Worker processes that answer requests from a fair queue, each one request at a time.

A pool starts with one process. While requests wait, it starts further ones, up to `process_count`, and gives them
requests when they have answered the pool's warm-up requests.

A request is the line `LENGTH`, followed by LENGTH bytes: the topic and its arguments, as a list in MessagePack. The
response is the line `LENGTH STATUS`, followed by LENGTH bytes. The status is `ok`, `rejected` with the error as JSON,
or `failed` with a traceback without messages. A process ends when its input ends, so that it never outlives the server.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from faceup.core import Malformed
from faceup.processors import processors
from faceup.server.accounts.errors import OverloadedError
from faceup.server.process.logs import LOG
from faceup.server.process.metrics import Metrics
from faceup.server.workers.child_process import READY, ChildProcess
from faceup.server.workers.fair_queue import FairQueue, QueueBounds, Ticket

_MOST_PROCESSES: Final = 8
"""Maximum number of processes of a pool, because a process that searches needs about 170 MB."""

_ATTEMPTS: Final = 2
"""How often a request is tried if its process ends, for example because the system killed it."""


_ABANDONED: Final = 5.0
"""Seconds after which work is stopped if its client has gone."""


class WorkerFailedError(OverloadedError):
    """A worker process failed or has ended; the server's log has the reason."""

    retry_after = 10


def process_count() -> int:
    """Return the maximum number of processes of a pool: one for each core but one, which the event loop needs.

    It is at least 2, so that long work of one address does not block the others.
    """
    return max(2, min(_MOST_PROCESSES, processors() - 1))


class WorkerPool:
    """Processes of a module that calls `answer_requests`, started on demand and ended when they are idle.

    Args:
        module: the module's name.
        name: the name of the queue in metrics.
        metrics: measures the queue.
        seconds: time limit per request, after which its process is killed and replaced.
        idle: seconds after the last request at which processes are ended.
        kept: how many processes are not ended when they are idle, because a new one would start slowly.
        bounds: maximum numbers of requests in the queue.
        warm_up: returns the requests, each with its topic and arguments, that a further process answers at first.

    Attributes:
        queue: the queue for the processes.
        seconds: as above.
    """

    def __init__(
        self,
        module: str,
        name: str,
        metrics: Metrics,
        *,
        seconds: float,
        idle: float,
        kept: int = 0,
        bounds: QueueBounds = QueueBounds(),  # noqa: B008 -- immutable
        warm_up: Callable[[], Sequence[tuple[object, ...]]] = tuple,
    ) -> None:
        self.seconds = seconds
        self._module = module
        self._warm_up = warm_up
        self.queue = FairQueue(name, 1, metrics, bounds=bounds, on_shortage=self._on_shortage)
        self._processes = [ChildProcess(module)]
        self._free = [*self._processes]
        self._growing = False
        self._idle = idle
        self._kept = kept
        self._idle_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[object]] = set()

    @property
    def is_warm(self) -> bool:
        """Whether any process is running."""
        return any(process.is_running for process in self._processes)

    async def call(self, ticket: Ticket, topic: str, *arguments: object) -> bytes:
        """Answer a request in the ticket's slot, and give the slot back.

        If the caller is cancelled, the process has a few seconds to finish, because a new one would start slowly. Then
        it is killed and replaced, and the slot is given back.

        Raises:
            Malformed: the worker rejected the request, or the request exceeded its time limit.
            WorkerFailedError: the worker failed.
        """
        work = asyncio.get_running_loop().create_task(self._work(ticket.detach(), _encode((topic, *arguments))))
        self._keep(work)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            if work.cancelled():
                raise WorkerFailedError("the server is stopping") from None
            asyncio.get_running_loop().call_later(_ABANDONED, work.cancel)
            raise

    async def stop(self) -> None:
        """Kill all processes."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await _kill(self._processes)

    async def _work(self, give_back: Callable[[], None], request: bytes) -> bytes:
        process = self._free.pop()
        try:
            status, body = await self._answer(process, request)
        finally:
            self._free.append(process)  # the next request gets it, so that few processes are warm
            self._start_idle_timer()
            give_back()
        if status == "rejected":
            error = msgspec.json.decode(body)
            raise Malformed(error["message"], where=error["where"])
        if status == "failed":
            LOG.error("a worker process failed", extra={"fields": {"error": body.decode()}})
            raise WorkerFailedError("a worker process failed")
        return body

    async def _answer(self, process: ChildProcess, request: bytes) -> tuple[str, bytes]:
        """Send a request to a process, which is started again if it has ended. If this fails, it is killed."""
        for _ in range(_ATTEMPTS):
            done = False
            try:
                async with asyncio.timeout(self.seconds):
                    answer = await _exchange(process, request)
                done = True
            except TimeoutError:
                raise Malformed(
                    f"the request took longer than the limit of {self.seconds:g} s; use the `faceup` command instead",
                    where="record",
                ) from None
            except (ConnectionError, asyncio.IncompleteReadError):
                continue
            finally:
                if not done:  # the next request would read the pending response
                    await process.kill()
            return answer
        LOG.error("a worker process has ended")
        raise WorkerFailedError("the worker process has ended")

    def _on_shortage(self) -> None:
        """Start a further process, unless one is starting or there are enough."""
        if not self._growing and len(self._processes) < process_count():
            self._growing = True
            self._keep(asyncio.get_running_loop().create_task(self._grow()))

    async def _grow(self) -> None:
        process = ChildProcess(self._module)
        self._processes.append(process)
        try:
            with suppress(Malformed, WorkerFailedError):  # the process is started again when it gets a request
                for request in ((READY,), *self._warm_up()):
                    await self._answer(process, _encode(request))
        finally:
            self._growing = False
        self._free.insert(0, process)
        self._start_idle_timer()
        self.queue.add_slot()

    def _start_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._idle_timer = asyncio.get_running_loop().call_later(self._idle, self._end_idle)

    def _end_idle(self) -> None:
        if len(self._free) == len(self._processes):
            count = max(0, len(self._free) - self._kept)
            free = sorted(self._free, key=lambda process: process.is_running)  # keeps running ones
            ended, kept = free[:count], free[count:]
            self._processes = kept or [ChildProcess(self._module)]
            self._free = [*self._processes]
            self.queue.remove_free_slots(len(ended) + len(kept) - len(self._processes))
            self._keep(asyncio.get_running_loop().create_task(_kill(ended)))

    def _keep(self, task: "asyncio.Task[bytes] | asyncio.Task[None]") -> None:
        """Keep a reference to a task until it is done, and retrieve its exception."""
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[object]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


def _encode(request: tuple[object, ...]) -> bytes:
    body = msgspec.msgpack.encode(request)
    return b"%d\n%b" % (len(body), body)


async def _kill(processes: Sequence[ChildProcess]) -> None:
    for process in processes:
        await process.kill()


async def _exchange(process: ChildProcess, request: bytes) -> tuple[str, bytes]:
    into, output = await process.pipes()
    into.write(request)
    await into.drain()
    head = await output.readuntil(b"\n")
    length, status = head.decode().split()
    return status, await output.readexactly(int(length))
