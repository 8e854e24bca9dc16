"""Resolve a bot's command once, and start it in a new session with a pipe for each standard stream.

No shell reads the command. `posix_spawn` does not copy the referee's memory, so a start costs the same however large
the referee is, and no Python code runs between fork and exec.
"""

import errno
import os
import select
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from faceup.arena.match.result import Cause
from faceup.arena.match.terms import Bot
from faceup.arena.process.errors import ProgramError
from faceup.core import Malformed

INHERITED_VARIABLES: Final = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER")
"""The environment variables that every program inherits. They let it find other programs, and contain no secrets."""


def program_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return all variables of a program: those that it inherits, and its own."""
    return {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ} | dict(environment)


OUTPUT_VARIABLE: Final = "FACEUP_OUTPUT"
"""The variable that names the folder to which a program may write."""


def own_environment(bot: Bot) -> dict[str, str]:
    """Return the variables of a bot's programs besides those that every program inherits."""
    return ({OUTPUT_VARIABLE: bot.output} if bot.output else {}) | dict(bot.environment)


_NOTHING: Final[Mapping[str, str]] = {}
_SHELL_OPERATORS: Final = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"})


def require_posix() -> None:
    """Raise `Malformed` on a system without the processes, pipes and signals of POSIX, which is Windows."""
    if not hasattr(select, "poll") or not hasattr(os, "posix_spawn") or sys.platform == "win32":
        raise Malformed(
            "the arena runs on Linux and macOS, not on Windows; install faceup in the Windows Subsystem for Linux "
            "(https://learn.microsoft.com/windows/wsl) and run the command there",
            what=sys.platform,
            where="system",
        )


class Command(NamedTuple):
    """A resolved command.

    Attributes:
        path: absolute path of the program.
        arguments: the arguments, of which the first is the program's name as in the bot's command.
        environment: all environment variables of the program.
        folder: absolute path of the program's working folder; empty for the referee's working folder.
    """

    path: str
    arguments: tuple[str, ...]
    environment: dict[str, str]
    folder: str


def resolve_command(bot: Bot, variables: Mapping[str, str] = _NOTHING) -> Command:
    """Resolve the command of a bot. Its programs get these variables in addition to `Bot.environment`.

    Raises:
        ProgramError: the program is missing or cannot be run, or its folder is missing. The message explains the fix.

    >>> import sys
    >>> resolve_command(Bot("mine", command=(sys.executable, "mine.py"))).path == sys.executable
    True
    """
    if not bot.command or not bot.command[0]:
        raise _not_started(f"{bot.name} has no command; it must name a program")
    if any("\0" in word for word in (*bot.command, bot.folder)):
        raise _not_started(f"the command of {bot.name} contains a NUL character")
    environment = program_environment({**variables, **own_environment(bot)})
    folder = Path(bot.folder).absolute() if bot.folder else Path.cwd()
    if not folder.is_dir():
        raise _not_started(f"the folder {bot.folder} of {bot.name} does not exist")
    name = bot.command[0]
    if "/" in name:
        path = folder / name
        _check(path, bot)
    else:
        executable = shutil.which(name, path=environment.get("PATH"))
        if executable is None:
            hint = f"; write ./{name} for the one in its folder" if (folder / name).is_file() else _shell_hint(bot)
            raise _not_started(f"there is no program {name} on the path{hint}")
        path = Path(executable).absolute()
    return Command(str(path), bot.command, environment, str(folder) if bot.folder else "")


def explain_spawn_error(command: Command, error: OSError) -> ProgramError:
    """Return an error that explains why the system could not start an existing program, and how to fix this.

    Raises:
        OSError: the cause is not the program but the system, for example because it has not enough memory.
    """
    name = command.arguments[0]
    if error.errno == errno.ENOEXEC:
        return _not_started(
            f"the system cannot run {name} by itself; a script must have a first line such as #!/bin/sh, "
            f"or the command must name its interpreter, as in `sh {name}`"
        )
    if error.errno == errno.ENOENT:
        return _not_started(f"{name} exists, but the interpreter or loader that it names does not exist")
    if error.errno in _PROGRAM_ERRORS:
        return _not_started(f"{name} was not started: {os.strerror(error.errno)}")
    raise error


_PROGRAM_ERRORS: Final = frozenset(
    {errno.EACCES, errno.EINVAL, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EPERM}
    | {errno.E2BIG, errno.ETXTBSY}
)


def _check(path: Path, bot: Bot) -> None:
    name = bot.command[0]
    if path.is_dir():
        raise _not_started(f"{name} is a folder; name the program in it")
    if not path.exists():
        raise _not_started(f"there is no program {name}{_shell_hint(bot)}")
    if not os.access(path, os.X_OK):
        raise _not_started(
            f"{name} is not executable; run `chmod +x {name}`, or name its interpreter, as in `python3 {name}`"
        )


def _shell_hint(bot: Bot) -> str:
    """Return a hint if the command seems to need a shell; otherwise an empty string."""
    needs = _SHELL_OPERATORS.intersection(bot.command)
    return '; no shell reads the command; if it needs one, write sh -c "..."' if needs else ""


def _not_started(message: str) -> ProgramError:
    return ProgramError(Cause.NOT_STARTED, message)


_DEFAULT_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGPIPE", "SIGXFSZ") if hasattr(signal, name)
)
"""Signals that Python or the referee's parent process may ignore. Programs start with their default actions."""


_SESSION: Final[dict[str, Any]] = {"setsid": True} if sys.platform == "linux" else {"setpgroup": 0}
"""The arguments of `posix_spawn` that start a new session, or on macOS, which has no `setsid` here, a process group.

`Any`: the arguments have many types.
"""


class Pipes(NamedTuple):
    """The process ID and the pipes of a program that was started.

    Attributes:
        process: the process ID, which is also the ID of the program's session and process group.
        stdin: the write end of the pipe to the program's input. Writes do not block.
        stdout, stderr: the read ends of the pipes from the program's outputs.
    """

    process: int
    stdin: int
    stdout: int
    stderr: int


def spawn(command: Command, start_isolated: Callable[[Callable[[], int]], int]) -> Pipes:
    """Start a program.

    The function `start_isolated` must call the function that it gets, which starts the program, set the program's
    limits, and return its process ID.

    Raises:
        ProgramError: the system cannot run the program. The message explains how to fix this.
        OSError: the system cannot start any program now.
    """
    inner: list[int] = []
    outer: list[int] = []
    try:
        for writing in (True, False, False):
            read, write = os.pipe()  # not inheritable
            inner.append(read if writing else write)
            outer.append(write if writing else read)
        os.set_blocking(outer[0], False)
        process = start_isolated(partial(_start, command, inner))
    except OSError as error:
        _close(outer)
        raise explain_spawn_error(command, error) from None
    finally:
        _close(inner)
    return Pipes(process, *outer)


def _start(command: Command, streams: list[int]) -> int:
    with _in_folder(command.folder):
        return os.posix_spawn(
            command.path,
            command.arguments,
            command.environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate(streams)],
            setsigmask=(),
            setsigdef=_DEFAULT_SIGNALS,
            **_SESSION,
        )


@contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    """Change to the folder during the start of a program, because a program inherits its parent's working folder."""
    if not folder:
        yield
        return
    directory = os.open(
        ".", getattr(os, "O_PATH", os.O_RDONLY)
    )  # `O_PATH` needs no read permission, which a sandbox may deny
    try:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(directory)
    finally:
        os.close(directory)


def _close(files: list[int]) -> None:
    for file in files:
        os.close(file)
