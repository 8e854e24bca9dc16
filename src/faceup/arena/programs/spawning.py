"""Starting a program with a pipe for each of its streams, in a session of its own.

No shell reads the command, and nothing of Python runs between the fork and the program: `posix_spawn` shares the memory
of the referee until the program begins, so that a start costs the same however large the referee is.
"""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple

from faceup.arena.programs.commands import Command, refusal

_AS_USUAL: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGPIPE", "SIGXFSZ") if hasattr(signal, name)
)
"""Signals that Python, or whoever started the referee, may ignore: a program begins with what they usually do."""


_APART: Final[dict[str, Any]] = {"setsid": True} if sys.platform == "linux" else {"setpgroup": 0}
"""Any: arguments of `posix_spawn` are of many types. macOS starts a program in a group of its own, and no more."""


class Pipes(NamedTuple):
    """A program that was started.

    Attributes:
        process: its number, which is that of its session and of its process group as well.
        stdin: the end that is written to; a write to it never waits.
        stdout, stderr: the ends that are read from.
    """

    process: int
    stdin: int
    stdout: int
    stderr: int


def spawn(command: Command, held: Callable[[Callable[[], int]], int]) -> Pipes:
    """Start a program.

    Args:
        command: what is to be started.
        held: calls what starts the program and gives its number, and holds the program to its limits.

    Raises:
        Broken: the system does not start it; what would be right.
        OSError: the system can start nothing at all now.
    """
    inner: list[int] = []
    outer: list[int] = []
    try:
        for writing in (True, False, False):
            read, write = os.pipe()  # other programs do not inherit it
            inner.append(read if writing else write)
            outer.append(write if writing else read)
        os.set_blocking(outer[0], False)
        process = held(partial(_start, command, inner))
    except OSError as error:
        _close(outer)
        raise refusal(command, error) from None
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
            setsigdef=_AS_USUAL,
            **_APART,
        )


@contextmanager
def _in_folder(folder: str) -> Iterator[None]:
    """Be there for as long as a start takes: a program begins in the folder of whoever starts it."""
    if not folder:
        yield
        return
    here = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))  # which needs no right to read it, as in a sandbox
    try:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)
    finally:
        os.close(here)


def _close(files: list[int]) -> None:
    for file in files:
        os.close(file)
