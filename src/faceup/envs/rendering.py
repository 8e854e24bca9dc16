"""What a person sees of an environment: the game's own drawings, as text, as SVG, and as an array of pixels."""

import sys
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from faceup.core import AnyRules, Malformed, View, find_game

MODES: Final = ("human", "ansi", "svg", "rgb_array")
"""`human` prints what `ansi` gives."""

WIDTH: Final = 640
"""Pixels across an `rgb_array`."""


def check_mode(mode: str | None) -> None:
    """Raise `Malformed` unless it is None or one of `MODES`."""
    if mode is not None and mode not in MODES:
        raise Malformed(
            f"there is no render mode {mode!r}; there are: {', '.join(MODES)}", what=mode, where="render_mode"
        )


def render(rules: AnyRules, view: View, names: tuple[str, ...], mode: str) -> Any:  # noqa: ANN401 -- as the mode has it
    """The view in one of `MODES`: a string, or an array `[height, WIDTH, 3]` of uint8; nothing for `human`."""
    drawings = find_game(rules.game).drawings
    if mode in {"human", "ansi"}:
        text = drawings["text"](view, names, rules=rules)
        if mode == "ansi":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None
    svg = drawings["svg"](view, names, rules=rules)
    return svg if mode == "svg" else pixels(svg)


def pixels(svg: str) -> NDArray[np.uint8]:
    """The picture on white: `[height, WIDTH, 3]`, drawn by resvg, which needs no library of the system's.

    It writes with the system's fonts: on a machine without any, a picture has no letters.
    """
    from PIL import Image  # noqa: PLC0415 -- seldom needed, and slow to import
    from resvg_py import svg_to_bytes  # noqa: PLC0415 -- likewise

    png = svg_to_bytes(svg_string=svg, width=WIDTH, background="white")
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
