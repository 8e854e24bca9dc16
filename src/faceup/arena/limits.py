"""What a program may use of the machine: memory, processes, open files, processor time.

The kernel's own limits do it. They are set on a program as soon as it runs (`prlimit`), which takes some microseconds
and neither a shell nor code between fork and exec. Memory that it took before counts as well, so nothing escapes. The
limit on processes alone has to be there from the first instruction, since a child made before would have none: the
worker lowers its own soft one, which every program inherits, and puts it back when it closes.

Memory is what a program may write to and shares with nobody (`RLIMIT_DATA`), not its address space: Java, Go and Node
reserve many times what they use, and would not even start. The size of files has a limit in a sandbox alone: some
versions of .NET make a file of two terabytes in memory as they start, and are killed by any limit, unless a variable
that the sandbox sets tells them not to.
"""

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Callable

FILES: Final = 256
"""The most files that a program may have open; Java and Node need some dozens."""

FILE_SIZE: Final = 256 << 20
"""The most bytes in a file that a program in a sandbox writes."""

CPU: Final = 3_600
"""The most seconds of processor time: what escaped a referee that was killed ends some day. None if kept alive."""

AT_A_TABLE: Final = 4
"""How many programs of a worker run at a time, as a rule: what the limit on processes reckons with."""


class Limits(msgspec.Struct, frozen=True):
    """What a program may use; 0 is no limit.

    Attributes:
        memory: bytes of writable memory that it shares with nobody, whether used yet or not.
        processes: of this user, all that run now included: the kernel counts no other way.
        files: open at a time.
        cpu: seconds of processor time, all its threads together.
        file_size: bytes in a file that it writes.
    """

    memory: int = 0
    processes: int = 0
    files: int = FILES
    cpu: int = CPU
    file_size: int = 0


def limits_of(terms: Terms, bot: Bot, running: int = 0) -> Limits:
    """The limits for a bot, when this user's processes and threads are so many already.

    >>> limits_of(Terms(memory=1 << 30, processes=0), Bot("mine", ("./mine",)))
    Limits(memory=1073741824, processes=0, files=256, cpu=3600, file_size=0)
    """
    cpu = 0 if terms.alive and bot.alive else CPU
    size = FILE_SIZE if terms.sandbox else 0
    return Limits(terms.memory, most_processes(terms, running), cpu=cpu, file_size=size)


def most_processes(terms: Terms, running: int) -> int:
    """How many processes this user may have under these terms; 0 is no limit, as it is for root anyway."""
    if not (terms.processes and process_limit_binds()):
        return 0
    return running + terms.processes * AT_A_TABLE * (os.cpu_count() or 1)


def bind(pid: int, limits: Limits) -> None:
    """Hold a program that has just been started to its limits, which none but root can raise again.

    A program that has ended, or that runs with other rights than ours, is left as it is. Does nothing where the system
    cannot do it: it is Linux that can.
    """
    if sys.platform != "linux":
        return
    from resource import (  # noqa: PLC0415 -- Windows has no such module
        RLIMIT_CORE,
        RLIMIT_CPU,
        RLIMIT_DATA,
        RLIMIT_FSIZE,
        RLIMIT_NOFILE,
        RLIMIT_NPROC,
        prlimit,
    )

    with suppress(ProcessLookupError, PermissionError):
        prlimit(pid, RLIMIT_CORE, (0, 0))
        for kind, most in (
            (RLIMIT_DATA, limits.memory),
            (RLIMIT_NPROC, limits.processes),
            (RLIMIT_NOFILE, limits.files),
            (RLIMIT_CPU, limits.cpu),
            (RLIMIT_FSIZE, limits.file_size),
        ):
            if most:
                with suppress(ValueError):  # this user's limit is lower already, and only root may raise it
                    prlimit(pid, kind, (most, most))


class ProcessLimit:
    """The worker's own soft limit on processes, lowered so that programs inherit it, and put back in the end.

    It does not bind root, whom the kernel exempts: see `process_limit_binds`.
    """

    def __init__(self, most: int) -> None:
        self._back: Callable[[], None] | None = None
        if not (most and process_limit_binds()):
            return
        from resource import RLIM_INFINITY, RLIMIT_NPROC, getrlimit, setrlimit  # noqa: PLC0415 -- as above

        soft, hard = getrlimit(RLIMIT_NPROC)
        if soft == RLIM_INFINITY or soft > most:
            setrlimit(RLIMIT_NPROC, (most, hard))
            self._back = lambda: setrlimit(RLIMIT_NPROC, (soft, hard))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Put the worker's limit back."""
        if self._back is not None:
            self._back()
            self._back = None


def process_limit_binds() -> bool:
    """Whether the kernel holds this user to a number of processes: it does so with all but root."""
    return sys.platform == "linux" and os.getuid() != 0


def count_running() -> int:
    """The processes and threads of this user that run now; 0 where they cannot be counted."""
    if sys.platform != "linux":
        return 0
    mine, running = os.getuid(), 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with suppress(OSError):  # it has just ended
                if entry.stat().st_uid == mine:
                    running += len(os.listdir(f"/proc/{entry.name}/task"))  # noqa: PTH208 -- a list of names is all
    return running


def tell(terms: Terms) -> str:
    """What holds programs here, in a line.

    >>> tell(Terms(memory=0, processes=0)).startswith("limits: ")
    True
    """
    if sys.platform != "linux":
        return "limits: none; they need Linux"
    said = [f"{_size(terms.memory)} of memory a program" if terms.memory else "memory as it likes"]
    if not terms.processes:
        said.append("processes as it likes")
    elif process_limit_binds():
        said.append(f"about {terms.processes} processes and threads")
    else:
        said.append("processes as it likes, for the kernel holds root to no number of them")
    return f"limits: {', '.join(said)}, {FILES} open files, no core files"


def _size(amount: int) -> str:
    return f"{amount / (1 << 30):.3g} GB" if amount >= 1 << 30 else f"{amount / (1 << 20):.3g} MB"
