"""Never late: how long a program may think, from the clock and from how late the machine has been so far."""

import os
import time
from typing import Final

FIRST_LIMIT: Final = 1.0
"""Seconds for a match's first answer, from the start of the program."""

LIMIT: Final = 0.1
"""Seconds for every other answer."""

MARGIN: Final = 0.02
"""Seconds of a limit that are never used."""

FIRST_MARGIN: Final = 0.35
"""The same for the first answer, when whoever asks starts other programs as well."""

LEAST: Final = 0.002
"""Seconds that a program thinks in any case."""

CAUTION: Final = 3.0
"""How many times the longest wait of late is kept in reserve: for waking up when asked, for noticing that the time is
up, and for whoever reads the answer, who wakes up no sooner."""

MOST_RESERVE: Final = 0.025
"""Seconds that such a wait is taken to be at most, so that there is time to think, and before anything is known."""

FORGETTING: Final = 0.98
"""What is left of a wait's length in the reserve after another decision."""

TRUSTING: Final = 0.9
"""What is left, after another decision, of what is assumed of the machine to begin with."""


class Pace:
    """The clock of one program.

    A machine that does other things as well takes the processor away for some milliseconds now and then. Whoever thinks
    asks `over` often: the longest time between two such questions is how late the program may come to know that its
    time is up, and so much is kept in reserve for as long as it is likely to happen again.

    Args:
        started: when the program started, on `time.perf_counter`.
        most: seconds for a decision, if it is to take less than it may.
    """

    def __init__(self, started: float, most: float | None = None) -> None:
        self.started, self.most = started, most
        self._assumed, self._seen = MOST_RESERVE, 0.0
        self.deadline = started
        self.first = True
        self._looked = started

    @property
    def reserve(self) -> float:
        """Seconds that the machine may take the processor away for."""
        return max(self._assumed, self._seen)

    def asked(self, at: float) -> None:
        """A decision was asked for, no earlier than then."""
        self._looked = time.perf_counter()
        limit, margin = (FIRST_LIMIT, FIRST_MARGIN) if self.first else (LIMIT, MARGIN)
        end = at + limit - margin - CAUTION * self.reserve
        if self.most is not None:
            end = min(end, self._looked + self.most)
        self.deadline = max(end, self._looked + LEAST)

    def left(self) -> float:
        """Seconds left to think."""
        return self.deadline - time.perf_counter()

    def over(self) -> bool:
        """Whether the time is up."""
        now = time.perf_counter()
        self._waited(now - self._looked)
        self._looked = now
        return now >= self.deadline

    def begin(self) -> None:
        """Thinking begins: what came before was work, and no wait for the processor."""
        self._looked = time.perf_counter()

    def answered(self, at: float) -> None:
        """The answer went out then."""
        self._seen *= FORGETTING
        self._assumed *= TRUSTING
        self._waited(at - self.deadline)
        self.first = False

    def _waited(self, seconds: float) -> None:
        self._seen = min(max(self._seen, seconds), MOST_RESERVE)


def process_start() -> float:
    """When this process started, on `time.perf_counter`; on systems that do not tell, a little before now."""
    now = time.perf_counter()
    try:
        with open("/proc/self/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123 -- pathlib is slow
            ticks = int(file.read().rpartition(")")[2].split()[19])
        age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        age = -1.0
    return now - (age if 0 <= age < OLDEST else UNKNOWN_AGE)


OLDEST: Final = 10.0
"""Seconds: what started longer ago was something else before it became this program."""

UNKNOWN_AGE: Final = 0.3
"""Seconds that an interpreter may have needed to come this far."""
