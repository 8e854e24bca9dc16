"""What is kept, for an event loop: every call is answered when it is true on the disk."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Self, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.server.store import beating
from faceup.server.store.database import READERS, Database, faults
from faceup.server.store.failures import Collision
from faceup.server.store.schema import log, metadata, rooms
from faceup.server.store.values import Append, Beat, Outage, Row, new_id
from faceup.server.store.writing import Writer

T = TypeVar("T")


class Store:
    """The database of a server's tables: SQLite or PostgreSQL.

    Every call may raise `Unavailable`, and works again as soon as the database does.

    Attributes:
        process: the id of this process among those that serve the database.
    """

    def __init__(self, database: Database) -> None:
        self.process = new_id()
        self._database = database
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="faceup-reader")
        self._offset = 0
        self._latest = 0
        self._visits = False
        self._writer = Writer(database, lambda c: beating.fresh(database, c, self.process), self._time)

    @classmethod
    async def open(cls, url: str) -> Self:
        """Open a database, make what it lacks, and enter this process.

        Args:
            url: `sqlite:///PATH` or `postgresql://USER@HOST/NAME`.

        Raises:
            Malformed: the address is of no such kind.
            Unfit: the database is of a later version.
            Unavailable: it does not answer.
        """
        database = Database(url)
        await asyncio.to_thread(_prepare, database)
        store = cls(database)
        await store.write(lambda connection: beating.begin(database, connection, store.process))
        await store.beat()
        return store

    @classmethod
    async def visit(cls, url: str) -> Self:
        """Open a database beside the processes that serve it, or while there are none, to look after it.

        No process is entered: a heartbeat of a visitor would hide that nobody was awake to serve. Raises as `open`.
        """
        database = Database(url)
        await asyncio.to_thread(_prepare, database)
        store = cls(database)
        store._visits = True
        now = await store.query(lambda connection: beating.reading(database, connection))
        store._offset = now - time.monotonic_ns() // 1_000_000
        return store

    async def now(self) -> int:
        """The database's clock, in milliseconds since 1970. It never goes back."""
        return self._time()

    def _time(self) -> int:
        self._latest = max(self._latest, time.monotonic_ns() // 1_000_000 + self._offset)
        return self._latest

    async def create(self, append: Append, *, opened_at: int, listed: bool, code: str, summary: bytes) -> None:
        """Keep a new table with the first append of its log.

        Raises:
            Collision: its id or its code is another table's.
        """

        def work(connection: sa.Connection) -> None:
            found = sa.select(rooms.c.id).where(rooms.c.code == code, rooms.c.ended_at.is_(None))
            if connection.execute(found).first():
                raise Collision("code", f"code {code}")
            connection.execute(
                rooms.insert().values(
                    id=append.table,
                    code=code,
                    opened_at=opened_at,
                    status=append.status,
                    listed=listed,
                    seq=append.seq,
                    wake=append.wake,
                    changed_at=opened_at,
                    summary=summary.decode(),
                )
            )
            connection.execute(
                log.insert().values(
                    room=append.table,
                    seq=append.seq,
                    at=append.at,
                    command=append.command,
                    entries=append.entries.decode(),
                )
            )

        try:
            await self._writer.do(work)
        except IntegrityError:
            raise Collision("table", f"table {append.table}") from None

    async def append(self, append: Append, summary: bytes | None = None) -> None:
        """Keep the next append of a table's log; with a summary, that too.

        Raises:
            Collision: its number or its command is in the log already.
            Missing: there is no such table, or its log does not reach so far.
            Frozen: it is guarded, and this process may have been asleep, or an outage is open.
        """
        await self._writer.add(append, summary)

    async def read(self, table: str, after: int = -1) -> list[Append]:
        """A table's appends with a greater number; `status` and `wake` are those of its row, for all alike."""

        def work(connection: sa.Connection) -> list[Append]:
            found = (
                sa.select(log.c.seq, log.c.at, log.c.entries, log.c.command, rooms.c.status, rooms.c.wake)
                .join(rooms, rooms.c.id == log.c.room)
                .where(log.c.room == table, log.c.seq > after)
                .order_by(log.c.seq)
            )
            return [
                Append(
                    table=table,
                    seq=seq,
                    at=at,
                    entries=entries.encode(),
                    command=command,
                    status=status,
                    wake=wake,
                )
                for seq, at, entries, command, status, wake in connection.execute(found)
            ]

        return await self.query(work)

    async def room(self, table: str) -> Row | None:
        """What is known of a table; None if there is none."""
        return _one(await self._rows(sa.select(rooms).where(rooms.c.id == table)))

    async def find(self, code: str) -> Row | None:
        """The table with this code: one that is still open, else the last that had it."""
        asked = sa.select(rooms).where(rooms.c.code == code.strip().upper())
        return _one(await self._rows(asked.order_by(rooms.c.ended_at.is_not(None), rooms.c.ended_at.desc()).limit(1)))

    async def due(self, now: int, limit: int = 1_000) -> list[Row]:
        """The tables that somebody must look at by now, the longest due first."""
        asked = sa.select(rooms).where(rooms.c.wake <= now)
        return await self._rows(asked.order_by(rooms.c.wake, rooms.c.id).limit(limit))

    async def next_wake(self) -> int | None:
        """When the next table becomes due; None if none waits for anything."""
        return await self.query(lambda connection: connection.execute(sa.select(sa.func.min(rooms.c.wake))).scalar())

    async def waiting(self, after: str = "", limit: int = 1_000) -> list[Row]:
        """All tables that wait for a time, by id: those whose deadlines an outage moves."""
        asked = sa.select(rooms).where(rooms.c.wake.is_not(None), rooms.c.id > after)
        return await self._rows(asked.order_by(rooms.c.id).limit(limit))

    async def open_list(self, limit: int = 100) -> list[Row]:
        """The listed tables that are not over, the newest first."""
        asked = sa.select(rooms).where(rooms.c.listed, rooms.c.ended_at.is_(None))
        return await self._rows(asked.order_by(rooms.c.opened_at.desc(), rooms.c.id).limit(limit))

    async def rooms(self, *, status: str | None = None, after: str = "", limit: int = 1_000) -> list[Row]:
        """All tables, or those of one status, by id, from after this one on."""
        asked = sa.select(rooms).where(rooms.c.id > after)
        if status is not None:
            asked = asked.where(rooms.c.status == status)
        return await self._rows(asked.order_by(rooms.c.id).limit(limit))

    async def forget(self, table: str) -> None:
        """Delete a table and its log."""

        def work(connection: sa.Connection) -> None:
            connection.execute(rooms.delete().where(rooms.c.id == table))

        await self.write(work)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do what a function does with a connection, with all else that is to be written; give back what it returns.

        It may be called a second time if another part of the same group failed, so it does nothing but write. If it
        raises, nothing of it is stored. It must not commit.
        """
        return await self._writer.do(work)

    async def query(self, work: Callable[[sa.Connection], T]) -> T:
        """What a function reads with a connection; it sees one state of things."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        with faults("reading from the database"), self._database.readers.connect() as connection, connection.begin():
            return work(connection)

    async def _rows(self, asked: sa.Select[tuple[object, ...]]) -> list[Row]:
        return await self.query(lambda connection: [_row(row) for row in connection.execute(asked).mappings()])

    async def beat(self) -> Beat:
        """Say that this process is awake: once a second, from the event loop that serves the tables."""
        told = await self._writer.do(
            lambda connection: beating.beat(self._database, connection, self.process), last=True
        )
        self._offset = told.now - time.monotonic_ns() // 1_000_000
        return told

    async def outages_open(self) -> tuple[Outage, ...]:
        """The outages whose deadlines have not all been moved. While there is one, guarded appends are refused."""
        return await self.query(beating.still_open)

    async def outage_done(self, outage: Outage) -> None:
        """Every deadline that was open in this outage has been moved."""
        await self.write(lambda connection: beating.done(self._database, connection, outage))

    async def close(self) -> None:
        """Write what waits, say that this process has stopped, and let the database go."""
        if not self._visits:
            await self.write(lambda connection: beating.end(self._database, connection, self.process))
        await self._writer.close()
        await asyncio.to_thread(self._pool.shutdown)
        self._database.close()


def _prepare(database: Database) -> None:
    with faults("opening the database"):
        metadata.create_all(database.engine)


def _row(row: sa.RowMapping) -> Row:
    return Row(**{**row, "listed": bool(row["listed"]), "summary": row["summary"].encode()})


def _one(found: Sequence[Row]) -> Row | None:
    return found[0] if found else None
