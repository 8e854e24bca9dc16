"""What the coach would play, on a page in front of the table."""

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from faceup.coach import Hint, ranking
from faceup.core import AnyRules

_HEAD: Final = ("", "heads to come", "wins", "takes a row now")


class Advice(ModalScreen[None]):
    """A short ranking of the options, and why the first is the best.

    Args:
        rules: of the game.
        advice: what the coach thinks.
        name: of whoever asked.
    """

    DEFAULT_CSS = """
    Advice { align: center middle; }
    Advice Vertical {
        width: 72; height: auto; max-height: 90%; padding: 1 2; background: $surface; border: round $primary;
    }
    Advice #why { margin-top: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,h,enter,space,q", "dismiss", "Back", key_display="Esc")]

    def __init__(self, rules: AnyRules, advice: Hint, name: str) -> None:
        super().__init__()
        self._rules = rules
        self._advice = advice
        self._name = name

    def compose(self) -> ComposeResult:
        """The options in columns, then the words."""
        with Vertical() as page:
            page.border_title = f"A hint for {self._name}"
            yield Static(self._table())
            yield Static(self._advice.words, id="why", markup=False)
        yield Footer(show_command_palette=False)

    def _table(self) -> Content:
        rows = [_HEAD, *ranking(self._rules, self._advice)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
        lines = []
        for index, row in enumerate(rows):
            cells = [
                row[0].ljust(widths[0]),
                *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
            style = "$foreground-muted" if index == 0 else "bold $accent" if index == 1 else ""
            lines.append(Content.styled(f"{'▸' if index == 1 else ' '} {'   '.join(cells)}", style))
        return Content("\n").join(lines)
