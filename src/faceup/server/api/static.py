"""The paths of the page's static files, and the entry bundles of its areas.

`/static/STAMP/...` serves the files of `faceup/web`, `/static/STAMP/start/...` serves the entry bundles of pages, and
`/static/STAMP/joined/...` serves the bundles of dynamic imports. STAMP is a hash of all files. Therefore browsers can
cache responses forever, and a page can detect a new version of the server.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from faceup.web.assets import LANGUAGES, Asset, make_asset, web

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
    return make_asset(name, web().modules.start(*_starts()[name]).encode())


@cache
def _part(path: str) -> Asset:
    return make_asset(path, web().modules.part(path).encode())


@cache
def page(base: str, name: str) -> Asset:
    """Return the HTML page with the entry bundle `name`, for a server with the base path `base`."""
    text = web().assets["index.html"].plain.decode()
    text = text.replace("START", f"STATIC/start/{name}").replace("STATIC", f"{base}/static/{web().stamp}")
    return make_asset("index.html", text.encode())
