"""The full-screen terminal app, which shows one screen after another, saves games and exits."""

import asyncio
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, TextIO

from textual import work
from textual.app import App
from textual.binding import Binding, BindingType
from textual.events import Resize

from faceup.core import Game, RulesError, Seat, generator, list_games
from faceup.terminal.clock import PausableClock
from faceup.terminal.game_setup import GameSetup
from faceup.terminal.playback import Playback
from faceup.terminal.replay_frames import Replay
from faceup.terminal.saved_games import list_saved, load_record
from faceup.terminal.screens.dialogs import TooSmall, fits
from faceup.terminal.screens.home import HomeScreen
from faceup.terminal.screens.replay import ReplayScreen
from faceup.terminal.screens.setup import SetupScreen
from faceup.terminal.screens.table import TableScreen
from faceup.terminal.session import TerminalSession, TimedEvent, wall_clock
from faceup.terminal.themes import DARK, LIGHT, default_theme
from faceup.terminal.words import message, text


class FaceupApp(App[None]):
    """Show the menu, a game or a replay.

    Args:
        session: the game to start with; None shows the menu.
        opening: the events before the game's first decision.
        replay: a replay to show instead of a game, and the seat of its point of view; None for a seat
            means a spectator.
        playback: the playback speed.
        time: returns the time in milliseconds since a fixed moment.
    """

    TITLE = "faceup"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
        Binding("d", "toggle_theme", show=False),
    ]

    def __init__(
        self,
        session: TerminalSession | None = None,
        opening: Sequence[TimedEvent] = (),
        *,
        replay: tuple[Replay, Seat | None] | None = None,
        playback: Playback | None = None,
        time: Callable[[], int] = wall_clock,
    ) -> None:
        super().__init__()
        self.session = session
        self.playback = playback or Playback()
        self._opening = opening
        self._time = time
        self._replay = replay
        self._settings: dict[str, GameSetup] = {}

    def on_mount(self) -> None:
        """Set the theme, install signal handlers and show the first screen."""
        for theme in (DARK, LIGHT):
            self.register_theme(theme)
        self.theme = default_theme()
        for name in ("SIGINT", "SIGTERM", "SIGHUP"):
            if hasattr(signal, name):
                with suppress(NotImplementedError, RuntimeError):  # impossible on Windows and outside the main thread
                    asyncio.get_running_loop().add_signal_handler(getattr(signal, name), self.action_leave)
        self._flow()

    @work
    async def _flow(self) -> None:
        """Show one screen after another until the player quits."""
        if self._replay is not None:
            await self.push_screen_wait(ReplayScreen(*self._replay, self.playback))
            self.exit()
            return
        while True:
            if self.session is None:
                await self._menu()
            else:
                await self._play(self.session, self._opening)

    async def _menu(self) -> None:
        """Show the home screen and set up or resume a game."""
        pick = await self.push_screen_wait(HomeScreen(list_games(), list_saved()))
        if isinstance(pick, Game):
            setting = await self.push_screen_wait(SetupScreen(pick, self._settings.get(pick.name)))
            if setting is not None:
                self._settings[pick.name] = setting
                self.session, self._opening = TerminalSession.start(
                    setting.rules(), setting.players(), generator(None), terms=setting.terms()
                )
        else:
            self._resume(pick)

    def _resume(self, path: Path) -> None:
        try:
            self.session, self._opening = TerminalSession.resume(load_record(path), generator(None), path=path)
        except RulesError as error:
            self.notify(error.message, title=text("resume.failed"), severity="error")

    async def _play(self, session: TerminalSession, opening: Sequence[TimedEvent]) -> None:
        """Play a game until it ends or the player leaves, then save it."""
        clock = PausableClock(self._time)
        session.set_clock(clock)
        answer = await self.push_screen_wait(TableScreen(session, opening, clock, self.playback))
        session.save()
        saved_path, session.path = session.path, None  # without a path, exit does not save this finished game again
        if answer == "again":
            table = session.table
            players = [(player.name, player.kind) for player in table.players if player is not None]
            self.session, self._opening = TerminalSession.start(
                table.rules, players, generator(None), terms=table.terms, keep=saved_path is not None
            )
        else:
            self.session = None

    def action_leave(self) -> None:
        """Save the game and exit."""
        if self.session is not None:
            self.session.save()
        self.exit()

    def action_toggle_theme(self) -> None:
        """Switch between the dark and the light theme."""
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def on_resize(self, event: Resize) -> None:
        """Show a notice while the terminal is too small."""
        small = isinstance(self.screen, TooSmall)
        if fits(event.size) and small:
            self.pop_screen()
        elif not fits(event.size) and not small:
            self.push_screen(TooSmall())


def run_menu() -> None:
    """Run the app from the menu; at the end, print how to resume a game that was not finished."""
    app = FaceupApp()
    _run(app)
    _print_resume_hint(app.session)


def run_game(session: TerminalSession, opening: Sequence[TimedEvent]) -> None:
    """Run the app with a session. The caller saves the session's game; the app saves later games.

    Args:
        session: the game.
        opening: the events before the first decision.
    """
    app = FaceupApp(session, opening)
    _run(app)
    if app.session is not session:
        _print_resume_hint(app.session)


def run_replay(recording: Replay, seat: Seat | None) -> None:
    """Run the app with a replay, from the point of view of a seat, or of a spectator if `seat` is None."""
    _run(FaceupApp(replay=(recording, seat)))


class _ClosableOutput:
    """The output of a terminal, which discards text that is written after the terminal was closed.

    Textual writes in a thread, which would end with the error. The app would then wait for this thread forever.
    """

    def __init__(self, output: TextIO) -> None:
        self._output = output

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._output.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._output.flush()

    def fileno(self) -> int:
        return self._output.fileno()

    def isatty(self) -> bool:
        return self._output.isatty()


def _run(app: FaceupApp) -> None:
    """Run the app; exit with status 1 after an internal error, which the app has printed."""
    output = vars(sys)["__stderr__"]  # where Textual writes
    vars(sys)["__stderr__"] = _ClosableOutput(output)
    try:
        app.run()
    finally:
        vars(sys)["__stderr__"] = output
        if app.session is not None:
            app.session.save()
    if app.return_code:
        raise SystemExit(app.return_code)


def _print_resume_hint(session: TerminalSession | None) -> None:
    if session is not None and session.path is not None and not session.over:
        print(message("cli.saved.resume", path=session.path))  # noqa: T201 -- the app has closed
