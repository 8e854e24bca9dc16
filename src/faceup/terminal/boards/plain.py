"""The board of any game: its own drawing in text, and what may be chosen as a list."""

from collections.abc import Iterator, Sequence
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import OptionList, Static

from faceup.core import Action, AnyRules, Event, View, find_game
from faceup.terminal.boards.board import Board
from faceup.terminal.side import Side

READ: Final = 0.6
"""Seconds for a sentence, at the usual speed."""


class PlainBoard(Board):
    """Needs nothing of a game but what every game has."""

    DEFAULT_CSS = """
    PlainBoard Horizontal { height: 1fr; }
    PlainBoard VerticalScroll { width: 1fr; padding: 0 1; }
    PlainBoard #drawing { width: auto; }
    PlainBoard OptionList, PlainBoard OptionList:focus {
        height: auto; max-height: 8; border: none; padding: 0 1; background: $surface;
    }
    PlainBoard OptionList > .option-list--option-highlighted,
    PlainBoard OptionList:focus > .option-list--option-highlighted {
        background: $panel; color: $accent; text-style: bold;
    }
    """

    def __init__(self, rules: AnyRules, names: Sequence[str], side: Side) -> None:
        super().__init__(rules, names, side)
        self.drawing = Static(id="drawing", markup=False)
        self.choices = OptionList()

    def compose(self) -> ComposeResult:
        """Drawing and side panel above, choices below."""
        with Horizontal():
            with VerticalScroll() as page:
                page.can_focus = False
                yield self.drawing
            yield self.side
        yield self.choices

    def show(self, view: View) -> None:
        """The drawing."""
        text = find_game(self.rules.game).drawings["text"]
        self.drawing.update(text(view, names=self.names, rules=self.rules))
        self.ask((), None)

    def hide(self) -> None:
        """Take the drawing off the screen: what in it is secret, only the game knows."""
        self.drawing.update("")

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Offer the actions in words."""
        super().ask(legal, choice)
        self.choices.clear_options()
        self.choices.add_options([self.rules.describe(action).capitalize() for action in legal])
        self.choices.display = bool(legal)
        if legal:
            self.choices.highlighted = 0 if choice is None else legal.index(choice)
            self.choices.focus()
        return "Choose with the arrows and Enter." if legal else ""

    def play(self, event: Event) -> Iterator[float]:
        """Give everybody the time to read what the log says."""
        del event
        yield READ

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self.legal[event.option_index]))
