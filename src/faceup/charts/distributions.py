"""Axes, and charts of distributions: ridgelines, bars, columns and stacked bars."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Annotated, Final

import msgspec

from faceup.core import Malformed
from faceup.core.arguments import check_fields, check_sequence, check_type, real_number
from faceup.core.whole_numbers import to_int
from faceup.games.svg import WIDTH, Block, box, fit, move, number, path, text, text_width

_BINS: Final = 48


class Scale(msgspec.Struct, frozen=True):
    """An axis for integers, with histogram bins.

    Attributes:
        edges: the edges of the bins, ascending: bin i holds the numbers from `edges[i]` up to below `edges[i + 1]`.
        ticks: the numbers with a label.
        place: function from a number to its position on the axis, 0 to 1.
        label: function that formats the label of a tick.
    """

    edges: tuple[float, ...]
    ticks: tuple[int, ...]
    place: Callable[[float], float]
    label: Callable[[int], str] = "{:,}".format

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)

    def bars(self, histogram: Mapping[int, int]) -> list[float]:
        """Return the density of each bin: its fraction of all numbers divided by its width on the axis."""
        counts = [0] * (len(self.edges) - 1)
        at = 0
        for value, times in sorted(histogram.items()):
            while at < len(counts) - 1 and value >= self.edges[at + 1]:
                at += 1
            counts[at] += times
        total = sum(counts)
        widths = [self.place(self.edges[i + 1]) - self.place(self.edges[i]) for i in range(len(counts))]
        return [count / total / width for count, width in zip(counts, widths, strict=True)]


def even(least: int, most: int) -> Scale:
    """Return a linear axis with bins of one number, or of several if there are many numbers.

    >>> even(0, 12).ticks
    (0, 2, 4, 6, 8, 10, 12)
    """
    _check_range(least, most)
    step = max(1, ceil((most - least + 1) / _BINS))
    count = ceil((most - least + 1) / step)
    edges = tuple(least - 0.5 + step * index for index in range(count + 1))
    start, width = edges[0], edges[-1] - edges[0]
    every = max(1, _round_step((most - least) / 7))
    first = ceil(least / every) * every
    return Scale(edges, tuple(range(first, most + 1, every)), lambda value: (value - start) / width)


def _check_range(least: int, most: int) -> None:
    """Raise `Malformed` unless these are the ends of an axis."""
    if to_int("least", least) > to_int("most", most):
        raise Malformed(f"most must be {least} or more; got {most}", what=most, where="most")


def _round_step(step: float) -> int:
    """Return the least of 1, 2, 5, 10, 20, ... that is at least `step`."""
    unit = 10 ** floor(log10(step)) if step >= 1 else 1
    return next(unit * many for many in (1, 2, 5, 10) if unit * many >= step)


def logarithmic(least: int, most: int) -> Scale:
    """Return a logarithmic axis for numbers from 1.

    >>> logarithmic(26, 5000).ticks
    (50, 100, 200, 500, 1000, 2000, 5000)
    """
    _check_range(least, most)
    low, high = log10(max(least, 1)), log10(most + 1)
    edges = tuple(10 ** (low + (high - low) * index / _BINS) for index in range(_BINS + 1))
    ticks = (many * 10**power for power in range(10) for many in (1, 2, 5))
    return Scale(
        edges,
        tuple(tick for tick in ticks if least <= tick <= most),
        lambda value: (log10(max(value, 1)) - low) / (high - low),
    )


_LEFT: Final = 84.0
_RIGHT: Final = 66.0
_BOLD: Final = 1.15
"""How much wider than estimated bold text may be, in the fonts of systems that draw PNG."""
_AXIS: Final = 20.0


class Row(msgspec.Struct, frozen=True):
    """The labels of one row of a chart.

    Attributes:
        name: the name on the left.
        note: a short note below the name.
        figure: the number on the right.
        beneath: a short note below that number.
    """

    name: str
    note: str = ""
    figure: str = ""
    beneath: str = ""

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)


class Part(msgspec.Struct, frozen=True):
    """A segment of stacked bars, with its name for the legend, and its share of the bar in each row."""

    name: str
    shares: Sequence[Annotated[float, msgspec.Meta(ge=0)]]

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)


def check_parts(name: str, parts: object, words: str) -> None:
    """Raise `TypeError` unless the parts of a chart are a sequence, and `Malformed` if there are none."""
    check_sequence(name, parts, words)
    if not parts:
        raise Malformed(f"{name} must not be empty: there must be {words}", where=name)


def _height(rows: int) -> float:
    return 44.0 if rows <= 5 else 36.0


def _left(rows: Sequence[Row]) -> float:
    """Return the width of the column of names; it is the same in most charts, so that their axes align."""
    widest = max(max(_BOLD * text_width(row.name, "name"), text_width(row.note, "tiny")) for row in rows)
    return max(_LEFT, min(widest + 8, WIDTH / 2))


def _right(rows: Sequence[Row]) -> float:
    """Return the width of the column of figures, with a gap before the longest of them."""
    return max(_RIGHT, max(_BOLD * text_width(row.figure, "name") for row in rows) + 10)


def _label(row: Row, y: float, left: float) -> str:
    """Draw the labels of a row with its baseline at `y`: name and note on the left, figure on the right."""
    lift = 14.0 if row.note or row.beneath else 4.0
    base = y - lift + 2
    return (
        text(0, base, fit(row.name, left - 6, "name"), "name")
        + (text(0, base + 13, fit(row.note, left - 6, "tiny"), "tiny", tone="soft") if row.note else "")
        + (text(WIDTH, base, row.figure, "name", anchor="end") if row.figure else "")
        + (text(WIDTH, base + 13, row.beneath, "tiny", tone="soft", anchor="end") if row.beneath else "")
    )


def ridges(rows: Sequence[tuple[Row, Mapping[int, int], float]], scale: Scale) -> Block:
    """Draw a ridgeline chart: distributions below each other on one axis, each with a line at its mean."""
    check_parts("rows", rows, "a row, a histogram and a mean for each distribution")
    check_type("scale", scale, Scale, "an axis, such as even(0, 10)")
    labels = [row for row, _, _ in rows]
    height, left = _height(len(rows)), _left(labels)
    room = WIDTH - left - _right(labels)
    heights = [scale.bars(histogram) for _, histogram, _ in rows]
    tallest = max(max(bars) for bars in heights)
    pieces = []
    for index, ((row, _, mean), bars) in enumerate(zip(rows, heights, strict=True)):
        foot = (index + 1) * height
        x = left + scale.place(mean) * room
        pieces += [
            path(f"M{number(left)} {number(foot)}H{number(left + room)}", "edge"),
            move(left, foot, path(_histogram_outline(bars, scale, room, (height - 8) / tallest), "accent")),
            box(x - 2, foot - height + 12, 4, height - 12, "table", radius=2),
            box(x - 0.8, foot - height + 12, 1.6, height - 9, "ink", radius=0.8),
            _label(row, foot, left),
        ]
    foot = len(rows) * height
    return Block(foot + _AXIS, "".join(pieces) + move(left, foot, _axis(scale, room)))


def _histogram_outline(bars: Sequence[float], scale: Scale, room: float, stretch: float) -> str:
    """Return histogram bars as one SVG path, with thin gaps if the bars are wide enough."""
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
    """Draw horizontal bars, with confidence intervals if given.

    Args:
        rows: the labels, value and interval of each row.
        most: the value of a bar of full width; 0 for the greatest value of all bars and intervals.
    """
    check_parts("rows", rows, "a row, a value and an interval for each bar")
    most = real_number("most", most)
    labels = [row for row, _, _ in rows]
    left, height = _left(labels), 30.0
    room = WIDTH - left - _right(labels) - 8
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


def columns(bars: Sequence[tuple[str, float, str]], height: float = 150.0) -> Block:
    """Draw vertical bars, each with its value above and its name of at most two lines below."""
    check_parts("bars", bars, "a name, a value and a figure for each bar")
    height = real_number("height", height)
    width = WIDTH / len(bars)
    top = max(value for _, value, _ in bars) or 1.0
    foot = height + 18
    pieces = [path(f"M0 {number(foot)}H{number(WIDTH)}", "edge")]
    for index, (name, value, figure) in enumerate(bars):
        x = index * width
        tall = value / top * height
        pieces.append(path(_rounded_top(x + width * 0.12, foot - tall, width * 0.76, tall), "accent"))
        pieces.append(text(x + width / 2, foot - tall - 5, figure, "tiny", anchor="middle"))
        for line, word in enumerate(name.split(" ")):
            pieces.append(text(x + width / 2, foot + 15 + 14 * line, word, "tiny", tone="soft", anchor="middle"))
    lines = max(len(name.split(" ")) for name, _, _ in bars)
    return Block(foot + 4 + 14 * lines, "".join(pieces))


def _rounded_top(x: float, y: float, width: float, height: float) -> str:
    radius = min(4.0, height)
    n = number
    return (
        f"M{n(x)} {n(y + height)}V{n(y + radius)}q0 {n(-radius)} {n(radius)} {n(-radius)}"
        f"h{n(width - 2 * radius)}q{n(radius)} 0 {n(radius)} {n(radius)}V{n(y + height)}Z"
    )


def parts(rows: Sequence[Row], segments: Sequence[Part]) -> Block:
    """Draw stacked bars, one for each row; the first segment has the strongest colour."""
    check_parts("rows", rows, "a row for each bar")
    check_parts("segments", segments, "a part for each segment")
    left, height = _left(rows), 32.0
    room = WIDTH - left
    legend, taken = _legend(segments)
    pieces = [legend]
    for index, row in enumerate(rows):
        y = taken + index * height
        x = left
        for place, part in enumerate(segments):
            width = part.shares[index] * room
            pieces.append(_shaded(_strength(place, len(segments)), x, y + 3, width, 22))
            words = f"{part.shares[index]:.0%}"
            if text_width(words, "tiny") < width - 4:
                tone = "table" if _strength(place, len(segments)) > 0.55 else "ink"
                pieces.append(text(x + width / 2, y + 18, words, "tiny", tone=tone, anchor="middle"))
            x += width
        pieces.append(_label(row, y + (21 if not row.note else 26), left))
    return Block(taken + len(rows) * height, "".join(pieces))


def _strength(place: int, of: int) -> float:
    return 1.0 if of == 1 else round(1 - 0.86 * place / (of - 1), 2)


def _shaded(strength: float, x: float, y: float, width: float, height: float) -> str:
    inner = max(width - 1, 0.01)
    return f'<g opacity="{number(strength)}">{box(x, y, inner, height, "accent", radius=2)}</g>'


def _legend(segments: Sequence[Part]) -> tuple[str, float]:
    """Return the legend, with a colour sample before each name, and its height."""
    x, y, pieces = 0.0, 0.0, []
    for place, part in enumerate(segments):
        wide = 16 + text_width(part.name, "tiny") + 12
        if x + wide > WIDTH + 12:
            x, y = 0.0, y + 18
        pieces.append(
            _shaded(_strength(place, len(segments)), x, y + 1, 12, 11)
            + text(x + 16, y + 11, part.name, "tiny", tone="soft")
        )
        x += wide
    return move(0, 0, "".join(pieces)), y + 22
