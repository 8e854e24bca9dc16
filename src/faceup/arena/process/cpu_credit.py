"""CPU credit, which is the time that a program was ready to run while the machine had no core for it.

A program is entitled to one core. The files `/proc/PID/task/*/schedstat` of all threads of a program and its
descendants contain their run-queue waits, and their CPU clocks show how long they ran.

    credit = min(waits of all threads, elapsed time - CPU time of all threads)

The second term is the time in which no thread ran, if the program used one core. Because of it, threads that only wait
for each other earn no credit. A sleeping program earns no credit either, because it has no waits.

A process whose parent has ended may no longer be found in the process tree. A program that hides a process in this way
gains nothing, because its time limit already allows for one core.
"""

import os
from threading import get_native_id
from time import perf_counter_ns
from typing import Final, NamedTuple

from faceup.arena.process.linux import (
    ProcFiles,
    cpu_time,
    descendants_of,
    open_proc_file,
    reread,
    run_queue_wait,
    stat,
    thread_wait,
    threads_of,
)

MOST: Final = 200_000_000
"""The most nanoseconds of CPU credit for one answer."""

FRESH: Final = 4_000_000
"""Nanoseconds for which a reading is reused. The error that results is in the program's favour."""


class CpuCredit(NamedTuple):
    """The CPU use of a program since the last reading, in nanoseconds.

    Attributes:
        passed: elapsed time.
        waits: how long the program's threads were ready to run without a core.
        ran: CPU time of the program's threads.
        ready: whether a thread is running or ready to run now. Its current wait may then not be counted yet.
    """

    passed: int
    waits: int
    ran: int
    ready: bool

    @property
    def credit(self) -> int:
        """Return the nanoseconds of delay for which the machine, not the program, is responsible.

        >>> CpuCredit(passed=150_000_000, waits=70_000_000, ran=90_000_000, ready=False).credit
        60000000
        """
        return max(0, min(self.waits, self.passed - self.ran))


class TaskTimes:
    """The CPU times and run-queue waits of all threads of a program and its descendants.

    The program must have just been started.

    Attributes:
        taken: time of the last reading, as `time.perf_counter_ns` returns it.
    """

    __slots__ = ("_files", "_process", "_ran", "_reaped", "_waits", "taken")

    def __init__(self, process: int) -> None:
        self._process = process
        self._files: ProcFiles | None = None
        self._waits: dict[tuple[int, str], int] = {}
        self._ran: dict[int, int] = {}
        self._reaped = 0
        self.taken = perf_counter_ns()

    def take(self, now: int) -> None:
        """Take a reading. A program with one thread and without children is read faster."""
        self.taken = now
        process = self._process
        if self._files is None:
            self._files = ProcFiles(process)
        about = self._files.stat()
        if about.threads == 1 and not self._files.has_children():
            self._waits = {(process, str(process)): self._files.run_queue_wait()}
            self._ran = {process: cpu_time(process)}
            self._reaped = about.reaped
            return
        self._waits, self._ran, self._reaped = {}, {}, 0
        for descendant in descendants_of(self._process):
            self._ran[descendant] = cpu_time(descendant)
            self._reaped += stat(descendant).reaped
            for thread in threads_of(descendant):
                self._waits[descendant, thread] = thread_wait(descendant, thread)

    def close(self) -> None:
        """Close the open `/proc` files."""
        if self._files is not None:
            self._files.close()
            self._files = None

    def since(self, now: int) -> CpuCredit:
        """Return the CPU use since the last reading."""
        waits, time, reaped, ready = 0, 0, -self._reaped, False
        earlier = dict(self._ran)
        for process in descendants_of(self._process):
            time += cpu_time(process) - earlier.pop(process, 0)
            reaped += stat(process).reaped
            for thread in threads_of(process):
                waits += thread_wait(process, thread) - self._waits.get((process, thread), 0)
                ready = ready or stat(process, thread).state == "R"
        time += max(0, reaped - sum(earlier.values()))  # CPU time of processes that have ended since the last reading
        return CpuCredit(now - self.taken, waits, time, ready)


class RefereeWait:
    """The run-queue waits of the referee's own thread, so that the referee's delays are not charged to a program.

    If another thread becomes the referee's thread, its waits are counted only from its first reading.

    Attributes:
        taken: time of the last reading, as `time.perf_counter_ns` returns it.
    """

    __slots__ = ("_file", "_thread", "_waited", "taken")

    def __init__(self) -> None:
        self.taken = self._waited = self._thread = 0
        self._file = -1

    def take(self, now: int) -> None:
        """Take a reading of the waits of the calling thread."""
        self.taken = now
        thread = get_native_id()
        if thread != self._thread:
            self.close()
            self._thread, self._file = thread, open_proc_file(f"/proc/self/task/{thread}/schedstat")
        self._waited = run_queue_wait(reread(self._file))

    def since(self) -> int:
        """Return how many nanoseconds the thread has waited for a core since the last reading."""
        return max(0, run_queue_wait(reread(self._file)) - self._waited)

    def close(self) -> None:
        """Close the open `/proc` file."""
        if self._file >= 0:
            os.close(self._file)
        self._file, self._thread = -1, 0
