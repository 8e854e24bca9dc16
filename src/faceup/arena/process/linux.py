"""System calls and `/proc` files that only Linux has: child subreaper, CPU clocks, run-queue waits.

On other systems every reading is empty. So there is no CPU credit there, and processes that leave a program's process
group keep running.
"""

import ctypes
import os
import time
from contextlib import suppress
from errno import ENOSYS
from functools import cache
from typing import Any, Final

# Options of `prctl`, from linux/prctl.h.
SET_DEATH_SIGNAL, GET_SECCOMP, SET_SECCOMP, DROP_CAPABILITY = 1, 21, 22, 24
SET_CHILD_SUBREAPER, GET_CHILD_SUBREAPER, SET_NO_NEW_PRIVILEGES = 36, 37, 38

_PROCESS_CLOCK: Final = 2  # CPUCLOCK_SCHED of linux/posix-timers.h
_TICK: Final = 1_000_000_000 // (os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100)
_MOST: Final = 1 << 16
"""The most bytes that are read of a `/proc` file."""


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def system_call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call, with integers and pointers as wide as a register. Raises `OSError` if the call fails."""
    wide = [
        ctypes.c_char_p(argument) if isinstance(argument, bytes | None) else ctypes.c_long(argument)
        for argument in arguments
    ]
    return _checked(_libc().syscall(ctypes.c_long(number), *wide))


def prctl(option: int, *arguments: Any) -> int:  # noqa: ANN401 -- integers, and pointers of ctypes
    """Change or return an attribute of this process or thread. Missing arguments are 0.

    Source: prctl(2).

    Raises:
        OSError: the call failed, or this system has no such call.
    """
    wide = [
        ctypes.c_ulong(argument) if isinstance(argument, int) else argument for argument in (*arguments, 0, 0, 0, 0)[:4]
    ]
    try:
        call = _libc().prctl
    except (AttributeError, TypeError):  # no such call, or no C library
        raise OSError(ENOSYS, os.strerror(ENOSYS)) from None
    return _checked(call(option, *wide))


def set_child_subreaper(*, on: bool) -> None:
    """Let this process adopt orphaned descendants, or stop this. Does nothing on systems without the feature."""
    with suppress(OSError):
        prctl(SET_CHILD_SUBREAPER, on)


def read(path: str) -> bytes:
    """Return the content of a small file; empty if the file is missing, for example because its process has ended."""
    try:
        file = os.open(path, os.O_RDONLY)
        try:
            return os.read(file, _MOST)
        finally:
            os.close(file)
    except OSError:
        return b""


def threads_of(process: int) -> list[str]:
    """Return the thread IDs of a process; empty if the process has ended."""
    try:
        return os.listdir(f"/proc/{process}/task")  # noqa: PTH208 -- only names are needed, and this is faster
    except OSError:
        return []


def children_of(process: int) -> list[int]:
    """Return the process IDs of a process's children, including zombies."""
    return [
        int(child)
        for thread in threads_of(process)
        for child in read(f"/proc/{process}/task/{thread}/children").split()
    ]


def descendants_of(process: int) -> list[int]:
    """Return the process IDs of a process and all its descendants."""
    processes = [process]
    for process_id in processes:  # the list grows during the loop
        processes += children_of(process_id)
    return processes


def run_queue_wait(figures: bytes) -> int:
    """Return how many nanoseconds a thread was ready to run without a core, given the content of its `schedstat` file.

    Source: sched-stats.rst of the kernel's documentation; the wait is the second field. The kernel counts a wait when
    the thread gets a core.

    >>> run_queue_wait(b"36498696 11247146 99")
    11247146
    """
    return int(figures.split()[1]) if figures else 0


def cpu_time(process: int) -> int:
    """Return the CPU nanoseconds of a process, including its ended threads; 0 if the process has ended.

    Source: clock_getcpuclockid(3). The clock ID is computed in the same way as in the C library.
    """
    try:
        return time.clock_gettime_ns(~process << 3 | _PROCESS_CLOCK)
    except (OSError, OverflowError):
        return 0


class ProcStat:
    """The fields of the `stat` file of a process or a thread. If the file could not be read, all are 0 or empty.

    Attributes:
        state: "R" is running or ready to run, "Z" is a zombie.
        session: the session ID.
        threads: the number of threads.
        reaped: CPU nanoseconds of its children that have ended and were waited for.
    """

    __slots__ = ("reaped", "session", "state", "threads")

    def __init__(self, text: bytes) -> None:
        # Source: proc_pid_stat(5). The program's name is in brackets, and may itself contain brackets.
        fields = text[text.rfind(b")") + 1 :].split(None, 18)
        complete = len(fields) > 17
        self.state = fields[0].decode() if complete else ""
        self.session = int(fields[3]) if complete else 0
        self.threads = int(fields[17]) if complete else 0
        self.reaped = (int(fields[13]) + int(fields[14])) * _TICK if complete else 0


def stat(process: int, thread: str = "") -> ProcStat:
    """Read the `stat` file of a process, or of one of its threads if a thread is given."""
    return ProcStat(read(f"/proc/{process}/task/{thread}/stat" if thread else f"/proc/{process}/stat"))


def thread_wait(process: int, thread: str) -> int:
    """Return how many nanoseconds a thread was ready to run without a core."""
    return run_queue_wait(read(f"/proc/{process}/task/{thread}/schedstat"))


def open_proc_file(path: str) -> int:
    """Open a file for repeated reading, and return its descriptor; -1 if the file cannot be opened."""
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return -1


def reread(file: int) -> bytes:
    """Return the content of an open `/proc` file, read from its start; empty if its process has ended."""
    try:
        return os.pread(file, 1024, 0) if file >= 0 else b""
    except OSError:
        return b""


class ProcFiles:
    """The `/proc` files of a process with one thread, kept open for repeated reading."""

    __slots__ = ("_children", "_figures", "_stat")

    def __init__(self, process: int) -> None:
        self._stat = open_proc_file(f"/proc/{process}/stat")
        self._figures = open_proc_file(f"/proc/{process}/task/{process}/schedstat")
        self._children = open_proc_file(f"/proc/{process}/task/{process}/children")

    def stat(self) -> ProcStat:
        """Return the fields of the process's `stat` file."""
        return ProcStat(reread(self._stat))

    def run_queue_wait(self) -> int:
        """Return how many nanoseconds the process's first thread was ready to run without a core."""
        return run_queue_wait(reread(self._figures))

    def has_children(self) -> bool:
        """Return whether the process's first thread has children that it has not waited for."""
        return bool(reread(self._children))

    def close(self) -> None:
        """Close the files."""
        for file in (self._stat, self._figures, self._children):
            if file >= 0:
                os.close(file)
        self._stat = self._figures = self._children = -1
