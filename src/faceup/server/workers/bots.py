"""Worker process for search bots, because compiling or running a search would block the server's event loop.

Each request is one line, `NUMBER SEED BOT POSITION`, where POSITION is a view in text notation. The response is the
line `NUMBER ACTION`, or `NUMBER ERROR` if the bot failed. ERROR is a JSON string with the type and the traceback of the
error, but without its message, which may quote hands. The process ends when its input ends, so that it never outlives
the server.
"""

import asyncio
import sys
from itertools import count

import msgspec

from faceup.bots import policy
from faceup.core import CHANCE, Action, AnyRules, SeededGenerator, View, draw, read, write
from faceup.server.logs import LOG, format_error
from faceup.server.workers.child_process import ChildProcess, set_up


class BotFailedError(RuntimeError):
    """The bot or its worker process failed."""


class BotProcess:
    """The worker process, started on demand and restarted if it has ended."""

    def __init__(self) -> None:
        self._process = ChildProcess("faceup.server.workers.bots")
        self._output: asyncio.StreamReader | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[Action]] = {}
        self._numbers = count()
        self._prepared: set[tuple[str, str]] = set()

    async def choose(self, rules: AnyRules, view: View, bot: str, seed: int) -> Action:
        """Return the bot's choice.

        Raises:
            BotFailedError: the bot or its process failed; the error is in the server's log.
        """
        into, output = await self._process.pipes()
        if output is not self._output:
            self._output = output
            self._reading = asyncio.get_running_loop().create_task(self._read(output))
        number = next(self._numbers)
        answer: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            into.write(f"{number} {seed} {bot} {write(rules, view)}\n".encode())
            return await answer
        finally:
            self._waiting.pop(number, None)

    async def prepare(self, rules: AnyRules, bot: str) -> None:
        """Warm up a bot with one choice at the start of a game, so that its search is compiled.

        Raises:
            BotFailedError: the bot or its process failed; see `choose`.
        """
        if (rules.game, bot) in self._prepared:
            return
        self._prepared.add((rules.game, bot))
        rng, state = SeededGenerator(0), rules.start()
        while rules.to_act(state) == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
        if deciders := rules.to_act(state):
            await self.choose(rules, rules.view(state, deciders[0]), bot, 0)

    async def stop(self) -> None:
        """Kill the process."""
        await self._process.kill()
        if self._reading is not None:
            await self._reading

    async def _read(self, output: asyncio.StreamReader) -> None:
        async for line in output:
            number, response = line.split(maxsplit=1)
            answer = self._waiting.get(int(number))
            if answer is not None and not answer.done():
                if response.startswith(b'"'):
                    LOG.error("a bot failed", extra={"fields": {"error": msgspec.json.decode(response)}})
                    answer.set_exception(BotFailedError("the bot failed"))
                else:
                    answer.set_result(int(response))
        await self._process.wait()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(BotFailedError("the bots' worker process has ended"))


def main() -> None:
    """Answer requests until the input ends."""
    set_up()
    for line in sys.stdin:
        number, seed, bot, position = line.rstrip("\n").split(" ", 3)
        try:
            rules, view = read(position)
            answer = str(policy(rules.game, bot)(rules, view, SeededGenerator(int(seed))))
        except Exception as error:  # noqa: BLE001 -- report any error of a bot and continue
            answer = msgspec.json.encode(format_error(error)).decode()
        print(f"{number} {answer}", flush=True)  # noqa: T201 -- the protocol


if __name__ == "__main__":
    main()
