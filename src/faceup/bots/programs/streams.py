"""A program's standard streams, its memory, and the signals that end it, arranged so that its answers are on time."""

import gc
import os
import select
import signal
import sys
import time
from typing import Final

LONGEST: Final = 10_000
"""Bytes of a line; what is longer is cut there, and will make no sense."""


class Streams:
    """Standard input, output and error for somebody who answers line by line, without buffers that might hold back.

    Args:
        started: when the program started, on `time.perf_counter`.
        name: stands before each line on standard error.
        source: the number of the file that is read; standard input's if not given.
        target: the number of the file that is written; standard output's if not given.

    Attributes:
        since: when what is read now may have arrived at the earliest.
    """

    def __init__(self, started: float, name: str, source: int = 0, target: int = 1) -> None:
        self.since, self.name = started, name
        self._source, self._target = source, target
        self._read = b""

    def readline(self) -> str:
        """The next line with its end; "" when the input has ended."""
        while b"\n" not in self._read and len(self._read) < LONGEST:
            ready = _ready(self._source)
            more = os.read(self._source, 1 << 16)
            if not ready:
                self.since = time.perf_counter()  # else it was there before, since nobody knows when
            if not more:
                break
            self._read += more
        end = self._read.find(b"\n", 0, LONGEST)
        size = end + 1 if end >= 0 else LONGEST
        line, self._read = self._read[:size], self._read[size:]
        return line.decode("utf-8", "replace")

    def write(self, text: str) -> None:
        """Send a line at once. Then is the time to tidy up, while others think."""
        os.write(self._target, text.encode() + b"\n")
        self.since = time.perf_counter()
        gc.collect()
        gc.freeze()  # what is left need not be looked at again

    def say(self, text: str) -> None:
        """One line for whoever looks after the program, if somebody does."""
        try:
            sys.stderr.write(f"{self.name}: {text}\n")
            sys.stderr.flush()
        except OSError:
            pass


def _ready(file: int) -> bool:
    """Whether there is input already; where the system cannot tell, there is none."""
    try:
        return bool(select.select([file], [], [], 0)[0])
    except (OSError, ValueError):
        return False


def orderly() -> None:
    """Collect no garbage while thinking, and end at SIGTERM without complaint."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    gc.disable()
