"""A match of programs under the arena's referee, with the time of every answer and with how every program ended."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from faceup.arena import Bot, Fault, Terms, protocol
from faceup.arena.programs import Program, Programs
from faceup.arena.referee import play_out
from faceup.arena.sitters import Outsider, Table
from faceup.core import Seeded, State, make

PATIENCE = 20.0
"""Seconds for an answer. Whoever asks for the times judges by them; nobody loses its seat for being late."""

TERMS = Terms(first=PATIENCE, turn=PATIENCE, strict=True)


class Answer(NamedTuple):
    """How long a program took, in seconds, and whether it was its first answer."""

    seconds: float
    first: bool


class Played(NamedTuple):
    """A match that was played.

    Attributes:
        state: the last.
        answers: of all programs.
        programs: one for each seat, as they ended.
        faults: of those that broke the terms.
    """

    state: State
    answers: list[Answer]
    programs: list[Program]
    faults: list[Fault]


def bot(name: str) -> tuple[str, ...]:
    """The command of a player of ours."""
    return (sys.executable, "-P", "-m", "faceup", "bot", name, "--codingame")


def play(commands: Sequence[Sequence[str]], seed: int, *, phase_last: bool = False, folder: str = "") -> Played:
    """A whole match of programs, seat by seat, in the arena's protocol."""
    rules = make(TERMS.game)
    table = Table(TERMS, rules, protocol(rules, TERMS.protocol))
    faults: list[Fault] = []
    with Programs(TERMS) as programs:
        sitters = [
            Outsider(
                table,
                programs,
                Bot(f"bot {seat}", tuple(command), folder=folder, phase_last=phase_last),
                None,
                player=seat,
                seat=seat,
                faults=faults,
            )
            for seat, command in enumerate(commands)
        ]
        state = play_out(rules, sitters, Seeded(seed))
        running = [sitter.program for sitter in sitters if sitter.program]
        programs.end(running)
    answers = [Answer(time / 1e6, not number) for sitter in sitters for number, time in enumerate(sitter.times)]
    return Played(state, answers, running, faults)
