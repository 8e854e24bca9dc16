"""The files of the page, which are read and compressed once.

`script/build_page` stores what takes too long at run time in the folder `build`: minified modules, and files compressed
by Brotli. Both are stored under a digest of what they were made from, so a file that was edited since is served
unminified and compressed by gzip, and everything works without the folder.
"""

import gzip
import hashlib
import html
import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, Literal, NamedTuple

from faceup.web.bundler import ModuleGraph, digest

KINDS: Final[Mapping[str, str]] = {
    "css": "text/css",
    "html": "text/html",
    "ico": "image/x-icon",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain",
    "webmanifest": "application/manifest+json",
}
"""The media types of files by extension. Files with other extensions are not served."""

LANGUAGES: Final[tuple[Literal["en", "de", "zh"], ...]] = ("en", "de", "zh")
"""The languages of the page."""

BUILD: Final = "build"
"""The folder that `script/build_page` writes."""

MINIFIED: Final = "minified.json"
"""The file in `BUILD` with the minified modules by the digest of the module."""


class Asset(NamedTuple):
    """A file to serve.

    Attributes:
        kind: the media type.
        plain: the content.
        encoded: the compressed content by content coding, best first; empty if the response must not be compressed.
    """

    kind: str
    plain: bytes
    encoded: Mapping[str, bytes]

    def with_first_line(self, line: bytes, table: str) -> "Asset":
        """Return the page with the snapshot `line` of a table embedded as JSON data."""
        data = line.strip().replace(b"<", rb"\u003c")
        name = html.escape(table).encode()
        body = b'<body>\n<script type="application/json" id="first" data-table="%b">%b</script>' % (name, data)
        return Asset(self.kind, self.plain.replace(b"<body>", body, 1), {})


class Web(NamedTuple):
    """The files of the page.

    Attributes:
        stamp: a hash of all files.
        assets: the files by path.
        modules: the JavaScript modules and their imports.
        parts: the paths of the modules that are imported dynamically.
    """

    stamp: str
    assets: Mapping[str, Asset]
    modules: ModuleGraph
    parts: frozenset[str]


@cache
def web() -> Web:
    """Load the files of the page."""
    assets = {}
    stamp = hashlib.sha256((files("faceup.web") / "bundler.py").read_bytes())  # all files of a version fit together
    for path, file in sorted(_files(files("faceup.web"), "")):
        plain = file.read_bytes()
        stamp.update(f"{path}:{len(plain)}:".encode() + plain)
        assets[path] = make_asset(path, plain)
    minified = files("faceup.web") / BUILD / MINIFIED
    modules = ModuleGraph(
        {path: each.plain.decode() for path, each in assets.items() if path.endswith(".js")},
        json.loads(minified.read_text("utf-8")) if minified.is_file() else {},
    )
    return Web(stamp.hexdigest()[:16], assets, modules, frozenset(modules.parts()))


def make_asset(path: str, plain: bytes) -> Asset:
    """Return a file to serve, and compress it."""
    encoded = {"gzip": gzip.compress(plain, 9, mtime=0)}
    brotli = files("faceup.web") / BUILD / f"{digest(plain)}.br"
    if brotli.is_file():
        encoded = {"br": brotli.read_bytes(), **encoded}
    return Asset(KINDS[path.rpartition(".")[2]], plain, encoded)


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir() and each.name != BUILD:
            yield from _files(each, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in KINDS:
            yield f"{path}{each.name}", each
