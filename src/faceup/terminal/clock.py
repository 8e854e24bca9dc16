"""A clock that can be paused, so that time runs only while a player can choose."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class PausableClock:
    """A clock in milliseconds that runs only while nothing holds it.

    Screens hold the clock during a reveal, behind the hand-over screen, behind a dialog, while the terminal is too
    small, and while the process is stopped, because players cannot see their hand then.

    >>> ticks = iter([0, 10, 25, 40])
    >>> clock = PausableClock(lambda: next(ticks))
    >>> clock()
    10
    >>> with clock.held():  # from 25 to 40
    ...     clock()
    25
    """

    def __init__(self, source: Callable[[], int]) -> None:
        self._source = source
        self._lost = source()
        self._holds = 0
        self._stopped = 0

    def __call__(self) -> int:
        """Return the current time."""
        return self._stopped if self._holds else self._source() - self._lost

    @property
    def stopped(self) -> bool:
        """Return whether the clock is paused."""
        return self._holds > 0

    def hold(self) -> None:
        """Pause the clock until `release` has been called as often as `hold`."""
        if not self._holds:
            self._stopped = self()
        self._holds += 1

    def release(self) -> None:
        """Undo one call of `hold`."""
        self._holds -= 1
        if not self._holds:
            self._lost = self._source() - self._stopped

    @contextmanager
    def held(self) -> Iterator[None]:
        """Pause the clock while the block runs."""
        self.hold()
        try:
            yield
        finally:
            self.release()
