"""Fit text into a number of terminal cells: a Chinese character fills two, a combining accent none."""

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size


def shorten(text: str, width: int) -> str:
    """Return the text, cut with an ellipsis if it is wider than `width` cells.

    >>> shorten("Bartholomew", 8), shorten("庄家庄家", 6)
    ('Barthol…', '庄家 …')
    """
    return text if cell_len(text) <= width else set_cell_size(text, max(width - 1, 0)) + "…"[:width]


def fit(text: str, width: int) -> str:
    """Return the text, shortened or padded on the right to exactly `width` cells.

    >>> fit("Ann", 5) + "|", fit("庄家", 5) + "|"
    ('Ann  |', '庄家 |')
    """
    return set_cell_size(shorten(text, width), width)


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
