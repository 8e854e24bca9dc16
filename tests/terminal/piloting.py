"""Starting the application without a screen, and waiting for what it does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from faceup.core import generator, make
from faceup.core.record import Terms
from faceup.terminal.app import FaceupApp
from faceup.terminal.screens.table import TableScreen
from faceup.terminal.session import Session, wall_clock
from faceup.terminal.tempo import Tempo

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
) -> tuple[Session, FaceupApp]:
    """A session of these people and bots for the rest, and the application that will show it, at once."""
    rules = make(spec)
    bot_names = [f"Bot {seat}" for seat in range(len(people), rules.seats)]
    players = [*((name, "person") for name in people), *((name, bots) for name in bot_names)]
    session, told = Session.start(rules, players, generator(seed), terms=terms or Terms(), keep=keep, clock=time)
    return session, FaceupApp(session, told, tempo=Tempo("at once"), time=time)


@asynccontextmanager
async def running(app: FaceupApp, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[None]]:
    """The application, with its first page on the screen."""
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: len(app.screen_stack) > 1)
        yield pilot


class Hand:
    """The hand of a clock, which a test moves."""

    def __init__(self) -> None:
        self.at = 0

    def __call__(self) -> int:
        """The time, in milliseconds."""
        return self.at


async def until(pilot: Pilot[None], holds: Callable[[], object], seconds: float = 20.0) -> None:
    """Wait until it holds; fail if it takes too long."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    while not holds():
        assert loop.time() < end, f"waited {seconds} s in vain on {pilot.app.screen}"
        await pilot.pause(0.01)
    await pilot.pause()


def table_screen(app: FaceupApp) -> TableScreen:
    """The table, wherever it is in the stack."""
    (screen,) = [each for each in app.screen_stack if isinstance(each, TableScreen)]
    return screen


def asked(app: FaceupApp) -> bool:
    """Whether somebody here is asked to choose."""
    return isinstance(app.screen, TableScreen) and bool(app.screen.board.legal)


def shown(app: FaceupApp) -> str:
    """The characters on the screen, line by line."""
    width = app.size.width
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip)[:width] for strip in strips)
