"""The deadlines of one room's decisions, which are extended after failures of the server."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from faceup.core import Seat
from faceup.server.live.command_queue import CommandQueue
from faceup.server.live.presence import present_seats
from faceup.server.live.process_context import SERVER, ProcessContext
from faceup.server.live.subscriptions import Subscriptions
from faceup.server.live.timers import BackgroundTasks
from faceup.server.live.wake_times import (
    decision_started_at,
    is_autoplayed,
    turns_without_choice,
)
from faceup.server.rooms.commands import Extend
from faceup.table import ExpireDeadline
from faceup.table.commands import Leave
from faceup.table.fair_round import awaited_seats

RETRY_INTERVAL: Final = 500
"""Milliseconds after which a room tries again to handle something that is due."""


class Deadline:
    """The decision clock of one room, which expires decisions and extends their deadlines.

    `opened_at` is the time at which the table was opened, in milliseconds since 1970 on the database's clock.
    """

    def __init__(
        self,
        context: ProcessContext,
        queue: CommandQueue,
        streams: Subscriptions,
        background: BackgroundTasks,
        *,
        table: str,
        opened_at: int,
    ) -> None:
        self._context = context
        self._queue = queue
        self._streams = streams
        self._background = background
        self._table = table
        self._opened_at = opened_at
        self._not_before = 0

    @property
    def next_at(self) -> int | None:
        """When the deadline expires, in milliseconds since the table was opened; None if there is no deadline."""
        due = self._queue.room.table.due
        return None if due is None else max(due + self._lag_allowance(), self._not_before)

    def snooze(self, milliseconds: int = RETRY_INTERVAL) -> None:
        """Expire nothing for this number of milliseconds."""
        self._not_before = self._queue.now() + milliseconds

    def expire_if_due(self, now: int) -> None:
        """Expire the decision if its deadline has passed, or extend the deadline if the server has restarted."""
        due = self.next_at
        if due is None or now < due:
            return
        # The command is only queued. Without a pause, the timer would queue it again until it is stored.
        self.snooze()
        room, context = self._queue.room, self._context
        late = [seat for seat in (*room.table.waiting, *awaited_seats(room.table)) if not is_autoplayed(room, seat)]
        started, due = decision_started_at(room), room.table.due
        restarted = context.started - self._opened_at
        if (
            started is not None
            and due is not None
            and started < restarted
            and due < restarted + context.timeouts.reconnect
        ):
            # The decision started before this process, so the restart disconnected its players. They get time to
            # reconnect, once. If the deadline passed before the start of this process, this time begins at the start.
            extension = context.timeouts.reconnect + max(0, restarted - due)
            self._queue.post(Extend(extension), f"{SERVER}start-{context.store.process}")
        elif all(self._streams.watched(seat) for seat in late):
            self._expire()
        else:
            self.snooze(context.timeouts.handover)
            self._background.run(self._expire_remote(late))

    async def _expire_remote(self, late: list[Seat]) -> None:
        """Expire a decision with late seats that are not connected here, unless another process expires it."""
        queue, timeouts = self._queue, self._context.timeouts
        decision = queue.room.table.decision
        processes = await self._context.connections.other_processes(self._table)
        others = {process for seat in late if not self._streams.watched(seat) for process in processes.get(seat, ())}
        due = queue.room.table.due
        # The room may have changed during the query.
        if queue.room.table.decision != decision or due is None or queue.now() < due:
            self.snooze(0)
            return
        self.snooze()
        if self._is_left(processes):
            # Players who return get the whole time.
            queue.post(Extend(queue.now() - due + (queue.room.table.terms.clock or 0)))
            for seat in sorted(present_seats(queue.room), key=lambda seat: queue.room.owners[seat] == queue.room.host):
                queue.post(Leave(seat))  # the host leaves last, and so stays the host
            return
        # Normally the process that a late seat is connected to expires the decision; if that process is dead, a live
        # one extends the deadline instead. This process acts if there is no other process, or if none acted in time.
        if not others or queue.now() >= due + timeouts.lag + timeouts.handover:
            self._expire()

    def _is_left(self, processes: Mapping[Seat, AbstractSet[str]]) -> bool:
        """Return whether everyone has left the table, so that its clock stops instead of playing on for them.

        Args:
            processes: for each seat, the other processes that it is connected to, including dead ones.
        """
        room, alive = self._queue.room, self._context.heartbeat.alive
        return (
            not room.config.correspondence
            and not room.table.committing
            and turns_without_choice(room) >= self._context.timeouts.missed_turns
            and not any(self._streams.watched(seat) for seat in room.table.people)
            and not any(connected & alive for connected in processes.values())
        )

    def _expire(self) -> None:
        """Count the expired deadline and queue its command."""
        due = self._queue.room.table.due
        metrics = self._context.store.metrics
        metrics.deadlines_expired.inc()
        metrics.deadline_delay.observe(0 if due is None else (self._queue.now() - due) / 1000)
        # The row is guarded (`PendingCommand.guarded`): if an outage becomes known first, nothing expires.
        self._queue.post(ExpireDeadline())

    def _lag_allowance(self) -> int:
        """Return how many milliseconds after the deadline a choice may still arrive, because of network delay."""
        table = self._queue.room.table
        max_lag = [self._streams.max_lag(seat) for seat in (*table.waiting, *awaited_seats(table))]
        return min(max(max_lag, default=0), self._context.timeouts.lag)
