"""A part of a board: a widget that is as large as what it draws."""

from textual.content import Content
from textual.widget import Widget

from faceup.terminal.boards.cards import SMALL, Look


class Part(Widget):
    """Draws its lines; whoever changes its attributes calls `redraw`.

    Attributes:
        look: the size of its cards or dice.
    """

    DEFAULT_CSS = """
    Part { width: auto; height: auto; }
    """

    look: Look = SMALL

    def lines(self) -> list[Content]:
        """What to draw."""
        raise NotImplementedError

    def render(self) -> Content:
        """The lines as one content."""
        return Content("\n").join(self.lines())

    def redraw(self) -> None:
        """Draw again, in the size that it takes now."""
        self.refresh(layout=True)
