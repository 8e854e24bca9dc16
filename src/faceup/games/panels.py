"""The parts that the pictures of all games share: the headline, the heading of a part, and the seats."""

from collections.abc import Sequence
from typing import Final

import msgspec

from faceup.games.svg import WIDTH, Block, box, breadth, clean, fit, icon, move, text, wrap

_CHIP: Final = 46.0
_GAP: Final = 8.0
_LONGEST: Final = 40


class Chip(msgspec.Struct, frozen=True):
    """A seat as one chip.

    Attributes:
        name: of the seat.
        note: one or two words beneath it.
        figure: the number that counts.
        symbol: what it counts, as the page's symbol; "" is none.
        look: "plain", "marked" where the seat is awaited or has won, or "faded" where it is out.
    """

    name: str
    note: str
    figure: str
    symbol: str = ""
    look: str = "plain"


def headline(words: str, beneath: str) -> Block:
    """What is going on, large, and where in the game that is."""
    lines = wrap(words, WIDTH, "headline")
    body = "".join(text(0, 20 + 26 * index, line, "headline") for index, line in enumerate(lines))
    y = 26 * len(lines) + 14
    return Block(y + 4, body + text(0, y, fit(beneath, WIDTH, "plain"), "plain", tone="soft"))


def heading(words: str, block: Block) -> Block:
    """A block beneath its small heading."""
    return Block(
        block.height + 20, text(0, 10, fit(words, WIDTH, "label"), "label", tone="soft") + move(0, 20, block.body)
    )


def chips(seats: Sequence[Chip]) -> Block:
    """The seats, two beside each other."""
    width = (WIDTH - _GAP) / 2
    body = "".join(
        move(index % 2 * (width + _GAP), index // 2 * (_CHIP + _GAP), _chip(seat, width))
        for index, seat in enumerate(seats)
    )
    lines = (len(seats) + 1) // 2
    return Block(lines * (_CHIP + _GAP) - _GAP, body)


def _chip(seat: Chip, width: float) -> str:
    look = "chip ring" if seat.look == "marked" else "chip edge"
    tone = "soft" if seat.look == "faded" else "ink"
    figure = width - 14 - (22 if seat.symbol else 0)
    room = figure - breadth(seat.figure, "figure") - 18
    return (
        box(0, 0, width, _CHIP, look, radius=11)
        + text(12, 20, fit(seat.name, room, "name"), "name", tone=tone)
        + text(12, 36, fit(seat.note, room, "tiny"), "tiny", tone="accent" if seat.look == "marked" else "soft")
        + text(figure, 31, seat.figure, "figure", tone=tone, anchor="end")
        + (icon(seat.symbol, width - 32, 14, 18, "soft") if seat.symbol else "")
    )


def called(names: Sequence[str], seats: int) -> list[str]:
    """A name for each seat, fit to be drawn: "Seat 0" and so on where there is none, and no longer than a line.

    >>> called(("Ann",), 2)
    ['Ann', 'Seat 1']
    """
    given = [" ".join(clean(name[:_LONGEST]).split()) for name in names[:seats]]
    return [given[seat] if seat < len(given) and given[seat] else f"Seat {seat}" for seat in range(seats)]


def listed(words: Sequence[str]) -> str:
    """The words as one would say them.

    >>> listed(["Ann", "Bob", "Cem"])
    'Ann, Bob and Cem'
    """
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
