"""Autoplay: bots choose at a human pace, and the server chooses for players who are away."""

import asyncio
import logging
import secrets
from typing import Final

from faceup.bots import is_pure_chance, policy
from faceup.bots.search_policies import Level, SearchPolicy
from faceup.core import Action, Policy, Seat, SeededGenerator
from faceup.core.record import PERSON
from faceup.server.accounts.errors import BusyError
from faceup.server.live.command_queue import CommandQueue
from faceup.server.live.process_context import SERVER, ProcessContext
from faceup.server.live.timers import BackgroundTasks
from faceup.server.live.wake_times import is_autoplayed, is_search_bot
from faceup.server.rooms import Room
from faceup.server.rooms.commands import ChooseForBot
from faceup.server.rooms.daily import choice_seed
from faceup.server.workers.fair_queue import Owner
from faceup.table.commands import Autoplay
from faceup.table.table import Player

_LOG: Final = logging.getLogger(__name__)


FULL_SPEED: Final = 2
"""The number of tables of one owner at which only bots play that run at full speed. More tables share this speed."""


class AutoplayScheduler:
    """A scheduler of the choices for bots and absent players in the open decision of one room.

    Args:
        context: dependencies shared by all rooms of the process.
        queue: the room's command queue.
        background: the room's background tasks.
        table: the table's ID.
        owner: who is responsible for the bots.
    """

    def __init__(
        self, context: ProcessContext, queue: CommandQueue, background: BackgroundTasks, *, table: str, owner: Owner
    ) -> None:
        self._context = context
        self._timeouts = context.timeouts
        self._queue = queue
        self._background = background
        self._table = table
        self._owner = owner
        self._bot_only = False
        self._times: dict[Seat, int] = {}
        self._decision = -1
        self._thinking: set[tuple[int, Seat]] = set()
        self._planned_players: tuple[Player | None, ...] = ()
        self._has_people = False

    def plan(self, room: Room, now: int, *, ours: bool) -> None:
        """Schedule a choice for each seat with a bot or with an absent player.

        Args:
            room: the current room.
            now: milliseconds since the table was opened.
            ours: whether this process is in charge of the choices. If not, it makes only the choices that are still
                missing after `Timeouts.take_over`.
        """
        table = room.table
        if table.players is not self._planned_players:
            self._planned_players = table.players
            self._has_people = bool(room.table.people)
            self._prepare(room)
        running = room.status == "active" and table.paused is None
        self._count(bot_only=running and not self._has_people)
        if not running:
            self._times.clear()
            return
        if table.decision != self._decision:
            self._decision = table.decision
            self._times.clear()
        waiting = [seat for seat in table.waiting if is_autoplayed(room, seat)]
        for seat in [seat for seat in self._times if seat not in waiting]:
            del self._times[seat]
        for seat in waiting:
            if seat not in self._times:
                self._times[seat] = now + (self._random_think_time(room) if ours else self._timeouts.take_over)

    def play(self, now: int) -> None:
        """Choose for the seats that are due. If a seat has no choice after `Timeouts.take_over`, choose again."""
        for seat in [seat for seat, at in self._times.items() if at <= now]:
            self._times[seat] = now + self._timeouts.take_over
            room = self._queue.room
            decision = room.table.decision
            if room.owners[seat] is not None:
                self._queue.post(Autoplay(seat, decision=decision))
            elif (decision, seat) not in self._thinking:
                self._thinking.add((decision, seat))
                self._background.run(self._think(room, seat))

    @property
    def next_at(self) -> int | None:
        """When the next choice is due, in milliseconds since the table was opened; None if none is scheduled."""
        return min(self._times.values(), default=None)

    def _prepare(self, room: Room) -> None:
        """Warm up search bots before the game starts."""
        if room.status not in {"pending", "active"}:
            return
        for kind in {player.kind for player in room.table.players if player is not None and player.kind != PERSON}:
            if is_search_bot(room.table.rules.game, kind):
                self._background.run(self._context.bots.prepare(room.table.rules, kind))

    def stop(self) -> None:
        """Schedule no more choices."""
        self._times.clear()
        self._count(bot_only=False)

    def _count(self, *, bot_only: bool) -> None:
        """Count the room among the tables of its owner at which only bots play, or no longer."""
        if bot_only == self._bot_only:
            return
        self._bot_only = bot_only
        counts, owner = self._context.bot_only_tables, self._owner.source or self._owner.player
        counts[owner] += 1 if bot_only else -1
        if not counts[owner]:
            del counts[owner]

    async def _think(self, room: Room, seat: Seat) -> None:
        table, context = room.table, self._context
        try:
            action = await self._choice(room, seat)
        except Exception as error:  # noqa: BLE001 -- a faulty bot must not stop the table
            if isinstance(error, TimeoutError | BusyError):
                _LOG.warning("the bots of table %s have to wait too long", self._table)
            else:
                _LOG.exception("bot failed in seat %d of table %s", seat, self._table)
            if room.daily is not None:
                return  # the bot tries again
            action = table.autoplay(table.rules, table.rules.view(table.state, seat), context.rng)
        finally:
            self._thinking.discard((table.decision, seat))
        key = f"{SERVER}bot-{table.decision}-{seat}"
        self._queue.post(ChooseForBot(seat, table.rules.describe(action), table.decision), key)

    async def _choice(self, room: Room, seat: Seat) -> Action:
        """Return the choice of the bot in the seat. Raises `TimeoutError`, `BusyError` and the errors of the bot."""
        rules, context = room.table.rules, self._context
        bot, view = bot_of(room, seat), rules.view(room.table.state, seat)
        seed = context.rng.below(2**63) if room.daily is None else choice_seed(room.daily, rules, view)
        if not isinstance(bot, Level | SearchPolicy):
            return bot(rules, view, SeededGenerator(seed))
        async with asyncio.timeout(None if room.daily is not None else self._timeouts.bot / 1000):
            return await context.bots.choose(rules, view, _kind(room, seat), seed, owner=self._owner, table=self._table)

    def _random_think_time(self, room: Room) -> int:
        """Return how long a bot waits before it chooses, in milliseconds.

        In games of pure chance bots choose immediately, so that the players set the pace. If no player is present, bots
        wait even in these games, because the game would otherwise run in a busy loop. Tables at which only bots play
        slow each other down if they have the same owner, because nothing else limits how much they cost.
        """
        deciders = room.table.deciders
        if is_pure_chance(room.table.rules.game) and not all(is_autoplayed(room, seat) for seat in deciders):
            return 0
        least, most = self._timeouts.think_time
        time = least + secrets.randbelow(most - least + 1)
        if self._bot_only:
            tables = self._context.bot_only_tables[self._owner.source or self._owner.player]
            time = time * max(tables, FULL_SPEED) // FULL_SPEED
        return time


def bot_of(room: Room, seat: Seat) -> Policy:
    """Return the policy of the bot in the seat. Raises `Malformed` if there is no bot of this name."""
    return policy(room.table.rules.game, _kind(room, seat))


def _kind(room: Room, seat: Seat) -> str:
    player = room.table.players[seat]
    assert player is not None  # noqa: S101 -- callers pass occupied seats
    return player.kind
