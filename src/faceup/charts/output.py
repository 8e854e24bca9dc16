"""Chart files (SVG, HTML or PNG), and the self-contained HTML page that all reports share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from markupsafe import Markup

from faceup.core import AnyRules, Malformed, State, View, find_game
from faceup.core.arguments import check_text, check_type
from faceup.extras import needs
from faceup.formatting import strip_control_characters
from faceup.games.svg import STYLE, Block, heading, stack
from faceup.games.svg import page as picture
from faceup.templates import render

KINDS: Final = (".svg", ".png", ".html")

_SCALE: Final = 2
"""Pixels per SVG unit, for high-resolution screens and for print."""


def check_target(path: Path) -> None:
    """Check that `save` can write this file, before any work is done.

    Raises:
        Malformed: the file name extension is unknown, or the folder does not exist.
        MissingExtraError: a .png needs the extra `plot`.
    """
    check_type("path", path, Path, "a pathlib.Path")
    if path.suffix.lower() not in KINDS:
        raise Malformed(f"the file name of a plot must end in .svg, .png or .html; got {path.name}", where="--plot")
    if not path.absolute().parent.is_dir():
        raise Malformed(f"there is no folder {path.absolute().parent} for the plot", where="--plot")
    if path.suffix.lower() == ".png":
        pixels('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')


def save(svg: str, title: str, path: Path) -> None:
    """Write the chart in the format of the file name extension. Raises `Malformed` if this fails."""
    check_type("path", path, Path, "a pathlib.Path")
    check_text("svg", svg, "<svg>...</svg>")
    check_text("title", title, "Scores")
    kind = path.suffix.lower()
    try:
        if kind == ".png":
            path.write_bytes(pixels(svg))
        else:
            path.write_text(svg if kind == ".svg" else chart_page(svg, title), encoding="utf-8", newline="\n")
    except OSError as error:
        raise Malformed(f"{path} cannot be written: {error.strerror}", what=str(path), where="--plot") from None


def chart_page(svg: str, title: str) -> str:
    """Return a self-contained HTML page with the chart."""
    return render("charts/templates/chart.html", title=title, svg=Markup(svg))  # noqa: S704 -- our own drawing


def pixels(svg: str) -> bytes:
    """Render the chart in light mode as PNG, with resvg. Raises `MissingExtraError` without the extra `plot`."""
    with needs("plot", "a .png file"):
        from resvg_py import svg_to_bytes  # noqa: PLC0415 -- an extra
    for weight, supported in (("750", "800"), ("650", "700"), ("450", "400")):  # resvg supports only hundreds
        svg = svg.replace(f"font-weight:{weight}", f"font-weight:{supported}")
    return bytes(svg_to_bytes(svg_string=svg, zoom=_SCALE))


def render_page(template: str, title: str, **values: object) -> str:
    """Return a self-contained HTML page, from a template that extends `charts/templates/page.html`."""
    return render(template, title=title, drawing_style=Markup(STYLE), **values)  # noqa: S704 -- our own style sheet


def chart(title: str, *blocks: Block) -> Markup:
    """Return one SVG picture for a page, with each block below the title. The title is also the description."""
    return _without_style(picture(title, title, [stack([heading(title, block) for block in blocks])], {}))


def draw_position(rules: AnyRules, names: Sequence[str], position: State | View, **options: object) -> Markup:
    """Draw a position for a page: a state with all hands visible, or what a view shows.

    A game without drawings is shown as text. The options are those of the drawing, such as `say`.
    """
    drawings = find_game(rules.game).drawings
    if "svg" in drawings:
        return _without_style(drawings["svg"](position, names=names, rules=rules, **options))
    view = rules.view(position, None) if isinstance(position, State) else position
    text = strip_control_characters(drawings["text"](view, names=names, rules=rules), keep="\n")
    return Markup("<pre>{}</pre>").format(text)


def _without_style(svg: str) -> Markup:
    """Remove the style sheet from a drawing, since a page has it once for all drawings."""
    return Markup(svg.replace(f"<style>{STYLE}</style>", ""))  # noqa: S704 -- drawings escape the text in them
