"""The resource limits of programs, and their start with these limits and in a sandbox.

The kernel enforces the limits. `prlimit` sets them right after a program starts, which takes microseconds and needs
neither a shell nor code between fork and exec. Memory that a program takes before this moment counts as well. Only the
limit on processes must apply from the first instruction, because a child that is forked earlier would have no limit.
So the worker lowers its own soft limit, which programs inherit, and restores it when it closes.

The memory limit is on private writable memory (`RLIMIT_DATA`), not on address space, because Java, Go and Node reserve
much more address space than they use and would not start. File size is limited only in a sandbox, because some versions
of .NET create a sparse file of two terabytes at their start and would be killed by any limit. In the sandbox, an
environment variable prevents the creation of this file.
"""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, Self

import msgspec

from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process.bubblewrap import Bubblewrap, describe_bubblewrap, require_bubblewrap
from faceup.arena.process.sandbox import Sandbox, describe_sandbox, require_sandbox
from faceup.arena.process.spawn import Command
from faceup.core import plural

FILES: Final = 256
"""The most open files of a program. Java and Node need some dozens."""

FILE_SIZE: Final = 256 << 20
"""The most bytes in a file that a sandboxed program writes."""

CPU: Final = 3_600
"""The most seconds of CPU time of a program, so that a program ends even if its referee was killed.

Programs that are kept alive between matches have no such limit.
"""

PROGRAMS_PER_WORKER: Final = 4
"""The number of programs that a worker usually runs at a time. The limit on processes is computed from it."""


class Limits(msgspec.Struct, frozen=True):
    """The resource limits of a program, where 0 is no limit.

    Attributes:
        memory: the most bytes of private writable memory, used or not.
        processes: the most processes and threads of this user. As in the kernel, this includes those that run already.
        files: the most open files.
        cpu: the most seconds of CPU time of all threads together.
        file_size: the most bytes in a file that the program writes.
    """

    memory: int = 0
    processes: int = 0
    files: int = FILES
    cpu: int = CPU
    file_size: int = 0


def limits_of(terms: MatchTerms, bot: Bot, running: int = 0) -> Limits:
    """Return the limits of a bot's program, given the number of this user's running processes and threads.

    >>> limits_of(MatchTerms(memory=1 << 30, processes=0), Bot("mine", ("./mine",)))
    Limits(memory=1073741824, processes=0, files=256, cpu=3600, file_size=0)
    """
    cpu = 0 if terms.alive and bot.alive else CPU
    size = FILE_SIZE if terms.sandbox or terms.bubblewrap else 0
    return Limits(terms.memory, most_processes(terms, running), cpu=cpu, file_size=size)


def most_processes(terms: MatchTerms, running: int) -> int:
    """Return the most processes and threads that this user may have under these terms.

    0 is no limit, which is always the result for root. `running` is the number that this user has already.
    """
    if not (terms.processes and process_limit_binds()):
        return 0
    return running + terms.processes * PROGRAMS_PER_WORKER * (os.cpu_count() or 1)


def set_limits(pid: int, limits: Limits) -> None:
    """Set the limits of a program that has just been started. Afterwards only root can raise them.

    A program that has ended or runs as another user is left alone. On systems other than Linux, this does nothing.
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
                with suppress(ValueError):  # the user's hard limit is already lower than this one
                    prlimit(pid, kind, (most, most))


def shell_limits(limits: Limits) -> str:
    """Return shell commands that set the limits for the shell and what it starts.

    >>> shell_limits(Limits(memory=1 << 30, cpu=0))
    'ulimit -c 0; ulimit -d 1048576; ulimit -n 256; '
    """
    amounts = (
        ("d", limits.memory >> 10),
        ("p", limits.processes),
        ("n", limits.files),
        ("t", limits.cpu),
        ("f", limits.file_size >> 9),
    )
    return "".join(["ulimit -c 0; ", *(f"ulimit -{letter} {amount}; " for letter, amount in amounts if amount)])


class ProcessLimit:
    """A lower soft limit on processes for the worker itself, which programs inherit. Closing restores the old limit.

    The kernel does not apply the limit to root. See `process_limit_binds`.
    """

    def __init__(self, most: int) -> None:
        self._restore: Callable[[], None] | None = None
        if not (most and process_limit_binds()):
            return
        from resource import RLIM_INFINITY, RLIMIT_NPROC, getrlimit, setrlimit  # noqa: PLC0415 -- as above

        soft, hard = getrlimit(RLIMIT_NPROC)
        if soft == RLIM_INFINITY or soft > most:
            setrlimit(RLIMIT_NPROC, (most, hard))
            self._restore = lambda: setrlimit(RLIMIT_NPROC, (soft, hard))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Restore the worker's old limit."""
        if self._restore is not None:
            self._restore()
            self._restore = None


def process_limit_binds() -> bool:
    """Return whether the kernel enforces the limit on processes, as Linux does for all users but root."""
    return sys.platform == "linux" and os.getuid() != 0


def count_running() -> int:
    """Return the number of this user's running processes and threads; 0 if the system is not Linux."""
    if sys.platform != "linux":
        return 0
    own_user, running = os.getuid(), 0
    for entry in os.scandir("/proc"):
        if entry.name.isdecimal():
            with suppress(OSError):  # the process has just ended
                if entry.stat().st_uid == own_user:
                    running += len(os.listdir(f"/proc/{entry.name}/task"))  # noqa: PTH208 -- a list of names is all
    return running


def describe_limits(terms: MatchTerms) -> str:
    """Describe the resource limits in one line.

    >>> describe_limits(MatchTerms(memory=0, processes=0)).startswith("limits: ")
    True
    """
    if sys.platform != "linux":
        return "limits: none; they need Linux"
    parts = [f"{_size(terms.memory)} of memory a program" if terms.memory else "unlimited memory"]
    if not terms.processes:
        parts.append("unlimited processes")
    elif process_limit_binds():
        parts.append(f"about {plural(terms.processes, 'process or thread', 'processes and threads')}")
    else:
        parts.append("unlimited processes, because the kernel does not limit root")
    return f"limits: {', '.join(parts)}, {FILES} open files, no core files"


def _size(amount: int) -> str:
    return f"{amount / (1 << 30):.3g} GB" if amount >= 1 << 30 else f"{amount / (1 << 20):.3g} MB"


class Isolation:
    """The limits and sandboxes of the programs of one worker.

    Raises:
        Malformed: the terms ask for a sandbox, which this machine cannot provide. The message contains the reason.

    >>> import os
    >>> echo = Bot("echo", ("/bin/echo", "hello"))
    >>> with Isolation(MatchTerms()) as isolation:
    ...     environment = {**os.environ, **isolation.environment(echo)}
    ...     process = isolation.start(echo, lambda: os.posix_spawn(echo.command[0], echo.command, environment))
    ...     os.waitpid(process, 0)[1]
    0
    """

    def __init__(self, terms: MatchTerms) -> None:
        if terms.bubblewrap:
            require_bubblewrap()
        elif terms.sandbox:
            require_sandbox()
        self._terms = terms
        self._running = count_running() if process_limit_binds() else 0
        self._processes = ProcessLimit(most_processes(terms, self._running))
        self._sandboxes: dict[tuple[str, str, tuple[str, ...]], Sandbox | Bubblewrap] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def environment(self, bot: Bot) -> Mapping[str, str]:
        """Return the environment variables that this bot's programs get in addition to `Bot.environment`."""
        return self._sandbox_of(bot).environment if self._isolates else {}

    def wrap(self, bot: Bot, command: Command) -> Command:
        """Return the command with which to start this bot's command, which another sandbox than bubblewrap keeps."""
        sandbox = self._sandbox_of(bot) if self._isolates else None
        if not isinstance(sandbox, Bubblewrap):
            return command
        return sandbox.wrap(command, shell_limits(limits_of(self._terms, bot, self._running)))

    def start(self, bot: Bot, start: Callable[[], int]) -> int:
        """Start a program of this bot in its sandbox and set its limits.

        The function `start` must start the program and return its process ID. It may be called in a sandboxed thread,
        which can open only the files that the bot may open.
        """
        process = self._sandbox_of(bot).start(start) if self._isolates else start()
        set_limits(process, limits_of(self._terms, bot, self._running))
        return process

    def close(self) -> None:
        """Restore the worker's limits and remove the bots' folders. Call this after all programs have ended."""
        self._processes.close()
        while self._sandboxes:
            self._sandboxes.popitem()[1].close()

    @property
    def _isolates(self) -> bool:
        return self._terms.sandbox or self._terms.bubblewrap

    def _sandbox_of(self, bot: Bot) -> Sandbox | Bubblewrap:
        which = bot.name, bot.folder, bot.command
        if which not in self._sandboxes:
            self._sandboxes[which] = Bubblewrap(bot) if self._terms.bubblewrap else Sandbox(bot)
        return self._sandboxes[which]


def describe_isolation(terms: MatchTerms) -> str:
    """Describe the sandbox and the resource limits under these terms in one line."""
    if terms.bubblewrap:
        return f"{describe_bubblewrap()}; {describe_limits(terms)}"
    return f"{describe_sandbox(active=terms.sandbox)}; {describe_limits(terms)}"
