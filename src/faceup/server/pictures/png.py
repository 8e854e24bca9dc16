"""Render SVG as PNG with resvg, with fonts of our own, so that a server without any font draws text, too.

Bundled are Nunito, for Latin and Cyrillic, and the Chinese characters of our own text, from Noto Sans SC. Names may
contain any character: for those, resvg uses the fonts of the system, and `printable` removes what no font can draw.
"""

from functools import lru_cache
from importlib.resources import as_file, files
from typing import Final

from resvg_py import svg_to_bytes

from faceup.formatting import strip_control_characters

_HUNDREDS: Final = (("750", "800"), ("650", "700"), ("450", "500"))
"""Font weights of the games' drawings, and what resvg supports, which is hundreds only."""

_NOT_A_CHARACTER: Final = "\U0010fffd"
_MAX_PROBES: Final = 64


def render_png(svg: str) -> bytes:
    """Return the picture as PNG, one pixel per unit."""
    svg = svg.replace("\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}")  # the fonts lack that of French
    for weight, supported in _HUNDREDS:
        svg = svg.replace(f"font-weight:{weight}", f"font-weight:{supported}")
    with as_file(files("faceup.server.pictures") / "fonts") as fonts:
        return bytes(svg_to_bytes(svg_string=svg, font_dirs=[str(fonts)], font_family="Nunito"))


def printable(text: str) -> str:
    """Return the text without the symbols, such as emoji, that no font of this machine has.

    Return "" if a letter is missing, because a part of a name is another name. Of a text with many different unusual
    characters, only the first ones are looked up, since that takes some time.
    """
    kept: list[str] = []
    unusual: set[str] = set()
    for char in " ".join(strip_control_characters(text).split()):
        if not _is_bundled(char):
            unusual.add(char)
            if len(unusual) > _MAX_PROBES or not has_glyph(char):
                if char.isalpha():
                    return ""
                continue
        kept.append(char)
    return " ".join("".join(kept).split())


def _is_bundled(char: str) -> bool:
    return " " <= char <= "~" or "\xa0" < char <= "\u017f"


@lru_cache(4096)
def has_glyph(char: str) -> bool:
    """Return whether a font of ours or of the system has this character. It is drawn, which takes some 10 ms."""
    return _drawn(char) != _drawn(_NOT_A_CHARACTER)


@lru_cache(2)
def _drawn(char: str) -> bytes:
    text = f'<text x="4" y="24" font-family="Nunito" font-size="20">&#{ord(char)};</text>'
    return render_png(f'<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32">{text}</svg>')
