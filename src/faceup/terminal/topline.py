"""The line at the top of a table: what is played, how far it is, and the clock."""

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

_CELLS = 12
_EIGHTHS = " ▏▎▍▌▋▊▉"
_HURRY = 8000


class TopLine(Horizontal):
    """Left the title, right the clock, or how fast things go where there is none."""

    DEFAULT_CSS = """
    TopLine { height: 1; background: $panel; padding: 0 1; }
    TopLine #title { width: 1fr; }
    TopLine #clock { width: auto; }
    """

    def compose(self) -> ComposeResult:
        """The two ends."""
        yield Static(id="title")
        yield Static(id="clock")

    def title(self, game: str, progress: str) -> None:
        """Say what is played, and how far it is."""
        self.query_one("#title", Static).update(
            Content.assemble((game, "bold $accent"), (f"  {progress}" if progress else "", "$foreground"))
        )

    def status(self, left: int | None, whole: int | None, words: str = "") -> None:
        """Show the time left of the whole, in milliseconds, and a few words about the tempo."""
        parts = [Content.styled(f"{words}  ", "$foreground-muted")] if words else []
        if left is not None and whole is not None:
            parts.append(clock_face(left, whole))
        self.query_one("#clock", Static).update(Content("").join(parts))


def clock_face(left: int, whole: int) -> Content:
    """A bar and the seconds that are left, rounded up.

    >>> clock_face(15000, 30000).plain
    '██████▕ 15 s'
    """
    eighths = round(_CELLS * 8 * min(left, whole) / whole)
    bar = "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()
    style = "bold $error" if left < _HURRY else "$success"
    seconds = f"{-(-left // 1000):>3} s"
    return Content.assemble((bar, style), ("▕", "$faint"), (seconds, "bold" if left < _HURRY else ""))
