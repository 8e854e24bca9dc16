"""Matches for tests, with a check for processes that are left."""

import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from faceup.arena import Bot, Match, MatchResult, MatchTerms, Transcript
from faceup.arena.match.referee import Referee
from faceup.arena.process.linux import children_of, read

HOSTILE = Path(__file__).parent / "hostile" / "hostile.py"
LEAN = (sys.executable, "-I", "-S", "-E")
MARK = "FACEUP_ARENA_TEST"
ONE_DEAL = MatchTerms(game="nimmt:arena deals=1")


def program(name: str, *command: str, phase_last: bool = False, alive: bool = False, folder: str = "") -> Bot:
    """Return a bot with a mark in its environment, by which its processes can be found."""
    return Bot(name, command, "", folder, {MARK: uuid4().hex}, phase_last, alive)


def hostile(fault: str, *, alive: bool = False) -> Bot:
    """Return a bot of `hostile.py`."""
    return program(fault, *LEAN, str(HOSTILE), fault, alive=alive)


def builtin(name: str) -> Bot:
    """Return a built-in bot."""
    return Bot(name, player=name)


def play(
    *bots: Bot, terms: MatchTerms = ONE_DEAL, seed: int = 1, block: int = 0, rotation: int = 0
) -> tuple[MatchResult, Transcript]:
    """Play a match and check that no process is left."""
    with Referee(terms, {bot.name: bot for bot in bots}) as referee:
        before = children_of(os.getpid())
        played = referee.play(Match(0, block, tuple(bot.name for bot in bots), rotation), seed)
        assert left_of(bots) == []
        assert set(children_of(os.getpid())) <= set(before)
    return played


def left_of(bots: Iterable[Bot]) -> list[int]:
    """Return the running processes with the mark of one of the bots."""
    marks = [f"{MARK}={bot.environment[MARK]}".encode() for bot in bots if MARK in bot.environment]
    running = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [process for process in running if any(mark in read(f"/proc/{process}/environ") for mark in marks)]


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Keep some cores busy.

    Each process has its own session, because Linux may divide a core among sessions, not among processes.
    """
    spinning = [subprocess.Popen([*LEAN, "-c", "while True: pass"], start_new_session=True) for _ in range(processes)]
    try:
        yield
    finally:
        for process in spinning:
            process.kill()
            process.wait()
