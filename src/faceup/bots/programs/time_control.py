"""Time control of a bot program, which derives thinking time from the time limit and measured scheduling delays."""

import os
import time
from typing import Final

FIRST_LIMIT: Final = 1.0
"""Seconds for the first answer of a match, counted from the start of the program."""

LIMIT: Final = 0.1
"""Seconds for every other answer."""

MARGIN: Final = 0.02
"""Safety margin in seconds."""

FIRST_MARGIN: Final = 0.35
"""Safety margin in seconds for the first answer. It is large because other programs are starting at the same time."""

LEAST: Final = 0.002
"""The least thinking time in seconds."""

SAFETY_FACTOR: Final = 3.0
"""The number of expected scheduling delays to keep in reserve. One delay may occur when this process wakes up, one when
it notices the deadline, and one when the reader of the answer wakes up."""

MOST_RESERVE: Final = 0.025
"""The greatest scheduling delay in seconds that is ever expected. It is also the delay that is expected at first."""

DECAY: Final = 0.98
"""The factor by which a measured delay decays with each decision."""

RECOVERY: Final = 0.9
"""The factor by which the delay that was expected at first decays with each decision."""


class TimeControl:
    """The time control of one program.

    On a busy machine, the scheduler interrupts a process for some milliseconds now and then. A search calls `over`
    often, so the longest time between two calls shows how late the search may notice its deadline. The time control
    keeps a multiple of this delay in reserve.

    Args:
        started: when the program started, in the time of `time.perf_counter`.
        most: the greatest number of seconds for a decision, if it is less than the protocol's limit.
    """

    def __init__(self, started: float, most: float | None = None) -> None:
        self.started, self.most = started, most
        self._assumed, self._longest = MOST_RESERVE, 0.0
        self.deadline = started
        self.first = True
        self._polled_at = started

    @property
    def reserve(self) -> float:
        """The expected scheduling delay in seconds."""
        return max(self._assumed, self._longest)

    def start_decision(self, at: float) -> None:
        """Start the clock of a decision that was requested at the time `at` or later."""
        self._polled_at = time.perf_counter()
        limit, margin = (FIRST_LIMIT, FIRST_MARGIN) if self.first else (LIMIT, MARGIN)
        end = at + limit - margin - SAFETY_FACTOR * self.reserve
        if self.most is not None:
            end = min(end, self._polled_at + self.most)
        self.deadline = max(end, self._polled_at + LEAST)

    def remaining(self) -> float:
        """Return the seconds left to think."""
        return self.deadline - time.perf_counter()

    def over(self) -> bool:
        """Return whether the time is up, and measure the scheduling delay since the last call."""
        now = time.perf_counter()
        self._record_delay(now - self._polled_at)
        self._polled_at = now
        return now >= self.deadline

    def start_measuring(self) -> None:
        """Measure scheduling delays from now on, because the time before this call was spent on work."""
        self._polled_at = time.perf_counter()

    def finish_decision(self, at: float) -> None:
        """Record that the answer was sent at the time `at`."""
        self._longest *= DECAY
        self._assumed *= RECOVERY
        self._record_delay(at - self.deadline)
        self.first = False

    def _record_delay(self, seconds: float) -> None:
        self._longest = min(max(self._longest, seconds), MOST_RESERVE)


def process_start() -> float:
    """Return when this process started, in the time of `time.perf_counter`. Without /proc, this is an estimate."""
    now = time.perf_counter()
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123 -- pathlib is slow
            ticks = int(file.read().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        age = -1.0
    return now - (age if 0 <= age < OLDEST else UNKNOWN_AGE)


OLDEST: Final = 10.0
"""The greatest plausible age of this process in seconds. An older process must have executed another program first."""

UNKNOWN_AGE: Final = 0.3
"""The age of this process in seconds that is assumed if its age is unknown."""
