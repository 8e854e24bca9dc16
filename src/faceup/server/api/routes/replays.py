"""Routes of backlogs, replays and reviews. A replay or review is of a finished table or of an uploaded record."""

import gzip
from typing import Annotated, Final

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, QueryParameter

from faceup.server.api.errors import RequestError
from faceup.server.api.routes.tables import SVG, MySeat, svg_response, viewer
from faceup.server.api.services import AnyRequest, Requester, Services

Step = Annotated[int, QueryParameter(ge=0, le=1_000_000, description="The step to draw; 0 is the first decision")]

NDJSON: Final = "application/x-ndjson"

Seat = Annotated[
    int | None,
    QueryParameter(ge=0, le=1000, description="The seat whose view is shown; by default, the view of a spectator"),
]


@get("/api/tables/{table:str}/backlog", tags=["tables"], media_type=NDJSON)
async def backlog(
    request: AnyRequest,
    table: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    seat: MySeat = None,
) -> Response[bytes]:
    """Get all messages that the player's stream has carried since the first decision (NDJSON)."""
    _take(services, requester)
    log, me = await services.hub.log(table, await viewer(services, requester, table, seat))
    lines = await services.replays.ask("backlog", log, me)
    if me is None:
        return _compressed(request, lines, NDJSON)
    return Response(gzip.decompress(lines), media_type=NDJSON)  # the compressed length could reveal secrets


@get("/api/tables/{table:str}/replay", tags=["tables"], media_type=NDJSON)
async def replay(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Replay a finished table (NDJSON). There is one message for each reveal, with all `hands` in the room view."""
    _take(services, requester)
    record = await services.hub.record(table)
    return _compressed(request, await services.replays.ask("lines", record, seat), NDJSON)


@get("/api/tables/{table:str}/review", tags=["tables"])
async def review(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Review the decisions of one seat, or of all seats, at a finished table.

    The response has the format of `faceup review --json`.
    """
    _take(services, requester)
    record = await services.hub.record(table)
    return _compressed(request, await services.reviews.ask("review", record, seat), MediaType.JSON)


@post("/api/replay", tags=["server"], status_code=200, media_type=NDJSON, request_max_body_size=None)
async def replay_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Replay an uploaded record of any faceup game (NDJSON)."""
    record = await _read_record(request, services, requester)
    return _compressed(request, await services.replays.ask("lines", record, seat), NDJSON)


@post("/api/review", tags=["server"], status_code=200, request_max_body_size=None)
async def review_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Review the decisions of one seat, or of all seats, in an uploaded record."""
    record = await _read_record(request, services, requester)
    return _compressed(request, await services.reviews.ask("review", record, seat), MediaType.JSON)


@get("/api/tables/{table:str}/moment.svg", tags=["tables"], media_type=SVG)
async def moment(
    table: FromPath[str], services: Given[Services], requester: Given[Requester], at: Step = 0, seat: Seat = None
) -> Response[bytes]:
    """Draw a finished table as it was after a step (SVG)."""
    _take(services, requester)
    record = await services.hub.record(table)
    return svg_response(gzip.decompress(await services.replays.ask("drawing", record, seat, at)))


@post("/api/moment", tags=["server"], status_code=200, media_type=SVG, request_max_body_size=None)
async def moment_of_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], at: Step = 0, seat: Seat = None
) -> Response[bytes]:
    """Draw the table of an uploaded record as it was after a step (SVG)."""
    record = await _read_record(request, services, requester)
    return svg_response(gzip.decompress(await services.replays.ask("drawing", record, seat, at)))


async def _read_record(request: AnyRequest, services: Services, requester: Requester) -> bytes:
    """Read an uploaded record, which may be longer than the bodies of other requests.

    Raises:
        RequestError: the record is too long, or the requester sends too many requests for replays and reviews.
    """
    _take(services, requester)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > services.limits.record:
            most = services.limits.record // 1024
            raise RequestError(
                "too_large",
                f"an uploaded record must have at most {most} KiB: use the command `faceup replay` for larger records",
            )
    return bytes(body)


def _take(services: Services, requester: Requester) -> None:
    services.studies.take(requester.player or requester.caller.source)


def _compressed(request: AnyRequest, body: bytes, kind: str) -> Response[bytes]:
    """Return the response for a gzip-compressed body. The body is decompressed if the client does not accept gzip."""
    headers = {"vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(body, media_type=kind, headers=headers | {"content-encoding": "gzip"})
    return Response(gzip.decompress(body), media_type=kind, headers=headers)
