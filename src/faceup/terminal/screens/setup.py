"""The page on which a game is set up, line by line."""

import asyncio
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Static

from faceup.core import Game
from faceup.terminal.screens.guide import Guide
from faceup.terminal.setting import Knob, Setting, check, usual_setting

_LABEL = 14
_VALUE = 22


class Line(Widget):
    """One knob: its label, its value between two arrows that can be clicked, and what it means."""

    DEFAULT_CSS = """
    Line { height: 1; padding: 0 2; }
    Line.-marked { background: $panel; }
    """

    class Turned(Message):
        """A click: on the line (0), or on one of its arrows."""

        def __init__(self, line: "Line", by: int) -> None:
            super().__init__()
            self.line = line
            self.by = by

    def __init__(self, knob: Knob) -> None:
        super().__init__()
        self.knob = knob

    def render(self) -> Content:
        """The line."""
        marked = self.has_class("-marked")
        arrow = "bold $accent" if marked else "$faint"
        caret = "▏" if marked and self.knob.key.startswith("seat ") else ""
        value = f"{self.knob.value}{caret}"
        return Content.assemble(
            (f"{self.knob.label:<{_LABEL}}", "bold" if marked else "$foreground-muted"),
            ("◂ ", arrow),
            (value, "bold" if marked else ""),
            (" ▸".ljust(_VALUE - len(value)), arrow),
            (self.knob.hint, "$foreground-muted"),
        )

    def on_click(self, event: events.Click) -> None:
        """Turn the knob by its arrows."""
        left = 2 + _LABEL
        right = left + 2 + len(self.knob.value)
        by = -1 if left <= event.x <= left + 1 else 1 if right <= event.x <= right + 2 else 0
        self.post_message(self.Turned(self, by))


class SetupScreen(Screen[Setting | None]):
    """Dismissed with the setting to play, or None to go back.

    Args:
        game: what is to be set up.
        setting: the last one, if this game was played before.
    """

    DEFAULT_CSS = """
    SetupScreen #title { height: 1; background: $panel; padding: 0 1; color: $accent; text-style: bold; }
    SetupScreen #summary { padding: 1 2; color: $foreground-muted; }
    SetupScreen VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    SetupScreen #state { height: 1; padding: 0 2; background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Play"),
        Binding("up,shift+tab", "move(-1)", "Line", key_display="↑↓"),
        Binding("down,tab", "move(1)", show=False),
        Binding("left", "turn(-1)", "Change", key_display="←→"),
        Binding("right", "turn(1)", show=False),
        Binding("question_mark", "guide", "Rules", key_display="?"),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, game: Game, setting: Setting | None = None) -> None:
        super().__init__()
        self._game = game
        self.setting = setting or usual_setting(game)
        self._marked = 0
        self._showing = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """The lines between a title and what is wrong, if anything is."""
        yield Static(self._game.title, id="title", markup=False)
        yield Static(self._game.summary, id="summary", markup=False)
        yield VerticalScroll(can_focus=False)
        yield Static(id="state", markup=False)
        yield Footer(show_command_palette=False)

    async def on_mount(self) -> None:
        """Mark the first line."""
        await self._show()

    async def _show(self) -> None:
        # Keys may come while lines are still being added.
        async with self._showing:
            await self._fill()

    async def _fill(self) -> None:
        knobs = self.setting.knobs()
        page = self.query_one(VerticalScroll)
        lines = list(self.query(Line))
        for line in lines[len(knobs) :]:
            await line.remove()
        for knob in knobs[len(lines) :]:
            await page.mount(Line(knob))
        self._marked = min(self._marked, len(knobs) - 1)
        for index, (line, knob) in enumerate(zip(self.query(Line), knobs, strict=True)):
            line.knob = knob
            line.set_class(index == self._marked, "-marked")
            line.refresh()
            if index == self._marked:
                line.scroll_visible(animate=False)
        marked = knobs[self._marked]
        self.query_one("#state", Static).update(check(self.setting) or marked.more or marked.hint or "Enter to play.")

    async def action_move(self, by: int) -> None:
        """Go to another line."""
        self._marked = (self._marked + by) % len(self.setting.knobs())
        await self._show()

    async def action_turn(self, by: int) -> None:
        """Turn the marked knob."""
        self.setting = self.setting.turned(self.setting.knobs()[self._marked].key, by)
        await self._show()

    async def on_line_turned(self, event: Line.Turned) -> None:
        """Mark the clicked line, and turn it by its arrow."""
        self._marked = list(self.query(Line)).index(event.line)
        await self.action_turn(event.by) if event.by else await self._show()

    async def on_key(self, event: events.Key) -> None:
        """Letters and digits go into the marked line."""
        character = "\b" if event.key == "backspace" else event.character or ""
        if (event.is_printable and character != "?") or character == "\b":
            event.stop()
            self.setting = self.setting.typed(self.setting.knobs()[self._marked].key, character)
            await self._show()

    def action_start(self) -> None:
        """Play, if nothing is wrong."""
        if not check(self.setting):
            self.dismiss(self.setting)

    def action_guide(self) -> None:
        """The rules."""
        self.app.push_screen(Guide(self._game))

    def action_back(self) -> None:
        """Back to the first page."""
        self.dismiss(None)
