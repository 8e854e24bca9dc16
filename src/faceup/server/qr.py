"""A QR code in the terminal: two modules a character, right on light and on dark."""

from itertools import zip_longest
from typing import Final, Literal

import segno

_INK: Final = "\x1b[38;5;16;48;5;231m"  # black on white of the fixed palette, whatever a theme makes of the first 16
_END: Final = "\x1b[0m"


def drawn(text: str, *, ground: Literal["own", "dark", "light"] = "own") -> str:
    """The code of a text, with its quiet zone; lines end with a newline.

    `ground` is what it stands on: "own" colours of its own, which is right anywhere; without colours, the terminal's,
    where light modules are what is drawn on a dark one, and dark modules on a light one.

    >>> drawn("faceup", ground="light").splitlines()[2]
    '    █▀▀▀▀▀█ ▀▄▀▄█ █▀▀▀▀▀█    '
    """
    rows = [tuple(row) for row in segno.make(text, micro=False).matrix_iter(border=4)]
    drawn_is = 0 if ground == "dark" else 1
    begin, end = (_INK, _END) if ground == "own" else ("", "")
    lines = []
    for top, bottom in zip_longest(rows[::2], rows[1::2], fillvalue=(0,) * len(rows[0])):
        cells = (_HALVES[upper == drawn_is, lower == drawn_is] for upper, lower in zip(top, bottom, strict=True))
        lines.append(f"{begin}{''.join(cells)}{end}\n")
    return "".join(lines)


_HALVES: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}


def ground(environ: dict[str, str]) -> Literal["own", "dark", "light"]:
    """What a code stands on: its own colours, unless `NO_COLOR` forbids them; then the terminal's, dark if unsaid.

    Several terminals say in `COLORFGBG` which of the 16 colours are theirs; 7 and 15 are the light grounds.

    >>> ground({}), ground({"NO_COLOR": "1"}), ground({"NO_COLOR": "1", "COLORFGBG": "0;15"})
    ('own', 'dark', 'light')
    """
    if not environ.get("NO_COLOR") and environ.get("TERM") != "dumb":
        return "own"
    return "light" if environ.get("COLORFGBG", "").rpartition(";")[2] in {"7", "15"} else "dark"
