"""The asynchronous interface of the store, in which a call that writes returns when its data is on the disk."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from faceup.server.process.metrics import Metrics
from faceup.server.store import heartbeat, queries, space
from faceup.server.store.commit_recovery import was_appended
from faceup.server.store.database import READERS, Database, as_unavailable, lost_connection
from faceup.server.store.errors import UnavailableError
from faceup.server.store.heartbeat import Clock
from faceup.server.store.integrity import IntegrityReport, check_integrity, quick_problem
from faceup.server.store.migrations import prepare
from faceup.server.store.models import (
    HeartbeatResult,
    LogRow,
    NewRow,
    Outage,
    PublicTableRow,
    TableOrigin,
    TableRow,
    new_id,
)
from faceup.server.store.notifications import NotificationListener, Notifier, OnNotification, channel_of
from faceup.server.store.schema import rooms
from faceup.server.store.writer import Writer

T = TypeVar("T")


class Store:
    """The database of a server's tables, in SQLite or PostgreSQL.

    Every call may raise `UnavailableError`. Later calls try to reach the database again.

    Attributes:
        process: ID of this process among the processes that serve the database.
        metrics: metrics of this process.
    """

    def __init__(self, database: Database) -> None:
        self.process = new_id()
        self.metrics = Metrics()
        self._serves = False
        self._closed = False
        self._database = database
        self._clock = Clock()
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="faceup-reader")
        self._notifier = Notifier(database, self.process)
        self._channel = channel_of([self.process])
        self._listener: NotificationListener | None = None
        self._alone = True
        self._writer = Writer(
            database,
            fresh=partial(heartbeat.fresh, database, process=self.process),
            now=self._clock.thread_now,
            committed=self._notify_others,
            metrics=self.metrics,
        )

    @classmethod
    async def open(cls, url: str) -> Self:
        """Open a database to serve its tables: migrate the schema and send the first heartbeat.

        Args:
            url: `sqlite:///PATH` or `postgresql://USER@HOST/NAME`.

        Raises:
            Malformed: the URL is not supported.
            UnsupportedDatabaseError: the schema is not known, or the database is not a faceup database.
            UnavailableError: the database does not answer.
        """
        return await cls._opened(url, serves=True)

    @classmethod
    async def attach(cls, url: str) -> Self:
        """Open a database for administration, whether or not processes serve it.

        The calling process is not registered, because its heartbeat would hide an outage. Raises the errors of `open`.
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
                first = partial(heartbeat.start, self._database, process=self.process, before=before)
                self._set_clock(await self._writer.do(first))
            else:
                self._set_clock(await self.query(partial(heartbeat.read_clock, self._database)))
        except BaseException:
            await self._release()
            raise
        self._serves = serves

    async def _others(self) -> dict[str, int]:
        """Return the last heartbeats of other processes, after waiting until it is known whether any is alive."""
        if self._database.sqlite:
            return {}
        ask = partial(heartbeat.recent_heartbeats, self._database)
        before = now = await self.query(ask)
        while now and not heartbeat.any_newer(now, before):
            await heartbeat.poll_pause()
            now = await self.query(ask)
        return before

    def now(self) -> int:
        """Return the time in milliseconds since 1970 on the database's clock, without a query. It never goes back.

        Call it on the event loop.
        """
        return self._clock.now()

    async def create(
        self,
        append: LogRow,
        *,
        opened_at: int,
        listed: bool,
        code: str,
        summary: bytes,
        spectator_delay: int = 0,
        origin: TableOrigin = TableOrigin(),  # noqa: B008 -- immutable
        admit: Callable[[sa.Connection, TableRow], None] | None = None,
    ) -> None:
        """Store a new table with the first row of its log.

        If `admit` is set, it is called first, in the same transaction, with the table's row. If it raises, nothing is
        stored.

        Raises:
            ConflictError: the ID or code of the table is taken.
            TableDeletedError: a table with this ID was deleted.
        """
        row = TableRow(
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
            spectator_delay=spectator_delay,
            origin=origin,
        )
        create = partial(queries.create, append=append, row=row, admit=admit)
        await self._writer.do(create, probe=was_appended(append))

    async def append(
        self,
        *rows: LogRow,
        summary: bytes | None = None,
        also: Callable[[sa.Connection], object] | None = None,
    ) -> None:
        """Append rows to one table's log atomically, in this order. A `summary` replaces the table's summary.

        If `also` is set, it is called after the append, in the same transaction. If it raises, nothing is stored.

        Raises:
            ConflictError: a row's number or its command is in the log already.
            LogMissingError: the table does not exist, or its log ends before the row that precedes the first new one.
            StaleHeartbeatError: a row is guarded, and the heartbeat is stale or deadline extensions for an outage are
                pending.
        """
        await self._writer.add(rows, summary, also)

    async def read(self, table: str, after: int = -1) -> list[LogRow]:
        """Return the log rows of a table with numbers greater than `after`.

        In every row, `status` and `wake` have the current values of the table.
        """
        return await self.query(partial(queries.appends, table=table, after=after))

    async def room(self, table: str) -> TableRow | None:
        """Return a table's row; None if it does not exist."""
        return await self._row(sa.select(rooms).where(rooms.c.id == table))

    async def find(self, code: str) -> TableRow | None:
        """Return the open table with this code; without one, the last table that had the code; None if none had."""
        query = sa.select(rooms).where(rooms.c.code == code.strip().upper())
        return await self._row(query.order_by(rooms.c.ended_at.is_not(None), rooms.c.ended_at.desc()).limit(1))

    async def due(self, now: int, limit: int = 1_000) -> list[TableRow]:
        """Return the tables with a wake time up to `now`, the longest overdue first."""
        return await self._rows(queries.DUE, now=now, limit=limit)

    async def waiting(self, after: str = "", limit: int = 1_000) -> list[TableRow]:
        """Return the first tables by ID after the ID `after`, only tables that have a wake time.

        An outage extends the deadlines of these tables.
        """
        query = sa.select(rooms).where(rooms.c.wake.is_not(None), rooms.c.id > after)
        return await self._rows(query.order_by(rooms.c.id).limit(limit))

    async def open_list(self, limit: int, *, after: tuple[int, int, str] | None) -> list[PublicTableRow]:
        """Return the public tables with an end that spectators have not seen, or only those after a table in the list.

        The addresses that created them take turns, so that none can bury the tables of the others: the newest table of
        each address comes first, then the second newest of each, and so on. Within a turn, the newest comes first.
        """
        return await self.query(partial(queries.public_tables, now=self.now(), limit=limit, after=after))

    async def rooms(self, *, status: str | None = None, after: str = "", limit: int = 1_000) -> list[TableRow]:
        """Return the first tables by ID after the ID `after`; with a `status`, only tables that have this status."""
        query = sa.select(rooms).where(rooms.c.id > after, sa.true() if status is None else rooms.c.status == status)
        return await self._rows(query.order_by(rooms.c.id).limit(limit))

    async def last_seqs(self, tables: Sequence[str]) -> dict[str, int]:
        """Return the number of each table's last log row."""

        def read(connection: sa.Connection) -> dict[str, int]:
            query = sa.select(rooms.c.id, rooms.c.seq).where(queries.is_one_of(connection, rooms.c.id, tables))
            return {row.id: row.seq for row in connection.execute(query)}

        return await self.query(read)

    async def _rows(self, query: sa.Select[Any], **values: int) -> list[TableRow]:  # Any: columns are untyped
        return await self.query(partial(queries.table_rows, query=query, values=values))

    async def _row(self, query: sa.Select[Any]) -> TableRow | None:  # Any: as above
        return next(iter(await self._rows(query)), None)

    async def set_cost(self, table: str, cost: int, *, bot_only: bool) -> None:
        """Store what a table counts in the limits on open tables; see `TableOrigin`."""
        await self.write(partial(queries.set_cost, table=table, cost=cost, bot_only=bot_only))

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function that writes with a connection, in one transaction with other writes. Return its result.

        The function may be called twice if another write of the transaction fails, so it must have no other effects. If
        it raises, none of its writes are stored. It must not commit.
        """
        return await self._writer.do(work)

    async def check_integrity(self) -> IntegrityReport:
        """Read the whole database and report damage."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, check_integrity, self._database)

    async def look_for_damage(self) -> None:
        """Check the database for a short time, and remember damage for `damage`."""
        if problem := await self.query(partial(quick_problem, database=self._database)):
            self._database.damage = problem

    @property
    def damage(self) -> str:
        """The database's message about damage that was met since this process started; empty if none was."""
        return self._database.damage

    async def reclaim(self) -> bool:
        """Return free space to the operating system, and remove deleted content from the write-ahead log.

        This does nothing on PostgreSQL. Return False if others did not let the write-ahead log be truncated.
        """
        if not self._database.sqlite:
            return True
        while await self.write(space.release_pages):
            pass
        truncated = await asyncio.to_thread(space.truncate_wal, self._database)
        if truncated:
            self._writer.wal_was_truncated()
        return truncated

    async def compact(self, *, full: bool = False) -> bool:
        """Give the space of deleted data back, as `reclaim`, and vacuum a PostgreSQL database.

        Args:
            full: whether to rewrite the whole database, for which writers have to wait. An SQLite database without a
                server is always rewritten.
        """
        if full or self._alone or not self._database.sqlite:
            await asyncio.to_thread(partial(space.compact, self._database, full=full))
        return await self.reclaim()

    async def size(self) -> int:
        """Return the size of the database in bytes, with SQLite's write-ahead log."""
        return await asyncio.to_thread(space.size, self._database)

    async def awake(self) -> bool:
        """Return whether the database answers and has a fresh heartbeat of this process."""
        return await self.query(partial(heartbeat.awake, self._database, process=self.process))

    async def query(self, work: Callable[[sa.Connection], T]) -> T:
        """Run a function that reads one snapshot of the database with a connection. Return its result."""
        if self._closed:
            raise UnavailableError("the store is closed; nothing was read")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, work)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        try:
            try:
                return self._read_once(work)
            except DBAPIError as error:
                if not lost_connection(error):
                    raise
                return self._read_once(work)  # the pooled connection was lost, so retry with a new one
        except SQLAlchemyError as error:
            raise as_unavailable(error, "reading from the database", "nothing was read") from error

    def _read_once(self, work: Callable[[sa.Connection], T]) -> T:
        with self._database.readers.connect() as connection, connection.begin():
            return work(connection)

    async def beat(self) -> HeartbeatResult:
        """Send a heartbeat. Every process that serves tables calls this once a second."""
        beat = await self._writer.do(partial(heartbeat.beat, self._database, process=self.process), last=True)
        self._set_clock(beat)
        return beat

    def _set_clock(self, beat: HeartbeatResult) -> None:
        self._clock.set(beat)
        self._alone = all(process == self.process for process in beat.alive)
        self._channel = channel_of((*beat.alive, self.process))

    async def outages_open(self) -> tuple[Outage, ...]:
        """Return the outages with pending deadline extensions. These outages block guarded appends."""
        return await self.query(heartbeat.open_outages)

    async def outage_done(self, outage: Outage) -> None:
        """Mark an outage as done, because every deadline was extended."""
        await self.write(partial(heartbeat.done, self._database, outage=outage))

    def listen(self, on_notification: OnNotification) -> None:
        """Call `on_notification` on the event loop with the rows that another process has appended to logs.

        Notifications may be lost. On SQLite there are none.
        """
        if self._database.sqlite:
            return
        loop = asyncio.get_running_loop()
        self._listener = NotificationListener(
            self._database,
            self.process,
            lambda: self._channel,
            lambda rows: _on(loop, on_notification, rows),
        )
        self._listener.start()

    def _notify_others(self, rows: Sequence[LogRow]) -> None:
        if rows and not self._alone and not self._database.sqlite:
            self._notifier.notify(self._channel, rows)

    async def close(self) -> None:
        """Finish waiting writes, send the last heartbeat and close the database."""
        if self._serves:
            with suppress(UnavailableError):  # then the last heartbeat becomes stale instead
                await self._writer.do(partial(heartbeat.stop, self._database, process=self.process), last=True)
        await self._release()

    async def _release(self) -> None:
        self._closed = True
        await self._writer.close()
        await asyncio.to_thread(self._notifier.close)
        if self._listener is not None:
            self._listener.stop()
            await asyncio.to_thread(self._listener.join)
        await asyncio.to_thread(self._pool.shutdown)
        self._database.close()


def _prepare(database: Database) -> None:
    try:
        prepare(database)
    except SQLAlchemyError as error:
        raise as_unavailable(error, "opening the database") from error


def _on(loop: asyncio.AbstractEventLoop, on_notification: OnNotification, rows: Sequence[NewRow]) -> None:
    with suppress(RuntimeError):  # the loop is closed
        loop.call_soon_threadsafe(on_notification, rows)
