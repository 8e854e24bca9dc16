"""What every board is: the part of the screen that shows one game and takes its players' choices."""

from collections.abc import Iterator, Sequence

from textual.containers import Vertical
from textual.message import Message

from faceup.core import Action, AnyRules, Event, View
from faceup.terminal.side import Side


class Board(Vertical):
    """The base of all boards. The director (the screen) tells it what to show; it tells back what was chosen.

    Args:
        rules: what is played.
        names: by seat.
        side: the panel of seats and log, which the board finds a place for.
    """

    DEFAULT_CSS = """
    Board { height: 1fr; }
    """

    class Chosen(Message):
        """A legal action was chosen on the board."""

        def __init__(self, action: Action) -> None:
            super().__init__()
            self.action = action

    class Hint(Message):
        """What the board would say on the prompt line."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    def __init__(self, rules: AnyRules, names: Sequence[str], side: Side) -> None:
        super().__init__()
        self.rules = rules
        self.names = tuple(names)
        self.side = side
        self.legal: tuple[Action, ...] = ()
        self.choice: Action | None = None

    def show(self, view: View) -> None:
        """Show the position as the view has it, without anything to choose."""
        raise NotImplementedError

    def recall(self, view: View) -> None:
        """Show besides what was turned up in the last move: for who looks back, and did not see it happen."""

    def hide(self) -> None:
        """Show nothing any more that only one seat may see: others look at the screen from now on."""

    def show_chosen(self, chosen: Sequence[bool]) -> None:
        """Show which seats have sealed a choice; the side panel does, and boards may."""

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Let one of these be chosen, or nothing if empty; `choice` is what is sealed by now. Returns the prompt."""
        self.legal, self.choice = legal, choice
        return "Choose." if legal else ""

    def play(self, event: Event) -> Iterator[float]:
        """Show an event step by step: before each next step, wait that many seconds; `math.inf` is for a key."""
        del event
        return iter(())

    def notes(self) -> tuple[str, ...]:
        """A few characters for each seat: its score as shown now. Empty if the drawing has the scores."""
        return ()

    def progress(self, view: View) -> str:
        """How far the game is, in a few words for the top line."""
        del view
        return ""

    def secret(self, view: View, public: View) -> bool:
        """Whether a seat's view shows what others must not see; then a curtain falls before and after it."""
        names = [name for name in view.__struct_fields__ if name not in {"seat", "legal"}]
        return any(getattr(view, name) != getattr(public, name) for name in names)
