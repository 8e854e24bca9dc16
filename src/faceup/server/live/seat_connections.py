"""The connections of one room's players: who stays present without one, and who is shown as disconnected."""

from collections.abc import Mapping
from typing import Final

from faceup.core import Seat
from faceup.server.live.command_queue import CommandQueue
from faceup.server.live.presence import LostConnections, Presence, present_seats
from faceup.server.live.process_context import ProcessContext
from faceup.server.live.subscription import Subscription
from faceup.server.live.subscriptions import Subscriptions
from faceup.server.live.timers import BackgroundTasks
from faceup.server.rooms.wire import Disconnected, encode_message
from faceup.table.commands import Leave, Return


class SeatConnections:
    """Follows the connections of a room's players, publishes them to other processes, and marks players away.

    Args:
        context: dependencies shared by all rooms of the process.
        table: the table's ID.
        queue: the room's command queue.
        streams: the subscriptions of the room in this process.
        background: the room's background tasks.
        reconnected_by: the time until which players can connect who were connected before this process loaded the
            room, in milliseconds since the table was opened.
    """

    def __init__(
        self,
        context: ProcessContext,
        table: str,
        queue: CommandQueue,
        streams: Subscriptions,
        background: BackgroundTasks,
        *,
        reconnected_by: int,
    ) -> None:
        self._context: Final = context
        self._table: Final = table
        self._queue: Final = queue
        self._streams: Final = streams
        self._background: Final = background
        self._presence: Final = Presence(streams, context.timeouts, reconnected_by)
        self._lost: Final = LostConnections(streams)
        self._people: tuple[object, ...] = ()  # what `_presence` and `_lost` know of the room

    @property
    def remote(self) -> Mapping[Seat, bool]:
        """The seats that are connected to other live processes, and whether all these connections are silent."""
        return self._lost.remote

    @property
    def in_grace(self) -> bool:
        """Whether the grace period of a player without a connection runs."""
        return self._presence.next_at is not None

    @property
    def next_at(self) -> int | None:
        """When a grace period ends or a lost connection is shown, in milliseconds since the table was opened."""
        return min((at for at in (self._presence.next_at, self._lost.next_at) if at is not None), default=None)

    def update(self, now: int) -> None:
        """Update everything after a connection was opened or closed, has become silent, or answers again."""
        self._presence.update(self._queue.room, now)
        self.show_lost(now)

    def follow_room(self, now: int) -> None:
        """Update what depends on the room. Most choices change nothing here, because the same people are seated."""
        room = self._queue.room
        people_before, self._people = self._people, (room.table.players, room.owners, room.status)
        if self._people != people_before or self._lost.pending:
            self.update(now)
        else:
            self._lost.attend(room, now)

    def touch(self, seat: Seat, now: int) -> None:
        """Restart the grace period of a player who has sent a command without a connection, as a program may."""
        if self._presence.is_waiting_for(seat):
            self._presence.touch(self._queue.room, seat, now)
            self._lost.forget(seat)
            self.show_lost(now)

    def set_remote(self, seats: Mapping[Seat, bool], now: int) -> bool:
        """Set which seats are connected to other live processes, and whether all these connections are silent.

        Returns:
            Whether anything has changed.
        """
        if seats == self._lost.remote:
            return False
        self._lost.remote = seats
        self.show_lost(now)
        return True

    def expire(self, now: int, reconnected_by: int) -> None:
        """Mark players away after their grace period, and after the time that all have after an interruption."""
        if now < reconnected_by:
            self._presence.extend_all(reconnected_by)
        for seat in self._presence.expired(now):
            self._presence.extend_grace(seat, now + self._context.timeouts.take_over)
            self._background.run(self._mark_away(seat))
        self.show_lost(now)

    def record(self, seat: Seat) -> None:
        """Publish to the other processes whether a seat is connected to this one."""
        connections, streams = self._context.connections, self._streams
        watched = streams.watched(seat)
        connections.record(self._table, seat, connected=watched, silent=watched and not streams.responsive(seat))
        if not self._context.heartbeat.is_only_process and not self._context.stopping:
            self._background.run(connections.flush())

    def welcome(self, seat: Seat) -> None:
        """End autoplay for a player who is away, because the player's device answers again."""
        room = self._queue.room
        player = room.table.players[seat]
        if room.status == "active" and player is not None and not player.here:
            self._queue.post(Return(seat))

    def send_lost(self, reader: Subscription) -> None:
        """Send a new subscriber the seats with lost connections."""
        if self._lost.seats:
            reader.put(self._line())

    def show_lost(self, now: int) -> None:
        """Show the others the seats with lost connections, if these have changed."""
        before = self._lost.seats
        if not self._lost.update(self._queue.room, now):
            return
        if self._context.heartbeat.is_only_process or set(self._lost.seats) <= set(before):
            self._streams.broadcast_line(self._line(), live=True)
        else:
            self._background.run(self._confirm_lost())

    def _line(self) -> bytes:
        return encode_message(Disconnected(self._lost.seats))

    async def _confirm_lost(self) -> None:
        """Show seats with lost connections, except for players who have reconnected to another live process."""
        remote = await self._context.connections.remote([self._table], self._context.heartbeat.alive)
        self._lost.remote = remote.get(self._table, {})
        self._lost.update(self._queue.room, self._queue.now())
        self._streams.broadcast_line(self._line(), live=True)

    async def _mark_away(self, seat: Seat) -> None:
        """Mark a player away after the grace period, unless the player is connected to another live process."""
        context = self._context
        processes = (await context.connections.other_processes(self._table)).get(seat, set())
        if processes & context.heartbeat.alive:
            self._presence.extend_grace(seat, self._queue.now() + context.timeouts.request_grace)
            return
        if not self._streams.responsive(seat) and seat in present_seats(self._queue.room):
            self._queue.post(Leave(seat))
