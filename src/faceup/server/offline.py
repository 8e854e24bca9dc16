"""A replay as one page that needs no server: the page's own modules, joined, and the lines, all in one file.

What a file on somebody's disk holds is that somebody's: it may show everything, as the record does.
"""

import html
import re
from functools import cache
from typing import Final

import msgspec

from faceup.core import find_game
from faceup.core.record import Record
from faceup.server.api.web import LANGUAGES, web
from faceup.server.rooms import Viewer, replayed

_ENTRY: Final = "embed.js"
_NOWHERE: Final = '"https://nowhere.invalid/static/here/"'
_CLOSING: Final = re.compile("</(?=script|style)", re.IGNORECASE)
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


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
<script type="module">{_inline(_modules(record.game))}</script>
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
    """All modules that a replay of this game may need; of the games' elements, this game's alone."""
    modules = web().modules
    areas = ("usual", "replay", "shell", game)
    parts = [f"words/{language}/{area}.js" for language in LANGUAGES for area in areas]
    waiting = [_ENTRY, *(each for each in parts if each in web().parts)]
    found: dict[str, None] = {}
    while waiting:
        for path in modules.at_once(waiting.pop()):
            if path not in found:
                found[path] = None
                waiting += [each for each in modules.later(path) if _is_of(each, game)]
    return modules.running(_ENTRY, _NOWHERE, found)


def _is_of(path: str, game: str) -> bool:
    """Whether a replay of this game may load the module: not what is another's, nor what the areas name already."""
    folder, _, rest = path.partition("/")
    return folder != "words" and (folder != "games" or rest.startswith((f"{game}/", "any/")))


def _inline(text: str) -> str:
    r"""Text that ends no element that it stands in: JavaScript, JSON and CSS all read `<\/` in a text as `</`."""
    return _CLOSING.sub(r"<\\/", text)
