"""The ASGI application, which consists of the middleware, Litestar's routes and the WebSocket endpoint."""

import re
from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import msgspec
from argon2 import Parameters
from litestar import Litestar, MediaType, Request, Response
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException, MethodNotAllowedException, SerializationException, ValidationException

from faceup.core import Malformed
from faceup.server.accounts.passwords import COST, Passwords
from faceup.server.accounts.session_routes import provide_fresh_account
from faceup.server.feature import routes_in
from faceup.server.features import FEATURES
from faceup.server.http import openapi, pages, server_info, site_routes
from faceup.server.http.errors import KIND_BY_STATUS, internal, problem_of, status_of
from faceup.server.http.idempotency import IdempotencyMiddleware
from faceup.server.http.middleware import App, HeadMethod, RequestMiddleware
from faceup.server.http.openapi import OPENAPI
from faceup.server.http.pages import not_found_page
from faceup.server.http.rate_limits import ServerLimits
from faceup.server.http.services import (
    AnyRequest,
    Services,
    authenticate_request,
    provide_account,
    provide_reader,
    provide_services,
)
from faceup.server.http.websocket import WebSocketEndpoint
from faceup.server.live import TableHub
from faceup.server.player_data import export, merge
from faceup.server.process.logs import log_error, request_id
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import ErrorResponse, Problem
from faceup.server.store import Store

if TYPE_CHECKING:
    from faceup.server.process.tracing import Tracing  # its libraries are an extra

TITLE: Final = "faceup"

ROUTES: Final = (
    *chain.from_iterable(feature.routes for feature in FEATURES),
    *routes_in(server_info, site_routes, pages, openapi),
)
"""The routes of all features, and those that describe the server and serve its page."""

E = TypeVar("E", bound=Exception)


def make_app(
    settings: Settings,
    store: Store,
    hub: TableHub,
    *,
    limits: ServerLimits | None = None,
    password_cost: Parameters = COST,
    tracing: "Tracing | None" = None,
) -> RequestMiddleware:
    """Create the ASGI application. The caller must start and stop the store and the hub.

    WebSockets need uvicorn with `faceup.server.http.websocket_protocol.WebSocketProtocol`. Any ASGI server can serve
    the HTTP routes.

    Args:
        settings: the server's settings.
        store: the open store.
        hub: the started table hub.
        limits: rate limits and size limits; by default, `ServerLimits()`.
        password_cost: cost parameters of password hashing.
        tracing: traces of requests; None for none.
    """
    services = Services(
        settings,
        store,
        hub,
        limits=limits or ServerLimits(),
        passwords=Passwords(password_cost),
        features=FEATURES,
        merge=merge,
        export=export,
    )
    routes = cast(
        "App", _routes(services.limits.body, tracing)
    )  # Litestar's types are narrower than the ASGI specification
    once = IdempotencyMiddleware(services, HeadMethod(routes))
    return RequestMiddleware(services, once, WebSocketEndpoint(services))


def api_description() -> dict[str, Any]:  # Any: JSON
    """Return the OpenAPI description of the API, which servers send at `/api/openapi.json`."""
    description: dict[str, Any] = msgspec.json.decode(openapi.describe(_routes(ServerLimits().body)))
    return description


_NUL: Final = re.compile(rb"(?<!\\)(\\\\)*\\u0000")
"""NUL in a JSON string. JSON always escapes it."""


class _JsonRequest(Request[Any, Any, State]):  # Any: as in `AnyRequest`
    """A request with a JSON body. All other bodies raise `Malformed`."""

    async def body(self) -> bytes:
        """Return the body. Raises `Malformed` if it is empty, because only routes that need a body call this method."""
        body = await super().body()
        if not body:
            raise Malformed("the request has no body: send JSON, as the documentation of this endpoint describes")
        return body

    async def json(self) -> Any:  # noqa: ANN401 -- JSON
        """Return the decoded body. Raises `Malformed` if it is not JSON."""
        if _NUL.search(await self.body()):
            raise Malformed("the request body must not contain the character NUL, which databases cannot store")
        try:
            return await super().json()
        except SerializationException as error:
            reason = error.detail
        except UnicodeDecodeError:
            reason = "the text is not UTF-8"
        except RecursionError:
            reason = "it is nested too deeply"
        raise Malformed(f"the request body is not valid JSON: {reason}")


@cache  # because Litestar takes a quarter of a second to prepare the routes
def _routes(body_limit: int, tracing: "Tracing | None" = None) -> Litestar:
    return Litestar(
        route_handlers=ROUTES,
        dependencies={
            "services": Provide(provide_services, sync_to_thread=False),
            "requester": Provide(authenticate_request),
            "reader": Provide(provide_reader, sync_to_thread=False),
            "account": Provide(provide_account, sync_to_thread=False),
            "fresh_account": Provide(provide_fresh_account),
        },
        exception_handlers={
            HTTPException: _with_not_found_page(_http_error_response),
            Exception: _with_not_found_page(_error_response),
        },
        logging_config=None,  # `faceup serve` configures logging
        openapi_config=OPENAPI,
        request_class=_JsonRequest,
        request_max_body_size=body_limit,
        plugins=[] if tracing is None else [tracing.plugin],
        before_send=[] if tracing is None else [tracing.name_request],
    )


def _with_not_found_page(
    handler: Callable[[AnyRequest, E], Response[ErrorResponse]],
) -> Callable[[AnyRequest, E], Response[ErrorResponse] | Response[bytes]]:
    """Wrap an exception handler so that browsers get the HTML page instead of a JSON error with status 404."""

    def answer(request: AnyRequest, error: E) -> Response[ErrorResponse] | Response[bytes]:
        response = handler(request, error)
        page = not_found_page(request, provide_services(request)) if response.status_code == 404 else None
        return response if page is None else page

    return answer


def _error_response(_: AnyRequest, error: Exception) -> Response[ErrorResponse]:
    """Answer with the problem of an expected error. Log any other error, and answer with an internal error."""
    problem = problem_of(error)
    if problem is None:
        log_error(error)
        problem = internal(request_id.get())
    return _answer(problem, status_of(problem))


def _http_error_response(request: AnyRequest, error: HTTPException) -> Response[ErrorResponse]:
    """Answer with the problem of an error that Litestar raised."""
    headers: dict[str, str] = {}
    kind = KIND_BY_STATUS.get(error.status_code, "internal" if error.status_code >= 500 else "malformed")
    where = ""
    if isinstance(error, ValidationException):
        message, where = _validation_problem(error)
    elif isinstance(error, MethodNotAllowedException):
        headers = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
        allowed = ", ".join(headers.values()) or "another method"
        message = f"the method {request.method} is not allowed at this address: use {allowed}"
    elif error.status_code == 404:
        message = "there is nothing at this address"
    elif error.status_code == 413:
        message = f"the request body must have at most {request.app.request_max_body_size} bytes"
    elif error.status_code >= 500:
        log_error(error)
        return _answer(internal(request_id.get()), 500)
    else:
        message = error.detail
    return _answer(Problem(kind=kind, message=message, where=where), error.status_code, headers)


def _validation_problem(error: ValidationException) -> tuple[str, str]:
    """Return the error message for the first invalid value in a body or parameter, and the place of this value."""
    extra = error.extra
    first = extra[0] if isinstance(extra, list) and extra else {}
    text = str(first.get("message", "")) if isinstance(first, dict) else str(first)
    key = str(first.get("key", "")) if isinstance(first, dict) else ""
    message, _, place = text.partition(" - at `$")
    where = place.strip("`.") or ("" if key == "data" else key)
    return f"the request is invalid: {message}" if message else "the request is invalid", where


def _answer(problem: Problem, status: int, headers: dict[str, str] | None = None) -> Response[ErrorResponse]:
    retry = {} if problem.retry_after is None else {"retry-after": str(problem.retry_after)}
    return Response(
        ErrorResponse(problem), status_code=status, media_type=MediaType.JSON, headers={**(headers or {}), **retry}
    )
