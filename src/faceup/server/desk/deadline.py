"""The clock of one room: when time is up, for whom, and whose fault it would be."""

import asyncio
from typing import Final

from faceup.core import Seat
from faceup.server.desk.errands import Errands
from faceup.server.desk.means import SERVER, Means
from faceup.server.desk.streams import Streams
from faceup.server.desk.turns import Ack, Turns
from faceup.server.desk.waking import decision_began, for_the_table, ran_at
from faceup.server.rooms import Extend, Tick
from faceup.table import awaited, to_choose

AGAIN: Final = 500
"""Milliseconds until what could not be done is tried again."""


class Deadline:
    """Sees to it that the clock plays when time is up, and not because of us.

    Args:
        means: of the process.
        turns: of the room.
        streams: of the room.
        errands: of the room.
        table: the room's id.
        opened_at: when it was opened, on the database's clock.
    """

    def __init__(
        self, means: Means, turns: Turns, streams: Streams, errands: Errands, *, table: str, opened_at: int
    ) -> None:
        self._means = means
        self._turns = turns
        self._streams = streams
        self._errands = errands
        self._table = table
        self._opened_at = opened_at
        self._not_before = 0

    @property
    def next(self) -> int | None:
        """When time is up, in milliseconds since the room was opened; None if it never is."""
        due = self._turns.room.table.due
        return None if due is None else max(due + self._allowance(), self._not_before)

    def wait(self, milliseconds: int = AGAIN) -> None:
        """Leave the clock alone for so long."""
        self._not_before = self._turns.now() + milliseconds

    def look(self, now: int) -> None:
        """Do what is due."""
        due = self.next
        if due is None or now < due:
            return
        self.wait()
        room, means = self._turns.room, self._means
        late = [seat for seat in (*to_choose(room.table), *awaited(room.table)) if not for_the_table(room, seat)]
        began, due = decision_began(room), room.table.due
        restarted = means.started - self._opened_at
        if began is not None and due is not None and began < restarted and due < restarted + means.patience.reconnect:
            # It began before this server did, and whoever was cut off by that has to find back first. That is given
            # once: so it counts from our start where time was up before.
            more = means.patience.reconnect + max(0, restarted - due)
            self._turns.post(Extend(more), f"{SERVER}start-{means.store.process}")
        elif all(self._streams.watched(seat) for seat in late):
            self._tick()
        else:
            self.wait(means.patience.handover)
            self._errands.run(self._up_elsewhere(late))

    def extend(self, by: int, key: str, before: int) -> asyncio.Future[Ack] | None:
        """Move the deadline of what began before then, on the database's clock; None if there is none."""
        if not ran_at(self._turns.room, self._opened_at, before):
            return None
        return self._turns.post(Extend(by), key)

    async def _up_elsewhere(self, late: list[Seat]) -> None:
        """Time is up for a seat that is not connected here."""
        turns, patience = self._turns, self._means.patience
        decision = turns.room.table.decision
        held = await self._means.connections.elsewhere(self._table)
        holders = {process for seat in late if not self._streams.watched(seat) for process in held.get(seat, ())}
        due = turns.room.table.due
        if turns.room.table.decision != decision or due is None or turns.now() < due:
            self.wait(0)
            return
        self.wait()
        # It is for that process; and if that is dead, whoever notices gives the seats more time.
        if not holders or turns.now() >= due + patience.lag + patience.handover:
            self._tick()

    def _tick(self) -> None:
        due = self._turns.room.table.due
        self._means.figures.time_up(0 if due is None else self._turns.now() - due)
        self._turns.post(Tick())

    def _allowance(self) -> int:
        """How long after a deadline a choice may still come in that was sent before it."""
        table = self._turns.room.table
        lags = [self._streams.lags(seat) for seat in (*to_choose(table), *awaited(table))]
        return min(max(lags, default=0), self._means.patience.lag)
