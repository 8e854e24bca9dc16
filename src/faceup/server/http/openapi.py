"""The OpenAPI description, which is generated from the routes and their types when it is first requested."""

import re
from importlib.metadata import version
from inspect import cleandoc
from typing import Any, Final

import msgspec
from litestar import Litestar, MediaType, Response, Router, get
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ControllerRouterHandler

from faceup.server.http.services import AnyRequest
from faceup.server.rooms.wire import SESSION_COOKIE, ErrorResponse, message_schemas


class _Nothing(Router):
    """A router without routes. It replaces Litestar's API pages, which load scripts from other sites."""

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:
        """Register nothing."""
        del value
        return []


OPENAPI: Final = OpenAPIConfig(
    title="faceup",
    version=version("faceup"),
    description="Online tables for games in which everyone chooses in secret and all choices are revealed together.",
    openapi_router=_Nothing("/api/openapi", route_handlers=[]),
    render_plugins=[],
    use_handler_docstrings=True,
    tags=[
        Tag("accounts", "Guests and accounts, sessions, tokens, passkeys"),
        Tag("tables", "Create and find tables, and play"),
        Tag("daily", "The daily deal, which is the same for everyone"),
        Tag("tournaments", "Rounds of tables, with standings"),
        Tag("puzzles", "Decisions of games with a clear best option"),
        Tag("parties", "Groups of people by link, who play together"),
        Tag("friends", "Friends, people from earlier games, and invitations"),
        Tag("history", "Results, ratings, ladders"),
        Tag("server", "Games, and the status of the server"),
    ],
    components=Components(
        security_schemes={
            "session": SecurityScheme(type="apiKey", name=SESSION_COOKIE, security_scheme_in="cookie"),
            "token": SecurityScheme(type="http", scheme="bearer"),
        }
    ),
    security=[{}, {"session": []}, {"token": []}],
)


@get("/api/openapi.json", include_in_schema=False)
async def openapi(request: AnyRequest) -> Response[bytes]:
    """Return the OpenAPI 3.1 description of this API."""
    state = request.app.state
    if "openapi" not in state:
        state["openapi"] = describe(request.app)
    return Response(state["openapi"], media_type=MediaType.JSON)


def describe(app: Litestar) -> bytes:
    """Return the OpenAPI description of an application as JSON."""
    return msgspec.json.encode(_refine(app.openapi_schema.to_schema(), _bodies(app)))


def _bodies(app: Litestar) -> list[Any]:  # Any: types
    """Return the types of the request bodies."""
    handlers = (handler for route in app.routes if isinstance(route, HTTPRoute) for handler in route.route_handlers)
    return [handler.parsed_data_field.annotation for handler in handlers if handler.parsed_data_field is not None]


def _refine(schema: dict[str, Any], bodies: list[Any]) -> dict[str, Any]:  # Any: JSON, and types
    """Replace the schemas of request bodies by msgspec's schemas, and add the error responses and readable titles.

    The schemas of msgspec are stricter, because they forbid unknown fields.
    """
    _, components = msgspec.json.schema_components([*bodies, ErrorResponse], ref_template="#/components/schemas/{name}")
    components |= message_schemas()
    for component in components.values():
        if "description" in component:  # a docstring, which is indented before Python 3.13
            component["description"] = cleandoc(component["description"])
    schema["components"]["schemas"] |= components
    failure = {
        "description": "Error: `error.kind` is for programs, `error.message` for people",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}},
    }
    for path in schema["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "responses" in operation:
                succeeds = {status: answer for status, answer in operation["responses"].items() if status < "400"}
                operation["responses"] = {**succeeds, "4XX": failure, "5XX": failure}
                operation["summary"] = _words(operation["summary"])
    return schema


def _words(name: str) -> str:
    """Return the name that Litestar makes from a handler as words.

    >>> _words("CreateGuestSession")
    'Create guest session'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()
