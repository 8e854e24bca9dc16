"""One timer for all rooms: when each of them wants to be looked at next."""

import asyncio
import heapq
import logging
from collections.abc import Callable, Hashable
from itertools import count
from typing import Final, Generic, TypeVar

T = TypeVar("T", bound=Hashable)

_LOG: Final = logging.getLogger(__name__)


class Alarms(Generic[T]):
    """Rings for each sleeper at its time, on a clock that may be set while nobody looks.

    Args:
        clock: milliseconds.
        ring: called with each sleeper whose time has come.
    """

    def __init__(self, clock: Callable[[], int], ring: Callable[[T], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._set: dict[T, int] = {}
        self._heap: list[tuple[int, int, T]] = []
        self._number = count()
        self._timer: asyncio.TimerHandle | None = None
        self._timed: int | None = None

    def set(self, sleeper: T, at: int | None) -> None:
        """Ring for it at this time, and not at the one that was set before; None is never."""
        if self._set.get(sleeper) == at:
            return
        if at is None:
            del self._set[sleeper]
            return
        self._set[sleeper] = at
        heapq.heappush(self._heap, (at, next(self._number), sleeper))
        if self._timed is None or at < self._timed:
            self._arm()

    def look(self) -> None:
        """Ring for all whose time has come."""
        now = self._clock()
        while self._heap and self._heap[0][0] <= now:
            at, _, sleeper = heapq.heappop(self._heap)
            if self._set.get(sleeper) == at:
                del self._set[sleeper]
                try:
                    self._ring(sleeper)
                except Exception:  # noqa: BLE001 -- the others are to be woken all the same
                    _LOG.exception("what was due could not be done")
        self._arm()

    def stop(self) -> None:
        """Ring no more."""
        self._set.clear()
        self._heap.clear()
        self._arm()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._timed = None
        if self._heap:
            self._timed = self._heap[0][0]
            seconds = max(0, self._timed - self._clock()) / 1000
            self._timer = asyncio.get_running_loop().call_later(seconds, self.look)
