"""The panel beside a board: who sits where and how they stand, and the story so far in words."""

from collections import deque
from collections.abc import Sequence
from typing import Final, NamedTuple

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from faceup.table import Sight

_LONGEST: Final = 300
"""Sentences that the log keeps; the record keeps them all."""


class SeatLine(NamedTuple):
    """What there is to say of a seat: a sign and its style, the name, a note such as the score, what kind of bot."""

    sign: str
    style: str
    name: str
    note: str
    kind: str

    def whole(self, name: int, note: int) -> Content:
        """All of it, name and note as wide as the widest."""
        return Content.assemble(
            (f"{self.sign} ", self.style),
            (f"{self.name:<{name}}  ", "" if self.kind else "bold"),
            f"{self.note:<{note}}  ",
            (self.kind, "$faint"),
        )

    def short(self, width: int) -> Content:
        """Name and the first word of the note, in so many cells."""
        note = self.note.split()[0] if self.note else ""
        name = self.name[: width - len(note) - 4]
        return Content.assemble(
            (f"{self.sign} ", self.style), (f"{name} ", "" if self.kind else "bold"), f"{note}"
        ).pad_right(max(width - len(name) - len(note) - 3, 0))


class Seats(Widget):
    """A line for each seat: whether it is still choosing, its name, its score; two a line where room is scarce."""

    DEFAULT_CSS = """
    Seats { height: auto; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, skill: bool) -> None:
        super().__init__()
        self._skill = skill
        self._seats: list[SeatLine] = []

    def show(self, sight: Sight, notes: Sequence[str], asked: int | None) -> None:
        """Show the seats as the sight has them, with a note for each, and a mark at the one that is asked."""
        self._seats = []
        for index, seat in enumerate(sight.seats):
            sign, style = " ", ""
            if index == asked:
                sign, style = "▸", "bold $accent"
            elif index in sight.view.to_act:
                sign, style = ("✓", "$success") if seat and seat.chosen else ("…", "")
            name = seat.name if seat else f"Seat {index}"
            bot = seat.kind if seat and seat.kind != "person" and self._skill else ""
            kind = "" if bot in name.lower() else bot
            self._seats.append(SeatLine(sign, style, name, notes[index] if notes else "", kind))
        self.refresh(layout=True)

    def show_names(self, names: Sequence[str], notes: Sequence[str]) -> None:
        """Show names and notes alone."""
        self._seats = [SeatLine(" ", "", name, notes[index] if notes else "", "") for index, name in enumerate(names)]
        self.refresh(layout=True)

    def render(self) -> Content:
        """The lines."""
        name = max((len(seat.name) for seat in self._seats), default=0)
        note = max((len(seat.note) for seat in self._seats), default=0)
        room = self.parent.size.height if isinstance(self.parent, Widget) else 0
        if len(self._seats) * 2 <= room or len(self._seats) < 6:
            return Content("\n").join(seat.whole(name, note) for seat in self._seats)
        half = (len(self._seats) + 1) // 2
        lines = [seat.short(self.size.width // 2) for seat in self._seats]
        pairs = zip(lines[:half], [*lines[half:], Content("")], strict=False)
        return Content("\n").join(Content("").join(pair) for pair in pairs)


class Log(VerticalScroll):
    """What happened, a sentence a line, the newest at the end."""

    DEFAULT_CSS = """
    Log {
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
        """The text."""
        yield self._text

    def tell(self, *sentences: str) -> None:
        """Add to the end, and show it."""
        self.sentences += sentences
        lines = [Content.styled(line, "$foreground-muted") for line in self.sentences]
        if lines:
            lines[-1] = Content(self.sentences[-1])
        self._text.update(Content("\n").join(lines))
        self.scroll_end(animate=False)


class Side(Vertical):
    """Seats above, log below.

    Args:
        skill: whether it makes a difference which bot plays; a game that is all chance has only "the computer".
    """

    DEFAULT_CSS = """
    Side { width: 1fr; min-width: 28; border-left: solid $panel; }
    """

    def __init__(self, *, skill: bool) -> None:
        super().__init__()
        self._skill = skill

    def compose(self) -> ComposeResult:
        """The two parts."""
        yield Seats(skill=self._skill)
        yield Log()

    def show(self, sight: Sight, notes: Sequence[str], asked: int | None = None) -> None:
        """Show how the seats stand."""
        self.query_one(Seats).show(sight, notes, asked)

    def show_names(self, names: Sequence[str], notes: Sequence[str]) -> None:
        """Show names and notes alone, while nobody chooses."""
        self.query_one(Seats).show_names(names, notes)

    def tell(self, *sentences: str) -> None:
        """Add to the log."""
        self.query_one(Log).tell(*sentences)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the log says, the newest last."""
        return tuple(self.query_one(Log).sentences)

    def retell(self, sentences: Sequence[str]) -> None:
        """Begin the log anew with these."""
        log = self.query_one(Log)
        log.sentences.clear()
        log.tell(*sentences)
