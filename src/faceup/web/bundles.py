"""The files that pages load, by their path below `/static/STAMP/`.

`start/...` are the entry bundles of the pages, `joined/...` the bundles of dynamic imports, and all other paths the
files of this folder.
"""

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

from faceup.translations import LANGUAGES, html_language
from faceup.web.assets import Asset, brotli_stream, make_asset, web
from faceup.web.bundler import resolve

ENTRY_PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "any": (),
    "daily": ("daily/daily.js", "i18n/{language}/shell.js", "i18n/{language}/daily.js"),
    "home": ("home/home.js", "i18n/{language}/shell.js"),
    "join": ("parties/party-join.js", "i18n/{language}/shell.js", "i18n/{language}/party.js"),
    "learn": ("learn/learn.js", "i18n/{language}/shell.js", "i18n/{language}/learn.js"),
    "new": ("home/create-table.js", "i18n/{language}/shell.js"),
    "party": ("parties/party.js", "i18n/{language}/shell.js", "i18n/{language}/party.js"),
    "pending": ("table/table-page.js", "table/lobby.js", "i18n/{language}/shell.js"),
    "replay": ("replays/replay.js", "i18n/{language}/replay.js"),
    "table": ("table/table-page.js",),
}
"""The modules in the entry bundle of each area. All bundles also contain the common translations.

The bundles of running tables and of their replays also contain the modules and translations of the game.
"""


def start(area: str, language: str, game: str = "") -> str:
    """Return the name of the entry bundle for an area of `ENTRY_PARTS`, and for the game of a started table."""
    with_game = f"{area}-{game}-{language}.js"
    return with_game if with_game in _starts() else f"{area}-{language}.js"


def later_parts(path: str, name: str) -> list[str]:
    """Return the dynamic imports of the page at a path, with its translations, that the entry bundle `name` lacks."""
    language = name.removesuffix(".js").rpartition("-")[2]
    contained = _starts()[name]
    for route in page_routes():
        if route.address.match(path):
            words = [f"i18n/{language}/{namespace}.js" for namespace in route.words]
            return [part for part in (*route.modules, *words) if part not in contained]
    return []


class PageRoute(NamedTuple):
    """A page of `pages.js`.

    Attributes:
        address: the pattern of its addresses.
        words: the namespaces of translations that it needs.
        modules: the modules that it imports dynamically.
    """

    address: re.Pattern[str]
    words: tuple[str, ...]
    modules: tuple[str, ...]


_ROUTE: Final = re.compile(r'address: /(.+)/, element: "[\w-]+", words: \[(.*)\], load: (.+) \},')
_QUOTED: Final = re.compile(r'"([^"]+)"')


@cache
def page_routes() -> tuple[PageRoute, ...]:
    """Return all pages, from the lists of the features."""
    return tuple(
        PageRoute(
            re.compile(address.replace("(?<", "(?P<")),
            tuple(_QUOTED.findall(words)),
            tuple(resolve(path, target) for target in _QUOTED.findall(load)),
        )
        for path, asset in web().assets.items()
        if path.endswith("/pages.js")
        for address, words, load in _ROUTE.findall(asset.plain.decode())
    )


def find_asset(path: str) -> Asset | None:
    """Return the file at a path below `/static/STAMP/`, or None if there is no such file."""
    return _bundle(path) if path in bundle_paths() else web().assets.get(path)


@cache
def bundle_paths() -> frozenset[str]:
    """Return the paths of all bundles."""
    return frozenset((*(f"start/{name}" for name in _starts()), *(f"joined/{path}" for path in web().parts)))


def bundle(path: str) -> str:
    """Return the text of the bundle at one of `bundle_paths`."""
    folder, _, name = path.partition("/")
    return web().modules.start(*_starts()[name]) if folder == "start" else web().modules.part(name)


class InlineStart(NamedTuple):
    """The beginning of a page that contains its style sheet and its entry bundle.

    Attributes:
        encoded: a Brotli stream that `with_uncompressed` can continue.
        style: the style sheet as a source of a Content Security Policy, `'sha256-...'`.
        scripts: the scripts as sources, separated by spaces.
    """

    encoded: bytes
    style: str
    scripts: str


@cache
def inline_start(name: str) -> InlineStart | None:
    """Return the beginning of a page that contains the entry bundle `name`, or None if it was not built."""
    encoded = brotli_stream(opening(name))
    scripts = " ".join(map(_source, inline_scripts(name)))
    return InlineStart(encoded, _source(inline_style()), scripts) if encoded else None


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def inline_scripts(name: str) -> list[str]:
    """Return the scripts by which a page contains the entry bundle `name`, of which the last one is a module."""
    return web().modules.inline_scripts(*_starts()[name])


def inline_style() -> str:
    """Return the style sheet by which a page contains that of all pages."""
    return compact_style(web().assets["style.css"].plain.decode())


def compact_style(text: str) -> str:
    """Return a style sheet without comments and indentation."""
    return _SPACE.sub("\n", text)


_SPACE: Final = re.compile(r"/\*.*?\*/|\s*\n\s*", re.DOTALL)


def opening(name: str) -> bytes:
    """Return the beginning of the HTML page with the style sheet and the entry bundle `name` in place of addresses.

    Raises:
        ValueError: a text would end its script element early.
    """
    *modules, entry = inline_scripts(name)
    for text in (*modules, entry):
        if match := _NOT_INLINE.search(text):
            raise ValueError(f"start/{name} contains {match[0]!r}, which HTML pages cannot contain in a script")
    language = html_language(name.removesuffix(".js").rpartition("-")[2])
    before = web().assets["index.html"].plain.decode().partition("<link")[0].replace("LANGUAGE", language)
    scripts = [*(f"<script>{text}</script>" for text in modules), f'<script type="module">{entry}</script>']
    return "\n".join((f"{before}<style>{inline_style()}</style>", *scripts, "")).encode()


def inline_names() -> list[str]:
    """Return the names of the entry bundles, which pages contain on a first visit."""
    return list(_starts())


_NOT_INLINE: Final = re.compile(r"<!--|^\s*-->|</?script", re.IGNORECASE | re.MULTILINE)


@cache
def _bundle(path: str) -> Asset:
    return make_asset(path, bundle(path).encode())


@cache
def _starts() -> Mapping[str, tuple[str, ...]]:
    """Return the modules that each entry bundle contains besides the imports of `main.js`, by the bundle's name."""
    starts: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        common = f"i18n/{language}/common.js"
        parts = {
            area: (common, *(template.format(language=language) for template in its))
            for area, its in ENTRY_PARTS.items()
        }
        starts |= {f"{area}-{language}.js": its for area, its in parts.items()}
        for element in (
            element_path
            for element_path in web().parts
            if element_path.startswith("games/") and element_path.endswith("-table.js")
        ):
            game = element.split("/")[1]
            own = sorted({element, f"i18n/{language}/{game}.js"} & web().parts)
            hands = sorted({f"games/{game}/open-hands.js"} & web().parts)
            starts[f"table-{game}-{language}.js"] = (*parts["table"], *own)
            starts[f"replay-{game}-{language}.js"] = (*parts["replay"], *own, *hands)
    return starts
