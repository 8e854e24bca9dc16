"""A match of programs under the arena's referee, with the time of every answer and every exit status."""

import sys
from collections.abc import Sequence
from typing import NamedTuple

from faceup.arena import Bot, Fault, MatchTerms, protocol
from faceup.arena.match.players import ProgramPlayer
from faceup.arena.match.referee import play_out
from faceup.arena.process import Program, ProgramRunner
from faceup.core import SeededGenerator, State, make

PATIENCE = 20.0
"""Seconds for an answer. The caller judges the times; no program forfeits for being late."""

TERMS = MatchTerms(first=PATIENCE, turn=PATIENCE, strict=True)


class Answer(NamedTuple):
    """The seconds of an answer, and whether it was the program's first."""

    seconds: float
    first: bool


class Played(NamedTuple):
    """A finished match.

    Attributes:
        state: the final state.
        answers: the answers of all programs.
        programs: the programs by seat, after they have exited.
        faults: violations of the terms.
    """

    state: State
    answers: list[Answer]
    programs: list[Program]
    faults: list[Fault]


def bot(name: str) -> tuple[str, ...]:
    """Return the command of a built-in bot."""
    return (sys.executable, "-P", "-m", "faceup", "bot", name, "--codingame")


def play(commands: Sequence[Sequence[str]], seed: int, *, phase_last: bool = False, folder: str = "") -> Played:
    """Play a complete match of programs, in seat order, in the arena's protocol."""
    rules = make(TERMS.game)
    text_protocol = protocol(rules, TERMS.protocol)
    faults: list[Fault] = []
    with ProgramRunner(TERMS) as programs:
        players = [
            ProgramPlayer(
                TERMS,
                text_protocol,
                programs,
                Bot(f"bot {seat}", tuple(command), folder=folder, phase_last=phase_last),
                player=seat,
                seat=seat,
                faults=faults,
            )
            for seat, command in enumerate(commands)
        ]
        state = play_out(rules, players, SeededGenerator(seed))
        running = [player.program for player in players if player.program]
        programs.end(running)
    answers = [Answer(time / 1e6, not number) for player in players for number, time in enumerate(player.times)]
    return Played(state, answers, running, faults)
