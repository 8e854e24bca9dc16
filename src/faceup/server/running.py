"""A server from its start to its end: uvicorn, signals, and a stop that leaves nobody without an answer."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager, suppress
from types import FrameType
from typing import Final, NamedTuple, Self

import uvicorn

from faceup.server.api.front import App
from faceup.server.api.lines import LinesProtocol
from faceup.server.listening import listen
from faceup.server.logs import LOG, let_loop_log
from faceup.server.reading import PatientHttp
from faceup.server.settings import Settings

LONGEST_MESSAGE: Final = 16 * 1024
"""Bytes that a client may send in one message: a command has some two hundred."""


class Served(NamedTuple):
    """What is served, and what to do before its connections are closed: tell clients, answer what is under way."""

    app: App
    farewell: Callable[[], Awaitable[None]]


def run(
    settings: Settings,
    opened: AbstractAsyncContextManager[Served],
    ready: Callable[[int], None],
) -> None:
    """Serve until Ctrl-C or SIGTERM; a second one ends the process at once, which loses nothing that was acknowledged.

    Args:
        settings: the server's.
        opened: what is served, for as long as it is entered.
        ready: called with the port when requests are answered.

    Raises:
        Malformed: it cannot start, and why.
    """
    _allow_many_files()
    with listen(settings) as door, _Deadline() as deadline, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_serve(settings, opened, ready, door, deadline))


async def _serve(
    settings: Settings,
    opened: AbstractAsyncContextManager[Served],
    ready: Callable[[int], None],
    door: socket.socket,
    deadline: "_Deadline",
) -> None:
    let_loop_log(asyncio.get_running_loop())
    async with opened as served:
        _collect_seldom()
        sys.setswitchinterval(_TURN_OF_A_THREAD)
        config = uvicorn.Config(
            served.app,
            loop="none",
            http=PatientHttp,
            ws=LinesProtocol,
            ws_max_size=LONGEST_MESSAGE,
            # Compression costs more time and memory than its bytes are worth: docs/operators.md has the figures.
            ws_per_message_deflate=False,
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the application reads them itself, with what it has to know besides
            timeout_keep_alive=30,
        )

        async def farewell() -> None:
            deadline.begin(settings.stop_within + _CLOSING)
            await served.farewell()

        server = _Server(config, farewell, lambda: ready(door.getsockname()[1]), settings.stop_within)
        await server.serve(sockets=[door])


class _Deadline:
    """Ends the process when a stop takes too long, whatever it waits for: a database that hangs, or a thread."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def begin(self, seconds: float) -> None:
        """From now on there are so many."""
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()

    @staticmethod
    def _end() -> None:
        LOG.error("the stop took too long: it ends here, and nothing that was acknowledged is lost")
        os._exit(1)


_CLOSING: Final = 5.0
"""Seconds that connections and the database have to be closed, after those for the clients."""


_TURN_OF_A_THREAD: Final = 0.0005
"""Seconds after which a thread that computes lets another one compute that wants to.

The event loop waits for threads that read and write the database. Python's usual five milliseconds are longer than
what 99 of 100 choices take altogether.
"""


def _collect_seldom() -> None:
    """Look for cycles less often, and never again through what was there at the start.

    What a server keeps is frozen values without cycles. Looking through them after every 700 objects, as Python does
    unless it is told otherwise, took a sixth of the processor under load, and each long look made everybody wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


class _Server(uvicorn.Server):
    """uvicorn's, which tells clients before it closes their connections, and ends in peace when it was asked to."""

    def __init__(
        self,
        config: uvicorn.Config,
        farewell: Callable[[], Awaitable[None]],
        ready: Callable[[], None],
        within: float,
    ) -> None:
        super().__init__(config)
        self._farewell = farewell
        self._ready = ready
        self._within = within

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, and say so."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, tell clients, and close what is open; all within the stated time."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._within
        for server in self.servers:
            server.close()
        LOG.info("stopping", extra={"fields": {"within_seconds": self._within}})
        try:
            await asyncio.wait_for(self._farewell(), self._within)
        except TimeoutError:
            LOG.warning("not everybody could be told in time")
        self.config.timeout_graceful_shutdown = max(1, int(until - loop.time()))
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The first signal asks for the stop, the second ends the process."""
        before = {each: signal.signal(each, self.handle_exit) for each in _ASKED_TO_STOP}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 -- as Python calls it
        """Ask for the stop, or end."""
        if self.should_exit:
            os._exit(128 + sig)
        self.should_exit = True


_ASKED_TO_STOP: Final = (signal.SIGINT, signal.SIGTERM)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 -- there is none for Windows
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def _allow_many_files() -> None:
    """A connection is a file, and many systems allow 1,024 of them unless a program asks for as many as it may have."""
    try:
        import resource  # noqa: PLC0415 -- there is none on Windows
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = _ENOUGH_FILES if most == resource.RLIM_INFINITY else min(most, _ENOUGH_FILES)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (enough, most))


_ENOUGH_FILES: Final = 65536
