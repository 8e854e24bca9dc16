"""What the boards of games share in which there is one thing to do: throw, or flip."""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from faceup.core import Action
from faceup.terminal.boards.board import Board


class PressBoard(Board, can_focus=True):
    """One key does it: Enter, Space, or a click anywhere on the board."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "press", "Go on", key_display="Enter")]

    def ask(self, legal: tuple[Action, ...], choice: Action | None) -> str:
        """Offer the one action."""
        super().ask(legal, choice)
        if not legal:
            return ""
        return f"Press Enter to {self.rules.describe(legal[0])}; a does it by itself, + and - set the speed."

    async def action_press(self) -> None:
        """Do it; or, when there is nothing to do, skip what is being shown."""
        if self.legal:
            self.post_message(self.Chosen(self.legal[0]))
        else:
            await self.run_action("screen.skip")

    async def on_click(self, event: events.Click) -> None:
        """As the key."""
        event.stop()
        await self.action_press()
