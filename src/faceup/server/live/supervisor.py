"""The periodic tasks of a process: heartbeat, sweep of due tables, poll for updates, and event-loop watchdog.

Any process may handle any table that is due. If two processes handle the same table, only one of them can append the
log row with the next number, so nothing happens twice.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

from faceup.server.live.heartbeat import HEARTBEAT_INTERVAL, LOOP_CHECK_INTERVAL
from faceup.server.live.interruptions import DEATH, Interruption
from faceup.server.live.presence import postpone_wake
from faceup.server.live.process_context import ProcessContext
from faceup.server.live.room_actor import RoomActor
from faceup.server.process.periodic import FailureIsolation, PeriodicTask, run_limited, running
from faceup.server.store import NewRow, Outage, StoreError, TableRow, UnavailableError

_CONCURRENCY: Final = 16
"""Maximum number of rooms that are handled concurrently."""

MAX_IDLE_ROOMS: Final = 500
"""Maximum number of rooms in memory that have no subscribers, commands or background tasks.

A table that is not in memory costs nothing, is loaded in some milliseconds, and is visited at its wake time.
"""

_TRY_AGAIN: Final = 60_000
"""Milliseconds after an outage until which the extension of a deadline is tried again if the database fails."""

_MIN_IDLE: Final = 1.0
"""Seconds for which a room stays in memory in any case, so that a visit can do all due work."""


class Supervisor:
    """The periodic tasks of a process: heartbeat, sweep, poll and watchdog.

    Args:
        context: dependencies shared by all rooms of the process.
        rooms: the rooms in memory, by table ID.
        load: returns the room of a table ID, and loads it if needed.
    """

    def __init__(
        self, context: ProcessContext, rooms: dict[str, RoomActor], load: Callable[[str], Awaitable[RoomActor]]
    ) -> None:
        self._context = context
        self._rooms = rooms
        self._load = load
        self._periodic = AsyncExitStack()
        self._tables = FailureIsolation("visits of tables", context.store.metrics)
        self._extending: set[asyncio.Task[None]] = set()
        self._heartbeat = context.heartbeat
        self._has_swept = False
        self._visited: set[str] = set()  # tables that are being visited, so that their rooms stay in memory

    async def start(self) -> None:
        """Send the first heartbeat and start the periodic tasks. Raises `UnavailableError`."""
        await self._heartbeat.start()
        self._context.store.listen(self._on_notification)
        timeouts, metrics = self._context.timeouts, self._context.store.metrics
        tasks = (
            PeriodicTask("event loop check", self._check_loop, LOOP_CHECK_INTERVAL, metrics),
            PeriodicTask("heartbeat", self._beat, HEARTBEAT_INTERVAL, metrics),
            PeriodicTask("sweep of due tables", self._sweep, timeouts.sweep / 1000, metrics),
            PeriodicTask("poll for updates", self._poll, timeouts.poll / 1000, metrics),
        )
        await self._periodic.enter_async_context(running(tasks))

    async def stop(self) -> None:
        """Cancel all periodic tasks."""
        await self._periodic.aclose()
        extending = tuple(self._extending)
        for task in extending:
            task.cancel()
        await asyncio.gather(*extending, return_exceptions=True)
        await self._heartbeat.stop()

    async def _beat(self) -> None:
        await self._heartbeat.send()
        await self._context.connections.flush()
        self._evict_rooms()

    def _evict_rooms(self) -> None:
        """Evict each room that is not busy, if it is stale, has been idle for long, or exceeds `MAX_IDLE_ROOMS`.

        Of too many rooms, those without a pending grace period or automatic choice are evicted first.
        """
        now = asyncio.get_running_loop().time()
        cutoff = now - self._context.timeouts.keep_idle / 1000
        idle = [
            room
            for room in self._rooms.values()
            if room.idle_since < now - _MIN_IDLE and not room.busy and room.table not in self._visited
        ]
        idle.sort(key=lambda room: (room.waits, room.idle_since))
        for number, room in enumerate(idle):
            if (
                room.queue.is_stale
                or len(idle) - number > MAX_IDLE_ROOMS
                or (room.idle_since < cutoff and not room.waits)
            ):
                room.end()
                del self._rooms[room.table]

    # Sweep.

    async def _sweep(self) -> None:
        context, heartbeat = self._context, self._heartbeat
        await heartbeat.ensure_fresh()  # it finds interruptions, which must be known before a table is closed
        for outage in heartbeat.outages:
            context.interrupted_at = max(context.interrupted_at, outage.end)
            await self._extend_for_outage(outage)
        heartbeat.outages = ()
        if heartbeat.processes_died:
            if self._has_swept:  # the first sweep handles what died before the start, which is an interruption itself
                context.interrupted_at = context.clock()
            await self._handle_dead_processes()
            context.turn_feed.process_died()
            heartbeat.processes_died = False
        self._has_swept = True
        due = await context.store.due(context.clock())
        await run_limited(
            (partial(self._visit_alone, row) for row in due if not self._tables.delay(row.id)), limit=_CONCURRENCY
        )

    async def _visit_alone(self, row: TableRow) -> None:
        """Visit a table that is due. If this fails, no process visits it again before this one does."""
        self._visited.add(row.id)
        try:
            with self._tables.isolate(row.id) as attempt:
                await self._visit(row.id, row.seq)
        finally:
            self._visited.discard(row.id)
        if attempt.error is not None and not isinstance(attempt.error, StoreError):
            later = self._context.clock() + round(1000 * self._tables.delay(row.id))
            await self._context.store.write(postpone_wake(row.id, row.seq, later))

    async def _visit(self, table: str, seq: int) -> None:
        room = self._rooms.get(table)
        if room is None:
            self._context.store.metrics.tables_taken_over.inc()
            room = await self._load(table)
        elif room.queue.seq < seq:
            room.queue.request_catch_up()
        await room.close_if_abandoned()

    async def _extend_for_outage(self, outage: Outage) -> None:
        """Extend all deadlines that were running during an outage. If the database fails, the next sweep tries again.

        If a table receives a command before the sweep reaches it, its `CommandQueue` extends the deadline first. A
        table that cannot be read is left out, because no deadline of any table expires before the outage is done.
        """
        after, failed = "", list[str]()
        while rows := await self._context.store.waiting(after):
            active = [row.id for row in rows if row.status == "active"]
            failed += await self._give_back_time(active)
            after = rows[-1].id
            self._evict_rooms()
        if failed and self._context.store.now() < outage.end + _TRY_AGAIN:
            raise UnavailableError(f"the deadlines of {len(failed)} tables could not be extended after an outage")
        await self._context.store.outage_done(outage)

    async def _handle_dead_processes(self) -> None:
        """Give players who were connected to a dead process time to reconnect."""
        context = self._context
        for process, tables in (await context.connections.orphaned(context.heartbeat.alive)).items():
            now = context.clock()
            death = Interruption(cause=f"{DEATH}-{process}", start=now, end=now + context.timeouts.reconnect)
            await self._give_back_time(tables, death)
            await context.connections.forget(process)

    async def _give_back_time(self, tables: Iterable[str], *interruptions: Interruption) -> list[str]:
        """Extend the deadlines of tables. Return the tables for which the database failed, perhaps only now."""
        failed = []

        async def extend(table: str) -> None:
            with self._tables.isolate(table) as attempt:
                queue = (await self._load(table)).queue
                queue.give_back_time(*interruptions)
                await queue.wait_until_idle()
                if not queue.is_stale and queue.give_back_time(*interruptions):
                    raise UnavailableError("the deadline was not extended")
            if isinstance(attempt.error, StoreError):
                failed.append(table)

        await run_limited((partial(extend, table) for table in tables), limit=_CONCURRENCY)
        return failed

    # Updates by other processes.

    async def _poll(self) -> None:
        """Check who is connected to other processes, and whether logs have grown, in case a notification was lost."""
        if self._heartbeat.is_only_process:
            for room in self._rooms.values():
                room.set_remote({})
            return
        watched = [room for room in self._rooms.values() if room.watched]
        if not watched:
            return
        if shared := [room for room in watched if room.is_shared]:
            tables = [room.table for room in shared]
            remote = await self._context.connections.remote(tables, self._heartbeat.alive)
            for room in shared:
                room.set_remote(remote.get(room.table, {}))
        for table, seq in (await self._context.store.last_seqs([room.table for room in watched])).items():
            if (grown := self._rooms.get(table)) is not None and grown.queue.seq < seq:
                grown.queue.request_catch_up()

    def _on_notification(self, rows: Sequence[NewRow]) -> None:
        self._heartbeat.note_other_process()
        for row in rows:
            self._context.turn_feed.table_grew(row.table)
            if (room := self._rooms.get(row.table)) is not None:
                room.queue.receive(row)

    # Watchdog of the event loop.

    async def _check_loop(self) -> None:
        self._heartbeat.detect_stall()
        self._context.timers.fire_due()

    def extend_for_gap(self, length: int, why: str) -> None:
        """Extend the deadlines that run now in all rooms in memory by the last `length` milliseconds.

        If a table receives a command or a deadline passes first, its `CommandQueue` extends the deadline before that.
        """
        context, now = self._context, self._context.clock()
        context.interrupted_at = now
        gap = Interruption(cause=f"{why}-{context.store.process}", start=now - length, end=now)
        context.interruptions = (*context.interruptions, gap)
        task = asyncio.get_running_loop().create_task(self._extend_rooms(gap))
        self._extending.add(task)
        task.add_done_callback(self._extending.discard)

    async def _extend_rooms(self, gap: Interruption) -> None:
        rooms = tuple(self._rooms.values())
        for start in range(0, len(rooms), _CONCURRENCY):
            extended = [room for room in rooms[start : start + _CONCURRENCY] if room.queue.give_back_time()]
            await asyncio.gather(*(room.queue.wait_until_idle() for room in extended))
            await asyncio.sleep(0)  # with very many tables, this takes longer than a choice may wait
        context = self._context
        context.interruptions = tuple([pending for pending in context.interruptions if pending is not gap])
