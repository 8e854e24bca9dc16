"""Bots that take their time think in a process of their own, so that nobody who is connected waits for them.

A search is compiled when it is first called, which may take half a minute and stops everything else in its process;
and a process that serves a thousand sockets has no core to spare.
"""

import asyncio
import sys
from contextlib import suppress
from itertools import count
from typing import Final

import msgspec

from faceup.core import CHANCE, Action, AnyRules, Seeded, View, draw, write
from faceup.server.logs import LOG

_COMMAND: Final = (sys.executable, "-m", "faceup.server.beside.thinker")


class NoAnswerError(RuntimeError):
    """The bot failed, or its process did."""


class Thinking:
    """The process, started when it is first needed, and again if it ended."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._waiting: dict[int, asyncio.Future[Action]] = {}
        self._numbers = count()
        self._prepared: set[tuple[str, str]] = set()

    async def choose(self, rules: AnyRules, view: View, bot: str, seed: int) -> Action:
        """What the bot of this name chooses.

        Raises:
            NoAnswerError: it failed; its errors are among the server's.
        """
        process = await self._running()
        number = next(self._numbers)
        answer: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            assert process.stdin is not None  # noqa: S101 -- it was started with a pipe
            process.stdin.write(f"{number} {seed} {bot} {write(rules, view)}\n".encode())
            return await answer
        finally:
            self._waiting.pop(number, None)

    async def prepare(self, rules: AnyRules, bot: str) -> None:
        """Let the bot choose once at the beginning of a game, so that it has loaded all when somebody waits for it.

        Raises:
            NoAnswerError: as `choose`.
        """
        if (rules.game, bot) in self._prepared:
            return
        self._prepared.add((rules.game, bot))
        rng, state = Seeded(0), rules.start()
        while rules.to_act(state) == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
        if deciders := rules.to_act(state):
            await self.choose(rules, rules.view(state, deciders[0]), bot, 0)

    async def stop(self) -> None:
        """End it, whatever it is thinking about."""
        async with self._starting:
            if self._process is not None and self._reading is not None:
                with suppress(ProcessLookupError):
                    self._process.kill()
                await self._process.wait()
                await self._reading
            self._process = None

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                pipe = asyncio.subprocess.PIPE
                self._process = await asyncio.create_subprocess_exec(*_COMMAND, stdin=pipe, stdout=pipe)
                self._reading = asyncio.get_running_loop().create_task(self._read(self._process))
            return self._process

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None  # noqa: S101 -- as above
        async for line in process.stdout:
            number, said = line.split(maxsplit=1)
            answer = self._waiting.get(int(number))
            if answer is not None and not answer.done():
                if said.startswith(b'"'):
                    LOG.error("a bot failed", extra={"fields": {"error": msgspec.json.decode(said)}})
                    answer.set_exception(NoAnswerError("the bot failed"))
                else:
                    answer.set_result(int(said))
        await process.wait()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(NoAnswerError("the process that bots think in has ended"))
