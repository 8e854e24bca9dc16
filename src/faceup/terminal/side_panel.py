"""The side panel of a table: seats and game log."""

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from faceup.table.views import TableView
from faceup.terminal.text import fit, shorten, widest
from faceup.terminal.words import text

_LONGEST: Final = 300
"""The maximum number of sentences in the log; the record keeps all events."""


class SeatLine(NamedTuple):
    """The text of a seat: a sign and the sign's style, the name, a note such as the score, and the bot's kind."""

    sign: str
    style: str
    name: str
    note: str
    kind: str

    def full_line(self, width: int, name: int, note: int) -> Content:
        """Return the full line, with the name and the note fitted to these widths in cells, and the kind if it fits."""
        fits = 2 + name + 2 + note + 2 + cell_len(self.kind) <= width
        return Content.assemble(
            (f"{self.sign} ", self.style),
            (f"{fit(self.name, name)}  ", "" if self.kind else "bold"),
            fit(self.note, note),
            (f"  {self.kind}" if fits else "", "$faint"),
        )

    def short_line(self, width: int) -> Content:
        """Return the name and the first word of the note in a line of the given width in cells."""
        note = self.note.split()[0] if self.note else ""
        name = shorten(self.name, width - cell_len(note) - 4)
        line = Content.assemble((f"{self.sign} ", self.style), (f"{name} ", "" if self.kind else "bold"), note)
        return line.pad_right(max(width - line.cell_length, 0))


class Seats(Widget):
    """A line for each seat with its status, name and score; if space is short, a line for every two seats."""

    DEFAULT_CSS = """
    Seats { height: auto; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, skill: bool) -> None:
        super().__init__()
        self._skill = skill
        self._seats: list[SeatLine] = []

    def show(self, table_view: TableView, notes: Sequence[str], asked: int | None) -> None:
        """Show the seats of a view with their notes, and mark the seat that is asked to choose."""
        self._seats = []
        for index, seat in enumerate(table_view.seats):
            sign, style = " ", ""
            if index == asked:
                sign, style = "▸", "bold $accent"
            elif index in table_view.view.to_act:
                sign, style = ("✓", "$success") if seat and seat.chosen else ("…", "")
            name = seat.name if seat else text("seat", number=index + 1)
            bot = seat.kind if seat and seat.kind != "person" and self._skill else ""
            kind = "" if bot in name.lower() else bot
            self._seats.append(SeatLine(sign, style, name, notes[index] if notes else "", kind))
        self.refresh(layout=True)

    def show_names(self, names: Sequence[str], notes: Sequence[str]) -> None:
        """Show only names and notes."""
        self._seats = [SeatLine(" ", "", name, notes[index] if notes else "", "") for index, name in enumerate(names)]
        self.refresh(layout=True)

    def render(self) -> Content:
        """Return the lines of the seats."""
        width = self.content_size.width
        note = widest(seat.note for seat in self._seats)
        name = min(widest(seat.name for seat in self._seats), width - note - 4)  # a long name never hides a score
        room = self.parent.size.height if isinstance(self.parent, Widget) else 0
        if len(self._seats) * 2 <= room or len(self._seats) < 6:
            return Content("\n").join(seat.full_line(width, name, note) for seat in self._seats)
        half = (len(self._seats) + 1) // 2
        lines = [seat.short_line(width // 2) for seat in self._seats]
        pairs = zip(lines[:half], [*lines[half:], Content("")], strict=False)
        return Content("\n").join(Content("").join(pair) for pair in pairs)


class GameLog(VerticalScroll):
    """The game log, one sentence per line, newest last."""

    DEFAULT_CSS = """
    GameLog {
        height: 1fr; padding: 0 1; border-top: solid $panel;
        scrollbar-size-vertical: 1; scrollbar-background: $background; scrollbar-color: $panel;
    }
    """

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self.sentences: deque[str] = deque(maxlen=_LONGEST)
        self._text = Static(markup=False)

    def compose(self) -> ComposeResult:
        """Add the text widget."""
        yield self._text

    def add(self, *sentences: str) -> None:
        """Append sentences and scroll to the end."""
        self.sentences += sentences
        lines = [Content.styled(line, "$foreground-muted") for line in self.sentences]
        if lines:
            lines[-1] = Content(self.sentences[-1])
        self._text.update(Content("\n").join(lines))
        self.scroll_end(animate=False)


class SidePanel(Vertical):
    """The seats above the game log.

    Args:
        skill: whether bots differ in skill, so that their kinds are shown; false in games of pure chance.
    """

    DEFAULT_CSS = """
    SidePanel { width: 1fr; min-width: 28; border-left: solid $panel; }
    """

    def __init__(self, *, skill: bool) -> None:
        super().__init__()
        self._skill = skill

    def compose(self) -> ComposeResult:
        """Add the seats and the log."""
        yield Seats(skill=self._skill)
        yield GameLog()

    def show(self, table_view: TableView, notes: Sequence[str], asked: int | None = None) -> None:
        """Show the seats of a view."""
        self.query_one(Seats).show(table_view, notes, asked)

    def show_names(self, names: Sequence[str], notes: Sequence[str]) -> None:
        """Show only the names and notes of the seats, for moments when no one chooses."""
        self.query_one(Seats).show_names(names, notes)

    def add_to_log(self, *sentences: str) -> None:
        """Append sentences to the log."""
        self.query_one(GameLog).add(*sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return the sentences of the log, newest last."""
        return tuple(self.query_one(GameLog).sentences)

    def replace_log(self, sentences: Sequence[str]) -> None:
        """Replace the contents of the log."""
        log = self.query_one(GameLog)
        log.sentences.clear()
        log.add(*sentences)
