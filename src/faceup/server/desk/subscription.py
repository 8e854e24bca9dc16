"""One reader of a stream: what is ready for it, at most so much, and why it ended."""

import asyncio
from collections.abc import Callable
from typing import Final, Literal, TypeAlias

import msgspec

Ending: TypeAlias = Literal["slow", "restart", "closed", "over", "private", "again", "revoked"]
"""Why a stream ends.

`slow`: the reader did not keep up; `restart`: the server stops, and another is likely to be there soon; `closed`: the
table is; `over`: the game is, and nothing will come any more; `private`: nobody may watch here; `again`: the server
lost its place; `revoked`: whoever has the connection ends it, since a session or token opens nothing any more. After
`slow`, `restart` and `again`, the reader comes back with the last version that it has seen.
"""

MOST_BYTES: Final = 1 << 20
"""What may wait for a reader. A whole sight of ten seats has a few KiB."""

MOST_LINES: Final = 1000


class Subscription:
    r"""What one connection reads: frames of one or more whole lines.

    It never makes anybody wait: lines are put into it as they come, and a reader that leaves too many of them is given
    up, with a last line that says so. Whoever reads is called when there is something to take (`on_ready`), or goes
    through it as an asynchronous iterator.

    Attributes:
        player: whose it is; None is a visitor that nobody knows.
        lag: milliseconds that a line takes to this reader and back, as the server measured it last; whoever has the
            connection sets it.
        ended: why it ended; None while it goes on.

    >>> async def read() -> list[bytes]:
    ...     reader = Subscription("ann", on_close=lambda subscription: None)
    ...     reader.put(b'{"v":1}\n')
    ...     reader.put(b'{"v":2}\n')
    ...     reader.end("restart")
    ...     return [frame async for frame in reader]
    >>> asyncio.run(read())
    [b'{"v":1}\n{"v":2}\n{"end":"restart"}\n']
    """

    __slots__ = ("_bytes", "_lines", "_loop", "_on_close", "_on_ready", "ended", "lag", "player")

    def __init__(self, player: str | None, *, on_close: "Callable[[Subscription], None]") -> None:
        self.player = player
        self.lag = 0
        self._loop = asyncio.get_running_loop()
        self.ended: Ending | None = None
        self._lines: list[bytes] = []
        self._bytes = 0
        self._on_ready: Callable[[], None] | None = None
        self._on_close = on_close

    def on_ready(self, call: Callable[[], None] | None) -> None:
        """Call this soon after the first line that comes when there was nothing to take, and at the end.

        Soon: when what others are about to put in now, such as an answer beside its line, is in it, too.
        """
        self._on_ready = call

    def put(self, lines: bytes) -> None:
        """Add one or more whole lines: what the table told, or an answer to this reader's own command."""
        if self.ended is not None:
            return
        self._bytes += len(lines)
        self._lines.append(lines)
        if len(self._lines) == 1:
            self._wake()
        if self._bytes > MOST_BYTES or len(self._lines) > MOST_LINES:
            self._lines.clear()
            self.end("slow")

    def end(self, why: Ending) -> None:
        """Add a last line that says why, and take nothing more. What is in it can still be read."""
        if self.ended is not None:
            return
        self.ended = why
        self._lines.append(msgspec.json.encode({"end": why}) + b"\n")
        self._wake()
        self._on_close(self)

    def close(self) -> None:
        """The reader is gone. Whoever has the connection calls this, however it ended; more than once does no harm."""
        self._lines.clear()
        if self.ended is None:
            self.ended = "over"
            self._on_close(self)
        self._wake()

    def take(self) -> bytes:
        """What is ready, as one frame; nothing if nothing is."""
        lines = self._lines
        frame = lines[0] if len(lines) == 1 else b"".join(lines)
        lines.clear()
        self._bytes = 0
        return frame

    def __aiter__(self) -> "Subscription":
        return self

    async def __anext__(self) -> bytes:
        """The next frame, when there is one. One reader at a time."""
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
