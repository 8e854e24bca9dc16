"""The HTML page, and HTTP headers of the static files.

`/static/STAMP/...` serves the files that `faceup.web.bundles` finds. STAMP is a hash of all files. Therefore browsers
can cache responses forever, and a page can detect a new version of the server.
"""

from collections.abc import Collection, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from litestar import Response

from faceup.server.http.services import AnyRequest
from faceup.web.assets import Asset, html_language, make_asset, web

IMMUTABLE: Final = "public, max-age=31536000, immutable"


@cache
def page(base: str, name: str) -> Asset:
    """Return the HTML page with the entry bundle `name`, for a server with the base path `base`."""
    language = name.removesuffix(".js").rpartition("-")[2]
    text, noscript = (web().assets[path].plain.decode() for path in ("index.html", f"i18n/{language}/noscript.html"))
    text = text.replace("NOSCRIPT", noscript.strip()).replace("LANGUAGE", html_language(language))
    text = text.replace("START", f"STATIC/start/{name}").replace("STATIC", f"{base}/static/{web().stamp}")
    return make_asset("index.html", text.encode())


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
