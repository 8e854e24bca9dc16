"""A sandbox for a bot's programs, which uses Landlock for files, and seccomp for sockets and other system calls.

A sandboxed program can read its own files and the system's files, can write only to one folder, and has no network. It
can create no namespaces, and cannot use the parts of the kernel that most escapes from sandboxes need.

Landlock and seccomp apply to the thread that installs them and to all processes that this thread starts, and cannot be
removed. So the worker has one sandboxed thread for each bot, which only starts the programs of this bot. No launcher
program is needed, and a start costs only the hand-over to the thread. The other threads of the worker, which play
matches and write results, are not restricted.

Sources: `Documentation/userspace-api/landlock.rst` of the kernel for Landlock; `linux/seccomp.h`, `linux/filter.h`, and
the kernel's system call tables for seccomp; `profiles/seccomp/default.json` of Moby (Docker) for `clone` and `clone3`.
"""

import ctypes
import os
import platform
import shutil
import struct
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from errno import EACCES, ENOSYS, EPERM
from itertools import count
from pathlib import Path
from typing import Final, Self, TypeVar

from faceup.arena.match.terms import Bot
from faceup.arena.process.linux import (
    DROP_CAPABILITY,
    GET_SECCOMP,
    SET_NO_NEW_PRIVILEGES,
    SET_SECCOMP,
    prctl,
    system_call,
)
from faceup.arena.process.shell_script import script_words
from faceup.core import Malformed

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every architecture
_VERSION: Final = 1
_PATH_BENEATH: Final = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_OF_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL
"""The access rights that can be given for a file that is not a folder."""

READ: Final = EXECUTE | READ_FILE | READ_DIR
EVERYTHING: Final = (1 << 16) - 1
USE: Final = WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL
"""The access rights for devices such as `/dev/null`."""

_NET: Final = 3  # denies TCP bind and connect
_SCOPED: Final = 3  # denies abstract sockets of processes outside the sandbox, and signals to these
SCOPED_SINCE: Final = 6
"""The first Landlock version that also restricts signals."""

LEAST: Final = 3
"""The oldest Landlock version that suffices (Linux 6.2). Older ones cannot keep programs from truncating files."""


def landlock_version() -> int:
    """Return the kernel's Landlock version; 0 if the kernel has no Landlock or it is disabled.

    >>> landlock_version() >= 0
    True
    """
    if sys.platform != "linux":
        return 0
    with suppress(OSError):
        return system_call(_CREATE, None, 0, _VERSION)
    return 0


def _handled(abi: int) -> int:
    """Return the access rights that this Landlock version can restrict, as a bit mask."""
    return (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1


class LandlockRuleset:
    """A set of Landlock rules for which files may be used and how. All other access to files is denied.

    Raises:
        OSError: the kernel has no Landlock.
    """

    def __init__(self) -> None:
        self.version = landlock_version()
        self._known = _handled(self.version)
        fields = struct.pack(
            "QQQ", self._known, _NET if self.version >= 4 else 0, _SCOPED if self.version >= SCOPED_SINCE else 0
        )
        self._rules = system_call(_CREATE, fields, len(fields), 0)
        os.set_inheritable(self._rules, False)

    def allow(self, paths: Iterable[Path], access: int) -> None:
        """Allow access to these files, and to everything in these folders. Missing paths are skipped."""
        for path in paths:
            try:
                opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                of_kind = access if path.is_dir() else access & _OF_FILES
                beneath = struct.pack("=Qi", of_kind & self._known, opened)
                system_call(_ADD, self._rules, _PATH_BENEATH, beneath, 0)
            finally:
                os.close(opened)

    def apply(self) -> None:
        """Restrict the calling thread to these rules, permanently."""
        drop_privileges()
        system_call(_RESTRICT, self._rules, 0)

    def close(self) -> None:
        """Close the rule set. Threads that have applied it stay restricted."""
        os.close(self._rules)


def drop_privileges() -> None:
    """Set no-new-privileges for the calling thread, and drop all capabilities from the thread's bounding set.

    Without no-new-privileges, the kernel lets only root install a sandbox.
    """
    prctl(SET_NO_NEW_PRIVILEGES, 1)
    with suppress(OSError):  # this user is not root, or all capabilities are dropped
        for capability in count():
            prctl(DROP_CAPABILITY, capability)


_CALLS: Final = {
    "x86_64": (
        0xC000003E,
        56,
        {
            EACCES: (41,),
            ENOSYS: (425, 435),
            EPERM: (
                *(90, 91, 92, 93, 94, 188, 189, 190, 197, 198, 199, 260, 268, 452, 463, 466),
                *(272, 308, 155, 161, 165, 166, 428, 429, 430, 431, 432, 433, 442, 467),
                *(321, 248, 249, 250, 323, 298),
            ),
        },
    ),
    "aarch64": (
        0xC00000B7,
        220,
        {
            EACCES: (198,),
            ENOSYS: (425, 435),
            EPERM: (
                *(5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 452, 463, 466),
                *(97, 268, 41, 51, 40, 39, 428, 429, 430, 431, 432, 433, 442, 467),
                *(280, 217, 218, 219, 282, 241),
            ),
        },
    ),
}
"""For each architecture, its audit number, the number of `clone`, and the numbers of the denied calls by their error.

The denied calls are:

- `socket`, with the error EACCES.
- `io_uring_setup` and `clone3`, with ENOSYS, so that programs use ordinary reads and `clone`. A filter cannot see the
  flags of `clone3`, because they are in memory.
- With EPERM: all forms of chmod, chown and setxattr; then unshare, setns, pivot_root, chroot, mount, umount2 and the
  newer calls for mounting; then bpf, add_key, request_key, keyctl, userfaultfd and perf_event_open.
"""

_NAMESPACES: Final = 0x7E020000
"""The flags of `clone` that create namespaces, from linux/sched.h."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _PROCESSOR, _FIRST_ARGUMENT = 0, 4, 16  # offsets in `struct seccomp_data`; the low half on these architectures
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_FOREIGN: Final = 0x40000000
"""The first call number of the x32 ABI."""

_FILTER: Final = 2


def seccomp_available() -> bool:
    """Return whether the kernel has seccomp filters and the processor's architecture is supported."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return False
    with suppress(OSError):
        return prctl(GET_SECCOMP) >= 0 and Path("/proc/sys/kernel/seccomp").exists()
    return False


def seccomp_filter(machine: str) -> bytes:
    """Return the seccomp filter program for this architecture.

    >>> len(seccomp_filter("x86_64")) % 8
    0
    """
    number, clone, refused = _CALLS[machine]
    # The architecture comes first: elsewhere, the same numbers are other calls.
    steps = [
        _step(_LOAD, _PROCESSOR),
        _step(_EQUAL, number, 1, 0),
        _step(_RETURN, _REFUSE | ENOSYS),  # denies the calls of 32-bit programs, which have other numbers
        _step(_LOAD, _NUMBER),
        # The x32 ABI has the same architecture number, but other call numbers: deny all of it.
        _step(_AT_LEAST, _FOREIGN, 0, 1),
        _step(_RETURN, _REFUSE | ENOSYS),
    ]
    # A list of denied calls suffices, because Landlock denies access to files; these calls are what it does not cover.
    for error, calls in refused.items():
        for call in calls:
            steps += [_step(_EQUAL, call, 0, 1), _step(_RETURN, _REFUSE | error)]
    steps += [
        _step(_EQUAL, clone, 0, 3),
        _step(_LOAD, _FIRST_ARGUMENT),
        _step(_ANY_OF, _NAMESPACES, 0, 1),
        _step(_RETURN, _REFUSE | EPERM),
    ]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def install_seccomp() -> None:
    """Deny the system calls of `_CALLS` in the calling thread and all processes that it starts, permanently.

    Call `drop_privileges` first.

    Raises:
        OSError: the kernel refused the filter.
    """
    text = seccomp_filter(platform.machine())
    code = ctypes.create_string_buffer(text, len(text))  # a local variable, because `header` has only its address
    header = ctypes.c_char_p(struct.pack("HP", len(text) // 8, ctypes.addressof(code)))
    prctl(SET_SECCOMP, _FILTER, header)


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


Started = TypeVar("Started")

SYSTEM: Final = tuple(
    Path(name)
    for name in (
        *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt"),
        *("/nix/store", "/gnu/store", "/snap", "/proc", "/sys"),
    )
)
DEVICES: Final = tuple(Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom"))
PACKAGE: Final = Path(__file__).parents[2]
"""The folder of this package. It must be readable, because built-in bots can also play as programs."""

_INTERPRETER_FILES: Final = ("lib", "lib64", "libexec", "conf", "pyvenv.cfg")
"""What an interpreter in a `bin` folder reads from the folder that contains `bin`."""


def sandbox_unavailable_reason() -> str:
    """Return the reason why this machine has no sandbox, as a clause; empty if it has one."""
    return _reason(landlock_version(), filters=seccomp_available())


def _reason(abi: int, *, filters: bool) -> str:
    if not abi:
        return "the kernel has no Landlock, or it is disabled (Linux 6.2 or newer, with `landlock` in `lsm=`)"
    if abi < LEAST:
        return f"the kernel's Landlock must be version {LEAST} or newer (Linux 6.2), but is version {abi}"
    if not filters:
        return "the kernel has no seccomp filters, or the processor is neither x86-64 nor 64-bit ARM"
    return ""


def require_sandbox() -> None:
    """Raise `Malformed` with the reason if this machine has no sandbox."""
    if reason := sandbox_unavailable_reason():
        raise Malformed(f"this machine has no sandbox: {reason}", what="sandbox", where="terms")


def describe_sandbox(*, active: bool) -> str:
    """Describe the sandbox in one line.

    >>> describe_sandbox(active=False)
    'sandbox: off; programs have your network, and can read and write what you can'
    """
    if not active:
        return "sandbox: off; programs have your network, and can read and write what you can"
    abi = landlock_version()
    text = "sandbox: programs read their own files and the system's, write to a folder of their own"
    text += f", and have no network (Landlock {abi}, seccomp)"
    if abi < SCOPED_SINCE:
        text += "; not blocked: signals to your other programs (needs Linux 6.12)"
    return text


class Sandbox:
    """The sandboxed thread of one bot, with a folder to which the bot's programs may write.

    Closing the sandbox ends the thread and removes the folder.

    Attributes:
        environment: environment variables that point the bot's programs to the folder.

    Raises:
        Malformed: this machine has no sandbox. The message contains the reason.
    """

    def __init__(self, bot: Bot) -> None:
        require_sandbox()
        self._folder = Path(tempfile.mkdtemp(prefix="faceup-bot-"))
        # Caches get a folder of their own. The last variable keeps .NET from creating a file that exceeds any limit.
        self.environment: Mapping[str, str] = {
            "TMPDIR": str(self._folder),
            "XDG_CACHE_HOME": str(self._folder / "cache"),
            "DOTNET_EnableWriteXorExecute": "0",
        }
        # One thread, which lives as long as the sandbox: a program that another thread starts is not restricted.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="sandbox")
        try:
            self._thread.submit(self._apply_rules, bot).result()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, start: Callable[[], Started]) -> Started:
        """Call `start` in the sandboxed thread and return its result. Processes that `start` starts are sandboxed."""
        return self._thread.submit(start).result()

    def close(self) -> None:
        """End the thread and remove the bot's writable folder."""
        self._thread.shutdown()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _apply_rules(self, bot: Bot) -> None:
        ruleset = LandlockRuleset()
        try:
            ruleset.allow([*SYSTEM, PACKAGE, *readable_paths(bot)], READ)
            ruleset.allow([PACKAGE.parent], READ_DIR)
            ruleset.allow(DEVICES, USE)
            ruleset.allow([self._folder, *output_folders(bot)], EVERYTHING)
            ruleset.apply()
        finally:
            ruleset.close()
        install_seccomp()


def output_folders(bot: Bot) -> list[Path]:
    """Return the folder to which the bot's programs may write, if there is one."""
    return [Path(bot.output)] if bot.output and Path(bot.output).is_dir() else []


def readable_paths(bot: Bot) -> list[Path]:
    """Return the files and folders that a bot's programs may read and run in addition to the system's files.

    These are the bot's folder and the files that its command names. If the bot has no folder, the folders of these
    files are included, except a folder that is or contains a home folder or the folder of temporary files. The program
    itself, the programs that the script of `sh -c "..."` names, the interpreter of each script, and the libraries
    next to these are included, too.
    """
    folder = Path(bot.folder or ".").absolute()
    # `os.path.isfile` is used because `Path.is_file` raises an error for words that are not valid paths.
    files = [folder / word for word in bot.command if os.path.isfile(folder / word)]  # noqa: PTH113
    folders = (
        [folder] if bot.folder else [path if _contains_home_or_temp(path.parent) else path.parent for path in files]
    )
    programs = []
    for word in (bot.command[0], *(word for _, word in script_words(bot.command))):
        executable = shutil.which(word) if os.sep not in word else folder / word
        programs += [Path(executable)] if executable and os.path.isfile(executable) else []  # noqa: PTH113 -- as above
    programs += [interpreter for path in [*files, *programs] for interpreter in _interpreter_of(path)]
    return [*folders, *files, *(part for path in programs for part in _program_paths(path))]


def _program_paths(program: Path) -> Iterator[Path]:
    """Yield a program's file and the files and folders that it needs, for its path as given and its resolved path."""
    for path in {program, program.resolve()}:
        yield path
        if path.parent.name == "bin":
            yield path.parent
            yield from (path.parent.parent / name for name in _INTERPRETER_FILES)
        elif (
            path.parent.name == "shims"
        ):  # a script of pyenv or a similar tool, which finds the program elsewhere there
            yield path.parent.parent
        elif not _contains_home_or_temp(path.parent):
            yield path.parent


def _interpreter_of(path: Path) -> Iterator[Path]:
    """Yield the interpreter that a script's first line names, such as Python for `#!/usr/bin/env python3`."""
    try:
        with path.open("rb") as file:
            first = file.readline(512)
    except OSError:
        return
    words = first[2:].decode("utf-8", "replace").split() if first.startswith(b"#!") else []
    yield from (Path(word) for word in words[:1])
    if words and Path(words[0]).name == "env":
        executable = next((shutil.which(word) for word in words[1:] if not word.startswith("-")), None)
        yield from [Path(executable)] if executable else []


def _contains_home_or_temp(folder: Path) -> bool:
    """Return whether a folder is or contains a home folder or the folder of temporary files."""
    return any(place.resolve().is_relative_to(folder.resolve()) for place in (Path.home(), Path(tempfile.gettempdir())))
