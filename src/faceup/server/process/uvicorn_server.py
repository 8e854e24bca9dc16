"""Run a server with uvicorn: tuning, signals and graceful shutdown."""

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, ExitStack, contextmanager, suppress
from types import FrameType
from typing import Final, NamedTuple, Self

from faceup.core import Malformed
from faceup.extras import needs
from faceup.server.http.middleware import App
from faceup.server.http.websocket_protocol import WebSocketProtocol
from faceup.server.process.bind import listen, listen_at
from faceup.server.process.http_limits import LimitedHttpProtocol
from faceup.server.process.logs import LOG, install_loop_error_log
from faceup.server.process.settings import Settings

with needs("server", __name__):
    import uvicorn

MAX_MESSAGE_BYTES: Final = 16 * 1024
"""Maximum size of a client's message, in bytes. For comparison, a command has about 200 bytes."""

CONTROL_PING_INTERVAL: Final = 120
"""Seconds between WebSocket control frames, which find dead connections of clients that never answer pings."""

CONTROL_PING_TIMEOUT: Final = 60
"""Seconds without an answer to such a frame until the connection is closed. An overloaded server reads it late."""

KEEP_ALIVE_TIMEOUT: Final = 30
"""Seconds after which an idle HTTP connection is closed. Proxies must close their idle connections earlier."""


class Application(NamedTuple):
    """The ASGI application, and a coroutine function to call before connections are closed."""

    app: App
    before_close: Callable[[], Awaitable[None]]


def run(
    settings: Settings,
    opened: AbstractAsyncContextManager[Application],
    ready: Callable[[int], None],
) -> None:
    """Serve until Ctrl-C or SIGTERM. A second signal ends the process immediately, without loss of acknowledged writes.

    Args:
        settings: the server's settings.
        opened: context manager that starts and stops the application.
        ready: called with the port when the server accepts requests.

    Raises:
        Malformed: the server cannot start; the message gives the reason.
    """
    _allow_many_files()
    with ExitStack() as stack:
        listeners = [stack.enter_context(listen(settings))]
        if settings.admin_port:
            listeners.append(stack.enter_context(_listen_for_admin(settings, listeners[0])))
        deadline = stack.enter_context(_Deadline())
        runner = stack.enter_context(asyncio.Runner(loop_factory=_loop_factory()))
        runner.run(_serve(settings, opened, ready, listeners, deadline))


def _listen_for_admin(settings: Settings, public: socket.socket) -> socket.socket:
    """Return the listening socket of the page for administration, which its application recognizes by the port."""
    if public.getsockname()[1] == settings.admin_port:
        raise Malformed(
            f"the server and the page for administration have the same port, {settings.admin_port}: set another "
            "admin_port",
            where="admin_port",
        )
    return listen_at(settings.admin_host, settings.admin_port, "admin-")


async def _serve(
    settings: Settings,
    opened: AbstractAsyncContextManager[Application],
    ready: Callable[[int], None],
    listeners: list[socket.socket],
    deadline: "_Deadline",
) -> None:
    install_loop_error_log(asyncio.get_running_loop())
    async with opened as application:
        _tune_gc()
        sys.setswitchinterval(_SWITCH_INTERVAL)
        config = uvicorn.Config(
            application.app,
            loop="none",
            http=LimitedHttpProtocol,
            ws=WebSocketProtocol,
            ws_max_size=MAX_MESSAGE_BYTES,
            ws_ping_interval=CONTROL_PING_INTERVAL,
            ws_ping_timeout=CONTROL_PING_TIMEOUT,
            # Compression costs more time and memory than it saves (see docs/explanation/capacity.md).
            ws_per_message_deflate=False,
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # the application evaluates these headers itself (api.client_address)
            timeout_keep_alive=KEEP_ALIVE_TIMEOUT,
        )

        async def before_close() -> None:
            deadline.start(settings.shutdown_timeout + _CLOSE_TIMEOUT)
            await application.before_close()

        server = _Server(config, before_close, lambda: ready(listeners[0].getsockname()[1]), settings.shutdown_timeout)
        await server.serve(sockets=listeners)


class _Deadline:
    """A timer that ends the process if its shutdown takes too long, for example because the database hangs."""

    def __init__(self) -> None:
        self._timer: threading.Timer | None = None

    def start(self, seconds: float) -> None:
        """Start the countdown."""
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
        LOG.error("the shutdown took too long, so the process exits now; acknowledged writes are not lost")
        os._exit(1)


_CLOSE_TIMEOUT: Final = 5.0
"""Seconds for closing connections and the database after `shutdown_timeout` has passed."""


_SWITCH_INTERVAL: Final = 0.0005
"""Python's thread switch interval, in seconds.

The event loop waits for the threads that read and write the database. Python's default is five
milliseconds, and 99 % of choices take less time than that.
"""


def _tune_gc() -> None:
    """Run the garbage collector less often, and exclude from it the objects that exist when the server starts.

    The server's long-lived objects are immutable and have no cycles. With Python's default threshold of 700 objects,
    collection took a sixth of the CPU under load and added long pauses.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


class _Server(uvicorn.Server):
    """uvicorn's server with a graceful shutdown that informs clients first."""

    def __init__(
        self,
        config: uvicorn.Config,
        before_close: Callable[[], Awaitable[None]],
        ready: Callable[[], None],
        shutdown_timeout: float,
    ) -> None:
        super().__init__(config)
        self._before_close = before_close
        self._ready = ready
        self._shutdown_timeout = shutdown_timeout

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server and call `ready`."""
        await super().startup(sockets)
        self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting connections, inform clients and close open connections within the shutdown timeout."""
        gc.disable()  # with ten thousand tables, one collection takes a second
        loop = asyncio.get_running_loop()
        until = loop.time() + self._shutdown_timeout
        for server in self.servers:
            server.close()
        LOG.info("stopping", extra={"fields": {"within_seconds": self._shutdown_timeout}})
        try:
            await asyncio.wait_for(self._before_close(), self._shutdown_timeout)
        except TimeoutError:
            LOG.warning("not all clients were informed of the shutdown within the shutdown timeout")
        self.config.timeout_graceful_shutdown = max(1, int(until - loop.time()))
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install signal handlers: the first signal starts the shutdown, and the second one ends the process."""
        previous = {number: signal.signal(number, self.handle_exit) for number in _STOP_SIGNALS}
        try:
            yield
        finally:
            for number, handler in previous.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 -- required by Python
        """Start the shutdown, or end the process if the shutdown has started already."""
        if self.should_exit:
            os._exit(128 + sig)
        self.should_exit = True


_STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 -- not available on Windows
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


def _allow_many_files() -> None:
    """Raise the limit of open files, because many systems allow only 1,024 and each connection needs one file."""
    try:
        import resource  # noqa: PLC0415 -- not available on Windows
    except ImportError:
        return
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = _MAX_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, _MAX_FILES)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard_limit))


_MAX_FILES: Final = 65536
