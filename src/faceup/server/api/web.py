"""The files of the page, as browsers get them: read once, compressed once, at an address that changes with them.

`/static/STAMP/...` holds every file of `faceup/web` that a browser may ask for, and `/static/STAMP/joined/...` those
modules with which something begins or which are loaded later, joined with what they import. The stamp is a hash of all
files, so that an answer may be kept for ever, and a page can tell that the server has become another.
"""

import gzip
import hashlib
import html
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from faceup.server.api.joining import START, Modules

KINDS: Final[Mapping[str, str]] = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
"""What is served, by how its name ends; nothing else in the folder is."""

FOR_EVER: Final = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file: its media type, its bytes, and those compressed (gzip), if they may be."""

    kind: str
    plain: bytes
    compressed: bytes

    def beginning_with(self, line: bytes, table: str) -> "Asset":
        """The page, with the line in it with which a table's stream begins, as data: it runs nothing."""
        data = line.strip().replace(b"<", rb"\u003c")
        name = html.escape(table).encode()
        told = b'<body>\n<script type="application/json" id="first" data-table="%b">%b</script>' % (name, data)
        return Asset(self.kind, self.plain.replace(b"<body>", told, 1), b"")


class Web(NamedTuple):
    """All files by their path, their stamp, the modules among them, and what has a joined file."""

    stamp: str
    assets: Mapping[str, Asset]
    modules: Modules
    joined: frozenset[str]


@cache
def web() -> Web:
    """The files of the page."""
    assets = {}
    stamp = hashlib.sha256()
    for path, file in sorted(_files(files("faceup.web"), "")):
        plain = file.read_bytes()
        stamp.update(f"{path}:{len(plain)}:".encode() + plain)
        assets[path] = _asset(path, plain)
    modules = Modules({path: each.plain.decode() for path, each in assets.items() if path.endswith(".js")})
    return Web(stamp.hexdigest()[:16], assets, modules, frozenset((*START, *modules.parts())))


def served(path: str) -> Asset | None:
    """What is at a path below the stamp."""
    module = path.removeprefix("joined/")
    return web().assets.get(path) if module == path else _joined(module) if module in web().joined else None


@cache
def _joined(path: str) -> Asset:
    modules = web().modules
    return _asset(path, (modules.start(path) if path in START else modules.part(path)).encode())


@cache
def page(base: str, *entries: str) -> Asset:
    """The page, for a server at the path `base`; the modules `entries` are named for loading early."""
    static = f"{base}/static/{web().stamp}"
    preloads = "\n".join(f'<link rel="modulepreload" href="{static}/joined/{path}">' for path in entries)
    text = web().assets["index.html"].plain.decode()
    return _asset("index.html", text.replace("PRELOADS", preloads).replace("STATIC", static).encode())


def _asset(path: str, plain: bytes) -> Asset:
    return Asset(KINDS[path.rpartition(".")[2]], plain, gzip.compress(plain, 9, mtime=0))


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in KINDS:
            yield f"{path}{each.name}", each
