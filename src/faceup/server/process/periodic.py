"""Background work in which an error stops nothing else: periodic tasks, and the items that a task handles."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, NamedTuple, Self

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


class Isolation:
    """The failing items of a task. An item that fails is logged once, counted, and left out for longer and longer.

    Args:
        task: name of the task for log messages and metrics.
        metrics: the metrics of this process.

    >>> async def example() -> list[float]:
    ...     isolation, done = Isolation("example", Metrics()), []
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

    def isolate(self, item: str) -> "Attempt":
        """Return a context that records whether its work on an item fails. An error does not leave the context."""
        return Attempt(self, item)

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


class Attempt:
    """The work on one item; see `Isolation.isolate`.

    Attributes:
        error: the error that ended the work; None if there was none.
    """

    def __init__(self, isolation: Isolation, item: str) -> None:
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


async def repeat(name: str, work: Callable[[], Awaitable[object]], seconds: float, metrics: Metrics) -> None:
    """Run a coroutine function repeatedly, with a pause before each run.

    After an error, which is counted, the next run follows. Of equal errors in a row, only the first one is logged.

    Args:
        name: name of the task for log messages and metrics.
        work: the coroutine function.
        seconds: length of the pause.
        metrics: the metrics of this process.
    """
    isolation = Isolation(name, metrics)
    while True:
        await asyncio.sleep(seconds)
        with isolation.isolate(""):
            await work()
