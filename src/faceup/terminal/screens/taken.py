"""The cards that everybody has taken, on a page of their own."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from faceup.games.nimmt.cards import Row, total
from faceup.terminal.boards.cards import FLAT, HEAD, card_lines


class Taken(ModalScreen[None]):
    """Each seat's taken cards with their heads."""

    DEFAULT_CSS = """
    Taken { align: center middle; }
    Taken VerticalScroll {
        width: 76; max-height: 80%; height: auto; padding: 1 2; background: $surface; border: round $primary;
        scrollbar-size-vertical: 1;
    }
    Taken VerticalScroll > Static { margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,t,enter,q", "dismiss", "Back", key_display="Esc")]

    def __init__(self, names: Sequence[str], taken: Sequence[Row]) -> None:
        super().__init__()
        self._names = names
        self._taken = taken

    def compose(self) -> ComposeResult:
        """A paragraph for each seat."""
        with VerticalScroll() as page:
            page.border_title = "Cards taken in this deal"
            for name, row in zip(self._names, self._taken, strict=True):
                cards = [card_lines(card, FLAT)[0] for card in sorted(row)]
                lines = [Content("").join(cards[index : index + 8]) for index in range(0, len(cards), 8)]
                head = Content.assemble((name, "bold"), f"  {total(row)}{HEAD}" if row else "  nothing yet")
                yield Static(Content("\n").join([head, *lines]))
        yield Footer()
