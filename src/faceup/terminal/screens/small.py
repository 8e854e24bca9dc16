"""What stands on a terminal that is too small."""

from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Static

LEAST: Final = Size(80, 22)
"""The smallest terminal that holds a table; 80x24 with two lines to spare for a multiplexer."""


def fits(size: Size) -> bool:
    """Whether a table fits.

    >>> fits(Size(80, 24)), fits(Size(60, 24))
    (True, False)
    """
    return size.width >= LEAST.width and size.height >= LEAST.height


class TooSmall(Screen[None]):
    """Asks for room, and says that nothing is lost; goes away by itself when there is enough."""

    DEFAULT_CSS = """
    TooSmall { align: center middle; }
    TooSmall Static { width: 100%; text-align: center; }
    """

    BINDINGS: ClassVar[list[BindingType]] = []

    def compose(self) -> ComposeResult:
        """How large it is, and how large it should be."""
        yield Static()

    def on_resize(self) -> None:
        """Say it with the size of now."""
        width, height = self.app.size
        self.query_one(Static).update(
            f"A little more room, please.\n\nThis terminal is {width} x {height};\n"
            f"the table needs {LEAST.width} x {LEAST.height}.\n\nThe game waits, its clock too."
        )
