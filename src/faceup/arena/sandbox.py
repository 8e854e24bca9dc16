"""A fence round a program: it reads its own files and the system's, writes to a folder of its own, and has no network.

Landlock and seccomp hold for the thread that asks for them and for what that thread starts. So each bot has one thread
in the worker that has put up the fence and does nothing but start that bot's programs: no launcher runs before them,
and starting costs no more than handing it over. The worker itself, which plays and writes results, is free.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self, TypeVar

from faceup.arena import landlock, seccomp
from faceup.arena.bots import Bot
from faceup.core import Malformed

Started = TypeVar("Started")

_SYSTEM: Final = tuple(
    Path(name)
    for name in (
        *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"),
        *("/nix/store", "/gnu/store", "/snap", "/proc", "/sys"),
    )
)
_DEVICES: Final = tuple(Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom"))
_OURS: Final = Path(__file__).parents[1]
"""Our own players may play as programs, wherever we are installed."""

_BESIDE: Final = ("lib", "lib64", "libexec", "conf", "pyvenv.cfg")
"""What an interpreter in a folder `bin` reads beside that folder."""


def why_not() -> str:
    """Why there is no sandbox here, in a sentence's end; empty if there is one."""
    return _reason(landlock.version(), filters=seccomp.available())


def _reason(found: int, *, filters: bool) -> str:
    if not found:
        return "the kernel has no Landlock, or has it switched off (Linux 6.2 or newer, with `landlock` in `lsm=`)"
    if found < landlock.LEAST:
        return f"the kernel's Landlock is version {found}, and {landlock.LEAST} is needed (Linux 6.2 or newer)"
    if not filters:
        return "the kernel has no seccomp filters, or the processor is neither x86-64 nor 64-bit ARM"
    return ""


def tell(*, active: bool) -> str:
    """What holds programs back here, in a line.

    >>> tell(active=False)
    'sandbox: off; programs have your network, and may read and write what you may'
    """
    if not active:
        return "sandbox: off; programs have your network, and may read and write what you may"
    found = landlock.version()
    said = "sandbox: programs read their own files and the system's, write to a folder of their own"
    said += f", and have no network (Landlock {found}, seccomp)"
    if found < landlock.SCOPED_SINCE:
        said += "; not held back: signals to your other programs, which need Linux 6.12"
    return said


class Sandbox:
    """The fence of one bot, and the thread behind it. Its folder to write to goes when it is closed.

    Attributes:
        environment: what the bot's programs must get so that they look for their folder there.

    Raises:
        Malformed: there is no sandbox on this machine, with the reason.
    """

    def __init__(self, bot: Bot) -> None:
        if reason := why_not():
            raise Malformed(f"there is no sandbox here: {reason}", what="sandbox", where="terms")
        self._folder = Path(tempfile.mkdtemp(prefix="faceup-bot-"))
        # Caches look for a home of their own; and .NET makes its code in a file larger than any limit if it may.
        self.environment: Mapping[str, str] = {
            "TMPDIR": str(self._folder),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            "DOTNET_EnableWriteXorExecute": "0",
        }
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox")
        try:
            self._thread.submit(self._put_up, bot).result()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, start: Callable[[], Started]) -> Started:
        """Call this behind the fence: what it starts stays behind it. Raises what it raises."""
        return self._thread.submit(start).result()

    def close(self) -> None:
        """End the thread, and remove the folder that the bot wrote to."""
        self._thread.shutdown()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _put_up(self, bot: Bot) -> None:
        fence = landlock.Fence()
        try:
            fence.allow([*_SYSTEM, _OURS, *readable(bot)], landlock.READ)
            fence.allow([_OURS.parent], landlock.READ_DIR)
            fence.allow(_DEVICES, landlock.USE)
            fence.allow([self._folder], landlock.EVERYTHING)
            fence.put_up()
        finally:
            fence.close()
        seccomp.install()


def readable(bot: Bot) -> list[Path]:
    """The files and folders that a bot's programs may read and run besides the system's.

    That is its folder; without one, the folders of the files that its command names, unless that would be the whole of
    somebody's home. Then what the program needs that runs it: an interpreter's library, a script's interpreter.
    """
    folder = Path(bot.folder or ".").absolute()
    # Unlike `Path.is_file`, this takes any words, also those that could be no path.
    named = [folder / word for word in bot.command if os.path.isfile(folder / word)]  # noqa: PTH113
    own = [folder] if bot.folder else [path if _too_much(path.parent) else path.parent for path in named]
    found = shutil.which(bot.command[0]) if os.sep not in bot.command[0] else folder / bot.command[0]
    programs = [Path(found)] if found else []
    programs += [interpreter for path in [*named, *programs] for interpreter in _interpreter(path)]
    return [*own, *named, *(part for path in programs for part in _parts(path))]


def _parts(program: Path) -> Iterator[Path]:
    """A program's own file, and, as it is called and as it is, what stands beside the folder `bin` that it is in."""
    for path in {program, program.resolve()}:
        yield path
        if path.parent.name == "bin":
            yield path.parent
            yield from (path.parent.parent / name for name in _BESIDE)
        elif path.parent.name == "shims":  # of pyenv and its like: a script that looks for the program beside it
            yield path.parent.parent
        elif not _too_much(path.parent):
            yield path.parent


def _interpreter(path: Path) -> Iterator[Path]:
    """The program that runs a script, as its first line says: `#!/usr/bin/env python3` is Python's."""
    try:
        with path.open("rb") as file:
            first = file.readline(512)
    except OSError:
        return
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    yield from (Path(word) for word in words[:1])
    if words and Path(words[0]).name == "env":
        found = next((shutil.which(word) for word in words[1:] if not word.startswith("-")), None)
        yield from [Path(found)] if found else []


def _too_much(folder: Path) -> bool:
    """Whether a folder is somebody's home or where everybody keeps what is temporary, or holds one of them."""
    return any(place.resolve().is_relative_to(folder.resolve()) for place in (Path.home(), Path(tempfile.gettempdir())))
