"""The application: which page follows which, what is saved, and how one leaves."""

import asyncio
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize

from faceup.core import Game, RulesError, Seat, generator, list_games
from faceup.terminal.clock import StopClock
from faceup.terminal.saves import list_saved, load_record
from faceup.terminal.screens.home import Home
from faceup.terminal.screens.replay import ReplayScreen
from faceup.terminal.screens.setup import SetupScreen
from faceup.terminal.screens.small import TooSmall, fits
from faceup.terminal.screens.table import TableScreen
from faceup.terminal.session import Session, Told, wall_clock
from faceup.terminal.setting import Setting
from faceup.terminal.story import Story
from faceup.terminal.tempo import Tempo
from faceup.terminal.themes import DARK, LIGHT, usual_theme


class FaceupApp(App[None]):
    """Starts with the menu, with a game, or with a replay.

    Args:
        session: the game to begin with.
        opening: what happened in it on the way to the first decision.
        replay: a record to step through instead, and from which seat; None is a spectator.
        tempo: how fast things are shown; the usual one if not given.
        time: milliseconds from anywhere, for the clocks of tables.
    """

    TITLE = "faceup"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True),
        Binding("d", "look", show=False),
    ]

    def __init__(
        self,
        session: Session | None = None,
        opening: Sequence[Told] = (),
        *,
        replay: tuple[Story, Seat | None] | None = None,
        tempo: Tempo | None = None,
        time: Callable[[], int] = wall_clock,
    ) -> None:
        super().__init__()
        self.session = session
        self.tempo = tempo or Tempo()
        self._opening = opening
        self._time = time
        self._replay = replay
        self._settings: dict[str, Setting] = {}

    def on_mount(self) -> None:
        """Dress, listen to signals, and begin."""
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = usual_theme()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                with suppress(NotImplementedError, RuntimeError):  # Windows has no such thing, nor do tests in threads
                    asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.action_leave)
        self._flow()

    @work
    async def _flow(self) -> None:
        """One page after the other."""
        if self._replay is not None:
            await self.push_screen_wait(ReplayScreen(*self._replay, self.tempo))
            self.exit()
            return
        while True:
            if self.session is None:
                await self._menu()
            else:
                await self._play(self.session, self._opening)

    async def _menu(self) -> None:
        """The first page, and the setting up of a game."""
        pick = await self.push_screen_wait(Home(list_games(), list_saved()))
        if isinstance(pick, Game):
            setting = await self.push_screen_wait(SetupScreen(pick, self._settings.get(pick.name)))
            if setting is not None:
                self._settings[pick.name] = setting
                self.session, self._opening = Session.start(
                    setting.rules(), setting.players(), generator(None), terms=setting.terms()
                )
        else:
            self._resume(pick)

    def _resume(self, path: Path) -> None:
        try:
            self.session, self._opening = Session.resume(load_record(path), generator(None), path=path)
        except RulesError as error:
            self.notify(error.message, title="This game cannot be gone on with", severity="error")

    async def _play(self, session: Session, opening: Sequence[Told]) -> None:
        """A game to its end, or until it is left; it is kept either way."""
        clock = StopClock(self._time)
        session.go_by(clock)
        answer = await self.push_screen_wait(TableScreen(session, opening, clock, self.tempo))
        session.save()
        kept, session.path = session.path, None  # it is this file's now; nobody may write it from here again
        if answer == "again":
            table = session.table
            players = [(player.name, player.kind) for player in table.players if player is not None]
            self.session, self._opening = Session.start(
                table.rules, players, generator(None), terms=table.terms, keep=kept is not None
            )
        else:
            self.session = None

    def action_leave(self) -> None:
        """Save what is being played, and leave."""
        if self.session is not None:
            self.session.save()
        self.exit()

    def action_look(self) -> None:
        """Dark or light."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def on_resize(self, event: Resize) -> None:
        """Say so when there is too little room, and go on when there is enough."""
        small = isinstance(self.screen, TooSmall)
        if fits(event.size) and small:
            self.pop_screen()
        elif not fits(event.size) and not small:
            self.push_screen(TooSmall())


def run_menu() -> None:
    """Start with the menu; say afterwards how to go on with a game that was left."""
    app = FaceupApp()
    _run(app)
    _say_where(app.session)


def run_game(session: Session, opening: Sequence[Told]) -> None:
    """Play a session that was just opened or resumed; the caller saves it, unless the player went on to another.

    Args:
        session: the game.
        opening: what happened on the way to the first decision.
    """
    app = FaceupApp(session, opening)
    _run(app)
    if app.session is not session:
        _say_where(app.session)


def run_replay(story: Story, seat: Seat | None) -> None:
    """Step through a record, as a seat or a spectator (None) saw it."""
    _run(FaceupApp(replay=(story, seat)))


def _run(app: FaceupApp) -> None:
    """Run it; a failure of ours, which it has printed, is exit status 1."""
    try:
        app.run()
    finally:
        if app.session is not None:
            app.session.save()
    if app.return_code:
        raise SystemExit(app.return_code)


def _say_where(session: Session | None) -> None:
    if session is not None and session.path is not None and not session.over:
        print(f"Saved. Go on with: faceup resume {session.path}")  # noqa: T201 -- the application has left the screen
