"""What all pictures have in common: the table of felt, the name of the site, text and faces."""

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from math import cos, pi, sin
from typing import Final

from faceup.core.record import PERSON
from faceup.games.nimmt.view_svg import BULL
from faceup.games.svg import escape, fit, number, text_width
from faceup.games.war.view_svg import SYMBOLS
from faceup.server.pictures import SIZES, PicturePlayer, Shape
from faceup.server.pictures.png import printable
from faceup.server.rooms.faces import face_of
from faceup.server.site import SITE

INK: Final = "#f6f3ea"
SOFT: Final = "#c9ded6"
_RED: Final = "#b8281f"

SEATS: Final = (
    "#b3402e", "#1d6fa5", "#5d7a1f", "#8a4ba8", "#a86a00", "#11776f", "#b13a76", "#4d5bb5", "#7a5a3a", "#4f6470",
)  # fmt: skip
"""The colours of faces, as on the page."""

_PIPS: Final = "".join(
    f"M{x - 1.7} {y}a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0Z"
    for x, y in ((7.5, 7.5), (16.5, 7.5), (12, 12), (7.5, 16.5), (16.5, 16.5))
)
_DIE: Final = f"M7 2H17A5 5 0 0 1 22 7V17A5 5 0 0 1 17 22H7A5 5 0 0 1 2 17V7A5 5 0 0 1 7 2Z{_PIPS}"
EMBLEMS: Final = {"nimmt": BULL, "niuniu": _DIE, "war": SYMBOLS["spade"]}
"""A symbol of each game, in a square with sides of 24 units."""
STAR: Final = "M12 2.5l2.9 6 6.6.9-4.8 4.6 1.2 6.5-5.9-3.2-5.9 3.2 1.2-6.5L2.5 9.4l6.6-.9Z"
"""The symbol of wins, as on the page."""

_LATIN: Final = "Nunito"
CHINESE_FONT: Final = "Noto Sans CJK SC"
CHINESE: Final = "[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]"
"""A regular expression for a character that needs the Chinese font."""


def label(
    x: float, y: float, words: str, size: float, *, weight: int = 600, fill: str = INK, anchor: str = "start",
    width: float = 0,
) -> str:  # fmt: skip
    """Draw a line of text; with `width`, it is shortened if it is wider."""
    if width:
        words = fit(words, width * 13 / size, "plain")
    family = CHINESE_FONT if re.search(CHINESE, words) else _LATIN
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-family="{family}" font-size="{number(size)}" '
        f'font-weight="{weight}" fill="{fill}" text-anchor="{anchor}">{escape(words)}</text>'
    )


def width_of(words: str, size: float) -> float:
    """Estimate the width of text; the estimate is often a little too wide."""
    return text_width(words, "plain") * size / 13


def wrap(words: str, width: float, size: float, lines: int) -> list[str]:
    """Split text into at most this many lines that fit, the last one shortened if needed.

    Text without spaces, as in Chinese, is split between characters.
    """
    if "\n" in words:
        return [line for part in words.split("\n") for line in wrap(part, width, size, 1)]
    parts = words.split(" ") if " " in words else list(words)
    space = " " if " " in words else ""
    lines_so_far = [""]
    for part in parts:
        longer = f"{lines_so_far[-1]}{space if lines_so_far[-1] else ''}{part}"
        if lines_so_far[-1] and len(lines_so_far) < lines and width_of(longer, size) > width:
            lines_so_far.append(part)
        else:
            lines_so_far[-1] = longer
    return [fit(line, width * 13 / size, "plain") for line in lines_so_far]


def emblem(path: str, x: float, y: float, size: float, fill: str, *, opacity: float = 1, turn: float = 0) -> str:
    """Draw a symbol with its centre at a point."""
    scale = size / 24
    return (
        f'<path d="{path}" fill="{fill}" fill-rule="evenodd" opacity="{number(opacity)}" transform="translate('
        f'{number(x)} {number(y)}) rotate({number(turn)}) scale({scale:.4f}) translate(-12 -12)"/>'
    )


def frame(shape: Shape, body: str, *, right: str = "", light: tuple[float, float] | None = None) -> str:
    """Return the SVG document of a picture: a table of felt with the name of the site at its top.

    Args:
        shape: the shape of the picture.
        body: what lies on the table.
        right: text in the upper right corner.
        light: where the light falls; default: the upper middle.
    """
    width, height = SIZES[shape]
    x, y = light or (width / 2, height / 4)
    margin = 48 if shape == "wide" else 64
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<defs><radialGradient id="felt" gradientUnits="userSpaceOnUse" cx="{number(x)}" cy="{number(y)}" '
        f'r="{width * 0.8:g}">'
        '<stop offset="0" stop-color="#2c8470"/><stop offset="0.45" stop-color="#1d6152"/>'
        '<stop offset="1" stop-color="#103a31"/></radialGradient>'
        '<linearGradient id="gold" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffe08a"/>'
        '<stop offset="1" stop-color="#f5b21c"/></linearGradient>'
        '<linearGradient id="step" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fffaf0"/>'
        '<stop offset="1" stop-color="#e4d9c2"/></linearGradient></defs>'
        f'<rect width="{width}" height="{height}" fill="url(#felt)"/>'
        f"{_logo(margin, margin - 10)}"
        f"{label(margin + 54, margin + 20, printable(SITE.get().name), 30, weight=800)}"
        f"{label(width - margin, margin + 18, right, 24, fill=SOFT, anchor='end') if right else ''}"
        f"{body}</svg>"
    )


def _logo(x: float, y: float) -> str:
    """Draw the card with a bull that is the site's icon."""
    return (
        f'<g transform="translate({number(x)} {number(y)}) rotate(-6 16 20)">'
        '<rect x="0" y="2" width="32" height="40" rx="6" fill="#000000" opacity="0.25"/>'
        '<rect width="32" height="40" rx="6" fill="#fffaf0"/></g>' + emblem(BULL, x + 16, y + 20, 23, _RED, turn=-6)
    )


def rays(x: float, y: float, radius: float, count: int = 18) -> str:
    """Draw rays of light around a point."""
    beams = []
    for index in range(count):
        points = [(index + side * 0.25) * 2 * pi / count for side in (-1, 1)]
        corners = "L".join(f"{x + radius * cos(angle):.1f} {y + radius * sin(angle):.1f}" for angle in points)
        beams.append(f"M{x:.1f} {y:.1f}L{corners}Z")
    return (
        f'<defs><radialGradient id="beam" gradientUnits="userSpaceOnUse" cx="{number(x)}" cy="{number(y)}" '
        f'r="{number(radius)}"><stop offset="0" stop-color="#fff2c4" stop-opacity="0.5"/>'
        '<stop offset="1" stop-color="#fff2c4" stop-opacity="0"/></radialGradient></defs>'
        f'<path d="{"".join(beams)}" fill="url(#beam)"/>'
    )


def confetti(width: float, height: float, count: int, keep_out: Sequence[tuple[float, float, float, float]]) -> str:
    """Scatter pieces of paper over an area, except over boxes (left, top, right, bottom) to keep out of."""
    colours = ("#ffc940", "#ef8b7a", "#77bdec", "#b3d06b", "#cf9ae6", "#f6f3ea")
    pieces: list[str] = []
    value = 12345
    while len(pieces) < count:
        numbers = []
        for _ in range(5):  # a fixed sequence: the same result looks the same every time
            value = value * 1103515245 + 12345 & 0x7FFFFFFF
            numbers.append(value / 0x7FFFFFFF)
        x, y = numbers[0] * width, numbers[1] * height
        if any(left <= x <= right and top <= y <= bottom for left, top, right, bottom in keep_out):
            count -= 1
            continue
        long, turn = 9 + 9 * numbers[2], 360 * numbers[3]
        fill = colours[int(numbers[4] * len(colours)) % len(colours)]
        pieces.append(
            f'<rect x="{-long / 2:.1f}" y="-3.5" width="{long:.1f}" height="7" rx="2" fill="{fill}" opacity="0.85" '
            f'transform="translate({x:.1f} {y:.1f}) rotate({turn:.0f})"/>'
        )
    return "".join(pieces)


def face(player: PicturePlayer, at: tuple[float, float], size: float) -> str:
    """Draw the face of a player with its centre at a point."""
    x, y = at
    drawing, colour = face_of(player.name, player.kind or PERSON, handle=player.handle, face=player.face)
    inside = size * 0.86
    return (
        f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size / 2)}" fill="{SEATS[colour]}"/>'
        f'<svg x="{number(x - inside / 2)}" y="{number(y - inside / 2)}" width="{number(inside)}" '
        f'height="{number(inside)}" viewBox="0 0 100 100">{_drawing(drawing)}</svg>'
    )


@cache
def _drawing(name: str) -> str:
    """Return the shapes of a face."""
    svg = (files("faceup.web") / "faces" / f"{name}.svg").read_text("utf-8")
    return svg.partition(">")[2].rpartition("</svg>")[0]


def crown(x: float, y: float, size: float) -> str:
    """Draw a crown with the middle of its lower edge at a point."""
    scale = size / 100
    return (
        f'<g transform="translate({number(x - size / 2)} {number(y - size * 0.62)}) scale({scale:.4f}) '
        'rotate(-5 50 60)">'
        '<path d="M8 20L30 40L50 6L70 40L92 20L84 62H16Z" fill="url(#gold)" stroke="#b97f00" stroke-width="3" '
        'stroke-linejoin="round"/>'
        '<circle cx="8" cy="17" r="6" fill="#ffe9a8"/><circle cx="50" cy="5" r="6" fill="#ffe9a8"/>'
        '<circle cx="92" cy="17" r="6" fill="#ffe9a8"/><circle cx="50" cy="48" r="6" fill="#b3402e"/></g>'
    )
