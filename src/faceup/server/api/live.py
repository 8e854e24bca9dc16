"""The live channel: one WebSocket at one table, lines both ways.

A plain ASGI application and no route of Litestar's: a frame costs what decoding it costs, and an idle connection holds
one small task. Litestar's own WebSocket would keep a request object, a copy of the scope and its dependencies for
each. Once it is accepted, ASGI says only when it ends: messages come and go by its `Wire`, without a task between.

Down go the lines of the table, acknowledgements and refusals, and now and then a `ping`. Up come commands, and `pong`s:
by them the server measures how long a line takes there and back, which is all the allowance that a deadline makes.
"""

import asyncio
import re
import time
from collections import deque
from contextlib import ExitStack, suppress
from contextvars import copy_context
from itertools import islice
from typing import Any, Final
from urllib.parse import parse_qs

from faceup.core import Malformed
from faceup.server.api.callers import Scope
from faceup.server.api.errors import EXPECTED, Problem, internal, problem_of, refusal_line
from faceup.server.api.failing import log_failure
from faceup.server.api.frames import Asked, AskRematch, Pong, id_within, read_frame
from faceup.server.api.front import Receive, Send, refuse_handshake
from faceup.server.api.lines import WIRE, Wire
from faceup.server.api.playing import named, note_seat, player_at
from faceup.server.api.recognition import require
from faceup.server.api.services import CALLER, Asker, Services, connected, identified
from faceup.server.desk import Ack, Subscription
from faceup.server.logs import request_id
from faceup.server.people.identity import Identity
from faceup.server.rooms import PersonCommand, Sit

PATH: Final = re.compile(r"/api/tables/([A-Za-z0-9_-]{1,40})/live")

PING_EVERY: Final = 15.0
"""Seconds between pings to one client."""

_PING_SOME: Final = 0.1
"""Seconds between pings to some of the clients."""

PINGS_KEPT: Final = 4
"""The shortest of so many round trips counts: one that waited in a queue says nothing about the way."""

MOST_REFUSED: Final = 200
"""Frames that one connection may send too fast before it is ended."""

_CODES: Final = {"slow": 4008, "restart": 1012, "private": 4003, "again": 1013, "revoked": 4001}
"""WebSocket close codes by why a stream ends; else 1000. The last line says it, too."""

_NOT_NOW: Final = 4004
"""The close code when there is nothing to connect to; a line before it says why."""


class Live:
    """The ASGI application of all live connections."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._connections: dict[_Connection, None] = {}  # whose last ping was longest ago, first
        self._pinging: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to ping."""
        self._pinging = asyncio.create_task(self._ping())

    async def stop(self) -> None:
        """Ping no more."""
        if self._pinging is not None:
            self._pinging.cancel()
            with suppress(asyncio.CancelledError):
                await self._pinging

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection."""
        path = PATH.fullmatch(scope["path"])
        if path is None:
            await refuse_handshake(
                scope, receive, send, Problem(kind="missing", message="there is nothing to connect to at this address")
            )
            return
        scope["path_template"] = "/api/tables/{table}/live"
        services = self._services
        with ExitStack() as places:
            try:
                asker = await identified(dict(scope["headers"]), scope[CALLER], services)
                places.enter_context(connected(services, asker))
            except EXPECTED as error:
                await refuse_handshake(scope, receive, send, problem_of(error) or internal(request_id.get()))
                return
            await receive()
            await send({"type": "websocket.accept"})
            await self._serve(path[1], asker, scope, receive, send)

    async def _serve(self, table: str, asker: Asker, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection at one table, once it is there."""
        services, identity = self._services, asker.identity
        wire: Wire = scope["extensions"][WIRE]
        query = parse_qs(scope["query_string"].decode("latin-1"))
        try:
            player = None
            if identity is not None:
                player = await player_at(services, table, asker.may("read"), seat=_number(query, "seat"))
            reader = await services.desk.watch(table, player, _number(query, "after"))
        except EXPECTED as error:
            wire.write(refusal_line(None, problem_of(error) or internal(request_id.get())))
            with suppress(OSError):
                await send({"type": "websocket.close", "code": _NOT_NOW})
            return
        address = asker.caller.source
        connection = _Connection(services, table, reader, wire, identity=identity, player=player, address=address)
        self._connections[connection] = None
        if identity is not None:
            services.recognition.connect(identity, connection)
        try:
            await connection.run(receive, send)
        finally:
            del self._connections[connection]
            if identity is not None:
                services.recognition.disconnect(identity, connection)

    async def _ping(self) -> None:
        """Ping those whose turn it is, a few at a time: everybody would wait while a thousand answer at once."""
        while True:
            await asyncio.sleep(_PING_SOME)
            now = time.monotonic()
            few = 1 + int(len(self._connections) * _PING_SOME / PING_EVERY)
            for connection in tuple(islice(self._connections, few)):
                if now - connection.pinged_at < PING_EVERY:
                    break
                del self._connections[connection]
                self._connections[connection] = None
                connection.ping(now)


class _Connection:
    """One client at one table. Its commands are done one after the other; what comes meanwhile waits."""

    __slots__ = (
        "_address",
        "_answered",
        "_asked",
        "_context",
        "_doing",
        "_ending",
        "_identity",
        "_pings",
        "_player",
        "_reader",
        "_refused",
        "_services",
        "_table",
        "_trips",
        "_waiting",
        "_wire",
        "pinged_at",
    )

    def __init__(
        self,
        services: Services,
        table: str,
        reader: Subscription,
        wire: Wire,
        *,
        identity: Identity | None,
        player: str | None,
        address: str,
    ) -> None:
        self._services = services
        self._table = table
        self._identity = identity
        self._player = player
        self._address = address
        self._reader = reader
        self._wire = wire
        self._context = copy_context()  # with the request's id, for what is logged
        self._asked = ""
        self._doing: asyncio.Future[Any] | None = None  # Any: what comes of a command is known by its not failing
        self._waiting: deque[bytes] | None = None
        self._ending: asyncio.Task[None] | None = None
        self._trips: deque[int] | None = None
        self._pings = 0
        self._refused = 0
        self._answered = False
        self.pinged_at = 0.0

    async def run(self, receive: Receive, send: Send) -> None:
        """Until either side ends it."""

        def write() -> None:
            if not self._write() and self._ending is None:
                self._ending = asyncio.create_task(self._end(send))

        self.ping(time.monotonic())
        self._reader.on_ready(write)
        write()
        self._wire.begin(self._take, write)
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass  # the wire brings what is sent
        finally:
            self._reader.on_ready(None)
            self._reader.close()
            while self._doing is not None:  # what was sent is done, whether or not there is somebody to answer
                await asyncio.wait([self._doing])
            if self._ending is not None:
                await self._ending

    def ping(self, now: float) -> None:
        """Ask the client to answer, to see how long it takes."""
        self._pings += 1
        self._answered = False
        self.pinged_at = now
        self._reader.put(b'{"ping":%d}\n' % self._pings)

    def cut(self) -> None:
        """End it: its session or token opens nothing any more."""
        self._reader.end("revoked")

    def _write(self) -> bool:
        """Send what is ready; whether there will be more."""
        if self._wire.full:
            return True  # it will be called again
        if frame := self._reader.take():
            self._wire.write(frame)
        return self._reader.ended is None

    async def _end(self, send: Send) -> None:
        with suppress(OSError):  # the client is gone already
            await send({"type": "websocket.close", "code": _CODES.get(self._reader.ended or "", 1000)})

    def _take(self, text: bytes) -> None:
        """One frame. What is wrong with it is answered by a line; only too many of them end the connection."""
        if self._doing is not None:
            self._waiting = self._waiting or deque()
            self._waiting.append(text)
            self._wire.hold()
            return
        services, identity = self._services, self._identity
        wait = services.commands.wait(self._address if identity is None else identity.player)
        if wait:
            self._refuse_fast(text, wait)
            return
        if len(text) > services.limits.frame:
            self._refuse(None, Problem(kind="too_large", message=f"a frame has {services.limits.frame} bytes at most"))
            return
        try:
            asked = read_frame(text)
        except Malformed as error:
            self._refuse(id_within(text), problem_of(error))
            return
        if isinstance(asked, Pong):
            self._ponged(asked)
        else:
            self._command(asked)

    def _command(self, asked: Asked) -> None:
        self._asked = asked.id
        try:
            self._doing = self._done(asked, require(self._identity, "play"))
        except Exception as error:  # noqa: BLE001 -- the connection outlives an error of ours, and the log has it
            self._refuse_for(error)
        else:
            self._doing.add_done_callback(self._answer)

    def _done(self, asked: Asked, me: Identity) -> asyncio.Future[Any]:  # Any: as above
        """Have a command done; only what is seldom asked has a task of its own."""
        if me.also or isinstance(asked.command, AskRematch | Sit):
            return asyncio.get_running_loop().create_task(self._done_slowly(asked, me))
        return self._sent(asked.id, named(asked.command, me), self._player or me.player)

    async def _done_slowly(self, asked: Asked, me: Identity) -> None:
        services, command, player = self._services, asked.command, self._player or me.player
        if isinstance(command, AskRematch):
            await services.desk.rematch(self._table, player, id=asked.id)
            return
        if me.also:
            player = await player_at(services, self._table, me, command)
        await self._sent(asked.id, named(command, me), player)
        if isinstance(command, Sit):
            await note_seat(services, self._table, player)

    def _sent(self, key: str, command: PersonCommand, player: str) -> asyncio.Future[Ack]:
        return self._services.desk.send(self._table, command, id=key, player=player, lag=self._reader.lag)

    def _answer(self, done: asyncio.Future[Any]) -> None:  # Any: as above
        """Say what came of a command, and take what came meanwhile."""
        self._doing = None
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            self._reader.put(b'{"ack":"%b"}\n' % self._asked.encode())
        else:
            self._refuse_for(error)
        if self._waiting is not None:
            while self._waiting and self._doing is None:
                self._take(self._waiting.popleft())
            if not self._waiting:
                self._waiting = None
                self._wire.go_on()

    def _ponged(self, pong: Pong) -> None:
        if pong.ping != self._pings or self._answered:
            return
        self._answered = True
        if self._trips is None:
            self._trips = deque(maxlen=PINGS_KEPT)
        trip = time.monotonic() - self.pinged_at
        self._trips.append(int(1000 * trip))
        self._reader.lag = min(self._trips)
        self._services.tally.lag_seconds.add(trip)

    def _refuse_for(self, error: BaseException) -> None:
        """Answer a command with what it was refused for, or that something went wrong."""
        problem = problem_of(error) if isinstance(error, EXPECTED) else None
        if problem is None:
            self._context.run(log_failure, error)
        self._refuse(self._asked, problem)

    def _refuse(self, command: str | None, problem: Problem | None) -> None:
        self._reader.put(refusal_line(command, problem or internal(self._context.get(request_id, ""))))

    def _refuse_fast(self, text: bytes, wait: float) -> None:
        self._refused += 1
        if self._refused > MOST_REFUSED:
            self._reader.end("slow")
            return
        problem = Problem(kind="too_many", message="too many commands at once: slow down", retry_after=1 + int(wait))
        self._refuse(id_within(text) if len(text) <= self._services.limits.frame else None, problem)


def _number(query: dict[str, list[str]], name: str) -> int | None:
    """What the client says of it in the address, if it says anything."""
    said = query.get(name, [""])[0]
    return int(said) if said.isascii() and said.isdigit() and len(said) < 16 else None
