"""Serve the live connections of our application with picows."""

import asyncio
from collections.abc import Callable

from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest, ws_create_server

from faceup.server.http.client_address import Scope
from faceup.server.http.middleware import App, Message
from faceup.server.http.websocket_protocol import TRANSPORT_KEY, Take


class Connection(WSListener):
    """A connection, as a `TextTransport`, and its ASGI functions for the handshake and the end."""

    def __init__(self, app: App, port: int) -> None:
        self.full = False
        self._app = app
        self._port = port
        self._take: Take | None = None
        self._resume: Callable[[], None] | None = None
        self._early: list[bytes] = []
        self._connected = False
        self._ended = asyncio.Event()

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Start the application for this connection."""
        self._transport = transport
        scope = _scope(transport.request, self._port)
        scope["extensions"] = {TRANSPORT_KEY: self}
        self._task = asyncio.ensure_future(self._app(scope, self.receive, self.send))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass on a message."""
        if frame.msg_type == WSMsgType.TEXT:
            text = frame.get_payload_as_bytes()
            if self._take is None:
                self._early.append(text)
            else:
                self._take(text)
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code())
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:  # noqa: ARG002 -- required by picows
        """Notify the application that the connection has ended."""
        self._ended.set()

    def pause_writing(self) -> None:
        """Record that the send buffer is full."""
        self.full = True

    def resume_writing(self) -> None:
        """Record that the send buffer has drained."""
        self.full = False
        if self._resume is not None:
            self._resume()

    def start(self, take: Take, resume: Callable[[], None]) -> None:
        """Start to pass on messages."""
        self._take, self._resume = take, resume
        for text in self._early:
            take(text)

    def write(self, lines: bytes) -> None:
        """Send lines as one text message."""
        self._transport.send(WSMsgType.TEXT, lines)

    def pause_reading(self) -> None:
        """Pause reading from the network."""
        self._transport.underlying_transport.pause_reading()

    def resume_reading(self) -> None:
        """Resume reading from the network."""
        self._transport.underlying_transport.resume_reading()

    async def receive(self) -> Message:
        """Receive the handshake, and then the end."""
        if self._connected:
            await self._ended.wait()
            return {"type": "websocket.disconnect"}
        self._connected = True
        return {"type": "websocket.connect"}

    async def send(self, message: Message) -> None:
        """Send the end; picows has already accepted the handshake."""
        if message["type"] == "websocket.close":
            self._transport.send_close(message["code"])
            self._transport.disconnect()


async def serve(app: App, port: int) -> asyncio.Server:
    """Serve live connections on a port."""
    return await ws_create_server(lambda _: Connection(app, port), "127.0.0.1", port)


def _scope(request: WSUpgradeRequest, port: int) -> Scope:
    path, _, query = request.path.partition(b"?")
    return {
        "type": "websocket",
        "path": path.decode("ascii"),
        "query_string": query,
        "headers": [(name.lower().encode(), value.encode()) for name, value in request.headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", port),
        "scheme": "ws",
    }
