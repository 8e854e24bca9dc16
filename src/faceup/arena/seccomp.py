"""Seccomp: system calls that a program is refused. It closes what Landlock leaves open: sockets, and who owns a file.

A filter is a few instructions that the kernel runs before each call, written here for the processors that we know
(`linux/seccomp.h`, `linux/filter.h`; the numbers are those of the kernel's tables of calls). It stays with the thread
that installs it, and with all that this thread starts.
"""

import ctypes
import os
import platform
import struct
import sys
from errno import EACCES, ENOSYS, EPERM
from functools import cache
from typing import Final

_SOCKETS, _RINGS, _OWNERS = EACCES, ENOSYS, EPERM
"""Which error each kind of call gives: programs that try the new way of reading files first go on with the old one."""

_CALLS: Final = {
    "x86_64": (
        0xC000003E,
        {
            _SOCKETS: (41,),  # socket
            _RINGS: (425,),  # io_uring_setup
            _OWNERS: (90, 91, 92, 93, 94, 188, 189, 190, 197, 198, 199, 260, 268, 452, 463, 466),
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            _SOCKETS: (198,),
            _RINGS: (425,),
            _OWNERS: (5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 452, 463, 466),
        },
    ),
}
"""For each processor its number, and the calls: chmod, chown and setxattr in all their forms are `_OWNERS`."""

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _PROCESSOR = 0, 4  # where they stand in what a filter looks at
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_FOREIGN: Final = 0x40000000
"""From here on the numbers are of another way to call x86-64, which nobody uses."""

_SET_SECCOMP, _FILTER = 22, 2
_GET_SECCOMP: Final = 21


def available() -> bool:
    """Whether the kernel has it, on a processor that we know."""
    if sys.platform != "linux" or platform.machine() not in _CALLS:
        return False
    return _libc().prctl(_GET_SECCOMP, 0, 0, 0, 0) >= 0 and os.path.exists("/proc/sys/kernel/seccomp")  # noqa: PTH110


def program(machine: str) -> bytes:
    """The filter for this processor.

    >>> len(program("x86_64")) % 8
    0
    """
    number, refused = _CALLS[machine]
    steps = [
        _step(_LOAD, _PROCESSOR),
        _step(_EQUAL, number, 1, 0),
        _step(_RETURN, _REFUSE | ENOSYS),  # calls as a 32-bit program makes them
        _step(_LOAD, _NUMBER),
        _step(_AT_LEAST, _FOREIGN, 0, 1),
        _step(_RETURN, _REFUSE | ENOSYS),
    ]
    for error, calls in refused.items():
        for call in calls:
            steps += [_step(_EQUAL, call, 0, 1), _step(_RETURN, _REFUSE | error)]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def install() -> None:
    """Refuse the calls to this thread and to all that it starts, for good.

    Raises:
        OSError: the kernel does not take it; the thread has to have given up further rights first
            (`faceup.arena.landlock.give_up_privileges`).
    """
    text = program(platform.machine())
    kept = ctypes.create_string_buffer(text, len(text))
    header = ctypes.c_char_p(struct.pack("HP", len(text) // 8, ctypes.addressof(kept)))
    nothing = ctypes.c_ulong(0)
    if _libc().prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), header, nothing, nothing):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
