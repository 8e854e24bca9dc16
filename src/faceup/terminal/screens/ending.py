"""How a game ended, and what next."""

from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from faceup.core.record import Result

Next: TypeAlias = Literal["again", "menu", "look"]


class Ending(ModalScreen[Next]):
    """The places and scores; then play again, look at the table, or go back to the menu."""

    DEFAULT_CSS = """
    Ending { align: center middle; }
    Ending Vertical {
        width: auto; min-width: 44; max-width: 76; height: auto; padding: 1 3;
        background: $surface; border: round $accent;
    }
    Ending Static { width: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "answer('again')", "Play again", key_display="N"),
        Binding("l,space,enter", "answer('look')", "Look at the table", key_display="L"),
        Binding("m,escape", "answer('menu')", "Menu", key_display="M"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, result: Result, names: Sequence[str], last: str) -> None:
        super().__init__()
        self._result = result
        self._names = names
        self._last = last

    def compose(self) -> ComposeResult:
        """The last sentence of the game, and a line for each seat, the best first."""
        wide = max(map(len, self._names))
        order = sorted(range(len(self._names)), key=lambda seat: self._result.ranks[seat])
        lines = [Content.styled(self._last, "bold $accent"), Content("")]
        for seat in order:
            rank = self._result.ranks[seat]
            lines.append(
                Content.styled(
                    f"{rank:>2}.  {self._names[seat]:<{wide}}  {self._result.scores[seat]:>4}",
                    "bold" if rank == 1 else "",
                )
            )
        with Vertical() as page:
            page.border_title = "The end"
            yield Static(Content("\n").join(lines))
        yield Footer()

    def action_answer(self, answer: Next) -> None:
        """Go on in this way."""
        self.dismiss(answer)
