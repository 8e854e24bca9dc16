"""One room in this process: its commands in turn, each kept before anybody hears of it."""

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from typing import Final, NamedTuple

import msgspec

from faceup.core import Malformed, RulesError, Seat
from faceup.server.desk.attendance import Attendance, people_here
from faceup.server.desk.connections import postponing
from faceup.server.desk.means import SERVER, Means
from faceup.server.desk.playing import Playing, bot_of, for_the_table, searches
from faceup.server.desk.refusals import NoTable
from faceup.server.desk.streams import Step, Streams, lines_of
from faceup.server.desk.subscription import Subscription
from faceup.server.desk.waking import decision_began, people, rests, summary_of, wake_of
from faceup.server.rooms import (
    AnyRoomEntry,
    Bot,
    Close,
    Extend,
    Leave,
    Pause,
    Resume,
    Return,
    Room,
    RoomCommand,
    RoomOpened,
    StandIn,
    Tick,
    dumps,
    evolve,
    loads,
    open_room,
    step,
    version_for,
    viewer_of,
)
from faceup.server.store import Append, Collision, Frozen, Missing, StoreError, Unavailable
from faceup.table import awaited, to_choose

_LOG: Final = logging.getLogger(__name__)

_TRIES: Final = 50
"""How often a command is decided anew because another process was first."""

_AGAIN: Final = 500
"""Milliseconds until what could not be done is tried again."""


class Ack(NamedTuple):
    """A command is in the log: the number of its append."""

    seq: int


class Wanted(msgspec.Struct, eq=False):
    """A command that waits for its turn, and who waits for the answer."""

    command: RoomCommand
    key: str | None
    player: str | None
    lag: int
    guarded: bool
    answer: asyncio.Future[Ack]
    tries: int = 0


class _Decided(NamedTuple):
    wanted: Wanted
    entries: tuple[AnyRoomEntry, ...]
    step: Step


class LiveRoom:
    """A room as this process has folded it, with whoever watches it here.

    Attributes:
        table: its id.
        opened_at: when it was opened, on the database's clock.
        room: as the log has it, as far as it was read.
        gone: it is not to be used any more: the log is not what was read.
        idle_since: since when nobody has used it here, on the event loop's clock.
    """

    def __init__(self, means: Means, table: str, opened_at: int, log: Iterable[Append]) -> None:
        self.table = table
        self.opened_at = opened_at
        self.gone = False
        self.idle_since = 0.0
        self._means = means
        self._waiting: list[Wanted] = []
        self._working: asyncio.Task[None] | None = None
        self._behind = False  # the log goes on, and it is to be read
        self._unsure = False  # it may go on, which has to be known before the next command
        self._errands: set[asyncio.Task[None]] = set()
        self._thinking: set[tuple[int, Seat]] = set()
        self._clock_again = 0
        self._over_at: int | None = None
        steps = folded(log)
        self.room: Room = steps[-1].after
        self._started = next((step.after.told for step in steps if step.after.status != "pending"), None)
        self._streams = Streams(self.room)
        if self._streams.delayed:
            self._streams.hold_back(steps, self.now())
        self._attendance = Attendance(self._streams, means.patience)
        self._playing = Playing(means.patience)
        self._settle(ours=means.alone or self.room.version == 1)

    @property
    def seq(self) -> int:
        """The number of the last append that was read."""
        return self.room.version - 1

    def now(self) -> int:
        """Milliseconds since the room was opened."""
        return self._means.clock() - self.opened_at

    @property
    def watched(self) -> bool:
        """Whether anybody watches it here."""
        return self._streams.readers > 0

    @property
    def busy(self) -> bool:
        """Whether something goes on in it that would be lost if it were put out of memory."""
        return self.watched or self._working is not None or bool(self._errands)

    @property
    def waits_for_people(self) -> bool:
        """Whether somebody without a connection still counts as present."""
        return self._attendance.next is not None

    # Commands.

    async def ask(
        self, command: RoomCommand, *, key: str | None = None, player: str | None = None, lag: int = 0
    ) -> Ack:
        """Have a command done: come back when it is in the log, or was before.

        Args:
            command: what is asked.
            key: its id, as it is in the log.
            player: who asks; None is the server.
            lag: how long it was on its way.

        Raises:
            RulesError: the room refuses it.
            StoreError: it could not be kept, or only in time for nothing.
        """
        return await self._put(command, key, player, lag)

    def post(self, command: RoomCommand, key: str | None = None) -> None:
        """Have a command of the server's own done; nobody waits for it, and it may be refused."""
        self._put(command, key, None, 0).add_done_callback(_swallow)

    def read_on(self) -> None:
        """Another process may have appended something."""
        self._behind = True
        self._work_on()

    def _put(self, command: RoomCommand, key: str | None, player: str | None, lag: int) -> asyncio.Future[Ack]:
        guarded = player is None and isinstance(command, Tick | StandIn | Leave | Close)
        wanted = Wanted(command, key, player, lag, guarded, asyncio.get_running_loop().create_future())
        self._waiting.append(wanted)
        self._work_on()
        return wanted.answer

    def _work_on(self) -> None:
        if self._working is None:
            self._working = asyncio.get_running_loop().create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting or self._behind:
                taken, self._waiting = self._waiting, []
                try:
                    if self._behind or self._unsure:
                        await self._catch_up()
                    if taken:
                        await self._turn(taken)
                except Exception as error:  # noqa: BLE001 -- whatever it was, somebody waits for an answer, and the room goes on
                    if not isinstance(error, StoreError | NoTable):
                        _LOG.exception("a command of table %s failed", self.table)
                    _fail(taken, error)
                    self._unsure = True
        finally:
            self._working = None
        self._alarm()

    async def _turn(self, taken: list[Wanted]) -> None:
        """Decide all that was taken, keep what follows, and only then tell and answer."""
        answers: list[tuple[Wanted, Ack | RulesError]] = []
        decided = self._decide(taken, answers)
        if decided:
            appends = self._appends(decided)
            first, last = decided[0].step.before, decided[-1].step.after
            changed = first.table.players is not last.table.players or first.status != last.status
            summary = summary_of(last) if changed else None
            try:
                await self._means.store.append_all(appends, summary)
            except Collision:
                self._means.figures.collisions += 1
                self._behind = True
                self._again(taken)
                return
            except Frozen as error:
                self._clock_again = self._means.clock() + _AGAIN
                _fail([wanted for wanted in taken if wanted.guarded], error)
                self._again([wanted for wanted in taken if not wanted.guarded])
                return
            except Missing as error:
                self.gone = True  # or it is not the log that was read: whoever asks next reads it from its beginning
                self._streams.end("again")
                raise NoTable(error.message, what=self.table, where="table") from None
            self._means.figures.appends += len(appends)
            self._advance([each.step for each in decided], ours=True)
        for wanted, answer in answers:
            if wanted.answer.done():
                continue
            if isinstance(answer, Ack):
                self._means.figures.commands[_do(wanted.command)] += 1
                wanted.answer.set_result(answer)
            else:
                self._means.figures.refusals[answer.kind] += 1
                wanted.answer.set_exception(answer)

    def _decide(self, taken: list[Wanted], answers: list[tuple[Wanted, Ack | RulesError]]) -> list[_Decided]:
        room, now, decided = self.room, self.now(), list[_Decided]()
        for wanted in taken:
            key = wanted.key
            if key is not None and (known := room.seen.get(key)) is not None:
                answers.append((wanted, Ack(known)))
                continue
            at = self._in_time(room, now, wanted.lag) if wanted.lag else now
            try:
                entries, after = step(room, wanted.command, wanted.player, at, self._means.rng, key=key)
            except RulesError as error:
                answers.append((wanted, error))
                continue
            if entries:
                decided.append(_Decided(wanted, entries, Step(room, after)))
                room = after
            answers.append((wanted, Ack(room.version - 1)))
        return decided

    def _appends(self, decided: list[_Decided]) -> list[Append]:
        """What is kept of it. A table's row tells of the last append alone, and so only that is asked for it."""
        last = decided[-1].step.after
        status, wake = last.status, wake_of(last, self.opened_at, self._means.patience)
        return [
            Append(
                table=self.table,
                seq=step.before.version,
                at=step.after.at,
                entries=dumps(entries),
                command=wanted.key,
                status=status,
                wake=wake,
                guarded=wanted.guarded,
            )
            for wanted, entries, step in decided
        ]

    def _in_time(self, room: Room, now: int, lag: int) -> int:
        """When a command counts as given: late by no more than its way through the network is in time."""
        due = room.table.due
        return now if due is None or now < due else now - min(lag, self._means.patience.lag)

    def _again(self, taken: list[Wanted]) -> None:
        tired = [wanted for wanted in taken if wanted.tries >= _TRIES]
        _fail(tired, Unavailable("other servers were first too often; nothing was stored"))
        for wanted in taken:
            wanted.tries += 1
        self._waiting[:0] = [wanted for wanted in taken if wanted.tries <= _TRIES]

    async def _catch_up(self) -> None:
        self._behind = False
        appends = await self._means.store.read(self.table, after=self.seq)
        self._unsure = False
        steps, room = [], self.room
        for append in appends:
            after = evolve(room, loads(append.entries), append.command)
            steps.append(Step(room, after))
            room = after
        if steps:
            self._advance(steps, ours=False)

    # What follows when the log has moved on.

    def _advance(self, steps: list[Step], *, ours: bool) -> None:
        self.room = steps[-1].after
        if self._started is None:
            self._started = next((after.told for _, after in steps if after.status != "pending"), None)
        self._means.figures.lines += self._streams.tell(steps, self.now())
        self._settle(ours=ours or self._means.alone)

    def _settle(self, *, ours: bool) -> None:
        now, room = self.now(), self.room
        self._attendance.look(room, now)
        self._playing.look(room, now, ours=ours)
        if room.status == "closed" and self._streams.next_later is None:
            self._streams.end("closed")
        if room.status == "finished" and self._over_at is None:
            self._over_at = now + self._means.patience.linger
        if room.status == "active" and (everybody := people(room)):
            here = people_here(room)
            if not here and room.table.paused is None:
                self.post(Pause())  # nobody plays against nobody
            elif here and everybody and rests(room):
                self.post(Resume())
        self._alarm()

    def _alarm(self) -> None:
        """Set the time at which this room wants to be looked at again."""
        if self.gone:
            self._means.alarms.set(self, None)
            return
        room, patience = self.room, self._means.patience
        times = [self._attendance.next, self._playing.next, self._streams.next_later]
        if room.status == "active":
            if room.table.paused is not None:
                if people_here(room):
                    times.append(max(room.table.paused + patience.paused, self._clock_again - self.opened_at))
            elif (due := room.table.due) is not None:
                times.append(max(due + self._allowance(), self._clock_again - self.opened_at))
        if self._over_at is not None and self.watched:
            times.append(self._over_at)
        soonest = min((time for time in times if time is not None), default=None)
        self._means.alarms.set(self, None if soonest is None else self.opened_at + soonest)

    def _allowance(self) -> int:
        """How long after a deadline a choice may still come in that was sent before it."""
        lags = (self._streams.lags(seat) for seat in (*to_choose(self.room.table), *awaited(self.room.table)))
        return min(max(lags, default=0), self._means.patience.lag)

    def look(self) -> None:
        """Do what is due by now."""
        now, room, patience = self.now(), self.room, self._means.patience
        if not self._means.awake():  # first it has to be found out for how long we were not
            self._means.alarms.set(self, self._means.clock() + _AGAIN)
            return
        self._means.figures.lines += self._streams.tell_later(now)
        if room.status == "active":
            if room.table.paused is not None:
                if now >= room.table.paused + patience.paused and people_here(room):
                    self._clock_again = self._means.clock() + _AGAIN
                    self.post(Resume())
            elif (due := room.table.due) is not None and now >= due + self._allowance():
                self._time_up()
        for seat in self._playing.due(now):
            self._play(seat)
        for seat in self._attendance.gone(now):
            self._attendance.wait_longer(seat, now + patience.take_over)
            self._errand(self._lose(seat))
        if room.status == "closed" and self._streams.next_later is None:
            self._streams.end("closed")
        if self._over_at is not None and now >= self._over_at and self._streams.next_later is None:
            self._streams.end("over")
        self._alarm()

    # The clock.

    def _time_up(self) -> None:
        self._clock_again = self._means.clock() + _AGAIN
        room, means = self.room, self._means
        late = [seat for seat in (*to_choose(room.table), *awaited(room.table)) if not for_the_table(room, seat)]
        began, due = decision_began(room), room.table.due
        restarted = means.started - self.opened_at
        if room.table.sealing and restarted > 0 and self.now() < restarted + means.patience.reconnect:
            self._clock_again = means.started + means.patience.reconnect  # likewise, for clients that pledge or open
        elif began is not None and due is not None and began < restarted and due < restarted + means.patience.reconnect:
            # It began before this server did, and whoever was cut off by that has to find back first.
            self.post(Extend(means.patience.reconnect), f"{SERVER}start-{means.store.process}")
        elif all(self._streams.watched(seat) for seat in late):
            self._means.figures.time_up(self.now() - due if due is not None else 0)
            self.post(Tick())
        else:
            self._clock_again = self._means.clock() + self._means.patience.handover
            self._errand(self._time_up_elsewhere(late))

    async def _time_up_elsewhere(self, late: list[Seat]) -> None:
        """Time is up for a seat that is not connected here: see to it that this is not our own fault."""
        means, table = self._means, self.room.table
        held = await means.connections.elsewhere(self.table)
        holders = {process for seat in late if not self._streams.watched(seat) for process in held.get(seat, ())}
        due = self.room.table.due
        if self.room.table.decision != table.decision or due is None or self.now() < due:
            self._clock_again = 0
            return
        if holders and self.now() < due + means.patience.lag + means.patience.handover:
            # It is for that process; and if that is dead, whoever notices gives the seats more time.
            self._clock_again = means.clock() + _AGAIN
            return
        self._clock_again = means.clock() + _AGAIN
        means.figures.time_up(self.now() - due)
        self.post(Tick())

    def extend(self, by: int, key: str, before: int) -> asyncio.Future[Ack] | None:
        """Move the deadline of a decision that began before then, on the database's clock; None if there is none."""
        began = decision_began(self.room)
        if self.room.table.due is None or began is None or self.opened_at + began > before:
            return None
        moved = self._put(Extend(by), key, None, 0)
        moved.add_done_callback(_swallow)
        return moved

    async def tidy(self) -> None:
        """Close the room if nobody has been there for so long; else say when to look again."""
        room, patience = self.room, self._means.patience
        if room.status not in {"pending", "active"}:
            return
        last = room.at + (patience.forgotten if room.status == "pending" else patience.abandoned)
        if self.now() < last:
            return
        held = await self._means.connections.elsewhere(self.table)
        if self.watched or any(processes & self._means.alive for processes in held.values()):
            await self._means.store.write(postponing(self.table, self.seq, self._means.clock() + patience.called))
        elif self.room is room:
            self.post(Close("abandoned"))

    # Those who play for the table.

    def _play(self, seat: Seat) -> None:
        room = self.room
        table, player = room.table, room.table.players[seat]
        if player is None:
            return
        if room.owners[seat] is not None:
            self.post(StandIn(seat, table.decision))
        elif (table.decision, seat) not in self._thinking:
            self._thinking.add((table.decision, seat))
            self._errand(self._think(room, seat))

    async def _think(self, room: Room, seat: Seat) -> None:
        table, means = room.table, self._means
        key = (table.decision, seat)
        try:
            chosen, view = bot_of(room, seat), table.rules.view(table.state, seat)
            if searches(chosen):
                loop = asyncio.get_running_loop()
                action = await loop.run_in_executor(means.thinkers, chosen, table.rules, view, means.rng)
            else:
                action = chosen(table.rules, view, means.rng)
        except Exception:  # noqa: BLE001 -- its author's fault must not stop the table
            _LOG.exception("the bot in seat %d of table %s failed", seat, self.table)
            if table.due is not None:
                return  # the clock will choose
            action = table.stand_in(table.rules, table.rules.view(table.state, seat), means.rng)
        finally:
            self._thinking.discard(key)
        self.post(Bot(seat, table.rules.describe(action), table.decision), f"{SERVER}bot-{table.decision}-{seat}")

    # Who is there.

    async def watch(self, player: str | None, after: int | None) -> Subscription:
        """A reader of what the player may know, from after a version that it has seen, or beginning with the sight.

        Raises:
            Hidden: the player has no seat, and nobody may look on.
            Unavailable: what it has missed could not be read.
        """
        reader = Subscription(player, on_close=self._left)
        viewer = viewer_of(self.room, player)
        missed = None
        if after is not None and self._started is not None and self._started <= after:
            missed = await self._missed(viewer, after)
        if missed is None:
            self._streams.begin(reader, viewer, self.now())
        else:
            self._streams.go_on(reader, viewer, missed)
        self._arrived(viewer)
        return reader

    async def _missed(self, viewer: int | None, after: int) -> bytes | None:
        """The lines of a viewer since a version; None if that never was."""
        seen = self._streams.seen_by(viewer)
        if after > version_for(seen, viewer):
            return None
        stream = self._streams.of(viewer)
        if (missed := stream.missed(after, version_for(seen, viewer))) is not None:
            return missed
        while True:
            steps = folded(await self._means.store.read(self.table))
            # What others have appended meanwhile is told when it is taken in; what we have, may not have been read.
            seen = self._streams.seen_by(viewer)
            if len(steps) >= seen.version:
                return b"".join(line.text for line in lines_of(steps[: seen.version], viewer) if line.v > after)

    def sight_room(self, player: str | None) -> tuple[Room, int | None]:
        """The room as it stands for a player, and as which viewer it sees it."""
        viewer = viewer_of(self.room, player)
        return self._streams.seen_by(viewer), viewer

    def called(self, player: str) -> None:
        """A player has sent a command."""
        seat = viewer_of(self.room, player)
        if seat is not None:
            self._attendance.called(self.room, seat, self.now())

    def away(self, player: str) -> Seat | None:
        """The player's seat, if the player has gone away from it."""
        seat = viewer_of(self.room, player)
        if seat is None or self.room.status != "active":
            return None
        sitting = self.room.table.players[seat]
        return seat if sitting is not None and not sitting.here else None

    def put(self, line: bytes) -> None:
        """Give everybody who watches it here a line that is not the table's, and has no version."""
        self._streams.put(line)

    def end(self) -> None:
        """The server stops: all readers are told to come back."""
        self._means.alarms.set(self, None)
        self._streams.end("restart")

    async def rest(self) -> None:
        """Come back when nothing goes on in the room any more."""
        while self._working is not None or self._errands:
            await asyncio.wait([task for task in (self._working, *self._errands) if task is not None])

    def _arrived(self, viewer: int | None) -> None:
        if viewer is not None:
            self._means.connections.note(self.table, viewer, connected=True)
            player = self.room.table.players[viewer]
            if self.room.status == "active" and player is not None and not player.here:
                self.post(Return(viewer))
        self._attendance.look(self.room, self.now())
        self._alarm()

    def _left(self, reader: Subscription) -> None:
        if reader.ended == "slow":
            self._means.figures.slow += 1
        viewer = self._streams.leave(reader)
        if viewer is not None and not self._streams.watched(viewer):
            self._means.connections.note(self.table, viewer, connected=False)
        self.idle_since = asyncio.get_running_loop().time()
        if not self.gone:
            self._attendance.look(self.room, self.now())
            self._alarm()

    async def _lose(self, seat: Seat) -> None:
        """A seat was waited for long enough: its player is away, unless it is connected to another process."""
        means = self._means
        held = (await means.connections.elsewhere(self.table)).get(seat, set())
        if held & means.alive:
            self._attendance.wait_longer(seat, self.now() + means.patience.called)
            return
        if not self._streams.watched(seat) and seat in people_here(self.room):
            self.post(Leave(seat))

    def _errand(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._carefully(work))
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    async def _carefully(self, work: Coroutine[object, object, None]) -> None:
        try:
            await work
        except StoreError as error:
            _LOG.warning("table %s: %s", self.table, error.message)
        except RulesError:
            pass  # it is not needed any more
        except Exception:  # noqa: BLE001 -- nobody waits for it: it is said where somebody looks
            _LOG.exception("an errand of table %s failed", self.table)


def folded(log: Iterable[Append]) -> list[Step]:
    """Every append of a log with the room before and after it. Raises `Malformed`."""
    steps: list[Step] = []
    room: Room | None = None
    for append in log:
        entries = loads(append.entries)
        if room is None:
            first = entries[0]
            if not isinstance(first, RoomOpened):
                raise Malformed("the log does not begin with the opening of a room", where="log")
            room = open_room(first.opening)
        after = evolve(room, entries, append.command)
        steps.append(Step(room, after))
        room = after
    return steps


def _fail(wanted: Iterable[Wanted], error: Exception) -> None:
    for each in wanted:
        if not each.answer.done():
            each.answer.set_exception(error)


def _swallow(answer: asyncio.Future[Ack]) -> None:
    if not answer.cancelled():
        answer.exception()  # it was the server's own idea, and the room was right to refuse


def _do(command: RoomCommand) -> str:
    return str(type(command).__struct_config__.tag)
