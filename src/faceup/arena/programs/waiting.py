"""Fair time: for how long a program stood ready to run while the machine had no core for it.

The machine owes a program one core. From `/proc/PID/task/*/schedstat` of all its threads and of all that it started
comes how long they waited for a core, from their clocks how long they had one. Of the time that passed, what they did
not run is the most that one core can be owed, so that threads which took the core from each other are owed nothing for
it; and what they did not wait is their own affair, so that a program which sleeps is owed nothing.

    owed = min(waits of all threads, time passed - time on a core of all of them)

What left both its session and its parents is not found; nothing is gained by that, since the one core that is owed to
the rest of the program is what the limit allows it anyway.
"""

import os
from threading import get_native_id
from time import perf_counter_ns
from typing import Final, NamedTuple

from faceup.arena.programs.kernel import Files, again, family_of, opened, ran, read, stat, threads_of, waited

MOST: Final = 200_000_000
"""Nanoseconds: no more than this is ever put down to the machine."""

FRESH: Final = 4_000_000
"""Nanoseconds for which figures pass for those of now: so much they may err by, in favour of the program."""


class Account(NamedTuple):
    """What the machine may owe a program since its figures were taken, in nanoseconds.

    Attributes:
        passed: the time.
        waits: how long its threads stood ready to run without a core.
        ran: how long they were on one.
        ready: whether one of them is on a core or ready for one now, so that there may be a wait not yet added.
    """

    passed: int
    waits: int
    ran: int
    ready: bool

    @property
    def owed(self) -> int:
        """How much the machine is to blame for, as far as is known.

        >>> Account(passed=150_000_000, waits=70_000_000, ran=90_000_000, ready=False).owed
        60000000
        """
        return max(0, min(self.waits, self.passed - self.ran))


class Tasks:
    """All threads of a program and of what it started: what each of them had waited and run when last looked at.

    Args:
        process: the program's, which has just been started.

    Attributes:
        taken: when, on `time.perf_counter_ns`.
    """

    __slots__ = ("_files", "_process", "_ran", "_reaped", "_waits", "taken")

    def __init__(self, process: int) -> None:
        self._process = process
        self._files: Files | None = None
        self._waits: dict[tuple[int, str], int] = {}
        self._ran: dict[int, int] = {}
        self._reaped = 0
        self.taken = perf_counter_ns()

    def take(self, now: int) -> None:
        """Look at all of them: quickly at a program of one thread without children, as most are."""
        self.taken = now
        process = self._process
        if self._files is None:
            self._files = Files(process)
        about = self._files.stat()
        if about.threads == 1 and not self._files.has_children():
            self._waits = {(process, str(process)): self._files.waited()}
            self._ran = {process: ran(process)}
            self._reaped = about.reaped
            return
        self._waits, self._ran, self._reaped = {}, {}, 0
        for each in family_of(self._process):
            self._ran[each] = ran(each)
            self._reaped += stat(each).reaped
            for thread in threads_of(each):
                self._waits[each, thread] = _waited(each, thread)

    def close(self) -> None:
        """Look no more."""
        if self._files is not None:
            self._files.close()
            self._files = None

    def since(self, now: int) -> Account:
        """What has come to pass since they were last looked at."""
        waits, time, reaped, ready = 0, 0, -self._reaped, False
        gone = dict(self._ran)
        for process in family_of(self._process):
            time += ran(process) - gone.pop(process, 0)
            reaped += stat(process).reaped
            for thread in threads_of(process):
                waits += _waited(process, thread) - self._waits.get((process, thread), 0)
                ready = ready or stat(process, thread).state == "R"
        time += max(0, reaped - sum(gone.values()))  # what those ran that have ended since, and when that was
        return Account(now - self.taken, waits, time, ready)


class Own:
    """What the referee itself has waited for a core, so that its own lateness falls on nobody else.

    It is the thread that looks which counts; when another one takes over, nothing is known of it until the next look.

    Attributes:
        taken: when it was last looked at, on `time.perf_counter_ns`.
    """

    __slots__ = ("_file", "_thread", "_waited", "taken")

    def __init__(self) -> None:
        self.taken = self._waited = self._thread = 0
        self._file = -1

    def take(self, now: int) -> None:
        """Look at it."""
        self.taken = now
        thread = get_native_id()
        if thread != self._thread:
            self.close()
            self._thread, self._file = thread, opened(f"/proc/self/task/{thread}/schedstat")
        self._waited = waited(again(self._file))

    def since(self) -> int:
        """Nanoseconds that it has waited since it was last looked at."""
        return max(0, waited(again(self._file)) - self._waited)

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
        self._file, self._thread = -1, 0


def _waited(process: int, thread: str) -> int:
    return waited(read(f"/proc/{process}/task/{thread}/schedstat"))
