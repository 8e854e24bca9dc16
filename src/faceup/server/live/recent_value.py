"""A value that is read again only for a caller, and only if the last one is too old."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_PAUSE: Final = 20
"""For how long a value is kept at least, as a multiple of the time that reading it took, so that reading it is limited
to 5 % of the time, however many people ask."""


class RecentValue(Generic[T]):
    """A cached value. Concurrent callers share one read, and without callers nothing is read.

    Args:
        read: reads the value.
        seconds: for how long a value is kept at least.

    >>> async def twice() -> tuple[int, int]:
    ...     numbers = iter(range(10))
    ...     async def read() -> int:
    ...         return next(numbers)
    ...     value = RecentValue(read, seconds=60)
    ...     return await value.get(), await value.get()
    >>> asyncio.run(twice())
    (0, 0)
    """

    def __init__(self, read: Callable[[], Awaitable[T]], seconds: float) -> None:
        self._read = read
        self._seconds = seconds
        self._until = 0.0
        self._reading: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the value. Raises the errors of the read, which the next call repeats."""
        loop = asyncio.get_running_loop()
        if (task := self._reading) is None or (task.done() and (_failed(task) or loop.time() >= self._until)):
            task = self._reading = loop.create_task(self._read_now())
        return await asyncio.shield(task)  # other callers may wait for this task, too

    def forget(self) -> None:
        """Read the value again for the next caller of `get`."""
        self._until = 0.0

    async def _read_now(self) -> T:
        loop = asyncio.get_running_loop()
        started = loop.time()
        value = await self._read()
        self._until = loop.time() + max(self._seconds, _PAUSE * (loop.time() - started))
        return value


def _failed(task: asyncio.Task[T]) -> bool:
    return task.cancelled() or task.exception() is not None
