"""The screen that hides the table while the terminal is handed to the next player."""

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from faceup.core import Seat
from faceup.terminal.words import text


class HandOverScreen(Screen[Seat]):
    """A screen that hides the table until the next player is ready, and then returns the seat to show the hand of.

    The clock is paused on this screen, and the next player gets the full time. Until everyone has chosen, players who
    have already chosen may return and change their choice.

    Args:
        seat: the next seat to choose.
        names: player names by seat.
        chosen: the seats of players at this terminal who have already chosen.
    """

    DEFAULT_CSS = """
    HandOverScreen { align: center middle; background: $background; }
    HandOverScreen Vertical { width: 60; height: auto; border: round $primary; padding: 1 3; background: $surface; }
    HandOverScreen Static { width: 100%; text-align: center; margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "show_hand", text("key.show_hand"))]

    def __init__(self, seat: Seat, names: Sequence[str], chosen: Sequence[Seat]) -> None:
        super().__init__()
        self._seat = seat
        self._names = names
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """Add the instructions."""
        name = self._names[self._seat]
        with Center(), Vertical() as page:
            page.border_title = text("hand_over.title")
            yield Static(_emphasize(text("hand_over.pass", name=name), name, "bold $accent"))
            yield Static(_emphasize(text("hand_over.press", name=name), "Enter", "bold"))
            for index, seat in enumerate(self._chosen, 1):
                change = text("hand_over.change", name=self._names[seat], key=index)
                yield Static(Content.assemble(("✓ ", "$success"), change))
        yield Footer()

    def action_show_hand(self) -> None:
        """Show the next player's hand."""
        self.dismiss(self._seat)

    def on_key(self, event: events.Key) -> None:
        """Let players who have chosen return by typing the digit that is shown with their name."""
        digits = [str(index) for index in range(1, len(self._chosen) + 1)]
        if event.character in digits[:9]:
            event.stop()
            self.dismiss(self._chosen[digits.index(event.character)])


def _emphasize(sentence: str, part: str, style: str) -> Content:
    """Return a sentence with a part of it in a style."""
    before, _, after = sentence.partition(part)
    return Content.assemble(before, (part, style), after)
