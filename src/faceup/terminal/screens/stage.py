"""The screen around a board, and how it shows events one by one: what the live table and the replay share."""

import asyncio
import math
from collections.abc import Sequence
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from faceup.core import AnyRules, Event, Game, find_game
from faceup.table import Chose, MoreTime, SatDown, TookBack
from faceup.terminal.boards import Board, board_for
from faceup.terminal.screens.guide import Guide
from faceup.terminal.side import Side
from faceup.terminal.tempo import Tempo
from faceup.terminal.topline import TopLine

UNTOLD: Final = (Chose, TookBack, MoreTime, SatDown)
"""Events that the panel of seats shows, and the log leaves out."""

WATCHED: Final = 3.0
"""Seconds for what would wait for a key, where nobody plays."""


class Stage(Screen[str]):
    """Top line, board, prompt, footer.

    Args:
        rules: what is played.
        names: by seat.
        tempo: how fast things are shown.
        attended: whether a person here may be waited for.
    """

    DEFAULT_CSS = """
    Stage { background: $background; }
    Stage #prompt { height: 1; padding: 0 1; background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "skip", "Skip", key_display="␣"),
        Binding("question_mark", "guide", "Rules", key_display="?"),
        Binding("minus", "tempo(-1)", "Slower", key_display="-", show=False),
        Binding("plus,equals_sign", "tempo(1)", "Faster", key_display="+/-", show=False),
        Binding("p", "pause", "Pause", show=False),
        Binding("escape", "menu", "Menu", key_display="Esc"),
        Binding("q", "app.leave", "Quit"),
    ]

    def __init__(self, rules: AnyRules, names: Sequence[str], tempo: Tempo, *, attended: bool) -> None:
        super().__init__()
        self.rules = rules
        self.names = tuple(names)
        self.tempo = tempo
        self.attended = attended
        self.side = Side(skill=bool(self.game.policies))
        self.board: Board = board_for(rules, names, self.side)
        self._skipped = asyncio.Event()
        self._going = asyncio.Event()
        self._going.set()

    @property
    def game(self) -> Game:
        """What is played, as it registered itself."""
        return find_game(self.rules.game)

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield TopLine()
        yield self.board
        yield Static(id="prompt", markup=False)
        yield Footer(show_command_palette=False)

    def prompt(self, words: str) -> None:
        """Say what is awaited."""
        self.query_one("#prompt", Static).update(words)

    def tempo_words(self) -> str:
        """The tempo, where it is not the usual one."""
        words = [f"speed: {self.tempo.speed.name}"] if self.tempo.speed.factor != 1 else []
        words += ["auto"] if self.tempo.auto else []
        words += ["paused"] if self.tempo.paused else []
        return " · ".join(words)

    async def show_events(self, events: Sequence[Event]) -> None:
        """Show them in order, at the tempo, until they are all shown or skipped."""
        self._skipped.clear()
        for event in events:
            if not isinstance(event, UNTOLD):
                self.side.tell(event.words(self.names))
            for seconds in self.board.play(event):
                self.side.show_names(self.names, self.board.notes())
                await self.hold(seconds)

    async def hold(self, seconds: float) -> None:
        """Wait, unless skipped; for a key if it is `math.inf` and somebody plays here."""
        await self._going.wait()
        if seconds == math.inf:
            if self.attended and not self.tempo.auto:
                self._skipped.clear()
                self.prompt("Press Space to go on.")
                await self._skipped.wait()
                self._skipped.clear()
                self.prompt("")
                return
            seconds = WATCHED
        seconds *= self.tempo.speed.factor
        if self._skipped.is_set() or not seconds:
            await asyncio.sleep(0)
            return
        try:
            await asyncio.wait_for(self._skipped.wait(), seconds)
        except TimeoutError:
            await self._going.wait()

    def action_skip(self) -> None:
        """Show at once what is being shown."""
        self._skipped.set()

    def action_guide(self) -> None:
        """Open the rules."""
        self.app.push_screen(Guide(self.game))

    def action_tempo(self, by: int) -> None:
        """Go faster or slower."""
        self.tempo.change(by)
        self.say_tempo()

    def action_pause(self) -> None:
        """Stop, or go on."""
        self.tempo.paused = not self.tempo.paused
        if self.tempo.paused:
            self._going.clear()
        else:
            self._going.set()
        self.say_tempo()

    def say_tempo(self) -> None:
        """The tempo has changed: say so."""
        self.query_one(TopLine).status(None, None, self.tempo_words())

    def action_menu(self) -> None:
        """Back to the menu."""
        self.dismiss("menu")
