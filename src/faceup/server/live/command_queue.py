"""The command queue of one room: it decides commands in order, stores them, answers callers and sends updates."""

import asyncio
import logging
from collections.abc import Callable, Iterable
from itertools import chain
from time import perf_counter
from typing import Final, Literal, NamedTuple
from zlib import crc32

import msgspec
from sqlalchemy import Connection

from faceup.core import RulesError
from faceup.server.live.interruptions import Interruption, time_to_give_back
from faceup.server.live.process_context import ProcessContext
from faceup.server.live.subscriptions import RoomStep
from faceup.server.live.turns import turns_of
from faceup.server.live.wake_times import decision_started_at, wake_time, was_running_at
from faceup.server.rooms import Room, dumps, evolve, loads
from faceup.server.rooms.commands import Close, Extend, Rematch, Remove, RoomCommand, Start, TransferHost
from faceup.server.rooms.decide import step
from faceup.server.rooms.entries import AnyRoomEntry
from faceup.server.rooms.errors import CommandIdReusedError, TableNotFoundError
from faceup.server.rooms.evolve import fold_steps
from faceup.server.rooms.host_acts import HostAct
from faceup.server.rooms.room import CHECKSUM, PlayerIds, ProcessedCommand, acting_player, as_ids
from faceup.server.rooms.summary import list_summary
from faceup.server.store import (
    ConflictError,
    LogMissingError,
    LogRewrittenError,
    LogRow,
    NewRow,
    StaleHeartbeatError,
    StoreError,
    UnavailableError,
)
from faceup.server.store.models import TOO_LONG
from faceup.table import ExpireDeadline
from faceup.table.commands import Autoplay, Leave

_LOG: Final = logging.getLogger(__name__)

_MAX_ATTEMPTS: Final = 50
"""Maximum number of retries of a command when its log row was taken by another process first."""


class Ack(NamedTuple):
    """The acknowledgement that a command is in the log, in row number `seq`."""

    seq: int


class PendingCommand(msgspec.Struct, eq=False):
    """A queued command, the future of its result, and the time at which it was queued.

    `players` has all IDs of the player, the current one first; none for a command of the server itself. An extension
    for an interruption gives back what is missing now, so it is not retried but computed again.
    """

    command: RoomCommand
    key: str | None
    players: tuple[str, ...]
    lag: int
    guarded: bool
    answer: asyncio.Future[Ack]
    gives_back: bool = False
    tries: int = 0
    since: float = msgspec.field(default_factory=perf_counter)

    def log_keys(self) -> list[str]:
        """Return the keys under which the log may have the command: one for each ID of the player."""
        if self.key is None:
            return []
        return [f"{player}:{self.key}" for player in self.players] if self.players else [self.key]

    def checksum(self) -> str:
        """Return the checksum of what the player has sent; "" for a command of the server itself."""
        if not self.players or isinstance(self.command, Rematch):  # the server chooses the table of a rematch
            return ""
        return f"{crc32(msgspec.json.encode(self.command)):08x}"

    def answer_again(self, processed: ProcessedCommand) -> Ack | RulesError:
        """Return the answer if the log has a command with this key: the first one, unless the content differs."""
        if processed.checksum in {"", self.checksum()}:
            return Ack(processed.seq)
        return CommandIdReusedError("you have sent another command with this id: draw a new random id")

    def sender(self, room: Room) -> str | None:
        """Return the ID under which the player acts; None for the server itself."""
        return acting_player(room, self.players, self.command) if self.players else None


class _Decided(NamedTuple):
    pending: PendingCommand
    key: str | None
    entries: tuple[AnyRoomEntry, ...]
    step: RoomStep


class CommandQueue:
    """The command queue of one room, which applies all waiting commands in one batch.

    Args:
        context: dependencies shared by all rooms of the process.
        table: the table's ID.
        opened_at: when the table was opened, in milliseconds since 1970 on the database's clock.
        room: the room as of the last log row.
        on_advance: called with the new steps, and with True if this process appended them.
        on_idle: called with None when the queue is empty, and with the error when a guarded append was rejected.

    Attributes:
        room: the room as of the last log row that was read.
        stale: why this object must not be used any more, because the log was deleted or replaced; None if it may.
    """

    def __init__(
        self,
        context: ProcessContext,
        table: str,
        opened_at: int,
        room: Room,
        *,
        on_advance: Callable[[list[RoomStep], bool], None],
        on_idle: Callable[[StaleHeartbeatError | None], None],
    ) -> None:
        self.room = room
        self.stale: Literal["deleted", "resync"] | None = None
        self._context = context
        self._table = table
        self._opened_at = opened_at
        self._on_advance = on_advance
        self._on_idle = on_idle
        self._waiting: list[PendingCommand] = []
        self._worker: asyncio.Task[None] | None = None
        self._interruptions: tuple[Interruption, ...] = ()  # those of this room alone
        self._extending = False  # whether to extend the deadline, even without a command
        self._behind = False  # whether the log has rows that are not read yet
        self._received: dict[int, NewRow] = {}  # rows from other processes, by number
        self._may_be_behind = False  # whether the log may have unread rows, to be read before the next command

    @property
    def is_stale(self) -> bool:
        """Whether the log was deleted or replaced, so that this object must not be used any more."""
        return self.stale is not None

    @property
    def seq(self) -> int:
        """The number of the last log row that was read."""
        return self.room.version - 1

    def now(self) -> int:
        """Return the milliseconds since the table was opened."""
        return self._context.clock() - self._opened_at

    @property
    def busy(self) -> bool:
        """Whether commands are waiting or being applied."""
        return self._worker is not None

    async def wait_until_idle(self) -> None:
        """Wait until the queue is empty."""
        while self._worker is not None:
            await asyncio.wait([self._worker])

    def post(self, command: RoomCommand, key: str | None = None) -> asyncio.Future[Ack]:
        """Queue a command of the server itself. The caller may ignore the future of its result."""
        answer = self.put(command, key, None, 0)
        answer.add_done_callback(ignore_result)
        return answer

    def request_catch_up(self) -> None:
        """Read the log again, because another process may have appended to it."""
        self._behind = True
        self._start_worker()

    def receive(self, row: NewRow) -> None:
        """Continue with a row that another process has appended."""
        if row.seq > self.seq:
            self._received[row.seq] = row
            self._start_worker()

    def give_back_time(self, *interruptions: Interruption) -> bool:
        """Extend the deadline by the interruptions that are pending, and by these. Return whether there is anything."""
        self._interruptions += interruptions
        if self._extensions():
            self._extending = True
            self._start_worker()
            return True
        self._interruptions = ()
        return False

    def put(self, command: RoomCommand, key: str | None, player: PlayerIds | None, lag: int) -> asyncio.Future[Ack]:
        """Queue a command and return the future of its result, which is set when the command is in the log.

        If the log has this command with this key already, the result is the row of that command.

        Args:
            command: the command.
            key: the idempotency key of the command; None without one. Each player has their own keys.
            player: all IDs of the player, or the only one; None is the server itself.
            lag: network delay of the command in milliseconds.

        Raises:
            RulesError: the room rejected the command, or the log has another command with this key.
            StoreError: the command was not stored, or this process's heartbeat is stale.
        """
        players = tuple(as_ids(player))
        guarded = player is None and isinstance(command, ExpireDeadline | Autoplay | Leave | Close | Start)
        pending = PendingCommand(command, key, players, lag, guarded, self._context.loop.create_future())
        if self._context.trace_command is not None and player is not None:
            pending.answer.add_done_callback(self._context.trace_command(str(command.__struct_config__.tag)))
        self._waiting.append(pending)
        self._start_worker()
        return pending.answer

    def _extensions(self) -> list[PendingCommand]:
        """Return the deadline extensions that give back the time of interruptions, each time only once."""
        context, room, extensions = self._context, self.room, list[PendingCommand]()
        outages = [Interruption(cause="outage", start=gap.start, end=gap.end) for gap in context.heartbeat.outages]
        for interruption in (*outages, *context.interruptions, *self._interruptions):
            key, end = interruption.key, min(interruption.end, context.clock())
            if key in room.processed or not was_running_at(room, self._opened_at, end):
                continue
            # Everyone lost all of an outage, because no command was stored during it.
            since = 0 if interruption in outages else self._opened_at + (decision_started_at(room) or 0)
            keys = chain(room.processed, (extension.key or "" for extension in extensions))
            if (time := time_to_give_back(interruption, since, keys)) > 0:
                answer: asyncio.Future[Ack] = context.loop.create_future()
                answer.add_done_callback(ignore_result)
                pending = PendingCommand(Extend(time), key, (), 0, False, answer, gives_back=True)
                extensions.append(pending)
        return extensions

    def _start_worker(self) -> None:
        if self._worker is None:
            self._worker = self._context.loop.create_task(self._work())

    async def _work(self) -> None:
        try:
            while self._waiting or self._behind or self._received or self._extending:
                batch: list[PendingCommand] = []
                try:
                    extending, self._extending = self._extending, False
                    if self._waiting or extending:
                        await self._context.heartbeat.ensure_fresh()
                    # Read first: what is decided on an old room would only lose the race for its row number.
                    if self._behind or self._may_be_behind or self._received:
                        await self._catch_up()
                    # Give back the time of interruptions before timeouts.
                    # No await between this line and `_decide`: what arrives later belongs to the next batch.
                    waiting, self._waiting = self._waiting, []
                    if self._context.stopping:
                        waiting = self._without_own(waiting)
                    batch = [*self._extensions(), *sorted(waiting, key=_is_not_extension)]
                    if batch:
                        await self._process(batch)
                except Exception as error:  # noqa: BLE001 -- callers get the error, and the queue continues
                    if not isinstance(error, StoreError | TableNotFoundError):
                        _LOG.exception("command failed at table %s", self._table)
                    if not batch:
                        batch, self._waiting = self._waiting, []
                    # The commit may have been made although it raised, so the log decides what this room is.
                    _fail(batch, error)
                    self._may_be_behind = True
                    if isinstance(error, UnavailableError):
                        self._context.heartbeat.mark_unreachable()
        finally:
            self._worker, self._interruptions = None, ()
        self._on_idle(None)

    def _without_own(self, waiting: list[PendingCommand]) -> list[PendingCommand]:
        """Fail the server's own commands, because other servers, or the next start, send those that are due then."""
        own = [pending for pending in waiting if not pending.players]
        _fail(own, UnavailableError("this server is shutting down; nothing was stored"))
        return [pending for pending in waiting if pending.players]

    async def _process(self, batch: list[PendingCommand]) -> None:
        """Decide all commands of a batch, store the entries, then answer the callers and broadcast the updates."""
        answers: list[tuple[PendingCommand, Ack | RulesError]] = []
        # Deciding changes nothing here: `self.room` is replaced only after the commit, in `_advance`.
        decided = self._decide(batch, answers)
        if any(_needs_recheck(pending, answer) for pending, answer in answers):
            self._behind = True
            self._retry(batch)
            return
        if decided:
            appends = self._appends(decided)
            first, last = decided[0].step.before, decided[-1].step.after
            changed = first.table.players is not last.table.players or first.status != last.status
            changed = changed or first.programs is not last.programs
            summary = list_summary(last) if changed else None
            try:
                await self._context.store.append(*appends, summary=summary, also=self._record_acts(decided))
            # Another process took the row number first. All of the batch was decided on a room that is now old.
            except ConflictError:
                self._context.store.metrics.append_conflicts.inc()
                self._behind = self._behind or self.seq + 1 not in self._received
                self._retry(batch)
                return
            except StaleHeartbeatError as error:
                self._on_idle(error)
                _fail([pending for pending in batch if pending.guarded], error)
                self._retry([pending for pending in batch if not pending.guarded])
                return
            except LogMissingError as error:
                # The log was deleted or replaced, so the next caller loads it again.
                self.stale = "deleted" if await self._context.store.room(self._table) is None else "resync"
                raise TableNotFoundError(error.message, what=self._table, where="table") from None
            self._context.store.metrics.appends.inc(len(appends))
            if appends[-1].turns is not None:
                self._context.turn_feed.changed(last.owners)
        self._answer(answers)  # before the broadcast, so that an ack shares a frame with its update
        if decided:
            self._advance([decision.step for decision in decided], ours=True)

    def _answer(self, answers: Iterable[tuple[PendingCommand, Ack | RulesError]]) -> None:
        metrics = self._context.store.metrics
        for pending, answer in answers:
            if pending.answer.done():
                continue
            if isinstance(answer, Ack):
                metrics.command(type(pending.command).__struct_config__.tag).inc()
                if pending.players:
                    metrics.command_seconds.observe(perf_counter() - pending.since)
                pending.answer.set_result(answer)
            else:
                metrics.rejections.labels(answer.kind).inc()
                pending.answer.set_exception(answer)

    def _decide(
        self, batch: list[PendingCommand], answers: list[tuple[PendingCommand, Ack | RulesError]]
    ) -> list[_Decided]:
        room, now, decided = self.room, self.now(), list[_Decided]()
        for pending in batch:
            # The keys are part of the room, so that a command is recognized after a restart and at every process.
            commands = [command for key in pending.log_keys() if (command := room.processed.get(key)) is not None]
            if commands:
                answers.append((pending, pending.answer_again(commands[0])))
                continue
            player, key = pending.sender(room), pending.key
            if player is not None and key is not None:
                key = f"{player}:{key}{CHECKSUM}{pending.checksum()}"
            at = self._effective_time(room, now, pending.lag) if pending.lag else now
            try:
                entries, after = step(room, pending.command, player, at, self._context.rng, key=key)
            except RulesError as error:
                answers.append((pending, error))
                continue
            # Later commands are decided on this room although it is not stored yet: they share its transaction.
            if entries:
                decided.append(_Decided(pending, key, entries, RoomStep(room, after)))
                room = after
            answers.append((pending, Ack(room.version - 1)))
        return decided

    def _appends(self, decided: list[_Decided]) -> list[LogRow]:
        """Return the log rows of a batch.

        All rows get the final status, wake time and turns of the batch, because only these are stored besides the log.
        """
        last = decided[-1].step.after
        status, wake = last.status, wake_time(last, self._opened_at, self._context.timeouts)
        turns = turns_of(last, self._opened_at)
        return [
            LogRow(
                table=self._table,
                seq=step.before.version,
                at=step.after.at,
                entries=dumps(entries),
                command=key,
                status=status,
                wake=wake,
                guarded=pending.guarded,
                turns=turns,
            )
            for pending, key, entries, step in decided
        ]

    def _record_acts(self, decided: list[_Decided]) -> Callable[[Connection], None] | None:
        """Return a function that records what hosts do to others; None if there is nothing to record."""
        record, now = self._context.record_act, self._context.clock()
        acts = [
            HostAct(now, self._table, step.before, pending.command, pending.players[0])
            for pending, _, _, step in decided
            if isinstance(pending.command, Remove | TransferHost) and pending.players
        ]
        if record is None or not acts:
            return None

        def record_all(connection: Connection) -> None:
            for act in acts:
                record(connection, act)

        return record_all

    def _effective_time(self, room: Room, now: int, lag: int) -> int:
        """Return the time at which the command counts as received.

        After the deadline, the network delay is subtracted, up to the limit `Timeouts.lag`.
        """
        due = room.table.due
        return now if due is None or now < due else now - min(lag, self._context.timeouts.lag)

    def _retry(self, batch: list[PendingCommand]) -> None:
        self._extending = self._extending or any(pending.gives_back for pending in batch)
        batch = [pending for pending in batch if not pending.gives_back]
        exhausted = [pending for pending in batch if pending.tries >= _MAX_ATTEMPTS]
        _fail(exhausted, UnavailableError("too many conflicts with other servers; nothing was stored"))
        for pending in batch:
            pending.tries += 1
        self._waiting[:0] = [pending for pending in batch if pending.tries <= _MAX_ATTEMPTS]

    async def _catch_up(self) -> None:
        steps, room = [], self.room
        # The same `evolve` as in the process that wrote the rows, so that all processes have equal rooms.
        for entries, command in await self._new_rows():
            after = evolve(room, loads(entries), command)
            steps.append(RoomStep(room, after))
            room = after
        if room.rewrites != self.room.rewrites:
            self.stale = "resync"
            raise LogRewrittenError("a player was erased from the log of this table; nothing was stored")
        if steps:
            self._advance(steps, ours=False)

    async def _new_rows(self) -> list[tuple[bytes, str | None]]:
        """Return the entries and commands of the rows after the last one that was read.

        The log is read only if a row is missing among those that other processes have sent.
        """
        received, self._received = self._received, {}
        rows, seq = list[tuple[bytes, str | None]](), self.seq
        while (row := received.get(seq + 1)) is not None and row.entries != TOO_LONG:
            rows.append((bytes(row.entries), row.command))
            seq += 1
        if not self._behind and not self._may_be_behind and max(received, default=0) <= seq:
            return rows
        self._behind = False
        appends = await self._context.store.read(self._table, after=self.seq)
        self._may_be_behind = False
        return [(append.entries, append.command) for append in appends]

    def _advance(self, steps: list[RoomStep], *, ours: bool) -> None:
        self.room = steps[-1].after
        self._on_advance(steps, ours)


def fold_rows(log: Iterable[LogRow]) -> list[RoomStep]:
    """Return the steps of a log, one per row. Raises `Malformed` if a row is invalid."""
    return [RoomStep(*rooms) for rooms in fold_steps((loads(append.entries), append.command) for append in log)]


def started_version(steps: list[RoomStep]) -> int | None:
    """Return the public version at which the game started; None if it did not start within these steps."""
    return next((after.public_count for _, after in steps if after.status != "pending"), None)


def _is_not_extension(pending: PendingCommand) -> bool:
    """Return a sort key that puts deadline extensions first."""
    return not isinstance(pending.command, Extend)


def _needs_recheck(pending: PendingCommand, answer: Ack | RulesError) -> bool:
    """Return whether to read the log again and decide again before a player's command is rejected.

    Another process may have stored this command or extended its deadline. The second rejection is final.
    """
    return isinstance(answer, RulesError) and bool(pending.players) and pending.tries == 0


def _fail(pending: Iterable[PendingCommand], error: Exception) -> None:
    for command in pending:
        if not command.answer.done():
            command.answer.set_exception(error)


def ignore_result(answer: asyncio.Future[Ack]) -> None:
    """Mark the error of an answer that no one waits for as retrieved, so that it is not logged."""
    if not answer.cancelled():
        answer.exception()
