"""uvicorn's WebSockets, with a short way out for lines."""

from typing import Final

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

_TEXT: Final = 0x81
"""The first byte of a frame that is a whole text."""


class QuickSocket(WebSocketsSansIOProtocol):
    """As uvicorn's own, but that a text goes straight into the socket where nothing else has to be thought of.

    Nearly all that a server does with its sockets is telling lines, ten for every choice, and a third of what that
    cost was building a frame out of objects that the next moment takes apart.
    """

    async def send(self, message: ASGISendEvent) -> None:
        """As the ASGI has it."""
        text = message.get("text") if message["type"] == "websocket.send" else None
        if isinstance(text, str) and self._plain():
            self.transport.write(frame(text.encode()))
        else:
            await super().send(message)

    def _plain(self) -> bool:
        """Whether the connection is open in both directions, nothing waits to be written, and no extension is used."""
        return (
            self.handshake_complete
            and self.initial_response is None
            and not self.close_sent
            and not self.disconnected
            and self.writable.is_set()
            and self.conn.state is State.OPEN
            and not self.conn.extensions
        )


def frame(payload: bytes) -> bytes:
    """A server's frame with a whole text in it.

    >>> frame(b"hi").hex(), frame(bytes(300))[:4].hex(), frame(bytes(70_000))[:10].hex()
    ('81026869', '817e012c', '817f0000000000011170')
    """
    size = len(payload)
    if size < 126:
        return bytes((_TEXT, size)) + payload
    if size < 65_536:
        return bytes((_TEXT, 126)) + size.to_bytes(2) + payload
    return bytes((_TEXT, 127)) + size.to_bytes(8) + payload
