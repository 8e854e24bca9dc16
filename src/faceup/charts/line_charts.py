"""Line charts over time, and waterfall charts of sums."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec

from faceup.charts.distributions import check_parts
from faceup.core import Malformed
from faceup.core.arguments import check_fields
from faceup.games.svg import WIDTH, Block, box, fit, number, path, text, text_width

_COLOURS: Final = (
    ("#0a7056", "#56cfa4"), ("#1b69ab", "#7db8ee"), ("#a16300", "#e3b14d"), ("#bf3a1d", "#ff9a78"),
    ("#74307f", "#cf96da"), ("#00727c", "#5fd0d8"), ("#a02c6d", "#f08cc0"), ("#4a5fc1", "#a3b4ff"),
    ("#6b5900", "#cfc26a"), ("#56645f", "#a4b1ab"),
)  # fmt: skip
"""Line colours for light and dark mode; the lines also differ in their dashes."""

_DASHES: Final = ("", "7 4", "2 4", "9 3 2 3")
_HEIGHT: Final = 168.0
_FOOT: Final = 22.0
_LEFT: Final = 38.0
_LEAST: Final = 15.0
"""The least distance between the names at the ends of two lines."""


def _style() -> str:
    light, dark = (
        "".join(
            f".fu-line{index}{{stroke:{pair[mode]}}}.fu-end{index}{{fill:{pair[mode]}}}"
            for index, pair in enumerate(_COLOURS)
        )
        for mode in (0, 1)
    )
    dashes = "".join(
        f".fu-line{index}{{stroke-dasharray:{_DASHES[index % len(_DASHES)] or 'none'}}}"
        for index in range(len(_COLOURS))
    )
    return (
        f"<style>.fu-line{{fill:none;stroke-width:2.4;stroke-linejoin:round;stroke-linecap:round}}{dashes}"
        f"{light}@media(prefers-color-scheme:dark){{{dark}}}</style>"
    )


_To: TypeAlias = Callable[[float], float]
"""A function from a place or a value to a coordinate."""


class Line(msgspec.Struct, frozen=True):
    """One line: its name, and its value at each place of the axis; None leaves a gap."""

    name: str
    values: Sequence[float | None]

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)


def lines(drawn: Sequence[Line], labels: Sequence[str], *, bands: Sequence[float | None] = ()) -> Block:
    """Draw a line chart of shares (0 to 1) over time, with each line's name at its end.

    Args:
        drawn: up to ten lines, all with a value for each label.
        labels: the labels of the places of the axis, "" for none.
        bands: half of the width of the first line's uncertainty band at each place; empty for no band.
    """
    check_parts("drawn", drawn, "a line for each name")
    check_parts("labels", labels, "a label for each place of the axis")
    if any(len(line.values) != len(labels) or all(value is None for value in line.values) for line in drawn):
        raise Malformed("each line must have a value for each label, of which at least one is a number", where="drawn")
    names = [fit(line.name, 110.0, "tiny") for line in drawn]
    right = max(text_width(name, "tiny") for name in names) + 12
    room = WIDTH - _LEFT - right
    step = room / max(len(labels) - 1, 1)

    def x(place: float) -> float:
        return _LEFT + place * step

    def y(value: float) -> float:
        return 8 + (1 - value) * _HEIGHT

    pieces = [_style()]
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        pieces.append(path(f"M{number(_LEFT)} {number(y(part))}H{number(_LEFT + room)}", "edge"))
        pieces.append(text(_LEFT - 6, y(part) + 4, f"{part:.0%}", "tiny", tone="soft", anchor="end"))
    pieces += [
        text(x(place), _HEIGHT + 8 + 18, label, "tiny", tone="soft", anchor="middle")
        for place, label in enumerate(labels)
        if label
    ]
    if bands:
        pieces.append(_band(drawn[0], bands, x, y))
    ends = []
    for index, line in enumerate(drawn):
        place, last = max((at, value) for at, value in enumerate(line.values) if value is not None)
        pieces.append(path(_outline(line.values, x, y), f"line line{index % len(_COLOURS)}"))
        pieces.append(
            f'<circle cx="{number(x(place))}" cy="{number(y(last))}" r="3.6" class="fu-end{index % len(_COLOURS)}"/>'
        )
        ends.append((y(last), index))
    pieces += [
        text(_LEFT + room + 9, at + 4, names[index], "tiny", tone=f"end{index % len(_COLOURS)}")
        for at, index in _spread_labels(ends)
    ]
    return Block(_HEIGHT + 8 + _FOOT, "".join(pieces))


def _outline(values: Sequence[float | None], x: _To, y: _To) -> str:
    """Return the line as an SVG path, with gaps at missing values."""
    data, pen = [], "M"
    for place, value in enumerate(values):
        if value is None:
            pen = "M"
            continue
        data.append(f"{pen}{number(x(place))} {number(y(value))}")
        pen = "L"
    return "".join(data)


def _band(line: Line, bands: Sequence[float | None], x: _To, y: _To) -> str:
    up, down = [], []
    for place, (value, width) in enumerate(zip(line.values, bands, strict=True)):
        if value is not None and width is not None:
            up.append(f"{number(x(place))} {number(y(min(value + width, 1.0)))}")
            down.append(f"{number(x(place))} {number(y(max(value - width, 0.0)))}")
    around = "L".join([*up, *reversed(down)])
    return f'<g opacity="0.18">{path(f"M{around}Z", "accent")}</g>'


def _spread_labels(ends: Sequence[tuple[float, int]]) -> list[tuple[float, int]]:
    """Return the positions of the names, moved apart so that they do not overlap."""
    placed: list[tuple[float, int]] = []
    for at, index in sorted(ends):
        placed.append((max(at, placed[-1][0] + _LEAST) if placed else max(at, 8.0), index))
    over = placed[-1][0] - (_HEIGHT + 10)
    if over > 0:
        low = _HEIGHT + 10
        for back in range(len(placed) - 1, -1, -1):
            placed[back] = (min(placed[back][0], low), placed[back][1])
            low = placed[back][0] - _LEAST
    return placed


def waterfall(parts: Sequence[tuple[str, float]], total: tuple[str, float]) -> Block:
    """Draw a waterfall chart: each bar starts where the bar above it ends.

    Args:
        parts: name and value of each bar; the first starts at 0.
        total: name and value of the sum.
    """
    check_parts("parts", parts, "a name and a value for each bar")
    check_parts("total", total, "the name and the value of the sum")
    ends = [0.0]
    for _, value in parts:
        ends.append(ends[-1] + value)
    low, high = min(*ends, total[1], 0.0), max(*ends, total[1], 0.1)
    left = max(text_width(name, "plain") for name, _ in (*parts, total)) + 12
    room = WIDTH - left - 52

    def x(value: float) -> float:
        return left + (value - low) / (high - low) * room

    pieces = []
    for index, (name, value) in enumerate((*parts, total)):
        top, is_total = index * 28.0, index == len(parts)
        start, end = (0.0, value) if is_total or index == 0 else (ends[index], ends[index + 1])
        left_edge, width = x(min(start, end)), max(abs(x(end) - x(start)), 1.0)
        tone = "accent" if is_total else "soft" if index == 0 else "warn" if value > 0 else "accent"
        pieces.append(text(0, top + 17, name, "plain" if not is_total else "name"))
        pieces.append(box(left_edge, top + 4, width, 18, tone, radius=min(3, width / 2)))
        if not is_total:
            pieces.append(path(f"M{number(x(end))} {number(top + 4)}V{number(top + 50)}", "edge"))
        figure = f"{value:.2f}" if index == 0 else f"{value:g}" if is_total else f"{value:+.2f}"
        pieces.append(text(WIDTH, top + 17, figure, "name" if is_total else "plain", anchor="end"))
    return Block(28.0 * (len(parts) + 1) - 4, "".join(pieces))
