"""The WebSocket endpoint. Each connection belongs to one table and carries lines of JSON in both directions.

The endpoint is a plain ASGI application, because Litestar would use more memory: it keeps a request object, a copy of
the scope and the dependencies for each WebSocket. After the handshake, messages do not pass through ASGI. Instead, the
`TextTransport` reads and writes them directly, without an extra task.

The server sends the table's messages, acknowledgements, rejections and pings. The client sends commands and pongs. The
pongs let the server measure the round trip time, which is the only time that the server adds to deadlines.
"""

import asyncio
import re
import time
from collections import deque
from contextlib import ExitStack, suppress
from contextvars import copy_context
from heapq import heappop, heappush
from itertools import count, islice
from typing import Any, Final
from urllib.parse import parse_qs

from faceup.core import Malformed
from faceup.server.accounts.credentials import Identity
from faceup.server.http.address_limits import admit_bots
from faceup.server.http.auth import require
from faceup.server.http.client_address import Scope
from faceup.server.http.errors import EXPECTED, RequestError, internal, problem_of
from faceup.server.http.middleware import Receive, Send, refuse_handshake
from faceup.server.http.pings import SILENCE, ping_line
from faceup.server.http.schemas import ParsedCommand, Pong, RematchRequest, extract_id, parse_message
from faceup.server.http.services import (
    CALLER,
    Requester,
    Services,
    authenticate,
    count_connection,
    resolve_player,
    send_to_table,
    with_player_name,
)
from faceup.server.http.websocket_protocol import TRANSPORT_KEY, TextTransport
from faceup.server.live import Subscription
from faceup.server.live.programs import declare_program
from faceup.server.process.logs import log_error, request_id
from faceup.server.process.periodic import BackgroundTask
from faceup.server.rooms import Sit
from faceup.server.rooms.commands import AddBot, DeclareProgram, Remove, Start, TransferHost
from faceup.server.rooms.wire import Acknowledged, Problem, Rejected, encode_message
from faceup.server.tables.routes import request_rematch

PATH: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,40})/live")

PING_INTERVAL: Final = 15.0
"""Seconds between pings to one client."""

ATTENDED_PING_INTERVAL: Final = 1.25
"""Seconds after the last message of a player for whom other players or a clock wait until the player is pinged."""

_ATTENDED_ROUNDS: Final = 10
"""Number of rounds of the ping task after which it looks for connections that have become attended."""

PING_ROUND: Final = 0.05
"""Seconds between two rounds of the ping task. Each round pings only a few clients, so that no choice waits long."""

PING_WINDOW: Final = 4
"""The number of latest round trips whose minimum is the latency. The minimum ignores round trips delayed by queues."""

MAX_REJECTED: Final = 200
"""The maximum number of rate-limited messages on one connection. A further one closes the connection."""

_CODES: Final = {
    "slow": 4008,
    "rate_limited": 4029,
    "restart": 1012,
    "spectators_off": 4003,
    "resync": 1013,
    "revoked": 4001,
}
"""WebSocket close codes by the reason why a stream ended. Other reasons use 1000. The last message has the reason."""

_CANNOT_WATCH: Final = 4004
"""The close code if the client cannot watch the table. The server sends a message with the error before it closes."""


class WebSocketEndpoint:
    """The ASGI application for all live connections."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._connections: dict[_Connection, None] = {}  # the least recently pinged connection comes first
        self._checks: list[tuple[float, int, _Connection]] = []  # a heap of attended connections, by time
        self._numbers = count()
        self._pinging = BackgroundTask(self._ping)

    async def start(self) -> None:
        """Start the ping task."""
        await self._pinging.start()

    async def stop(self) -> None:
        """Stop the ping task."""
        await self._pinging.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one WebSocket connection, from the handshake to the end."""
        path = PATH.fullmatch(scope["path"])
        if path is None:
            await refuse_handshake(
                scope,
                receive,
                send,
                Problem(kind="not_found", message="there is no WebSocket at this address"),
            )
            return
        scope["path_template"] = "/api/tables/{table}/live"
        services = self._services
        with ExitStack() as places:
            try:
                requester = await authenticate(dict(scope["headers"]), scope[CALLER], services)
                places.enter_context(count_connection(services, requester))
            except EXPECTED as error:
                await refuse_handshake(scope, receive, send, problem_of(error) or internal(request_id.get()))
                return
            await receive()
            await send({"type": "websocket.accept"})
            await self._serve(path[1], requester, scope, receive, send)

    async def _serve(self, table: str, requester: Requester, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a connection after the handshake."""
        services, identity = self._services, requester.identity
        transport: TextTransport = scope["extensions"][TRANSPORT_KEY]
        query = parse_qs(scope["query_string"].decode("latin-1"))
        try:
            player = None
            if identity is not None:
                player = await resolve_player(services, table, requester.may("read"), seat=_number(query, "seat"))
            reader = await services.hub.watch(table, player, _number(query, "after"))
        except EXPECTED as error:
            transport.write(encode_message(Rejected(None, problem_of(error) or internal(request_id.get()))))
            with suppress(OSError):
                await send({"type": "websocket.close", "code": _CANNOT_WATCH})
            return
        services.coach.prepare()
        address = requester.caller.source
        connection = _Connection(services, table, reader, transport, identity=identity, address=address)
        self._connections[connection] = None
        services.auth_cache.connect(requester.subjects, connection)
        try:
            await connection.run(receive, send)
        finally:
            del self._connections[connection]
            services.auth_cache.disconnect(requester.subjects, connection)

    async def _ping(self) -> None:
        """Ping a few connections at a time, so that the answers are spread over the interval."""
        for round_number in count():
            await asyncio.sleep(PING_ROUND)
            now = time.monotonic()
            if not round_number % _ATTENDED_ROUNDS:
                for connection in self._connections:
                    if connection.attended and not connection.scheduled:
                        self._schedule(connection, now)
            self._check_attended(now)
            self._ping_others(now)

    def _schedule(self, connection: "_Connection", at: float) -> None:
        connection.scheduled = True
        heappush(self._checks, (at, next(self._numbers), connection))

    def _check_attended(self, now: float) -> None:
        """Check the attended connections that are due. Ping those that are not attended any more a last time."""
        while self._checks and self._checks[0][0] <= now:
            connection = heappop(self._checks)[2]
            connection.scheduled = False
            if connection not in self._connections:
                continue
            if connection.attended:
                self._schedule(connection, connection.check(now))
            else:
                connection.ping(now)  # which says that the next ping comes later

    def _ping_others(self, now: float) -> None:
        """Ping those connections without attention that have waited longest."""
        pinged_per_round = 1 + int(len(self._connections) * PING_ROUND / PING_INTERVAL)
        for connection in tuple(islice(self._connections, pinged_per_round)):
            if now - connection.pinged_at < PING_INTERVAL and not connection.attended:
                break
            del self._connections[connection]
            self._connections[connection] = None
            if not connection.attended:
                connection.ping(now)


class _Connection:
    """A connection of a client to a table. Its commands are executed one at a time, in the order of arrival."""

    __slots__ = (
        "_address",
        "_answered",
        "_command_id",
        "_context",
        "_ending",
        "_heard_at",
        "_identity",
        "_pings",
        "_reader",
        "_rejected",
        "_round_trips",
        "_running",
        "_sent_at",
        "_services",
        "_table",
        "_transport",
        "_waiting",
        "pinged_at",
        "scheduled",
    )

    def __init__(
        self,
        services: Services,
        table: str,
        reader: Subscription,
        transport: TextTransport,
        *,
        identity: Identity | None,
        address: str,
    ) -> None:
        self._services = services
        self._table = table
        self._identity = identity
        self._address = address
        self._reader = reader
        self._transport = transport
        self._context = copy_context()  # contains the request's id, which log messages show
        self._command_id = ""
        self._running: asyncio.Future[Any] | None = None  # Any: the result of a command is not used
        self._waiting: deque[bytes] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._round_trips: deque[int] | None = None
        self._pings = 0
        self._rejected = 0
        self._answered = False
        self._sent_at = 0.0
        self._heard_at = 0.0
        self.pinged_at = 0.0
        self.scheduled = False  # whether the connection is checked regularly

    async def run(self, receive: Receive, send: Send) -> None:
        """Serve the connection until either side closes it."""

        def write() -> None:
            if not self._write() and self._ending is None:
                self._ending = asyncio.create_task(self._end(send))

        self.ping(time.monotonic())
        self._reader.on_ready(write)
        write()
        self._transport.start(self._take, write)
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass  # ASGI reports only the end, because messages arrive through the transport
        finally:
            self._reader.on_ready(None)
            self._reader.close()
            while self._running is not None:  # complete the command even if the client has disconnected
                await asyncio.wait([self._running])
            if self._ending is not None:
                await self._ending

    def ping(self, now: float) -> None:
        """Send a ping to measure the round trip time."""
        self._pings += 1
        self._answered = False
        self.pinged_at = now
        self._send_ping(now)

    def _send_ping(self, now: float) -> None:
        reader, self._sent_at = self._reader, now
        interval = ATTENDED_PING_INTERVAL if reader.attended else PING_INTERVAL
        reader.put(ping_line(reader, self._pings, interval))

    @property
    def attended(self) -> bool:
        """Whether others wait for this client's player; see `Subscription`."""
        return self._reader.attended

    def check(self, now: float) -> float:
        """Ping an attended client, or report that it is silent. Return the time of the next check.

        A client that has just sent anything needs no ping, and one that never answers pings is not reported. A ping
        without an answer is repeated, because the client may receive what it cannot answer in time.
        """
        heard_at = max(self.pinged_at, self._heard_at)
        if self._answered:
            if now < (next_ping := heard_at + ATTENDED_PING_INTERVAL):
                return next_ping
            self.ping(now)
            heard_at = now
        elif now - self._sent_at >= ATTENDED_PING_INTERVAL:
            self._send_ping(now)
        repeats_at = self._sent_at + ATTENDED_PING_INTERVAL
        if self._round_trips is None or self._reader.silent:
            return repeats_at
        if now - heard_at >= SILENCE:
            self._reader.set_silent(True)
            return repeats_at
        return min(repeats_at, heard_at + SILENCE)

    def revoke_access(self) -> None:
        """Close the connection, because its session or token was revoked, or its address banned."""
        self._reader.end("revoked")

    def _write(self) -> bool:
        """Send the pending messages. Return whether the stream continues."""
        if self._transport.full:
            return True  # the transport calls this method again when its buffer has drained
        if frame := self._reader.take():
            self._transport.write(frame)
        return self._reader.ended is None

    async def _end(self, send: Send) -> None:
        with suppress(OSError):  # the client has already disconnected
            await send({"type": "websocket.close", "code": _CODES.get(self._reader.ended or "", 1000)})

    def _take(self, text: bytes) -> None:
        """Handle a message. Invalid messages are rejected. Too many rate-limited messages close the connection."""
        self._reader.set_silent(False)
        self._heard_at = time.monotonic()
        if self._running is not None:
            self._waiting = self._waiting or deque()
            self._waiting.append(text)
            self._transport.pause_reading()
            return
        services, identity = self._services, self._identity
        try:
            services.commands.take(self._address if identity is None else identity.player)
        except RequestError as error:
            self._reject_rate_limited(text, error)
            return
        if len(text) > services.limits.frame:
            self._reject(
                None,
                Problem(
                    kind="too_large",
                    message=f"a message must have at most {services.limits.frame} bytes, but has {len(text)}",
                ),
            )
            return
        try:
            message = parse_message(text)
        except Malformed as error:
            self._reject(extract_id(text), problem_of(error))
            return
        if isinstance(message, Pong):
            self._receive_pong(message)
        else:
            self._receive_command(message)

    def _receive_command(self, parsed: ParsedCommand) -> None:
        self._command_id = parsed.id
        try:
            self._running = self._execute(parsed, require(self._identity, "play"))
        except Exception as error:  # noqa: BLE001 -- the connection continues after an internal error, which is logged
            self._reject_error(error)
        else:
            self._running.add_done_callback(self._answer)

    def _execute(self, parsed: ParsedCommand, me: Identity) -> asyncio.Future[Any]:  # Any: the result is not used
        """Start to execute a command. Only rare commands need a task of their own."""
        command = parsed.command
        if isinstance(command, RematchRequest | Sit | Start | AddBot | Remove | TransferHost | DeclareProgram):
            return asyncio.get_running_loop().create_task(self._execute_in_task(parsed.id, command, me))
        command, lag = with_player_name(command, me), self._reader.lag
        sent = self._services.hub.send(self._table, command, id=parsed.id, player=me.ids, lag=lag)
        if me.program:
            declare_program(self._services.hub, self._table, me.ids)
        return sent

    async def _execute_in_task(
        self,
        key: str,
        command: RematchRequest | Sit | Start | AddBot | Remove | TransferHost | DeclareProgram,
        me: Identity,
    ) -> None:
        if isinstance(command, RematchRequest):
            await request_rematch(self._services, self._table, me, key, address=self._address)
        else:
            await admit_bots(self._services, self._table, command, me.ids)
            await send_to_table(self._services, self._table, me, command, request=key, lag=self._reader.lag)

    def _answer(self, done: asyncio.Future[Any]) -> None:  # Any: the result is not used
        """Acknowledge or reject the executed command, and continue with the messages that arrived meanwhile."""
        self._running = None
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._reader.put(encode_message(Acknowledged(self._command_id)))
        else:
            self._reject_error(error)
        if self._waiting is not None:
            while self._waiting and self._running is None:
                self._take(self._waiting.popleft())
            if not self._waiting:
                self._waiting = None
                self._transport.resume_reading()

    def _receive_pong(self, pong: Pong) -> None:
        if pong.ping != self._pings or self._answered:
            return
        self._answered = True
        if self._round_trips is None:
            self._round_trips = deque(maxlen=PING_WINDOW)
        trip = time.monotonic() - self.pinged_at
        self._round_trips.append(int(1000 * trip))
        self._reader.lag = min(self._round_trips)
        self._services.store.metrics.round_trip_seconds.observe(trip)

    def _reject_error(self, error: BaseException) -> None:
        """Reject the current command because of an error. Log the error if it is internal."""
        problem = problem_of(error) if isinstance(error, EXPECTED) else None
        if problem is None:
            self._context.run(log_error, error)
        self._reject(self._command_id, problem)

    def _reject(self, command: str | None, problem: Problem | None) -> None:
        self._reader.put(encode_message(Rejected(command, problem or internal(self._context.get(request_id, "")))))

    def _reject_rate_limited(self, text: bytes, error: RequestError) -> None:
        self._rejected += 1
        if self._rejected > MAX_REJECTED:
            self._reader.end("rate_limited")
            return
        self._reject(extract_id(text) if len(text) <= self._services.limits.frame else None, problem_of(error))


def _number(query: dict[str, list[str]], name: str) -> int | None:
    """Return the query parameter `name` as a number, or None if it is missing or invalid."""
    text = query.get(name, [""])[0]
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
