"""All live tables of one process. Rooms are loaded on demand; commands and subscriptions are passed on to them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal, TypeAlias

from sqlalchemy import Connection

from faceup.core import Malformed, RulesError, Seat, WrongSeatError, generator
from faceup.core.record import Record
from faceup.server.live.command_queue import Ack
from faceup.server.live.heartbeat import Heartbeat
from faceup.server.live.new_tables import Created, RematchTable
from faceup.server.live.presence import Connections
from faceup.server.live.process_context import ProcessContext, TraceCommand
from faceup.server.live.room_actor import RoomActor
from faceup.server.live.subscription import Subscription
from faceup.server.live.supervisor import Supervisor
from faceup.server.live.timeouts import Timeouts
from faceup.server.live.timers import TimerQueue
from faceup.server.live.turn_feed import TurnFeed
from faceup.server.live.turns import turns_of
from faceup.server.live.wake_times import table_origin, wake_time
from faceup.server.rooms import Room, Sit, TableConfig, create_entries, decide, dumps, evolve, room_view_for
from faceup.server.rooms.commands import Rematch, RoomCommand
from faceup.server.rooms.decide import rematch_entries
from faceup.server.rooms.entries import EntryBatch
from faceup.server.rooms.errors import RecordWithheldError, SpectatorsOffError, TableNotFoundError
from faceup.server.rooms.room import PlayerIds, Viewer, acting_player, open_room, rematch_config, rematch_id, viewer_of
from faceup.server.rooms.summary import list_summary
from faceup.server.rooms.view import RoomView, require_may_watch
from faceup.server.store import ConflictError, LogRow, Store, TableRow, UnavailableError, new_code, new_id
from faceup.server.workers.bots import Bots
from faceup.server.workers.fair_queue import Owner
from faceup.table.commands import Leave
from faceup.table.errors import StaleCommandError

MAX_COMMAND_ID_LENGTH: Final = 64
"""Maximum number of characters in a command ID."""

_DRAIN_TIMEOUT: Final = 0.5
"""Seconds to wait for running commands when the hub stops. There is a limit because new commands may keep arriving."""
_ENDED_AT_ONCE: Final = 50
"""Number of rooms with streams that end in one round of the event loop when the hub stops."""
_LOOP_ROUND: Final = 0.05
"""Seconds after which every task of the event loop that was ready to run has run."""

Admit: TypeAlias = Callable[[Connection, TableRow], None]
"""Raises an error if a table must not be created. It is called with a connection and the table's row."""


class TableHub:
    """All tables of one process. Several processes may share a database.

    Args:
        store: the log store.
        timeouts: timeouts and limits.
        clock: returns milliseconds since 1970; default: the store's clock.
        trace_command: see `ProcessContext`.
    """

    def __init__(
        self,
        store: Store,
        *,
        timeouts: Timeouts | None = None,
        clock: Callable[[], int] | None = None,
        trace_command: TraceCommand | None = None,
    ) -> None:
        self.store = store
        self._clock = clock or store.now
        self._rooms: dict[str, RoomActor] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        loop, timeouts = asyncio.get_running_loop(), timeouts or Timeouts()
        self.context = ProcessContext(
            loop=loop,
            store=store,
            timeouts=timeouts,
            clock=self._clock,
            rng=generator(None),
            bots=Bots(store.metrics),
            timers=TimerQueue(self._clock, RoomActor.on_timer, lambda room: room.queue.busy),
            connections=Connections(store),
            turn_feed=TurnFeed(store),
            heartbeat=Heartbeat(loop, store, timeouts.stall, lambda *gap: self._supervisor.extend_for_gap(*gap)),  # noqa: PLW0108 -- it is set below
            started=self._clock(),
            trace_command=trace_command,
        )
        self._supervisor = Supervisor(self.context, self._rooms, self._room)
        self._stopped = False

    def now(self) -> int:
        """Return the time in milliseconds since 1970 on the database's clock."""
        return self._clock()

    async def interrupted_at(self) -> int:
        """Return when a server last interrupted the service; see `ProcessContext`. Raises `StoreError`."""
        await self.context.heartbeat.ensure_fresh()  # it finds an interruption that has just ended
        return self.context.interrupted_at

    @property
    def timeouts(self) -> Timeouts:
        """The timeouts and limits of this process."""
        return self.context.timeouts

    @property
    def rooms(self) -> Mapping[str, RoomActor]:
        """The rooms in memory, by table ID."""
        return self._rooms

    @property
    def bots(self) -> Bots:
        """The search bots of this process."""
        return self.context.bots

    @property
    def turn_feed(self) -> TurnFeed:
        """The subscribers of this process to the turns of players."""
        return self.context.turn_feed

    async def start(self) -> None:
        """Start the heartbeat and the periodic tasks. Raises `UnavailableError`."""
        self.context.started = self.context.interrupted_at = self._clock()
        await self._supervisor.start()

    async def stop(self) -> None:
        """Reject new commands, finish those of players and end all subscriptions with the reason `restart`."""
        self._stopped = self.context.stopping = True
        await self._supervisor.stop()
        self.context.timers.stop()
        for task in tuple(self._loading.values()):
            with suppress(Exception):
                await task
        for room in self._rooms.values():
            room.cancel_background_tasks()
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_TIMEOUT):
                await self._drain()
        await asyncio.sleep(_LOOP_ROUND)  # let callers receive their results before their streams end
        self.turn_feed.close()
        for number, room in enumerate(tuple(self._rooms.values())):
            room.end()
            if not number % _ENDED_AT_ONCE:
                await asyncio.sleep(0)  # let the connections of these rooms close meanwhile
        await self._drain()
        if not self.context.heartbeat.is_only_process:
            with suppress(UnavailableError):  # then the other processes notice that this one has ended
                await self.context.connections.flush()
        await self.context.bots.stop()

    async def _drain(self) -> None:
        """Wait until no room is executing commands."""
        for room in [room for room in self._rooms.values() if room.executes]:
            await room.wait_until_idle()

    async def create(
        self,
        config: TableConfig,
        player: str | None,
        name: str | None,
        *,
        face: str = "",
        table: str | None = None,
        source: str = "",
        admit: Admit | None = None,
    ) -> Created:
        """Create a table.

        Args:
            config: the table's settings.
            player: ID of the host; None if the server itself creates the table.
            name: name under which the host takes the first seat; None to take no seat.
            face: the host's face.
            table: ID for the new table. If a table with this ID exists, it is returned. With None, an ID is generated.
            source: a keyed hash of the player's address, which has a share of the bots' thinking time.
            admit: called in the transaction that stores the table, with a connection and the table's row. Errors that
                it raises are passed on, and nothing is stored.

        Raises:
            Malformed: the name is invalid.
            TableDeletedError: a table with this ID was deleted.
            UnavailableError: the table could not be stored.
        """
        entries = create_entries(config, player, name, self.context.rng, face=face)
        return await self.create_from(entries, config, player or "", table=table, source=source, admit=admit)

    async def create_from(
        self,
        entries: EntryBatch,
        config: TableConfig,
        player: str,
        *,
        table: str | None = None,
        source: str = "",
        admit: Admit | None = None,
    ) -> Created:
        """Create a table from its first log entries: an attempt at a daily deal, or a quick match.

        `player` counts as the creator. The other arguments and errors are those of `create`.
        """
        self._require_open()
        owner, now = Owner(source, player), self._clock()
        room = evolve(open_room(config), entries := self.context.with_policy(entries))
        while True:
            if table is not None and (row := await self.store.room(table)) is not None:
                return Created(row.id, row.code)
            created = Created(table or new_id(), new_code())
            append = LogRow(
                table=created.table,
                seq=0,
                at=0,
                entries=dumps(entries),
                status=room.status,
                wake=wake_time(room, now, self.context.timeouts),
                turns=turns_of(room, now),
            )
            with suppress(ConflictError):
                await self.store.create(
                    append,
                    opened_at=now,
                    listed=config.listed,
                    code=created.code,
                    summary=list_summary(room),
                    spectator_delay=config.spectator_delay,
                    origin=table_origin(room, owner.source, owner.player),
                    admit=admit,
                )
                self._rooms[created.table] = RoomActor(self.context, created.table, now, [append], owner)
                if append.turns:
                    self.turn_feed.changed(room.owners)
                return created

    async def leave(self, table: str, player: PlayerIds) -> None:
        """Free the player's seat at a table whose game has not started. Do nothing if there is no such seat."""
        with suppress(RulesError):
            room = await self.room(table)
            if room.status == "pending" and (seat := viewer_of(room, player)) is not None:
                await self.send(table, Leave(seat), id=new_id(), player=player)

    def send(
        self,
        table: str,
        command: RoomCommand,
        *,
        id: str,  # noqa: A002 -- its name in the protocol
        player: PlayerIds | None,
        lag: int = 0,
    ) -> asyncio.Future[Ack]:
        """Apply a command and acknowledge it when it is stored.

        Args:
            table: the table's ID.
            command: the command.
            id: idempotency key of the command for this player and table. A command with a repeated ID is not applied
                again; its result is the result of the first one. Another command with this ID is rejected.
            player: all IDs of the player, or the only one; None is the server, which may send more kinds of commands.
            lag: network delay of the command in milliseconds, as measured by the server.

        Raises:
            TableNotFoundError: there is no such table.
            RulesError: the room rejected the command and is unchanged; `kind` gives the reason.
            StoreError: the command was not stored; or, if `unknown` is set, it may or may not have been stored.
        """
        if player is not None and not (1 <= len(id) <= MAX_COMMAND_ID_LENGTH and id.isprintable()):
            raise Malformed(
                f"a command's id must be 1 to {MAX_COMMAND_ID_LENGTH} printable characters", what=id[:80], where="id"
            )
        if (room := self._known(table)) is not None:
            return room.send(command, id, player, lag)
        return asyncio.get_running_loop().create_task(self._send_when_loaded(table, command, id, player, lag))

    async def _send_when_loaded(self, table: str, what: RoomCommand, key: str, ids: PlayerIds | None, lag: int) -> Ack:
        return await (await self._room(table)).send(what, key, ids, lag)

    async def watch(self, table: str, player: PlayerIds | None, after: int | None = None) -> Subscription:
        """Subscribe to a table as its player or as a spectator.

        Args:
            table: the table's ID.
            player: all IDs of the subscriber, or the only one; None if anonymous.
            after: version of the last message that the subscriber received. With None or an unknown version, the
                stream starts with a snapshot.

        Raises:
            TableNotFoundError: there is no such table.
            SpectatorsOffError: this table does not allow spectators.
            StoreError: the log could not be read.
        """
        while True:
            room = await self._current_room(table)
            reader = await room.watch(player, after)
            if self._known(table) is room:
                return reader
            reader.close()  # the room was evicted meanwhile, so it will send nothing

    async def drop(self, table: str) -> None:
        """Remove a table from memory and end its streams, because it was deleted or its log was rewritten.

        Raises `UnavailableError`; then the table is still in memory.
        """
        if (loading := self._loading.get(table)) is not None:  # it may have read the old log
            await asyncio.wait([loading])
        if table in self._rooms:
            why: Literal["deleted", "resync"] = "deleted" if await self.store.room(table) is None else "resync"
            if (room := self._rooms.pop(table, None)) is not None:
                room.drop(why)

    def broadcast(self, line: bytes) -> None:
        """Send a line without a version to all subscribers of this process, at every table."""
        for room in tuple(self._rooms.values()):
            room.broadcast_line(line)

    async def first_line(self, table: str, player: PlayerIds | None) -> bytes:
        """Return the snapshot line that would start the player's stream. Raises the errors of `watch`."""
        return (await self._current_room(table)).first_line(player)

    async def view(self, table: str, player: PlayerIds | None) -> RoomView:
        """Return what the player can see of a table now. Raises the errors of `watch`."""
        room, viewer = (await self._current_room(table)).room_seen_by(player)
        return room_view_for(room, viewer, player)

    async def time(self, table: str, player: PlayerIds | None) -> int:
        """Return the time that the player sees, in milliseconds since the opening. Raises the errors of `watch`."""
        return (await self._room(table)).time(player)

    async def acting_player(
        self, table: str, players: Sequence[str], command: RoomCommand | None = None, seat: Seat | None = None
    ) -> str:
        """Return the one of a user's player IDs that acts at the table; see `rooms.room.acting_player`.

        Raises:
            TableNotFoundError: there is no such table.
            StoreError: the log could not be read.
        """
        return acting_player((await self._room(table)).room, players, command, seat)

    async def room(self, table: str) -> Room:
        """Return a table's room, with the secrets of all players. Raises `TableNotFoundError`, `StoreError`."""
        return (await self._current_room(table)).room

    async def other_player(self, table: str, players: Sequence[str], seat: Seat) -> tuple[str, str]:
        """Return the ID and the name of the person at a seat, for a player who sits at the same table.

        Raises:
            TableNotFoundError: there is no such table.
            WrongSeatError: the player has no seat, or no other person has this seat.
            StoreError: the log could not be read.
        """
        if viewer_of(room := await self.room(table), players) is None:
            raise WrongSeatError("only the players of a table can report each other")
        other = room.owners[seat] if seat < len(room.owners) else None
        if other is None or other in players:
            raise WrongSeatError("no other person has this seat")
        return other, room.table.names[seat]

    async def log(self, table: str, player: PlayerIds | None) -> tuple[bytes, Viewer]:
        """Return the log up to the version that the player sees, and the player's viewer.

        Each line of the log is a JSON array with the entries of one row. The log contains secrets of all players, so
        pass it to clients only through `backlog_lines`.

        Raises the errors of `watch`. If the table allows no spectators, they get no log after the game, either.
        """
        seen, viewer = (await self._current_room(table)).room_seen_by(player)
        require_may_watch(seen, viewer)
        if viewer is None and seen.config.spectators == "nobody" and seen.status != "pending":
            raise SpectatorsOffError("this table allows no spectators, so only its players get its log")
        log = await self.store.read(table)
        return b"\n".join([append.entries for append in log[: seen.version]]), viewer

    async def record(self, table: str, player: PlayerIds | None = None) -> Record:
        """Return the record of a finished game, as far as the player or, with None, everyone may have it.

        Raises:
            TableNotFoundError: there is no such table.
            WrongSeatError: the game is not finished, or the player is a spectator who, because of the spectator delay,
                has not seen its end yet.
            SpectatorsOffError: the table allows no spectators, and the player had no seat at it.
            RecordWithheldError: the table has a daily deal that others can still play.
        """
        room = await self._finished(table, player)
        if room.daily is not None and self.now() < room.daily.ends_at:
            raise RecordWithheldError(
                "the records of a daily deal are withheld until its day has ended in every time zone"
            )
        if room.config.spectators == "nobody" and room.daily is None and viewer_of(room, player) is None:
            raise SpectatorsOffError("this table allows no spectators, so only its players get its record")
        return room.table.record

    async def own_record(self, table: str, player: PlayerIds | None) -> tuple[Record, Seat]:
        """Return the record of a finished game and the player's seat, also if the record is withheld.

        The record contains secrets of all players, so show the player only the view of this seat.

        Raises:
            TableNotFoundError: there is no such table.
            WrongSeatError: the game is not finished, or the player had no seat in it.
        """
        room = await self._finished(table, player)
        if (seat := viewer_of(room, player)) is None:
            raise WrongSeatError("you had no seat at this table")
        return room.table.record, seat

    async def _finished(self, table: str, player: PlayerIds | None) -> Room:
        """Return the room if the player sees that its game is finished. Raises `WrongSeatError`."""
        room, _ = (await self._current_room(table)).room_seen_by(player)
        if room.status != "finished":
            raise WrongSeatError("the record of a table is not available before its game is finished")
        return room

    async def rematch(
        self,
        table: str,
        player: str,
        id: str,  # noqa: A002 -- its name in the protocol
        *,
        source: str = "",
        admit: Admit | None = None,
    ) -> RematchTable:
        """Return the table of the rematch, which is created if needed, and give the player their seat there.

        The rematch has an ID that depends only on the ID of this table, so players who ask at the same time, even at
        different processes, get the same table. If the rematch was closed, another one is created. A player whose seat
        there is taken or released can watch. `source` and `admit` are as for `create`.

        Raises:
            TableNotFoundError: there is no such table.
            WrongSeatError: the game is not finished, or the player had no seat in it.
            TableDeletedError: the rematch was deleted before all players were notified.
            StoreError: the rematch could not be stored.
        """
        room = (await self._current_room(table)).room
        invited: tuple[str, ...] = (player,)
        linked = room.rematch
        if linked is None or (row := await self.store.room(linked)) is None or row.status == "closed":
            command = Rematch(rematch_id(linked or table), instead=linked)
            # If the rematch is not allowed, this raises before a table is created.
            decide(room, command, player, 0, self.context.rng)
            entries = rematch_entries(room, player, self.context.rng)
            config = rematch_config(room)
            await self.create_from(entries, config, player, table=command.table, source=source, admit=admit)
            with suppress(StaleCommandError):  # another player asked first
                await (await self._room(table)).queue.put(command, id, player, 0)
            invited = tuple(owner for owner in room.owners if owner is not None)
        following = (await self._room(table)).room.rematch or rematch_id(table)
        if player in room.owners and player not in (await self._room(following)).room.owners:
            seat = room.owners.index(player)
            sit = Sit(room.table.names[seat], face=room.faces[seat])
            with suppress(RulesError):
                await self.send(following, sit, id=f"rematch-{id}"[:MAX_COMMAND_ID_LENGTH], player=player)
        return RematchTable(following, invited)

    def _known(self, table: str) -> RoomActor | None:
        """Return the room if it is in memory and not stale. Raises `UnavailableError` after `stop`."""
        self._require_open()
        room = self._rooms.get(table)
        return None if room is None or room.queue.is_stale else room

    async def _room(self, table: str) -> RoomActor:
        """Return the room, which is loaded if needed. It may be evicted while the caller awaits anything else."""
        while (room := self._known(table)) is None:
            task = self._loading.get(table)
            if task is None:
                task = self._loading[table] = asyncio.get_running_loop().create_task(self._load(table))
                task.add_done_callback(lambda _: self._loading.pop(table, None))
            await asyncio.shield(task)  # when this returns, the room may have been evicted again
        return room

    async def _current_room(self, table: str) -> RoomActor:
        """Return the room with all commands that any process has acknowledged.

        So a client reads its own commands at every process. Processes also notify each other of commands, but a
        notification can arrive after the client's next request.
        """
        while True:
            room = await self._room(table)
            if self.context.heartbeat.is_only_process:
                return room
            await room.catch_up()
            if self._known(table) is room:  # otherwise it was evicted
                return room

    async def _load(self, table: str) -> None:
        row = await self.store.room(table)
        log = await self.store.read(table) if row is not None else []
        if row is None or not log:
            raise TableNotFoundError("there is no such table", what=table, where="table")
        owner = Owner(row.origin.source, row.origin.creator)
        self._rooms[table] = RoomActor(self.context, table, row.opened_at, log, owner)
        self.store.metrics.table_loads.inc()

    def _require_open(self) -> None:
        if self._stopped:
            raise UnavailableError("this server is shutting down and accepts no commands; nothing was stored")
