"""A live table, with its current state and commands, over a WebSocket that reconnects."""

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final, Self
from urllib.parse import quote

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosedOK, InvalidHandshake, InvalidStatus, ProtocolError, WebSocketException

from faceup.core import RulesError, Seat
from faceup.server.client.errors import RequestRefusedError, UnreachableError, error_from_response, refusal
from faceup.server.rooms.commands import RoomCommand, fair_command_for
from faceup.server.rooms.merge_patch import Json, apply_patch, extend_lists
from faceup.server.rooms.wire import (
    Acknowledged,
    Disconnected,
    End,
    Ping,
    Rejected,
    Snapshot,
    Update,
    parse_server_message,
)
from faceup.table.commands import OpenPledge, Pledge

GIVE_UP_AFTER: Final = 60.0
"""Seconds without a connection after which the client raises `UnreachableError`."""

_MIN_RETRY_DELAY: Final = 0.05
_MAX_RETRY_DELAY: Final = 5.0
"""Minimum and maximum delay of the exponential backoff between connection attempts, in seconds."""

_RESTART_TIME: Final = 10.0
_RESTART_RETRY_DELAY: Final = 0.8
"""Seconds in which most restarts of a server end, and the maximum delay until then."""

_CLOSE_TIMEOUT: Final = 1.0
"""Timeout of closing a connection, in seconds."""

_RESUMABLE: Final = frozenset({"slow", "rate_limited", "restart", "resync"})
"""End reasons after which the client reconnects."""


class LiveTable:
    """A live connection to one table. Use it with `async with`, which waits for the first snapshot.

    If the connection is lost, the client reconnects and resumes after the last message. Commands without an answer are
    sent again with the same ID, so that each is applied once. The client contributes to fair deals automatically.

    Args:
        server: the server's URL.
        table: the table's ID.
        headers: returns the authentication headers for each connection.
        after: version of the last message that the caller has; the stream then starts with the updates after it. Use
            it only in clients that store lines, because `room` stays empty until a snapshot arrives.
        on_line: called with each new line that has a version. Updates from before the start of the game may come as one
            snapshot.

    Attributes:
        room: the current view as JSON (`faceup.server.rooms.RoomView`); replaced by updates, never mutated.
        version: version of the last message.
        at: time of the last message, in milliseconds since the table was opened.
        events: events of the last message.
        disconnected: the seats of players who have lost their connection and are not marked away yet.
        ended: why the stream ended; None while it is open.
        connections: number of connections made.
    """

    def __init__(
        self,
        server: str,
        table: str,
        headers: Callable[[], Mapping[str, str]],
        *,
        after: int | None = None,
        on_line: Callable[[bytes], None] | None = None,
    ) -> None:
        self._address = f"ws{server.removeprefix('http')}/api/tables/{quote(table)}/live"
        self._headers = headers
        self._on_line = on_line
        self.room: Json = {}
        self.version = after
        self.at = 0
        self.events: tuple[Json, ...] = ()
        self.disconnected: tuple[Seat, ...] = ()
        self.ended: str | None = None
        self.connections = 0
        self._connection: ClientConnection | None = None
        self._silence: float | None = None  # seconds without a message after which the connection is lost
        self._waiting: dict[str, tuple[bytes, asyncio.Future[None]]] = {}
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: asyncio.Task[None] | None = None
        self._error: RulesError | None = None
        self._seed = secrets.token_bytes(32)
        self._contributions: set[Pledge | OpenPledge] = set()

    async def __aenter__(self) -> Self:
        resumes = self.version is not None
        self._running = asyncio.create_task(self._run())
        try:
            await self.until(lambda: bool(self.room) or resumes)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connection. The player keeps the seat; to leave the seat, send `Leave` before."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running
        for task in tuple(self._tasks):
            task.cancel()

    @property
    def seat(self) -> Seat | None:
        """The player's seat; None for a spectator."""
        return self.room.get("seat")

    @property
    def status(self) -> str:
        """The table's status: pending, active, finished or closed."""
        return str(self.room.get("status", ""))

    async def change(self, since: int | None = None) -> None:
        """Wait until a message after version `since` (default: the last version) arrives or the stream ends.

        Raises:
            UnreachableError: the server has not answered for a minute.
            RequestRefusedError: the table does not exist, or the player may not see it.
        """
        version = self.version if since is None else since
        await self.until(lambda: self.version != version)

    async def until(self, what: Callable[[], bool]) -> None:
        """Wait until a condition holds or the stream ends. Raises the errors of `change`."""
        while not what() and self.ended is None:
            await self._changed.wait()
        if self._error is not None:
            raise self._error

    async def do(self, command: RoomCommand, *, id: str | None = None) -> None:  # noqa: A002 -- its name in the API
        """Send a command and wait until it is stored.

        Raises:
            RequestRefusedError: the room rejected the command, or a rate limit was exceeded.
            UnreachableError: the server does not answer; the command may or may not have been executed.
        """
        name = id or secrets.token_urlsafe(12)
        text = msgspec.json.encode({**msgspec.to_builtins(command), "id": name})
        if self.ended is not None:
            raise self._error or RequestRefusedError("closed", "the stream of this table has ended")
        if name not in self._waiting:
            self._waiting[name] = text, asyncio.get_running_loop().create_future()
            await self._send(text)
        try:
            await asyncio.shield(self._waiting[name][1])
        finally:
            self._waiting.pop(name, None)

    async def _run(self) -> None:
        """Connect and reconnect until the stream ends."""
        since, wait = time.monotonic(), _MIN_RETRY_DELAY
        try:
            while self.ended is None:
                before = self.version
                problem = await self._run_connection()
                if problem is None or self.version != before:
                    since, wait = time.monotonic(), _MIN_RETRY_DELAY
                elif time.monotonic() - since > GIVE_UP_AFTER:
                    raise UnreachableError(f"{self._address} does not answer: {problem}")
                if self.ended is None:
                    await asyncio.sleep(wait * (0.5 + random.random()))  # noqa: S311 -- jitter
                    restarts = time.monotonic() - since < _RESTART_TIME
                    wait = min(2 * wait, _RESTART_RETRY_DELAY if restarts else _MAX_RETRY_DELAY)
        except RulesError as error:
            self._error, self.ended = error, error.kind
        finally:
            self.ended = self.ended or "left"
            self._fail(self._error or UnreachableError(f"the stream of this table has ended (reason: {self.ended})"))
            self._notify()

    async def _run_connection(self) -> str | None:
        """Run one connection until it ends. Return the problem, or None if the connection was closed normally."""
        query = "" if self.version is None else f"?after={self.version}"
        try:
            async with connect(
                self._address + query,
                additional_headers=self._headers(),
                compression=None,
                max_size=None,
                close_timeout=_CLOSE_TIMEOUT,
            ) as connection:
                self.connections += 1
                self.disconnected = ()  # the server sends the seats again unless there are none
                self._connection = connection
                for text, _ in list(self._waiting.values()):
                    await connection.send(text, text=True)
                self._silence = None
                while True:
                    async with asyncio.timeout(self._silence):
                        frame = await connection.recv()
                    await self._receive(frame if isinstance(frame, bytes) else frame.encode())
        except ConnectionClosedOK:
            return None
        except InvalidStatus as error:
            refused = error_from_response(error.response.status_code, bytes(error.response.body or b""))
            if refused.retry_after is None and error.response.status_code < 500:
                raise refused from None
            return refused.message
        except (OSError, InvalidHandshake, WebSocketException) as error:
            return str(error) or type(error).__name__
        finally:
            self._connection = None
        return None

    async def _receive(self, frame: bytes) -> None:
        """Process a frame of complete lines."""
        moved = False
        for text in frame.splitlines(keepends=True):
            match parse_server_message(text):
                case (Snapshot() | Update()) as message:
                    moved = self._apply(message, text) or moved
                case Ping(ping=number, silence=silence):
                    self._silence = silence / 1000
                    await self._send(b'{"command":"pong","ping":%d}' % number)
                case Disconnected(disconnected=seats):
                    self.disconnected = seats
                    self._notify()
                case Acknowledged(ack=command):
                    self._answer(command, None)
                case Rejected(rejected=command, error=error):
                    self._answer(command, refusal(error))
                case End(end=reason) if reason not in _RESUMABLE:
                    self.ended = reason
        if moved:
            self._contribute()
        if moved or self.ended:
            self._notify()

    def _apply(self, message: Snapshot | Update, line: bytes) -> bool:
        """Apply a snapshot or an update. Return whether the message was new."""
        version = self.version
        if isinstance(message, Snapshot):
            self.room = message.room
            if message.v == version:
                return False
            self.events = ()
        elif version is not None and message.v == version + 1:
            self.room = extend_lists(apply_patch(self.room, message.patch), message.append or {})
            self.events = message.events
        else:
            raise ProtocolError(f"message {message.v} came after message {version}, but is not the next message")
        self.version, self.at = message.v, message.at
        if self._on_line is not None:
            self._on_line(line)
        return True

    def _answer(self, command: str | None, refused: RequestRefusedError | None) -> None:
        if command is None and refused is not None:  # the table is not visible, or the server rejected a frame
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
            with suppress(WebSocketException, OSError):  # the next connection sends it again
                await self._connection.send(text, text=True)

    def _fail(self, error: RulesError) -> None:
        for _, future in self._waiting.values():
            if not future.done():
                future.set_exception(error)
                future.exception()  # mark the exception as retrieved: the caller may have been cancelled

    def _contribute(self) -> None:
        """Send this seat's contribution to a fair deal, if one is due."""
        if "fair" not in self.room or self.status == "closed":
            return
        answer = fair_command_for(self.room, self._seed)
        if answer is not None and answer not in self._contributions:
            self._contributions.add(answer)
            task = asyncio.create_task(self._send_contribution(answer))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _send_contribution(self, command: Pledge | OpenPledge) -> None:
        """Send a contribution to a fair deal. If a rate limit rejects it, wait and send it again.

        Ignore other rejections: if the contribution is too late, the log names this seat as left out.
        """
        with suppress(RulesError):
            while True:
                try:
                    return await self.do(command)
                except RequestRefusedError as refused:
                    if refused.retry_after is None:
                        raise
                    await asyncio.sleep(refused.retry_after)

    def _notify(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
