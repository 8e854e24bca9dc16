"""The picture of a position, drawn by its game, and the picture of pages without a game."""

import inspect
import re
from collections.abc import Sequence
from functools import partial
from html import unescape
from typing import Final

from faceup.core import AnyRules, View, find_game, read
from faceup.games.nimmt.view_svg import BULL, draw_card
from faceup.games.niuniu.view_svg import draw_die
from faceup.games.svg import STYLE, move, number
from faceup.games.war.view_svg import SYMBOLS, draw_face
from faceup.server.pictures import SIZES, PictureRequest
from faceup.server.pictures.frame import CHINESE, CHINESE_FONT, SOFT, frame, label, wrap
from faceup.server.pictures.words import day_text, drawn_text, game_title, word

_SIZE: Final = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)" width="[\d.]+" height="[\d.]+"')
_TEXT: Final = re.compile('<text [^>]*class="[^<]*')
_TOP: Final = 96.0
_MARGIN: Final = 26.0


def draw_position(request: PictureRequest, names: Sequence[str]) -> str:
    """Return the SVG of the view in `request.position`. `names` are the names to show, by seat."""
    rules, view = read(request.position)
    return draw_view(request, rules, view, names)


def draw_view(request: PictureRequest, rules: AnyRules, view: View, names: Sequence[str]) -> str:
    """Return the SVG of a view: the drawing of its game, as large as possible."""
    width, height = SIZES["wide"]
    room = (width - 2 * _MARGIN, height - _TOP - _MARGIN)
    drawing = find_game(rules.game).drawings["svg"]
    accepted = inspect.signature(drawing).parameters
    if "say" in accepted:
        drawing = partial(drawing, say=partial(drawn_text, request.language))
    drawings = [drawing(view, names=names, rules=rules)]
    if "wide" in accepted:
        drawings.append(drawing(view, names=names, rules=rules, wide=True))
    scaled = []
    for svg in drawings:
        if size := _SIZE.search(svg):
            wide, high = float(size[1]), float(size[2])
            scale = min(room[0] / wide, room[1] / high)
            place = (
                f'x="{number((width - wide * scale) / 2)}" y="{number(_TOP + (room[1] - high * scale) / 2)}" '
                f'width="{number(wide * scale)}" height="{number(high * scale)}" viewBox="0 0 {size[1]} {size[2]}"'
            )
            scaled.append(
                (scale, _SIZE.sub(place, svg, count=1).replace(".fu-picture{max-width:100%;height:auto}", ""))
            )
    body = _TEXT.sub(_with_font, max(scaled, default=(0.0, ""))[1])
    body = body.replace("</style>", f'.fu-picture text.fu-chinese{{font-family:"{CHINESE_FONT}"}}</style>', 1)
    title = [
        game_title(request.language, rules.game),
        *([day_text(request.language, request.day)] if request.day else []),
    ]
    return frame("wide", body, right=" · ".join(title))


def _with_font(text: re.Match[str]) -> str:
    """Return a text element of a drawing, with the class of the Chinese font if it needs this font."""
    element = text[0]
    return element.replace('class="', 'class="fu-chinese ', 1) if re.search(CHINESE, unescape(element)) else element


def draw_page(request: PictureRequest) -> str:
    """Return the SVG for a page without a game: cards and dice, and what it is about."""
    title = word(
        request.language, "tagline" if request.page == "home" else f"page.{request.page}", site=request.site.name
    )
    lines = wrap(title, 600, 58, 3)
    symbols = {"bull": BULL, **SYMBOLS}
    defined = "".join(
        f'<symbol id="fu-{name}" viewBox="0 0 24 24"><path fill-rule="evenodd" d="{data}"/></symbol>'
        for name, data in symbols.items()
    )
    cards = "".join(
        move(762 + index * 72, 388 + 9 * (index - 2) ** 2, _scaled(draw_card(-28, -80, card), 2.6), turn)
        for index, (card, turn) in enumerate(((8, -24), (22, -12), (55, 0), (70, 12), (104, 24)))
    )
    dice = "".join(
        move(x, y, _scaled(draw_die(shows, 6), 1.5), turn)
        for x, y, shows, turn in ((722, 474, 5, -10), (818, 494, 2, 14))
    )
    pair = move(990, 462, _scaled(draw_face(0, 48), 1.5), -8) + move(1060, 454, _scaled(draw_face(0, 51), 1.5), 9)
    text = "".join(
        label(64, 296 + 70 * index - 35 * (len(lines) - 1), line, 58, weight=800) for index, line in enumerate(lines)
    )
    games = ("nimmt",) if request.page == "daily" else ("nimmt", "niuniu", "war")
    names = " · ".join(game_title(request.language, game) for game in games)
    text += label(64, 296 + 35 * (len(lines) - 1) + 62, names, 28, fill=SOFT)
    return frame("wide", f"<style>{STYLE}</style><defs>{defined}</defs>{cards}{dice}{pair}{text}", light=(906, 330))


def _scaled(body: str, scale: float) -> str:
    return f'<g transform="scale({scale:g})">{body}</g>'
