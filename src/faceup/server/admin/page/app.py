"""The ASGI application of the page for administration, with its protection against other sites."""

import secrets
from typing import Final, cast

from litestar import Litestar
from litestar.di import Provide
from litestar.exceptions import HTTPException

from faceup.server.admin.page.routes import ROUTES, show_error
from faceup.server.admin.page.sessions import AdminSessions
from faceup.server.http.client_address import Scope, TrustedProxies
from faceup.server.http.errors import RequestError, internal, problem_of
from faceup.server.http.hosts import AllowedHosts
from faceup.server.http.middleware import (
    SAFE,
    App,
    HeadMethod,
    Message,
    Receive,
    Send,
    answer_problem,
    check_origin,
    response_headers,
)
from faceup.server.http.services import CALLER, Services
from faceup.server.process.logs import log_error, request_id

_MAX_BODY: Final = 8 * 1024
"""Maximum size of a form, in bytes."""

_POLICY: Final = (
    b"default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Content Security Policy: the page has no scripts."""

_WITHOUT_LOGIN: Final = frozenset({"/login", "/style.css", "/icon.svg"})


class AdminPort:
    """ASGI middleware that passes what comes in on the port of the page for administration to that page.

    Args:
        app: the application for all other ports.
        page: the page.
        port: its port.
    """

    def __init__(self, app: App, page: App, port: int) -> None:
        self._app = app
        self._page = page
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request, a WebSocket or the lifespan."""
        # uvicorn sets this to the local address of the connection, which no client can choose.
        _, port = scope.get("server") or ("", None)
        app = self._page if scope["type"] != "lifespan" and port == self._port else self._app
        await app(scope, receive, send)


class AdminPage:
    """The ASGI application of the page. `services` are those of the server."""

    def __init__(self, services: Services) -> None:
        settings = services.settings
        self._proxies = TrustedProxies(settings.trusted_proxies)
        self._hosts = AllowedHosts(settings)
        self._sessions = AdminSessions(settings.admin_token)
        routes = Litestar(
            route_handlers=ROUTES,
            dependencies={
                "services": Provide(lambda: services, sync_to_thread=False),
                "sessions": Provide(lambda: self._sessions, sync_to_thread=False),
            },
            exception_handlers={HTTPException: show_error, Exception: show_error},
            logging_config=None,
            openapi_config=None,
            request_max_body_size=_MAX_BODY,
        )
        self._routes = HeadMethod(cast("App", routes))  # Litestar's types are narrower than the ASGI specification

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request. WebSockets are refused."""
        if scope["type"] != "http":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        request_id.set(secrets.token_hex(4))
        caller = scope[CALLER] = self._proxies.caller(scope)
        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = [*message.get("headers", ()), (b"content-security-policy", _POLICY)]
                message["headers"] = response_headers(headers, caller)
            await send(message)

        try:
            self._check(scope)
            if scope["path"] in _WITHOUT_LOGIN or self._sessions.is_logged_in(scope):
                await self._routes(scope, receive, send_with_headers)
            else:
                headers = [(b"location", b"/login"), (b"content-length", b"0")]
                await send_with_headers({"type": "http.response.start", "status": 303, "headers": headers})
                await send_with_headers({"type": "http.response.body"})
        except RequestError as denied:
            problem = problem_of(denied) or internal(request_id.get())
            await answer_problem(send_with_headers, problem, as_text=True)
        except Exception as error:  # noqa: BLE001 -- the client must not see details of internal errors
            log_error(error)
            if not started:
                await answer_problem(send_with_headers, internal(request_id.get()), as_text=True)

    def _check(self, scope: Scope) -> None:
        """Raise `RequestError` for a foreign host name, and for a change that another page may have sent.

        The pages for players are other pages, too, because their port makes them another origin. Browsers name the
        origin of every request that is not a GET, so a change without it is refused.
        """
        caller = scope[CALLER]
        self._hosts.check(caller)
        if scope["method"] in SAFE:
            return
        headers = dict(scope["headers"])
        check_origin(headers, caller)
        if b"origin" not in headers:
            raise RequestError("cross_origin", "a change needs the header Origin, which browsers send")
