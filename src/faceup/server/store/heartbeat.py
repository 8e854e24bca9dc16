"""Heartbeats of processes, detection of outages, and the common clock.

The common clock is the database's clock, corrected so that it never goes back. If the database's clock was set back,
the difference is added from then on (`server_clock.offset_ms`). If it was set forward by more than three seconds, this
cannot be distinguished from an outage, so deadlines are extended by the difference. Between heartbeats the time is
measured with this machine's monotonic clock.

A process that was frozen has a stale heartbeat. Its guarded appends are rejected, because the transaction that contains
them checks the heartbeat (`fresh`). If no other process was alive meanwhile, the next heartbeat detects the outage, and
the transaction of this heartbeat also records the outage. So no process has a fresh heartbeat while an outage is not
recorded.

When a process starts, it must know whether other processes are alive. On SQLite there are none. On PostgreSQL it waits
until one of the recent processes sends another heartbeat or all of them are overdue, for at most 1.25 seconds.
"""

import asyncio
import time
from collections.abc import Mapping
from typing import Any, Final

import sqlalchemy as sa

from faceup.server.store.database import Database
from faceup.server.store.models import HeartbeatResult, Outage
from faceup.server.store.schema import outages, processes, server_clock

HEARTBEAT_TIMEOUT: Final = 3_000
"""Milliseconds after which a heartbeat is stale."""

_RECENT: Final = 1_250
"""Milliseconds within which every live process sends a heartbeat: the interval of one second plus tolerance."""

_PROCESS_RETENTION: Final = 24 * 60 * 60 * 1_000
"""Milliseconds for which the rows of dead processes are kept."""


def monotonic() -> int:
    """Return the time of the monotonic clock, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


def _heard_since(moment: int | sa.BindParameter[int]) -> sa.Select[Any]:  # Any: columns are untyped
    return sa.select(processes.c.id).where(processes.c.heartbeat_at > moment, processes.c.ended_at.is_(None))


# The statements of a heartbeat are built only once, because it takes longer to build them than to execute them.
_CLOCK: Final = sa.select(server_clock.c.last_heartbeat, server_clock.c.offset_ms).with_for_update()
_ADVANCE_CLOCK: Final = server_clock.update().values(last_heartbeat=sa.bindparam("now"))
_OFFSET: Final = sa.select(server_clock.c.offset_ms)
_BEAT: Final = (
    processes.update().where(processes.c.id == sa.bindparam("process")).values(heartbeat_at=sa.bindparam("now"))
)
_ALIVE: Final = _heard_since(sa.bindparam("moment")).order_by(processes.c.id)
_LAST_HEARTBEAT: Final = sa.select(processes.c.heartbeat_at).where(processes.c.id == sa.bindparam("process"))
_OPEN_OUTAGES: Final = (
    sa.select(outages.c.start, outages.c.end).where(outages.c.done.is_(None)).order_by(outages.c.start)
)


def read_clock(database: Database, connection: sa.Connection) -> HeartbeatResult:
    """Read the clock without sending a heartbeat, for processes that do not serve tables."""
    offset = connection.execute(_OFFSET).scalar() or 0
    return _result(connection, database.clock(connection) + offset, monotonic())


def recent_heartbeats(database: Database, connection: sa.Connection) -> dict[str, int]:
    """Return the last heartbeats of processes that may be alive, because they sent one recently and did not stop."""
    now = read_clock(database, connection).now
    query = live_processes(now, _RECENT).add_columns(processes.c.heartbeat_at)
    return {row.id: row.heartbeat_at for row in connection.execute(query)}


def live_processes(now: int, timeout: int = HEARTBEAT_TIMEOUT) -> sa.Select[Any]:  # Any: columns are untyped
    """Return the query for the IDs of processes that have not stopped, with a heartbeat in the last `timeout` ms."""
    return _heard_since(now - timeout)


def any_newer(now: Mapping[str, int], before: Mapping[str, int]) -> bool:
    """Return whether any process in `now` has sent a heartbeat since the heartbeats `before`.

    >>> any_newer({"a": 5}, {"a": 5, "b": 4}), any_newer({"a": 6}, {"a": 5})
    (False, True)
    """
    return any(at != before.get(process) for process, at in now.items())


def start(database: Database, connection: sa.Connection, process: str, before: Mapping[str, int]) -> HeartbeatResult:
    """Register a process with its first heartbeat, and record an outage if no process was alive before it.

    Args:
        database: the database.
        connection: a connection to it.
        process: ID of the starting process.
        before: heartbeats of other processes when the starting process began to wait for them; empty on SQLite.
    """
    others = not database.sqlite and any_newer(recent_heartbeats(database, connection), before)
    now, stamp = _advance_clock(database, connection, gap=HEARTBEAT_TIMEOUT if others else 0)
    connection.execute(processes.delete().where(processes.c.heartbeat_at < now - _PROCESS_RETENTION))
    connection.execute(processes.insert().values(id=process, started_at=now, heartbeat_at=now))
    return _result(connection, now, stamp)


def beat(database: Database, connection: sa.Connection, process: str) -> HeartbeatResult:
    """Send a heartbeat, and record the outage that it ends, if there was one."""
    now, stamp = _advance_clock(database, connection, gap=HEARTBEAT_TIMEOUT)
    connection.execute(_BEAT, {"process": process, "now": now})
    return _result(connection, now, stamp)


def stop(database: Database, connection: sa.Connection, process: str) -> None:
    """Send the last heartbeat of a process that shuts down."""
    now, _ = _advance_clock(database, connection, gap=HEARTBEAT_TIMEOUT)
    connection.execute(processes.update().where(processes.c.id == process).values(heartbeat_at=now, ended_at=now))


def fresh(database: Database, connection: sa.Connection, process: str) -> bool:
    """Return whether this process's heartbeat is fresh and no deadline extensions for an outage are pending."""
    last = _last_heartbeat(connection, process)
    clock = read_clock(database, connection)
    # If the heartbeat is in the future, the clock was set back; the next heartbeat finds out by how much.
    return -_RECENT <= clock.now - last < HEARTBEAT_TIMEOUT and not clock.outages


def awake(database: Database, connection: sa.Connection, process: str) -> bool:
    """Return whether this process's heartbeat is fresh."""
    return read_clock(database, connection).now - _last_heartbeat(connection, process) < HEARTBEAT_TIMEOUT


def _last_heartbeat(connection: sa.Connection, process: str) -> int:
    return connection.execute(_LAST_HEARTBEAT, {"process": process}).scalar() or 0


def open_outages(connection: sa.Connection) -> tuple[Outage, ...]:
    """Return the outages with pending deadline extensions."""
    return tuple(Outage(start=start, end=end) for start, end in connection.execute(_OPEN_OUTAGES))


def outages_since(connection: sa.Connection, moment: int) -> tuple[Outage, ...]:
    """Return the outages that ended after a moment, the earliest first. They are times that no one could use."""
    query = sa.select(outages.c.start, outages.c.end).where(outages.c.end > moment).order_by(outages.c.start)
    return tuple(Outage(start=start, end=end) for start, end in connection.execute(query))


def downtime(connection: sa.Connection, since: int) -> int:
    """Return for how many milliseconds no process was alive since a moment."""
    return sum(outage.end - max(outage.start, since) for outage in outages_since(connection, since))


def done(database: Database, connection: sa.Connection, outage: Outage) -> None:
    """Mark an outage as done, because all deadlines were extended."""
    ended = outages.update().where(outages.c.start == outage.start, outages.c.done.is_(None))
    connection.execute(ended.values(done=read_clock(database, connection).now))


def _advance_clock(database: Database, connection: sa.Connection, *, gap: int) -> tuple[int, int]:
    """Advance the clock, and record an outage if the last heartbeat of any process is older than `gap`.

    The clock's row is locked until the commit, so that only one process finds the gap. Return the time, and the time of
    the monotonic clock at the same moment.
    """
    row = connection.execute(_CLOCK).one()
    now = database.clock(connection) + row.offset_ms
    stamp = monotonic()
    if now < row.last_heartbeat:
        connection.execute(server_clock.update().values(offset_ms=row.offset_ms + row.last_heartbeat - now))
        now = row.last_heartbeat
    if row.last_heartbeat and now - row.last_heartbeat > gap:
        connection.execute(outages.insert().values(start=row.last_heartbeat, end=now))
    connection.execute(_ADVANCE_CLOCK, {"now": now})
    return now, stamp


def _result(connection: sa.Connection, now: int, stamp: int) -> HeartbeatResult:
    alive = tuple(connection.execute(_ALIVE, {"moment": now - HEARTBEAT_TIMEOUT}).scalars())
    return HeartbeatResult(now=now, monotonic=stamp, alive=alive, outages=open_outages(connection))


async def poll_pause() -> None:
    """Wait before the heartbeats of other processes are read again."""
    await asyncio.sleep(0.05)


class Clock:
    """The common clock in milliseconds since 1970. It is set by each heartbeat and never goes back."""

    def __init__(self) -> None:
        self._offset = 0
        self._latest = 0

    def set(self, beat: HeartbeatResult) -> None:
        """Set the clock from a heartbeat."""
        self._offset = beat.now - beat.monotonic

    def now(self) -> int:
        """Return the time. Call it on the event loop."""
        self._latest = max(self._latest, self.thread_now())
        return self._latest

    def thread_now(self) -> int:
        """Return the time on any thread. It may go back by a few milliseconds."""
        return monotonic() + self._offset
