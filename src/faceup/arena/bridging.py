"""A program of the arena at a table that is played elsewhere: asked as a referee asks, held as a referee holds."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import msgspec

from faceup.arena.bots import Bot
from faceup.arena.matches import Fault
from faceup.arena.programs import Programs
from faceup.arena.protocols import protocol, usual_protocol
from faceup.arena.sitters import Outsider, Table
from faceup.arena.terms import Terms
from faceup.core import FORFEIT, Action, AnyRules, Seat, spec


class Bridge:
    """Programs of one bot, a new one for each game. An asynchronous context manager: it leaves none running.

    A program that breaks the terms is out for that game: nobody but the arena's referee can put a forfeit in its place.

    Args:
        terms: what a program may use, and how long it may think; game and protocol are those of each table.
        bot: whose program it is.
        said: the protocol that it speaks; None for the usual one of each game.

    Attributes:
        faults: how the program of the current game broke the terms; empty if it did not.
    """

    def __init__(self, terms: Terms, bot: Bot, said: str | None = None) -> None:
        self.faults: list[Fault] = []
        self._terms, self._bot, self._said = terms, bot, said
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="faceup-bridge")  # one: a referee is made for that
        self._programs: Programs | None = None
        self._sitter: Outsider | None = None

    async def __aenter__(self) -> Self:
        self._programs = await self._run(lambda: Programs(self._terms))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._programs is not None:
            await self._run(self._programs.close)
        self._thread.shutdown()

    def begin(self, rules: AnyRules, seat: Seat) -> None:
        """A new game. Raises `Malformed` if the protocol cannot tell of it."""
        programs = self._programs
        if programs is None:
            raise RuntimeError("a bridge is entered before a game begins")
        name = self._said or usual_protocol(rules)
        terms = msgspec.structs.replace(self._terms, game=spec(rules), protocol=name)
        table = Table(terms, rules, protocol(rules, name))
        self.faults = []
        self._sitter = Outsider(table, programs, self._bot, None, player=0, seat=seat, faults=self.faults)

    async def choose(self, rules: AnyRules, view: Any) -> Action | None:  # noqa: ANN401 -- each game has its own
        """The program's decision; None if it broke the terms."""
        del rules
        sitter = self._sitter
        if sitter is None:
            raise RuntimeError("a game has to begin before anything is chosen")
        action: Action = await self._run(lambda: sitter.decide(view))
        return None if action == FORFEIT else action

    async def end(self) -> bytes:
        """The game is over: let the program say its last words, end it, and give back what it wrote to its log."""
        sitter, self._sitter = self._sitter, None
        program = sitter.program if sitter else None
        if program is None or self._programs is None:
            return b""
        programs = self._programs
        await self._run(lambda: programs.end([program]))
        return program.log.kept()

    async def _run(self, what: Any) -> Any:  # noqa: ANN401 -- a function of nothing, and what it returns
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)
