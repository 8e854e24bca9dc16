"""The HTML page, and HTTP headers of the static files.

`/static/STAMP/...` serves the files that `faceup.web.bundles` finds. STAMP is a hash of all files. Therefore browsers
can cache responses forever, and a page can detect a new version of the server.
"""

import json
import re
from collections.abc import Collection, Mapping
from functools import cache
from html import escape
from types import MappingProxyType
from typing import Final

import msgspec
from litestar import Response

from faceup.server.http.services import AnyRequest
from faceup.server.pictures.words import all_game_titles, word
from faceup.server.process.settings import Settings
from faceup.server.site import PageSite, Site
from faceup.translations import LANGUAGES, Language, html_language, translate
from faceup.web.assets import Asset, make_asset, web

_NOSCRIPT_KEY: Final = re.compile(r"\{\{([\w.]+)\}\}")

IMMUTABLE: Final = "public, max-age=31536000, immutable"


def page(settings: Settings, name: str) -> Asset:
    """Return the HTML page of a server, with the entry bundle `name`."""
    return _page(settings.base_path, name, msgspec.json.encode(PageSite.of(settings)), Site.of(settings))


@cache
def _page(base: str, name: str, data: bytes, site: Site) -> Asset:
    language = next(language for language in LANGUAGES if name.endswith(f"-{language}.js"))
    static = f"{base}/static/{web().stamp}"
    values = {
        "LANGUAGE": html_language(language),
        "START": f"{static}/start/{name}",
        "STATIC": static,
        "BASE": base,
        "SITE": escape(site.name),
        "DATA": site_data(data),
        "NOSCRIPT": _noscript(language, site.name, base),
    }
    parts = re.compile("|".join(values))
    text = parts.sub(lambda part: values[part[0]], web().assets["index.html"].plain.decode())
    return make_asset("index.html", text.encode())


def _noscript(language: Language, site: str, base: str) -> str:
    """Return what a browser without JavaScript shows."""
    text = web().assets["noscript.html"].plain.decode().strip().replace("SITE", escape(site)).replace("BASE", base)
    return _NOSCRIPT_KEY.sub(lambda key: escape(translate(language, key[1]), quote=False), text)


def manifest(settings: Settings) -> bytes:
    """Return the web app manifest of a server, from the file of the page."""
    base, fields = settings.base_path, json.loads(web().assets["manifest.webmanifest"].plain)
    texts = {
        language: word(language, "page.home.description", games=all_game_titles(language)) for language in LANGUAGES
    }
    own: dict[str, object] = {
        "name": settings.site_name,
        "short_name": settings.site_name,
        "description": texts.pop("en"),
    }
    icons = [{**icon, "src": f"{base}/static/{web().stamp}/{icon['src']}"} for icon in fields["icons"]]
    own |= {"description_localized": texts, "start_url": f"{base}/", "scope": f"{base}/", "icons": icons}
    return msgspec.json.encode({**fields, **own})


def site_data(data: bytes) -> str:
    """Return the element with what a page knows of the site, as JSON; "" if the host has set nothing."""
    text = data.decode().replace("<", r"\u003c")
    return "" if text == "{}" else f'<script type="application/json" id="site">{text}</script>\n'


def content_coding(accepted: str, offered: Collection[str]) -> str:
    """Return the content coding to send: the offered one that the client prefers, the first of equals, or "" for none.

    Args:
        accepted: the header `Accept-Encoding` of the request.
        offered: names of content codings, best first.

    >>> content_coding("gzip, deflate, br", ("br", "gzip"))
    'br'
    >>> content_coding("br;q=0.5, gzip", ("br", "gzip"))
    'gzip'
    >>> content_coding("identity, *;q=0", ("br", "gzip"))
    ''
    """
    weights = dict(_weight(part) for part in accepted.lower().split(","))
    best = max(offered, key=lambda name: weights.get(name, weights.get("*", 0.0)), default="")
    weight = weights.get(best, weights.get("*", 0.0))
    return best if weight > 0 and weight >= weights.get("identity", 0.0) else ""


def asset_response(
    request: AnyRequest,
    asset: Asset,
    headers: Mapping[str, str] = MappingProxyType({}),
    *,
    status: int = 200,
    tag: str = "",
) -> Response[bytes]:
    """Return the response for a file, compressed if possible; with a tag, only if the client does not have it.

    Args:
        request: the request.
        asset: the file.
        headers: further headers.
        status: the status of the response.
        tag: identifies the content of the file at this address; "" if the response gets no entity tag.
    """
    vary = "accept-encoding, accept-language" if asset.kind.startswith("text/html") else "accept-encoding"
    all_headers = {**headers, "vary": vary}
    coding = content_coding(request.headers.get("accept-encoding", ""), asset.encoded)
    if coding:
        all_headers["content-encoding"] = coding
    content = asset.encoded.get(coding, asset.plain)
    if tag:
        all_headers["etag"] = entity = f'"{tag}-{coding or "plain"}"'
        if entity in request.headers.get("if-none-match", ""):
            content, status = b"", 304
    return Response(content, media_type=asset.kind, headers=all_headers, status_code=status)


def _weight(part: str) -> tuple[str, float]:
    """Return a content coding of the header and its weight; the weight is 0 if it cannot be read."""
    name, _, parameters = part.partition(";")
    key, _, value = parameters.partition("=")
    if not parameters.strip():
        return name.strip(), 1.0
    try:
        return name.strip(), float(value) if key.strip() == "q" else 1.0
    except ValueError:
        return name.strip(), 0.0
