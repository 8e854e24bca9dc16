"""The subscription of one connection to a room: a buffer of limited size."""

import asyncio
from collections.abc import Callable
from math import inf
from typing import Final

from faceup.server.rooms.room import PlayerIds
from faceup.server.rooms.wire import End, EndReason, encode_message

MAX_BUFFERED_BYTES: Final = 1 << 20
"""Maximum size of a subscriber's buffer. For comparison, a snapshot of a table with ten seats has a few KiB."""

MAX_BUFFERED_LINES: Final = 1000


class Subscription:
    r"""The stream of one connection, read as frames of one or more complete lines.

    Writing never blocks, because lines are buffered. If the buffer overflows, the stream ends with the reason `slow`.
    Read the stream with the `on_ready` callback and `take`, or as an asynchronous iterator.

    Attributes:
        player: all IDs of the subscriber, or the only one; None if anonymous.
        lag: round-trip time in milliseconds, which the connection measures and sets.
        grace: how long the player may be without a connection before autoplay chooses, in milliseconds.
        attended: whether others or a clock may wait for this player, so that the connection must notice if the network
            is lost.
        silent: whether the client has stopped answering although the connection is open.
        ended: why the stream ended; None while it is open.

    >>> async def read() -> list[bytes]:
    ...     reader = Subscription("ann", on_close=lambda subscription: None)
    ...     reader.put(b'{"v":1}\n')
    ...     reader.put(b'{"v":2}\n')
    ...     reader.end("restart")
    ...     return [frame async for frame in reader]
    >>> asyncio.run(read())
    [b'{"v":1}\n{"v":2}\n{"end":"restart"}\n']
    """

    __slots__ = (
        "_awaited_from",
        "_bytes",
        "_lines",
        "_loop",
        "_on_attention",
        "_on_close",
        "_on_ready",
        "_on_silence",
        "_time",
        "attended",
        "ended",
        "grace",
        "lag",
        "player",
        "silent",
    )

    def __init__(
        self,
        player: PlayerIds | None,
        *,
        on_close: "Callable[[Subscription], None]",
        on_silence: "Callable[[Subscription], None] | None" = None,
        time: "Callable[[Subscription], int] | None" = None,
        grace: int = 0,
    ) -> None:
        self.player = player
        self.grace = grace
        self._time = time
        self.lag = 0
        self.attended = False
        self._awaited_from: int | None = None
        self._on_attention: Callable[[], None] | None = None
        self.silent = False
        self._on_silence = on_silence
        self._loop = asyncio.get_running_loop()
        self.ended: EndReason | None = None
        self._lines: list[bytes] = []
        self._bytes = 0
        self._on_ready: Callable[[], None] | None = None
        self._on_close = on_close

    def on_ready(self, call: Callable[[], None] | None) -> None:
        """Set the callback that is called when the buffer stops being empty and when the stream ends.

        The call is scheduled with `call_soon`, so that all lines added in one turn of the event loop share a frame.
        """
        self._on_ready = call

    def set_silent(self, silent: bool) -> None:
        """Record that the client has stopped or resumed answering, and notify the room of a change."""
        if silent is not self.silent:
            self.silent = silent
            if self._on_silence is not None and self.ended is None:
                self._on_silence(self)

    def on_attention(self, call: Callable[[], None]) -> None:
        """Set the callback that is called when it changes how soon a lost network must be noticed."""
        self._on_attention = call

    def attend(self, attended: bool, awaited_from: int | None) -> None:
        """Set `attended`, and the table's time from which a lost network must be noticed within seconds, if any."""
        if attended is self.attended and awaited_from == self._awaited_from:
            return
        self.attended, self._awaited_from = attended, awaited_from
        if self._on_attention is not None:
            self._on_attention()

    def awaited_in(self) -> float:
        """Return the seconds until a lost network must be noticed soon; not positive if it must be from now on."""
        return inf if self._awaited_from is None else (self._awaited_from - self.now()) / 1000

    def now(self) -> int:
        """Return the time that the subscriber sees, in milliseconds since the table was opened."""
        return 0 if self._time is None else self._time(self)

    def put(self, lines: bytes) -> None:
        """Append one or more complete lines: updates, or the answer to a command of this subscriber."""
        if self.ended is not None:
            return
        self._bytes += len(lines)
        self._lines.append(lines)
        if len(self._lines) == 1:
            self._wake()
        if self._bytes > MAX_BUFFERED_BYTES or len(self._lines) > MAX_BUFFERED_LINES:
            # A reader that cannot follow must not hold memory; it reconnects and gets what it missed from the log.
            self._lines.clear()
            self.end("slow")

    def end(self, why: EndReason) -> None:
        """Append a last line with the reason, and ignore later lines. The buffer can still be read."""
        if self.ended is not None:
            return
        self.ended = why
        self._lines.append(encode_message(End(why)))
        self._wake()
        self._on_close(self)

    def close(self) -> None:
        """Discard the buffer, because the connection is gone. A second call has no effect."""
        self._lines.clear()
        if self.ended is None:
            self.ended = "finished"
            self._on_close(self)
        self._wake()

    def take(self) -> bytes:
        """Remove and return the buffered lines as one frame, which is empty if there are none."""
        lines = self._lines
        frame = lines[0] if len(lines) == 1 else b"".join(lines)
        lines.clear()
        self._bytes = 0
        return frame

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> bytes:
        """Wait for the next frame. Only one task at a time may wait."""
        while not self._lines:
            if self.ended is not None:
                raise StopAsyncIteration
            ready = asyncio.Event()
            self.on_ready(ready.set)
            await ready.wait()
        return self.take()

    def _wake(self) -> None:
        if self._on_ready is not None:
            self._loop.call_soon(self._on_ready)
