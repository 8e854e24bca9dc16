"""One live room of a process: its state, command queue, subscriptions, connections, deadlines and autoplay."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final, Literal
from weakref import WeakMethod

from faceup.core import Seat
from faceup.server.live.autoplay import AutoplayScheduler
from faceup.server.live.command_queue import Ack, CommandQueue, fold_rows, started_version
from faceup.server.live.deadlines import RETRY_INTERVAL, Deadline
from faceup.server.live.presence import attended_seats, postpone_wake, present_seats
from faceup.server.live.process_context import ProcessContext
from faceup.server.live.seat_connections import SeatConnections
from faceup.server.live.subscription import Subscription
from faceup.server.live.subscriptions import RoomStep, Subscriptions, missed_lines
from faceup.server.live.timers import BackgroundTasks
from faceup.server.live.wake_times import (
    abandoned_at,
    is_played_out,
    last_action_at,
    longest_pause,
    paused_by_absence,
    table_cost,
)
from faceup.server.rooms import Choose, Room
from faceup.server.rooms.commands import Close, RoomCommand, Start
from faceup.server.rooms.room import PlayerIds, acting_player, version_for, viewer_of
from faceup.server.store import LogRow, StaleHeartbeatError, UnavailableError
from faceup.server.store.heartbeat import downtime
from faceup.server.workers.fair_queue import Owner
from faceup.table.commands import Mark, Pause, Resume, Return, Unchoose

_LOG: Final = logging.getLogger(__name__)


class RoomActor:
    """One live room, with its state computed from the log and its subscribers in this process.

    Args:
        context: dependencies shared by all rooms of the process.
        table: the table's ID.
        opened_at: when the table was opened, in milliseconds since 1970 on the database's clock.
        log: all rows of the table's log so far.
        owner: who is responsible for the table.

    Attributes:
        table: the table's ID.
        queue: the room's command queue.
        deadline: the room's decision clock.
        connections: the connections of the room's players.
        owner: who is responsible for the table.
        idle_since: when this process last used the room, in seconds on the event loop's clock.
    """

    def __init__(
        self, context: ProcessContext, table: str, opened_at: int, log: Iterable[LogRow], owner: Owner
    ) -> None:
        steps = fold_rows(log)
        self.table = table
        self.owner = owner
        self.idle_since = asyncio.get_running_loop().time()
        self._opened_at = opened_at
        self._context = context
        self._background = BackgroundTasks(table)
        self._streams = Subscriptions(steps[-1].after, context.store.metrics.lines_sent.inc)
        # Without a reference cycle, an evicted room is freed immediately, not by the next garbage collection.
        on_advance, on_idle = WeakMethod(self._on_advance), WeakMethod(self._on_idle)

        def advance(steps: list[RoomStep], ours: bool) -> None:
            if (method := on_advance()) is not None:
                method(steps, ours)

        def idle(stale: StaleHeartbeatError | None) -> None:
            if (method := on_idle()) is not None:
                method(stale)

        self.queue = CommandQueue(context, table, opened_at, steps[-1].after, on_advance=advance, on_idle=idle)
        self.deadline = Deadline(context, self.queue, self._streams, self._background, table=table, opened_at=opened_at)
        # The players of a room that was loaded, not created, may have been connected to a process that has ended.
        reconnected_by = self.queue.now() + context.timeouts.reconnect if self.room.version > 1 else 0
        self.connections = SeatConnections(
            context, table, self.queue, self._streams, self._background, reconnected_by=reconnected_by
        )
        self._fill_not_before = 0
        self._fill_at_latest = reconnected_by
        self._autoplay = AutoplayScheduler(context, self.queue, self._background, table=table, owner=owner)
        self._connected_at = 0  # when a subscriber of this process was last connected
        self._over_at: int | None = None
        self._pause_ends_not_before = 0
        self._started = started_version(steps)
        if self._streams.delayed:
            self._streams.start_delay(steps, self.queue.now())
        self._costed_players = self.room.table.players
        self._cost = table_cost(self.room)
        self._update_schedules(ours=context.heartbeat.is_only_process or self.room.version == 1)

    @property
    def room(self) -> Room:
        """The room as of the last log row that was read."""
        return self.queue.room

    @property
    def watched(self) -> bool:
        """Whether the room has subscribers in this process."""
        return self._streams.has_readers

    @property
    def busy(self) -> bool:
        """Whether the room must stay in memory: it has subscribers, commands or background tasks."""
        return self.watched or self.executes

    @property
    def executes(self) -> bool:
        """Whether the room has commands or background tasks."""
        return self.queue.busy or self._background.busy

    @property
    def waits(self) -> bool:
        """Whether a disconnected player's grace period or an automatic choice is pending."""
        return self.connections.in_grace or self._autoplay.next_at is not None

    @property
    def is_shared(self) -> bool:
        """Whether several people play in this room, so that some may be connected to other processes."""
        return self.room.status == "active" and len(attended_seats(self.room)) > 1

    @property
    def shown_players(self) -> tuple[str, ...]:
        """IDs of the players who are connected to this process and may be shown to everyone as players of the room.

        There are none if the table is not public or over, or if spectators see it with a delay.
        """
        room, streams = self.room, self._streams
        if not room.config.listed or streams.delayed or room.status not in {"pending", "active"}:
            return ()
        return tuple(owner for seat, owner in enumerate(room.owners) if owner is not None and streams.responsive(seat))

    def set_remote(self, seats: Mapping[Seat, bool]) -> None:
        """Set which seats are connected to other live processes, and whether all these connections are silent."""
        if self.connections.set_remote(seats, self.queue.now()):
            self._set_timer()

    def send(self, command: RoomCommand, key: str, player: PlayerIds | None, lag: int) -> asyncio.Future[Ack]:
        """Apply a command; see `TableHub.send`."""
        if player is None:
            return self.queue.put(command, key, None, lag)
        room = self.room
        seat = viewer_of(room, player if isinstance(player, str) else acting_player(room, player, command))
        if seat is not None:
            self.connections.touch(seat, self.queue.now())
            player_in_seat = room.table.players[seat]
            away = room.status == "active" and player_in_seat is not None and not player_in_seat.here
            if away and isinstance(command, Mark | Choose | Unchoose):
                self.queue.post(Return(seat))  # the player is back
                if paused_by_absence(room):
                    self.queue.post(Resume())
        return self.queue.put(command, key, player, lag)

    # Log updates and timers.

    def _on_advance(self, steps: list[RoomStep], ours: bool) -> None:
        if self._started is None:
            self._started = started_version(steps)
        # Called only with steps that are stored, whether this process stored them or another one.
        try:
            self._streams.broadcast(steps, self.queue.now())
        except Exception:  # noqa: BLE001 -- the entries are stored, so clients resynchronize after any error
            _LOG.exception("broadcast failed at table %s", self.table)
            self._streams.end("resync")
        self._update_schedules(ours=ours or self._context.heartbeat.is_only_process)

    def _on_idle(self, stale: StaleHeartbeatError | None) -> None:
        if stale is not None:
            self.deadline.snooze()
        elif self.queue.stale is not None:
            self._autoplay.stop()
            self._streams.end(self.queue.stale)
        self._set_timer()

    def _update_schedules(self, *, ours: bool) -> None:
        now, room = self.queue.now(), self.room
        if ours and room.table.players is not self._costed_players:
            self._update_cost(room)
        self.connections.follow_room(now)
        self._autoplay.plan(room, now, ours=ours)
        self._end_if_over(now)
        if room.status == "active" and room.table.people:
            present = present_seats(room)
            if not present and room.table.paused is None and room.tournament is None and not is_played_out(room):
                self.queue.post(Pause())  # no human player is present
            elif present and paused_by_absence(room):
                self.queue.post(Resume())
        self._set_timer()

    def _update_cost(self, room: Room) -> None:
        """Store the room's cost if it has changed."""
        self._costed_players = room.table.players
        if (cost := table_cost(room)) != self._cost:
            self._cost = cost
            self._background.run(self._context.store.set_cost(self.table, cost[0], bot_only=cost[1]))

    def _set_timer(self) -> None:
        """Set the timer to the earliest time at which anything in this room is due."""
        if self.queue.is_stale:
            self._context.timers.set(self, None)
            return
        times = [self.connections.next_at, self._autoplay.next_at, self._streams.next_delayed]
        if self.room.status == "active":
            times += [self.deadline.next_at, self._pause_ends()]
        times.append(self._fills_at())
        if self._over_at is not None and self.watched:
            times.append(self._over_at)
        soonest = min((time for time in times if time is not None), default=None)
        self._context.timers.set(self, None if soonest is None else self._opened_at + soonest)

    def on_timer(self) -> None:
        """Handle everything in this room that is due."""
        now = self.queue.now()
        if not self._context.heartbeat.is_fresh:  # an outage must be detected before anything expires
            self._context.timers.set(self, self._context.clock() + RETRY_INTERVAL)
            return
        if self.queue.give_back_time():
            return  # the extensions change the due times
        self._streams.release_delayed(now)
        if self.room.status == "active":
            self.deadline.expire_if_due(now)
            if (end := self._pause_ends()) is not None and now >= end:
                self._pause_ends_not_before = now + RETRY_INTERVAL
                self.queue.post(Resume())
        if (fills_at := self._fills_at()) is not None and now >= fills_at:
            self._fill_not_before = now + RETRY_INTERVAL
            self._background.run(self._fill())
        self._autoplay.play(now)
        self.connections.expire(now, self._interrupted_at + self._context.timeouts.reconnect)
        self._end_if_over(now)
        self._set_timer()

    def _pause_ends(self) -> int | None:
        """Return when the pause reaches its limit; None without a pause or limit, or while no person is present."""
        paused = self.room.table.paused
        if paused is None or not present_seats(self.room):
            return None
        limit = longest_pause(self.room, self._context.timeouts)
        if limit is None:
            return None
        return max(max(paused, self._interrupted_at) + limit, self._pause_ends_not_before)

    @property
    def _interrupted_at(self) -> int:
        """When a server last interrupted the service, in milliseconds since the table was opened."""
        return self._context.interrupted_at - self._opened_at

    def _fills_at(self) -> int | None:
        """Return when to fill the empty seats of a quick match with bots; None if no person waits for this."""
        fills_at = self.room.fills_at
        return None if fills_at is None or self.room.status != "pending" else max(fills_at, self._fill_not_before)

    async def _fill(self) -> None:
        """Start a quick match, unless a player has just lost their connection. That player reconnects or leaves soon.

        After `Timeouts.reconnect`, the game starts in any case, so that no one can delay it again and again.
        """
        fills_at, context = self.room.fills_at, self._context
        if fills_at is None:
            return
        if self.queue.now() < max(fills_at + context.timeouts.reconnect, self._fill_at_latest):
            seats = [seat for seat in present_seats(self.room) if not self._streams.responsive(seat)]
            processes = await context.connections.other_processes(self.table) if seats else {}
            if not all(processes.get(seat, set()) & context.heartbeat.alive for seat in seats):
                return
        self.queue.post(Start())

    def _end_if_over(self, now: int) -> None:
        if self.room.status == "finished" and self._over_at is None:
            self._over_at = now + self._context.timeouts.linger
        # Spectators who see the game later must see its end, too, so their stream ends after it.
        if self._streams.next_delayed is not None:
            return
        if self.room.status == "closed":
            self._streams.end("closed")
        elif self._over_at is not None and now >= self._over_at:
            self._streams.end("finished")

    async def close_if_abandoned(self) -> None:
        """Close the room if it was abandoned. If someone is or was just connected, postpone its wake time instead.

        After an interruption of the service, players have the whole time again, because no one can be connected then.
        A rated game that was abandoned is not closed: bots finish it.
        """
        room, context = self.room, self._context
        abandoned = partial(abandoned_at, room, self._opened_at, context.timeouts)
        if room.status not in {"pending", "active"} or self.queue.now() < abandoned():
            return
        outages = 0
        if room.config.correspondence:
            since = self._opened_at + last_action_at(room)
            outages = await context.store.query(partial(downtime, since=since))
        processes = await context.connections.other_processes(self.table)
        connected_at = max(self._connected_at, self._interrupted_at)
        later = self._opened_at + abandoned(connected_at=connected_at, outages=outages)
        if self.watched or any(connected & context.heartbeat.alive for connected in processes.values()):
            later = max(later, context.clock() + context.timeouts.request_grace)
        if context.clock() < later:
            await context.store.write(postpone_wake(self.table, self.queue.seq, later))
        elif self.room is room:
            self.queue.post(Close("abandoned"))

    # Subscriptions.

    async def catch_up(self) -> None:
        """Read what other processes have appended to the log, so that a client sees all commands acknowledged to it.

        Raises:
            UnavailableError: the log could not be read.
        """
        # The database, not the notification, says what others have appended: a notification may be late or lost.
        length = (await self._context.store.last_seqs([self.table])).get(self.table, self.queue.seq)
        if length > self.queue.seq:
            self.queue.request_catch_up()
            await self.queue.wait_until_idle()
        if length > self.queue.seq:
            raise UnavailableError("this server has not read the updates of another server yet; nothing was read")

    async def watch(self, player: PlayerIds | None, after: int | None) -> Subscription:
        """Subscribe a player to a stream that resumes after version `after` or starts with a snapshot.

        Raises:
            SpectatorsOffError: the player has no seat and the table does not allow spectators.
            UnavailableError: the missed messages could not be read.
        """
        reader = Subscription(
            player,
            on_close=self._on_close,
            on_silence=self._on_silence,
            time=self._time_for,
            grace=self.room.config.grace,
        )
        viewer = viewer_of(self.room, player)
        if after is not None and after > version_for(self._streams.seen_by(viewer), viewer):
            await self.catch_up()  # a client that has seen a newer version at another process must not go back
            viewer = viewer_of(self.room, player)
        missed = None
        if after is not None and self._started is not None and self._started <= after:
            missed = await self._missed(viewer, after)
        if missed is None:
            self._streams.send_snapshot(reader, viewer, self.queue.now())
        else:
            self._streams.resume(reader, viewer, missed)
        if not (viewer is None and self._streams.delayed):
            self.connections.send_lost(reader)
        self._on_connect(viewer)
        self._end_if_over(self.queue.now())
        return reader

    async def _missed(self, viewer: int | None, after: int) -> bytes | None:
        """Return the lines that the viewer missed after a version; None if the viewer needs a snapshot instead."""
        if after > version_for(self._streams.seen_by(viewer), viewer):
            return None
        if (missed := self._streams.missed(viewer, after)) is not None:
            return missed
        while True:
            steps = fold_rows(await self._context.store.read(self.table))
            # The viewer may have seen steps that this process appended after the read. In that case, read again.
            seen = self._streams.seen_by(viewer)
            if len(steps) >= seen.version:
                return missed_lines(steps[: seen.version], viewer, after)

    def first_line(self, player: PlayerIds | None) -> bytes:
        """Return the snapshot line that would start the player's stream."""
        return self._streams.first_line(viewer_of(self.room, player), player, self.queue.now())

    def time(self, player: PlayerIds | None) -> int:
        """Return the time that the player sees, in milliseconds since the table was opened."""
        return self._streams.viewer_time(viewer_of(self.room, player), self.queue.now())

    def room_seen_by(self, player: PlayerIds | None) -> tuple[Room, int | None]:
        """Return the room as the player currently sees it, and the player's viewer."""
        viewer = viewer_of(self.room, player)
        return self._streams.seen_by(viewer), viewer

    def broadcast_line(self, line: bytes) -> None:
        """Send a line without a version to all subscribers of this room."""
        self._streams.broadcast_line(line)

    def end(self) -> None:
        """Cancel the timer and end all streams with the reason `restart`, so that clients reconnect."""
        self._context.timers.set(self, None)
        self._autoplay.stop()
        self._streams.end("restart")

    def drop(self, why: Literal["deleted", "resync"]) -> None:
        """End all streams, because the log was deleted or rewritten, and do nothing more."""
        self.queue.stale = why
        self._context.timers.set(self, None)
        self._autoplay.stop()
        self._streams.end(why)

    def cancel_background_tasks(self) -> None:
        """Cancel the background tasks."""
        self._background.cancel()

    async def wait_until_idle(self) -> None:
        """Cancel background tasks and wait until the queue is empty."""
        await self._background.stop()
        await self.queue.wait_until_idle()

    def _on_connect(self, viewer: int | None) -> None:
        if viewer is not None:
            self.connections.record(viewer)
            self.connections.welcome(viewer)
        self._update_connections()

    def _on_close(self, reader: Subscription) -> None:
        if reader.ended == "slow":
            self._context.store.metrics.slow_readers.inc()
        viewer = self._streams.remove(reader)
        if viewer is not None:
            self.connections.record(viewer)
        self.idle_since = asyncio.get_running_loop().time()
        self._connected_at = self.queue.now()
        if not self.queue.is_stale and not self._context.stopping:
            self._update_connections()

    def _update_connections(self) -> None:
        self.connections.update(self.queue.now())
        self._set_timer()

    def _time_for(self, reader: Subscription) -> int:
        streams, now = self._streams, self.queue.now()
        return streams.viewer_time(viewer_of(self.room, reader.player), now) if streams.delayed else now

    def _on_silence(self, reader: Subscription) -> None:
        viewer = viewer_of(self.room, reader.player)
        if viewer is not None:
            if not self._context.heartbeat.is_only_process:
                self.connections.record(viewer)
            if not reader.silent:
                self.connections.welcome(viewer)
        self._update_connections()
