"""The commands of one room in turn: decided, kept, and only then told and answered."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import msgspec

from faceup.core import RulesError
from faceup.server.desk.means import SERVER, Means
from faceup.server.desk.refusals import NoTable
from faceup.server.desk.streams import Step
from faceup.server.desk.waking import ran_at, summary_of, wake_of
from faceup.server.rooms import (
    AnyRoomEntry,
    Close,
    Extend,
    Leave,
    Room,
    RoomCommand,
    StandIn,
    Tick,
    dumps,
    evolve,
    loads,
    step,
    steps_of,
)
from faceup.server.store import Append, Collision, Frozen, Missing, StoreError, Unavailable

_LOG: Final = logging.getLogger(__name__)

_TRIES: Final = 50
"""How often a command is decided anew because another process was first."""


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


class Turns:
    """Takes commands for one room, all that wait at a time, and moves the room on.

    Args:
        means: of the process.
        table: the room's id.
        opened_at: when it was opened, on the database's clock.
        room: as the log has it so far.
        moved: is told of the next appends, whether by this process or read from the log.
        rested: is told when nothing waits any more, and of what the clock was refused.

    Attributes:
        room: as the log has it, as far as it was read.
        gone: the log is not the one that was read, or is there no more: this is not to be used any more.
    """

    def __init__(
        self,
        means: Means,
        table: str,
        opened_at: int,
        room: Room,
        *,
        moved: Callable[[list[Step], bool], None],
        rested: Callable[[Frozen | None], None],
    ) -> None:
        self.room = room
        self.gone = False
        self._means = means
        self._table = table
        self._opened_at = opened_at
        self._moved = moved
        self._rested = rested
        self._waiting: list[Wanted] = []
        self._working: asyncio.Task[None] | None = None
        self._behind = False  # the log goes on, and it is to be read
        self._unsure = False  # it may go on, which has to be known before the next command

    @property
    def seq(self) -> int:
        """The number of the last append that was read."""
        return self.room.version - 1

    def now(self) -> int:
        """Milliseconds since the room was opened."""
        return self._means.clock() - self._opened_at

    @property
    def busy(self) -> bool:
        """Whether anything waits or is under way."""
        return self._working is not None

    async def rest(self) -> None:
        """Come back when nothing waits any more."""
        while self._working is not None:
            await asyncio.wait([self._working])

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
        return await self.put(command, key, player, lag)

    def post(self, command: RoomCommand, key: str | None = None) -> asyncio.Future[Ack]:
        """Have a command of the server's own done; nobody has to wait for it, and it may be refused."""
        answer = self.put(command, key, None, 0)
        answer.add_done_callback(_swallow)
        return answer

    def read_on(self) -> None:
        """Another process may have appended something."""
        self._behind = True
        self._work_on()

    def make_up(self) -> bool:
        """Give back what outages took that are not made up for yet; whether there is anything to give."""
        owed = self._owed()
        self._waiting[:0] = owed
        if owed:
            self._work_on()
        return bool(owed)

    def put(self, command: RoomCommand, key: str | None, player: str | None, lag: int) -> asyncio.Future[Ack]:
        """As `ask`, for those who do not wait at once."""
        guarded = player is None and isinstance(command, Tick | StandIn | Leave | Close)
        wanted = Wanted(command, key, player, lag, guarded, self._means.loop.create_future())
        self._waiting.append(wanted)
        self._work_on()
        return wanted.answer

    def _owed(self) -> list[Wanted]:
        """What the clock of the open decision is owed for outages."""
        owed = []
        for outage in self._means.outages:
            key = f"{SERVER}{outage.id}"
            if key not in self.room.seen and ran_at(self.room, self._opened_at, outage.end):
                answer: asyncio.Future[Ack] = self._means.loop.create_future()
                answer.add_done_callback(_swallow)
                owed.append(Wanted(Extend(outage.length), key, None, 0, guarded=False, answer=answer))
        return owed

    def _work_on(self) -> None:
        if self._working is None:
            self._working = self._means.loop.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting or self._behind:
                taken: list[Wanted] = []
                try:
                    if self._waiting and self._means.make_sure is not None and not self._means.sure():
                        await self._means.make_sure()
                    if self._behind or self._unsure:
                        await self._catch_up()
                    # What was nobody's time is given back before anybody is told that time is up.
                    waiting, self._waiting = self._waiting, []
                    taken = [*self._owed(), *sorted(waiting, key=_needs_time)]
                    if taken:
                        await self._turn(taken)
                except Exception as error:  # noqa: BLE001 -- whatever it was, somebody waits for an answer, and the room goes on
                    if not isinstance(error, StoreError | NoTable):
                        _LOG.exception("a command of table %s failed", self._table)
                    if not taken:
                        taken, self._waiting = self._waiting, []
                    _fail(taken, error)
                    self._unsure = True
                    self._means.unheard = self._means.unheard or isinstance(error, Unavailable)
        finally:
            self._working = None
        self._rested(None)

    async def _turn(self, taken: list[Wanted]) -> None:
        """Decide all that was taken, keep what follows, and only then tell and answer."""
        answers: list[tuple[Wanted, Ack | RulesError]] = []
        decided = self._decide(taken, answers)
        if any(_too_soon(wanted, answer) for wanted, answer in answers):
            self._behind = True
            self._again(taken)
            return
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
                self._rested(error)
                _fail([wanted for wanted in taken if wanted.guarded], error)
                self._again([wanted for wanted in taken if not wanted.guarded])
                return
            except Missing as error:
                self.gone = True  # or it is not the log that was read: whoever asks next reads it from its beginning
                raise NoTable(error.message, what=self._table, where="table") from None
            self._means.figures.appends += len(appends)
        self._answer(answers)  # first, so that an answer goes out in one frame with the line that it belongs to
        if decided:
            self._advance([each.step for each in decided], ours=True)

    def _answer(self, answers: Iterable[tuple[Wanted, Ack | RulesError]]) -> None:
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
        status, wake = last.status, wake_of(last, self._opened_at, self._means.patience)
        return [
            Append(
                table=self._table,
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
        appends = await self._means.store.read(self._table, after=self.seq)
        self._unsure = False
        steps, room = [], self.room
        for append in appends:
            after = evolve(room, loads(append.entries), append.command)
            steps.append(Step(room, after))
            room = after
        if steps:
            self._advance(steps, ours=False)

    def _advance(self, steps: list[Step], *, ours: bool) -> None:
        self.room = steps[-1].after
        self._moved(steps, ours)


def folded(log: Iterable[Append]) -> list[Step]:
    """Every append of a log with the room before and after it. Raises `Malformed`."""
    return [Step(*rooms) for rooms in steps_of((loads(append.entries), append.command) for append in log)]


def _needs_time(wanted: Wanted) -> bool:
    """Whether it is decided after what gives time."""
    return not isinstance(wanted.command, Extend)


def _too_soon(wanted: Wanted, answer: Ack | RulesError) -> bool:
    """Whether a person is about to be refused by what was read some time ago.

    Another server may have kept this very command, or moved a deadline: nobody is refused before that was looked up.
    """
    return isinstance(answer, RulesError) and wanted.player is not None and wanted.tries == 0


def _fail(wanted: Iterable[Wanted], error: Exception) -> None:
    for each in wanted:
        if not each.answer.done():
            each.answer.set_exception(error)


def _swallow(answer: asyncio.Future[Ack]) -> None:
    if not answer.cancelled():
        answer.exception()  # it was the server's own idea, and the room may have been right to refuse


def _do(command: RoomCommand) -> str:
    return str(type(command).__struct_config__.tag)
