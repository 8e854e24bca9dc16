"""What is kept, for an event loop: every call is answered when it is true on the disk."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Self, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from faceup.server.store import beating, rows, timing
from faceup.server.store.beating import Felt
from faceup.server.store.database import READERS, Database, as_unavailable, lost_connection
from faceup.server.store.failures import Unavailable
from faceup.server.store.listening import Ear, say
from faceup.server.store.migrating import prepare
from faceup.server.store.settling import was_appended
from faceup.server.store.timing import Clock
from faceup.server.store.values import Append, Beat, Outage, Row, new_id
from faceup.server.store.writing import Writer

T = TypeVar("T")


class Store:
    """The database of a server's tables: SQLite or PostgreSQL.

    Every call may raise `Unavailable`, and works again as soon as the database does.

    Attributes:
        process: the id of this process among those that serve the database.
        commit_seconds: how long commits took, those of groups and of what stands alone.
        commit_sizes: how much was in each.
    """

    def __init__(self, database: Database) -> None:
        self.process = new_id()
        self._serves = False
        self._closed = False
        self._database = database
        self._clock = Clock()
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="faceup-reader")
        self._ear: Ear | None = None
        self._alone = True
        self._writer = Writer(
            database,
            fresh=partial(beating.fresh, database, process=self.process),
            now=self._clock.rough,
            committed=self._tell_others,
        )
        self.commit_seconds, self.commit_sizes = self._writer.seconds, self._writer.sizes

    @classmethod
    async def open(cls, url: str) -> Self:
        """Open a database to serve its tables, bring it to this version's schema, and give a first heartbeat.

        Args:
            url: `sqlite:///PATH` or `postgresql://USER@HOST/NAME`.

        Raises:
            Malformed: the address is of no such kind.
            Unfit: the database is of a later version, or of something else.
            Unavailable: it does not answer.
        """
        return await cls._opened(url, serves=True)

    @classmethod
    async def visit(cls, url: str) -> Self:
        """Open a database beside the processes that serve it, or while there are none, to look after it.

        No process is entered: a heartbeat of a visitor would hide that nobody was awake to serve. Raises as `open`.
        """
        return await cls._opened(url, serves=False)

    @classmethod
    async def _opened(cls, url: str, *, serves: bool) -> Self:
        database = Database(url)
        try:
            await asyncio.to_thread(_prepare, database)
        except BaseException:
            database.close()
            raise
        store = cls(database)
        await store._enter(serves=serves)
        return store

    async def _enter(self, *, serves: bool) -> None:
        try:
            if serves:
                before = await self._others()
                first = partial(beating.start, self._database, process=self.process, before=before)
                self._feel(await self._writer.do(first))
            else:
                self._feel(await self.query(partial(beating.reading, self._database)))
        except BaseException:
            await self._let_go()
            raise
        self._serves = serves

    async def _others(self) -> dict[str, int]:
        """The heartbeats that others had given, when it is known whether any of them is awake."""
        if self._database.sqlite:
            return {}
        ask = partial(beating.lately, self._database)
        before = now = await self.query(ask)
        while now and not beating.anybody(now, before):
            await timing.nap()
            now = await self.query(ask)
        return before

    async def now(self) -> int:
        """The database's clock, in milliseconds since 1970. It never goes back, and asks nobody."""
        return self._clock.now()

    async def create(self, append: Append, *, opened_at: int, listed: bool, code: str, summary: bytes) -> None:
        """Keep a new table with the first append of its log.

        Raises:
            Collision: its id or its code is another table's.
        """
        row = Row(
            id=append.table,
            code=code,
            opened_at=opened_at,
            status=append.status,
            listed=listed,
            seq=append.seq,
            wake=append.wake,
            changed_at=opened_at,
            ended_at=None,
            summary=summary,
        )
        await self._writer.do(partial(rows.create, append=append, row=row), probe=was_appended(append))

    async def append(self, append: Append, summary: bytes | None = None) -> None:
        """Keep the next append of a table's log; with a summary, that too.

        Raises:
            Collision: its number or its command is in the log already.
            Missing: there is no such table, or its log does not reach so far.
            Frozen: it is guarded, and this process may have been asleep, or an outage is open.
        """
        await self._writer.add((append,), summary)

    async def append_all(self, appends: Sequence[Append], summary: bytes | None = None) -> None:
        """Keep the next appends of one table's log, in their order: all of them, or none. Raises as `append` does."""
        await self._writer.add(appends, summary)

    def time(self) -> int:
        """As `now`, for those who cannot wait."""
        return self._clock.now()

    async def read(self, table: str, after: int = -1) -> list[Append]:
        """A table's appends with a greater number; `status` and `wake` are what they are now, in all of them alike."""
        return await self.query(partial(rows.appends, table=table, after=after))

    async def room(self, table: str) -> Row | None:
        """What is known of a table; None if there is none."""
        return await self.query(partial(rows.one, asked=rows.by_id(table)))

    async def find(self, code: str) -> Row | None:
        """The table with this code: one that is still open, else the last that had it."""
        return await self.query(partial(rows.one, asked=rows.by_code(code)))

    async def due(self, now: int, limit: int = 1_000) -> list[Row]:
        """The tables that somebody must look at by now, the longest due first."""
        return await self.query(partial(rows.due, now=now, limit=limit))

    async def next_wake(self) -> int | None:
        """When the next table becomes due; None if none waits for anything."""
        return await self.query(rows.next_wake)

    async def waiting(self, after: str = "", limit: int = 1_000) -> list[Row]:
        """The tables that wait for a time, by id, from after this one on: those whose deadlines an outage moves."""
        return await self.query(partial(rows.many, asked=rows.waiting(after, limit)))

    async def open_list(self, limit: int = 100) -> list[Row]:
        """The listed tables that are not over, the newest first."""
        return await self.query(partial(rows.many, asked=rows.open_list(limit)))

    async def rooms(self, *, status: str | None = None, after: str = "", limit: int = 1_000) -> list[Row]:
        """All tables, or those of one status, by id, from after this one on."""
        return await self.query(partial(rows.many, asked=rows.all_rooms(status, after, limit)))

    async def lengths(self, tables: Sequence[str]) -> dict[str, int]:
        """The number of each table's last append: what has grown, for whoever heard no word of it."""
        return await self.query(partial(rows.lengths, tables=tables))

    async def forget(self, table: str) -> None:
        """Delete a table and its log."""
        await self.write(partial(rows.forget, table=table))

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Do what a function does with a connection, with all else that is to be written; give back what it returns.

        It may be called a second time if another part of the same group failed, so it does nothing but write. If it
        raises, nothing of it is stored. It must not commit.
        """
        return await self._writer.do(work)

    async def awake(self) -> bool:
        """Whether the database answers, and has a fresh heartbeat of this process."""
        return await self.query(partial(beating.awake, self._database, process=self.process))

    async def query(self, work: Callable[[sa.Connection], T]) -> T:
        """What a function reads with a connection; it sees one state of things."""
        if self._closed:
            raise Unavailable("the store is closed; nothing was read")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            try:
                return self._read_once(work)
            except DBAPIError as error:
                if not lost_connection(error):
                    raise
                return self._read_once(work)  # it had been lost since it was last used: with a new one
        except SQLAlchemyError as error:
            raise as_unavailable(error, "reading from the database", "nothing was read") from error

    def _read_once(self, work: Callable[[sa.Connection], T]) -> T:
        with self._database.readers.connect() as connection, connection.begin():
            return work(connection)

    async def beat(self) -> Beat:
        """Say that this process is awake: once a second, from the event loop that serves the tables."""
        felt = await self._writer.do(partial(beating.beat, self._database, process=self.process), last=True)
        self._feel(felt)
        return felt.beat

    def _feel(self, felt: Felt) -> None:
        self._clock.set(felt)
        self._alone = all(process == self.process for process in felt.beat.alive)

    async def outages_open(self) -> tuple[Outage, ...]:
        """The outages whose deadlines have not all been moved. While there is one, guarded appends are refused."""
        return await self.query(beating.still_open)

    async def outage_done(self, outage: Outage) -> None:
        """Every deadline that was open in this outage has been moved."""
        await self.write(partial(beating.done, self._database, outage=outage))

    def listen(self, heard: Callable[[str, int], None]) -> None:
        """Call this, on the event loop, with a table and its length when another process has made it grow.

        It is a hint: words may be lost. On SQLite there are none.
        """
        if self._database.sqlite:
            return
        loop = asyncio.get_running_loop()
        self._ear = Ear(self._database, self.process, lambda table, seq: _on(loop, heard, table, seq))
        self._ear.start()

    def _tell_others(self, appends: Sequence[Append]) -> None:
        if appends and not self._alone and not self._database.sqlite:
            say(self._database, self.process, appends)

    async def close(self) -> None:
        """Write what waits, say that this process has stopped, and let the database go."""
        if self._serves:
            with suppress(Unavailable):  # then its heartbeat grows old by itself
                await self._writer.do(partial(beating.stop, self._database, process=self.process), last=True)
        await self._let_go()

    async def _let_go(self) -> None:
        self._closed = True
        await self._writer.close()
        if self._ear is not None:
            self._ear.stop()
            await asyncio.to_thread(self._ear.join)
        await asyncio.to_thread(self._pool.shutdown)
        self._database.close()


def _prepare(database: Database) -> None:
    try:
        prepare(database)
    except SQLAlchemyError as error:
        raise as_unavailable(error, "opening the database") from error


def _on(loop: asyncio.AbstractEventLoop, heard: Callable[[str, int], None], table: str, seq: int) -> None:
    with suppress(RuntimeError):  # the loop has ended
        loop.call_soon_threadsafe(heard, table, seq)
