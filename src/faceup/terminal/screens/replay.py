"""The replay screen."""

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from faceup.core import Seat
from faceup.terminal.event_text import event_text
from faceup.terminal.playback import Playback
from faceup.terminal.replay_frames import Replay
from faceup.terminal.screens.game_screen import GameScreen, TopLine
from faceup.terminal.words import game_title, text


class ReplayScreen(GameScreen):
    """The screen that steps through the frames of a replay; it returns "menu" when the player leaves it.

    Args:
        recording: the replay.
        seat: the seat of the replay's point of view; None means a spectator.
        playback: the speed of automatic play.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter", "step(1)", text("key.step"), key_display="←→"),
        Binding("left", "step(-1)", show=False),
        Binding("pagedown", "step(10)", text("key.steps"), key_display="PgUp PgDn"),
        Binding("pageup", "step(-10)", show=False),
        Binding("home", "step(-99999)", text("key.ends"), key_display="Home End"),
        Binding("end", "step(99999)", show=False),
        Binding("space", "run", text("key.run")),
        Binding("v", "change_viewpoint", text("key.viewpoint")),
        Binding("escape", "menu", text("key.back"), key_display="Esc"),
    ]

    def __init__(self, recording: Replay, seat: Seat | None, playback: Playback) -> None:
        super().__init__(recording.rules, recording.names, playback, attended=False)
        self.recording = recording
        self.seat = seat
        self.at = 0
        self._playing = False
        self.board.can_focus = False  # this screen handles all keys, so the board must not receive them

    def on_mount(self) -> None:
        """Show the first frame."""
        self._show_frame()

    @property
    def _over(self) -> bool:
        return not self.rules.to_act(self.recording.frames[-1].state)

    def _show_frame(self) -> None:
        frames = self.recording.frames
        view = self.rules.view(frames[self.at].state, self.seat)
        self.board.show(view)
        self.board.show_last_turn(view)
        words = [
            event_text(self.rules.game, event, self.names)
            for frame in frames[: self.at + 1]
            for event in frame.events
            if event.is_visible_to(self.seat)
        ]
        self.side.replace_log(words)
        self.side.show_names(self.names, self.board.notes())
        viewer = text("replay.spectator") if self.seat is None else self.names[self.seat]
        step = text("replay.step", step=self.at, last=len(frames) - 1, viewer=viewer)
        progress = f"{self.board.progress(view)}  {step}"
        self.query_one(TopLine).title(text("replay.title", game=game_title(self.game)), progress.strip())
        self.show_playback()

    def action_step(self, by: int) -> None:
        """Go a number of steps forwards, or backwards if the number is negative."""
        self._playing = False
        self._skipped.set()
        self.at = min(max(self.at + by, 0), len(self.recording.frames) - 1)
        self._show_frame()

    def action_run(self) -> None:
        """Start or stop automatic play."""
        self._playing = not self._playing
        if self._playing:
            self._run()
        else:
            self._skipped.set()

    @work(exclusive=True)
    async def _run(self) -> None:
        frames = self.recording.frames
        while self._playing and self.at + 1 < len(frames):
            coming = frames[self.at + 1]
            visible = [event for event in coming.events if event.is_visible_to(self.seat)]
            await self.show_events(visible)
            if not self._playing:
                break
            self.at += 1
            self._show_frame()
            await self.hold(0.5)
        self._playing = False
        self._show_frame()

    def action_change_viewpoint(self) -> None:
        """Switch to the next seat's point of view; hands stay hidden unless the game is over."""
        if self._over:
            seats = [None, *range(self.rules.seats)]
            self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
            self._show_frame()
        else:
            self.notify(text("replay.hidden"))
