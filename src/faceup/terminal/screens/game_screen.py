"""The base class of the screens of live tables and replays, with the top line, the prompt and the animation."""

import asyncio
import math
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, Static

from faceup.core import AnyRules, Event, Game, find_game
from faceup.table.events import ChoiceWithdrawn, Chose, DeadlineExtended, SeatTaken
from faceup.terminal.boards import Board, board_for
from faceup.terminal.event_text import event_text
from faceup.terminal.playback import Playback
from faceup.terminal.screens.dialogs import RulesDialog
from faceup.terminal.side_panel import SidePanel
from faceup.terminal.words import text

_CELLS = 12
_EIGHTHS = " ▏▎▍▌▋▊▉"
_SHORT_TIME = 8


class TopLine(Horizontal):
    """The title on the left, and the clock and the playback state on the right."""

    DEFAULT_CSS = """
    TopLine { height: 1; background: $panel; padding: 0 1; }
    TopLine #title { width: 1fr; }
    TopLine #clock { width: auto; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._shown = Content("")

    def compose(self) -> ComposeResult:
        """Add the title and the clock."""
        yield Static(id="title")
        yield Static(id="clock")

    def title(self, game: str, progress: str) -> None:
        """Show the game and its progress."""
        self.query_one("#title", Static).update(
            Content.assemble((game, "bold $accent"), (f"  {progress}" if progress else "", "$foreground"))
        )

    def status(self, left: int | None, total: int | None, words: str = "") -> None:
        """Show the time left and the total in milliseconds, and the playback state."""
        parts = [Content.styled(f"{words}  ", "$foreground-muted")] if words else []
        if left is not None and total is not None:
            parts.append(clock_text(left, total))
        shown = Content("").join(parts)
        if shown != self._shown:  # an update draws the whole screen again
            self._shown = shown
            self.query_one("#clock", Static).update(shown)


def clock_text(left: int, total: int) -> Content:
    """Return the seconds left, rounded up, and a bar that changes with them.

    >>> clock_text(15000, 30000).plain
    '██████▕ 15 s'
    """
    seconds_left = -(-left // 1000)
    eighths = round(_CELLS * 8 * min(seconds_left * 1000, total) / total)
    bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
    style = "bold $error" if seconds_left < _SHORT_TIME else "$success"
    seconds = f"{seconds_left:>3} s"
    return Content.assemble((bar, style), ("▕", "$faint"), (seconds, "bold" if seconds_left < _SHORT_TIME else ""))


NOT_SHOWN: Final = (Chose, ChoiceWithdrawn, DeadlineExtended, SeatTaken)
"""Events that the log leaves out, because the panel with the seats shows them."""

NO_KEY_WAIT: Final = 3.0
"""Seconds that replace the wait for a key if no one plays here."""


class GameScreen(Screen[str]):
    """The top line, a board, a prompt line and a footer.

    Args:
        rules: the rules.
        names: player names by seat.
        playback: the playback speed.
        attended: whether a person plays here, so that steps may wait for a key.
    """

    DEFAULT_CSS = """
    GameScreen { background: $background; align: center middle; }
    GameScreen TopLine, GameScreen Board, GameScreen #prompt { max-width: 112; }
    GameScreen Board { max-height: 38; }
    GameScreen #prompt { height: 1; padding: 0 1; background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "skip", text("key.skip"), key_display="␣"),
        Binding("question_mark", "guide", text("key.rules"), key_display="?"),
        Binding("minus", "playback(-1)", text("key.slower"), key_display="-", show=False),
        Binding("plus,equals_sign", "playback(1)", text("key.faster"), key_display="+/-", show=False),
        Binding("p", "pause", text("key.pause"), show=False),
        Binding("escape", "menu", text("key.menu"), key_display="Esc"),
        Binding("q", "app.leave", text("key.quit")),
    ]

    def __init__(self, rules: AnyRules, names: Sequence[str], playback: Playback, *, attended: bool) -> None:
        super().__init__()
        self.rules = rules
        self.names = tuple(names)
        self.playback = playback
        self.attended = attended
        self.side = SidePanel(skill=bool(self.game.policies))
        self.board: Board = board_for(rules, names, self.side)
        self._skipped = asyncio.Event()
        self._unpaused = asyncio.Event()
        self._unpaused.set()

    @property
    def game(self) -> Game:
        """Return the game."""
        return find_game(self.rules.game)

    def compose(self) -> ComposeResult:
        """Add the parts from top to bottom."""
        yield TopLine()
        yield self.board
        yield Static(id="prompt", markup=False)
        yield Footer(show_command_palette=False)

    def prompt(self, words: str) -> None:
        """Show a prompt."""
        self.query_one("#prompt", Static).update(words)

    def playback_text(self) -> str:
        """Return the playback state as text, without the parts that have their default value."""
        speed = text(f"playback.speed.{self.playback.speed.name}")
        words = [text("playback.speed", speed=speed)] if self.playback.speed.factor != 1 else []
        words += [text("playback.auto")] if self.playback.auto else []
        words += [text("playback.paused")] if self.playback.paused else []
        return " · ".join(words)

    async def show_events(self, events: Sequence[Event]) -> None:
        """Animate events in order until all are shown or skipped."""
        self._skipped.clear()
        for event in events:
            if not isinstance(event, NOT_SHOWN):
                self.side.add_to_log(event_text(self.rules.game, event, self.names))
            for seconds in self.board.play(event):
                self.side.show_names(self.names, self.board.notes())
                await self.hold(seconds)

    async def hold(self, seconds: float) -> None:
        """Wait until the seconds have passed or the player skips; `math.inf` waits for a key if a person plays here."""
        await self._unpaused.wait()
        if seconds == math.inf:
            if self.attended and not self.playback.auto:
                self._skipped.clear()
                self.prompt(text("prompt.continue"))
                await self._skipped.wait()
                self._skipped.clear()
                self.prompt("")
                return
            seconds = NO_KEY_WAIT
        seconds *= self.playback.speed.factor
        if self._skipped.is_set() or not seconds:
            await asyncio.sleep(0)
            return
        try:
            await asyncio.wait_for(self._skipped.wait(), seconds)
        except TimeoutError:
            await self._unpaused.wait()

    def action_skip(self) -> None:
        """Skip the animation."""
        self._skipped.set()

    def action_guide(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesDialog(self.game))

    def action_playback(self, by: int) -> None:
        """Change the playback speed."""
        self.playback.change(by)
        self.show_playback()

    def action_pause(self) -> None:
        """Pause or continue playback."""
        self.playback.paused = not self.playback.paused
        if self.playback.paused:
            self._unpaused.clear()
        else:
            self._unpaused.set()
        self.show_playback()

    def show_playback(self) -> None:
        """Show the changed playback state."""
        self.query_one(TopLine).status(None, None, self.playback_text())

    def action_menu(self) -> None:
        """Return to the menu."""
        self.dismiss("menu")
