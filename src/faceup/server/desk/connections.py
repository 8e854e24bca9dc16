"""Which seats are connected to which process, as far as the others have to know it.

It is written once a second, and read only where somebody is about to be out of time or away: the process that a seat
was connected to may be dead, and that is not the player's fault.
"""

from collections.abc import Callable, Collection

import sqlalchemy as sa

from faceup.server.desk.schema import connections
from faceup.server.store import Store
from faceup.server.store.schema import rooms


class Connections:
    """The connections of this process, written down a little later, and those of the others."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._changed: dict[tuple[str, int], bool] = {}

    def note(self, table: str, seat: int, *, connected: bool) -> None:
        """Remember that a seat of a table got its first connection, or lost its last one."""
        self._changed[table, seat] = connected

    async def flush(self) -> None:
        """Write down what has changed. Raises `Unavailable`; then it is written the next time."""
        changed, self._changed = self._changed, {}
        if not changed:
            return
        process = self._store.process
        gone = [{"_room": room, "_seat": seat} for (room, seat) in changed]
        come = [{"room": room, "seat": seat, "process": process} for (room, seat), here in changed.items() if here]

        def work(connection: sa.Connection) -> None:
            whose = connections.c.process == process
            which = (connections.c.room == sa.bindparam("_room"), connections.c.seat == sa.bindparam("_seat"))
            connection.execute(connections.delete().where(*which, whose), gone)
            if come:
                connection.execute(connections.insert(), come)

        try:
            await self._store.write(work)
        except BaseException:
            self._changed = changed | self._changed
            raise

    async def elsewhere(self, table: str) -> dict[int, set[str]]:
        """By seat of the table, the other processes that it is connected to, dead ones among them."""
        found = sa.select(connections.c.seat, connections.c.process).where(
            connections.c.room == table, connections.c.process != self._store.process
        )
        seats: dict[int, set[str]] = {}
        for seat, process in await self._store.query(lambda connection: connection.execute(found).all()):
            seats.setdefault(seat, set()).add(process)
        return seats

    async def left_behind(self, alive: Collection[str]) -> dict[str, list[str]]:
        """By process that is not alive any more, the tables at which seats were connected to it."""
        found = (
            sa.select(connections.c.process, connections.c.room).where(connections.c.process.not_in(alive)).distinct()
        )
        tables: dict[str, list[str]] = {}
        for process, table in await self._store.query(lambda connection: connection.execute(found).all()):
            tables.setdefault(process, []).append(table)
        return tables

    async def forget(self, process: str) -> None:
        """Delete what a dead process has left behind."""
        gone = connections.delete().where(connections.c.process == process)
        await self._store.write(lambda connection: connection.execute(gone).rowcount)


def postponing(table: str, seq: int, wake: int) -> Callable[[sa.Connection], None]:
    """What makes a table be looked at again at that time, if nothing is appended to it before."""

    def work(connection: sa.Connection) -> None:
        connection.execute(rooms.update().where(rooms.c.id == table, rooms.c.seq == seq).values(wake=wake))

    return work
