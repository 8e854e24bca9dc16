"""The parts of a chart: distributions one below the other, bars, columns, and wholes in parts."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from faceup.charts.scales import Scale
from faceup.games.svg import WIDTH, Block, box, breadth, fit, move, number, path, text

_LEFT: Final = 84.0
_RIGHT: Final = 66.0
_AXIS: Final = 20.0


class Row(msgspec.Struct, frozen=True):
    """One line of a panel.

    Attributes:
        name: what it is of.
        note: a word beneath the name.
        figure: the number that counts, written at its end.
        beneath: a few words beneath that number.
    """

    name: str
    note: str = ""
    figure: str = ""
    beneath: str = ""


class Part(msgspec.Struct, frozen=True):
    """A part of a whole: its name for the legend, and its share of each line."""

    name: str
    shares: Sequence[float]


def _height(rows: int) -> float:
    return 44.0 if rows <= 5 else 36.0


def _left(rows: Sequence[Row]) -> float:
    """How wide the names are: the same in most panels, so that they stand one below the other."""
    widest = max(max(breadth(row.name, "name"), breadth(row.note, "tiny")) for row in rows)
    return max(_LEFT, min(widest + 8, WIDTH / 2))


def _label(row: Row, y: float, left: float) -> str:
    """The name and the note to the left, the figure to the right, of a line whose foot is at `y`."""
    lift = 14.0 if row.note or row.beneath else 4.0
    base = y - lift + 2
    return (
        text(0, base, fit(row.name, left - 6, "name"), "name")
        + (text(0, base + 13, fit(row.note, left - 6, "tiny"), "tiny", tone="soft") if row.note else "")
        + (text(WIDTH, base, row.figure, "name", anchor="end") if row.figure else "")
        + (text(WIDTH, base + 13, row.beneath, "tiny", tone="soft", anchor="end") if row.beneath else "")
    )


def ridges(rows: Sequence[tuple[Row, Mapping[int, int], float]], scale: Scale) -> Block:
    """Distributions one below the other on one axis, each with a line at its mean."""
    height, left = _height(len(rows)), _left([row for row, _, _ in rows])
    room = WIDTH - left - _RIGHT
    heights = [scale.bars(histogram) for _, histogram, _ in rows]
    tallest = max(max(bars) for bars in heights)
    pieces = []
    for index, ((row, _, mean), bars) in enumerate(zip(rows, heights, strict=True)):
        foot = (index + 1) * height
        x = left + scale.place(mean) * room
        pieces += [
            path(f"M{number(left)} {number(foot)}H{number(left + room)}", "edge"),
            move(left, foot, path(_skyline(bars, scale, room, (height - 8) / tallest), "accent")),
            box(x - 2, foot - height + 12, 4, height - 12, "table", radius=2),
            box(x - 0.8, foot - height + 12, 1.6, height - 9, "ink", radius=0.8),
            _label(row, foot, left),
        ]
    foot = len(rows) * height
    return Block(foot + _AXIS, "".join(pieces) + move(left, foot, _axis(scale, room)))


def _skyline(bars: Sequence[float], scale: Scale, room: float, stretch: float) -> str:
    """Bars side by side as one outline, with a hair between them where they are wide enough to need it."""
    outline = []
    for index, bar in enumerate(bars):
        start, end = (scale.place(scale.edges[index + side]) * room for side in (0, 1))
        gap = max(0.8, (end - start - 14) * 0.12) if end - start > 4 else 0.0
        if bar:
            top = -max(bar * stretch, 0.6)
            outline.append(f"M{number(start + gap / 2)} 0V{number(top)}H{number(end - gap / 2)}V0Z")
    return "".join(outline)


def _axis(scale: Scale, room: float) -> str:
    return "".join(
        text(scale.place(tick) * room, 16, scale.label(tick), "tiny", tone="soft", anchor="middle")
        for tick in scale.ticks
    )


def bars(rows: Sequence[tuple[Row, float, tuple[float, float] | None]], *, most: float = 0) -> Block:
    """A bar for each line, with its interval if there is one.

    Args:
        rows: each with its value and its interval.
        most: what the whole width stands for; the greatest value if not given.
    """
    left, height = _left([row for row, _, _ in rows]), 30.0
    room = WIDTH - left - _RIGHT - 8
    top = most or max(max(value, interval[1] if interval else 0) for _, value, interval in rows) or 1.0
    pieces = []
    for index, (row, value, interval) in enumerate(rows):
        y = index * height
        pieces += [
            box(left, y + 6, room, 16, "lane", radius=4),
            box(left, y + 6, max(value / top * room, 0.01), 16, "accent", radius=min(4, value / top * room / 2)),
            _label(row, y + (21 if not row.note else 26), left),
        ]
        if interval:
            low, high = (left + end / top * room for end in interval)
            pieces.append(path(f"M{number(low)} {number(y + 14)}H{number(high)}", "bracket"))
            pieces += [path(f"M{number(x)} {number(y + 10)}V{number(y + 18)}", "bracket") for x in (low, high)]
    return Block(len(rows) * height, "".join(pieces))


def columns(named: Sequence[tuple[str, float, str]], height: float = 150.0) -> Block:
    """Upright bars side by side, each with its value above and its name below; a name has two lines at most."""
    width = WIDTH / len(named)
    top = max(value for _, value, _ in named) or 1.0
    foot = height + 18
    pieces = [path(f"M0 {number(foot)}H{number(WIDTH)}", "edge")]
    for index, (name, value, figure) in enumerate(named):
        x = index * width
        tall = value / top * height
        pieces.append(path(_rounded_top(x + width * 0.12, foot - tall, width * 0.76, tall), "accent"))
        pieces.append(text(x + width / 2, foot - tall - 5, figure, "tiny", anchor="middle"))
        for line, word in enumerate(name.split(" ")):
            pieces.append(text(x + width / 2, foot + 15 + 14 * line, word, "tiny", tone="soft", anchor="middle"))
    lines = max(len(name.split(" ")) for name, _, _ in named)
    return Block(foot + 4 + 14 * lines, "".join(pieces))


def _rounded_top(x: float, y: float, width: float, height: float) -> str:
    radius = min(4.0, height)
    n = number
    return (
        f"M{n(x)} {n(y + height)}V{n(y + radius)}q0 {n(-radius)} {n(radius)} {n(-radius)}"
        f"h{n(width - 2 * radius)}q{n(radius)} 0 {n(radius)} {n(radius)}V{n(y + height)}Z"
    )


def parts(rows: Sequence[Row], whole: Sequence[Part]) -> Block:
    """Each line as a whole of parts, the first of them the strongest in colour."""
    left, height = _left(rows), 32.0
    room = WIDTH - left
    legend, taken = _legend(whole)
    pieces = [legend]
    for index, row in enumerate(rows):
        y = taken + index * height
        x = left
        for place, part in enumerate(whole):
            width = part.shares[index] * room
            pieces.append(_shaded(_strength(place, len(whole)), x, y + 3, width, 22))
            words = f"{part.shares[index]:.0%}"
            if breadth(words, "tiny") < width - 4:
                tone = "table" if _strength(place, len(whole)) > 0.55 else "ink"
                pieces.append(text(x + width / 2, y + 18, words, "tiny", tone=tone, anchor="middle"))
            x += width
        pieces.append(_label(row, y + (21 if not row.note else 26), left))
    return Block(taken + len(rows) * height, "".join(pieces))


def _strength(place: int, of: int) -> float:
    return 1.0 if of == 1 else round(1 - 0.86 * place / (of - 1), 2)


def _shaded(strength: float, x: float, y: float, width: float, height: float) -> str:
    inner = max(width - 1, 0.01)
    return f'<g opacity="{number(strength)}">{box(x, y, inner, height, "accent", radius=2)}</g>'


def _legend(whole: Sequence[Part]) -> tuple[str, float]:
    """The names of the parts, each after a spot of its colour, and the height that they take."""
    x, y, pieces = 0.0, 0.0, []
    for place, part in enumerate(whole):
        wide = 16 + breadth(part.name, "tiny") + 12
        if x + wide > WIDTH + 12:
            x, y = 0.0, y + 18
        pieces.append(
            _shaded(_strength(place, len(whole)), x, y + 1, 12, 11)
            + text(x + 16, y + 11, part.name, "tiny", tone="soft")
        )
        x += wide
    return move(0, 0, "".join(pieces)), y + 22
