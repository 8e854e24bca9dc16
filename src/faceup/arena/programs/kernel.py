"""What only Linux tells and does: whose children a process takes in, and what its threads have run and waited for.

On other systems nothing is found, and nothing is taken in: no time is put down to the machine there, and what leaves
a program's process group is left running.
"""

import ctypes
import os
import time
from typing import Final

_SET_CHILD_SUBREAPER: Final = 36  # PR_SET_CHILD_SUBREAPER of linux/prctl.h
_PROCESS_CLOCK: Final = 2  # CPUCLOCK_SCHED of linux/posix-timers.h
_TICK: Final = 1_000_000_000 // (os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100)
_MOST: Final = 1 << 16
"""Bytes of a file of /proc that are read."""


def take_in_orphans(*, on: bool) -> bool:
    """Whether this process becomes the parent of those of its descendants whose own parent ends.

    Source: prctl(2), PR_SET_CHILD_SUBREAPER.
    """
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(_SET_CHILD_SUBREAPER, int(on), 0, 0, 0) == 0)
    except (OSError, AttributeError, TypeError):  # no such call, or no C library to ask
        return False


def read(path: str) -> bytes:
    """A small file; empty if there is none, as when its process has ended."""
    try:
        file = os.open(path, os.O_RDONLY)
        try:
            return os.read(file, _MOST)
        finally:
            os.close(file)
    except OSError:
        return b""


def threads_of(process: int) -> list[str]:
    """The threads of a process, by number; none if it has ended."""
    try:
        return os.listdir(f"/proc/{process}/task")  # noqa: PTH208 -- names are all that is needed, and quickly
    except OSError:
        return []


def children_of(process: int) -> list[int]:
    """The children of a process, those that have ended and are not yet waited for among them."""
    return [
        int(child)
        for thread in threads_of(process)
        for child in read(f"/proc/{process}/task/{thread}/children").split()
    ]


def family_of(process: int) -> list[int]:
    """A process, its children, their children, and so on."""
    found = [process]
    for each in found:  # which grows while it is gone through
        found += children_of(each)
    return found


def waited(figures: bytes) -> int:
    """Nanoseconds that a thread stood ready to run, and had no core: the second figure of its `schedstat`.

    Source: sched-stats.rst of the kernel's documentation. The kernel adds a wait when the thread gets its core.

    >>> waited(b"36498696 11247146 99")
    11247146
    """
    return int(figures.split()[1]) if figures else 0


def ran(process: int) -> int:
    """Nanoseconds that a process has been on a core: its threads, those that have ended too; 0 if it has ended.

    Source: clock_getcpuclockid(3); the number of the clock is made as the C library makes it.
    """
    try:
        return time.clock_gettime_ns(~process << 3 | _PROCESS_CLOCK)
    except (OSError, OverflowError):
        return 0


class Stat:
    """What /proc/PID/stat says of a process or a thread.

    Attributes:
        state: its letter: "R" is on a core or ready for one, "Z" has ended and is not yet waited for; empty if unknown.
        session: the number of its session.
        threads: how many it has.
        reaped: nanoseconds that its children ran which have ended and were waited for.
    """

    __slots__ = ("reaped", "session", "state", "threads")

    def __init__(self, text: bytes) -> None:
        # Source: proc_pid_stat(5). The name, in brackets, may hold anything, so what counts begins behind the last one.
        fields = text[text.rfind(b")") + 1 :].split(None, 18)
        known = len(fields) > 17
        self.state = fields[0].decode() if known else ""
        self.session = int(fields[3]) if known else 0
        self.threads = int(fields[17]) if known else 0
        self.reaped = (int(fields[13]) + int(fields[14])) * _TICK if known else 0


def stat(process: int, thread: str = "") -> Stat:
    """Of a process, or of one of its threads."""
    return Stat(read(f"/proc/{process}/task/{thread}/stat" if thread else f"/proc/{process}/stat"))


def opened(path: str) -> int:
    """A file that is read again and again; -1 if there is none."""
    try:
        return os.open(path, os.O_RDONLY)
    except OSError:
        return -1


def again(file: int) -> bytes:
    """What the file holds now; nothing when its process has ended."""
    try:
        return os.pread(file, 1024, 0) if file >= 0 else b""
    except OSError:
        return b""


class Files:
    """The files of a process of one thread, held open, since they are read again and again.

    Args:
        process: which; where there are no such files, all of them are empty for ever.
    """

    __slots__ = ("_children", "_figures", "_stat")

    def __init__(self, process: int) -> None:
        self._stat = opened(f"/proc/{process}/stat")
        self._figures = opened(f"/proc/{process}/task/{process}/schedstat")
        self._children = opened(f"/proc/{process}/task/{process}/children")

    def stat(self) -> Stat:
        """What is said of it."""
        return Stat(again(self._stat))

    def waited(self) -> int:
        """Nanoseconds that its first thread stood ready to run without a core."""
        return waited(again(self._figures))

    def has_children(self) -> bool:
        """Whether its first thread has started processes that it has not waited for."""
        return bool(again(self._children))

    def close(self) -> None:
        """Let go of them."""
        for file in (self._stat, self._figures, self._children):
            if file >= 0:
                os.close(file)
        self._stat = self._figures = self._children = -1
