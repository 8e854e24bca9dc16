"""HTTP limits that uvicorn does not have: a timeout for each request, and a maximum size of its headers."""

import asyncio
from typing import Final

from faceup.extras import needs

with needs("server", __name__):
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEADER_BYTES: Final = 32 * 1024
"""Maximum size of the request line and headers, in bytes."""

REQUEST_TIMEOUT: Final = 20.0
"""Seconds within which a client must send a request, from its first byte to the last byte of its body.

For the first request of a connection, the time starts with the connection.
"""


class LimitedHttpProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol that uses httptools, with these limits."""

    _head = 0
    _complete = False
    _timeout: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        """Start the timeout for the first request."""
        super().connection_made(transport)
        self._start_timeout()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._cancel_timeout()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse the data, or reject the request if its headers exceed the limit; the body does not count."""
        if not self._complete:
            end = data.find(b"\r\n\r\n")
            self._head += len(data) if end < 0 else end
            if self._head > MAX_HEADER_BYTES:
                self.send_400_response("The request headers are too large.")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Start the timeout of this request."""
        super().on_message_begin()
        self._start_timeout()

    def on_headers_complete(self) -> None:
        """Stop counting header bytes."""
        self._complete = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancel the timeout."""
        self._cancel_timeout()
        self._complete, self._head = False, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Cancel the timeout, because WebSockets have their own timeouts."""
        self._cancel_timeout()
        super().handle_websocket_upgrade()

    def _start_timeout(self) -> None:
        self._cancel_timeout()
        self._timeout = self.loop.call_later(REQUEST_TIMEOUT, self._on_timeout)

    def _cancel_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    def _on_timeout(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
