"""A replay as one page that needs no server: the page's own modules and the lines, all in one file.

Modules that stand in a page cannot import each other by relative paths, so each gets a name, and an import map says
where its text is. What a file on somebody's disk holds is that somebody's: it may show everything, as the record does.
"""

import base64
import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import PurePosixPath
from typing import Final

import msgspec

from faceup.core import find_game
from faceup.core.record import Record
from faceup.server.api.web import beside, web
from faceup.server.rooms import Viewer, replayed

_ENTRY: Final = "embed.js"
_RELATIVE: Final = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'`])(\.{1,2}/[^"'`]*)\2""")
_CLOSING: Final = re.compile("</(?=script|style)", re.IGNORECASE)
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:"


def replay_page(record: Record, viewer: Viewer = None) -> str:
    """The page as HTML.

    Args:
        record: what it plays.
        viewer: from which seat it is seen first; None is a spectator.

    Raises:
        Malformed: the record breaks a rule.
        NotYours: there is no such seat.
    """
    title = html.escape(f"{find_game(record.game).title}: a replay")
    lines = b"".join(replayed(record)).decode()
    seat = "" if viewer is None else f' seat="{viewer}"'
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="{_POLICY}">
<title>{title}</title>
<style>{_inline(web().assets["style.css"].plain.decode())}</style>
<script type="importmap">{_modules(record.game)}</script>
<script type="module">import "faceup/{_ENTRY}";</script>
</head>
<body>
<faceup-replay{seat}><script type="application/x-ndjson">
{_inline(lines)}</script></faceup-replay>
</body>
</html>
"""


class ReplayFrame(msgspec.Struct, frozen=True):
    """A replay for a notebook, in a frame of its own.

    Attributes:
        record: what it plays.
        viewer: from which seat it is seen first.
        height: of the frame, in pixels.
    """

    record: Record
    viewer: Viewer = None
    height: int = 760

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        page = html.escape(replay_page(self.record, self.viewer))
        return f'<iframe srcdoc="{page}" style="width:100%;height:{self.height}px;border:0" title="a replay"></iframe>'


@cache
def _modules(game: str) -> str:
    """The import map of all modules that a replay of this game may import."""
    imports = {f"faceup/{path}": _address(text) for path, text in _needed(game)}
    return msgspec.json.encode({"imports": imports}).decode()


def _needed(game: str) -> Iterator[tuple[str, str]]:
    """Each module, with names in place of relative paths; of the games' elements, this game's alone."""
    areas = ("manners", "refusals", "replay", "shell", "table", game)
    waiting = [_ENTRY, *(f"words/{language}/{area}.js" for language in ("en", "de", "zh") for area in areas)]
    found: set[str] = set()
    while waiting:
        path = waiting.pop()
        if path in found or path not in web().assets:
            continue
        found.add(path)
        folder = PurePosixPath(path).parent
        text = web().assets[path].plain.decode()
        for _, _, target in _RELATIVE.findall(text):
            other = beside(path, target)
            if folder != PurePosixPath("games") or PurePosixPath(other).parent.name in {game, "any", "games"}:
                waiting.append(other)
        yield path, _named(path, text)


def _named(path: str, text: str) -> str:
    """The module with names for what it imports; its own address is nothing that it could use."""
    named = _RELATIVE.sub(
        lambda found: f"{found[1]}{found[2]}faceup/{beside(path, found[3])}{found[2]}",
        text,
    )
    return named.replace("import.meta.url", '"https://nowhere.invalid/static/here/live/api.js"')


def _address(text: str) -> str:
    return f"data:text/javascript;base64,{base64.b64encode(text.encode()).decode()}"


def _inline(text: str) -> str:
    r"""Text that ends no element that it stands in: JSON and CSS both read `<\/` as `</`."""
    return _CLOSING.sub(r"<\\/", text)
