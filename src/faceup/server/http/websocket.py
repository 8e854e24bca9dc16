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
from typing import Any, Final
from urllib.parse import parse_qs

from faceup.core import Malformed
from faceup.server.accounts.credentials import Identity
from faceup.server.http.address_limits import admit_bots
from faceup.server.http.auth import require
from faceup.server.http.client_address import Scope
from faceup.server.http.errors import EXPECTED, RequestError, internal, problem_of
from faceup.server.http.middleware import Receive, Send, refuse_handshake
from faceup.server.http.pings import (
    ATTENDED_PING_INTERVAL,
    AWAITED_PING_INTERVAL,
    SILENCE,
    PingSchedule,
    ping_interval,
    ping_line,
)
from faceup.server.http.schemas import ParsedCommand, Pong, RematchRequest, extract_id, parse_message
from faceup.server.http.services import (
    CALLER,
    Requester,
    Services,
    authenticate,
    count_connection,
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
from faceup.server.tables.routes import request_rematch, watch_table

PATH: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,40})/live")

PING_ROUND: Final = 0.05
"""Seconds between two rounds of the ping task."""

LATE_ROUND: Final = 0.25
"""Seconds after which a late round reports no client as silent, because this process may not have read its answer."""

PING_WINDOW: Final = 4
"""The number of latest round trips. Their minimum, which ignores delays in queues, is the latency."""

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
        self._schedule = PingSchedule()
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
            seat, after = _number(query, "seat"), _number(query, "after")
            reader = await watch_table(services, requester, table, seat=seat, after=after)
        except EXPECTED as error:
            transport.write(encode_message(Rejected(None, problem_of(error) or internal(request_id.get()))))
            with suppress(OSError):
                await send({"type": "websocket.close", "code": _CANNOT_WATCH})
            return
        services.coach.prepare()
        address = requester.caller.source
        connection = _Connection(services, table, reader, transport, identity=identity, address=address)
        services.auth_cache.connect(requester.subjects, connection)
        reader.on_attention(lambda: connection.notice_attention(self._schedule))
        try:
            await connection.run(receive, send, self._schedule)
        finally:
            services.auth_cache.disconnect(requester.subjects, connection)

    async def _ping(self) -> None:
        while True:
            due = time.monotonic() + PING_ROUND
            await asyncio.sleep(PING_ROUND)
            now = time.monotonic()
            self._schedule.check(now, late=now - due > LATE_ROUND)


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
        "_stated_interval",
        "_table",
        "_transport",
        "_waiting",
        "check_at",
        "pinged_at",
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
        self._stated_interval = 0.0  # the client expects another message within this time and some more
        self.pinged_at = 0.0
        self.check_at = 0.0

    async def run(self, receive: Receive, send: Send, schedule: PingSchedule) -> None:
        """Serve the connection until either side closes it."""

        def write() -> None:
            if not self._write() and self._ending is None:
                self._ending = asyncio.create_task(self._end(send))

        now = time.monotonic()
        self.ping(now)
        schedule.add(self, now)
        self._reader.on_ready(write)
        write()
        self._transport.start(self._take, write)
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass  # ASGI reports only the end, because messages arrive through the transport
        finally:
            schedule.remove(self)
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
        reader, self._sent_at, self._stated_interval = self._reader, now, ping_interval(self._reader)
        reader.put(ping_line(reader, self._pings, self._stated_interval))

    def notice_attention(self, schedule: PingSchedule) -> None:
        """Adapt to how soon a lost network must be noticed now.

        If the client expects pings more often than necessary, or as rarely as without attention, it gets one with the
        update that is being sent.
        """
        now, stated, interval = time.monotonic(), self._stated_interval, ping_interval(self._reader)
        if self._answered and (stated < interval or interval <= ATTENDED_PING_INTERVAL < stated):
            self.ping(now)
        schedule.move_forward(self, now)

    def next_check(self, now: float) -> float:
        """Return when a ping will be due or an answer overdue."""
        if self._answered:
            return self._next_ping(self._last_sign, now)
        if self._suspect:
            return min(self._sent_at + AWAITED_PING_INTERVAL, self._last_sign + SILENCE)
        return self._next_ping(self._sent_at, now)

    def check(self, now: float, *, late: bool) -> None:
        """Ping the client, or report that it is silent unless the check is late, if either is due.

        A client that has just sent anything needs no ping, and one that never answers pings is not reported. A ping
        without an answer is repeated, because the client may receive what it cannot answer in time.
        """
        if now < self.next_check(now):
            return
        if self._answered:
            self.ping(now)
            return
        if self._suspect and now >= self._last_sign + SILENCE and not late:
            self._reader.set_silent(True)
        repeats_at = self._sent_at + AWAITED_PING_INTERVAL if self._suspect else self._next_ping(self._sent_at, now)
        if now >= repeats_at:
            self._send_ping(now)

    @property
    def _last_sign(self) -> float:
        """When the last message from the client arrived, or an answer was requested."""
        return max(self.pinged_at, self._heard_at)

    @property
    def _suspect(self) -> bool:
        """Whether a player who usually answers pings has not answered the last one, and does not count as silent."""
        reader = self._reader
        return reader.attended and not self._answered and self._round_trips is not None and not reader.silent

    def _next_ping(self, since: float, now: float) -> float:
        """Return when to send a ping if there has been no message since that time."""
        if not self._reader.attended:
            return since + self._stated_interval
        awaited_at = now + self._reader.awaited_in()
        awaited_at = max(since, awaited_at) + max(since - awaited_at, AWAITED_PING_INTERVAL)
        return min(since + min(self._stated_interval, ATTENDED_PING_INTERVAL), awaited_at)

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
        """Acknowledge or reject the executed command, and continue with the messages that have arrived since."""
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
