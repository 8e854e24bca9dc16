"""Run the app without a screen and wait for its state."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from faceup.core import generator, make
from faceup.core.record import Terms
from faceup.terminal.app import FaceupApp
from faceup.terminal.playback import Playback
from faceup.terminal.screens.table import TableScreen
from faceup.terminal.session import TerminalSession, wall_clock

SEED = 3


def session_of(
    spec: str,
    people: Sequence[str] = ("Ann",),
    bots: str = "random",
    *,
    terms: Terms | None = None,
    keep: bool = False,
    seed: int = SEED,
    time: Callable[[], int] = wall_clock,
) -> tuple[TerminalSession, FaceupApp]:
    """Return a session of humans and bots, and the app for it at instant speed."""
    rules = make(spec)
    bot_names = [f"Bot {seat}" for seat in range(len(people), rules.seats)]
    players = [*((name, "person") for name in people), *((name, bots) for name in bot_names)]
    session, answer = TerminalSession.start(
        rules, players, generator(seed), terms=terms or Terms(), keep=keep, clock=time
    )
    return session, FaceupApp(session, answer, playback=Playback("instant"), time=time)


@asynccontextmanager
async def running(app: FaceupApp, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """Yield the app with its first screen shown."""
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: len(app.screen_stack) > 1)
        yield pilot


class Hand:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = 0

    def __call__(self) -> int:
        """Return the time in milliseconds."""
        return self.at


async def until(pilot: Pilot[None], holds: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until a condition holds; fail after a timeout."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not holds():
        assert loop.time() < end, f"timed out after {seconds} s on {pilot.app.screen}"
        await pilot.pause(0.01)
    await pilot.pause()


def table_screen(app: FaceupApp) -> TableScreen:
    """Return the table screen from the screen stack."""
    (screen,) = [screen for screen in app.screen_stack if isinstance(screen, TableScreen)]
    return screen


def asked(app: FaceupApp) -> bool:
    """Return whether a person is asked to choose."""
    return isinstance(app.screen, TableScreen) and bool(app.screen.board.legal)


def shown(app: FaceupApp) -> str:
    """Return the text on the screen."""
    width = app.size.width
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip)[:width] for strip in strips)
