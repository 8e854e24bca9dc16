"""ASGI middleware for rate limits by address, host names, CSRF protection, security headers, and HEAD requests.

The middleware wraps Litestar for two reasons: Litestar's own errors (unknown address, wrong method) need the same
headers as other responses, and WebSocket connections do not pass through Litestar.

Cross-site requests are recognized by two headers: browsers send `Sec-Fetch-Site` from secure pages, and `Origin` with
all requests except simple GETs, also with WebSocket handshakes. Therefore forms need no CSRF token. Programs send
neither of the two headers and authenticate by a key. As further protection, the cookie is SameSite=Lax, and request
bodies must be JSON, which forms cannot send.
"""

import asyncio
from collections.abc import Awaitable, Callable, Container, Iterable, MutableMapping
from contextlib import AsyncExitStack
from typing import Any, Final, Protocol

from faceup.server.http.client_address import ClientAddress, Scope, TrustedProxies
from faceup.server.http.errors import EXPECTED, RequestError, body_of, internal, problem_of, status_of
from faceup.server.http.hosts import AllowedHosts
from faceup.server.http.rate_limits import RateLimiter
from faceup.server.http.services import CALLER, SERVICES, Services
from faceup.server.process.logs import log_error, request_id
from faceup.server.process.periodic import running
from faceup.server.rooms.wire import Problem
from faceup.server.site import SITE

Message = MutableMapping[str, Any]  # Any: ASGI has values of many types
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class WebSocketApp(Protocol):
    """An ASGI application for WebSockets."""

    async def start(self) -> None:
        """Start the background tasks."""

    async def stop(self) -> None:
        """Stop the background tasks."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a WebSocket."""


class RequestMiddleware:
    """An ASGI application that checks each request and passes it to the routes or to the WebSocket endpoint.

    Attributes:
        services: the services that the routes use.
    """

    def __init__(self, services: Services, routes: App, live: WebSocketApp) -> None:
        self.services = services
        self._routes = routes
        self._live = live
        self._tasks = AsyncExitStack()
        settings = services.settings
        self._base = settings.base_path
        self._own_origins = frozenset({settings.public_url.lower()} - {""})
        self._proxies = TrustedProxies(settings.trusted_proxies)
        self._hosts = AllowedHosts(settings)
        self._addresses = RateLimiter(services.limits.per_address, "requests from this address")

    async def start(self) -> None:
        """Start the background tasks. The ASGI lifespan calls this method."""
        await self._tasks.enter_async_context(running((self.services, self._live)))

    async def stop(self) -> None:
        """Stop the background tasks and close the connections."""
        await self._tasks.aclose()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, a WebSocket or the lifespan."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        SITE.set(self.services.site)
        caller = self._proxies.caller(scope)
        scope[CALLER], scope[SERVICES] = caller, self.services
        path: str = scope["path"]
        if self._base and (path == self._base or path.startswith(f"{self._base}/")):
            scope["path"] = path[len(self._base) :] or "/"  # some proxies remove the base path themselves
        if scope["type"] == "websocket":
            await self._connect(scope, receive, send, caller)
        else:
            await self._answer(scope, receive, send, caller)

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        """Serve the ASGI lifespan."""
        await receive()
        await self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _connect(self, scope: Scope, receive: Receive, send: Send, caller: ClientAddress) -> None:
        try:
            self._addresses.take(caller.source)
            self._hosts.check(caller)
            check_origin(dict(scope["headers"]), caller, self._own_origins)
        except RequestError as denied:
            await refuse_handshake(scope, receive, send, problem_of(denied) or internal(request_id.get()))
            return
        await self._live(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send, caller: ClientAddress) -> None:
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
        except EXPECTED as denied:
            problem = problem_of(denied) or internal(request_id.get())
            page = b"text/html" in dict(scope["headers"]).get(b"accept", b"")
            await answer_problem(send_with_headers, problem, as_text=page)
        except Exception as error:  # noqa: BLE001 -- the client must not see details of internal errors
            log_error(error)
            if not status:
                await answer_problem(send_with_headers, internal(request_id.get()))

    def _check(self, scope: Scope, caller: ClientAddress) -> None:
        self._addresses.take(caller.source)
        self._hosts.check(caller)
        if "\0" in scope["path"] or b"%00" in scope["query_string"] or b"\0" in scope["query_string"]:
            raise RequestError("malformed", "an address must not contain the character NUL, written %00")
        if scope["method"] in SAFE:
            return
        headers = dict(scope["headers"])
        check_origin(headers, caller, self._own_origins)
        kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
        empty = headers.get(b"content-length", b"0") == b"0" and b"transfer-encoding" not in headers
        form = scope["path"].endswith(FORM_PATH)
        if kind != b"application/json" and not form and not (empty and not kind):
            raise RequestError(
                "unsupported_media_type",
                "the request body must be JSON, with the header `content-type: application/json`",
            )


async def answer_problem(send: Send, problem: Problem, *, as_text: bool = False) -> None:
    """Send the HTTP error response for a problem, or only its sentence, for people who have opened an address."""
    body, kind = body_of(problem), b"application/json"
    if as_text:
        body, kind = f"{problem.message}\n".encode(), b"text/plain; charset=utf-8"
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    if problem.retry_after is not None:
        headers.append((b"retry-after", str(problem.retry_after).encode()))
    await send({"type": "http.response.start", "status": status_of(problem), "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def refuse_handshake(scope: Scope, receive: Receive, send: Send, problem: Problem) -> None:
    """Reject a WebSocket handshake. If the ASGI server supports it, send an HTTP error response."""
    await receive()
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return

    async def as_handshake(message: Message) -> None:
        await send({**message, "type": f"websocket.{message['type']}"})

    await answer_problem(as_handshake, problem)


FORM_PATH: Final = "/api/mail/unsubscribe"
"""The end of the one path to which mail programs and a page send a form. Its body is not read."""

PAGE_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "media-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)
"""Content Security Policy of pages. It allows only files of this server, and no inline scripts or styles.

Pages add the hashes of the scripts and of the style sheet that they contain on a first visit.
"""

IMAGE_CSP: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""Content Security Policy of images. It allows only inline styles."""

_ALWAYS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
)

_DEFAULT_HEADERS: Final = (
    (b"content-security-policy", PAGE_CSP.encode()),
    (b"cache-control", b"no-store"),
)

_ASSET_HEADERS: Final = frozenset({b"x-content-type-options", b"cross-origin-resource-policy"})
"""The security headers that scripts and styles get. All other security headers have an effect only on pages."""

_HTTPS_HEADERS: Final = (
    (b"strict-transport-security", b"max-age=15552000"),  # half a year
    (b"cross-origin-opener-policy", b"same-origin"),
)
"""Headers that are sent only over https. Over http, browsers ignore these headers, and warn about the second one."""


ANY_SITE: Final = {"access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin"}
"""Headers that allow pages of other sites to load a response, without cookies. Only for what anyone may see."""


def response_headers(own: Iterable[tuple[bytes, bytes]], caller: ClientAddress) -> list[tuple[bytes, bytes]]:
    """Return the headers of a response together with the security headers."""
    headers = list(own)
    present = {name.lower(): value for name, value in headers}
    part = present.get(b"content-type", b"").startswith((b"text/javascript", b"text/css"))
    headers += [header for header in _ALWAYS if header[0] not in present and (header[0] in _ASSET_HEADERS or not part)]
    headers += [header for header in _DEFAULT_HEADERS if header[0] not in present and not part]
    if caller.secure:
        headers += _HTTPS_HEADERS
    return headers


SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""The HTTP methods that change nothing on the server."""


def check_origin(headers: dict[bytes, bytes], caller: ClientAddress, own_origins: Container[str] = ()) -> None:
    """Raise `RequestError` ("cross_origin") if a page of another site sent the request.

    Args:
        headers: the headers of the request, with lower-case names.
        caller: the client, with the scheme and host that it used.
        own_origins: further origins with pages of this server, such as the public URL.

    >>> check_origin({b"origin": b"https://a.org"}, ClientAddress("1.2.3.4", "https", "a.org"))
    >>> check_origin({b"origin": b"https://b.org"}, ClientAddress("1.2.3.4", "https", "a.org"))
    Traceback (most recent call last):
    faceup.server.http.errors.RequestError: pages of 'https://b.org' may not send requests to this server, 'https://a.org'
    """
    origin = headers.get(b"origin")
    if origin is not None:
        sender = origin.decode("latin-1").lower()
        if sender != caller.origin.lower() and sender not in own_origins:
            # The message names both origins, because operators often forget to let the proxy forward scheme and host.
            raise RequestError(
                "cross_origin",
                f"pages of {sender[:100]!r} may not send requests to this server, {caller.origin!r}",
            )
    if headers.get(b"sec-fetch-site", b"none") not in {b"same-origin", b"none"}:
        raise RequestError("cross_origin", "pages of other sites may not send requests to this server")


class HeadMethod:
    """An ASGI middleware that answers HEAD requests like GET requests, but without the body."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. For an endless stream, the answer to HEAD ends after the headers."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        headers_sent = asyncio.Event()

        async def without_body(message: Message) -> None:
            if message["type"] == "http.response.start":
                await send(message)
            elif not headers_sent.is_set():
                headers_sent.set()
                await send({"type": "http.response.body"})

        as_get = {**scope, "method": "GET"}
        answering = asyncio.ensure_future(self._app(as_get, receive, without_body))
        ended = asyncio.create_task(headers_sent.wait())
        try:
            await asyncio.wait({answering, ended}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, ended):
                task.cancel()
            result, _ = await asyncio.gather(answering, ended, return_exceptions=True)
            scope["path_template"] = as_get.get("path_template")
        if isinstance(result, Exception):
            raise result
