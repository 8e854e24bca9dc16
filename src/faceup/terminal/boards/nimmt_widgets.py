"""The widgets of the 6 nimmt! board: rows, cards face up, hand, and the dialog with the taken cards."""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Footer, Static

from faceup.games.nimmt.cards import Card, Row, total
from faceup.terminal.boards.art import FLAT, HEAD, BoardWidget, Frame, back_lines, card_lines, gap_lines, side_by_side
from faceup.terminal.text import centre, fit, shorten_names
from faceup.terminal.words import text

HEADS_WIDTH: Final = 11
"""Width in cells of the column with the heads of each row."""


class Picked(Message):
    """The message that a card of the hand, or a row, was clicked."""

    def __init__(self, part: Widget, index: int) -> None:
        super().__init__()
        self.part = part
        self.index = index


class Rows(BoardWidget):
    """The rows on the table.

    Attributes:
        rows: the cards of each row, first to last.
        capacity: the maximum number of cards in a row.
        placed: the row where a card was placed last; -1 if there is none.
        takers: for each row that is being taken, the name of the player who takes it.
        cursor: the selected row; -1 if there is none.
        ghost: the selected card and the row that it would go to.
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
        """Return the lines of all rows."""
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
        label[self.look.height // 2] = Content.styled(f" {index + 1} ", "bold reverse $accent" if chosen else "$faint")
        return side_by_side([label, *blocks, self._heads_column(index, row)])

    def _heads_column(self, index: int, row: Row) -> list[Content]:
        """Return the row's heads, or the name of the player who takes the row."""
        middle = self.look.height // 2
        lines = [" " * HEADS_WIDTH] * self.look.height
        style = "$foreground-muted"
        if index in self.takers:
            lines[max(middle - 1, 0)] = f" {self.takers[index]}"
            lines[middle] = f" {text('nimmt.takes', heads=f'{total(row)}{HEAD}')}"
            style = "bold $accent"
        elif row:
            full = len(row) >= self.capacity
            lines[middle] = f" {total(row):>2}{HEAD} {text('nimmt.full') if full else ''}"
            style = "$warning" if full else style
        return [Content.styled(fit(line, HEADS_WIDTH), style) for line in lines]

    def on_click(self, event: events.Click) -> None:
        """Report the clicked row."""
        index = event.y // self.look.height
        if 0 <= index < len(self.rows):
            self.post_message(Picked(self, index))


class FaceUp(BoardWidget):
    """A place for each seat's card; it is empty until the seat has chosen, then shows the card face down, then face up.

    Attributes:
        names: player names by seat.
        chosen: by seat, whether a card is face down.
        plays: by seat, the card that is face up.
        placing: the seat of the card that is being placed.
        gone: the seats with cards that have been placed.
        room: the width in cells for all places together.
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
        """Return the lines of all places, with the players' names below the cards."""
        wide = min(max(self.room // len(self.names), self.look.width), self.look.width + 7)
        names = shorten_names(self.names, wide - 1)
        return side_by_side([self._place(seat, name, wide) for seat, name in enumerate(names)])

    def _place(self, seat: int, name: str, wide: int) -> list[Content]:
        label = Content.styled(
            f"{centre(name, wide - 1)} ", "bold $accent" if seat == self.placing else "$foreground-muted"
        )
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


class HandWidget(BoardWidget):
    """The hand of the viewer.

    Attributes:
        cards: the cards in ascending order.
        cursor: the index of the selected card; -1 if there is nothing to choose.
        sealed: the card that the player has chosen in this turn.
    """

    def __init__(self) -> None:
        super().__init__()
        self.cards: Row = ()
        self.cursor = -1
        self.sealed: Card | None = None

    def lines(self) -> list[Content]:
        """Return the lines of the hand, with the chosen card face down."""
        if not self.cards:
            return [Content(" ")] * self.look.height
        return side_by_side([self._card(index) for index in range(len(self.cards))])

    def _card(self, index: int) -> list[Content]:
        if index == self.cursor:
            return card_lines(self.cards[index], self.look, "lifted")
        return card_lines(self.cards[index], self.look, "dim" if self.cards[index] == self.sealed else "plain")

    def on_click(self, event: events.Click) -> None:
        """Report the clicked card."""
        index = event.x // self.look.width
        if 0 <= index < len(self.cards):
            self.post_message(Picked(self, index))


class TakenCardsDialog(ModalScreen[None]):
    """Each seat's taken cards with their heads."""

    DEFAULT_CSS = """
    TakenCardsDialog { align: center middle; }
    TakenCardsDialog VerticalScroll {
        width: 76; max-height: 80%; height: auto; padding: 1 2; background: $surface; border: round $primary;
        scrollbar-size-vertical: 1;
    }
    TakenCardsDialog VerticalScroll > Static { margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,t,enter,q", "dismiss", text("key.back"), key_display="Esc")
    ]

    def __init__(self, names: Sequence[str], taken: Sequence[Row]) -> None:
        super().__init__()
        self._names = names
        self._taken = taken

    def compose(self) -> ComposeResult:
        """Add a paragraph for each seat."""
        with VerticalScroll() as page:
            page.border_title = text("nimmt.taken.title")
            for name, row in zip(self._names, self._taken, strict=True):
                cards = [card_lines(card, FLAT)[0] for card in sorted(row)]
                lines = [Content("").join(cards[index : index + 8]) for index in range(0, len(cards), 8)]
                head = Content.assemble(
                    (name, "bold"), f"  {total(row)}{HEAD}" if row else f"  {text('nimmt.taken.none')}"
                )
                yield Static(Content("\n").join([head, *lines]))
        yield Footer()
