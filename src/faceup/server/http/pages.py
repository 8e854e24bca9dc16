"""Routes of the single-page application and its static files.

`/CODE` redirects to the table with this code, and `/password` is the address of password reset links. At an unknown
address, browsers get the page, which shows an error, and programs get an error in JSON. The page of a table includes
the table's snapshot, so that the browser can show the table before the WebSocket is connected. On a first visit, every
page includes the style sheet and the entry bundle, which saves a round trip and a second connection.
"""

import asyncio
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Final
from urllib.parse import quote

import msgspec
from litestar import MediaType, Response, get
from litestar.di import NamedDependency as Given
from litestar.params import FromPath
from litestar.response import Redirect

from faceup.server.accounts.errors import NotFoundError
from faceup.server.http.auth import CACHED_COOKIE, cached_cookie
from faceup.server.http.errors import EXPECTED
from faceup.server.http.middleware import ANY_SITE, PAGE_CSP
from faceup.server.http.noscript import QUERY, REFRESH, find_article
from faceup.server.http.services import AnyRequest, Requester, Services, authenticate_request, caller_of
from faceup.server.http.static import IMMUTABLE, asset_response, content_coding, manifest, page
from faceup.server.pictures import PAGES as PREVIEWS
from faceup.server.pictures.preview import Preview, page_preview, table_preview, with_preview
from faceup.server.pictures.routes import spectator_view
from faceup.server.tables.routes import find_by_code, viewer
from faceup.translations import LANGUAGES, Language
from faceup.web.assets import Asset, make_asset, web, with_uncompressed
from faceup.web.bundles import ENTRY_PARTS, InlineStart, find_asset, inline_start, later_parts, start

CODE: Final = re.compile("[A-Za-z]{5}")

PAGES: Final = (
    "/",
    "/about",
    "/daily",
    "/daily/{_:str}",
    "/friends",
    "/ladder",
    "/learn",
    "/learn/{_:str}",
    "/me",
    "/new",
    "/party/{_:str}",
    "/party/{_:str}/podium",
    "/party/join/{_:str}",
    "/password",
    "/players/{_:str}",
    "/privacy",
    "/puzzles",
    "/puzzles/{_:str}",
    "/replay",
    "/t/{_:str}",
    "/t/{_:str}/replay",
    "/tournaments",
    "/tournaments/{_:str}",
    "/watch",
)
"""The addresses of the page.

None of these addresses can be a table code. Codes have five letters without L, `/learn` and `/daily` contain an L, and
`faceup.server.store.models.NOT_CODES` has `WATCH`.
"""

_TABLE: Final = re.compile("/t/([^/]+)")
_TABLE_OR_REPLAY: Final = re.compile("/t/([^/]+)(/replay)?")
_REPLAY: Final = re.compile("/t/([^/]+)/replay")
_JOIN: Final = re.compile("/party/join/([^/]+)")
_LANGUAGE: Final = re.compile(r"(?:^|,)\s*([A-Za-z]+)")


class _Config(msgspec.Struct):
    game: str


class _Room(msgspec.Struct):
    status: str
    config: _Config


class _Snapshot(msgspec.Struct):
    """The parts of a table's snapshot that determine the entry bundle."""

    room: _Room


@get(list(PAGES), media_type=MediaType.HTML, include_in_schema=False)
async def serve_page(request: AnyRequest, services: Given[Services]) -> Response[bytes] | Redirect:
    """Return the HTML page. The page `/privacy` leads to the privacy policy of the host if there is one."""
    path = request.scope["path"]
    if path == "/privacy" and services.settings.privacy_url:
        return Redirect(services.settings.privacy_url, status_code=302)
    services.coach.prepare()
    table, replay = _TABLE.fullmatch(path), _REPLAY.fullmatch(path)
    table_match = table or replay
    first = await _first_line(table_match[1], request, services) if table_match else b""
    area, game = _table_area(first) if table_match else (_script_area(path), "")
    base = services.settings.base_path
    script = _script(request, "replay" if replay else area, game)
    shown = page(services.settings, script)
    if article := find_article(path):
        if QUERY not in request.query_params:
            shown = shown.with_head(REFRESH)
        else:
            with suppress(*EXPECTED):  # a page that does not exist says that it needs JavaScript
                shown = shown.with_article(await article(language_of(request), services))
    embeds = bool(table and first)
    shown = with_preview(shown, await _preview(request, services), _origin(request, services), secret=embeds)
    seen, kind = _seen(request), script.partition("-")[0]
    inline = await asyncio.to_thread(inline_start, script) if _takes_inline(request) and kind not in seen else None
    data = _data(path, request.scope["query_string"].decode("latin-1"))
    links = _preload(data, base, "" if inline else script, later_parts(path, script))
    headers = {"link": links} if links else {}
    if table_match:
        headers["x-robots-tag"] = "noindex"  # a table belongs to its players, although previews of its link may read it
    if table and first:
        shown = shown.with_first_line(first, table[1])
    if inline:
        headers["set-cookie"] = cached_cookie(".".join((web().stamp, *seen, kind)), caller_of(request), base)
        headers["content-security-policy"] = _policy(inline)
        rest = shown.plain.partition(b"</script>\n")[2]
        shown = Asset(shown.kind, shown.plain, {"br": with_uncompressed(inline.encoded, rest)})
    return asset_response(request, shown, headers)


def _policy(inline: InlineStart) -> str:
    """Return the Content Security Policy of a page that contains its style sheet and its entry bundle."""
    policy = PAGE_CSP.replace("script-src 'self'", f"script-src 'self' {inline.scripts}")
    return policy.replace("style-src 'self'", f"style-src 'self' {inline.style}")


def _takes_inline(request: AnyRequest) -> bool:
    """Return whether a browser that accepts Brotli shows the page.

    Link previews and other programs do not send `Sec-Fetch-Dest`, and browsers send it and accept Brotli over https.
    """
    accepted = request.headers.get("accept-encoding", "")
    return request.headers.get("sec-fetch-dest") == "document" and content_coding(accepted, ("br", "gzip")) == "br"


def _seen(request: AnyRequest) -> list[str]:
    """Return the areas of which the browser has seen a page of this version."""
    stamp, *areas = request.cookies.get(CACHED_COOKIE, "").split(".")
    return [area for area in areas if area in ENTRY_PARTS] if stamp == web().stamp else []


def _area(path: str) -> str:
    """Return the area of a page that is not a table's."""
    return path.split("/")[1] or "home"


def _script_area(path: str) -> str:
    """Return the area of the entry bundle of a page that is not a table's."""
    if path.startswith("/party/"):
        return "join" if _JOIN.fullmatch(path) else "any" if path.endswith("/podium") else "party"
    return _area(path)


def _data(path: str, query: str) -> tuple[str, ...]:
    """Return the addresses from which the page at a path requests its data, as far as the server knows them.

    Args:
        path: the path of the page.
        query: the query of its address.
    """
    if replay := _REPLAY.fullmatch(path):
        return quote(f"/api/tables/{replay[1]}/replay"), quote(f"/api/tables/{replay[1]}")
    if join := _JOIN.fullmatch(path):
        return (quote(f"/api/party-links/{join[1]}") + f"?{quote(query, safe='=&%')}" * bool(query),)
    area, (_, _, identifier) = _area(path), path[1:].partition("/")
    if identifier and area in _DATA_OF_ONE:
        return tuple(address.format(quote(identifier)) for address in _DATA_OF_ONE[area])
    return _DATA.get(area, ())


_DATA: Final[Mapping[str, tuple[str, ...]]] = {
    "about": ("/api/about",),
    "friends": ("/api/friends",),
    "home": ("/api/games",),
    "ladder": ("/api/games",),
    "learn": ("/api/games",),
    "me": ("/api/server-info", "/api/games"),
    "new": ("/api/games",),
    "puzzles": ("/api/puzzles",),
    "tournaments": ("/api/server-info", "/api/games"),
    "watch": ("/api/server-info", "/api/watch"),
}
"""The addresses from which pages request their data, by area."""

_DATA_OF_ONE: Final[Mapping[str, tuple[str, ...]]] = {
    "players": ("/api/players/{}/results", "/api/games"),
    "puzzles": ("/api/puzzles/{}",),
    "tournaments": ("/api/tournaments/{}", "/api/server-info", "/api/games"),
}
"""Likewise for the pages of one player, puzzle or tournament, with their identifier."""


def _preload(data: Collection[str], base: str, script: str, parts: Collection[str]) -> str:
    """Return the header that makes browsers request the files of a page before they read the page.

    Args:
        data: the addresses of its data, without the base path.
        base: the server's base path.
        script: the name of the entry bundle, or "" if the page contains it and the style sheet.
        parts: the dynamic imports of the page.
    """
    static = f"{base}/static/{web().stamp}"
    files = (f"<{static}/style.css>; rel=preload; as=style", f"<{static}/start/{script}>; rel=modulepreload")
    links = [*files] if script else []
    links += [f"<{static}/joined/{part}>; rel=modulepreload" for part in parts]
    links += [f"<{base}{address}>; rel=preload; as=fetch; crossorigin=anonymous" for address in data]
    return ", ".join(links)


def _script(request: AnyRequest, area: str, game: str = "") -> str:
    """Return the name of the entry bundle of an area."""
    return start(area if area in ENTRY_PARTS else "any", language_of(request), game)


def language_of(request: AnyRequest) -> Language:
    """Return the first of the browser's languages that the page has."""
    header = request.headers.get("accept-language", "")
    accepted = [asked.lower() for asked in _LANGUAGE.findall(header)]
    return next((asked for asked in accepted if asked in LANGUAGES), LANGUAGES[0])


async def _preview(request: AnyRequest, services: Services) -> Preview:
    """Return the preview of the link to this page."""
    path, base, language = request.scope["path"], services.settings.base_path, language_of(request)
    if table := _TABLE_OR_REPLAY.fullmatch(path):
        return table_preview(
            language, table[1], await spectator_view(services, table[1]), base, replay=table[2] is not None
        )
    area = _area(path)
    return page_preview(language, area if area in PREVIEWS else "home", path, base)


def _origin(request: AnyRequest, services: Services) -> str:
    """Return the scheme and host of links to this server."""
    return services.settings.public_url or caller_of(request).origin


async def _first_line(table: str, request: AnyRequest, services: Services) -> bytes:
    """Return the table's snapshot for the requester.

    If the requester may not watch the table, return b"". The page then requests the snapshot and shows the error.
    """
    with suppress(*EXPECTED):
        requester = await authenticate_request(request, services)
        return await services.hub.first_line(table, await viewer(services, requester, table))
    return b""


def _table_area(first: bytes) -> tuple[str, str]:
    """Return the area of the entry bundle for a table's snapshot, and the game if the table is no longer pending."""
    if not first:
        return "table", ""
    room_view = msgspec.json.decode(first, type=_Snapshot).room
    return ("pending", "") if room_view.status == "pending" else ("table", room_view.config.game)


def not_found_page(request: AnyRequest, services: Services) -> Response[bytes] | None:
    """Return the page for a browser at an unknown address.

    Return None for programs, and for addresses below `/api` and `/static`.
    """
    path = request.scope["path"]
    if request.method != "GET" or path.startswith(("/api/", "/static/")):
        return None
    if "text/html" not in request.headers.get("accept", ""):
        return None
    return asset_response(request, page(services.settings, _script(request, "any")), status=404)


@get("/static/{stamp:str}/{path:path}", include_in_schema=False, sync_to_thread=True)
def serve_asset(request: AnyRequest, stamp: FromPath[str], path: FromPath[str]) -> Response[bytes]:
    """Return a static file of the current version. Browsers may cache the file forever.

    The handler runs in a thread, because it may compress the file on the first request.
    """
    asset = find_asset(path.removeprefix("/")) if stamp == web().stamp else None
    if asset is None:
        raise NotFoundError("the current version of the page has no such file: reload the page")
    # The address has the path and the version, so that the entity tag needs only the version.
    return asset_response(request, asset, {"cache-control": IMMUTABLE, **ANY_SITE}, tag=stamp)


@get(["/embed/replay.js", "/embed/style.css"], include_in_schema=False, status_code=302)
async def redirect_embedded(request: AnyRequest, services: Given[Services]) -> Redirect:
    """Redirect to the current version of a file that pages of other sites load to embed a replay."""
    name = {"/embed/replay.js": "embed.js", "/embed/style.css": "style.css"}[request.scope["path"]]
    headers = {"cache-control": "no-cache", **ANY_SITE}
    return Redirect(f"{services.settings.base_path}/static/{web().stamp}/{name}", status_code=302, headers=headers)


@get(["/favicon.ico", "/robots.txt"], include_in_schema=False)
async def serve_root_file(request: AnyRequest) -> Response[bytes]:
    """Return a file that browsers and crawlers expect at the root of a site."""
    name = request.scope["path"].rpartition("/")[2]
    return asset_response(request, web().assets[name], {"cache-control": "public, max-age=86400"})


@get("/manifest.webmanifest", include_in_schema=False)
async def serve_manifest(request: AnyRequest, services: Given[Services]) -> Response[bytes]:
    """Return the web app manifest, which names the site."""
    asset = make_asset("manifest.webmanifest", manifest(services.settings))
    return asset_response(request, asset, {"cache-control": "no-cache"})


@get("/service-worker.js", include_in_schema=False)
async def serve_service_worker(request: AnyRequest) -> Response[bytes]:
    """Return the service worker. It is at the root of the site, because it acts only on pages below its own address."""
    return asset_response(request, web().assets["service-worker.js"], {"cache-control": "no-cache"}, tag=web().stamp)


@get(["/rules", "/rules/{game:str}"], include_in_schema=False, status_code=308)
async def redirect_rules(request: AnyRequest, services: Given[Services]) -> Redirect:
    """Redirect to the rules, which are at `/learn`. Without this, `/rules` would be read as the code of a table."""
    path = request.scope["path"].replace("/rules", "/learn", 1)
    return Redirect(f"{services.settings.base_path}{quote(path)}", status_code=308)


@get("/{code:str}", include_in_schema=False, status_code=303)
async def redirect_code(code: FromPath[str], services: Given[Services], requester: Given[Requester]) -> Redirect:
    """Redirect to the address of the table with this code."""
    if not CODE.fullmatch(code):
        raise NotFoundError("there is nothing at this address")
    row = await find_by_code(services, requester, code)
    return Redirect(f"{services.settings.base_path}/t/{row.id}", status_code=303)
