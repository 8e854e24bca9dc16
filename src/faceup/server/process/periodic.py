"""Background work: tasks that start and stop, and items with errors that stop nothing else."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol, Self

from faceup.core import RulesError
from faceup.server.process.metrics import Metrics
from faceup.server.store import StoreError

FIRST_DELAY: Final = 1.0
"""Seconds for which an item is left out after its first failure. Every further failure doubles them."""

_LONGEST_DELAY: Final = 600.0
_LONGEST_STORE_DELAY: Final = 5.0
"""The longest delay in seconds after an error of the database, which may be over soon, and after any other one."""

_MOST: Final = 1_000
"""Maximum number of failing items that are remembered. If there are more, the oldest are tried again."""

_LOG: Final = logging.getLogger(__name__)


class _Failure(NamedTuple):
    error: type[Exception]
    delay: float
    until: float


class FailureIsolation:
    """The failing items of a task. An item that fails is logged once, counted, and left out for longer and longer.

    Args:
        task: name of the task for log messages and metrics.
        metrics: the metrics of this process.

    >>> async def example() -> list[float]:
    ...     isolation, done = FailureIsolation("example", Metrics()), []
    ...     for item in (1, 0, 2):
    ...         with isolation.isolate(str(item)):
    ...             done.append(6 / item)
    ...     return done
    >>> logging.disable()
    >>> asyncio.run(example())
    [6.0, 3.0]
    >>> logging.disable(logging.NOTSET)
    """

    def __init__(self, task: str, metrics: Metrics) -> None:
        self._task = task
        self._count = metrics.background_failures.labels(task)
        self._failures: dict[str, _Failure] = {}

    def delay(self, item: str) -> float:
        """Return the seconds for which an item is left out from now on, because it has failed; 0 if it is not."""
        failure = self._failures.get(item)
        return 0.0 if failure is None else max(0.0, failure.until - monotonic())

    def isolate(self, item: str) -> "IsolatedWork":
        """Return a context that records whether its work on an item fails. An error does not leave the context."""
        return IsolatedWork(self, item)

    def record(self, item: str, error: BaseException | None) -> None:
        """Record the result of the work on an item. An error is logged if it is new."""
        before = self._failures.pop(item, None)
        if not isinstance(error, Exception):
            return
        self._count.inc()
        longest = _LONGEST_STORE_DELAY if isinstance(error, StoreError) else _LONGEST_DELAY
        delay = FIRST_DELAY if before is None else min(2 * before.delay, longest)
        self._failures[item] = _Failure(type(error), delay, monotonic() + delay)
        if len(self._failures) > _MOST:
            del self._failures[next(iter(self._failures))]
        if before is None or before.error is not type(error):
            self._log(f"{self._task} failed for {item}" if item else f"{self._task} failed", error)

    def _log(self, what: str, error: Exception) -> None:
        if isinstance(error, StoreError):
            _LOG.warning("%s: %s", what, error.message)
        elif isinstance(error, RulesError):  # its message is not logged, because it may contain hands
            _LOG.warning("%s: %s", what, error.kind)
        else:
            _LOG.error("%s", what, exc_info=error)


class IsolatedWork:
    """The work on one item; see `FailureIsolation.isolate`.

    Attributes:
        error: the error that ended the work; None if there was none.
    """

    def __init__(self, isolation: FailureIsolation, item: str) -> None:
        self.error: Exception | None = None
        self._isolation = isolation
        self._item = item

    def __enter__(self) -> Self:
        """Start the work."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: object) -> bool:
        """Record the end of the work, and stop its error."""
        self._isolation.record(self._item, error)
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


async def run_limited(calls: Iterable[Callable[[], Awaitable[None]]], *, limit: int) -> None:
    """Run all calls, at most `limit` at a time."""
    semaphore = asyncio.Semaphore(limit)

    async def run(call: Callable[[], Awaitable[None]]) -> None:
        async with semaphore:
            await call()

    await asyncio.gather(*(run(call) for call in calls))


async def repeat(name: str, work: Callable[[], Awaitable[object]], seconds: float, metrics: Metrics) -> None:
    """Run a coroutine function repeatedly, with a pause before each run, which ends at a multiple of `seconds`.

    After an error, which is counted, the next run follows. Of equal errors in a row, only the first one is logged.

    Args:
        name: name of the task for log messages and metrics.
        work: the coroutine function.
        seconds: maximum length of the pause. It is shorter by the duration of the last run, but not by most of it.
        metrics: the metrics of this process.
    """
    isolation = FailureIsolation(name, metrics)
    loop = asyncio.get_running_loop()
    while True:
        # Tasks run at the same moments, so that they wake up an idle process less often, and find its caches warm.
        pause = seconds - loop.time() % seconds
        await asyncio.sleep(pause if pause > seconds / 4 else seconds)
        with isolation.isolate(""):
            await work()


class Task(Protocol):
    """What a server does in the background from its start to its stop."""

    async def start(self) -> None:
        """Start. An error prevents the start of the server."""

    async def stop(self) -> None:
        """Stop, and wait for the end."""


class BackgroundTask:
    """A coroutine function that runs in the background.

    Args:
        run: the coroutine function, which is cancelled by `stop`.
    """

    def __init__(self, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._run = run
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the coroutine."""
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Cancel the coroutine, and wait for its end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)


class PeriodicTask(BackgroundTask):
    """A coroutine function that runs again and again in the background. The arguments are those of `repeat`."""

    def __init__(self, name: str, work: Callable[[], Awaitable[object]], seconds: float, metrics: Metrics) -> None:
        super().__init__(partial(repeat, name, work, seconds, metrics))


class Cleanup(NamedTuple):
    """A task without a start, for what starts when it is first needed."""

    stop: Callable[[], Coroutine[Any, Any, None]]

    async def start(self) -> None:
        """Do nothing."""


@asynccontextmanager
async def running(tasks: Iterable[Task]) -> AsyncIterator[None]:
    """Start tasks in order, and stop them in reverse when the context ends, even if one of them raises an error.

    If a task cannot start, those before it are stopped.
    """
    async with AsyncExitStack() as stack:
        for task in tasks:
            await task.start()
            stack.push_async_callback(task.stop)
        yield
