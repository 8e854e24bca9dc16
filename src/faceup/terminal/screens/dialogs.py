"""The dialogs with the rules and keys, a hint and the final result, and the notice that the terminal is too small."""

from collections.abc import Sequence
from typing import ClassVar, Final, Literal, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer, Markdown, Static

from faceup.coach import Hint, ranking
from faceup.core import AnyRules, Game
from faceup.core.record import Result
from faceup.terminal.text import fit, fit_right, widest
from faceup.terminal.words import game_guide, game_title, text
from faceup.translations.environment import environment_language

KEYS: Final = (
    ("select", ""),
    ("choose", ""),
    ("skip", ""),
    ("speed", ""),
    ("auto", "a"),
    ("pause", "p"),
    ("taken", "t"),
    ("hint", "h"),
    ("theme", "d"),
    ("rules", "?"),
    ("menu", "Esc"),
    ("quit", "q, Ctrl-C"),
)
"""What keys do, and those keys that have the same name in all languages."""


def keys_table() -> str:
    """Return what each key does as Markdown."""
    lines = [f"| {text('keys.key')} | {text('keys.effect')} |", "| --- | --- |"]
    lines += [f"| {keys or text(f'keys.{name}.keys')} | {text(f'keys.{name}')} |" for name, keys in KEYS]
    return "\n".join(["", "---", "", f"## {text('keys.title')}", "", *lines, ""])


class RulesDialog(ModalScreen[None]):
    """The game's guide in Markdown, and the keys."""

    DEFAULT_CSS = """
    RulesDialog { align: center middle; }
    RulesDialog VerticalScroll {
        width: 90%; max-width: 96; height: 100%; margin: 1 0 2 0;
        background: $surface; border: round $primary; padding: 0 1; scrollbar-size-vertical: 1;
    }
    RulesDialog Markdown { background: $surface; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,question_mark,q,enter", "dismiss", text("key.back"), key_display="Esc"),
        Binding("down,j", "scroll(1)", text("key.scroll"), key_display="↑↓"),
        Binding("up,k", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll(15)", show=False),
        Binding("pageup", "scroll(-15)", show=False),
    ]

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def compose(self) -> ComposeResult:
        """Add the guide."""
        with VerticalScroll() as page:
            page.border_title = text("rules.title", game=game_title(self._game))
            page.can_focus = False
            yield Markdown(game_guide(self._game) + keys_table())
        yield Footer()

    def action_scroll(self, lines: int) -> None:
        """Scroll by a number of lines."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


_HEAD: Final = ("", *(text(f"hint.{column}") for column in ("heads", "wins", "risk", "cause")))


class HintDialog(ModalScreen[None]):
    """A ranking of the options, and the reason why the first option is the best.

    Args:
        rules: the rules.
        advice: the coach's hint.
        name: the name of the player who asked.
    """

    DEFAULT_CSS = """
    HintDialog { align: center middle; }
    HintDialog Vertical {
        width: 72; height: auto; max-height: 90%; padding: 1 2; background: $surface; border: round $primary;
    }
    HintDialog #why { margin-top: 1; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,h,enter,space,q", "dismiss", text("key.back"), key_display="Esc")
    ]

    def __init__(self, rules: AnyRules, advice: Hint, name: str) -> None:
        super().__init__()
        self._rules = rules
        self._advice = advice
        self._name = name

    def compose(self) -> ComposeResult:
        """Add the table of options and the reason."""
        with Vertical() as page:
            page.border_title = text("hint.title", name=self._name)
            yield Static(self._table())
            yield Static(self._advice.words, id="why", markup=False)
        yield Footer(show_command_palette=False)

    def _table(self) -> Content:
        rows = [_HEAD, *ranking(self._rules, self._advice, language=environment_language())]
        widths = [widest(row[column] for row in rows) for column in range(len(_HEAD))]
        lines = []
        for index, row in enumerate(rows):
            cells = [
                fit(row[0], widths[0]),
                *(fit_right(cell, width) for cell, width in zip(row[1:], widths[1:], strict=True)),
            ]
            style = "$foreground-muted" if index == 0 else "bold $accent" if index == 1 else ""
            lines.append(Content.styled(f"{'▸' if index == 1 else ' '} {'   '.join(cells)}", style))
        return Content("\n").join(lines)


Next: TypeAlias = Literal["again", "menu", "look"]


class GameOverDialog(ModalScreen[Next]):
    """The final places and scores, with a choice to play again, look at the table or return to the menu."""

    DEFAULT_CSS = """
    GameOverDialog { align: center middle; }
    GameOverDialog Vertical {
        width: auto; min-width: 44; max-width: 76; height: auto; padding: 1 3;
        background: $surface; border: round $accent;
    }
    GameOverDialog Static { width: auto; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "answer('again')", text("key.again"), key_display="N"),
        Binding("l,space,enter", "answer('look')", text("key.look"), key_display="L"),
        Binding("m,escape", "answer('menu')", text("key.menu"), key_display="M"),
        Binding("q", "app.leave", text("key.quit")),
    ]

    def __init__(self, result: Result, names: Sequence[str], last: str) -> None:
        super().__init__()
        self._result = result
        self._names = names
        self._last = last

    def compose(self) -> ComposeResult:
        """Add the result, best seat first."""
        wide = min(widest(self._names), 40)
        order = sorted(range(len(self._names)), key=lambda seat: self._result.ranks[seat])
        lines = [Content.styled(self._last, "bold $accent"), Content("")]
        for seat in order:
            rank = self._result.ranks[seat]
            lines.append(
                Content.styled(
                    f"{rank:>2}.  {fit(self._names[seat], wide)}  {self._result.scores[seat]:>4}",
                    "bold" if rank == 1 else "",
                )
            )
        with Vertical() as page:
            page.border_title = text("over.title")
            yield Static(Content("\n").join(lines))
        yield Footer()

    def action_answer(self, answer: Next) -> None:
        """Close the dialog and return the answer to the screen that opened it."""
        self.dismiss(answer)


LEAST: Final = Size(80, 22)
"""The smallest supported terminal: 80x24 minus two lines for a multiplexer."""


def fits(size: Size) -> bool:
    """Return whether a table fits into a terminal of this size.

    >>> fits(Size(80, 24)), fits(Size(60, 24))
    (True, False)
    """
    return size.width >= LEAST.width and size.height >= LEAST.height


class TooSmall(Screen[None]):
    """A notice that the terminal is too small; it closes when the terminal is large enough, and q saves and quits."""

    DEFAULT_CSS = """
    TooSmall { align: center middle; }
    TooSmall Static { width: 100%; text-align: center; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "app.leave", show=False)]

    def compose(self) -> ComposeResult:
        """Add the text."""
        yield Static()

    def on_resize(self) -> None:
        """Show the terminal's current size in the text."""
        width, height = self.app.size
        self.query_one(Static).update(
            text("too_small", width=width, height=height, least_width=LEAST.width, least_height=LEAST.height)
        )
