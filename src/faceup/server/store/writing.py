"""The one thread that writes. Everything that waits for it becomes one transaction, and one sync of the disk.

What is refused by itself (a number that is taken, an error of a caller's own) fails alone; what fails the transaction
fails all that were in it, and nothing of it is stored.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.ahead import Ahead
from faceup.server.store.database import Database, as_unavailable, lost_connection
from faceup.server.store.failures import Collision, Frozen, Missing, StoreError, Unavailable
from faceup.server.store.quick import Quick
from faceup.server.store.schema import log, rooms
from faceup.server.store.settling import Probe, was_appended, was_stored
from faceup.server.store.statements import Statements
from faceup.server.store.values import Append
from faceup.server.tally import SIZES, Spread

T = TypeVar("T")

Work: TypeAlias = Callable[[sa.Connection], Any]  # Any: what a caller's function returns goes back to that caller


class Job(msgspec.Struct, eq=False):
    """Something to be written, and who waits for it.

    Attributes:
        future: on the event loop; it gets what `result` says when the group is committed.
        result: what came of it, an exception if it failed.
    """

    future: asyncio.Future[Any]  # Any: as in `Work`
    result: Any = None  # Any: as in `Work`


class Adding(Job, kw_only=True, eq=False):
    """Appends that go on with one table's log, all or none, with the table's new summary if it has one."""

    run: Sequence[Append]
    summary: bytes | None


class Doing(Job, kw_only=True, eq=False):
    """A function of the caller's.

    Attributes:
        work: the function.
        last: call it after all others: the heartbeat, whose row everybody locks.
        probe: how to see afterwards whether it was committed, where there is a way.
    """

    work: Work
    last: bool
    probe: Probe | None


class Writer:
    """Takes jobs from an event loop's thread, and writes them in its own.

    Args:
        database: where to.
        fresh: whether what is guarded may be written now.
        now: the time, for rows that say when they were changed.
        committed: is told, in the writer's thread, of the last append to each log when a group is stored.

    Attributes:
        seconds: how long groups took, from the first statement to the end of the commit.
        sizes: how much was in each: runs of appends, and other work.
    """

    def __init__(
        self,
        database: Database,
        *,
        fresh: Callable[[sa.Connection], bool],
        now: Callable[[], int],
        committed: Callable[[Sequence[Append]], None],
    ) -> None:
        self._database = database
        self._statements = Statements(database.engine.dialect)
        self._quick = Quick(database, self._statements)
        self._ahead = Ahead(database, self._quick)
        self._fresh = fresh
        self._now = now
        self._committed = committed
        self.seconds = Spread()
        self.sizes = Spread(SIZES)
        self._closed = False
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="faceup-writer", daemon=True)
        self._thread.start()

    async def add(self, run: Sequence[Append], summary: bytes | None) -> None:
        """Come back when they are committed. If the caller is cancelled they may have been written all the same."""
        await self._put(Adding(self._loop.create_future(), run=run, summary=summary))

    async def do(self, work: Callable[[sa.Connection], T], *, last: bool = False, probe: Probe | None = None) -> T:
        """Come back when it is committed, with what the function returned."""
        done: T = await self._put(Doing(self._loop.create_future(), work=work, last=last, probe=probe))
        return done

    def _put(self, job: Job) -> asyncio.Future[Any]:
        if self._closed:
            raise Unavailable("the store is closed; nothing was stored")
        self._jobs.put(job)
        return job.future

    async def close(self) -> None:
        """Write what waits, and stop."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        going_on = True
        while going_on:
            job = self._jobs.get()
            group: list[Job] = []
            while job is not None:
                group.append(job)
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            else:
                going_on = False
            if group:
                self._write(group)
        self._ahead.close()
        self._quick.close()

    def _write(self, group: list[Job]) -> None:
        begun = time.perf_counter()
        try:
            try:
                self._store(group)
            except DBAPIError as error:
                if not lost_connection(error):
                    raise
                self._store(group)  # the connection had been lost since the last group: with a new one
        except Exception as error:  # noqa: BLE001 -- whatever it was, somebody waits for an answer, and the next group has to be written
            for job in group:
                job.result = as_unavailable(error, "writing to the database")
        self._loop.call_soon_threadsafe(_tell, group)
        self.seconds.add(time.perf_counter() - begun)
        self.sizes.add(len(group))
        self._committed([job.run[-1] for job in group if isinstance(job, Adding) and job.result is None])
        self._ahead.written(len(group))

    def _store(self, group: Sequence[Job]) -> None:
        """By the first way of three that suits the group: by the driver itself, all appends together, one by one."""
        adding = [job for job in group if isinstance(job, Adding) and not _guarded(job)]
        if len(adding) == len(group) and self._quick.store(_in_order(adding), self._now()):
            return
        try:
            if self._transaction(group, one_by_one=False):
                return
        except DBAPIError as error:
            if lost_connection(error) or isinstance(error, sa.exc.OperationalError):
                raise
        self._transaction(group, one_by_one=True)

    def _transaction(self, group: Sequence[Job], *, one_by_one: bool) -> bool:
        with self._database.engine.connect() as connection, connection.begin() as transaction:
            if not self._append(connection, group, one_by_one=one_by_one):
                transaction.rollback()
                return False
            for job in sorted((job for job in group if isinstance(job, Doing)), key=lambda job: job.last):
                _apart(connection, job, job.work)
            self._commit(connection, transaction, group)
        return True

    def _commit(self, connection: sa.Connection, transaction: sa.Transaction, group: Sequence[Job]) -> None:
        """Commit; if nobody can say whether that was done, find out."""
        backend = self._database.backend(connection.connection.driver_connection)
        try:
            transaction.commit()
        except DBAPIError as error:
            connection.invalidate()
            probes = [probe for job in group if (probe := _probe(job))]
            if not was_stored(self._database, error.orig or error, backend, probes):
                raise

    def _append(self, connection: sa.Connection, group: Sequence[Job], *, one_by_one: bool) -> bool:
        adding = [job for job in group if isinstance(job, Adding)]
        guarded = [job for job in adding if _guarded(job)]
        if guarded and not self._fresh(connection):
            for job in guarded:
                job.result = Frozen("this process may have been asleep, or an outage is being made up for")
            adding = [job for job in adding if not _guarded(job)]
        if not adding:
            return True
        now = self._now()
        if not one_by_one:
            return self._together(connection, _in_order(adding), now)
        for job in sorted(adding, key=_place):
            _apart(connection, job, partial(self._alone, job=job, now=now))
        return True

    def _alone(self, connection: sa.Connection, *, job: Adding, now: int) -> None:
        if not self._together(connection, _in_order([job]), now):
            raise _why_not(connection, job.run)

    def _together(
        self, connection: sa.Connection, group: Sequence[tuple[Sequence[Append], bytes | None]], now: int
    ) -> bool:
        return self._statements.append(lambda text, rows: connection.exec_driver_sql(text, rows).rowcount, group, now)


def _guarded(job: Adding) -> bool:
    return any(append.guarded for append in job.run)


def _in_order(adding: Sequence[Adding]) -> list[tuple[Sequence[Append], bytes | None]]:
    return [(job.run, job.summary) for job in sorted(adding, key=_place)]


def _place(job: Adding) -> tuple[str, int]:
    """Where a job stands in a group: in one order everywhere, so that two processes never wait for each other."""
    return job.run[0].table, job.run[0].seq


def _apart(connection: sa.Connection, job: Job, work: Work) -> None:
    """Do one job so that what goes wrong with it undoes nothing of the others'."""
    try:
        with connection.begin_nested():
            job.result = work(connection)
    except Exception as error:
        if not connection.in_transaction() or (isinstance(error, DBAPIError) and lost_connection(error)):
            raise
        job.result = as_unavailable(error, "writing to the database")


def _why_not(connection: sa.Connection, run: Sequence[Append]) -> StoreError:
    for append in run:
        with_command = sa.select(log.c.seq).where(log.c.room == append.table, log.c.command == append.command)
        if append.command is not None and connection.execute(with_command).first():
            return Collision("command", f"command {append.command} of table {append.table}")
    append = run[0]
    last = connection.execute(sa.select(rooms.c.seq).where(rooms.c.id == append.table)).scalar()
    if last is None:
        return Missing(f"there is no table {append.table}")
    if last < append.seq - 1:
        return Missing(f"the log of table {append.table} ends with {last}, so {append.seq} cannot be next")
    return Collision("seq", f"append {append.seq} of table {append.table}")


def _probe(job: Job) -> Probe | None:
    if isinstance(job.result, Exception):
        return None
    match job:
        case Adding(run=run):
            return was_appended(run[-1])
        case Doing(probe=probe):
            return probe
    return None


def _tell(group: Sequence[Job]) -> None:
    for job in group:
        if not job.future.done():
            if isinstance(job.result, Exception):
                job.future.set_exception(job.result)
            else:
                job.future.set_result(job.result)
