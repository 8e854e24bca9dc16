"""From what a bot's command says to what the system can start: found once, and not for each match."""

import errno
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from faceup.arena.bots import Bot
from faceup.arena.matches import Cause
from faceup.arena.programs.breaking import Broken

PASSED_ON: Final = ("HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER")
"""The variables that every program gets: enough to find other programs and a home, and no secrets."""

_NOTHING: Final[Mapping[str, str]] = {}
_FOR_A_SHELL: Final = frozenset({"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1"})


class Command(NamedTuple):
    """What is to be started, in the words of the system.

    Attributes:
        path: of the program, absolute.
        arguments: its own name first.
        environment: all of its variables.
        folder: where it is to run, absolute; empty for where the referee runs.
    """

    path: str
    arguments: tuple[str, ...]
    environment: dict[str, str]
    folder: str


def find(bot: Bot, besides: Mapping[str, str] = _NOTHING) -> Command:
    """The command of a bot, with its program looked up.

    Args:
        bot: whose command it is.
        besides: variables that its programs get besides its own.

    Raises:
        Broken: there is no such program or folder, or it is none, and what would be right.

    >>> import sys
    >>> find(Bot("mine", command=(sys.executable, "mine.py"))).path == sys.executable
    True
    """
    if not bot.command or not bot.command[0]:
        raise _not_started(f"{bot.name} has no command: say which program it is")
    if any("\0" in word for word in (*bot.command, bot.folder)):
        raise _not_started(f"the command of {bot.name} holds a NUL character")
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | {**besides, **bot.environment}
    folder = Path(bot.folder).absolute() if bot.folder else Path.cwd()
    if not folder.is_dir():
        raise _not_started(f"the folder {bot.folder} in which {bot.name} is to run is not there")
    name = bot.command[0]
    if "/" in name:
        path = folder / name
        _check(path, bot)
    else:
        known = shutil.which(name, path=environment.get("PATH"))
        if known is None:
            here = f": write ./{name} for the one in its folder" if (folder / name).is_file() else _about_shells(bot)
            raise _not_started(f"there is no program {name} on the path{here}")
        path = Path(known).absolute()
    return Command(str(path), bot.command, environment, str(folder) if bot.folder else "")


def refusal(command: Command, error: OSError) -> Broken:
    """Why the system did not start a program that is there, and what would be right.

    Raises:
        OSError: the same again, if it is not for the program that it was not started, but for want of memory or the
            like.
    """
    name = command.arguments[0]
    if error.errno == errno.ENOEXEC:
        return _not_started(
            f"the system cannot run {name} by itself: a script needs a first line such as #!/bin/sh, "
            f"or its interpreter in the command, as in `sh {name}`"
        )
    if error.errno == errno.ENOENT:
        return _not_started(f"{name} is there, but not what it needs to run: the interpreter or loader that it names")
    if error.errno in _OF_THE_PROGRAM:
        return _not_started(f"{name} was not started: {os.strerror(error.errno)}")
    raise error


_OF_THE_PROGRAM: Final = frozenset(
    {errno.EACCES, errno.EINVAL, errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOTDIR, errno.EPERM}
    | {errno.E2BIG, errno.ETXTBSY}
)


def _check(path: Path, bot: Bot) -> None:
    name = bot.command[0]
    if path.is_dir():
        raise _not_started(f"{name} is a folder: name the program in it")
    if not path.exists():
        raise _not_started(f"there is no program {name}{_about_shells(bot)}")
    if not os.access(path, os.X_OK):
        raise _not_started(f"{name} is not executable: `chmod +x {name}`, or name what runs it, as in `python3 {name}`")


def _about_shells(bot: Bot) -> str:
    """What to add if the command was meant for a shell."""
    needs = _FOR_A_SHELL.intersection(bot.command)
    return '; no shell reads the command: where one is needed, write sh -c "..."' if needs else ""


def _not_started(words: str) -> Broken:
    return Broken(Cause.NOT_STARTED, words)
