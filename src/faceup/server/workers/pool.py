"""Worker processes that answer requests from a fair queue, each one request at a time.

A request is the line `LENGTH`, followed by LENGTH bytes: the topic and its arguments, as a list in MessagePack. The
response is the line `LENGTH STATUS`, followed by LENGTH bytes. The status is `ok`, `rejected` with the error as JSON,
or `failed` with a traceback without messages. A process ends when its input ends, so that it never outlives the server.
"""

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from faceup.core import Malformed
from faceup.server.logs import LOG
from faceup.server.metrics import Metrics
from faceup.server.workers.child_process import ChildProcess
from faceup.server.workers.fair_queue import FairQueue, Ticket

_MOST_PROCESSES: Final = 8
"""Maximum number of processes of a pool, because a process that searches needs about 170 MB."""

_ATTEMPTS: Final = 2
"""How often a request is tried if its process ends, for example because the system killed it."""


_ABANDONED: Final = 5.0
"""Seconds after which work is stopped whose request has gone."""


class WorkerFailedError(RuntimeError):
    """A worker process failed or has ended; the server's log has the reason."""


def process_count() -> int:
    """Return the number of processes of a pool: one for each core but one, which the event loop needs, at least 1."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(_MOST_PROCESSES, cores - 1))


class WorkerPool:
    """Processes of a module that calls `answer_requests`, started on demand and ended when they are idle.

    Args:
        module: the module's name.
        name: the name of the queue in metrics.
        metrics: measures the queue.
        seconds: time limit per request, after which its process is killed and replaced.
        idle: seconds after the last request at which processes are ended.
        kept: how many processes are not ended when they are idle, because a new one would start slowly.

    Attributes:
        queue: the queue for the processes.
        seconds: as above.
    """

    def __init__(self, module: str, name: str, metrics: Metrics, *, seconds: float, idle: float, kept: int = 0) -> None:
        self.seconds = seconds
        count = process_count()
        self.queue = FairQueue(name, count, metrics)
        self._processes = [ChildProcess(module) for _ in range(count)]
        self._free = [*self._processes]  # the most recently used process is the last, so that few processes are warm
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
        work = asyncio.get_running_loop().create_task(
            self._work(ticket.detach(), msgspec.msgpack.encode((topic, *arguments)))
        )
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
        await self._kill(self._processes)

    async def _work(self, give_back: Callable[[], None], request: bytes) -> bytes:
        process = self._free.pop()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        try:
            status, body = await self._answer(process, b"%d\n%b" % (len(request), request))
        finally:
            self._free.append(process)
            self._idle_timer = asyncio.get_running_loop().call_later(self._idle, self._end_idle)
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

    def _end_idle(self) -> None:
        if len(self._free) == len(self._processes):
            ended = self._free[: len(self._free) - self._kept]
            self._keep(asyncio.get_running_loop().create_task(self._kill(ended)))

    async def _kill(self, processes: Iterable[ChildProcess]) -> None:
        for process in processes:
            await process.kill()

    def _keep(self, task: "asyncio.Task[bytes] | asyncio.Task[None]") -> None:
        """Keep a reference to a task until it is done, and retrieve its exception."""
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[object]") -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()


async def _exchange(process: ChildProcess, request: bytes) -> tuple[str, bytes]:
    into, output = await process.pipes()
    into.write(request)
    await into.drain()
    head = await output.readuntil(b"\n")
    length, status = head.decode().split()
    return status, await output.readexactly(int(length))
