"""What a browser finds here: one page, which finds out by its address what to show, and the files that it is made of.

`/CODE` leads to the table with these five letters, and `/password` is where a one-time link for a new password leads.
Where there is nothing, a browser gets the page too, which says so in a sentence; programs get the error.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from litestar import MediaType, Request, Response, get
from litestar.datastructures import State
from litestar.di import NamedDependency as Given
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from faceup.server.api.services import Asker, Services
from faceup.server.api.web import FOR_EVER, Asset, page, web
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

_AT_A_TABLE: Final = ("pages/table.js",)

AnyRequest = Request[object, object, State]


@get(list(PAGES), media_type=MediaType.HTML, include_in_schema=False, sync_to_thread=False)
def any_page(request: AnyRequest, services: Given[Services]) -> Response[bytes]:
    """The page."""
    entries = _AT_A_TABLE if request.scope["path"].startswith("/t/") else ()
    return _answer(request, page(services.settings.base_path, *entries))


def nothing_here(request: AnyRequest, services: Services) -> Response[bytes] | None:
    """The page, for a browser at an address where there is nothing; None for a program, and below `/api`."""
    path = request.scope["path"]
    if request.method != "GET" or path.startswith(("/api/", "/static/")):
        return None
    if "text/html" not in request.headers.get("accept", ""):
        return None
    return _answer(request, page(services.settings.base_path), status=404)


@get("/static/{stamp:str}/{path:path}", include_in_schema=False, sync_to_thread=False)
def static(request: AnyRequest, stamp: FromPath[str], path: FromPath[str]) -> Response[bytes]:
    """A file of the page, for ever the same at this address; of another version than this server's there is none."""
    found: Asset | None = web().assets.get(path.removeprefix("/")) if stamp == web().stamp else None
    if found is None:
        raise Missing("there is no such file in this version of the page")
    return _answer(request, found, {"cache-control": FOR_EVER})


def _answer(
    request: AnyRequest, asset: Asset, headers: Mapping[str, str] = MappingProxyType({}), status: int = 200
) -> Response[bytes]:
    """A file, compressed for whoever reads that. It holds nobody's secret, so that its length tells none."""
    said = {**headers, "vary": "accept-encoding"}
    if "gzip" not in request.headers.get("accept-encoding", ""):
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
