"""The screen on which a game is set up."""

import asyncio
from typing import ClassVar, Final

from rich.cells import cell_len
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
from faceup.terminal.game_setup import GameSetup, SetupOption, check, default_setup
from faceup.terminal.screens.dialogs import RulesDialog
from faceup.terminal.text import fit, shorten
from faceup.terminal.words import game_summary, game_title, text

LABEL: Final = 14
VALUE: Final = 22
"""The widths of the labels and the values, in cells."""

_MORE = "more"


class OptionLine(Widget):
    """A line with an option's label, its value between two clickable arrows, and an explanation."""

    DEFAULT_CSS = """
    OptionLine { height: 1; padding: 0 2; text-wrap: nowrap; text-overflow: ellipsis; }
    OptionLine.-marked { background: $panel; }
    """

    class Turned(Message):
        """The message that the line (0) or one of its arrows (-1 or 1) was clicked."""

        def __init__(self, line: "OptionLine", by: int) -> None:
            super().__init__()
            self.line = line
            self.by = by

    def __init__(self, option: SetupOption) -> None:
        super().__init__()
        self.option = option

    def render(self) -> Content:
        """Return the text of the line."""
        marked = self.has_class("-marked")
        arrow = "bold $accent" if marked else "$faint"
        caret = "▏" if marked and self.option.key.startswith("seat ") else ""
        value = f"{shorten(self.option.value, VALUE - 1)}{caret}"
        return Content.assemble(
            (fit(self.option.label, LABEL), "bold" if marked else "$foreground-muted"),
            ("◂ ", arrow),
            (value, "bold" if marked else ""),
            (fit(" ▸", max(VALUE + 2 - cell_len(value), 3)), arrow),
            (self.option.hint, "$foreground-muted"),
        )

    def on_click(self, event: events.Click) -> None:
        """Report a click on the line or on one of its arrows."""
        left = 2 + LABEL
        right = left + 2 + cell_len(self.option.value)
        by = -1 if left <= event.x <= left + 1 else 1 if right <= event.x <= right + 2 else 0
        self.post_message(self.Turned(self, by))


class SetupScreen(Screen[GameSetup | None]):
    """The screen on which a game is set up; it returns the settings, or None if the player goes back.

    Args:
        game: the game to set up.
        setting: the previous settings of this game, if any.
    """

    DEFAULT_CSS = """
    SetupScreen { align: center middle; }
    SetupScreen > * { max-width: 110; }
    SetupScreen > Footer { max-width: 100%; }
    SetupScreen #title { height: 1; background: $panel; padding: 0 1; color: $accent; text-style: bold; }
    SetupScreen #summary { padding: 1 2; color: $foreground-muted; }
    SetupScreen VerticalScroll { height: auto; max-height: 72%; scrollbar-size-vertical: 1; }
    SetupScreen #state { height: 1; padding: 0 2; background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", text("key.play")),
        Binding("up,shift+tab", "move(-1)", text("key.option"), key_display="↑↓"),
        Binding("down,tab", "move(1)", show=False),
        Binding("left", "turn(-1)", text("key.change"), key_display="←→"),
        Binding("right", "turn(1)", show=False),
        Binding("question_mark", "guide", text("key.rules"), key_display="?"),
        Binding("escape", "back", text("key.back"), key_display="Esc"),
    ]

    def __init__(self, game: Game, setting: GameSetup | None) -> None:
        super().__init__()
        self._game = game
        self.setting = setting or default_setup(game)
        self._marked = 0
        self._unfolded = False
        self._showing = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """Add the title, the options and the status line."""
        yield Static(game_title(self._game), id="title", markup=False)
        yield Static(game_summary(self._game), id="summary", markup=False)
        yield VerticalScroll(can_focus=False)
        yield Static(id="state", markup=False)
        yield Footer(show_command_palette=False)

    def _options(self) -> list[SetupOption]:
        """Return the options of the lines: those that most people use, the line that unfolds the rest, and the rest."""
        more = text("setup.fold" if self._unfolded else "setup.unfold")
        fold = SetupOption(_MORE, text("setup.more"), more, text("setup.more.summary"))
        return [*self.setting.main_options(), fold, *(self.setting.more_options() if self._unfolded else ())]

    async def on_mount(self) -> None:
        """Select the first option."""
        await self._show()

    async def _show(self) -> None:
        # The lock is needed because a key may arrive while lines are still being added.
        async with self._showing:
            await self._fill()

    async def _fill(self) -> None:
        setup_options = self._options()
        page = self.query_one(VerticalScroll)
        lines = list(self.query(OptionLine))
        for line in lines[len(setup_options) :]:
            await line.remove()
        for option in setup_options[len(lines) :]:
            await page.mount(OptionLine(option))
        self._marked = min(self._marked, len(setup_options) - 1)
        for index, (line, option) in enumerate(zip(self.query(OptionLine), setup_options, strict=True)):
            line.option = option
            line.set_class(index == self._marked, "-marked")
            line.refresh()
            if index == self._marked:
                line.scroll_visible(animate=False)
        marked = setup_options[self._marked]
        self.query_one("#state", Static).update(
            check(self.setting) or marked.more or marked.hint or text("setup.start")
        )

    async def action_move(self, by: int) -> None:
        """Select another option."""
        self._marked = (self._marked + by) % len(self._options())
        await self._show()

    async def action_turn(self, by: int) -> None:
        """Change the selected option."""
        option = self._options()[self._marked].key
        if option == _MORE:
            self._unfolded = not self._unfolded
        else:
            self.setting = self.setting.with_step(option, by)
        await self._show()

    async def on_option_line_turned(self, event: OptionLine.Turned) -> None:
        """Select the clicked option and change it if an arrow was clicked."""
        self._marked = list(self.query(OptionLine)).index(event.line)
        await self.action_turn(event.by) if event.by else await self._show()

    async def on_key(self, event: events.Key) -> None:
        """Edit the selected option when the player types a letter, a digit or a backspace."""
        character = "\b" if event.key == "backspace" else event.character or ""
        if (event.is_printable and character != "?") or character == "\b":
            event.stop()
            self.setting = self.setting.with_key(self._options()[self._marked].key, character)
            await self._show()

    def action_start(self) -> None:
        """Start the game if the settings are valid."""
        if not check(self.setting):
            self.dismiss(self.setting)

    def action_guide(self) -> None:
        """Show the rules."""
        self.app.push_screen(RulesDialog(self._game))

    def action_back(self) -> None:
        """Return to the home screen."""
        self.dismiss(None)
