"""How long a request may be on its way, and how long its head may be: uvicorn itself waits for ever, for any amount."""

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD: Final = 32 * 1024
"""Bytes of the line and the headers of a request."""

ARRIVES_WITHIN: Final = 20.0
"""Seconds from the first byte of a request, or from the connection, to the last byte of its body."""


class PatientHttp(HttpToolsProtocol):
    """uvicorn's HTTP over httptools, patient for so long and so much."""

    _head = 0
    _complete = False
    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take it, unless the head grows too long; what belongs to a body does not count."""
        if not self._complete:
            end = data.find(b"\r\n\r\n")
            self._head += len(data) if end < 0 else end
            if self._head > LONGEST_HEAD:
                self.send_400_response("The head of this request is too long.")
                return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """Wait for the end of this request."""
        super().on_message_begin()
        self._wait()

    def on_headers_complete(self) -> None:
        """The head is here."""
        self._complete = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is here."""
        self._arrived()
        self._complete, self._head = False, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """The connection is another protocol's from now on, which has patience of its own."""
        self._arrived()
        super().handle_websocket_upgrade()

    def _wait(self) -> None:
        self._arrived()
        self._patience = self.loop.call_later(ARRIVES_WITHIN, self._give_up)

    def _arrived(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
