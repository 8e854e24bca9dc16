"""Lines that are bytes already, sent as WebSocket text without turning them into a string and back.

Ten people see every choice, so what one frame costs counts tenfold. uvicorn's own way takes a text, encodes it, builds
a frame object, checks it, and puts its parts together: several times the work of writing the frame down.
"""

from typing import Any, Final

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from faceup.server.api.front import Message, Send

LINES: Final = "faceup.lines"
"""The extension of ASGI, and the type of its message: `{"type": "faceup.lines", "lines": bytes}`, the bytes UTF-8."""


def text_frame(text: bytes) -> bytes:
    r"""A whole, unmasked text frame (RFC 6455, section 5.2), as servers send them.

    >>> text_frame(b"{}\n"), text_frame(b"x" * 300)[:4]
    (b'\x81\x03{}\n', b'\x81~\x01,')
    """
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    if length < 65536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), text)


def as_text(send: Send) -> Send:
    """For other servers of ASGI: the same, sent as the text that they know."""

    async def sent(message: Message) -> None:
        if message["type"] == LINES:
            message = {"type": "websocket.send", "text": message["lines"].decode()}
        await send(message)

    return sent


class LinesProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which takes such messages too, as long as nothing is compressed."""

    async def run_asgi(self) -> None:
        """Serve one connection, and say to the application what it may send."""
        if not self.config.ws_per_message_deflate:
            self.scope["extensions"] = {**(self.scope.get("extensions") or {}), LINES: {}}
        await super().run_asgi()

    async def send(self, message: Any) -> None:  # noqa: ANN401 -- ASGI's types have no room for an extension
        """Send a message; lines are written as they are."""
        if message["type"] != LINES:
            await super().send(message)
            if message["type"] == "websocket.http.response.body":
                # What was refused is over; uvicorn takes it for a handshake that was forgotten, and logs an error.
                self.handshake_complete = self.handshake_complete or self.close_sent
            return
        await self.writable.wait()
        if self.disconnected:
            raise ClientDisconnected
        if self.handshake_complete and not self.close_sent:
            self.transport.write(text_frame(message["lines"]))
