"""Pause this process at Ctrl-Z or `kill -TSTP`: finish the current turn, then stop the process and what it started.

The shell's `fg`, or `kill -CONT`, resumes it. If a process does not handle the signal, the system stops it in the
middle of a turn, and the programs of a referee keep running, because they are in sessions of their own.
"""

import os
import signal
from threading import current_thread, main_thread
from typing import Final, Protocol


class Pausable(Protocol):
    """The work to pause before this process stops, and to resume after it continues."""

    def pause(self) -> None:
        """Stop what this object started."""
        ...

    def resume(self) -> None:
        """Continue what this object started."""
        ...


class PauseHandler:
    """The pause of this process. A `with` block delays it to the end of the block, which is a turn.

    >>> pause = PauseHandler()
    >>> with pause:
    ...     pass
    """

    def __init__(self) -> None:
        self._pausables: dict[Pausable, None] = {}
        self._in_turn = self._requested = self._stopping = False

    def __enter__(self) -> None:
        self._in_turn = True

    def __exit__(self, *_: object) -> None:
        self._in_turn = False
        if self._requested:
            self._stop()

    def install(self) -> None:
        """Handle SIGTSTP from now on, if this system has it and this process does not ignore it."""
        if not hasattr(signal, "SIGTSTP") or current_thread() is not main_thread():
            return
        if signal.getsignal(signal.SIGTSTP) is not signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._request)

    def add(self, pausable: Pausable) -> None:
        """Pause this object with the process from now on."""
        self._pausables[pausable] = None

    def remove(self, pausable: Pausable) -> None:
        """Do not pause this object any more."""
        self._pausables.pop(pausable, None)

    def _request(self, _number: int, _frame: object) -> None:
        if self._stopping:  # a second signal must not stop this process again after it continues
            return
        self._requested = True
        if not self._in_turn:
            self._stop()

    def _stop(self) -> None:
        self._requested, self._stopping = False, True
        pausables = list(self._pausables)
        try:
            for pausable in pausables:
                pausable.pause()
            os.kill(os.getpid(), signal.SIGSTOP)
        finally:  # also after Ctrl-C while a turn is finished: what is stopped could not be ended
            for pausable in pausables:
                pausable.resume()
            self._stopping = False


PAUSE: Final = PauseHandler()
"""The pause of this process. There is only one, because a process has only one handler of a signal."""
