"""A minimal WebSocket client, cheap enough to run a thousand of them against one server.

It offers no extensions, masks with zeros (which leaves the bytes unchanged), and handles only complete messages, which
is enough for the servers of the benchmarks.
"""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias, cast

Take: TypeAlias = Callable[[bytes], bytes | None]
"""Receives every message and returns the immediate reply, if any."""

_TEXT: Final = 0x81
_PING: Final = 0x89
_PONG: Final = 0x8A


def frame(payload: bytes, kind: int = _TEXT) -> bytes:
    """Encode a client's frame.

    >>> frame(b"hi").hex()
    '8182000000006869'
    """
    size = len(payload)
    if size < 126:
        return bytes((kind, 0x80 | size, 0, 0, 0, 0)) + payload
    return bytes((kind, 0x80 | 126, size >> 8, size & 255, 0, 0, 0, 0)) + payload


class Socket(asyncio.Protocol):
    """A connection. `opened` is done once the server has accepted it.

    Args:
        path: the path to request, with the query.
        headers: additional headers of the handshake.
        take: called with each message.
    """

    __slots__ = ("_agreed", "_request", "_rest", "_take", "_transport", "closed", "opened")

    def __init__(self, path: str, headers: dict[str, str], take: Take) -> None:
        lines = [f"GET {path} HTTP/1.1", "Host: 127.0.0.1", "Upgrade: websocket", "Connection: Upgrade"]
        lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        self._request = "\r\n".join([*lines, "", ""]).encode()
        self._rest = b""
        self._agreed = False
        self._transport: asyncio.Transport | None = None
        self._take = take
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the handshake."""
        self._transport = cast("asyncio.Transport", transport)  # uvloop's transport does not inherit from it
        self._transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify all waiters."""
        self.closed = True
        if not self.opened.done():
            self.opened.set_exception(exc or ConnectionError("the server hung up"))

    def send(self, payload: bytes) -> None:
        """Send a message of less than 64 KiB."""
        assert self._transport
        self._transport.write(frame(payload))

    def close(self) -> None:
        """Close the connection."""
        if self._transport:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Handle every complete message received so far."""
        data = self._rest + data if self._rest else data
        self._rest = self._frames(data) if self._agreed else self._handshake(data)

    def _handshake(self, data: bytes) -> bytes:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return data
        if not head.startswith(b"HTTP/1.1 101"):
            self.opened.set_exception(ConnectionError(data[:400].decode("utf-8", "replace")))
            return b""
        self._agreed = True
        self.opened.set_result(None)
        return self._frames(rest)

    def _frames(self, data: bytes) -> bytes:
        """Handle all complete messages; return the rest."""
        at, size = 0, len(data)
        while size - at >= 2:
            length, start = data[at + 1], at + 2
            if length > 125:
                start += 2 if length == 126 else 8
                length = int.from_bytes(data[at + 2 : start], "big")
            if start + length > size:
                break
            payload = data[start : start + length]
            if data[at] == _TEXT:
                if answer := self._take(payload):
                    self.send(answer)
            elif data[at] == _PING and self._transport:
                self._transport.write(frame(payload, _PONG))
            at = start + length
        return data[at:]


async def connect(port: int, path: str, headers: dict[str, str], take: Take) -> Socket:
    """Open a connection to a local port. Raises `ConnectionError` with the server's response."""
    loop = asyncio.get_running_loop()
    _, socket = await loop.create_connection(lambda: Socket(path, headers, take), "127.0.0.1", port)
    await socket.opened
    return socket
