"""A uvicorn WebSocket protocol with a fast path for text frames.

The server sends every choice to all viewers, so the time for each frame matters. For incoming messages, uvicorn uses a
queue and a task, pauses and resumes reading for each message, and builds strings and frame objects. This module parses
and writes frames directly, which takes about a tenth of the time.

The fast path handles unfragmented ASCII text frames. All other frames go through the library `websockets`, which
handles protocol errors, control frames and fragments.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # there is no binary wheel of websockets for this platform
    from websockets.utils import apply_mask

TRANSPORT_KEY: Final = "faceup.wire"
"""The name of the ASGI extension: `scope["extensions"][TRANSPORT_KEY]` is the `TextTransport` of the connection."""

Take: TypeAlias = Callable[[bytes], None]
"""A callback that gets each received message in the order of arrival. Text messages are UTF-8."""

_TEXT: Final = 0x81
"""The first byte of an unfragmented text frame (RFC 6455, section 5.2)."""


class TextTransport(Protocol):
    """The messages of an accepted WebSocket connection. ASGI's `receive` reports the end of the connection."""

    @property
    def full(self) -> bool:
        """Whether the send buffer is full."""
        ...

    def start(self, take: Take, resume: Callable[[], None]) -> None:
        """Start to pass received messages to `take`, and to call `resume` whenever the send buffer has drained."""
        ...

    def write(self, lines: bytes) -> None:
        """Send lines in UTF-8 as one text message. After the connection has ended, do nothing."""
        ...

    def pause_reading(self) -> None:
        """Pause reading from the network. Messages that were already read are still delivered."""
        ...

    def resume_reading(self) -> None:
        """Resume reading from the network."""
        ...


def text_frame(text: bytes) -> bytes:
    r"""Encode an unmasked, unfragmented text frame (RFC 6455, section 5.2).

    >>> text_frame(b"{}\n"), text_frame(b"x" * 300)[:4]
    (b'\x81\x03{}\n', b'\x81~\x01,')
    """
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    if length < 65536:
        return b"\x81\x7e%b%b" % (length.to_bytes(2, "big"), text)
    return b"\x81\x7f%b%b" % (length.to_bytes(8, "big"), text)


class WebSocketProtocol(WebSocketsSansIOProtocol):
    """A uvicorn WebSocket protocol that is also the `TextTransport`. WebSocket compression must be disabled."""

    _rest = b""
    _take: Take | None = None
    _resume: Callable[[], None] | None = None
    _early: tuple[bytes, ...] = ()

    async def run_asgi(self) -> None:
        """Serve one connection."""
        extensions: dict[str, Any] = {
            **(self.scope.get("extensions") or {}),
            TRANSPORT_KEY: self,
        }  # Any: ASGI defines no type for extensions
        self.scope["extensions"] = extensions
        await super().run_asgi()

    async def send(self, message: Any) -> None:  # noqa: ANN401 -- uvicorn's type of messages is private
        """Send an ASGI message."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # Otherwise uvicorn would log an error, because it expects a completed handshake even after a rejection.
            self.handshake_complete = self.handshake_complete or self.close_sent

    @property
    def full(self) -> bool:
        """Whether the send buffer is full."""
        return not self.writable.is_set()

    def start(self, take: Take, resume: Callable[[], None]) -> None:
        """Start to pass received messages to `take`, including those that arrived before this call."""
        self._take, self._resume = take, resume
        early, self._early = self._early, ()
        self.resume_reading()
        for message in early:
            take(message)

    def write(self, lines: bytes) -> None:
        """Send lines as one text message, unless the connection has ended."""
        if self.handshake_complete and not self.close_sent and not self.disconnected:
            self.transport.write(text_frame(lines))

    def pause_reading(self) -> None:
        """Pause reading from the network."""
        if not self.read_paused and not self.disconnected:
            self.read_paused = True
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        """Resume reading from the network."""
        if self.read_paused and not self.disconnected:
            self.read_paused = False
            self.transport.resume_reading()

    def resume_writing(self) -> None:
        """Call the `resume` callback, because the send buffer has drained."""
        super().resume_writing()
        if self._resume is not None:
            self._resume()

    def data_received(self, data: bytes) -> None:
        """Process the complete frames, and keep an incomplete frame until more data arrives."""
        if not self.handshake_complete:
            super().data_received(data)
            return
        data = self._rest + data if self._rest else data
        at, size, largest = 0, len(data), self.config.ws_max_size
        while size - at >= 2 and not self.transport.is_closing():
            length, start = data[at + 1], at + 2
            masked = length > 127
            length &= 127
            if length > 125:
                start += 2 if length == 126 else 8
                if start > size:
                    break
                length = int.from_bytes(data[at + 2 : start], "big")
            start += 4 * masked
            end = start + length
            if end > size and length <= largest:
                break
            if data[at] == _TEXT and masked and length <= largest and self.conn.current_size is None:
                text = apply_mask(data[start:end], data[start - 4 : start])
                if text.isascii():
                    self._deliver(text)
                    at = end
                    continue
            super().data_received(data[at:end])
            at = end
        self._rest = data[at:]

    def send_receive_event_to_app(self) -> None:
        """Deliver a message that the library `websockets` parsed."""
        message = b"".join(self.frames)
        self.frames = []
        if self.curr_msg_data_type == "text":
            try:
                message.decode()
            except UnicodeDecodeError:
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        self._deliver(message)

    def _deliver(self, message: bytes) -> None:
        if self.close_sent:
            return
        if self._take is not None:
            self._take(message)
        else:
            self._early = (*self._early, message)
            self.pause_reading()
