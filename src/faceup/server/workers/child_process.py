"""Child processes of the server, which are started on demand, restarted and killed."""

import asyncio
import os
import select
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Thread
from typing import Final

import msgspec

from faceup.core import Malformed, RulesError
from faceup.interpreter import PYTHON
from faceup.server.process.cores import lower_process_priority
from faceup.server.process.logs import format_error

READY: Final = "ready"
"""The topic of a request that a process answers when it has started."""


class ChildProcess:
    """A Python module that runs as a process with pipes.

    Args:
        module: the module's name.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._process: Process | None = None
        self._lock = asyncio.Lock()

    @property
    def is_running(self) -> bool:
        """Whether the process has been started and has not ended."""
        return self._process is not None and self._process.returncode is None

    async def pipes(self) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
        """Return the input and output of the process, which is started if it is not running."""
        async with self._lock:
            if not self.is_running:
                command = (*PYTHON, "-m", self._module)
                self._process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE)
            assert self._process is not None  # noqa: S101 -- started above
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
    """Lower the priority of this process, and end it with the server, which alone handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    lower_process_priority()
    if hasattr(select, "poll"):  # not on Windows
        Thread(target=_exit_with_server, daemon=True).start()


def _exit_with_server() -> None:
    """Exit when the input ends, even in the middle of a computation: no one reads the result of a killed server."""
    end = select.poll()
    end.register(sys.stdin.fileno(), 0)  # without events, only the end is reported
    end.poll()
    os._exit(0)


def answer_requests(topics: Mapping[str, Callable[..., bytes]]) -> None:
    """Answer requests until the input ends; see `WorkerPool` for the protocol. The topic `ready` is always there.

    Args:
        topics: by topic, the function that answers it. It gets the arguments of the request and returns the body of
            the response.
    """
    set_up()
    topics = {READY: bytes, **topics}
    requests, responses = sys.stdin.buffer, sys.stdout.buffer
    while head := requests.readline():
        topic, *arguments = msgspec.msgpack.decode(requests.read(int(head)))
        status, body = _answer(topics[topic], arguments)
        responses.write(b"%d %b\n%b" % (len(body), status, body))
        responses.flush()


def _answer(function: Callable[..., bytes], arguments: list[object]) -> tuple[bytes, bytes]:
    try:
        return b"ok", function(*arguments)
    except RulesError as error:
        where = error.where if isinstance(error, Malformed) else ""
        return b"rejected", msgspec.json.encode({"message": error.message, "where": where})
    except Exception as error:  # noqa: BLE001 -- report any error, and continue with the next request
        return b"failed", format_error(error).encode()
