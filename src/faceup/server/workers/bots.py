"""Search bots. Their choices are computed in worker processes, because a search would block the server's event loop."""

from typing import Final

from faceup.core import CHANCE, Action, AnyRules, Malformed, SeededGenerator, View, draw, write
from faceup.server.process.logs import LOG
from faceup.server.process.metrics import Metrics
from faceup.server.workers.fair_queue import SERVER, Owner, QueueBounds
from faceup.server.workers.pool import WorkerFailedError, WorkerPool

_SECONDS: Final = 180.0
"""Time limit of a choice. The first one after an installation compiles the search."""

_IDLE: Final = 1800.0
"""Seconds after the last choice at which the processes are ended. A new process needs seconds to load the search."""

_BOUNDS: Final = QueueBounds(per_player=128, anonymous=128, per_source=512, total=2048)


class BotFailedError(RuntimeError):
    """The bot or its worker process failed."""


class Bots:
    """Search bots that compute their choices in worker processes.

    Args:
        metrics: measures the queue.
    """

    def __init__(self, metrics: Metrics) -> None:
        self.pool = WorkerPool(
            "faceup.server.workers.bot_worker",
            "bots",
            metrics,
            seconds=_SECONDS,
            idle=_IDLE,
            bounds=_BOUNDS,
            warm_up=lambda: tuple(self._prepared.values()),
        )
        self._prepared: dict[tuple[str, str], tuple[object, ...]] = {}

    async def choose(
        self, rules: AnyRules, view: View, bot: str, seed: int, *, owner: Owner = SERVER, table: str = ""
    ) -> Action:
        """Return the bot's choice. If the caller is cancelled, the request leaves the queue.

        Args:
            rules: the rules of the game.
            view: the view of the bot's seat.
            bot: the kind of bot.
            seed: the seed of the bot's random generator.
            owner: who is responsible for the table, as for `FairQueue.enter`.
            table: the table.

        Raises:
            BusyError: too many bots of the owner, or of all owners, are waiting.
            BotFailedError: the bot or its process failed; the error is in the server's log.
        """
        return await self._ask(("choose", bot, write(rules, view), seed), owner, table)

    async def prepare(self, rules: AnyRules, bot: str) -> None:
        """Let a bot choose once at the start of a game, so that its search is compiled and loaded.

        Raises:
            BusyError: too many bots are waiting.
            BotFailedError: the bot or its process failed; see `choose`.
        """
        if (rules.game, bot) in self._prepared and self.pool.is_warm:
            return
        rng, state = SeededGenerator(0), rules.start()
        while rules.to_act(state) == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
        if deciders := rules.to_act(state):
            request = ("choose", bot, write(rules, rules.view(state, deciders[0])), 0)
            self._prepared[rules.game, bot] = request
            await self._ask(request, SERVER, "")

    async def stop(self) -> None:
        """Kill the processes."""
        await self.pool.stop()

    async def _ask(self, request: tuple[object, ...], owner: Owner, table: str) -> Action:
        topic, *arguments = request
        with self.pool.queue.enter(owner, table) as ticket:
            await ticket.wait()
            try:
                return int(await self.pool.call(ticket, str(topic), *arguments))
            except (Malformed, WorkerFailedError) as error:
                LOG.error("a bot failed", extra={"fields": {"error": type(error).__name__}})
                raise BotFailedError("the bot failed") from None
