"""The home screen: new games and saved games."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, TypeAlias

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer, OptionList, Static
from textual.widgets.option_list import Option

from faceup.core import Game, RulesError, find_game
from faceup.core.record import Joined
from faceup.terminal.saved_games import load_record
from faceup.terminal.screens.dialogs import RulesDialog
from faceup.terminal.text import fit, widest
from faceup.terminal.words import game_title, message, message_or, text, variant_title

Picked: TypeAlias = Game | Path

TITLE = """\
╭────╮╭────╮╭────╮╭────╮╭────╮╭────╮
│ f  ││ a  ││ c  ││ e  ││ u  ││ p  │
╰────╯╰────╯╰────╯╰────╯╰────╯╰────╯"""


class Menu(OptionList):
    """An option list that shows in the footer which key chooses an option."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", text("key.choose"))]


class HomeScreen(Screen[Picked]):
    """The screen on which a game or a saved game is chosen; it returns the game or the saved game's file.

    Args:
        games: the games to offer.
        saved: the files of saved games, most recently played first.
    """

    DEFAULT_CSS = """
    HomeScreen { align: center middle; }
    HomeScreen Vertical { width: 76; height: auto; }
    HomeScreen #title { width: auto; color: $accent; }
    HomeScreen #motto { width: auto; margin-bottom: 1; color: $foreground-muted; }
    HomeScreen OptionList {
        height: auto; max-height: 14; background: $surface; border: round $panel; padding: 0 1;
        scrollbar-size-vertical: 1; text-wrap: nowrap; text-overflow: ellipsis;
    }
    HomeScreen OptionList:focus { border: round $primary; }
    HomeScreen OptionList > .option-list--option-highlighted,
    HomeScreen OptionList:focus > .option-list--option-highlighted {
        background: $panel; color: $accent; text-style: bold;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "guide", text("key.rules"), key_display="?"),
        Binding("d", "app.toggle_theme", text("key.theme")),
        Binding("q,escape", "app.leave", text("key.quit"), key_display="Q"),
    ]

    def __init__(self, games: Sequence[Game], saved: Sequence[Path]) -> None:
        super().__init__()
        self._games = games
        self._saved = saved
        self._picks: list[Picked] = []

    def compose(self) -> ComposeResult:
        """Add the title and the menu."""
        with Center(), Vertical():
            with Center():
                yield Static(TITLE, id="title", markup=False)
            with Center():
                yield Static(text("motto"), id="motto")
            yield Menu()
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Fill the menu."""
        menu = self.query_one(OptionList)
        wide = widest(map(game_title, self._games))
        for game in self._games:
            self._picks.append(game)
            menu.add_option(
                Option(
                    Content.assemble(
                        (fit(game_title(game), wide), "bold"),
                        "  ",
                        (message_or(f"terminal.game.{game.name}", game.summary), "$foreground-muted"),
                    )
                )
            )
        for index, path in enumerate(self._saved[:8]):
            if index == 0:
                menu.add_option(None)
            self._picks.append(path)
            words = describe_saved(path)
            menu.add_option(Option(Content.assemble((f"{text('resume')}  ", "bold"), (words, "$foreground-muted"))))
        menu.highlighted = 0
        menu.focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._picks[event.option_index])

    def action_guide(self) -> None:
        """Show the rules of the selected game."""
        index = self.query_one(OptionList).highlighted or 0
        pick = self._picks[index]
        if isinstance(pick, Game):
            self.app.push_screen(RulesDialog(pick))


def describe_saved(path: Path) -> str:
    """Return the game, players and date of a saved game as text, or the error in its file."""
    try:
        record = load_record(path)
        game = find_game(record.game)
        variant = game.variant(record.variant)
    except RulesError as error:
        return error.message
    names = [entry.name for entry in record.entries if isinstance(entry, Joined)]
    title = text(
        "line.title",
        game=game_title(game),
        variant=variant_title(game, variant),
        names=message("site.list").join(names),
    )
    return f"{title} ({path.name[:10]})"
