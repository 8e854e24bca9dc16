"""Formatting: counted nouns, lists, numbers with errors, durations, tables, and foreign text made safe to print."""

import unicodedata
from collections.abc import Iterable, Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # this imports modules for random numbers, which rules do not need
    from faceup.statistics import Mean


def plural(count: int, singular: str, several: str = "") -> str:
    """Return the count and its noun, in the singular for 1 alone.

    Args:
        count: how many.
        singular: the noun in the singular.
        several: the noun in the plural; "" for the singular with an s.

    >>> plural(1, "round"), plural(5000, "round"), plural(0, "match", "matches")
    ('1 round', '5,000 rounds', '0 matches')
    """
    return f"{count:,} {singular if count == 1 else several or f'{singular}s'}"


def join_words(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> join_words(["Ann", "Bob", "Cem"])
    'Ann, Bob and Cem'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def ordinal(place: int) -> str:
    """Return an ordinal from 1st to 10th."""
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


_DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_NONCHARACTERS: Final = frozenset("\ufffe\uffff")


def strip_control_characters(text: str, keep: str = "") -> str:
    r"""Replace control characters, which could move a terminal's cursor or change its colors, by U+FFFD.

    Line separators, lone surrogates, characters that change the direction of text and those that XML forbids are
    replaced as well.

    Args:
        text: text from a user or a program.
        keep: control characters to keep, such as a newline.

    >>> strip_control_characters("PLAY\t7\x1b[2J\n", keep="\n")
    'PLAY\ufffd7\ufffd[2J\n'
    """
    if text.isprintable():
        return text
    return "".join("\ufffd" if _is_unsafe(char) and char not in keep else char for char in text)


def _is_unsafe(char: str) -> bool:
    return unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} or char in _DIRECTION_MARKS or char in _NONCHARACTERS


def truncate(text: str, most: int) -> str:
    """Shorten a text by leaving out its middle, and say how much is left out.

    >>> truncate("abcdefghij", 4)
    'ab ... 6 characters left out ... ij'
    """
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]} ... {len(text) - 2 * half:,} characters left out ... {text[len(text) - half :]}"


def format_number(number: float, half_width: float) -> str:
    """Format a number so that its last digit is the second significant digit of half of its interval.

    If the half width is 0, because there is no interval, the number has four significant digits.

    >>> format_number(13.34512, 0.0123), format_number(13.34512, 0.0)
    ('13.345', '13.35')
    """
    if not half_width:
        return f"{number:.4g}"
    digits = min(max(1 - floor(log10(half_width)), 0), 9)
    return f"{number:.{digits}f}"


def format_mean_parts(value: "Mean", *, percent: bool = False) -> tuple[str, str]:
    """Format a mean and half of its 95 % interval as two texts; the second is "" if there is no interval.

    >>> from faceup.statistics import Mean
    >>> format_mean_parts(Mean(13.34512, 0.0061, 10**6)), format_mean_parts(Mean(3.0, None, 1))
    (('13.345', '0.012'), ('3', ''))
    """
    scale = 100 if percent else 1
    if value.interval is None or not value.stderr:
        return f"{value.mean * scale:.4g}", ""
    half = (value.interval[1] - value.mean) * scale
    return format_number(value.mean * scale, half), format_number(half, half)


def format_mean(value: "Mean", *, percent: bool = False) -> str:
    """Format a mean with half of its 95 % interval.

    >>> from faceup.statistics import Mean
    >>> format_mean(Mean(0.25, 0.01, 10**6), percent=True), format_mean(Mean(3.0, None, 1))
    ('25.0 ±2.0%', '3')
    """
    number, half = format_mean_parts(value, percent=percent)
    return f"{number} ±{half}{'%' * percent}" if half else f"{number}{'%' * percent}"


def format_signed(value: float) -> str:
    """Format a number with its sign.

    >>> format_signed(-0.5), format_signed(0.5), format_signed(0.001)
    ('-0.50', '+0.50', '0.00')
    """
    return f"{value:+.2f}" if round(value, 2) else "0.00"


def format_percent(share: float) -> str:
    """Format a share in percent.

    >>> format_percent(0.305), format_percent(0.001), format_percent(0.0)
    ('30%', '<1%', '0%')
    """
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 < share < 1:
        return ">99%"
    return f"{share:.0%}"


def format_microseconds(time: float) -> str:
    """Format a time in microseconds with a suitable unit.

    >>> [format_microseconds(time) for time in (0, 7, 950, 1_240, 98_000, 1_000_000)]
    ['0 µs', '7 µs', '950 µs', '1.2 ms', '98 ms', '1 s']
    """
    if time < 1000:
        return f"{time:.0f} µs"
    if time < 1_000_000:
        return f"{time / 1000:.2g} ms" if time < 10_000 else f"{time / 1000:.0f} ms"
    return f"{time / 1_000_000:.2g} s" if time < 10_000_000 else f"{time / 1_000_000:,.0f} s"


def format_duration(seconds: float) -> str:
    """Format a duration in its two largest units.

    >>> [format_duration(time) for time in (0.4, 59, 75, 3_700, 200_000)]
    ['0 s', '59 s', '1 min 15 s', '1 h 1 min', '2 d 7 h']
    """
    total = round(seconds)
    for size, name, smaller, minor in ((86_400, "d", 3_600, "h"), (3_600, "h", 60, "min"), (60, "min", 1, "s")):
        if total >= size:
            return f"{total // size} {name} {total % size // smaller} {minor}"
    return f"{total} s"


def cell_width(text: str) -> int:
    """Return how many cells of a terminal a text fills: two for each Chinese character, none for combining marks.

    >>> cell_width("Ann"), cell_width("庄家")
    (3, 4)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
        for char in text
    )


def pad(text: str, width: int, *, right: bool = False) -> str:
    """Pad a text to a width in cells of a terminal, on its left if `right` is set.

    >>> pad("庄家", 5) + "|", pad("庄家", 5, right=True) + "|"
    ('庄家 |', ' 庄家|')
    """
    space = " " * (width - cell_width(text))
    return space + text if right else text + space


def format_table(rows: Sequence[Sequence[str]], *, left: int) -> str:
    """Format rows of cells as columns, the first `left` columns aligned left and the others right.

    >>> print(format_table([["a", "b"], ["c", "100"]], left=1))
    a    b
    c  100
    """
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            pad(cell, width, right=column >= left) for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Format a Markdown table, with numbers to the right: all columns but the first.

    >>> print(markdown_table(["bot", "wins"], [["mc", "7"]]))
    | bot | wins |
    | --- | ---: |
    | mc | 7 |
    """
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
