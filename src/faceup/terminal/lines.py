"""Lines from standard input with a time limit, on any system: a thread reads, the game waits."""

import queue
import sys
import threading
from typing import Final, TextIO

_END: Final = None
_LONGEST: Final = 1000
"""Characters in a line; what goes beyond is passed over, so that no input can fill the memory."""


class Lines:
    """Reads lines ahead in a thread of its own, which ends with the program."""

    def __init__(self, source: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._ended = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            while line := self._source.readline(_LONGEST):
                self._lines.put(line.rstrip("\r\n"))
                while line and not line.endswith("\n"):
                    line = self._source.readline(_LONGEST)
        except (OSError, ValueError):  # unreadable, undecodable or closed under us: there is no more to come
            pass
        self._lines.put(_END)

    def next(self, milliseconds: int | None = None) -> str | None:
        """The next line; None if there is none in that time, or none any more.

        Raises:
            EOFError: the input has ended.
        """
        if self._ended:
            raise EOFError
        try:
            seconds = None if milliseconds is None else min(milliseconds / 1000, threading.TIMEOUT_MAX)
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is _END:
            self._ended = True
            raise EOFError
        return line
