"""The files of the page, as browsers get them: read once, compressed once, at an address that changes with them.

`/static/STAMP/...` holds every file of `faceup/web` that a browser may ask for; `/static/STAMP/start/...` the files
with which pages begin, and `/static/STAMP/joined/...` what they load later, each joined with what it imports. The stamp
is a hash of all files, so that an answer may be kept for ever, and a page can tell that the server has become another.
"""

import gzip
import hashlib
import html
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from faceup.server.api.joining import Modules

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

LANGUAGES: Final = ("en", "de", "zh")
"""Those that the page speaks."""

AREAS: Final[Mapping[str, tuple[str, ...]]] = {
    "any": (),
    "home": ("pages/home.js", "words/{language}/shell.js"),
    "new": ("pages/new.js", "words/{language}/shell.js"),
    "pending": ("pages/table.js", "pages/pending.js", "words/{language}/shell.js"),
    "replay": ("pages/replay.js", "words/{language}/replay.js"),
    "table": ("pages/table.js",),
}
"""The parts that a page needs at once, beside the words that all do. A table that is on needs its game's, too."""

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
    """All files by their path, their stamp, the modules among them, and which of those may be loaded later."""

    stamp: str
    assets: Mapping[str, Asset]
    modules: Modules
    parts: frozenset[str]


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
    return Web(stamp.hexdigest()[:16], assets, modules, frozenset(modules.parts()))


def start(area: str, language: str, game: str = "") -> str:
    """The name of the file with which a page begins: of an area of `AREAS`, and of the game of a table that is on."""
    own = f"{area}-{game}-{language}.js"
    return own if own in _starts() else f"{area}-{language}.js"


def served(path: str) -> Asset | None:
    """What is at a path below the stamp."""
    folder, _, name = path.partition("/")
    if folder == "start":
        return _start(name) if name in _starts() else None
    if folder == "joined":
        return _part(name) if name in web().parts else None
    return web().assets.get(path)


@cache
def _starts() -> Mapping[str, tuple[str, ...]]:
    """By the names of the files with which pages begin, the parts in each."""
    starts: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        usual = f"words/{language}/usual.js"
        parts = {area: (usual, *(each.format(language=language) for each in its)) for area, its in AREAS.items()}
        starts |= {f"{area}-{language}.js": its for area, its in parts.items()}
        for element in (each for each in web().parts if each.startswith("games/") and each.endswith("-table.js")):
            game = element.split("/")[1]
            own = {element, f"words/{language}/{game}.js"} & web().parts
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
    """The page, for a server at the path `base`, which begins with the file of this name."""
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
