"""The application: the routes in Litestar, the live connections beside them, and the door around both."""

from collections.abc import Callable
from typing import Final, TypeVar, cast

from argon2 import Parameters
from argon2.profiles import RFC_9106_LOW_MEMORY
from litestar import Litestar, MediaType, Response
from litestar.di import Provide
from litestar.exceptions import HTTPException, MethodNotAllowedException, ValidationException

from faceup.server.api.errors import KIND, Failure, Problem, internal, problem_of, status_of
from faceup.server.api.failing import log_failure
from faceup.server.api.front import App, Front
from faceup.server.api.heads import Heads
from faceup.server.api.limits import Limits
from faceup.server.api.live import Live
from faceup.server.api.openapi import OPENAPI
from faceup.server.api.routes import ROUTES
from faceup.server.api.routes.pages import nothing_here
from faceup.server.api.services import AnyRequest, Asker, Services, asker_of
from faceup.server.desk import Desk
from faceup.server.logs import request_id
from faceup.server.people.passwords import Passwords
from faceup.server.settings import Settings
from faceup.server.store import Store
from faceup.server.tally import Tally

TITLE: Final = "faceup"

E = TypeVar("E", bound=Exception)


def make_app(
    settings: Settings,
    store: Store,
    desk: Desk,
    *,
    limits: Limits | None = None,
    tally: Tally | None = None,
    password_cost: Parameters = RFC_9106_LOW_MEMORY,
) -> Front:
    """The server as an ASGI application. Its lifespan starts and stops what is its own, and neither store nor desk.

    WebSockets need uvicorn with `faceup.server.api.lines.LinesProtocol`; the rest is served by any server of ASGI.

    Args:
        settings: how people reach it, and who may.
        store: where everything is kept; open.
        desk: the tables; started.
        limits: how much is too much.
        tally: where round trips are counted.
        password_cost: of hashing a password.
    """
    services = Services(
        settings, store, desk, limits=limits or Limits(), tally=tally or Tally(), passwords=Passwords(password_cost)
    )
    routes = cast("App", _routes(services))  # Litestar's types of ASGI are narrower than ASGI's
    return Front(services, Heads(routes), Live(services))


def _routes(services: Services) -> Litestar:
    async def provide_asker(request: AnyRequest) -> Asker:
        return await asker_of(request, services)

    return Litestar(
        route_handlers=ROUTES,
        dependencies={
            "services": Provide(lambda: services, sync_to_thread=False),
            "asker": Provide(provide_asker),
        },
        exception_handlers={HTTPException: _seen(_refused_by_litestar, services), Exception: _seen(_refused, services)},
        logging_config=None,  # the server's own log is set up by whoever runs it
        openapi_config=OPENAPI,
        request_max_body_size=services.limits.body,
    )


def _seen(
    refuse: Callable[[AnyRequest, E], Response[Failure]], services: Services
) -> Callable[[AnyRequest, E], Response[Failure] | Response[bytes]]:
    """The same, but that a person who follows a link to nothing gets the page, which says so."""

    def answer(request: AnyRequest, error: E) -> Response[Failure] | Response[bytes]:
        refused = refuse(request, error)
        page = nothing_here(request, services) if refused.status_code == 404 else None
        return refused if page is None else page

    return answer


def _refused(_: AnyRequest, error: Exception) -> Response[Failure]:
    """Everything that the parts refuse, and what they failed at."""
    problem = problem_of(error)
    if problem is None:
        log_failure(error)
        problem = internal(request_id.get())
    return _answer(problem, status_of(problem))


def _refused_by_litestar(request: AnyRequest, error: HTTPException) -> Response[Failure]:
    """What is refused before a route is reached."""
    headers: dict[str, str] = {}
    kind = KIND.get(error.status_code, "internal" if error.status_code >= 500 else "malformed")
    where = ""
    if isinstance(error, ValidationException):
        message, where = _what_is_wrong(error)
    elif isinstance(error, MethodNotAllowedException):
        message = f"{request.method} does not fit here"
        headers = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    elif error.status_code == 404:
        message = "there is nothing at this address"
    elif error.status_code == 413:
        message = "this is more than is taken at once"
    elif error.status_code >= 500:
        log_failure(error)
        return _answer(internal(request_id.get()), 500)
    else:
        message = error.detail
    return _answer(Problem(kind=kind, message=message, where=where), error.status_code, headers)


def _what_is_wrong(error: ValidationException) -> tuple[str, str]:
    """The first thing that is wrong with a body or a parameter, and where."""
    extra = error.extra
    first = extra[0] if isinstance(extra, list) and extra else {}
    said = str(first.get("message", "")) if isinstance(first, dict) else str(first)
    key = str(first.get("key", "")) if isinstance(first, dict) else ""
    message, _, place = said.partition(" - at `$")
    where = place.strip("`.") or ("" if key == "data" else key)
    return message or "this does not mean anything here", where


def _answer(problem: Problem, status: int, headers: dict[str, str] | None = None) -> Response[Failure]:
    retry = {} if problem.retry_after is None else {"retry-after": str(problem.retry_after)}
    return Response(
        Failure(problem), status_code=status, media_type=MediaType.JSON, headers={**(headers or {}), **retry}
    )
