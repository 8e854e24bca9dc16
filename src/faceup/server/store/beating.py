"""Heartbeats: who is awake, whether anybody was, and what time it is.

Everybody's clock is the database's, and it never goes back: when it was set back, the difference is added from then on
(`pulse.ahead`). Set forward by more than three seconds it cannot be told from an outage, and is one: deadlines, which
came nearer by as much, move away again.

A process that was frozen finds its own heartbeat old, and is refused what the clock would do (`fresh`), in the same
transaction that would have done it. Its next heartbeat makes it fresh; and that is the one which finds that nobody else
was awake either, if so, and enters the outage in the same transaction. So nobody is ever fresh while an outage is not
yet entered.
"""

from typing import Final

import sqlalchemy as sa

from faceup.server.store.database import Database
from faceup.server.store.schema import outages, processes, pulse
from faceup.server.store.values import Beat, Outage

FRESH: Final = 3_000
"""Milliseconds: an older heartbeat says nothing of now."""

_EVERY: Final = 1_000


def begin(database: Database, connection: sa.Connection, process: str) -> int:
    """Enter a process, without a heartbeat yet; the time."""
    now = reading(database, connection)
    connection.execute(processes.insert().values(id=process, started=now, beat=0))
    return now


def reading(database: Database, connection: sa.Connection) -> int:
    """The time: the database's clock with what was added to it."""
    ahead = connection.execute(sa.select(pulse.c.ahead)).scalar()
    return database.clock(connection) + (ahead or 0)


def beat(database: Database, connection: sa.Connection, process: str) -> Beat:
    """Say that this process is awake, and enter the outage that ends with this, if there was one."""
    row = connection.execute(sa.select(pulse.c.last, pulse.c.ahead).with_for_update()).first()
    now = database.clock(connection)
    if row is None:
        connection.execute(pulse.insert().values(id=1, last=now, ahead=0))
    else:
        now += row.ahead
        if now < row.last:
            connection.execute(pulse.update().values(ahead=row.ahead + row.last - now))
            now = row.last
        if now - row.last > FRESH:
            connection.execute(outages.insert().values(start=row.last, end=now))
        connection.execute(pulse.update().values(last=now))
    connection.execute(processes.update().where(processes.c.id == process).values(beat=now))
    return Beat(now=now, alive=alive(connection, now), outages=still_open(connection))


def fresh(database: Database, connection: sa.Connection, process: str) -> bool:
    """Whether this process was awake just now, and no deadlines are being moved."""
    own = connection.execute(sa.select(processes.c.beat).where(processes.c.id == process)).scalar()
    age = reading(database, connection) - (own or 0)
    # Younger than nothing: the clock was set back, and until the next heartbeat nobody knows by how much.
    return -_EVERY <= age < FRESH and not still_open(connection)


def alive(connection: sa.Connection, now: int) -> tuple[str, ...]:
    """The processes that have shown lately that they are awake."""
    found = sa.select(processes.c.id).where(processes.c.beat > now - FRESH, processes.c.ended.is_(None))
    return tuple(connection.execute(found.order_by(processes.c.id)).scalars())


def still_open(connection: sa.Connection) -> tuple[Outage, ...]:
    """The outages whose deadlines have not all been moved."""
    found = sa.select(outages.c.start, outages.c.end).where(outages.c.done.is_(None)).order_by(outages.c.start)
    return tuple(Outage(start=start, end=end) for start, end in connection.execute(found))


def done(database: Database, connection: sa.Connection, outage: Outage) -> None:
    """All deadlines that were open have been moved."""
    made = outages.update().where(outages.c.start == outage.start, outages.c.done.is_(None))
    connection.execute(made.values(done=reading(database, connection)))


def end(database: Database, connection: sa.Connection, process: str) -> None:
    """This process has stopped, as it was asked to."""
    leaving = processes.update().where(processes.c.id == process)
    connection.execute(leaving.values(ended=reading(database, connection)))
