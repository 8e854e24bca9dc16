"""The parts of a table of 6 nimmt!: the rows, the cards face up, the hand. They draw what they are told to."""

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from faceup.games.nimmt.cards import Card, Row, total
from faceup.terminal.boards.cards import (
    HEAD,
    Frame,
    back_lines,
    card_lines,
    gap_lines,
    side_by_side,
)
from faceup.terminal.boards.part import Part

BESIDE: Final = 10
"""Cells beside a row for its heads."""


class Picked(Message):
    """Something was clicked: a card of the hand, or a row."""

    def __init__(self, part: Widget, index: int) -> None:
        super().__init__()
        self.part = part
        self.index = index


class Rows(Part):
    """The rows on the table.

    Attributes:
        rows: from the first card to the tail.
        capacity: places in a row.
        placed: the row whose tail was placed last; -1 for none.
        takers: by row that is being taken, the name of who takes it.
        cursor: the row that is being chosen; -1 if none is.
        ghost: the row in which the card under the hand's cursor would land, and that card.
    """

    def __init__(self, count: int, capacity: int) -> None:
        super().__init__()
        self.count = count
        self.capacity = capacity
        self.rows: tuple[Row, ...] = ()
        self.placed = -1
        self.takers: dict[int, str] = {}
        self.cursor = -1
        self.ghost: tuple[int, Card] | None = None

    def lines(self) -> list[Content]:
        """The rows, one below the other."""
        rows = self.rows or ((),) * self.count
        return [line for index, row in enumerate(rows) for line in self._row(index, row)]

    def _row(self, index: int, row: Row) -> list[Content]:
        chosen = index == self.cursor
        frames: list[Frame] = ["lifted" if chosen else "plain"] * len(row)
        if index == self.placed and row:
            frames[-1] = "placed"
        blocks = [card_lines(card, self.look, frame) for card, frame in zip(row, frames, strict=True)]
        if self.ghost is not None and self.ghost[0] == index:
            blocks.append(card_lines(self.ghost[1], self.look, "ghost"))
        blocks += [gap_lines(self.look)] * (self.capacity - len(blocks))
        label = [Content("   ")] * self.look.height
        label[self.look.height // 2] = Content.styled(f" {index} ", "bold reverse $accent" if chosen else "$faint")
        return side_by_side([label, *blocks, self._beside(index, row)])

    def _beside(self, index: int, row: Row) -> list[Content]:
        """The row's heads, or who takes them."""
        middle = self.look.height // 2
        lines = [" " * BESIDE] * self.look.height
        style = "$foreground-muted"
        if index in self.takers:
            lines[max(middle - 1, 0)] = f" {self.takers[index]}"
            lines[middle] = f" takes {total(row)}{HEAD}"
            style = "bold $accent"
        elif row:
            full = len(row) >= self.capacity
            lines[middle] = f" {total(row):>2}{HEAD}{' full' if full else ''}"
            style = "$warning" if full else style
        return [Content.styled(line[:BESIDE].ljust(BESIDE), style) for line in lines]

    def on_click(self, event: events.Click) -> None:
        """Pick the row."""
        index = event.y // self.look.height
        if 0 <= index < len(self.rows):
            self.post_message(Picked(self, index))


class FaceUp(Part):
    """A place for each seat's card: empty while it chooses, face down when it has, then face up.

    Attributes:
        names: by seat.
        chosen: by seat, whether a card lies there face down.
        plays: by seat, the card that lies there face up.
        placing: the seat whose card is being placed.
        gone: the seats whose cards went to the rows.
        room: cells for all places together.
    """

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__()
        self.names = names
        self.chosen: Sequence[bool] = ()
        self.plays: dict[int, Card] = {}
        self.placing = -1
        self.gone: set[int] = set()
        self.room = 0

    def lines(self) -> list[Content]:
        """The places side by side, names below."""
        wide = min(max(self.room // len(self.names), self.look.width), self.look.width + 7)
        return side_by_side([self._place(seat, wide) for seat in range(len(self.names))])

    def _place(self, seat: int, wide: int) -> list[Content]:
        name = self.names[seat]
        fits = name if len(name) < wide else f"{name[: wide - 2]}…"
        label = Content.styled(fits.center(wide), "bold $accent" if seat == self.placing else "$foreground-muted")
        if seat in self.gone:
            card = gap_lines(self.look, " ")
        elif seat in self.plays:
            card = card_lines(self.plays[seat], self.look, "placed" if seat == self.placing else "plain")
        elif seat < len(self.chosen) and self.chosen[seat]:
            card = back_lines(self.look)
        else:
            card = gap_lines(self.look)
        left = (wide - self.look.width) // 2
        return [*(line.pad(left, wide - self.look.width - left) for line in card), label]


class Hand(Part):
    """The hand of whoever looks.

    Attributes:
        cards: ascending.
        cursor: the index of the lifted card; -1 if nothing is to be chosen.
        sealed: the card that is chosen already.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cards: Row = ()
        self.cursor = -1
        self.sealed: Card | None = None

    def lines(self) -> list[Content]:
        """The cards side by side; the chosen one face down, as it lies."""
        if not self.cards:
            return [Content(" ")] * self.look.height
        return side_by_side([self._card(index) for index in range(len(self.cards))])

    def _card(self, index: int) -> list[Content]:
        if index == self.cursor:
            return card_lines(self.cards[index], self.look, "lifted")
        return card_lines(self.cards[index], self.look, "dim" if self.cards[index] == self.sealed else "plain")

    def on_click(self, event: events.Click) -> None:
        """Pick the card."""
        index = event.x // self.look.width
        if 0 <= index < len(self.cards):
            self.post_message(Picked(self, index))
