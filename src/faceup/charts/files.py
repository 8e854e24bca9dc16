"""A chart as a file: SVG as it is, a page of HTML that holds it, or pixels."""

from pathlib import Path
from typing import Final

from faceup.core import Malformed
from faceup.games.svg import escape

KINDS: Final = (".svg", ".png", ".html")

_SCALE: Final = 2
"""Pixels to a unit: fit for screens of today, and for print at a hand's breadth."""


def check_target(path: Path) -> None:
    """Refuse a file that `save` could not write, before any work is done for it.

    Raises:
        Malformed: a name that ends otherwise, no such folder, or no way to make pixels.
    """
    if path.suffix.lower() not in KINDS:
        raise Malformed(f"a plot is a file that ends in .svg, .png or .html, not {path.name}", where="--plot")
    if not path.absolute().parent.is_dir():
        raise Malformed(f"there is no folder {path.absolute().parent} for the plot", where="--plot")
    if path.suffix.lower() == ".png":
        pixels('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


def save(svg: str, title: str, path: Path) -> None:
    """Write the chart as its name's end says. Raises `Malformed` as `check_target`."""
    kind = path.suffix.lower()
    try:
        if kind == ".png":
            path.write_bytes(pixels(svg))
        else:
            path.write_text(svg if kind == ".svg" else page(svg, title), encoding="utf-8", newline="\n")
    except OSError as error:
        raise Malformed(f"{path} cannot be written: {error.strerror}", what=str(path), where="--plot") from None


def page(svg: str, title: str) -> str:
    """A page that holds the chart and needs nothing else."""
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        "<style>body{margin:1rem auto;max-width:64rem;padding:0 1rem}svg{display:block;width:100%;height:auto}</style>"
        f"</head><body>\n{svg}</body></html>\n"
    )


def pixels(svg: str) -> bytes:
    """The chart as PNG, light, by resvg. Raises `Malformed` where that is not installed."""
    try:
        from resvg_py import svg_to_bytes  # noqa: PLC0415 -- few need it
    except ImportError:
        raise Malformed(
            "a .png needs resvg, which is not installed: pip install 'faceup[png]', or name an .svg or .html file",
            where="--plot",
        ) from None
    for ours, known in (("750", "800"), ("650", "700"), ("450", "400")):  # resvg takes hundreds alone
        svg = svg.replace(f"font-weight:{ours}", f"font-weight:{known}")
    return bytes(svg_to_bytes(svg_string=svg, zoom=_SCALE))
