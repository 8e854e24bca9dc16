"""A WebSocket as a wire of lines: text in and out of its frames with nothing between but bytes.

Ten people see every choice, so what one frame costs counts tenfold. uvicorn's own way has a queue and a task for what
comes, stops and starts reading for each message, and turns every text into a string, a frame object and parts that are
put together again: ten times the work of reading it where it lies, or of writing it down.

What is not one whole text frame in ASCII is rare, and goes the usual way through the library, a frame at a time: so
that is where the protocol's errors, its control frames and its fragments are dealt with.
"""

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # a machine for which there is no such wheel
    from websockets.utils import apply_mask

WIRE: Final = "faceup.wire"
"""The extension of ASGI: `scope["extensions"][WIRE]` is the `Wire` of the connection."""

Take: TypeAlias = Callable[[bytes], None]
"""Is given each message that comes, in order; what was sent as text is UTF-8."""

_TEXT: Final = 0x81
"""The first byte of a text that is whole in one frame (RFC 6455, section 5.2)."""


class Wire(Protocol):
    """A connection that is accepted, as the application uses it. When it ends, ASGI's `receive` says so."""

    @property
    def full(self) -> bool:
        """Whether so much waits to be sent that more is better kept back."""
        ...

    def begin(self, take: Take, resume: Callable[[], None]) -> None:
        """Hand over what comes, beginning with what has come already, and say when it is not full any more."""
        ...

    def write(self, lines: bytes) -> None:
        """Send one or more whole lines in UTF-8, as one text; nothing once the connection is over."""
        ...

    def hold(self) -> None:
        """Read no more from the network for now; what was read already is still handed over."""
        ...

    def go_on(self) -> None:
        """Read again."""
        ...


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


class LinesProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which offers itself to the application as a `Wire`. Nothing may be compressed."""

    _rest = b""
    _take: Take | None = None
    _resume: Callable[[], None] | None = None
    _early: tuple[bytes, ...] = ()

    async def run_asgi(self) -> None:
        """Serve one connection."""
        extensions: dict[str, Any] = {
            **(self.scope.get("extensions") or {}),
            WIRE: self,
        }  # Any: ASGI has room for dicts
        self.scope["extensions"] = extensions
        await super().run_asgi()

    async def send(self, message: Any) -> None:  # noqa: ANN401 -- ASGI's types are not ours to import
        """As uvicorn's."""
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            # What was refused is over; uvicorn takes it for a handshake that was forgotten, and logs an error.
            self.handshake_complete = self.handshake_complete or self.close_sent

    @property
    def full(self) -> bool:
        """As `Wire.full`."""
        return not self.writable.is_set()

    def begin(self, take: Take, resume: Callable[[], None]) -> None:
        """As `Wire.begin`."""
        self._take, self._resume = take, resume
        early, self._early = self._early, ()
        self.go_on()
        for message in early:
            take(message)

    def write(self, lines: bytes) -> None:
        """As `Wire.write`."""
        if self.handshake_complete and not self.close_sent and not self.disconnected:
            self.transport.write(text_frame(lines))

    def hold(self) -> None:
        """As `Wire.hold`."""
        if not self.read_paused and not self.disconnected:
            self.read_paused = True
            self.transport.pause_reading()

    def go_on(self) -> None:
        """As `Wire.go_on`."""
        if self.read_paused and not self.disconnected:
            self.read_paused = False
            self.transport.resume_reading()

    def resume_writing(self) -> None:
        """What waited to be sent has gone out."""
        super().resume_writing()
        if self._resume is not None:
            self._resume()

    def data_received(self, data: bytes) -> None:
        """Take the frames that are whole by now, and keep the rest."""
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
                    self._heard(text)
                    at = end
                    continue
            super().data_received(data[at:end])
            at = end
        self._rest = data[at:]

    def send_receive_event_to_app(self) -> None:
        """A message that the library has read is handed over as all others are."""
        message = b"".join(self.frames)
        self.frames = []
        if self.curr_msg_data_type == "text":
            try:
                message.decode()
            except UnicodeDecodeError:
                self.conn.send_close(1007)
                self.handle_parser_exception()
                return
        self._heard(message)

    def _heard(self, message: bytes) -> None:
        if self.close_sent:
            return
        if self._take is not None:
            self._take(message)
        else:
            self._early = (*self._early, message)
            self.hold()
