"""What a process does again and again: say that it is awake, and see to the rooms that are due.

Any process sees to any room, whoever was at it before; the log's numbers keep it from being done twice.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from faceup.core import RulesError
from faceup.server.desk.live import LiveRoom
from faceup.server.desk.means import SERVER, Means
from faceup.server.store import Outage, StoreError, Unavailable

_LOG: Final = logging.getLogger(__name__)

_BEAT: Final = 1.0
_MISSED: Final = 1.25
"""Seconds after which a heartbeat is missing."""
_PULSE: Final = 0.25
_AT_ONCE: Final = 16
"""Rooms that are read at the same time."""

MOST_ROOMS: Final = 2_000
"""Rooms that are kept in memory though nobody watches them."""


class Sweeping:
    """The heartbeat, the sweep, the poll and the watch over the event loop, each a task of its own.

    Args:
        means: of the process.
        rooms: those in memory, by id.
        load: gets a room into memory.
    """

    def __init__(self, means: Means, rooms: dict[str, LiveRoom], load: Callable[[str], Awaitable[LiveRoom]]) -> None:
        self._means = means
        self._rooms = rooms
        self._load = load
        self._tasks: list[asyncio.Task[None]] = []
        self._beating: asyncio.Task[None] | None = None
        self._deaths = True  # what was left behind by those that died before this process was there
        self._gifts = 0
        means.make_sure = self.make_sure

    async def start(self) -> None:
        """Give the first heartbeat, and go on. Raises `Unavailable`."""
        loop = asyncio.get_running_loop()
        self._means.pulse = loop.time()
        await self._beat()
        self._means.store.listen(self._hint)
        patience = self._means.patience
        self._tasks = [
            loop.create_task(self._again_and_again(self._pulse, _PULSE)),
            loop.create_task(self._again_and_again(self._beat, _BEAT)),
            loop.create_task(self._again_and_again(self._sweep, patience.sweep / 1000)),
            loop.create_task(self._again_and_again(self._poll, patience.poll / 1000)),
        ]

    async def stop(self) -> None:
        """Do none of it any more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, *filter(None, [self._beating]), return_exceptions=True)
        self._tasks = []

    async def _again_and_again(self, work: Callable[[], Awaitable[None]], seconds: float) -> None:
        trouble = False
        while True:
            await asyncio.sleep(seconds)
            try:
                await work()
                trouble = False
            except StoreError as error:
                if not trouble:  # once, and not again every second
                    _LOG.warning("%s", error.message)
                trouble = True
            except Exception:  # noqa: BLE001 -- it is said where somebody looks, and the next time may be better
                _LOG.exception("a sweep failed")

    # The heartbeat.

    async def make_sure(self) -> None:
        """Give a heartbeat now, and with it find out whether nobody was awake. Raises `StoreError`."""
        self._notice()
        if self._beating is None or self._beating.done():
            self._beating = asyncio.get_running_loop().create_task(self._felt())
        await asyncio.shield(self._beating)  # others may wait for the same

    async def _felt(self) -> None:
        means, begun = self._means, asyncio.get_running_loop().time()
        try:
            beat = await means.store.beat()
        except Unavailable:
            means.unheard = True
            raise
        alive = frozenset((*beat.alive, means.store.process))
        self._deaths = self._deaths or alive != means.alive
        means.alive = alive
        means.outages = beat.outages
        if means.unheard and begun - means.beaten > _MISSED and not beat.outages:
            # It was too short for an outage, or others were awake, and here nobody could choose all the same.
            self._give_back(round(1000 * (begun - means.beaten)), "unheard")
        means.unheard = False
        means.beaten = begun

    async def _beat(self) -> None:
        await self.make_sure()
        await self._means.connections.flush()
        self._forget()

    def _forget(self) -> None:
        """Put rooms out of memory that nobody needs here."""
        old = asyncio.get_running_loop().time() - self._means.patience.remember / 1000
        idle = [room for room in self._rooms.values() if not room.busy]
        idle.sort(key=lambda room: room.idle_since)
        for number, room in enumerate(idle):
            if room.turns.gone or len(idle) - number > MOST_ROOMS or (room.idle_since < old and not room.waits):
                room.end()
                del self._rooms[room.table]

    # The sweep.

    async def _sweep(self) -> None:
        for outage in self._means.outages:
            await self._make_up(outage)
        self._means.outages = ()
        if self._deaths:
            await self._bury()
            self._deaths = False
        due = await self._means.store.due(self._means.clock())
        await self._at_once(self._see_to(row.id, row.seq) for row in due)

    async def _see_to(self, table: str, seq: int) -> None:
        room = self._rooms.get(table)
        if room is None:
            self._means.figures.taken_over += 1
            room = await self._load(table)
        elif room.turns.seq < seq:
            room.turns.read_on()
        await room.tidy()

    async def _make_up(self, outage: Outage) -> None:
        """Move all deadlines that were open while nobody was awake. Whatever fails is tried again.

        A table that somebody asks something of before its turn comes has its deadline moved then: see `Turns`.
        """
        after = ""
        while rows := await self._means.store.waiting(after):
            active = [row.id for row in rows if row.status == "active"]
            key = f"{SERVER}{outage.id}"
            await self._at_once(self._give(table, outage.length, key, outage.end) for table in active)
            after = rows[-1].id
        await self._means.store.outage_done(outage)

    async def _bury(self) -> None:
        """Give seats that were connected to a process which is dead the time to connect to another."""
        means = self._means
        for process, tables in (await means.connections.left_behind(means.alive)).items():
            now, key = means.clock(), f"{SERVER}death-{process}"
            await self._at_once(self._give(table, means.patience.reconnect, key, now) for table in tables)
            await means.connections.forget(process)

    async def _give(self, table: str, more: int, key: str, before: int) -> None:
        room = await self._load(table)
        if (moved := room.deadline.extend(more, key, before)) is not None:
            await moved

    async def _at_once(self, work: "Iterable[Awaitable[None]]") -> None:
        """Do all of it, some at a time; what a room refuses is not needed any more."""
        few = asyncio.Semaphore(_AT_ONCE)

        async def one(each: Awaitable[None]) -> None:
            async with few:
                try:
                    await each
                except RulesError as error:
                    _LOG.info("%s", error.message)

        await asyncio.gather(*(one(each) for each in work))

    # What others have appended.

    async def _poll(self) -> None:
        """Read on where another process was, for rooms that are watched here."""
        if self._means.alone:
            return
        watched = [room.table for room in self._rooms.values() if room.watched]
        if not watched:
            return
        for table, seq in (await self._means.store.lengths(watched)).items():
            self._hint(table, seq)

    def _hint(self, table: str, seq: int) -> None:
        """Somebody says that a table's log goes as far as this."""
        room = self._rooms.get(table)
        if room is not None and room.turns.seq < seq:
            room.turns.read_on()

    # The event loop.

    async def _pulse(self) -> None:
        self._notice()
        self._means.alarms.look()

    def _notice(self) -> None:
        """Notice when this process has stood still, and give the time back to whoever was to choose."""
        loop, means = asyncio.get_running_loop(), self._means
        still = round(1000 * (loop.time() - means.pulse - _PULSE))
        means.pulse = loop.time()
        if still >= means.patience.stall:
            _LOG.warning("this process has stood still for %d ms", still)
            self._give_back(still, "stall")

    def _give_back(self, by: int, why: str) -> None:
        """Move all deadlines that ran so long ago already."""
        self._gifts += 1
        key = f"{SERVER}{why}-{self._means.store.process}-{self._gifts}"
        for room in tuple(self._rooms.values()):
            room.deadline.extend(by, key, self._means.clock() - by)
