"""The rooms of one process: who asks for one gets it, and what the clock is due to do is done."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from faceup.core import Generator, Malformed, NotYours, Seat, generator
from faceup.core.record import Record
from faceup.server.desk.alarms import Alarms
from faceup.server.desk.connections import Connections
from faceup.server.desk.figures import Figures
from faceup.server.desk.live import LiveRoom
from faceup.server.desk.means import SERVER, Means
from faceup.server.desk.patience import Patience
from faceup.server.desk.refusals import NoTable
from faceup.server.desk.subscription import Subscription
from faceup.server.desk.sweeping import Sweeping
from faceup.server.desk.thinking import Thinking
from faceup.server.desk.turns import Ack
from faceup.server.desk.waking import summary_of, wake_of
from faceup.server.rooms import (
    Close,
    Opening,
    PersonCommand,
    Rematch,
    RoomCommand,
    RoomSight,
    Viewer,
    decide,
    dumps,
    evolve,
    open_room,
    opened,
    rematch_opening,
    require_watching,
    sight_for,
    speaker,
)
from faceup.server.store import Append, Collision, Store, Unavailable, new_code, new_id
from faceup.table import Stale

LONGEST_ID: Final = 64
"""Characters of a command's id."""

_LAST_WORDS: Final = 0.5
"""Seconds that commands which have arrived have at a stop, while others go on to arrive."""
_TURN: Final = 0.05
"""Seconds in which every task of the event loop has its turn."""


class Created(NamedTuple):
    """A new table: its id, and the code by which people find it."""

    table: str
    code: str


class Desk:
    """The face of all tables, for whoever has connections to players. Several desks may share a database.

    Args:
        store: where logs are kept.
        patience: how long what takes.
        clock: milliseconds since 1970; the store's if none is given.
        rng: deals, and plays for bots; the system's secrets if none is given.

    Attributes:
        figures: what happened how often.
    """

    def __init__(
        self,
        store: Store,
        *,
        patience: Patience | None = None,
        clock: Callable[[], int] | None = None,
        rng: Generator | None = None,
    ) -> None:
        self.figures = Figures()
        self._store = store
        self._clock = clock or store.time
        self._rooms: dict[str, LiveRoom] = {}
        self._loading: dict[str, asyncio.Task[LiveRoom]] = {}
        self._means = Means(
            loop=asyncio.get_running_loop(),
            store=store,
            patience=patience or Patience(),
            clock=self._clock,
            rng=rng or generator(None),
            thinking=Thinking(),
            alarms=Alarms(self._clock, LiveRoom.look),
            connections=Connections(store),
            figures=self.figures,
            started=self._clock(),
            alive=frozenset({store.process}),
        )
        self._sweeping = Sweeping(self._means, self._rooms, self._room)
        self._stopped = False

    async def start(self) -> None:
        """Begin to serve. Raises `Unavailable`."""
        self._means.started = self._clock()
        await self._sweeping.start()

    async def stop(self) -> None:
        """Take no more commands, do those that wait, and tell all readers to come back."""
        self._stopped = True
        await self._sweeping.stop()
        self._means.alarms.stop()
        for task in tuple(self._loading.values()):
            with suppress(Exception):
                await task
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                for room in tuple(self._rooms.values()):
                    await room.rest()
        await asyncio.sleep(_TURN)  # whoever asked for what was done is told so, before its stream ends
        for room in tuple(self._rooms.values()):
            room.end()
        for room in tuple(self._rooms.values()):
            await room.rest()
        self._means.alarms.stop()
        await self._means.thinking.stop()

    async def create(
        self, opening: Opening, player: str | None, name: str | None, *, table: str | None = None
    ) -> Created:
        """Open a table.

        Args:
            opening: what will be played.
            player: who opens it, and is its host.
            name: under which that player sits down; None to stay on one's feet.
            table: the id that it is to have; the table that has it already is given back. None is a new one.

        Raises:
            Malformed: the name is none.
            Unavailable: it could not be kept.
        """
        self._require_open()
        entries = opened(opening, player, name, self._means.rng)
        room = evolve(open_room(opening), entries)
        now = self._clock()
        while True:
            if table is not None and (row := await self._store.room(table)) is not None:
                return Created(row.id, row.code)
            made = Created(table or new_id(), new_code())
            append = Append(
                table=made.table,
                seq=0,
                at=0,
                entries=dumps(entries),
                status=room.status,
                wake=wake_of(room, now, self._means.patience),
            )
            with suppress(Collision):
                await self._store.create(
                    append, opened_at=now, listed=opening.listed, code=made.code, summary=summary_of(room)
                )
                self._rooms[made.table] = LiveRoom(self._means, made.table, now, [append])
                return made

    def send(
        self,
        table: str,
        command: RoomCommand,
        *,
        id: str,  # noqa: A002 -- as it is called on the wire
        player: str | None,
        lag: int = 0,
    ) -> asyncio.Future[Ack]:
        """Have a command done, once however often it is sent. The answer comes when it is kept.

        Args:
            table: the table's id.
            command: what is asked.
            id: the command's own, for this player and table; the same again gets the same answer.
            player: who asks; None is the server itself, which may do more.
            lag: milliseconds that the way here takes, as measured by the server.

        Raises:
            NoTable: there is no such table.
            RulesError: the room refuses the command, and is as it was; its `kind` says why.
            StoreError: it could not be kept; if `unknown`, nobody knows.
        """
        if player is not None and not (1 <= len(id) <= LONGEST_ID and id.isprintable()):
            raise Malformed(f"a command's id is 1 to {LONGEST_ID} printable characters", what=id[:80], where="id")
        if (room := self._known(table)) is not None:
            return room.send(command, id, player, lag)
        return asyncio.get_running_loop().create_task(self._send_when_loaded(table, command, id, player, lag))

    async def _send_when_loaded(self, table: str, command: RoomCommand, key: str, player: str | None, lag: int) -> Ack:
        return await (await self._room(table)).send(command, key, player, lag)

    async def watch(self, table: str, player: str | None, after: int | None = None) -> Subscription:
        """Read what the player may know of a table, as it happens: from its seat, or as a spectator.

        Args:
            table: the table's id.
            player: who reads.
            after: the last version that the reader has seen; None, or one that never was, begins with the whole sight.

        Raises:
            NoTable: there is no such table.
            Hidden: nobody may look on at this table.
            StoreError: it could not be read.
        """
        return await (await self._room(table)).watch(player, after)

    def tell_everybody(self, line: bytes) -> None:
        """Give all readers of this process, at whatever table, a line that is not the table's, and has no version."""
        for room in tuple(self._rooms.values()):
            room.put(line)

    async def first(self, table: str, player: str | None) -> bytes:
        """The line with which a player's stream would begin now: `watch` goes on behind it. Raises as that."""
        return (await self._room(table)).first(player)

    async def sight(self, table: str, player: str | None) -> RoomSight:
        """What the player may know of a table now. Raises as `watch`."""
        room, viewer = (await self._room(table)).sight_room(player)
        return sight_for(room, viewer, player)

    async def time(self, table: str, player: str | None) -> int:
        """What time it is at a table for the player, in milliseconds since it was opened. Raises as `watch`."""
        return (await self._room(table)).time(player)

    async def as_whom(
        self, table: str, players: Sequence[str], command: PersonCommand | None = None, seat: Seat | None = None
    ) -> str:
        """Of several ids of one person, the one by which it asks this at the table, as `speaker`.

        Raises:
            NoTable: there is no such table.
            StoreError: it could not be read.
        """
        return speaker((await self._room(table)).room, players, command, seat)

    async def log(self, table: str, player: str | None) -> tuple[bytes, Viewer]:
        """The appends that led to what the player sees of a table now, one a line, and as whom it sees it.

        They hold everybody's secrets: nothing of them leaves but by `past`. Raises as `watch`.
        """
        seen, viewer = (await self._room(table)).sight_room(player)
        require_watching(seen, viewer)
        log = await self._store.read(table)
        return b"\n".join([append.entries for append in log[: seen.version]]), viewer

    async def record(self, table: str) -> Record:
        """The table as a document.

        Raises:
            NoTable: there is no such table.
            NotYours: its game is not over, or never will be.
        """
        room = (await self._room(table)).room
        if room.status != "finished":
            raise NotYours("a table's record can be seen when its game is over")
        return room.table.record

    async def rematch(self, table: str, player: str, *, id: str) -> str:  # noqa: A002 -- as above
        """The table on which the same people play again: a new one, unless somebody has opened it already.

        Raises:
            NoTable: there is no such table.
            NotYours: the game is not over, or the player was not in it.
            StoreError: it could not be kept.
        """
        room = await self._room(table)
        for _ in range(2):
            if room.room.rematch is not None:
                return room.room.rematch
            decide(
                room.room, Rematch(table), player, 0, self._means.rng
            )  # if refused, before one is opened for nothing
            made = await self.create(rematch_opening(room.room), player, None)
            try:
                await room.ask(Rematch(made.table), key=f"{player}:{id}", player=player)
            except Stale:  # somebody was first
                await self.send(made.table, Close("abandoned"), id=f"{SERVER}not-needed", player=None)
        return room.room.rematch or made.table

    def _known(self, table: str) -> LiveRoom | None:
        """The room if it is in memory. Raises `Unavailable` at a stop."""
        self._require_open()
        room = self._rooms.get(table)
        return None if room is None or room.turns.gone else room

    async def _room(self, table: str) -> LiveRoom:
        if (room := self._known(table)) is not None:
            return room
        task = self._loading.get(table)
        if task is None:
            task = self._loading[table] = asyncio.get_running_loop().create_task(self._load(table))
            task.add_done_callback(lambda _: self._loading.pop(table, None))
        return await asyncio.shield(task)

    async def _load(self, table: str) -> LiveRoom:
        row = await self._store.room(table)
        log = await self._store.read(table) if row is not None else []
        if row is None or not log:
            raise NoTable("there is no such table", what=table, where="table")
        room = LiveRoom(self._means, table, row.opened_at, log)
        self._rooms[table] = room
        self.figures.loads += 1
        return room

    def _require_open(self) -> None:
        if self._stopped:
            raise Unavailable("this server is stopping, and takes nothing more; nothing was stored")
