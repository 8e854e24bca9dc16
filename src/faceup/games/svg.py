"""SVG elements shared by the drawings of all games: text that fits, shapes, cards, chips and the page.

Every function takes numbers and text and returns an SVG fragment; `page` combines them into a picture. Colours and
fonts are classes of one style sheet that every picture includes, with a light and a dark theme. Class names start with
`fu-`, and ids are made unique by a hash of the content, so that several pictures can share a page.
"""

import unicodedata
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import msgspec

from faceup.characters import cut_text
from faceup.formatting import strip_control_characters

# Size, weight and letter spacing of each kind of text. A picture is 420 units wide and no text is smaller than 12, so
# that text is legible on a phone 360 pixels wide.
_TYPE: Final = {
    "headline": (21, 750, -0.2),
    "figure": (22, 750, -0.4),
    "name": (14, 650, 0),
    "plain": (13, 450, 0),
    "label": (12, 600, 0.3),
    "tiny": (12, 500, 0),
}

# Light and dark colour of each fill and stroke. Cards and dice stay bright on a dark table, slightly dimmed.
_FILLS: Final = {
    "table": ("#f4f1e9", "#151b1a"),
    "lane": ("#ebe7dc", "#1f2826"),
    "chip": ("#fcfaf5", "#232d2b"),
    "ink": ("#1c2523", "#edf1ec"),
    "soft": ("#5b6561", "#a4b1ab"),
    "accent": ("#0a7056", "#56cfa4"),
    "warn": ("#b23a1c", "#ff9a78"),
    "face": ("#fffaf0", "#f6efe0"),
    "print": ("#1c2523", "#1c2523"),
    "shade": ("#3d3525", "#000000"),
    "red-back": ("#8c2f24", "#8c2f24"),
    "blue-back": ("#27466f", "#27466f"),
    "weave": ("#f0d9a5", "#f0d9a5"),
    "pale": ("#eadfca", "#d8cdb6"),
    "bulls": ("#46587a", "#46587a"),
    "one": ("#5b6f8c", "#566a87"),
    "two": ("#1f62b4", "#1f62b4"),
    "three": ("#a35a00", "#a35a00"),
    "five": ("#b8281f", "#b8281f"),
    "seven": ("#7a2a94", "#7a2a94"),
}
_STROKES: Final = {
    "edge": ("#cfc8b6", "#0a0e0d", 1.0),
    "slot": ("#bdb6a3", "#47544f", 1.2),
    "ring": ("#0a7056", "#56cfa4", 2.6),
    "alarm": ("#b23a1c", "#ff9a78", 1.6),
    "bracket": ("#5b6561", "#a4b1ab", 1.5),
}

Translate: TypeAlias = Callable[..., str]
"""A function that translates an English text and fills in the values in braces, such as `english`."""


def english(text: str, **values: object) -> str:
    """Return an English text with its values.

    >>> english("row {row}", row=2)
    'row 2'
    """
    return text.format(**values)


def join_names(names: Sequence[str], say: Translate) -> str:
    """Join names to a list in a language.

    >>> join_names(["Ann", "Bo", "Cy"], english)
    'Ann, Bo and Cy'
    """
    return say("{first} and {last}", first=say(", ").join(names[:-1]), last=names[-1]) if len(names) > 1 else names[0]


def count_text(count: int, singular: str, several: str, say: Translate, **values: object) -> str:
    """Return the text for one or for several things, with their number as `count`.

    >>> count_text(1, "{count} head", "{count} heads", english)
    '1 head'
    """
    return say(singular if count == 1 else several, count=count, **values)


WIDTH: Final = 388.0
"""The width of every block."""

_MARGIN: Final = 16.0
_GAP: Final = 20.0


class Block(NamedTuple):
    """A fragment of a picture, `WIDTH` wide, drawn from its upper left corner."""

    height: float
    body: str


def number(value: float) -> str:
    """Format a number with at most two decimals and no trailing zeros.

    >>> number(12.0), number(1 / 3)
    ('12', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def escape(words: str) -> str:
    """Escape text for an element or an attribute, in ASCII to be safe in any encoding.

    >>> escape('<Ann & "Bob">')
    '&lt;Ann &amp; &quot;Bob&quot;&gt;'
    """
    return words.translate(_ESCAPES).encode("ascii", "xmlcharrefreplace").decode()


_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def text_width(words: str, kind: str) -> float:
    """Estimate the width of text without measuring a font; the estimate is often a little too wide."""
    size, _, spacing = _TYPE[kind]
    return sum(_em(char) * size + spacing for char in words)


def _em(char: str) -> float:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if char in " iljtfrI.,:;'|!()":
        return 0.36
    if char in "mwMW@%":
        return 0.92
    return 0.68 if char.isupper() or not char.isascii() else 0.6


def fit(words: str, width: float, kind: str) -> str:
    """Return the text, shortened with an ellipsis if it does not fit.

    >>> fit("Bartholomew the Younger", 80, "name")
    'Bartholo…'
    """
    words = strip_control_characters(words)
    if text_width(words, kind) <= width:
        return words
    while words and text_width(words + "…", kind) > width:
        words = cut_text(words, len(words) - 1)
    return words.rstrip() + "…"


def wrap(words: str, width: float, kind: str) -> list[str]:
    """Wrap the text into lines that fit; a word too long for a line is shortened."""
    lines: list[str] = []
    for word in words.split():
        if lines and text_width(f"{lines[-1]} {word}", kind) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [fit(line, width, kind) for line in lines]


def text(
    x: float, y: float, words: str, kind: str, *, tone: str = "ink", anchor: str = "start", size: float = 0
) -> str:
    """Draw text with the start, middle or end (`anchor`) of its baseline at a point; `size` replaces the kind's."""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    sized = f' style="font-size:{number(size)}px"' if size else ""
    classes = f'class="fu-{kind} fu-{tone}"{placed}{sized}'
    return f'<text x="{number(x)}" y="{number(y)}" {classes}>{escape(strip_control_characters(words))}</text>'


def box(x: float, y: float, width: float, height: float, look: str, *, radius: float) -> str:
    """Draw a rounded rectangle; `look` names a fill, a stroke, or both."""
    classes = " ".join(f"fu-{word}" for word in look.split())
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'rx="{number(radius)}" class="{classes}"/>'
    )


def circle(x: float, y: float, radius: float, look: str) -> str:
    """Draw a disc."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" class="fu-{look}"/>'


def path(data: str, look: str) -> str:
    """Draw a path; `look` names a fill, a stroke, or both."""
    classes = " ".join(f"fu-{word}" for word in look.split())
    return f'<path d="{data}" class="{classes}"/>'


def icon(name: str, x: float, y: float, size: float, tone: str) -> str:
    """Draw one of the page's symbols in a square."""
    return (
        f'<use href="#fu-{name}" x="{number(x)}" y="{number(y)}" width="{number(size)}" height="{number(size)}" '
        f'class="fu-{tone}"/>'
    )


def move(x: float, y: float, body: str, turn: float = 0) -> str:
    """Translate the body, and rotate it clockwise by `turn` degrees."""
    turned = f" rotate({number(turn)})" if turn else ""
    return f'<g transform="translate({number(x)} {number(y)}){turned}">{body}</g>'


def card(x: float, y: float, width: float, height: float, look: str = "face", *, ringed: bool = False) -> str:
    """Draw an empty card with its shadow; with `ringed`, a ring marks it as new on the table."""
    radius = width / 8
    shadows = box(x - 0.5, y + 2.5, width + 1, height, "shade veil", radius=radius) + box(
        x, y + 1, width, height, "shade veil", radius=radius
    )
    ring = box(x - 2.2, y - 2.2, width + 4.4, height + 4.4, "ring", radius=radius + 2.2) if ringed else ""
    return shadows + box(x, y, width, height, f"{look} edge", radius=radius) + ring


def back(x: float, y: float, size: tuple[float, float], look: str, emblem: str) -> str:
    """Draw a card face down, with a symbol on its back; `size` is its width and height."""
    width, height = size
    inset, across = width * 0.09, width * 0.46
    frame = box(x + inset, y + inset, width - 2 * inset, height - 2 * inset, "weave-line", radius=width / 14)
    mark = icon(emblem, x + (width - across) / 2, y + (height - across) / 2, across, "weave")
    return card(x, y, width, height, look) + frame + mark


def slot(x: float, y: float, width: float, height: float) -> str:
    """Draw an empty place for a card."""
    return box(x + 0.6, y + 0.6, width - 1.2, height - 1.2, "slot", radius=width / 8)


def stack(blocks: Sequence[Block], gap: float = _GAP) -> Block:
    """Stack blocks vertically."""
    pieces, y = [], 0.0
    for block in blocks:
        pieces.append(move(0, y, block.body))
        y += block.height + gap
    return Block(max(y - gap, 0.0), "".join(pieces))


def page(title: str, description: str, columns: Sequence[Block], symbols: Mapping[str, str]) -> str:
    """Combine blocks into a complete picture.

    Args:
        title: the title, which a screen reader reads first.
        description: description of the content.
        columns: blocks, drawn side by side.
        symbols: SVG paths of the symbols for `icon`, by name, each in a square with sides of 24 units.
    """
    width = len(columns) * WIDTH + (len(columns) - 1) * 2 * _GAP + 2 * _MARGIN
    height = max(column.height for column in columns) + 2 * _MARGIN + 4
    shapes = "".join(
        f'<symbol id="fu-{name}" viewBox="0 0 24 24"><path fill-rule="evenodd" d="{data}"/></symbol>'
        for name, data in symbols.items()
        if f'"#fu-{name}"' in "".join(column.body for column in columns)
    )
    body = "".join(
        move(_MARGIN + index * (WIDTH + 2 * _GAP), _MARGIN + 2, column.body) for index, column in enumerate(columns)
    )
    # Quotes in text are escaped, so these replacements change only ids and references.
    scope = f"fu{zlib.crc32((title + description + body).encode('utf-8', 'replace')):08x}"
    drawn = (shapes + body).replace('"#fu-', f'"#{scope}-').replace('id="fu-', f'id="{scope}-')
    lines = "\n".join(escape(strip_control_characters(line)) for line in description.splitlines())
    w, h = number(width), number(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" class="fu-picture" '
        f'role="img" lang="en"><title>{escape(strip_control_characters(title))}</title><desc>{lines}</desc>'
        f"<style>{STYLE}</style>"
        f"{box(0, 0, width, height, 'table', radius=18)}{drawn}</svg>\n"
    )


def _style() -> str:
    kinds = "".join(
        f".fu-{name}{{font-size:{size}px;font-weight:{weight};letter-spacing:{spacing}px}}"
        for name, (size, weight, spacing) in _TYPE.items()
    )
    light, dark = (
        "".join(
            [f".fu-{name}{{fill:{pair[mode]}}}" for name, pair in _FILLS.items()]
            + [f".fu-{name}{{stroke:{triple[mode]}}}" for name, triple in _STROKES.items()]
            + [f".fu-weave-line{{stroke:{_FILLS['weave'][mode]}}}"]
        )
        for mode in (0, 1)
    )
    strokes = "".join(f".fu-{name}{{stroke-width:{width}}}" for name, (_, _, width) in _STROKES.items())
    return (
        ".fu-picture{max-width:100%;height:auto}"
        '.fu-picture text{font-family:ui-rounded,"SF Pro Rounded",Nunito,"Avenir Next","Segoe UI",system-ui,'
        '"Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:lining-nums tabular-nums}'
        f"{kinds}{strokes}.fu-slot,.fu-ring,.fu-alarm,.fu-bracket,.fu-weave-line{{fill:none}}"
        ".fu-slot{stroke-dasharray:3 3.5}.fu-bracket{stroke-linecap:round}.fu-veil{opacity:.1}.fu-past{opacity:.6}"
        ".fu-ghost{opacity:.13}"
        f"{light}@media(prefers-color-scheme:dark){{{dark}.fu-veil{{opacity:.3}}}}"
    )


STYLE: Final = _style()
"""The style sheet included in every picture."""

_CHIP: Final = 46.0
_CHIP_GAP: Final = 8.0
_LONGEST: Final = 40


class Chip(msgspec.Struct, frozen=True):
    """A chip that shows one seat.

    Attributes:
        name: name of the seat.
        note: one or two words below the name.
        figure: the number shown.
        symbol: symbol next to the number; "" for none.
        look: "plain", "marked" for a seat that must act or has won, or "faded" for a seat that is out.
    """

    name: str
    note: str
    figure: str
    symbol: str = ""
    look: str = "plain"


def title_block(words: str, beneath: str, *, width: float = WIDTH) -> Block:
    """Draw the headline, of lines of at most this width, and the stage of the game below it."""
    lines = wrap(words, width, "headline")
    body = "".join(text(0, 20 + 26 * index, line, "headline") for index, line in enumerate(lines))
    y = 26 * len(lines) + 14
    return Block(y + 4, body + text(0, y, fit(beneath, WIDTH, "plain"), "plain", tone="soft"))


def heading(words: str, block: Block) -> Block:
    """Draw a block below a small heading."""
    return Block(
        block.height + 20, text(0, 10, fit(words, WIDTH, "label"), "label", tone="soft") + move(0, 20, block.body)
    )


def grid(pieces: Sequence[str], columns: int, width: float, height: float) -> str:
    """Arrange pieces in columns, line by line, in cells of this size."""
    return "".join(
        move(index % columns * width, index // columns * height, piece) for index, piece in enumerate(pieces)
    )


def seat_chips(seats: Sequence[Chip]) -> Block:
    """Draw the seats as chips, two in a line."""
    width = (WIDTH - _CHIP_GAP) / 2
    body = grid([_chip(seat, width) for seat in seats], 2, width + _CHIP_GAP, _CHIP + _CHIP_GAP)
    lines = (len(seats) + 1) // 2
    return Block(lines * (_CHIP + _CHIP_GAP) - _CHIP_GAP, body)


def _chip(seat: Chip, width: float) -> str:
    look = "chip ring" if seat.look == "marked" else "chip edge"
    tone = "soft" if seat.look == "faded" else "ink"
    figure = width - 14 - (22 if seat.symbol else 0)
    room = figure - text_width(seat.figure, "figure") - 18
    return (
        box(0, 0, width, _CHIP, look, radius=11)
        + text(12, 20, fit(seat.name, room, "name"), "name", tone=tone)
        + text(12, 36, fit(seat.note, room, "tiny"), "tiny", tone="accent" if seat.look == "marked" else "soft")
        + text(figure, 31, seat.figure, "figure", tone=tone, anchor="end")
        + (icon(seat.symbol, width - 32, 14, 18, "soft") if seat.symbol else "")
    )


def waiting(names: Sequence[str], seats: int, say: Translate = english) -> str:
    """Return "Waiting for players" with counts; "" if every seat has a name, or no names are given.

    Args:
        names: names by seat, as far as given; "" for an empty seat.
        seats: number of seats.
        say: the translation of the text.

    >>> waiting(("Ann", "", "Cem"), 4), waiting(("Ann", "Bob"), 2), waiting((), 2)
    ('Waiting for players (2 of 4)', '', '')
    """
    taken = sum(map(bool, names[:seats]))
    if not names or taken == seats:
        return ""
    return say("Waiting for players ({taken} of {seats})", taken=taken, seats=seats)


def display_names(names: Sequence[str], seats: int, say: Translate = english) -> list[str]:
    """Return a printable name for each seat, shortened to fit a line. A missing name becomes "Seat 1" and so on.

    >>> display_names(("Ann",), 2)
    ['Ann', 'Seat 2']
    """
    shown = [" ".join(strip_control_characters(name[:_LONGEST]).split()) for name in names[:seats]]
    return [
        shown[seat] if seat < len(shown) and shown[seat] else say("Seat {number}", number=seat + 1)
        for seat in range(seats)
    ]
