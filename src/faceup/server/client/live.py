"""A table as it goes on: what is seen kept up to date, what is asked answered, over however many connections."""

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Self
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidHandshake, InvalidStatus, ProtocolError, WebSocketException

from faceup.core import RulesError, Seat
from faceup.server.client.problems import Problem, refusal_of
from faceup.server.client.refusals import Refused, Unreachable
from faceup.server.rooms import OpenPledge, Pledge, RoomCommand, apply_patch, fair_answer, longer

Json = dict[str, Any]  # Any: JSON

PATIENCE: Final = 60.0
"""Seconds without a connection after which a client gives up."""

_SOONEST: Final = 0.05
_LATEST: Final = 5.0
"""Seconds until the next attempt to connect, which grow from one to the other."""

_GOODBYE: Final = 1.0
"""Seconds that the end of a connection waits for the other side."""

_BACK: Final = frozenset({"slow", "restart", "again"})
"""Why a stream ends to which one comes back; what else ends one, ends it."""


class _Line(msgspec.Struct, frozen=True):
    """Any line that comes down."""

    v: int | None = None
    at: int = 0
    events: tuple[Json, ...] = ()
    patch: Json | None = None
    grown: Json | None = None
    sight: Json | None = None
    ack: str | None = None
    refused: str | None = None
    error: Problem | None = None
    ping: int | None = None
    end: str | None = None


_LINES: Final = msgspec.json.Decoder(_Line)


class Live:
    """One table, live. Enter it with `async with`; it then knows what there is to see.

    When a connection is lost another is made, which goes on where the last one ended: what was seen is whole again, and
    what was asked and not answered is asked again under the same id, so that it counts once. To fair deals it
    contributes by itself.

    Args:
        server: its address.
        table: the table's id.
        headers: gives what shows the server who one is, for each connection.
        after: the last message that was seen before, if any: then the first sight comes as patches to it. Only for
            clients that keep lines, since there is no sight until a whole one comes.
        heard: is given each numbered line as it came, without repetition. What was missed before the game began may be
            told by a new sight; after that, it comes line by line.

    Attributes:
        sight: what is seen, as JSON (`faceup.server.rooms.RoomSight`); replaced, never changed.
        version: the number of the last message.
        at: the time of the last message, in milliseconds since the table was opened.
        events: of the last message.
        ended: why there will be nothing more; None while there may be.
        connections: how many were made.
    """

    def __init__(
        self,
        server: str,
        table: str,
        headers: Callable[[], Mapping[str, str]],
        *,
        after: int | None = None,
        heard: Callable[[bytes], None] | None = None,
    ) -> None:
        self._address = f"ws{server.removeprefix('http')}/api/tables/{quote(table)}/live"
        self._headers = headers
        self._heard = heard
        self.sight: Json = {}
        self.version = after
        self.at = 0
        self.events: tuple[Json, ...] = ()
        self.ended: str | None = None
        self.connections = 0
        self._connection: ClientConnection | None = None
        self._waiting: dict[str, tuple[bytes, asyncio.Future[None]]] = {}
        self._news = asyncio.Event()
        self._asking: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._error: RulesError | None = None
        self._seed = secrets.token_bytes(32)
        self._offered: set[Pledge | OpenPledge] = set()

    async def __aenter__(self) -> Self:
        resumes = self.version is not None
        self._running = asyncio.create_task(self._run())
        try:
            await self.until(lambda: bool(self.sight) or resumes)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Hang up. Nobody is told that anybody left: `Leave` says that."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
        for task in tuple(self._asking):
            task.cancel()

    @property
    def seat(self) -> Seat | None:
        """One's own; None for a spectator."""
        return self.sight.get("seat")

    @property
    def status(self) -> str:
        """Of the table: pending, active, finished or closed."""
        return str(self.sight.get("status", ""))

    async def change(self, since: int | None = None) -> None:
        """Come back when there is a message after `since` (the last one, if not given), or nothing more to come.

        Raises:
            Unreachable: the server has not answered for a minute.
            Refused: there is no such table, or one may not see it.
        """
        known = self.version if since is None else since
        await self.until(lambda: self.version != known)

    async def until(self, what: Callable[[], bool]) -> None:
        """Come back when it is so, or when there is nothing more to come. Raises as `change`."""
        while not what() and self.ended is None:
            await self._news.wait()
        if self._error is not None:
            raise self._error

    async def do(self, command: RoomCommand, *, id: str | None = None) -> None:  # noqa: A002 -- what the API calls it
        """Send a command; comes back when it is in the log for good.

        Raises:
            Refused: by the room, with what is legal, or because too much was sent.
            Unreachable: it may or may not have happened.
        """
        name = id or secrets.token_urlsafe(12)
        text = msgspec.json.encode({**msgspec.to_builtins(command), "id": name})
        if self.ended is not None:
            raise self._error or Refused("closed", "the stream of this table has ended")
        if name not in self._waiting:
            self._waiting[name] = text, asyncio.get_running_loop().create_future()
            await self._send(text)
        try:
            await asyncio.shield(self._waiting[name][1])
        finally:
            self._waiting.pop(name, None)

    async def _run(self) -> None:
        """Connect, again and again, until there is nothing more to come."""
        since, wait = time.monotonic(), _SOONEST
        try:
            while self.ended is None:
                before = self.version
                trouble = await self._once()
                if trouble is None or self.version != before:
                    since, wait = time.monotonic(), _SOONEST
                elif time.monotonic() - since > PATIENCE:
                    raise Unreachable(f"{self._address} does not answer: {trouble}")
                if self.ended is None:
                    await asyncio.sleep(wait * (0.5 + random.random()))  # noqa: S311 -- so that not all come back at once
                    wait = min(2 * wait, _LATEST)
        except RulesError as error:
            self._error, self.ended = error, error.kind
        finally:
            self.ended = self.ended or "left"
            self._fail(self._error or Unreachable(f"the stream of this table has ended: {self.ended}"))
            self._tell()

    async def _once(self) -> str | None:
        """One connection, to its end; gives back what was wrong with it, None if it was a good one."""
        query = "" if self.version is None else f"?after={self.version}"
        try:
            async with connect(
                self._address + query,
                additional_headers=self._headers(),
                compression=None,
                max_size=None,
                close_timeout=_GOODBYE,
            ) as connection:
                self.connections += 1
                self._connection = connection
                for text, _ in list(self._waiting.values()):
                    await connection.send(text, text=True)
                async for frame in connection:
                    await self._take(frame if isinstance(frame, bytes) else frame.encode())
        except InvalidStatus as error:
            refused = refusal_of(error.response.status_code, bytes(error.response.body or b""))
            if refused.retry_after is None and error.response.status_code < 500:
                raise refused from None
            return refused.message
        except (OSError, InvalidHandshake, WebSocketException) as error:
            return str(error) or type(error).__name__
        finally:
            self._connection = None
        return None

    async def _take(self, frame: bytes) -> None:
        """Whole lines."""
        moved = False
        for text in frame.splitlines(keepends=True):
            line = _LINES.decode(text)
            if line.v is not None:
                moved = self._move(line, text) or moved
            elif line.ping is not None:
                await self._send(b'{"do":"pong","ping":%d}' % line.ping)
            elif line.ack is not None:
                self._answer(line.ack, None)
            elif line.error is not None:
                self._answer(line.refused, line.error.refusal())
            elif line.end is not None and line.end not in _BACK:
                self.ended = line.end
        if moved:
            self._contribute()
        if moved or self.ended:
            self._tell()

    def _move(self, line: _Line, text: bytes) -> bool:
        """Take in a numbered line; gives back whether it was news."""
        known = self.version
        if line.sight is not None:
            self.sight = line.sight
            if line.v == known:
                return False
        elif known is not None and line.v == known + 1:
            self.sight = longer(apply_patch(self.sight, line.patch or {}), line.grown or {})
        else:
            raise ProtocolError(f"message {line.v} came after message {known}")
        self.version, self.at, self.events = line.v, line.at, line.events
        if self._heard is not None:
            self._heard(text)
        return True

    def _answer(self, command: str | None, refused: Refused | None) -> None:
        if command is None and refused is not None:  # nothing can be seen here, or a frame of ours was not understood
            self._error, self.ended = refused, "refused"
            return
        _, future = self._waiting.get(command or "", (b"", None))
        if future is None or future.done():
            return
        if refused is None:
            future.set_result(None)
        else:
            future.set_exception(refused)

    async def _send(self, text: bytes) -> None:
        if self._connection is not None:
            with suppress(WebSocketException, OSError):  # the next connection sends what was not answered
                await self._connection.send(text, text=True)

    def _fail(self, error: RulesError) -> None:
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(error)
                future.exception()  # somebody may have stopped waiting for it

    def _contribute(self) -> None:
        """Send what a fair deal asks of this seat."""
        if "fair" not in self.sight or self.status == "closed":
            return
        answer = fair_answer(self.sight, self._seed)
        if answer is not None and answer not in self._offered:
            self._offered.add(answer)
            task = asyncio.create_task(self._offer(answer))
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)

    async def _offer(self, answer: Pledge | OpenPledge) -> None:
        with suppress(RulesError):  # it came too late, which the log says by name
            while not await self._offered_now(answer):
                pass

    async def _offered_now(self, answer: Pledge | OpenPledge) -> bool:
        """Whether it got there; if not because too much was sent at once, after the time that was asked for."""
        try:
            await self.do(answer)
        except Refused as refused:
            if refused.retry_after is None:
                raise
            await asyncio.sleep(refused.retry_after)
            return False
        return True

    def _tell(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
