"""Child processes of the server, which are started on demand, restarted and killed."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from typing import Final

NICE: Final = 5
"""Niceness of a child process, which must not slow down the server's event loop."""


class ChildProcess:
    """A Python module that runs as a process with pipes.

    Args:
        module: the module's name.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: Process | None = None
        self._lock = asyncio.Lock()

    async def pipes(self) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
        """Return the input and output of the process, which is started if it is not running."""
        async with self._lock:
            if self._process is None or self._process.returncode is not None:
                command = (sys.executable, "-m", self._module)
                self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
            assert self._process.stdin is not None  # noqa: S101 -- started with pipes
            assert self._process.stdout is not None  # noqa: S101 -- as above
            return self._process.stdin, self._process.stdout

    async def wait(self) -> None:
        """Wait until the process has ended."""
        if self._process is not None:
            await self._process.wait()

    async def kill(self) -> None:
        """Kill the process and wait until it has ended."""
        async with self._lock:
            process, self._process = self._process, None
            if process is not None:
                with suppress(ProcessLookupError):
                    process.kill()
                with suppress(RuntimeError):  # another task is reading the pipe
                    await process.communicate()  # unread output keeps the pipe open
                await process.wait()


def set_up() -> None:
    """Lower the priority of this child process, and ignore Ctrl-C, because the server ends its children itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
