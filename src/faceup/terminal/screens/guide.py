"""The rules of a game, and the keys, on a page in front of the table."""

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Markdown

from faceup.core import Game

KEYS: Final = """
---

## Keys

| key | does |
| --- | --- |
| arrows, digits, mouse | move to a choice |
| Enter, or a click on it | choose |
| Space | skip what is being shown; go on |
| + and - | faster, slower |
| a | auto: play by itself wherever there is nothing to choose |
| p | pause, and go on |
| t | the cards that everybody has taken |
| h | a hint: what the coach would play, and why; unless the table has none |
| d | dark or light |
| ? | these rules |
| Esc | save, and back to the menu |
| q, Ctrl-C | save, and leave |
"""


class Guide(ModalScreen[None]):
    """The game's own guide in Markdown, then the keys."""

    DEFAULT_CSS = """
    Guide { align: center middle; }
    Guide VerticalScroll {
        width: 90%; max-width: 96; height: 100%; margin: 1 0 2 0;
        background: $surface; border: round $primary; padding: 0 1; scrollbar-size-vertical: 1;
    }
    Guide Markdown { background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss", "Back", key_display="Esc"),
        Binding("down,j", "scroll(1)", "Scroll", key_display="↑↓"),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(15)", show=False),
        Binding("pageup", "scroll(-15)", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        """The page."""
        with VerticalScroll() as page:
            page.border_title = f"The rules of {self._game.title}"
            page.can_focus = False
            yield Markdown(self._game.guide + KEYS)
        yield Footer()

    def action_scroll(self, lines: int) -> None:
        """Scroll by so many lines."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
