"""Play with a bot program of the arena at a table that another program runs, such as a server or an online site."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Self

import msgspec

from faceup.arena.match.players import ProgramPlayer
from faceup.arena.match.protocols import default_protocol, protocol
from faceup.arena.match.result import Fault
from faceup.arena.match.terms import Bot, MatchTerms
from faceup.arena.process import ProgramRunner
from faceup.core import FORFEIT, Action, AnyRules, Seat, spec


class Bridge:
    """A runner of one bot's programs that starts a new program for each game. An asynchronous context manager.

    A program that breaks the terms is out for the rest of the game. The bridge reports this, but cannot forfeit the
    seat at the table.

    Args:
        terms: limits for the program. Its game and protocol are replaced at each table.
        bot: the bot.
        protocol_name: name of the text protocol; None for each game's default protocol.

    Attributes:
        faults: how the program broke the terms in the current game; empty if it has not.
    """

    def __init__(self, terms: MatchTerms, bot: Bot, protocol_name: str | None) -> None:
        self.faults: list[Fault] = []
        self._terms, self._bot, self._protocol_name = terms, bot, protocol_name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="faceup-bridge")  # for `ProgramRunner`
        self._programs: ProgramRunner | None = None
        self._player: ProgramPlayer | None = None

    async def __aenter__(self) -> Self:
        self._programs = await self._run(lambda: ProgramRunner(self._terms))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._programs is not None:
            await self._run(self._programs.close)
        self._thread.shutdown()

    def start_game(self, rules: AnyRules, seat: Seat) -> None:
        """Start a new game. Raises `Malformed` if the protocol does not support the game's rules."""
        programs = self._programs
        if programs is None:
            raise RuntimeError("a game can start only inside the bridge's context; use `async with`")
        name = self._protocol_name or default_protocol(rules)
        terms = msgspec.structs.replace(self._terms, game=spec(rules), protocol=name)
        self.faults = []
        self._player = ProgramPlayer(
            terms, protocol(rules, name), programs, self._bot, player=0, seat=seat, faults=self.faults
        )

    async def choose(self, rules: AnyRules, view: Any) -> Action | None:  # noqa: ANN401 -- each game has its own
        """Ask the program for its decision, and return the action; None if the program broke the terms."""
        del rules
        player = self._player
        if player is None:
            raise RuntimeError("a program can decide only in a game; call `start_game` first")
        action: Action = await self._run(lambda: player.decide(view))
        return None if action == FORFEIT else action

    async def end(self) -> bytes:
        """End the game and its program, and return what the program wrote to stderr."""
        player, self._player = self._player, None
        program = player.program if player else None
        if program is None or self._programs is None:
            return b""
        programs = self._programs
        await self._run(lambda: programs.end([program]))
        return program.log.content()

    async def _run(self, what: Any) -> Any:  # noqa: ANN401 -- a function without arguments, and its result
        return await asyncio.get_running_loop().run_in_executor(self._thread, what)
