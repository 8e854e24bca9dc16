"""Dependencies shared by all rooms of a process."""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from sqlalchemy import Connection

from faceup.core import Generator
from faceup.server.live.heartbeat import Heartbeat
from faceup.server.live.presence import Connections
from faceup.server.live.timeouts import Timeouts
from faceup.server.live.timers import TimerQueue
from faceup.server.live.turn_feed import TurnFeed
from faceup.server.rooms.entries import EntryBatch, RoomCreated
from faceup.server.rooms.host_acts import HostAct
from faceup.server.store import Store
from faceup.server.workers.bots import Bots

if TYPE_CHECKING:
    from faceup.server.live.interruptions import Interruption
    from faceup.server.live.room_actor import RoomActor

TraceCommand: TypeAlias = Callable[[str], Callable[[asyncio.Future[Any]], None]]

SERVER: Final = "~"
"""Prefix of the IDs of the server's own commands."""


class ProcessContext(msgspec.Struct, eq=False, kw_only=True):
    """Dependencies shared by all rooms of a process.

    Attributes:
        loop: the event loop. It is kept here because `get_running_loop` makes a system call before Python 3.12, and
            every choice would call it three times.
        store: the log store.
        timeouts: timeouts and limits.
        clock: returns milliseconds since 1970 on the database's clock.
        rng: source of randomness for deals, bots and autoplay.
        bots: search bots.
        bot_only_tables: for each owner, the number of running tables at which only bots play.
        timers: calls the rooms at their wake times.
        connections: the database's list of the seats connected to each process.
        turn_feed: the subscribers to the turns of players.
        heartbeat: heartbeats of this process.
        started: time of `clock` at which this process started to serve tables.
        interrupted_at: time of `clock` at which a server last interrupted the service, so that players may have lost
            their connections: at the start of this process, after an outage or a freeze, or when another process died.
        interruptions: interruptions with pending deadline extensions.
        trace_command: starts the trace of a player's command, given its name, and returns what to call with the future
            of its answer; None without traces.
        record_act: records what a host does in the audit log, given a connection of the transaction that stores the
            command; None without an audit log.
        rate_programs: whether games between people and programs change ratings at new tables that are rated.
        stopping: whether the hub is stopping, so that rooms finish the commands of players and drop their own.
    """

    loop: asyncio.AbstractEventLoop
    store: Store
    timeouts: Timeouts
    clock: Callable[[], int]
    rng: Generator
    bots: Bots
    bot_only_tables: Counter[str] = msgspec.field(default_factory=Counter)
    timers: "TimerQueue[RoomActor]"
    connections: Connections
    turn_feed: TurnFeed
    heartbeat: Heartbeat
    started: int
    interrupted_at: int = 0
    interruptions: "tuple[Interruption, ...]" = ()
    trace_command: TraceCommand | None
    record_act: Callable[[Connection, HostAct], None] | None = None
    rate_programs: bool = False
    stopping: bool = False

    def with_policy(self, entries: EntryBatch) -> EntryBatch:
        """Return the first entries of a table with `rate_programs`."""
        if not isinstance(first := entries[0], RoomCreated):
            return entries
        return (msgspec.structs.replace(first, rate_programs=self.rate_programs), *entries[1:])
