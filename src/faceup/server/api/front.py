"""The door: what holds for every request before it is known what it is for.

It stands around Litestar and not in it, so that what Litestar refuses by itself (an address that is nothing, a method
that does not fit) leaves with the same headers, and so that a live connection costs nothing of what requests need.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Protocol

from faceup.server.api.callers import Caller, Proxies, Scope
from faceup.server.api.errors import Denied, Problem, body_of, internal, problem_of, status_of
from faceup.server.api.failing import log_failure
from faceup.server.api.headers import response_headers
from faceup.server.api.limits import Buckets
from faceup.server.api.origins import SAFE, check_origin
from faceup.server.api.services import CALLER, Services
from faceup.server.logs import request_id

Message = MutableMapping[str, Any]  # Any: ASGI puts values of every kind into it
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Live(Protocol):
    """What answers WebSockets."""

    async def start(self) -> None:
        """Begin what goes on beside them."""

    async def stop(self) -> None:
        """End it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One of them."""


class Front:
    """An ASGI application: checks, then hands on to the routes or to the live connections."""

    def __init__(self, services: Services, routes: App, live: Live) -> None:
        self._services = services
        self._routes = routes
        self._live = live
        settings = services.settings
        self._base = settings.base_path
        self._ours = frozenset({settings.public_url.lower()} - {""})
        self._proxies = Proxies(settings.trusted_proxies)
        self._addresses = Buckets(services.limits.from_address)

    async def start(self) -> None:
        """Begin what goes on beside requests; the lifespan of the application does it."""
        await self._services.start()
        await self._live.start()

    async def stop(self) -> None:
        """End it, and what is still connected."""
        await self._live.stop()
        await self._services.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request, one WebSocket, or the life of the application."""
        if scope["type"] == "lifespan":
            await self._live_as_long(receive, send)
            return
        caller = self._proxies.caller(scope)
        scope[CALLER] = caller
        path: str = scope["path"]
        if self._base and (path == self._base or path.startswith(f"{self._base}/")):
            scope["path"] = path[len(self._base) :] or "/"  # a proxy may have taken it away already
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send, caller)
        else:
            await self._answer(scope, receive, send, caller)

    async def _live_as_long(self, receive: Receive, send: Send) -> None:
        """The ASGI lifespan: from the first message to the last."""
        await receive()
        await self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _connect(self, scope: Scope, receive: Receive, send: Send, caller: Caller) -> None:
        try:
            self._addresses.take(caller.source, "connections from this address")
            check_origin(dict(scope["headers"]), caller, self._ours)
        except Denied as denied:
            await refuse_handshake(scope, receive, send, problem_of(denied) or internal(request_id.get()))
            return
        await self._live(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, caller: Caller) -> None:
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = response_headers(message.get("headers", ()), caller)
            await send(message)

        try:
            self._check(scope, caller)
            await self._routes(scope, receive, send_with_headers)
        except Denied as denied:
            await answer_problem(send_with_headers, problem_of(denied) or internal(request_id.get()))
        except Exception as error:  # noqa: BLE001 -- nothing of it may reach the client
            log_failure(error)
            if not status:
                await answer_problem(send_with_headers, internal(request_id.get()))

    def _check(self, scope: Scope, caller: Caller) -> None:
        self._addresses.take(caller.source, "requests from this address")
        if scope["method"] in SAFE:
            return
        headers = dict(scope["headers"])
        check_origin(headers, caller, self._ours)
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        empty = headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers
        if kind != b"application/json" and not (empty and not kind):
            raise Denied("media_type", "what is sent here is JSON: say content-type: application/json")


async def answer_problem(send: Send, problem: Problem) -> None:
    """Answer with what was wrong."""
    body = body_of(problem)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if problem.retry_after is not None:
        headers.append((b"retry-after", str(problem.retry_after).encode()))
    await send({"type": "http.response.start", "status": status_of(problem), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_handshake(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Refuse a WebSocket before it is one: with the same answer as a request, where the server can send it."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return

    async def as_handshake(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    await answer_problem(as_handshake, problem)
