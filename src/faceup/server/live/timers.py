"""A single event-loop timer for the wake times of all rooms, and the background tasks of each room."""

import asyncio
import heapq
import logging
from collections.abc import Callable, Coroutine, Hashable
from itertools import count
from time import perf_counter
from typing import Final, Generic, TypeVar

from faceup.core import RulesError
from faceup.server.store import StoreError

T = TypeVar("T", bound=Hashable)

AT_ONCE: Final = 64
"""Maximum number of keys that are handled at the same time. So a storm of deadlines delays no other command long."""

AFTER_ERROR: Final = 60_000
"""Milliseconds after which a callback that failed is called again."""

_SLICE: Final = 0.01
"""Seconds for which callbacks run before all other tasks of the event loop have their turn."""

_PAUSE: Final = 0.005
"""Seconds until the queue tries again to call back, because too many keys are being handled."""

_LOG: Final = logging.getLogger(__name__)


class TimerQueue(Generic[T]):
    """A queue of keys with times: calls `callback` for each key at its time, on a clock that may be adjusted.

    Args:
        clock: returns the time in milliseconds.
        callback: called with each key that is due.
        busy: returns whether what the callback has started for a key is unfinished; default: it starts nothing.
    """

    def __init__(
        self, clock: Callable[[], int], callback: Callable[[T], None], busy: Callable[[T], bool] = lambda _: False
    ) -> None:
        self._clock = clock
        self._callback = callback
        self._busy = busy
        self._handled: list[T] = []
        self._times: dict[T, tuple[int, int]] = {}
        self._keys: dict[int, T] = {}
        self._heap: list[tuple[int, int]] = []  # without the keys, so that a time that was replaced keeps no key alive
        self._number = count()
        self._timer: asyncio.TimerHandle | None = None
        self._stopped = False
        self._armed_for: int | None = None

    def set(self, key: T, at: int | None) -> None:
        """Set or replace the time of a key, or remove the key if the time is None. After `stop`, nothing is set."""
        before, number = self._times.get(key, (None, -1))
        if before == at or self._stopped:
            return
        # The old entry stays in the heap, and is skipped when it comes up, because removing it would take linear time.
        if before is not None:
            del self._times[key], self._keys[number]
        if at is None:
            return
        entry = at, next(self._number)
        self._times[key], self._keys[entry[1]] = entry, key
        heapq.heappush(self._heap, entry)
        if self._armed_for is None or at < self._armed_for:
            self._arm()

    def fire_due(self) -> None:
        """Call the callback for every key that is due; if there are many, for some now and for others soon."""
        now, end = self._clock(), perf_counter() + _SLICE
        self._handled = [key for key in self._handled if self._busy(key)]
        while self._heap and self._heap[0][0] <= now:
            if len(self._handled) >= AT_ONCE or perf_counter() >= end:
                break
            key = self._keys.pop(heapq.heappop(self._heap)[1], None)
            if key is not None:
                del self._times[key]
                try:
                    self._callback(key)
                except Exception:  # noqa: BLE001 -- the other callbacks still have to run
                    _LOG.exception("timer callback failed")
                    self.set(key, now + AFTER_ERROR)
                if self._busy(key):
                    self._handled.append(key)
        self._arm()

    def stop(self) -> None:
        """Cancel all timers, and set no more."""
        self._stopped = True
        self._times.clear()
        self._keys.clear()
        self._heap.clear()
        self._handled.clear()
        self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._armed_for = None
        if self._heap:
            self._armed_for = self._heap[0][0]
            # The clock may be adjusted while the timer runs, so it is compared again when the timer fires.
            least = _PAUSE if len(self._handled) >= AT_ONCE else 0
            seconds = max(least, (self._armed_for - self._clock()) / 1000)
            self._timer = asyncio.get_running_loop().call_later(seconds, self.fire_due)


class BackgroundTasks:
    """The background tasks of one room. Their errors are logged with the table's ID."""

    __slots__ = ("_table", "_tasks")

    def __init__(self, table: str) -> None:
        self._table = table
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def busy(self) -> bool:
        """Whether any task is running."""
        return bool(self._tasks)

    def run(self, work: Coroutine[object, object, None]) -> None:
        """Start a task."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    async def stop(self) -> None:
        """Cancel all tasks and wait for them."""
        self.cancel()
        if self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is None or isinstance(error, RulesError):
            return  # a `RulesError` means that the command has become obsolete
        if isinstance(error, StoreError):
            _LOG.warning("table %s: %s", self._table, error.message)
        else:
            _LOG.error("background task failed at table %s", self._table, exc_info=error)
