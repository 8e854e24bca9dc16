"""A clock that can be stopped: the time of a table is the time in which somebody here could choose."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from faceup.terminal.session import wall_clock


class StopClock:
    """Milliseconds that pass only while nothing holds the clock.

    What holds it: a reveal being shown, the curtain, the rules or another page in front of the table, a terminal that
    is too small. Each of these keeps the hand from the eyes, or the eyes from the hand.

    >>> ticks = iter([0, 10, 25, 40])
    >>> clock = StopClock(lambda: next(ticks))
    >>> clock()
    10
    >>> with clock.held():  # from 25 to 40
    ...     clock()
    25
    """

    def __init__(self, source: Callable[[], int] = wall_clock) -> None:
        self._source = source
        self._lost = source()
        self._holds = 0
        self._stopped = 0

    def __call__(self) -> int:
        """The time now."""
        return self._stopped if self._holds else self._source() - self._lost

    @property
    def stopped(self) -> bool:
        """Whether something holds it."""
        return self._holds > 0

    def hold(self) -> None:
        """Stop until `release`; holds may nest."""
        if not self._holds:
            self._stopped = self()
        self._holds += 1

    def release(self) -> None:
        """Undo one `hold`."""
        self._holds -= 1
        if not self._holds:
            self._lost = self._source() - self._stopped

    @contextmanager
    def held(self) -> Iterator[None]:
        """Stopped for as long as the block runs."""
        self.hold()
        try:
            yield
        finally:
            self.release()
