"""What falls between two hands when several people share a terminal."""

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


class Curtain(Screen[Seat]):
    """Hides the table until the next person is alone with the screen; gives back the seat whose hand to show.

    While it is down the clock stands still: nobody sees a hand. Whoever lifts it has the whole time of a choice.
    Somebody who has chosen already may be let in again, to change their mind, as long as one choice is missing.

    Args:
        seat: who is next.
        names: by seat.
        chosen: the people here who have chosen already.
    """

    DEFAULT_CSS = """
    Curtain { align: center middle; background: $background; }
    Curtain Vertical { width: 60; height: auto; border: round $primary; padding: 1 3; background: $surface; }
    Curtain Static { width: 100%; text-align: center; margin-bottom: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "lift", "Show my hand")]

    def __init__(self, seat: Seat, names: Sequence[str], chosen: Sequence[Seat]) -> None:
        super().__init__()
        self._seat = seat
        self._names = names
        self._chosen = chosen

    def compose(self) -> ComposeResult:
        """To whom the screen goes, and who may change their mind."""
        name = self._names[self._seat]
        with Center(), Vertical() as page:
            page.border_title = "The curtain is down"
            yield Static(Content.assemble("Pass to ", (name, "bold $accent"), "."))
            yield Static(Content.assemble(f"{name}: press ", ("Enter", "bold"), " when nobody else looks."))
            for index, seat in enumerate(self._chosen, 1):
                yield Static(
                    Content.assemble(
                        ("✓ ", "$success"),
                        f"{self._names[seat]} has chosen. To change your mind, press ",
                        (f"{index}", "bold"),
                        ".",
                    )
                )
        yield Footer()

    def action_lift(self) -> None:
        """Let the next person see their hand."""
        self.dismiss(self._seat)

    def on_key(self, event: events.Key) -> None:
        """A digit lets somebody in again."""
        digits = [str(index) for index in range(1, len(self._chosen) + 1)]
        if event.character in digits[:9]:
            event.stop()
            self.dismiss(self._chosen[digits.index(event.character)])
