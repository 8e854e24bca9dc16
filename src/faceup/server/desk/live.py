"""One room in this process: its log in memory, whoever watches it here, and what is due in it."""

import asyncio
import logging
from collections.abc import Iterable
from typing import Final

from faceup.core import Seat
from faceup.server.desk.attendance import Attendance, people_here
from faceup.server.desk.connections import postponing
from faceup.server.desk.deadline import AGAIN, Deadline
from faceup.server.desk.errands import Errands
from faceup.server.desk.means import Means
from faceup.server.desk.playing import Playing
from faceup.server.desk.streams import Step, Streams, missed_lines
from faceup.server.desk.subscription import Subscription
from faceup.server.desk.turns import Ack, Turns, folded
from faceup.server.desk.waking import people, rests
from faceup.server.rooms import (
    Choose,
    Close,
    Leave,
    Mark,
    Pause,
    Resume,
    Return,
    Room,
    RoomCommand,
    Unchoose,
    version_for,
    viewer_of,
)
from faceup.server.store import Append, Frozen, Unavailable

_LOG: Final = logging.getLogger(__name__)


class LiveRoom:
    """A room as this process has folded it, with whoever watches it here.

    Args:
        means: of the process.
        table: its id.
        opened_at: when it was opened, on the database's clock.
        log: all of its appends so far.

    Attributes:
        table: its id.
        turns: its commands.
        deadline: its clock.
        idle_since: since when nobody has used it here, on the event loop's clock.
    """

    def __init__(self, means: Means, table: str, opened_at: int, log: Iterable[Append]) -> None:
        steps = folded(log)
        self.table = table
        self.idle_since = asyncio.get_running_loop().time()
        self._opened_at = opened_at
        self._means = means
        self._errands = Errands(table)
        self._streams = Streams(steps[-1].after)
        self.turns = Turns(means, table, opened_at, steps[-1].after, moved=self._moved, rested=self._rested)
        self.deadline = Deadline(means, self.turns, self._streams, self._errands, table=table, opened_at=opened_at)
        self._attendance = Attendance(self._streams, means.patience)
        self._playing = Playing(means, self.turns, self._errands, table=table)
        self._over_at: int | None = None
        self._pause_ends_not_before = 0
        self._started = _started(steps)
        if self._streams.delayed:
            self._streams.hold_back(steps, self.turns.now())
        self._settle(ours=means.alone or self.room.version == 1)

    @property
    def room(self) -> Room:
        """As the log has it, as far as it was read."""
        return self.turns.room

    @property
    def watched(self) -> bool:
        """Whether anybody watches it here."""
        return self._streams.readers > 0

    @property
    def busy(self) -> bool:
        """Whether something goes on in it that would be lost if it were put out of memory."""
        return self.watched or self.turns.busy or self._errands.busy

    @property
    def waits(self) -> bool:
        """Whether somebody without a connection still counts as present, or is to be chosen for soon."""
        return self._attendance.next is not None or self._playing.next is not None

    async def ask(
        self, command: RoomCommand, *, key: str | None = None, player: str | None = None, lag: int = 0
    ) -> Ack:
        """Have a command done, as `Turns.ask`."""
        return await self.turns.ask(command, key=key, player=player, lag=lag)

    def send(self, command: RoomCommand, key: str, player: str | None, lag: int) -> asyncio.Future[Ack]:
        """Have a command done, as `Desk.send`."""
        if player is None:
            return self.turns.put(command, key, None, lag)
        room, seat = self.room, viewer_of(self.room, player)
        if seat is not None:
            if self._attendance.waits_for(seat):
                self._attendance.called(room, seat, self.turns.now())
            sitting = room.table.players[seat]
            away = room.status == "active" and sitting is not None and not sitting.here
            if away and isinstance(command, Mark | Choose | Unchoose):
                self.turns.post(Return(seat))  # whoever plays is back
        return self.turns.put(command, f"{player}:{key}", player, lag)

    # When the log has moved on, and when something is due.

    def _moved(self, steps: list[Step], ours: bool) -> None:
        if self._started is None:
            self._started = _started(steps)
        try:
            self._means.figures.lines += self._streams.tell(steps, self.turns.now())
        except Exception:  # noqa: BLE001 -- it is kept, whatever is wrong with the telling: so they come and see
            _LOG.exception("the watchers of table %s could not be told", self.table)
            self._streams.end("again")
        self._settle(ours=ours or self._means.alone)

    def _rested(self, frozen: Frozen | None) -> None:
        if frozen is not None:
            self.deadline.wait()
        elif self.turns.gone:
            self._streams.end("again")
        self._alarm()

    def _settle(self, *, ours: bool) -> None:
        now, room = self.turns.now(), self.room
        self._attendance.look(room, now)
        self._playing.look(room, now, ours=ours)
        self._end_if_over(now)
        if room.status == "active" and people(room):
            here = people_here(room)
            if not here and room.table.paused is None:
                self.turns.post(Pause())  # nobody plays against nobody
            elif here and rests(room):
                self.turns.post(Resume())
        self._alarm()

    def _alarm(self) -> None:
        """Set the time at which this room wants to be looked at again."""
        if self.turns.gone:
            self._means.alarms.set(self, None)
            return
        times = [self._attendance.next, self._playing.next, self._streams.next_later]
        if self.room.status == "active":
            times += [self.deadline.next, self._pause_ends()]
        if self._over_at is not None and self.watched:
            times.append(self._over_at)
        soonest = min((time for time in times if time is not None), default=None)
        self._means.alarms.set(self, None if soonest is None else self._opened_at + soonest)

    def look(self) -> None:
        """Do what is due by now."""
        now = self.turns.now()
        if not self._means.sure():  # first it has to be found out for how long we were not
            self._means.alarms.set(self, self._means.clock() + AGAIN)
            return
        if self.turns.make_up():
            return  # what is due then is another time
        self._means.figures.lines += self._streams.tell_later(now)
        if self.room.status == "active":
            self.deadline.look(now)
            if (end := self._pause_ends()) is not None and now >= end:
                self._pause_ends_not_before = now + AGAIN
                self.turns.post(Resume())
        self._playing.play(now)
        for seat in self._attendance.gone(now):
            self._attendance.wait_longer(seat, now + self._means.patience.take_over)
            self._errands.run(self._lose(seat))
        self._end_if_over(now)
        self._alarm()

    def _pause_ends(self) -> int | None:
        """When a pause has been long enough; a game that rests because nobody is there waits for somebody."""
        paused = self.room.table.paused
        if paused is None or not people_here(self.room):
            return None
        return max(paused + self._means.patience.paused, self._pause_ends_not_before)

    def _end_if_over(self, now: int) -> None:
        if self.room.status == "finished" and self._over_at is None:
            self._over_at = now + self._means.patience.linger
        if self._streams.next_later is not None:
            return
        if self.room.status == "closed":
            self._streams.end("closed")
        elif self._over_at is not None and now >= self._over_at:
            self._streams.end("over")

    async def tidy(self) -> None:
        """Close the room if nobody has been there for so long; else say when to look again."""
        room, patience = self.room, self._means.patience
        if room.status not in {"pending", "active"}:
            return
        last = room.at + (patience.forgotten if room.status == "pending" else patience.abandoned)
        if self.turns.now() < last:
            return
        held = await self._means.connections.elsewhere(self.table)
        if self.watched or any(processes & self._means.alive for processes in held.values()):
            later = self._means.clock() + patience.called
            await self._means.store.write(postponing(self.table, self.turns.seq, later))
        elif self.room is room:
            self.turns.post(Close("abandoned"))

    # Who is there.

    async def watch(self, player: str | None, after: int | None) -> Subscription:
        """A reader of what the player may know, from after a version that it has seen, or beginning with the sight.

        Raises:
            Hidden: the player has no seat, and nobody may look on.
            Unavailable: what it has missed could not be read.
        """
        reader = Subscription(player, on_close=self._left)
        viewer = viewer_of(self.room, player)
        if after is not None and after > version_for(self._streams.seen_by(viewer), viewer):
            # Another process has told more than was read here: nobody is taken back to what was before.
            length = (await self._means.store.lengths([self.table])).get(self.table, self.turns.seq)
            if length > self.turns.seq:
                self.turns.read_on()
                await self.turns.rest()
            if length > self.turns.seq:
                raise Unavailable("what was told by another server cannot be read now; nothing was read")
            viewer = viewer_of(self.room, player)
        missed = None
        if after is not None and self._started is not None and self._started <= after:
            missed = await self._missed(viewer, after)
        if missed is None:
            self._streams.begin(reader, viewer, self.turns.now())
        else:
            self._streams.go_on(reader, viewer, missed)
        self._arrived(viewer)
        self._end_if_over(self.turns.now())
        return reader

    async def _missed(self, viewer: int | None, after: int) -> bytes | None:
        """The lines of a viewer since a version; None if that never was."""
        if after > version_for(self._streams.seen_by(viewer), viewer):
            return None
        if (missed := self._streams.missed(viewer, after)) is not None:
            return missed
        while True:
            steps = folded(await self._means.store.read(self.table))
            # What others have appended meanwhile is told when it is taken in; what we have, may not have been read.
            seen = self._streams.seen_by(viewer)
            if len(steps) >= seen.version:
                return missed_lines(steps[: seen.version], viewer, after)

    def first(self, player: str | None) -> bytes:
        """The line with which a player's stream would begin now."""
        return self._streams.first(viewer_of(self.room, player), player, self.turns.now())

    def time(self, player: str | None) -> int:
        """What time it is here for a player."""
        return self._streams.time_for(viewer_of(self.room, player), self.turns.now())

    def sight_room(self, player: str | None) -> tuple[Room, int | None]:
        """The room as it stands for a player, and as which viewer it sees it."""
        viewer = viewer_of(self.room, player)
        return self._streams.seen_by(viewer), viewer

    def put(self, line: bytes) -> None:
        """Give everybody who watches it here a line that is not the table's, and has no version."""
        self._streams.put(line)

    def end(self) -> None:
        """The server stops: all readers are told to come back."""
        self._means.alarms.set(self, None)
        self._streams.end("restart")

    async def rest(self) -> None:
        """Come back when nothing goes on in the room any more; what nobody waits for is given up."""
        await self._errands.stop()
        await self.turns.rest()

    def _arrived(self, viewer: int | None) -> None:
        if viewer is not None:
            self._means.connections.note(self.table, viewer, connected=True)
            player = self.room.table.players[viewer]
            if self.room.status == "active" and player is not None and not player.here:
                self.turns.post(Return(viewer))
        self._attendance.look(self.room, self.turns.now())
        self._alarm()

    def _left(self, reader: Subscription) -> None:
        if reader.ended == "slow":
            self._means.figures.slow += 1
        viewer = self._streams.leave(reader)
        if viewer is not None and not self._streams.watched(viewer):
            self._means.connections.note(self.table, viewer, connected=False)
        self.idle_since = asyncio.get_running_loop().time()
        if not self.turns.gone:
            self._attendance.look(self.room, self.turns.now())
            self._alarm()

    async def _lose(self, seat: Seat) -> None:
        """A seat was waited for long enough: its player is away, unless it is connected to another process."""
        means = self._means
        held = (await means.connections.elsewhere(self.table)).get(seat, set())
        if held & means.alive:
            self._attendance.wait_longer(seat, self.turns.now() + means.patience.called)
            return
        if not self._streams.watched(seat) and seat in people_here(self.room):
            self.turns.post(Leave(seat))


def _started(steps: list[Step]) -> int | None:
    """The version that everybody had when the game began; None if it has not in these steps."""
    return next((after.told for _, after in steps if after.status != "pending"), None)
