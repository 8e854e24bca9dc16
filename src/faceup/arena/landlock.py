"""Landlock, the kernel's own fence around files: three system calls, which no library of ours wraps.

See the kernel's `Documentation/userspace-api/landlock.rst`. A fence goes round the thread that puts it up, and round
all that this thread starts afterwards; nobody takes it down again.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every architecture
_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_NO_NEW_PRIVILEGES: Final = 38

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_REFER, _TRUNCATE, _IOCTL = 1 << 13, 1 << 14, 1 << 15
_OF_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL
"""What may be allowed for a file that is no folder."""

READ: Final = EXECUTE | READ_FILE | READ_DIR
EVERYTHING: Final = (1 << 16) - 1
USE: Final = WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL
"""For devices such as `/dev/null`."""

_NET: Final = 3  # to bind and to connect, by TCP
_SCOPED: Final = 3  # abstract sockets, and signals, to those outside
SCOPED_SINCE: Final = 6
"""The version from which on signals to others are held back too."""

LEAST: Final = 3
"""The version that we need: before it, files could be cut short that could not be written (Linux 6.2)."""


def version() -> int:
    """Which version the kernel has; 0 if it has none, or has it switched off.

    >>> version() >= 0
    True
    """
    if sys.platform != "linux":
        return 0
    with suppress(OSError):
        return _call(_CREATE, None, 0, _VERSION)
    return 0


def _handled(found: int) -> int:
    """The kinds of access to files that this version knows."""
    return (1 << (13 if found < 2 else 14 if found < 3 else 15 if found < 5 else 16)) - 1


class Fence:
    """Which files may be used, and how; whatever is not allowed is refused.

    Raises:
        OSError: the kernel does not have it.
    """

    def __init__(self) -> None:
        self.version = version()
        self._known = _handled(self.version)
        fields = struct.pack(
            "QQQ", self._known, _NET if self.version >= 4 else 0, _SCOPED if self.version >= SCOPED_SINCE else 0
        )
        self._rules = _call(_CREATE, fields, len(fields), 0)
        os.set_inheritable(self._rules, False)

    def allow(self, paths: Iterable[Path], access: int) -> None:
        """Allow this for the files, and for all that is in the folders; what is not there is passed over."""
        for path in paths:
            try:
                opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            try:
                of_kind = access if path.is_dir() else access & _OF_FILES
                beneath = struct.pack("=Qi", of_kind & self._known, opened)
                _call(_ADD, self._rules, _PATH_BENEATH, beneath, 0)
            finally:
                os.close(opened)

    def put_up(self) -> None:
        """Put it up round this thread, for good."""
        give_up_privileges()
        _call(_RESTRICT, self._rules, 0)

    def close(self) -> None:
        """Forget the rules; fences that are up stay."""
        os.close(self._rules)


def give_up_privileges() -> None:
    """Let nothing that this thread starts have more rights than it has, and no rights of root's but those to its files.

    Without the first the kernel takes no fence from ordinary users.
    """
    _prctl(_NO_NEW_PRIVILEGES, 1)
    drop, cap = 24, 0
    with suppress(OSError):  # not root, or there are no more of them
        while True:
            _prctl(drop, cap)
            cap += 1


def _prctl(option: int, argument: int) -> None:
    if _libc().prctl(option, ctypes.c_ulong(argument), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _call(number: int, *arguments: int | bytes | None) -> int:
    """Call the kernel. The calls need numbers and addresses alike, each as wide as a register."""
    wide = [ctypes.c_char_p(each) if isinstance(each, bytes | None) else ctypes.c_long(each) for each in arguments]
    done: int = _libc().syscall(ctypes.c_long(number), *wide)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
