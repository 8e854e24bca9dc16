"""What the server sends can be read by others: each response, by its own type, without the code that wrote it.

All GET routes are requested at a table of players whose names are as awkward as names may be.
"""

import json
import re
import struct
import zlib
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

import httpx
import pytest
import pytest_asyncio
from tests.server.app_server import AppServer, built
from tests.server.requests import play_on

from faceup.server.process.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAMES = ('</script><b>"&', "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627 ]]>", "\U0001f468\u200d\U0001f467 '<!--")

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr", "path", "rect", "circle"}
"""Elements of HTML without an end tag, and those that SVG closes in their start tag."""

OPTIONAL = {"p", "li", "td", "tr", "th", "dd", "dt", "option", "html", "head", "body"}
"""Elements of HTML whose end tag may be omitted."""


class Tags(HTMLParser):
    """Checks that each element of a page is closed, and collects the text of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [value for _, value in attrs if value]
        if tag not in VOID | OPTIONAL:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID | OPTIONAL:
            assert self.open.pop() == tag


def refuse_constant(name: str) -> NoReturn:
    raise AssertionError(f"{name} is not JSON")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len({key for key, _ in pairs}) == len(pairs)
    return dict(pairs)


def read_json(text: str) -> None:
    json.loads(text, parse_constant=refuse_constant, object_pairs_hook=unique_keys)


def read_png(data: bytes) -> None:
    """Read the chunks of a PNG: their checksums are right, and no text or time is in them."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, kinds = 8, list[bytes]()
    while position < len(data):
        (length,), kind = struct.unpack_from(">I", data, position), data[position + 4 : position + 8]
        content = data[position + 8 : position + 8 + length]
        assert struct.unpack_from(">I", data, position + 8 + length) == (zlib.crc32(kind + content),)
        kinds.append(kind)
        position += 12 + length
    assert kinds[0] == b"IHDR"
    assert kinds[-1] == b"IEND"
    assert set(kinds) <= {b"IHDR", b"PLTE", b"tRNS", b"pHYs", b"IDAT", b"IEND"}


def read_body(response: httpx.Response) -> None:
    """Read a body as its media type says."""
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind == "application/json":
        read_json(response.content.decode("utf-8"))
    elif kind == "application/x-ndjson":
        assert response.content.endswith(b"\n")
        for line in response.content.decode("utf-8").splitlines():
            read_json(line)
    elif kind == "image/svg+xml":
        root = ET.fromstring(response.content)  # noqa: S314 -- the server's own drawing
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert not [element.tag for element in root.iter() if element.tag.endswith("}script")]
    elif kind == "image/png":
        read_png(response.content)
    elif kind == "text/html":
        assert "charset=utf-8" in response.headers["content-type"].lower()
        page = Tags()
        page.feed(response.content.decode("utf-8"))
        page.close()
        assert not page.open
    elif kind.startswith("text/") or kind in {"application/javascript", "text/javascript"}:
        response.content.decode("utf-8")
    else:
        assert not response.content or kind in {"image/x-icon", "image/vnd.microsoft.icon"}, kind


def read_headers(response: httpx.Response) -> None:
    """Read the headers as RFC 9110 and RFC 6265 have them."""
    for name, value in response.headers.raw:
        assert re.fullmatch(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name), name
        assert re.fullmatch(rb"[\t -~]*", value), (name, value)
    headers = response.headers
    if "etag" in headers:
        assert re.fullmatch(r'(W/)?"[!#-~]*"', headers["etag"])
    if "retry-after" in headers:
        assert re.fullmatch(r"[0-9]+", headers["retry-after"])
    if "content-length" in headers and "content-encoding" not in headers:
        assert int(headers["content-length"]) == len(response.content)
    for cookie in headers.get_list("set-cookie"):
        assert re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+=[!#-+\--:<-\[\]-~]*(; [^;]+)*", cookie), cookie
    if "content-disposition" in headers:
        assert re.fullmatch(r'attachment; filename="[\w.-]+"', headers["content-disposition"])


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppServer]:
    async with built(f"sqlite:///{Path(tmp_path_factory.mktemp('wire'))}/tables.sqlite", Settings()) as running:
        await running.app.start()
        yield running
        await running.app.stop()


async def test_every_response_can_be_read_by_its_type(app: AppServer) -> None:
    async with app.guest(NAMES[0]) as ann, app.guest(NAMES[1]) as bo, app.guest(NAMES[2]) as cem:
        options = {"seats": 3, "hand": 1}
        table = await app.table(ann, bo, cem, options=options)
        await play_on([ann, bo, cem], table)
        handle = (await ann.get("/api/me")).json()["handle"]
        party = (await ann.post("/api/parties", json={})).json()
        puzzles = (await ann.get("/api/puzzles")).json()
        values = {
            "table": table,
            "handle": handle,
            "code": table,
            "party": party["id"],
            "key": party.get("key") or party["id"],
            "date": "2026-11-23",
            "bot": "greedy",
            "puzzle": "1",
            "tournament": "none",
        }
        assert puzzles
        paths = (await ann.get("/api/openapi.json")).json()["paths"]
        routes = [path for path, item in paths.items() if "get" in item and "stream" not in path]
        kinds = set()
        for path in [
            *routes,
            "/",
            "/rules",
            f"/t/{table}",
            f"/t/{table}/preview.png",
            "/preview/en.png",
            "/robots.txt",
        ]:
            url = re.sub(r"\{(\w+)(:\w+)?\}", lambda match: values.get(match[1], "none"), path)
            response = await ann.get(url, timeout=60)
            assert response.status_code < 500, (url, response.text)
            read_headers(response)
            read_body(response)
            if response.status_code == 200:
                kinds.add(response.headers["content-type"].partition(";")[0])
        assert kinds >= {"application/json", "image/svg+xml", "image/png", "text/html"}, kinds
