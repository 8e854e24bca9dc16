"""Run our server on another web server: `python -m benchmarks.web_server_variants VARIANT PORT URL`.

The application writes and reads messages through a `TextTransport`. The protocol class of this project offers one, this
module makes one from the ASGI messages of any server, and `web_server_picows` makes one from picows. picows speaks only
WebSocket, so its server has a separate port, the next one, and uvicorn answers HTTP.
"""

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

from benchmarks.online_server import LIMITS
from faceup.server.http.client_address import Scope
from faceup.server.http.middleware import App, Message, Receive, Send
from faceup.server.http.websocket_protocol import TRANSPORT_KEY, Take
from faceup.server.process import uvicorn_server
from faceup.server.process.logs import setup_logging
from faceup.server.process.serve import opened
from faceup.server.process.settings import Settings
from faceup.server.process.uvicorn_server import Application, run

UVICORN: Final = ("websockets-sansio", "websockets", "wsproto")
"""The WebSocket protocols of uvicorn."""

OURS: Final = "own"
"""uvicorn with the protocol classes of this project."""

GRANIAN: Final = "granian"
PICOWS: Final = "picows"

VARIANTS: Final = (OURS, *UVICORN, GRANIAN, PICOWS)


class AsgiTransport:
    """A `TextTransport` over ASGI messages. One task at a time sends the messages."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._pending: deque[bytes] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._take: Take | None = None
        self._resume: Callable[[], None] | None = None
        self._reading = asyncio.Event()
        self._reading.set()

    @property
    def full(self) -> bool:
        """Whether a message is being sent."""
        return self._sending is not None

    def start(self, take: Take, resume: Callable[[], None]) -> None:
        """Start to pass on messages."""
        self._take, self._resume = take, resume

    def write(self, lines: bytes) -> None:
        """Send lines as one text message."""
        self._pending.append(lines)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._pending:
                await self._send({"type": "websocket.send", "text": self._pending.popleft().decode()})
        except Exception:  # noqa: BLE001 -- each server has its own error for a connection that is gone
            self._pending.clear()
        finally:
            self._sending = None
        if self._resume is not None:
            self._resume()

    def pause_reading(self) -> None:
        """Receive no more messages."""
        self._reading.clear()

    def resume_reading(self) -> None:
        """Receive messages again."""
        self._reading.set()

    async def receive(self) -> Message:
        """Receive the next ASGI message, and pass on those with text."""
        while True:
            await self._reading.wait()
            message = await self._receive()
            if message["type"] != "websocket.receive" or self._take is None:
                return message
            self._take((message.get("text") or "").encode())


def over_asgi(app: App) -> App:
    """Give an application a transport over ASGI messages."""

    async def adapted(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            transport = AsgiTransport(receive, send)
            scope["extensions"] = {**(scope.get("extensions") or {}), TRANSPORT_KEY: transport}
            receive = transport.receive
        await app(scope, receive, send)

    return adapted


async def _serve_granian(application: AbstractAsyncContextManager[Application], port: int) -> None:
    from granian.constants import Interfaces  # noqa: PLC0415 -- only this variant needs it
    from granian.server.embed import Server  # noqa: PLC0415 -- as above

    async with application as started:
        uvicorn_server._tune_gc()  # noqa: SLF001 -- as uvicorn's variants have it
        sys.setswitchinterval(uvicorn_server._SWITCH_INTERVAL)  # noqa: SLF001 -- as above
        await Server(started.app, "127.0.0.1", port, interface=Interfaces.ASGI, log_enabled=False).serve()


@asynccontextmanager
async def _adapted(
    variant: str, application: AbstractAsyncContextManager[Application], port: int
) -> AsyncIterator[Application]:
    async with application as started:
        if variant == PICOWS:
            from benchmarks.web_server_picows import serve  # noqa: PLC0415 -- only this variant needs picows

            server = await serve(started.app, port + 1)
            yield started
            server.close()
        else:
            yield started._replace(app=over_asgi(started.app))


def main() -> None:
    variant, port, url = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    settings = Settings(port=port, database=url, log_level="warning").without_limits()
    setup_logging(settings.log, settings.log_level)
    application = opened(settings, LIMITS)
    if variant != OURS:
        application = _adapted(variant, application, port)
    if variant == GRANIAN:
        uvicorn_server._allow_many_files()  # noqa: SLF001 -- as uvicorn's variants have it
        with asyncio.Runner(loop_factory=uvicorn_server._loop_factory()) as runner:  # noqa: SLF001 -- as above
            runner.run(_serve_granian(application, port))
        return
    if variant in UVICORN:
        # `uvicorn.Config` takes classes and names.
        vars(uvicorn_server).update(WebSocketProtocol=variant, LimitedHttpProtocol="httptools")
    run(settings, application, lambda port: print(f"serving {port}", flush=True))


if __name__ == "__main__":
    main()
