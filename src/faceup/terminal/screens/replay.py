"""A record, stepped through forwards and backwards."""

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from faceup.core import Seat
from faceup.terminal.screens.stage import Stage
from faceup.terminal.story import Story
from faceup.terminal.tempo import Tempo
from faceup.terminal.topline import TopLine


class ReplayScreen(Stage):
    """Shows the frames of a story one by one. Dismissed with "menu".

    Args:
        story: the record's.
        seat: whose eyes it is seen with; None is a spectator.
        tempo: how fast it plays by itself.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,enter", "step(1)", "Step", key_display="←→"),
        Binding("left", "step(-1)", show=False),
        Binding("pagedown", "step(10)", "Ten", key_display="PgUp PgDn"),
        Binding("pageup", "step(-10)", show=False),
        Binding("home", "step(-99999)", "Ends", key_display="Home End"),
        Binding("end", "step(99999)", show=False),
        Binding("space", "run", "Play, stop"),
        Binding("v", "eyes", "Whose view"),
        Binding("escape", "menu", "Back", key_display="Esc"),
    ]

    def __init__(self, story: Story, seat: Seat | None, tempo: Tempo) -> None:
        super().__init__(story.rules, story.names, tempo, attended=False)
        self.story = story
        self.seat = seat
        self.at = 0
        self._playing = False
        self.board.can_focus = False  # the keys are the screen's

    def on_mount(self) -> None:
        """Show the beginning."""
        self._look()

    @property
    def _over(self) -> bool:
        return not self.rules.to_act(self.story.frames[-1].state)

    def _look(self) -> None:
        frames = self.story.frames
        view = self.rules.view(frames[self.at].state, self.seat)
        self.board.show(view)
        self.board.recall(view)
        words = [
            event.words(self.names)
            for frame in frames[: self.at + 1]
            for event in frame.events
            if event.heard_by(self.seat)
        ]
        self.side.retell(words)
        self.side.show_names(self.names, self.board.notes())
        whose = "a spectator" if self.seat is None else self.names[self.seat]
        progress = f"{self.board.progress(view)}  step {self.at} of {len(frames) - 1}, seen by {whose}"
        self.query_one(TopLine).title(f"{self.game.title} · replay", progress.strip())
        self.say_tempo()

    def action_step(self, by: int) -> None:
        """Go so many steps forwards or backwards."""
        self._playing = False
        self._skipped.set()
        self.at = min(max(self.at + by, 0), len(self.story.frames) - 1)
        self._look()

    def action_run(self) -> None:
        """Play on by itself, or stop."""
        self._playing = not self._playing
        if self._playing:
            self._run()
        else:
            self._skipped.set()

    @work(exclusive=True)
    async def _run(self) -> None:
        frames = self.story.frames
        while self._playing and self.at + 1 < len(frames):
            coming = frames[self.at + 1]
            heard = [each for each in coming.events if each.heard_by(self.seat)]
            await self.show_events(heard)
            if not self._playing:
                break
            self.at += 1
            self._look()
            await self.hold(0.5)
        self._playing = False
        self._look()

    def action_eyes(self) -> None:
        """See it as the next seat saw it; of a game that is not over, hands stay hidden."""
        if self._over:
            seats = [None, *range(self.rules.seats)]
            self.seat = seats[(seats.index(self.seat) + 1) % len(seats)]
            self._look()
        else:
            self.notify("This game is not over: hands stay hidden.")
