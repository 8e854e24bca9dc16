"""Start a program and record its system calls from a given moment, as strace does.

    python -m tests.server.syscall_trace TRACE PROGRAM [ARGUMENT ...]

The program starts untraced. A line on standard input starts the trace and is answered with a line on standard error.
The trace ends with the program. Each line of TRACE is a `Call`. Linux, on x86-64 or ARM.
"""

import ctypes
import os
import platform
import signal
import struct
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

NUMBERS: Final = {
    "x86_64": {0: "read", 1: "write", 18: "pwrite64", 19: "readv", 20: "writev", 44: "sendto", 45: "recvfrom",
               46: "sendmsg", 47: "recvmsg", 74: "fsync", 75: "fdatasync"},
    "aarch64": {63: "read", 64: "write", 65: "readv", 66: "writev", 68: "pwrite64", 82: "fsync", 83: "fdatasync",
                206: "sendto", 207: "recvfrom", 211: "sendmsg", 212: "recvmsg"},
}  # fmt: skip
"""Numbers and names of the recorded calls, by architecture."""

SEIZE, INTERRUPT, SYSCALL, SYSCALL_INFO = 0x4206, 0x4207, 24, 0x420E
OPTIONS: Final = 1 | 8  # mark system call stops; follow threads
WALL: Final = 0x40000000
ENTRY, EXIT = 1, 2
MAX_DATA: Final = 65_536


class Call(msgspec.Struct, frozen=True):
    """A system call, recorded when a write starts, and when a read or sync returns.

    Attributes:
        name: its name.
        path: the file or socket of its file descriptor.
        data: the data read or written, up to 64 KiB.
    """

    name: str
    path: str
    data: bytes


_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def ptrace(request: int, task: int, address: int = 0, data: int = 0) -> None:
    """Call ptrace. Raises `ProcessLookupError` if the task has died."""
    if _libc.ptrace(request, task, address, data) == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


class Trace:
    """Traces a child process.

    Attributes:
        process: its PID.
        file: receives the recorded calls.
    """

    def __init__(self, process: int, file: BinaryIO) -> None:
        self.process = process
        self.file = file
        self._memory = os.open(f"/proc/{process}/mem", os.O_RDONLY)
        self._names = NUMBERS[platform.machine()]
        self._entered: dict[int, tuple[str, tuple[int, ...]]] = {}
        self._info = ctypes.create_string_buffer(96)
        for task in Path(f"/proc/{process}/task").iterdir():
            ptrace(SEIZE, int(task.name), 0, OPTIONS)
            ptrace(INTERRUPT, int(task.name))

    def run(self) -> None:
        """Trace until the process ends."""
        with suppress(ChildProcessError):
            while True:
                task, status = os.waitpid(-1, WALL)
                if os.WIFSTOPPED(status):
                    with suppress(ProcessLookupError):  # it was killed while it was stopped
                        ptrace(SYSCALL, task, 0, self._handle_stop(task, status))
        os.close(self._memory)

    def _handle_stop(self, task: int, status: int) -> int:
        """Record the call that stopped a task. Returns the signal to continue it with."""
        if os.WSTOPSIG(status) != signal.SIGTRAP | 0x80:
            return 0 if status >> 16 else os.WSTOPSIG(status)
        ptrace(SYSCALL_INFO, task, len(self._info), ctypes.addressof(self._info))
        kind, number, *arguments = struct.unpack_from("=B23x7Q", self._info)
        if kind == ENTRY and (name := self._names.get(number)):
            if "write" in name or "send" in name:
                self._write(name, tuple(arguments), 0)
            else:
                self._entered[task] = (name, tuple(arguments))
        elif kind == EXIT and task in self._entered:
            (returned,) = struct.unpack_from("=24xq", self._info)
            name, entry = self._entered.pop(task)
            if returned >= 0:
                self._write(name, entry, returned)
        return 0

    def _write(self, name: str, arguments: tuple[int, ...], returned: int) -> None:
        path = Path(f"/proc/{self.process}/fd/{arguments[0]}").readlink()
        call = Call(name, str(path), self._data(name, arguments, returned))
        self.file.write(msgspec.json.encode(call) + b"\n")
        self.file.flush()

    def _at(self, address: int, length: int) -> bytes:
        """Read the process's memory, up to 64 KiB."""
        return os.pread(self._memory, min(length, MAX_DATA), address) if length else b""

    def _read_vectors(self, vectors: int, count: int) -> bytes:
        """Read the memory blocks of a list of addresses and lengths."""
        numbers = struct.unpack(f"={2 * count}Q", self._at(vectors, 16 * count))
        return b"".join(self._at(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True))

    def _data(self, name: str, arguments: tuple[int, ...], returned: int) -> bytes:
        """Return the data that a call wrote or read."""
        match name:
            case "fsync" | "fdatasync":
                return b""
            case "read" | "recvfrom":
                return self._at(arguments[1], returned)
            case "write" | "pwrite64" | "sendto":
                return self._at(arguments[1], arguments[2])
            case "readv" | "writev":
                data = self._read_vectors(arguments[1], arguments[2])
            case _:
                data = self._read_vectors(*struct.unpack("=QQ", self._at(arguments[1] + 16, 16)))
        return data[:returned] if name in {"readv", "recvmsg"} else data


def main() -> None:
    """Start the program, and trace it after a line of input."""
    signal.signal(signal.SIGTERM, lambda _signal, _frame: sys.exit())  # ends the program as well
    out, *command = sys.argv[1:]
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        if sys.stdin.readline():
            with Path(out).open("wb") as file:
                trace = Trace(program.pid, file)
                sys.stderr.write("tracing\n")
                sys.stderr.flush()
                trace.run()
    finally:
        with suppress(ProcessLookupError):
            os.kill(program.pid, signal.SIGKILL)  # Popen would treat a trace stop as the end
        with suppress(ChildProcessError):
            while True:  # reap all its threads
                os.waitpid(-1, WALL)


if __name__ == "__main__":
    main()
