"""A sandbox for a bot's programs by bubblewrap: namespaces for files, processes and the network, and a seccomp filter.

Compared with the sandbox of `faceup.arena.process.sandbox`, programs see only the files that they may read and no other
processes, and the kernel needs no Landlock. A start takes some milliseconds longer.

A shell opens the filter and sets the limits before it becomes bubblewrap. Limits that the referee sets later could miss
the program, because bubblewrap starts it as another process.

Source: bwrap(1).
"""

import os
import platform
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Final, Self, TypeVar

from faceup.arena.match.terms import Bot
from faceup.arena.process.sandbox import (
    DEVICES,
    PACKAGE,
    SYSTEM,
    output_folders,
    readable_paths,
    seccomp_available,
    seccomp_filter,
)
from faceup.arena.process.spawn import Command
from faceup.core import Malformed

_SCRIPT: Final = 'filter=$1; shift; exec 9<"$filter"; exec "$@"'
"""The end of the shell script. It opens the filter as descriptor 9, and then becomes bubblewrap."""

_NAMESPACES: Final = ("--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox")

Started = TypeVar("Started")


@cache
def bubblewrap_unavailable_reason() -> str:
    """Return the reason why bubblewrap cannot be used on this machine, as a clause; empty if it can."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed (Debian and Ubuntu: `apt-get install bubblewrap`)"
    if not seccomp_available():
        return "the kernel has no seccomp filters, or the processor is neither x86-64 nor 64-bit ARM"
    test = (program, *_NAMESPACES, "--ro-bind", "/", "/", "--proc", "/proc", "true")
    done = subprocess.run(test, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)  # noqa: S603 -- a fixed command
    return f"bubblewrap cannot create namespaces here: {done.stderr.strip()}" if done.returncode else ""


def require_bubblewrap() -> None:
    """Raise `Malformed` with the reason if bubblewrap cannot be used on this machine."""
    if reason := bubblewrap_unavailable_reason():
        raise Malformed(f"this machine has no bubblewrap: {reason}", what="bubblewrap", where="terms")


def describe_bubblewrap() -> str:
    """Describe the sandbox in one line."""
    return (
        "sandbox: programs see only their own files, the system's and a folder of their own, no other processes, and "
        "no network (bubblewrap, seccomp)"
    )


class Bubblewrap:
    """The files of one bot's sandbox: a folder to which the bot's programs may write, and the filter.

    Attributes:
        environment: environment variables that point the bot's programs to the folder.

    Raises:
        Malformed: bubblewrap cannot be used on this machine. The message contains the reason.
    """

    def __init__(self, bot: Bot) -> None:
        require_bubblewrap()
        self._bot = bot
        self._own = Path(tempfile.mkdtemp(prefix="faceup-sandbox-"))
        self._filter = self._own / "filter"
        self._filter.write_bytes(seccomp_filter(platform.machine()))
        self._folder = self._own / "bot"
        self._folder.mkdir()
        self.environment: Mapping[str, str] = {
            "TMPDIR": str(self._folder),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            "DOTNET_EnableWriteXorExecute": "0",
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, start: Callable[[], Started]) -> Started:
        """Call `start`, which must run a command from `wrap`, and return its result."""
        return start()

    def wrap(self, command: Command, limits: str = "") -> Command:
        """Return the command that runs a command in the sandbox. `limits` are shell commands that set limits."""
        readable = _topmost([*SYSTEM, PACKAGE, *readable_paths(self._bot)])
        folder = command.folder or os.getcwd()  # noqa: PTH109 -- text
        words = [
            *("sh", "-c", f"{limits}{_SCRIPT}", "sh", str(self._filter)),
            *(shutil.which("bwrap") or "bwrap", *_NAMESPACES),
            *_options("--ro-bind", readable),
            *_options("--dev-bind", (device for device in DEVICES if device.exists())),
            *("--proc", "/proc"),
            *_options("--bind", [self._folder, *output_folders(self._bot)]),
            *("--remount-ro", "/", "--chdir", folder if _contains(readable, Path(folder)) else str(self._folder)),
            *("--seccomp", "9", "--", command.path, *command.arguments[1:]),
        ]
        return command._replace(path=shutil.which("sh") or "/bin/sh", arguments=tuple(words))

    def close(self) -> None:
        """Remove the bot's writable folder and the filter."""
        shutil.rmtree(self._own, ignore_errors=True)


def _options(option: str, paths: Iterable[Path]) -> list[str]:
    return [word for path in paths for word in (option, str(path), str(path))]


def _topmost(paths: Iterable[Path]) -> list[Path]:
    """Return the existing paths without those that are in another one; bubblewrap mounts each.

    `/proc` is left out, because the sandbox gets its own.
    """
    topmost: list[Path] = []
    for path in sorted({path.absolute() for path in paths if path.exists() and path != Path("/proc")}):
        if not _contains(topmost, path):
            topmost.append(path)
    return topmost


def _contains(folders: Iterable[Path], path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
