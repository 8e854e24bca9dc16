"""What a browser finds here: one page, which finds out by its address what to show, and the files that it is made of.

`/CODE` leads to the table with these five letters, and `/password` is where a one-time link for a new password leads.
Where there is nothing, a browser gets the page too, which says so in a sentence; programs get the error.
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

from faceup.server.api.services import Asker, Services
from faceup.server.api.web import FOR_EVER, Asset, page, served, web
from faceup.server.people.refusals import Missing
from faceup.server.store import Unavailable

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

LANGUAGES: Final = ("en", "de", "zh")
"""Those that the page speaks."""

_EARLY: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("pages/home.js", "words/{language}/shell.js"),
    "new": ("pages/new.js", "words/{language}/shell.js"),
    "replay": ("pages/replay.js", "words/{language}/replay.js"),
}
"""The modules with which a page is shown, by the last word of its address.

A browser that is told of them at once need not find out one by one.
"""

_TABLE: Final = re.compile("/t/([^/]+)")
_ASKED: Final = re.compile(r"(?:^|,)\s*([A-Za-z]+)")

AnyRequest = Request[object, object, State]


class _Summary(msgspec.Struct):
    """What it takes to know of a table for showing it."""

    game: str


@get(list(PAGES), media_type=MediaType.HTML, include_in_schema=False)
async def any_page(request: AnyRequest, services: Given[Services]) -> Response[bytes]:
    """The page."""
    path = request.scope["path"]
    found = _TABLE.fullmatch(path)
    early = await _at_a_table(found[1], services) if found else _EARLY.get(path.rpartition("/")[2], ())
    asked = [each.lower() for each in _ASKED.findall(request.headers.get("accept-language", ""))]
    language = next((each for each in asked if each in LANGUAGES), LANGUAGES[0])
    parts = [each.format(language=language) for each in ("words/{language}/usual.js", *early)]
    return _answer(request, page(services.settings.base_path, *(each for each in parts if each in web().joined)))


async def _at_a_table(table: str, services: Services) -> list[str]:
    """The modules with which a table is shown, its game's and its words among them."""
    early = ["pages/table.js"]
    with suppress(Unavailable):  # the page itself will say so, and try again
        row = await services.store.room(table)
        if row is not None and row.status == "pending":
            early += ["pages/pending.js", "words/{language}/shell.js"]
        elif row is not None:
            game = msgspec.json.decode(row.summary, type=_Summary).game
            early += [f"games/{game}/{game}-table.js", f"words/{{language}}/{game}.js"]
    return early


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
    found = served(path.removeprefix("/")) if stamp == web().stamp else None
    if found is None:
        raise Missing("there is no such file in this version of the page")
    return _answer(request, found, {"cache-control": FOR_EVER})


def _answer(
    request: AnyRequest, asset: Asset, headers: Mapping[str, str] = MappingProxyType({}), status: int = 200
) -> Response[bytes]:
    """A file, compressed for whoever reads that. It holds nobody's secret, so that its length tells none."""
    said = {
        **headers,
        "vary": "accept-encoding, accept-language" if asset.kind.startswith("text/html") else "accept-encoding",
    }
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
