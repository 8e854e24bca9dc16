"""What a browser finds here: one page, which finds out by its address what to show, and the files that it is made of.

`/CODE` leads to the table with these five letters, and `/password` is where a one-time link for a new password leads.
Where there is nothing, a browser gets the page too, which says so in a sentence; programs get the error. The page of a
table brings the line with which its stream begins, so that it is shown before the stream is there.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from faceup.server.api.errors import EXPECTED
from faceup.server.api.routes.tables import viewer
from faceup.server.api.services import Asker, Services, asker_of
from faceup.server.api.web import AREAS, FOR_EVER, LANGUAGES, Asset, page, served, start, web
from faceup.server.people.refusals import Missing

CODE: Final = re.compile("[A-Za-z]{5}")

PAGES: Final = (
    "/",
    "/ladder",
    "/learn",
    "/learn/{_:str}",
    "/me",
    "/new",
    "/password",
    "/players/{_:str}",
    "/replay",
    "/t/{_:str}",
    "/t/{_:str}/replay",
)
"""The addresses of the page. No code of a table is among them: codes have no L."""

_TABLE: Final = re.compile("/t/([^/]+)")
_ASKED: Final = re.compile(r"(?:^|,)\s*([A-Za-z]+)")

AnyRequest = Request[object, object, State]


class _Opening(msgspec.Struct):
    game: str


class _Sight(msgspec.Struct):
    status: str
    opening: _Opening


class _First(msgspec.Struct):
    """What it takes to know of the first line of a table for showing it."""

    sight: _Sight


@get(list(PAGES), media_type=MediaType.HTML, include_in_schema=False)
async def any_page(request: AnyRequest, services: Given[Services]) -> Response[bytes]:
    """The page."""
    path = request.scope["path"]
    table = _TABLE.fullmatch(path)
    first = await _first_line(table[1], request, services) if table else b""
    shown = _page(request, services, *(_at_a_table(first) if table else (path.rpartition("/")[2] or "home",)))
    return _answer(request, shown.beginning_with(first, table[1]) if table and first else shown)


def _page(request: AnyRequest, services: Services, area: str, game: str = "") -> Asset:
    """The page as it begins there, in the first of the browser's languages that it speaks."""
    asked = [each.lower() for each in _ASKED.findall(request.headers.get("accept-language", ""))]
    language = next((each for each in asked if each in LANGUAGES), LANGUAGES[0])
    return page(services.settings.base_path, start(area if area in AREAS else "any", language, game))


async def _first_line(table: str, request: AnyRequest, services: Services) -> bytes:
    """What the stream of whoever asks would begin with; nothing where it is refused, as the page finds out itself."""
    with suppress(*EXPECTED):
        asker = await asker_of(request, services)
        return await services.desk.first(table, await viewer(services, asker, table))
    return b""


def _at_a_table(first: bytes) -> tuple[str, str]:
    """What a table needs at once whose stream begins so: the area, and the game if it is on."""
    if not first:
        return "table", ""
    sight = msgspec.json.decode(first, type=_First).sight
    return ("pending", "") if sight.status == "pending" else ("table", sight.opening.game)


def nothing_here(request: AnyRequest, services: Services) -> Response[bytes] | None:
    """The page, for a browser at an address where there is nothing; None for a program, and below `/api`."""
    path = request.scope["path"]
    if request.method != "GET" or path.startswith(("/api/", "/static/")):
        return None
    if "text/html" not in request.headers.get("accept", ""):
        return None
    return _answer(request, _page(request, services, "any"), status=404)


@get("/static/{stamp:str}/{path:path}", include_in_schema=False, sync_to_thread=True)
def static(request: AnyRequest, stamp: FromPath[str], path: FromPath[str]) -> Response[bytes]:
    """A file of the page, for ever the same at this address; of another version than this server's there is none.

    It is compressed when it is first asked for, which takes a while: nobody at a table waits for that.
    """
    found = served(path.removeprefix("/")) if stamp == web().stamp else None
    if found is None:
        raise Missing("there is no such file in this version of the page")
    return _answer(request, found, {"cache-control": FOR_EVER})


def _answer(
    request: AnyRequest, asset: Asset, headers: Mapping[str, str] = MappingProxyType({}), status: int = 200
) -> Response[bytes]:
    """A file, compressed for whoever reads that. What holds a secret is not: its length would tell of it."""
    said = {
        **headers,
        "vary": "accept-encoding, accept-language" if asset.kind.startswith("text/html") else "accept-encoding",
    }
    if not asset.compressed or "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(asset.plain, media_type=asset.kind, headers=said, status_code=status)
    said["content-encoding"] = "gzip"
    return Response(asset.compressed, media_type=asset.kind, headers=said, status_code=status)


@get("/{code:str}", include_in_schema=False, status_code=303)
async def short(code: FromPath[str], services: Given[Services], asker: Given[Asker]) -> Redirect:
    """The address that is short enough to be typed: of a table, by its five letters."""
    if not CODE.fullmatch(code):
        raise Missing("there is nothing at this address")
    services.codes.take(asker.caller.source, "codes from this address")
    row = await services.store.find(code)
    if row is None:
        raise Missing("there is no table with this code: ask for it again")
    return Redirect(f"{services.settings.base_path}/t/{row.id}", status_code=303)


ROUTES: Final[tuple[HTTPRouteHandler, ...]] = (any_page, static, short)
