"""The base classes of boards, which show a game and let its players choose."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.message import Message

from faceup.core import Action, AnyRules, Event, View
from faceup.terminal.boards.art import BoardWidget
from faceup.terminal.side_panel import SidePanel
from faceup.terminal.words import choice_text, text


class Board(Vertical):
    """The base class of boards. A screen passes positions and events to the board, which posts the player's choices.

    Args:
        rules: the rules.
        names: player names by seat.
        side: the side panel, which the board places in its layout.

    Attributes:
        parts: the widgets that draw the position.
    """

    DEFAULT_CSS = """
    Board { height: 1fr; }
    """

    class Chosen(Message):
        """The message that the player chose a legal action."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    class Hint(Message):
        """The message that the prompt line should show another text."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    def __init__(self, rules: AnyRules, names: Sequence[str], side: SidePanel) -> None:
        super().__init__()
        self.rules = rules
        self.names = tuple(names)
        self.side = side
        self.legal: tuple[Action, ...] = ()
        self.choice: Action | None = None
        self.parts: Sequence[BoardWidget] = ()

    def redraw(self) -> None:
        """Draw all parts again."""
        for part in self.parts:
            part.redraw()

    def pause(self, seconds: float) -> Iterator[float]:
        """Draw a step of an animation, and yield the step's duration in seconds."""
        self.redraw()
        yield seconds

    def show(self, view: View) -> None:
        """Show a position without offering a choice."""
        raise NotImplementedError

    def show_last_turn(self, view: View) -> None:
        """Show the cards revealed in the last move, in addition to a position that is looked back at."""

    def hide(self) -> None:
        """Hide everything that only one seat may see, before another person looks at the screen."""

    def show_chosen(self, chosen: Sequence[bool]) -> None:
        """Show which seats have chosen; boards may leave this out, because the side panel also shows it."""

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Offer the legal actions, if any, and return the prompt; `choice` is the player's current sealed choice."""
        self.legal, self.choice = legal, choice
        return text("board.choose") if legal else ""

    def play(self, event: Event) -> Iterator[float]:
        """Animate an event, and yield after each step the seconds to wait; `math.inf` waits for a key."""
        del event
        return iter(())

    def notes(self) -> tuple[str, ...]:
        """Return a short note for each seat, such as its score, or an empty tuple if the board itself shows scores."""
        return ()

    def progress(self, view: View) -> str:
        """Return the progress of the game as text for the top line, such as "turn 3 of 10"."""
        del view
        return ""

    def secret(self, view: View, public: View) -> bool:
        """Return whether a seat's view shows secrets, so that a hand-over screen must come before it."""
        names = [name for name in view.__struct_fields__ if name not in {"seat", "legal"}]
        return any(getattr(view, name) != getattr(public, name) for name in names)


class SingleActionBoard(Board, can_focus=True):
    """A board with a single action, chosen by Enter, Space or a click."""

    DEFAULT_CSS = """
    SingleActionBoard Horizontal { height: 1fr; }
    SingleActionBoard #middle { width: 1fr; align: center middle; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "press", text("key.continue"), key_display="⏎")]

    def compose(self) -> ComposeResult:
        """Add the board in the middle, and the side panel."""
        with Horizontal():
            with Container(id="middle"):
                yield from self.compose_middle()
            yield self.side

    def compose_middle(self) -> ComposeResult:
        """Add the parts of the board."""
        yield from self.parts

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Offer the action."""
        super().ask(legal, choice)
        if not legal:
            return ""
        return text("board.press", action=choice_text(self.rules, legal[0]))

    async def action_press(self) -> None:
        """Choose the action, or skip the animation if there is no action."""
        if self.legal:
            self.post_message(self.Chosen(self.legal[0]))
        else:
            await self.run_action("screen.skip")

    async def on_click(self, event: events.Click) -> None:
        """Choose the action."""
        event.stop()
        await self.action_press()
