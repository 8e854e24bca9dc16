"""Matches of real programs in the arena's protocol, each decision on the clock: as small a referee as will do."""

import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import IO, NamedTuple, Self

from faceup.core import CHANCE, NotLegal, draw, generator, make
from faceup.games.nimmt.codingame import CODINGAME
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, View

PATIENCE = 20.0
"""Seconds after which a program is given up."""


class Answer(NamedTuple):
    """How long a program took, in seconds, and whether it was its first answer."""

    seconds: float
    first: bool


class Program:
    """A program that plays, in a process of its own, which is started when it is first asked."""

    def __init__(self, command: Sequence[str | Path], seat: int, folder: Path | None = None) -> None:
        self.command, self.seat, self.folder = command, seat, folder
        self.answers: list[Answer] = []
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def start(self) -> "subprocess.Popen[bytes]":
        """Start the process, as a user would: it may keep the bytecode of what it imports."""
        if self.process is None:
            environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=environ,
                bufsize=0,
            )
        return self.process

    def ask(self, view: View, *, phase_last: bool = False) -> int:
        """The program's decision.

        The clock runs from before its start, or from before the last byte is written, until a whole line is read.
        """
        first = not self.answers
        lines = [
            *(CODINGAME.write_start(self.seat) if first else []),
            *CODINGAME.write_ask(view, phase_last=phase_last),
        ]
        text = "".join(f"{line}\n" for line in lines).encode()
        start = perf_counter()
        _pipe(self.start().stdin).write(text)
        answer = self._line(start + PATIENCE)
        self.answers.append(Answer(perf_counter() - start, first))
        action = CODINGAME.read_answer(view, answer)
        if action not in view.legal:
            raise NotLegal(f"{answer} is not legal", seat=self.seat, action=action)
        return action

    def end(self) -> tuple[int, str]:
        """Close its input, wait for its end; its exit status, and what it said on standard error."""
        process, self.process = self.process, None
        if process is None:
            return 0, ""
        _pipe(process.stdin).close()
        said = _pipe(process.stderr).read().decode()
        status = process.wait(PATIENCE)
        for pipe in (process.stdout, process.stderr):
            _pipe(pipe).close()
        return status, said

    def _line(self, deadline: float) -> str:
        process, read = self.start(), b""
        pipe = _pipe(process.stdout)
        while not read.endswith(b"\n"):
            if not select.select([pipe], [], [], max(0.0, deadline - perf_counter()))[0]:
                raise TimeoutError(f"no answer in {PATIENCE:.0f} s")
            more = os.read(pipe.fileno(), 1 << 16)
            if not more:
                raise EOFError(f"the program has ended: {_pipe(process.stderr).read().decode()}")
            read += more
        return read.decode().removesuffix("\n")


def play(programs: Sequence[Program], seed: int, *, phase_last: bool = False) -> State:
    """A whole match, decision after decision; the last state."""
    rules = make(CODINGAME.spec)
    assert isinstance(rules, Rules)
    rng, state = generator(seed), rules.start()
    while to_act := rules.to_act(state):
        if to_act == (CHANCE,):
            state, _ = rules.apply(state, draw(rules, state, rng))
            continue
        move = {seat: programs[seat].ask(rules.view(state, seat), phase_last=phase_last) for seat in to_act}
        state, _ = rules.apply(state, move)
    return state


def bot(name: str) -> list[str]:
    """The command of a player of ours."""
    return [sys.executable, "-P", "-m", "faceup", "bot", name, "--codingame"]


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None  # as asked for
    return pipe
