"""Routes of backlogs, replays and reviews. A replay or review is of a finished table or of an uploaded record."""

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator, Mapping
from types import MappingProxyType
from typing import Annotated, Final

import msgspec
from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from faceup.core.record import PERSON, Record
from faceup.server.http.errors import RequestError, internal, problem_of
from faceup.server.http.middleware import ANY_SITE
from faceup.server.http.services import AnyRequest, Requester, Services, owner_of, while_connected
from faceup.server.process.logs import log_error, request_id
from faceup.server.replays.tasks import Topic
from faceup.server.rooms.errors import RecordWithheldError
from faceup.server.rooms.faces import face_of
from faceup.server.rooms.room import Room
from faceup.server.rooms.view import seats_of
from faceup.server.rooms.wire import ErrorResponse
from faceup.server.tables.routes import SVG, MySeat, svg_response, viewer

Step = Annotated[int, QueryParameter(ge=0, le=1_000_000, description="The step to draw; 0 is the first decision")]

NDJSON: Final = "application/x-ndjson"

Seat = Annotated[
    int | None,
    QueryParameter(ge=0, le=1000, description="The seat to show the view of; by default, the view of a spectator"),
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
    lines = await while_connected(
        request, services.replays.ask("backlog", log, me, owner=owner_of(requester), table=table)
    )
    if me is None:
        return await _compressed(request, lines, NDJSON)
    return Response(gzip.decompress(lines), media_type=NDJSON)  # the compressed length could reveal secrets


@get("/api/tables/{table:str}/replay", tags=["tables"], media_type=NDJSON)
async def replay(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Replay a finished table (NDJSON). There is one message for each reveal, with all `hands` in the room view.

    Until the day of a daily deal has ended, only its player gets a replay, without `hands`, in the player's own view.
    Pages of other sites may load all other replays, too, to embed them.
    """
    _take(services, requester)
    me = await viewer(services, requester, table)
    try:
        topic: Topic = "lines"
        record, viewed = await services.hub.record(table, me), seat
    except RecordWithheldError:
        record, viewed = await services.hub.own_record(table, me)
        topic = "own_lines"
    faces = _faces_at(await services.hub.room(table))
    asked = services.replays.ask(topic, record, viewed, faces=faces, owner=owner_of(requester), table=table)
    lines = await while_connected(request, asked)
    if topic == "own_lines":
        return Response(gzip.decompress(lines), media_type=NDJSON)  # the compressed length could reveal secrets
    return await _compressed(request, lines, NDJSON, ANY_SITE)


def _faces_at(room: Room) -> list[str]:
    """Return the face of the person at each seat, as the table shows it; "" for a bot. See `replay_lines`."""
    faces = []
    for seat in seats_of(room):
        if seat is None or seat.kind != PERSON:
            faces.append("")
        else:
            face = face_of(seat.name, seat.kind, handle=seat.handle, face=seat.face)
            faces.append(f"{face.drawing}-{face.colour}{' program' if seat.program else ''}")
    return faces


@get("/api/tables/{table:str}/review", tags=["tables"])
async def review(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Review the decisions of one seat, or of all seats, at a finished table.

    The response has the format of `faceup review --json`.
    """
    _take(services, requester)
    record = await services.hub.record(table, await viewer(services, requester, table))
    done = await while_connected(request, _review(services, requester, record, seat, table))
    return await _compressed(request, done, MediaType.JSON)


@get("/api/tables/{table:str}/review.ndjson", tags=["tables"], media_type=NDJSON)
async def review_stream(
    request: AnyRequest, table: FromPath[str], services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Stream:
    """Review a finished table as `review`, and stream the progress (NDJSON).

    The lines are `queued` with the number of requests ahead, `start` with the number of decisions, `step` for each
    decision in order, and at the end `review` with the whole review, or `error`. A review that the server has in its
    cache has no `step` lines.
    """
    _take(services, requester)
    record = await services.hub.record(table, await viewer(services, requester, table))
    lines = services.coach.review(record, seat, owner=owner_of(requester), table=table)
    return _review_stream(request, services, requester, lines)


@post("/api/replay", tags=["server"], status_code=200, media_type=NDJSON, request_max_body_size=None)
async def replay_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Replay an uploaded record of any faceup game (NDJSON)."""
    record = await read_record(request, services, requester)
    lines = await while_connected(request, services.replays.ask("lines", record, seat, owner=owner_of(requester)))
    return await _compressed(request, lines, NDJSON)


@post("/api/review", tags=["server"], status_code=200, request_max_body_size=None)
async def review_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Response[bytes]:
    """Review the decisions of one seat, or of all seats, in an uploaded record."""
    record = await read_record(request, services, requester)
    done = await while_connected(request, _review(services, requester, record, seat))
    return await _compressed(request, done, MediaType.JSON)


@post("/api/review.ndjson", tags=["server"], status_code=200, media_type=NDJSON, request_max_body_size=None)
async def review_stream_of_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], seat: Seat = None
) -> Stream:
    """Review an uploaded record, and stream the progress as for a table (NDJSON)."""
    record = await read_record(request, services, requester)
    lines = services.coach.review(record, seat, owner=owner_of(requester))
    return _review_stream(request, services, requester, lines)


@get("/api/tables/{table:str}/moment.svg", tags=["tables"], media_type=SVG)
async def moment(
    request: AnyRequest,
    table: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    *,
    at: Step = 0,
    seat: Seat = None,
) -> Response[bytes]:
    """Draw a finished table as it was after a step (SVG)."""
    _take(services, requester)
    record = await services.hub.record(table, await viewer(services, requester, table))
    asked = services.replays.ask("drawing", record, seat, at, owner=owner_of(requester), table=table)
    drawn = await while_connected(request, asked)
    return svg_response(gzip.decompress(drawn))


@post("/api/moment", tags=["server"], status_code=200, media_type=SVG, request_max_body_size=None)
async def moment_of_record(
    request: AnyRequest, services: Given[Services], requester: Given[Requester], at: Step = 0, seat: Seat = None
) -> Response[bytes]:
    """Draw the table of an uploaded record as it was after a step (SVG)."""
    record = await read_record(request, services, requester)
    asked = services.replays.ask("drawing", record, seat, at, owner=owner_of(requester))
    drawn = await while_connected(request, asked)
    return svg_response(gzip.decompress(drawn))


async def read_record(request: AnyRequest, services: Services, requester: Requester) -> bytes:
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


async def _review(
    services: Services, requester: Requester, record: Record | bytes, seat: int | None, table: str = ""
) -> bytes:
    """Return the whole review as JSON, compressed with gzip."""
    async for line in services.coach.review(record, seat, owner=owner_of(requester), table=table):
        last = line
    done = last.removeprefix(b'{"line":"review","review":').removesuffix(b"}\n")
    return await asyncio.to_thread(gzip.compress, done, 6, mtime=0)


def _review_stream(
    request: AnyRequest, services: Services, requester: Requester, lines: AsyncIterator[bytes]
) -> Stream:
    services.coach.pool.queue.check(owner_of(requester))  # so that the response has the status of the error
    lines = _with_error_line(lines)
    headers = {"x-accel-buffering": "no", "vary": "accept-encoding"}  # the first one is for proxies such as nginx
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Stream(_gzip(lines), media_type=NDJSON, headers=headers | {"content-encoding": "gzip"})
    return Stream(lines, media_type=NDJSON, headers=headers)


async def _with_error_line(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the lines. If an error occurs, the last line is the error."""
    try:
        async for line in lines:
            yield line
    except Exception as error:  # noqa: BLE001 -- the client gets every error, but no details of internal ones
        problem = problem_of(error)
        if problem is None:
            log_error(error)
            problem = internal(request_id.get())
        yield b'{"line":"error",%b\n' % msgspec.json.encode(ErrorResponse(problem)).removeprefix(b"{")


async def _gzip(lines: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Compress lines, so that the client can read each line at once."""
    stream = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    async for line in lines:
        yield stream.compress(line) + stream.flush(zlib.Z_SYNC_FLUSH)
    yield stream.flush()


async def _compressed(
    request: AnyRequest, body: bytes, kind: str, headers: Mapping[str, str] = MappingProxyType({})
) -> Response[bytes]:
    """Return the response for a gzip-compressed body. The body is decompressed if the client does not accept gzip."""
    headers = {**headers, "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(body, media_type=kind, headers=headers | {"content-encoding": "gzip"})
    return Response(await asyncio.to_thread(gzip.decompress, body), media_type=kind, headers=headers)
