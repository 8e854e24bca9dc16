"""The board for games without their own board, which shows the text drawing of a game and a list of actions."""

from collections.abc import Iterator, Sequence
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import OptionList, Static

from faceup.core import Action, AnyRules, Event, View
from faceup.terminal.boards.board import Board
from faceup.terminal.side_panel import SidePanel
from faceup.terminal.words import choice_text, draw_view, text

READ: Final = 0.6
"""Seconds to show an event at normal speed."""


class GenericBoard(Board):
    """A board that uses only the common interface of games."""

    DEFAULT_CSS = """
    GenericBoard Horizontal { height: 1fr; }
    GenericBoard VerticalScroll { width: 1fr; padding: 0 1; }
    GenericBoard #drawing { width: auto; }
    GenericBoard OptionList, GenericBoard OptionList:focus {
        height: auto; max-height: 8; border: none; padding: 0 1; background: $surface;
    }
    GenericBoard OptionList > .option-list--option-highlighted,
    GenericBoard OptionList:focus > .option-list--option-highlighted {
        background: $panel; color: $accent; text-style: bold;
    }
    """

    def __init__(self, rules: AnyRules, names: Sequence[str], side: SidePanel) -> None:
        super().__init__(rules, names, side)
        self.drawing = Static(id="drawing", markup=False)
        self.choices = OptionList()

    def compose(self) -> ComposeResult:
        """Add the drawing, the side panel and the choices."""
        with Horizontal():
            with VerticalScroll() as page:
                page.can_focus = False
                yield self.drawing
            yield self.side
        yield self.choices

    def show(self, view: View) -> None:
        """Show the text drawing."""
        self.drawing.update(draw_view(self.rules, view, self.names))
        self.ask((), None)

    def hide(self) -> None:
        """Hide the drawing, because any part of it may be secret."""
        self.drawing.update("")

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Offer the actions as a list."""
        super().ask(legal, choice)
        self.choices.clear_options()
        self.choices.add_options([choice_text(self.rules, action).capitalize() for action in legal])
        self.choices.display = bool(legal)
        if legal:
            self.choices.highlighted = 0 if choice is None else legal.index(choice)
            self.choices.focus()
        return text("board.choose.list") if legal else ""

    def play(self, event: Event) -> Iterator[float]:
        """Yield how long to pause, so that the player can read the event in the log."""
        del event
        yield READ

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self.legal[event.option_index]))
