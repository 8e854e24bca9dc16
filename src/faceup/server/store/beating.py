"""Heartbeats: who is awake, whether anybody was, and what time it is.

Everybody's clock is the database's, and it never goes back: when it was set back, the difference is added from then on
(`pulse.ahead`). Set forward by more than three seconds it cannot be told from an outage, and is one: deadlines, which
came nearer by as much, move away again.

A process that was frozen finds its own heartbeat old, and is refused what the clock would do (`fresh`), in the same
transaction that would have done it. Its next heartbeat makes it fresh; and that is the one which finds that nobody else
was awake either, if so, and enters the outage in the same transaction. So nobody is ever fresh while an outage is not
yet entered.

A process that starts need not wait three seconds to know that nobody was there. On SQLite there is nobody else. On
PostgreSQL it waits until each process that has beaten lately, and has not said that it stops, has beaten again or is
overdue: a second and a quarter at most, so that one which is back sooner than that has been away all the same.
"""

import time
from collections.abc import Mapping
from typing import Final, NamedTuple

import sqlalchemy as sa

from faceup.server.store.database import Database
from faceup.server.store.schema import outages, processes, pulse
from faceup.server.store.values import Beat, Outage

FRESH: Final = 3_000
"""Milliseconds: an older heartbeat says nothing of now."""

_BEATEN: Final = 1_250
"""Milliseconds within which everybody who is awake has beaten: once a second, and a quarter for being late."""

_FORGOTTEN: Final = 24 * 60 * 60 * 1_000
"""Milliseconds after which nobody asks any more which processes there were."""


class Felt(NamedTuple):
    """A heartbeat, and what this machine's monotonic clock said at that time, in milliseconds."""

    beat: Beat
    monotonic: int


def monotonic() -> int:
    """Milliseconds on a clock that nobody sets."""
    return time.monotonic_ns() // 1_000_000


def reading(database: Database, connection: sa.Connection) -> Felt:
    """The time without a heartbeat, for a process that serves no tables."""
    ahead = connection.execute(sa.select(pulse.c.ahead)).scalar() or 0
    now = database.clock(connection) + ahead
    stamp = monotonic()
    return Felt(Beat(now=now, alive=_alive(connection, now), outages=still_open(connection)), stamp)


def lately(database: Database, connection: sa.Connection) -> dict[str, int]:
    """The last heartbeats of those who may be awake: not overdue, and nobody who said that it stops."""
    now = reading(database, connection).beat.now
    found = sa.select(processes.c.id, processes.c.beat).where(
        processes.c.beat > now - _BEATEN, processes.c.ended.is_(None)
    )
    return {row.id: row.beat for row in connection.execute(found)}


def anybody(now: Mapping[str, int], before: Mapping[str, int]) -> bool:
    """Whether anybody has given a heartbeat since then.

    >>> anybody({"a": 5}, {"a": 5, "b": 4}), anybody({"a": 6}, {"a": 5})
    (False, True)
    """
    return any(at != before.get(process) for process, at in now.items())


def start(database: Database, connection: sa.Connection, process: str, before: Mapping[str, int]) -> Felt:
    """Enter a process with its first heartbeat, and an outage if nobody was awake before it.

    Args:
        database: whose connection it is.
        connection: to it.
        process: who starts.
        before: the heartbeats of others when it began to wait for them; nobody's on SQLite.
    """
    others = not database.sqlite and anybody(lately(database, connection), before)
    felt = _felt(database, connection, gap=FRESH if others else 0)
    connection.execute(processes.delete().where(processes.c.beat < felt.beat.now - _FORGOTTEN))
    connection.execute(processes.insert().values(id=process, started=felt.beat.now, beat=felt.beat.now))
    return _told(connection, felt)


def beat(database: Database, connection: sa.Connection, process: str) -> Felt:
    """Say that this process is awake, and enter the outage that ends with this, if there was one."""
    felt = _felt(database, connection, gap=FRESH)
    connection.execute(processes.update().where(processes.c.id == process).values(beat=felt.beat.now))
    return _told(connection, felt)


def stop(database: Database, connection: sa.Connection, process: str) -> None:
    """A last heartbeat: this process stops, as it was asked to."""
    felt = _felt(database, connection, gap=FRESH)
    leaving = processes.update().where(processes.c.id == process)
    connection.execute(leaving.values(beat=felt.beat.now, ended=felt.beat.now))


def fresh(database: Database, connection: sa.Connection, process: str) -> bool:
    """Whether this process was awake just now, and no deadlines are being moved."""
    own = connection.execute(sa.select(processes.c.beat).where(processes.c.id == process)).scalar() or 0
    now = reading(database, connection).beat
    # Not yet beaten: the clock was set back, and until the next heartbeat nobody knows by how much.
    return -_BEATEN <= now.now - own < FRESH and not now.outages


def awake(database: Database, connection: sa.Connection, process: str) -> bool:
    """Whether the last heartbeat of this process is a fresh one, whatever is being made up for."""
    own = connection.execute(sa.select(processes.c.beat).where(processes.c.id == process)).scalar() or 0
    return reading(database, connection).beat.now - own < FRESH


def still_open(connection: sa.Connection) -> tuple[Outage, ...]:
    """The outages whose deadlines have not all been moved."""
    found = sa.select(outages.c.start, outages.c.end).where(outages.c.done.is_(None)).order_by(outages.c.start)
    return tuple(Outage(start=start, end=end) for start, end in connection.execute(found))


def done(database: Database, connection: sa.Connection, outage: Outage) -> None:
    """All deadlines that were open in it have been moved."""
    ended = outages.update().where(outages.c.start == outage.start, outages.c.done.is_(None))
    connection.execute(ended.values(done=reading(database, connection).beat.now))


def _felt(database: Database, connection: sa.Connection, *, gap: int) -> Felt:
    """A heartbeat of anybody's: the time goes on, and a longer gap than this is an outage.

    The row is locked until the commit, so that two processes never both find the same gap.
    """
    row = connection.execute(sa.select(pulse.c.last, pulse.c.ahead).with_for_update()).one()
    now = database.clock(connection) + row.ahead
    stamp = monotonic()
    if now < row.last:
        connection.execute(pulse.update().values(ahead=row.ahead + row.last - now))
        now = row.last
    if row.last and now - row.last > gap:
        connection.execute(outages.insert().values(start=row.last, end=now))
    connection.execute(pulse.update().values(last=now))
    return Felt(Beat(now=now, alive=(), outages=()), stamp)


def _told(connection: sa.Connection, felt: Felt) -> Felt:
    now = felt.beat.now
    return Felt(Beat(now=now, alive=_alive(connection, now), outages=still_open(connection)), felt.monotonic)


def _alive(connection: sa.Connection, now: int) -> tuple[str, ...]:
    found = sa.select(processes.c.id).where(processes.c.beat > now - FRESH, processes.c.ended.is_(None))
    return tuple(connection.execute(found.order_by(processes.c.id)).scalars())
