"""Presence: which players count as present or have lost their connection, and the list of seats of each process.

Each process writes its connections to this list in the database: at once while other processes are alive, else once a
second. It reads those of other processes before a deadline expires, a player is marked away or a connection is shown as
lost, and once a second for the tables that several people play at.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import sqlalchemy as sa

from faceup.core import Seat
from faceup.server.live.subscriptions import Subscriptions
from faceup.server.live.timeouts import SECOND, Timeouts
from faceup.server.rooms import Room
from faceup.server.store import Store
from faceup.server.store.queries import is_one_of
from faceup.server.store.schema import connections, rooms
from faceup.table.fair_round import awaited_seats


class Presence:
    """The grace periods of one room: how long a player without a connection to this process counts as present.

    A silent connection counts as none, because the device of its player sleeps or has lost its network.

    Args:
        streams: the subscriptions of the room in this process.
        timeouts: timeouts of the server.
        reconnected_by: the time until which players can connect who were connected before this process loaded the
            room, in milliseconds since the table was opened.
    """

    def __init__(self, streams: Subscriptions, timeouts: Timeouts, reconnected_by: int) -> None:
        self._streams = streams
        self._timeouts = timeouts
        self._reconnected_by = reconnected_by
        self._connected: set[Seat] = set()
        self._until: dict[Seat, int] = {}

    def update(self, room: Room, now: int) -> None:
        """Start the grace periods of players who have disconnected, and end those of players who are connected."""
        present = attended_seats(room) if room.status in {"pending", "active"} else ()
        if not present and not self._until:
            self._connected.clear()
            return
        for seat in tuple(self._until):
            if seat not in present or self._streams.responsive(seat):
                del self._until[seat]
        self._connected.intersection_update(present)
        for seat in present:
            if self._streams.responsive(seat):
                self._connected.add(seat)
            # Not restarted while it runs, or every update of the room would extend it.
            elif seat not in self._until:
                until = now + self._grace(room)
                waits = room.fills_at is not None and seat not in self._connected
                self._until[seat] = max(until, self._reconnected_by) if waits else until

    def is_waiting_for(self, seat: Seat) -> bool:
        """Return whether the seat is in its grace period, so that its player counts as present without a connection."""
        return seat in self._until

    def touch(self, room: Room, seat: Seat, now: int) -> None:
        """Restart the grace period of a player without a connection, because this player has sent a command."""
        if seat in self._until:
            self._until[seat] = now + max(self._timeouts.request_grace, self._grace(room))

    def extend_grace(self, seat: Seat, until: int) -> None:
        """Extend the grace period of a seat to the time `until`, in milliseconds since the table was opened."""
        if seat in self._until:
            self._until[seat] = until

    def extend_all(self, until: int) -> None:
        """Extend the grace periods that end before the time `until`, in milliseconds since the table was opened."""
        self._until = {seat: max(ends, until) for seat, ends in self._until.items()}

    def expired(self, now: int) -> list[Seat]:
        """Return the seats with an expired grace period."""
        return [seat for seat, until in self._until.items() if until <= now]

    @property
    def next_at(self) -> int | None:
        """When the next grace period ends, in milliseconds since the table was opened; None if there is none."""
        return min(self._until.values(), default=None)

    def _grace(self, room: Room) -> int:
        if room.fills_at is not None:
            return self._timeouts.fill_grace
        return self._timeouts.lobby if room.status == "pending" else room.config.grace


def present_seats(room: Room) -> tuple[Seat, ...]:
    """Return the seats of human players who are not marked away."""
    return tuple(
        seat
        for seat, (player, owner) in enumerate(zip(room.table.players, room.owners, strict=True))
        if player is not None and owner is not None and player.here
    )


def attended_seats(room: Room) -> tuple[Seat, ...]:
    """Return the present seats that need a connection: none in a correspondence game."""
    return () if room.config.correspondence else present_seats(room)


DEADLINE_NEAR: Final = 15 * SECOND
"""Milliseconds before a deadline from which players who have to choose must soon notice a lost network.

A client that has lost it before then notices in time to connect again before the deadline.
"""

SHOWN_AFTER: Final = 1 * SECOND
"""Milliseconds after which a closed connection is shown as lost. A page that is reloaded reconnects sooner."""


class LostConnections:
    """The players of one room who have lost their connection, as the others are shown.

    This does not change the game. Players who have never connected are not listed, because programs
    may play without a connection.

    Attributes:
        seats: the seats of these players.
        remote: the seats that are connected to other live processes, and whether all these connections are silent.
    """

    def __init__(self, streams: Subscriptions) -> None:
        self.seats: tuple[Seat, ...] = ()
        self.remote: Mapping[Seat, bool] = {}
        self._streams = streams
        self._connected: set[Seat] = set()
        self._since: dict[Seat, int] = {}
        self._present: tuple[Seat, ...] = ()
        self._last: Seat | None = None  # the only person for whom everyone else waits
        self._last_since = 0

    def update(self, room: Room, now: int) -> bool:
        """Update `seats`, and return whether it has changed."""
        streams = self._streams
        self._present = present = attended_seats(room) if room.status == "active" else ()
        self.attend(room, now)
        for seat in set(self._since) - set(present):
            del self._since[seat]
        for seat in present:
            if streams.responsive(seat) or self.remote.get(seat) is False:
                self._connected.add(seat)
                self._since.pop(seat, None)
            elif seat in self._connected:
                # A silent connection has already been silent for some time.
                since = now - SHOWN_AFTER if streams.watched(seat) or seat in self.remote else now
                self._since[seat] = min(since, self._since.get(seat, since))
        lost = tuple(seat for seat in present if seat in self._since and self._since[seat] + SHOWN_AFTER <= now)
        before, self.seats = self.seats, lost
        return self.seats != before

    def attend(self, room: Room, now: int) -> None:
        """Set how soon each connection must notice a lost network, for the same players as at the last update."""
        present = self._present
        attended = len(present) > 1 or (len(present) == 1 and room.table.terms.clock is not None)
        self._streams.attend(attended, self._awaited_from(room, present, now) if attended else {})

    @property
    def pending(self) -> bool:
        """Whether any player who has been connected is not connected now."""
        return bool(self._since)

    def _awaited_from(self, room: Room, present: Collection[Seat], now: int) -> dict[Seat | None, int]:
        """Return from when each person that the game waits for is the last one, or has a near deadline."""
        table = room.table
        waiting = (*table.waiting, *awaited_seats(table)) if table.paused is None else ()
        awaited = [seat for seat in waiting if seat in present]
        last = awaited[0] if len(awaited) == 1 and len(present) > 1 else None
        if last != self._last:
            self._last, self._last_since = last, now
        if last is not None:
            return {last: self._last_since}
        return {} if table.due is None else dict.fromkeys(awaited, table.due - DEADLINE_NEAR)

    def forget(self, seat: Seat) -> None:
        """Forget a seat of a player who plays without a connection."""
        self._connected.discard(seat)
        self._since.pop(seat, None)

    @property
    def next_at(self) -> int | None:
        """When the next lost connection is shown, in milliseconds since the table was opened; None if there is none."""
        return min((at + SHOWN_AFTER for seat, at in self._since.items() if seat not in self.seats), default=None)


# This query is built only once, because it runs at every deadline of a player without a connection.
_OTHERS: Final = sa.select(connections.c.seat, connections.c.process).where(
    connections.c.room == sa.bindparam("table"), connections.c.process != sa.bindparam("process")
)


class Connections:
    """The database's list of seat connections, in which this process writes its own and reads those of other ones."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed: dict[tuple[str, int], bool | None] = {}
        self._flushing = asyncio.Lock()

    def record(self, table: str, seat: int, *, connected: bool, silent: bool = False) -> None:
        """Record whether a seat is connected, and whether its client has stopped answering."""
        self._changed[table, seat] = silent if connected else None

    async def flush(self) -> None:
        """Write the recorded changes to the database. If it raises `UnavailableError`, the next call writes them."""
        async with self._flushing:
            await self._flush()

    async def _flush(self) -> None:
        # Swapped before the write: what is recorded during it belongs to the next one.
        changed, self._changed = self._changed, {}
        if not changed:
            return
        process = self._store.process
        removed = [{"_room": room, "_seat": seat} for (room, seat) in changed]
        added = [
            {"room": room, "seat": seat, "process": process, "silent": silent}
            for (room, seat), silent in changed.items()
            if silent is not None
        ]

        def work(connection: sa.Connection) -> None:
            ours = connections.c.process == process
            row = (connections.c.room == sa.bindparam("_room"), connections.c.seat == sa.bindparam("_seat"))
            connection.execute(connections.delete().where(*row, ours), removed)
            if added:
                connection.execute(connections.insert(), added)

        try:
            await self._store.write(work)
        except BaseException:
            # Newer changes win over those that could not be written.
            self._changed = changed | self._changed
            raise

    async def other_processes(self, table: str) -> dict[int, set[str]]:
        """Return for each connected seat the other processes that it is connected to, including dead processes."""
        values = {"table": table, "process": self._store.process}
        seats: dict[int, set[str]] = {}
        for seat, process in await self._store.query(lambda connection: connection.execute(_OTHERS, values).all()):
            seats.setdefault(seat, set()).add(process)
        return seats

    async def remote(self, tables: Collection[str], alive: Collection[str]) -> dict[str, dict[Seat, bool]]:
        """Return for each table the seats that are connected to other live processes.

        The value of a seat is whether all these connections are silent.
        """
        others = set(alive) - {self._store.process}

        def rows(connection: sa.Connection) -> Sequence[sa.Row[str, int, bool]]:
            query = sa.select(connections.c.room, connections.c.seat, connections.c.silent)
            there = is_one_of(connection, connections.c.room, tables)
            return connection.execute(query.where(there, connections.c.process.in_(others))).all()

        presence: dict[str, dict[Seat, bool]] = {}
        for table, seat, silent in await self._store.query(rows):
            seats = presence.setdefault(table, {})
            seats[seat] = silent and seats.get(seat, True)
        return presence

    async def orphaned(self, alive: Collection[str]) -> dict[str, list[str]]:
        """Return for each process that is not alive the tables with seats connected to it."""
        query = (
            sa.select(connections.c.process, connections.c.room).where(connections.c.process.not_in(alive)).distinct()
        )
        tables: dict[str, list[str]] = {}
        for process, table in await self._store.query(lambda connection: connection.execute(query).all()):
            tables.setdefault(process, []).append(table)
        return tables

    async def forget(self, process: str) -> None:
        """Delete the connections of a dead process."""
        removed = connections.delete().where(connections.c.process == process)
        await self._store.write(lambda connection: connection.execute(removed).rowcount)


def postpone_wake(table: str, seq: int, wake: int) -> Callable[[sa.Connection], None]:
    """Return a function for `Store.write`: it sets a table's wake time unless the log has grown beyond row `seq`."""

    def work(connection: sa.Connection) -> None:
        connection.execute(rooms.update().where(rooms.c.id == table, rooms.c.seq == seq).values(wake=wake))

    return work
