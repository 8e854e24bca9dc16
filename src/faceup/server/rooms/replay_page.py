"""A replay as one HTML file that works without a server, because it contains the page's modules and all lines.

The file contains the complete record, including every player's cards.
"""

import re
from base64 import b64encode
from functools import cache
from typing import Final

import msgspec
from markupsafe import Markup

from faceup.core import find_game
from faceup.core.record import Joined, Record
from faceup.server.rooms import replay_lines
from faceup.server.rooms.faces import face_of
from faceup.server.rooms.room import Viewer
from faceup.templates import render
from faceup.translations import LANGUAGES, Language, html_language, translate, translate_or
from faceup.web.assets import web

_ENTRY: Final = "embed.js"
_UNUSED_URL: Final = '"https://nowhere.invalid/static/here/"'
_CLOSING: Final = re.compile("</(?=script|style)", re.IGNORECASE)
_POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"


def replay_page(record: Record, viewer: Viewer = None, language: Language = "en") -> str:
    """Return the HTML page that replays a record.

    Args:
        record: the game.
        viewer: the seat whose view is shown first; None is the view of a spectator.
        language: the language of the title; the rest is in the language of the browser.

    Raises:
        Malformed: the record is invalid.
        WrongSeatError: the seat does not exist.
    """
    title = translate_or(language, f"table.game.{record.game}", find_game(record.game).title)
    return render(
        "server/templates/replay.html",
        title=translate(language, "site.table.replay", title=title),
        language=html_language(language),
        policy=_POLICY,
        style=_inline(web().assets["style.css"].plain.decode()),
        script=_inline(_modules(record.game)),
        faces=_inline(msgspec.json.encode(_faces(record)).decode()),
        lines=_inline(b"".join(replay_lines(record)).decode()),
        viewer=viewer,
    )


class ReplayFrame(msgspec.Struct, frozen=True):
    """A replay for a notebook, shown in an iframe.

    Attributes:
        record: the game.
        viewer: the seat whose view is shown first; None is the view of a spectator.
        height: height of the iframe, in pixels.
    """

    record: Record
    viewer: Viewer = None
    height: int = 760

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        frame = '<iframe srcdoc="{}" style="width:100%;height:{}px;border:0" title="a replay"></iframe>'
        return str(Markup(frame).format(str(replay_page(self.record, self.viewer)), self.height))  # noqa: S704 -- a constant


def _faces(record: Record) -> dict[str, str]:
    """Return the drawings of the players' faces as data URLs, by name."""
    joined = [entry for entry in record.entries if isinstance(entry, Joined)]
    names = {face_of(entry.name, entry.kind).drawing for entry in joined}
    drawings = {name: web().assets[f"faces/{name}.svg"].plain for name in sorted(names)}
    return {name: f"data:image/svg+xml;base64,{b64encode(svg).decode()}" for name, svg in drawings.items()}


@cache
def _modules(game: str) -> str:
    """Bundle the modules that a replay of this game needs, without the modules of other games."""
    modules = web().modules
    areas = ("common", "replay", "result", "shell", game)
    parts = [f"i18n/{language}/{area}.js" for language in LANGUAGES for area in areas]
    waiting = [_ENTRY, *(part for part in parts if part in web().parts)]
    modules_to_load: dict[str, None] = {}
    while waiting:
        for path in modules.static_imports(waiting.pop()):
            if path not in modules_to_load:
                modules_to_load[path] = None
                waiting += [path_found for path_found in modules.dynamic_imports(path) if _is_of(path_found, game)]
    return modules.bundle(_ENTRY, _UNUSED_URL, modules_to_load)


def _is_of(path: str, game: str) -> bool:
    """Return whether to add the module to a replay of this game.

    Modules of other games, and those that ask the server for a review or a picture, are not needed. Translations are
    listed already.
    """
    folder, _, rest = path.partition("/")
    if path in {"table/review-panel.js", "ui/share-dialog.js"}:
        return False
    return folder != "i18n" and (folder != "games" or rest.startswith((f"{game}/", "any/")))


def _inline(text: str) -> Markup:
    r"""Escape closing tags in embedded text. Strings in JavaScript, JSON and CSS may contain `<\/` instead of `</`."""
    return Markup(_CLOSING.sub(r"<\\/", text))  # noqa: S704 -- script and style elements know no other escape
