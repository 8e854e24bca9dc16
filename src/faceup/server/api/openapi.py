"""The description of the API, made from the routes and their types when somebody first asks for it."""

from importlib.metadata import version
from inspect import cleandoc
from typing import Any, Final

import msgspec
from litestar import Litestar, MediaType, Response, Router, get
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme, Tag
from litestar.routes import BaseRoute, HTTPRoute
from litestar.types import ControllerRouterHandler

from faceup.server.api.cookies import NAME
from faceup.server.api.errors import Failure
from faceup.server.api.services import AnyRequest


class _Nothing(Router):
    """Litestar's own pages about the API: none, since they load scripts of other sites, and answer 404 in HTML."""

    def register(self, value: ControllerRouterHandler) -> list[BaseRoute]:
        """Take none of them."""
        del value
        return []


OPENAPI: Final = OpenAPIConfig(
    title="faceup",
    version=version("faceup"),
    description="Games in which everyone chooses in secret, at tables online.",
    openapi_router=_Nothing("/api/openapi", route_handlers=[]),
    render_plugins=[],
    use_handler_docstrings=True,
    tags=[
        Tag("people", "Who I am: guests and accounts, sessions, tokens, passkeys"),
        Tag("tables", "Tables: make one, find one, play"),
        Tag("history", "What has been played: results, ratings, ladders"),
        Tag("house", "What there is to play, and how the server is"),
    ],
    components=Components(
        security_schemes={
            "session": SecurityScheme(type="apiKey", name=NAME, security_scheme_in="cookie"),
            "token": SecurityScheme(type="http", scheme="bearer"),
        }
    ),
    security=[{}, {"session": []}, {"token": []}],
)


@get("/api/openapi.json", include_in_schema=False)
async def openapi(request: AnyRequest) -> Response[bytes]:
    """The description of the API (OpenAPI 3.1)."""
    state = request.app.state
    if "openapi" not in state:
        state["openapi"] = msgspec.json.encode(
            _made_exact(request.app.openapi_schema.to_schema(), _bodies(request.app))
        )
    return Response(state["openapi"], media_type=MediaType.JSON)


def _bodies(app: Litestar) -> list[Any]:  # Any: types
    """What the routes take."""
    handlers = (handler for route in app.routes if isinstance(route, HTTPRoute) for handler in route.route_handlers)
    return [handler.parsed_data_field.annotation for handler in handlers if handler.parsed_data_field is not None]


def _made_exact(schema: dict[str, Any], bodies: list[Any]) -> dict[str, Any]:  # Any: JSON, and types
    """The schema as msgspec reads the bodies, which takes no unknown fields, and with how every operation refuses."""
    _, components = msgspec.json.schema_components([*bodies, Failure], ref_template="#/components/schemas/{name}")
    for each in components.values():
        if "description" in each:  # a docstring, which Python has indented up to 3.12
            each["description"] = cleandoc(each["description"])
    schema["components"]["schemas"] |= components
    failure = {
        "description": "Refused: `error.kind` is for programs, `error.message` for people",
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}},
    }
    for path in schema["paths"].values():
        for operation in path.values():
            if isinstance(operation, dict) and "responses" in operation:
                succeeds = {status: answer for status, answer in operation["responses"].items() if status < "400"}
                operation["responses"] = {**succeeds, "4XX": failure, "5XX": failure}
    return schema


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (openapi,)
