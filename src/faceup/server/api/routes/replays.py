"""What was played, told again and judged: of a table so far or when it is finished, or of a record that is brought."""

import gzip
from typing import Annotated, Final

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter

from faceup.server.api.errors import Denied
from faceup.server.api.headers import PICTURE_POLICY
from faceup.server.api.routes.pictures import SVG
from faceup.server.api.routes.tables import MySeat, viewer
from faceup.server.api.services import AnyRequest, Asker, Services

Step = Annotated[int, QueryParameter(ge=0, le=1_000_000, description="After which step; 0 is the first decision")]

NDJSON: Final = "application/x-ndjson"

Seat = Annotated[int | None, QueryParameter(ge=0, le=1000, description="From which seat; as a spectator without one")]


@get("/api/tables/{table:str}/past", tags=["tables"], media_type=NDJSON)
async def past(
    request: AnyRequest, table: FromPath[str], services: Given[Services], asker: Given[Asker], seat: MySeat = None
) -> Response[bytes]:
    """What I was told of a table so far, or would have been (NDJSON): my stream's lines since the first decision."""
    _take(services, asker)
    log, me = await services.desk.log(table, await viewer(services, asker, table, seat))
    told = await services.replays.ask("past", log, me)
    if me is None:
        return _compressed(request, told, NDJSON)
    return Response(gzip.decompress(told), media_type=NDJSON)  # the length of what is compressed would tell of secrets


@get("/api/tables/{table:str}/replay", tags=["tables"], media_type=NDJSON)
async def replay(
    request: AnyRequest, table: FromPath[str], services: Given[Services], asker: Given[Asker], seat: Seat = None
) -> Response[bytes]:
    """A finished table's lines again (NDJSON), a line a step, with everybody's `hands` in the sight."""
    _take(services, asker)
    record = await services.desk.record(table)
    return _compressed(request, await services.replays.ask("lines", record, seat), NDJSON)


@get("/api/tables/{table:str}/review", tags=["tables"])
async def review(
    request: AnyRequest, table: FromPath[str], services: Given[Services], asker: Given[Asker], seat: Seat = None
) -> Response[bytes]:
    """What every decision of a finished table was worth, of one seat or of all: as `faceup review --json` says it."""
    _take(services, asker)
    record = await services.desk.record(table)
    return _compressed(request, await services.reviews.ask("review", record, seat), MediaType.JSON)


@post("/api/replay", tags=["house"], status_code=200, media_type=NDJSON, request_max_body_size=None)
async def replay_record(
    request: AnyRequest, services: Given[Services], asker: Given[Asker], seat: Seat = None
) -> Response[bytes]:
    """The lines of the record that is sent, which may be of any game played with faceup, here or elsewhere."""
    record = await _sent(request, services, asker)
    return _compressed(request, await services.replays.ask("lines", record, seat), NDJSON)


@post("/api/review", tags=["house"], status_code=200, request_max_body_size=None)
async def review_record(
    request: AnyRequest, services: Given[Services], asker: Given[Asker], seat: Seat = None
) -> Response[bytes]:
    """What every decision of the record that is sent was worth, of one seat or of all."""
    record = await _sent(request, services, asker)
    return _compressed(request, await services.reviews.ask("review", record, seat), MediaType.JSON)


@get("/api/tables/{table:str}/moment.svg", tags=["tables"], media_type=SVG)
async def moment(
    table: FromPath[str], services: Given[Services], asker: Given[Asker], at: Step = 0, seat: Seat = None
) -> Response[bytes]:
    """A finished table as it was after a step, drawn."""
    _take(services, asker)
    record = await services.desk.record(table)
    return _picture(await services.replays.ask("drawing", record, seat, at))


@post("/api/moment", tags=["house"], status_code=200, media_type=SVG, request_max_body_size=None)
async def moment_of_record(
    request: AnyRequest, services: Given[Services], asker: Given[Asker], at: Step = 0, seat: Seat = None
) -> Response[bytes]:
    """The record that is sent as it was after a step, drawn."""
    record = await _sent(request, services, asker)
    return _picture(await services.replays.ask("drawing", record, seat, at))


def _picture(body: bytes) -> Response[bytes]:
    return Response(gzip.decompress(body), media_type=SVG, headers={"content-security-policy": PICTURE_POLICY})


async def _sent(request: AnyRequest, services: Services, asker: Asker) -> bytes:
    """The body, which may be longer than others. Raises `Denied`."""
    _take(services, asker)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > services.limits.record:
            most = services.limits.record // 1024
            raise Denied("too_large", f"a record of more than {most} KiB is not taken here: `faceup replay` reads it")
    return bytes(body)


def _take(services: Services, asker: Asker) -> None:
    services.studies.take(asker.player or asker.caller.source, "records to read")


def _compressed(request: AnyRequest, body: bytes, kind: str) -> Response[bytes]:
    """As it is kept where the client can read that, else unpacked."""
    headers = {"vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(body, media_type=kind, headers=headers | {"content-encoding": "gzip"})
    return Response(gzip.decompress(body), media_type=kind, headers=headers)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (
    past,
    replay,
    review,
    moment,
    replay_record,
    review_record,
    moment_of_record,
)
