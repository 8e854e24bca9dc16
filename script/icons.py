"""The icons of the page as PNG, for home screens, and as favicon.ico. See `script/icons`."""

import io
import re
import sys
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from resvg_py import svg_to_bytes

WEB: Final = Path(__file__).resolve().parent.parent / "src" / "faceup" / "web"


class Icon(NamedTuple):
    """An icon.

    Attributes:
        size: width and height in pixels.
        bleed: whether the ground fills the square, because the system cuts the corners itself.
        scale: the size of what is on the ground. Of a maskable icon, systems show a circle of 80 % of the width.
    """

    size: int
    bleed: bool = False
    scale: float = 1


ICONS: Final = {
    "icon-192": Icon(192),
    "icon-512": Icon(512),
    "icon-maskable-512": Icon(512, bleed=True, scale=0.9),
    "apple-touch-icon": Icon(180, bleed=True),
}


def draw(icon: Icon) -> bytes:
    """Return an icon as PNG, from `icon.svg`."""
    svg = (WEB / "icon.svg").read_text("utf-8")
    head, ground, body = re.split(r"(<rect .*?/>)", svg, maxsplit=1)
    if icon.bleed:
        ground = re.sub(r' rx="\d+"', "", ground)
    head = head.replace("<svg ", f'<svg width="{icon.size}" height="{icon.size}" ')
    inside = body.removesuffix("</svg>\n")
    moved = f"translate(16 16) scale({icon.scale}) translate(-16 -16)"
    return bytes(svg_to_bytes(svg_string=f'{head}{ground}<g transform="{moved}">{inside}</g></svg>'))


FAVICON_SIZES: Final = (16, 32, 48)
"""Widths in pixels of the pictures in `favicon.ico`."""


def favicon() -> bytes:
    """Return `favicon.ico`, which browsers request where a page names no icon."""
    drawing = (WEB / "icon.svg").read_text("utf-8")
    pictures = [Image.open(io.BytesIO(svg_to_bytes(svg_string=drawing, width=size))) for size in FAVICON_SIZES]
    file = io.BytesIO()
    pictures[-1].save(file, "ICO", sizes=[(size, size) for size in FAVICON_SIZES], append_images=pictures[:-1])
    return file.getvalue()


def main() -> int:
    """Write the icons, or with the flag `--check` report those that are out of date. Return the exit status."""
    status = 0
    files = {WEB / "icons" / f"{name}.png": draw(icon) for name, icon in ICONS.items()}
    for path, drawn in (files | {WEB / "favicon.ico": favicon()}).items():
        if path.is_file() and path.read_bytes() == drawn:
            continue
        if "--check" in sys.argv[1:]:
            print(f"{path.name} is out of date: run ./script/icons", file=sys.stderr)
            status = 1
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(drawn)
            print(f"wrote {path}", file=sys.stderr)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
