"""Fit text into a number of terminal cells: a Chinese character fills two, a combining accent none."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rich import _wrap
from rich.cells import cell_len, chop_cells, set_cell_size

_WIDE: Final = "\u2e80-\uffef"
_OPENING: Final = "\u201c\u300a\u300c\u300e\uff08"
_CLOSING: Final = "\u201d\u3001\u3002\u300b\u300d\u300f\uff01\uff09\uff0c\uff1a\uff1b\uff1f"

_SPACE: Final = r"[^\S\u00a0\u202f]"
"""A space at which a line can break, so no no-break space."""

_WORD: Final = re.compile(
    rf"[{_OPENING}]*(?:(?:[^\s{_WIDE}]|[\u00a0\u202f])+|[{_WIDE}])[{_CLOSING}]*{_SPACE}*|{_SPACE}+"
)
"""Text that stays on one line: a word or a wide character, with the punctuation before and after it."""

_wrap.re_word = _WORD  # Rich and Textual would break lines only at spaces, of which a Chinese paragraph has none


def shorten(text: str, width: int) -> str:
    """Return the text, cut with an ellipsis if it is wider than `width` cells.

    >>> shorten("Bartholomew", 8), shorten("庄家庄家", 6)
    ('Barthol…', '庄家…')
    """
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)).rstrip() + "…"[:width]


def shorten_names(names: Sequence[str], width: int) -> list[str]:
    """Return the names, each of at most `width` cells. Of names that would look alike, the last word is kept.

    >>> shorten_names(["Bartholomew", "Greedy 1", "Greedy 12"], 6)
    ['Barth…', 'Gree…1', 'Gre…12']
    """
    short = [shorten(name, width) for name in names]
    return [
        text if short.count(text) == 1 else _keep_last_word(name, width)
        for name, text in zip(names, short, strict=True)
    ]


def _keep_last_word(name: str, width: int) -> str:
    last = name.rpartition(" ")[2]
    room = width - cell_len(last)
    return shorten(name, width) if cell_len(name) <= width or room < 2 else shorten(name, room) + last


def fit(text: str, width: int) -> str:
    """Return the text, shortened or padded on the right to exactly `width` cells.

    >>> fit("Ann", 5) + "|", fit("庄家", 5) + "|"
    ('Ann  |', '庄家 |')
    """
    return set_cell_size(shorten(text, width), width)


def fit_right(text: str, width: int) -> str:
    """Return the text, shortened or padded on the left to exactly `width` cells.

    >>> "|" + fit_right("庄家", 5)
    '| 庄家'
    """
    text = shorten(text, width)
    return " " * (width - cell_len(text)) + text


def centre(text: str, width: int) -> str:
    """Return the text in the middle of exactly `width` cells.

    >>> centre("庄家", 7) + "|"
    ' 庄家  |'
    """
    text = shorten(text, width)
    return fit(" " * ((width - cell_len(text)) // 2) + text, width)


def widest(texts: Iterable[str]) -> int:
    """Return the width of the widest text in cells; 0 if there is none."""
    return max(map(cell_len, texts), default=0)


def wrap(text: str, width: int) -> list[str]:
    r"""Return the text in lines of at most `width` cells. A Chinese text is broken between any two characters.

    >>> wrap("Ann takes row 2", 10), wrap("庄家拿到5", 6)
    (['Ann takes', 'row 2'], ['庄家拿', '到5'])
    >>> wrap("Tu prends 5\u202f!", 12), wrap("最多7《牛》", 6)
    (['Tu prends', '5\u202f!'], ['最多7', '《牛》'])
    """
    lines = [""]
    for word in _WORD.findall(text):
        if cell_len(lines[-1] + word.rstrip()) <= width:
            lines[-1] += word
        else:
            lines += chop_cells(word, width)
    return [line.rstrip() for line in lines if line.strip()]
