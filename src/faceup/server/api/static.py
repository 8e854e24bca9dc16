"""The static files of the page, which are read and compressed once.

`/static/STAMP/...` serves the files of `faceup/web`, `/static/STAMP/start/...` serves the entry bundles of pages, and
`/static/STAMP/joined/...` serves the bundles of dynamic imports. STAMP is a hash of all files. Therefore browsers can
cache responses forever, and a page can detect a new version of the server.
"""

import gzip
import hashlib
import html
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from faceup.server.api.bundler import ModuleGraph

KINDS: Final[Mapping[str, str]] = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
"""The media types of files by extension. Files with other extensions are not served."""

LANGUAGES: Final = ("en", "de", "zh")
"""The languages of the page."""

ENTRY_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "any": (),
    "home": ("pages/home.js", "i18n/{language}/shell.js"),
    "new": ("pages/create-table.js", "i18n/{language}/shell.js"),
    "pending": ("pages/table.js", "pages/lobby.js", "i18n/{language}/shell.js"),
    "replay": ("pages/replay.js", "i18n/{language}/replay.js"),
    "table": ("pages/table.js",),
}
"""The modules in the entry bundle of each area. All bundles also contain the common translations.

The bundles of running tables also contain the modules and translations of the game.
"""

IMMUTABLE: Final = "public, max-age=31536000, immutable"


class Asset(NamedTuple):
    """A file to serve.

    Attributes:
        kind: the media type.
        plain: the content.
        compressed: the content compressed by gzip; b"" if the response must not be compressed.
    """

    kind: str
    plain: bytes
    compressed: bytes

    def with_first_line(self, line: bytes, table: str) -> "Asset":
        """Return the page with the snapshot `line` of a table embedded as JSON data."""
        data = line.strip().replace(b"<", rb"\u003c")
        name = html.escape(table).encode()
        body = b'<body>\n<script type="application/json" id="first" data-table="%b">%b</script>' % (name, data)
        return Asset(self.kind, self.plain.replace(b"<body>", body, 1), b"")


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
    stamp = hashlib.sha256()
    for path, file in sorted(_files(files("faceup.web"), "")):
        plain = file.read_bytes()
        stamp.update(f"{path}:{len(plain)}:".encode() + plain)
        assets[path] = _asset(path, plain)
    modules = ModuleGraph({path: each.plain.decode() for path, each in assets.items() if path.endswith(".js")})
    return Web(stamp.hexdigest()[:16], assets, modules, frozenset(modules.parts()))


def start(area: str, language: str, game: str = "") -> str:
    """Return the name of the entry bundle for an area of `ENTRY_PARTS`, and for the game of a running table."""
    with_game = f"{area}-{game}-{language}.js"
    return with_game if with_game in _starts() else f"{area}-{language}.js"


def find_asset(path: str) -> Asset | None:
    """Return the file at a path below `/static/STAMP/`, or None if there is no such file."""
    folder, _, name = path.partition("/")
    if folder == "start":
        return _start(name) if name in _starts() else None
    if folder == "joined":
        return _part(name) if name in web().parts else None
    return web().assets.get(path)


@cache
def _starts() -> Mapping[str, tuple[str, ...]]:
    """Return the modules that each entry bundle contains besides the imports of `main.js`, by the bundle's name."""
    starts: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        common = f"i18n/{language}/common.js"
        parts = {area: (common, *(each.format(language=language) for each in its)) for area, its in ENTRY_PARTS.items()}
        starts |= {f"{area}-{language}.js": its for area, its in parts.items()}
        for element in (each for each in web().parts if each.startswith("games/") and each.endswith("-table.js")):
            game = element.split("/")[1]
            own = {element, f"i18n/{language}/{game}.js"} & web().parts
            starts[f"table-{game}-{language}.js"] = (*parts["table"], *sorted(own))
    return starts


@cache
def _start(name: str) -> Asset:
    return _asset(name, web().modules.start(*_starts()[name]).encode())


@cache
def _part(path: str) -> Asset:
    return _asset(path, web().modules.part(path).encode())


@cache
def page(base: str, name: str) -> Asset:
    """Return the HTML page with the entry bundle `name`, for a server with the base path `base`."""
    text = web().assets["index.html"].plain.decode()
    text = text.replace("START", f"STATIC/start/{name}").replace("STATIC", f"{base}/static/{web().stamp}")
    return _asset("index.html", text.encode())


def _asset(path: str, plain: bytes) -> Asset:
    return Asset(KINDS[path.rpartition(".")[2]], plain, gzip.compress(plain, 9, mtime=0))


def _files(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{path}{each.name}/")
        elif each.name.rpartition(".")[2] in KINDS:
            yield f"{path}{each.name}", each
