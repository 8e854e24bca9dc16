"""Routes of pictures as PNG: of results, positions and steps, and for the previews of links."""

import gzip
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated, Final

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import FromPath, QueryParameter

from faceup.core import RulesError, write
from faceup.core.record import dumps
from faceup.server.accounts.errors import NotFoundError
from faceup.server.http.services import AnyRequest, Requester, Services, owner_of, while_connected
from faceup.server.pictures import PAGES, PicturePlayer, PictureRequest, Shape
from faceup.server.replays.routes import Seat, read_record
from faceup.server.rooms.room import Viewer
from faceup.server.rooms.view import RoomView
from faceup.server.site import SITE
from faceup.server.tables.routes import row_of, viewer
from faceup.translations import Language

PNG: Final = "image/png"

_OWN_VIEW: Final = "private, no-cache"
"""Only the browser may store the picture, and it must ask again before it shows it."""
_FINISHED: Final = "public, max-age=3600"
_RUNNING: Final = "public, max-age=30"
_UNCHANGING: Final = "public, max-age=86400"

PictureLanguage = Annotated[Language, QueryParameter(name="lang", description="The language of the text")]
PictureShape = Annotated[
    Shape, QueryParameter(description="`wide` (1200 by 630 pixels), or `tall` (1080 by 1350 pixels) for results")
]
MaybeStep = Annotated[
    int | None,
    QueryParameter(
        ge=0,
        le=1_000_000,
        description="The step of a finished game to draw; by default, the result or current position",
    ),
]
Step = Annotated[int, QueryParameter(ge=0, le=1_000_000, description="The step to draw; 0 is the first decision")]


@get("/api/tables/{table:str}/picture.png", tags=["tables"], media_type=PNG)
async def picture(
    request: AnyRequest,
    table: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    *,
    at: MaybeStep = None,
    seat: Seat = None,
    shape: PictureShape = "wide",
    language: PictureLanguage = "en",
) -> Response[bytes]:
    """Draw what the player sees of a table, the result of a finished table, or one step of it (PNG)."""
    _take(services, requester)
    if at is not None:
        me = await viewer(services, requester, table)
        picture_request = PictureRequest(language=language, record=dumps(await services.hub.record(table, me)))
        cache = _FINISHED if me is None else _OWN_VIEW
        return _png(
            request,
            await _draw(request, services, requester, picture_request, seat=seat, step=at, table=table),
            cache,
        )
    room_view = await services.hub.view(table, await viewer(services, requester, table, seat))
    picture_request = picture_of(room_view, shape, language, await _day(services, table))
    return _png(request, await _draw(request, services, requester, picture_request, table=table), _OWN_VIEW)


@post("/api/picture", tags=["server"], status_code=200, media_type=PNG, request_max_body_size=None)
async def picture_of_record(
    request: AnyRequest,
    services: Given[Services],
    requester: Given[Requester],
    *,
    at: Step = 0,
    seat: Seat = None,
    language: PictureLanguage = "en",
) -> Response[bytes]:
    """Draw one step of an uploaded record (PNG)."""
    _take(services, requester)
    record = (await read_record(request, services, requester)).decode(errors="replace")
    picture_request = PictureRequest(language=language, record=record)
    return _png(request, await _draw(request, services, requester, picture_request, seat=seat, step=at), _OWN_VIEW)


@get("/t/{table:str}/preview.png", include_in_schema=False)
async def table_preview(
    request: AnyRequest,
    table: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    language: PictureLanguage = "en",
) -> Response[bytes]:
    """Draw what spectators see of a table, for previews of its link, for all requests.

    Tables without spectators, and tables that have not started, have the same picture as any other.
    """
    _take(services, requester)
    await row_of(services, table)
    room_view = await spectator_view(services, table)
    if room_view is None or room_view.status not in {"active", "finished"}:
        return _png(
            request,
            await _draw(request, services, requester, PictureRequest(page="table", language=language)),
            _RUNNING,
        )
    picture_request = picture_of(room_view, "wide", language, await _day(services, table))
    drawn = await _draw(request, services, requester, picture_request, table=table)
    return _png(request, drawn, _FINISHED if room_view.result else _RUNNING)


@get("/preview/{file:str}", include_in_schema=False)
async def page_preview(
    request: AnyRequest,
    file: FromPath[str],
    services: Given[Services],
    requester: Given[Requester],
    language: PictureLanguage = "en",
) -> Response[bytes]:
    """Draw the picture of a page without a game, for previews of its link."""
    _take(services, requester)
    page = file.removesuffix(".png")
    if file == page or page not in PAGES:
        raise NotFoundError("there is no such picture")
    return _png(
        request, await _draw(request, services, requester, PictureRequest(page=page, language=language)), _UNCHANGING
    )


async def own_picture(
    request: AnyRequest, services: Services, requester: Requester, picture_request: PictureRequest
) -> Response[bytes]:
    """Return the response with a picture that only the requester may get. Raises `RequestError` after too many."""
    _take(services, requester)
    return _png(request, await _draw(request, services, requester, picture_request), _OWN_VIEW)


async def spectator_view(services: Services, table: str) -> RoomView | None:
    """Return what spectators see of a table now, with their delay; None if there is no table or it has no spectators.

    A table without spectators stays private when its game is over.
    """
    try:
        room_view = await services.hub.view(table, None)
    except RulesError:
        return None
    return room_view if room_view.config.spectators == "anyone" else None


def picture_of(room_view: RoomView, shape: Shape, language: Language, day: str) -> PictureRequest:
    """Return the request for a picture of what a viewer sees: the position, or the result of a finished game."""
    result = room_view.result
    return PictureRequest(
        shape=shape,
        language=language,
        position=write(room_view.config.rules(), room_view.view),
        players=tuple(
            PicturePlayer(seat.name, seat.kind, seat.handle, seat.face, bool(seat.program))
            if seat
            else PicturePlayer("", "")
            for seat in room_view.seats
        ),
        scores=result.scores if result else (),
        ranks=result.ranks if result else (),
        day=day if result else "",
    )


async def _day(services: Services, table: str) -> str:
    """Return the day on which a table was opened (UTC)."""
    opened = (await row_of(services, table)).opened_at
    return datetime.fromtimestamp(opened / 1000, UTC).date().isoformat()


async def _draw(
    request: AnyRequest,
    services: Services,
    requester: Requester,
    picture_request: PictureRequest,
    *,
    seat: Viewer = None,
    step: int = 0,
    table: str = "",
) -> bytes:
    owner, picture_request = owner_of(requester), msgspec.structs.replace(picture_request, site=SITE.get())
    asked = services.replays.ask("picture", msgspec.json.encode(picture_request), seat, step, owner=owner, table=table)
    return gzip.decompress(await while_connected(request, asked))


def _take(services: Services, requester: Requester) -> None:
    services.picture_requests.take(requester.player or requester.caller.source)


def _png(request: AnyRequest, png: bytes, cache: str) -> Response[bytes]:
    """Return the response for a picture, or that it has not changed since the browser got it."""
    tag = f'"{sha256(png).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": cache}
    if cache == _OWN_VIEW:
        headers["vary"] = "cookie, authorization"
    if tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=304, headers=headers)
    return Response(png, media_type=PNG, headers=headers)
