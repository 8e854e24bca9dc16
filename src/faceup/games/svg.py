"""The elements of the drawings: text that fits, shapes, cards, and the page they stand on, as SVG.

Every function takes numbers and words and gives a piece of SVG; `page` makes a whole picture of them. Colours and type
are classes of one style sheet that every picture carries, light or dark as its reader prefers. Class names begin with
`fu-`, and ids are made unique by a picture's content, so that several pictures can share a page.
"""

import unicodedata
import zlib
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

# The size, the weight and the spacing of each kind of text, in units of which 420 make the width of a picture: nothing
# is smaller than 12, so that it can be read on a phone 360 pixels wide.
_TYPE: Final = {
    "headline": (21, 750, -0.2),
    "figure": (22, 750, -0.4),
    "name": (14, 650, 0),
    "plain": (13, 450, 0),
    "label": (12, 600, 0.3),
    "tiny": (12, 500, 0),
}

# Light and dark for each thing that is filled or drawn. Cards and dice stay bright on a dark table, only dimmed.
_FILLS: Final = {
    "table": ("#f4f1e9", "#151b1a"),
    "lane": ("#ebe7dc", "#1f2826"),
    "chip": ("#fcfaf5", "#232d2b"),
    "ink": ("#1c2523", "#edf1ec"),
    "soft": ("#5b6561", "#a4b1ab"),
    "accent": ("#0a7056", "#56cfa4"),
    "warn": ("#b23a1c", "#ff9a78"),
    "face": ("#fffefa", "#f0ebdf"),
    "print": ("#1c2523", "#1c2523"),
    "shade": ("#3d3525", "#000000"),
    "back": ("#1d5c50", "#236a5c"),
    "weave": ("#7fb5a6", "#8cc4b4"),
    "pale": ("#e6e4da", "#dbd6c9"),
    "one": ("#56645f", "#4b5853"),
    "two": ("#1b69ab", "#1a639f"),
    "three": ("#a16300", "#935b00"),
    "five": ("#bf3a1d", "#b3361b"),
    "seven": ("#74307f", "#6d2d77"),
}
_STROKES: Final = {
    "edge": ("#cfc8b6", "#0a0e0d", 1.0),
    "slot": ("#bdb6a3", "#47544f", 1.2),
    "ring": ("#0a7056", "#56cfa4", 2.6),
    "alarm": ("#b23a1c", "#ff9a78", 1.6),
    "bracket": ("#5b6561", "#a4b1ab", 1.5),
}

WIDTH: Final = 388.0
"""The width of every block."""

_MARGIN: Final = 16.0
_GAP: Final = 20.0


class Block(NamedTuple):
    """A piece of a picture, `WIDTH` wide, drawn from its upper left corner."""

    height: float
    body: str


def number(value: float) -> str:
    """A number as short as it can be written.

    >>> number(12.0), number(1 / 3)
    ('12', '0.33')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def clean(words: str) -> str:
    """The words without what no document may hold, or what would turn the writing around: controls and the like."""
    return "".join(
        "\ufffd" if unicodedata.category(char) in {"Cc", "Cs"} or char in _BARRED else char for char in words
    )


_BARRED: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufffe\uffff")


def escape(words: str) -> str:
    """The words as they may stand in an element or an attribute, in ASCII, so that no encoding can spoil them.

    >>> escape('<Ann & "Bob">')
    '&lt;Ann &amp; &quot;Bob&quot;&gt;'
    """
    return words.translate(_ESCAPES).encode("ascii", "xmlcharrefreplace").decode()


_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def breadth(words: str, kind: str) -> float:
    """About how wide the words are: no font is asked, so it errs on the wide side."""
    size, _, spacing = _TYPE[kind]
    return sum(_em(char) * size + spacing for char in words)


def _em(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if char in " iljtfrI.,:;'|!()":
        return 0.36
    if char in "mwMW@%":
        return 0.92
    return 0.68 if char.isupper() or not char.isascii() else 0.6


def fit(words: str, width: float, kind: str) -> str:
    """The words, or as many of them as fit and an ellipsis.

    >>> fit("Bartholomew the Younger", 80, "name")
    'Bartholo…'
    """
    words = clean(words)
    if breadth(words, kind) <= width:
        return words
    while words and breadth(words + "…", kind) > width:
        words = words[:-1]
    return words.rstrip() + "…"


def wrap(words: str, width: float, kind: str) -> list[str]:
    """The words in lines that fit; a word too long for a line is cut short."""
    lines: list[str] = []
    for word in words.split():
        if lines and breadth(f"{lines[-1]} {word}", kind) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [fit(line, width, kind) for line in lines]


def text(
    x: float, y: float, words: str, kind: str, *, tone: str = "ink", anchor: str = "start", size: float = 0
) -> str:
    """Words whose baseline starts, has its middle, or ends at a point; `size` in place of the kind's own."""
    placed = "" if anchor == "start" else f' text-anchor="{anchor}"'
    sized = f' style="font-size:{number(size)}px"' if size else ""
    classes = f'class="fu-{kind} fu-{tone}"{placed}{sized}'
    return f'<text x="{number(x)}" y="{number(y)}" {classes}>{escape(clean(words))}</text>'


def box(x: float, y: float, width: float, height: float, look: str, *, radius: float) -> str:
    """A rounded rectangle; `look` names a fill, a stroke, or both."""
    classes = " ".join(f"fu-{word}" for word in look.split())
    return (
        f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" '
        f'rx="{number(radius)}" class="{classes}"/>'
    )


def circle(x: float, y: float, radius: float, look: str) -> str:
    """A disc."""
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}" class="fu-{look}"/>'


def path(data: str, look: str) -> str:
    """A path; `look` as for `box`."""
    classes = " ".join(f"fu-{word}" for word in look.split())
    return f'<path d="{data}" class="{classes}"/>'


def icon(name: str, x: float, y: float, size: float, tone: str) -> str:
    """One of the symbols that the page is given, in a square."""
    return (
        f'<use href="#fu-{name}" x="{number(x)}" y="{number(y)}" width="{number(size)}" height="{number(size)}" '
        f'class="fu-{tone}"/>'
    )


def move(x: float, y: float, body: str, turn: float = 0) -> str:
    """The body elsewhere, perhaps turned clockwise by some degrees."""
    turned = f" rotate({number(turn)})" if turn else ""
    return f'<g transform="translate({number(x)} {number(y)}){turned}">{body}</g>'


def card(x: float, y: float, width: float, height: float, look: str = "face", *, ringed: bool = False) -> str:
    """An empty card with its shadow; a ring tells that it is new on the table."""
    radius = width / 8
    shadows = box(x - 0.5, y + 2.5, width + 1, height, "shade veil", radius=radius) + box(
        x, y + 1, width, height, "shade veil", radius=radius
    )
    ring = box(x - 2.2, y - 2.2, width + 4.4, height + 4.4, "ring", radius=radius + 2.2) if ringed else ""
    return shadows + box(x, y, width, height, f"{look} edge", radius=radius) + ring


def back(x: float, y: float, width: float, height: float, emblem: str = "") -> str:
    """A card face down, with a symbol on its back if the page has one."""
    inset, size = width * 0.09, width * 0.46
    frame = box(x + inset, y + inset, width - 2 * inset, height - 2 * inset, "weave-line", radius=width / 14)
    mark = icon(emblem, x + (width - size) / 2, y + (height - size) / 2, size, "weave") if emblem else ""
    return card(x, y, width, height, "back") + frame + mark


def slot(x: float, y: float, width: float, height: float) -> str:
    """A place where no card lies yet."""
    return box(x + 0.6, y + 0.6, width - 1.2, height - 1.2, "slot", radius=width / 8)


def stack(blocks: Sequence[Block], gap: float = _GAP) -> Block:
    """Blocks one below the other."""
    pieces, y = [], 0.0
    for block in blocks:
        pieces.append(move(0, y, block.body))
        y += block.height + gap
    return Block(max(y - gap, 0.0), "".join(pieces))


def page(title: str, description: str, columns: Sequence[Block], symbols: Mapping[str, str]) -> str:
    """A whole picture.

    Args:
        title: its name, which a screen reader says first.
        description: what is in it, in words.
        columns: what stands side by side.
        symbols: the paths that `icon` can name, each in a square of 24.
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
    # A quote in the words is written as an entity, so only our own references look like this.
    scope = f"fu{zlib.crc32((title + description + body).encode('utf-8', 'replace')):08x}"
    drawn = (shapes + body).replace('"#fu-', f'"#{scope}-').replace('id="fu-', f'id="{scope}-')
    lines = "\n".join(escape(clean(line)) for line in description.splitlines())
    w, h = number(width), number(height)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" class="fu-picture" '
        f'role="img" lang="en"><title>{escape(clean(title))}</title><desc>{lines}</desc><style>{STYLE}</style>'
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
        f"{light}@media(prefers-color-scheme:dark){{{dark}.fu-veil{{opacity:.3}}}}"
    )


STYLE: Final = _style()
"""The style sheet that every picture carries."""
