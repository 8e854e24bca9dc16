"""The writer thread, which commits all waiting jobs in one transaction with one sync of the disk.

If a single job is rejected, for example because its row number is taken or its function raises, only this job fails. If
the transaction fails, all its jobs fail and nothing is stored.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.process.metrics import Metrics
from faceup.server.store.commit_recovery import Probe, was_appended, was_stored
from faceup.server.store.database import Database, as_unavailable, can_retry, lost_connection
from faceup.server.store.errors import ConflictError, LogMissingError, StaleHeartbeatError, StoreError, UnavailableError
from faceup.server.store.fast_append import AppendStatements, FastAppender
from faceup.server.store.models import LogRow
from faceup.server.store.queries import is_one_of
from faceup.server.store.schema import rooms
from faceup.server.store.wal import WalManager

T = TypeVar("T")

_LOG: Final = logging.getLogger(__name__)

_TRIES: Final = 3
"""How often a group is tried if the connection is lost, or if other processes write the same rows."""

Work: TypeAlias = Callable[[sa.Connection], Any]  # Any: the function's result is passed to its caller


class Job(msgspec.Struct, eq=False):
    """A pending write.

    Attributes:
        future: a future of the event loop, which receives `result` after the commit.
        result: the result of the job; an exception if the job failed.
    """

    future: asyncio.Future[Any]  # Any: as in `Work`
    result: Any = None  # Any: as in `Work`


class AppendJob(Job, kw_only=True, eq=False):
    """Rows to append to one table's log atomically, with the table's new summary or None.

    `also` is a function to run after the append, which stores nothing if the function raises; None without one.
    """

    run: Sequence[LogRow]
    summary: bytes | None
    also: Work | None


class WorkJob(Job, kw_only=True, eq=False):
    """A function to run in the transaction.

    Attributes:
        work: the function.
        last: whether to run it after all other jobs. The heartbeat runs last, because all processes lock the same row
            for it.
        probe: checks whether the function's writes were stored, if the connection was lost during the commit; None
            without such a check.
    """

    work: Work
    last: bool
    probe: Probe | None


_Append: TypeAlias = Callable[[sa.Connection, list[AppendJob]], bool]
"""Appends the rows of jobs in a transaction, and returns False if the caller must roll back."""


class Writer:
    """A writer that accepts jobs on the event loop and executes them in a separate thread.

    Args:
        database: the database.
        fresh: returns whether this process's heartbeat is fresh, so that guarded rows may be written.
        now: returns the time for `changed_at`.
        committed: called in the writer thread after each commit, with the new rows of logs.
        metrics: receives the duration of each transaction and the number of its jobs.
    """

    def __init__(
        self,
        database: Database,
        *,
        fresh: Callable[[sa.Connection], bool],
        now: Callable[[], int],
        committed: Callable[[Sequence[LogRow]], None],
        metrics: Metrics,
    ) -> None:
        self._database = database
        self._statements = AppendStatements(database.engine.dialect)
        self._fast = FastAppender(database, self._statements)
        self._wal = WalManager(database, self._fast)
        self._fresh = fresh
        self._now = now
        self._committed = committed
        self._metrics = metrics
        self._closed = False
        self._loop = asyncio.get_running_loop()
        # The only way into the thread, and `call_soon_threadsafe` the only way back, so no lock is needed.
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="faceup-writer", daemon=True)
        self._thread.start()

    async def add(self, run: Sequence[LogRow], summary: bytes | None, also: Work | None) -> None:
        """Append rows and wait for the commit. If the call is cancelled, the rows may still be written."""
        await self._put(AppendJob(self._loop.create_future(), run=run, summary=summary, also=also))

    async def do(self, work: Callable[[sa.Connection], T], *, last: bool = False, probe: Probe | None = None) -> T:
        """Run a function in a transaction, wait for the commit and return its result."""
        done: T = await self._put(WorkJob(self._loop.create_future(), work=work, last=last, probe=probe))
        return done

    def _put(self, job: Job) -> asyncio.Future[Any]:
        if self._closed:
            raise UnavailableError("the store is closed; nothing was stored")
        self._jobs.put(job)
        return job.future

    async def close(self) -> None:
        """Write the waiting jobs and stop the thread."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def wal_was_truncated(self) -> None:
        """Let the WAL be preallocated again."""
        self._wal.was_truncated()

    def _run(self) -> None:
        running = True
        while running:
            job = self._jobs.get()
            group: list[Job] = []
            # Take whatever waits: the slower the disk, the larger the groups, so the number of syncs adapts by itself.
            while job is not None:
                group.append(job)
                try:
                    job = self._jobs.get_nowait()
                except queue.Empty:
                    break
            else:
                running = False
            if group:
                self._write(group)
        self._wal.close()
        self._fast.close()

    def _write(self, group: list[Job]) -> None:
        started = time.perf_counter()
        try:
            for tries in range(_TRIES, 0, -1):
                try:
                    self._store(group)
                    break
                except DBAPIError as error:
                    if tries == 1 or not can_retry(error):
                        raise
        except Exception as error:  # noqa: BLE001 -- pass any error to the callers and continue with the next group
            for job in group:
                job.result = as_unavailable(error, "writing to the database")
        # From here on, callers show the rows to clients: so it comes after the commit, whatever happens then.
        self._loop.call_soon_threadsafe(_resolve, group)
        self._metrics.commit_seconds.observe(time.perf_counter() - started)
        self._metrics.commit_sizes.observe(len(group))
        # Others are notified after the callers: a notification is a hint, and must not delay an answer.
        try:
            stored = [job.run for job in group if isinstance(job, AppendJob) and job.result is None]
            self._committed([row for run in stored for row in run])
            self._wal.written(len(group), idle=self._jobs.empty())
        except Exception:  # noqa: BLE001 -- the group is stored, and without this thread nothing more would be
            self._metrics.background_failures.labels("writer").inc()
            _LOG.exception("the writer failed after a commit")

    def _store(self, group: Sequence[Job]) -> None:
        """Store a group. Use the first way that succeeds.

        Unguarded appends alone are passed directly to the driver, and other groups stored in a transaction, with one
        statement for all appends. If this fails, another process has probably taken a row number: the appends with
        other numbers are stored together. The last way stores the appends one by one.
        """
        appends = [job for job in _sorted_appends(group) if not _guarded(job) and job.also is None]
        ways = [self._append_without_conflicts] * _TRIES
        if len(appends) < len(group):
            ways.insert(0, self._append_together)
        elif self._fast.store(_runs(appends), self._now()):
            return
        for append in ways:
            try:
                if self._transaction(group, append):
                    return
            except DBAPIError as error:
                if lost_connection(error) or isinstance(error, sa.exc.OperationalError):
                    raise
                break  # a single job is wrong, and not because of other processes
        self._transaction(group, self._append_one_by_one)

    def _transaction(self, group: Sequence[Job], append: _Append) -> bool:
        for job in group:
            job.result = None  # of an earlier transaction, which stored nothing
        with self._database.engine.connect() as connection, connection.begin() as transaction:
            appends = self._fresh_appends(connection, group)
            plain = [job for job in appends if job.also is None]
            if plain and not append(connection, plain):
                transaction.rollback()
                return False
            for job in appends:
                if job.also is not None:
                    _in_savepoint(connection, job, partial(self._append_alone, job=job))
            for job in sorted((job for job in group if isinstance(job, WorkJob)), key=lambda job: job.last):
                _in_savepoint(connection, job, job.work)
            self._commit(connection, transaction, group)
        return True

    def _commit(self, connection: sa.Connection, transaction: sa.Transaction, group: Sequence[Job]) -> None:
        """Commit. If the connection is lost, find out whether the commit was made."""
        backend = self._database.backend(connection.connection.driver_connection)
        try:
            transaction.commit()
        except DBAPIError as error:
            # Not used again: the commit in doubt may still end in it.
            connection.invalidate()
            probes = [probe for job in group if (probe := _probe(job))]
            if not was_stored(self._database, error.orig or error, backend, probes):
                raise

    def _fresh_appends(self, connection: sa.Connection, group: Sequence[Job]) -> list[AppendJob]:
        """Return the sorted appends without those that must not be stored."""
        appends = _sorted_appends(group)
        guarded = [job for job in appends if _guarded(job)]
        # Checked inside the transaction, so that no other process records an outage between check and commit.
        if guarded and not self._fresh(connection):
            for job in guarded:
                job.result = StaleHeartbeatError(
                    "the heartbeat is stale, or deadline extensions for an outage are pending; nothing was stored"
                )
            return [job for job in appends if not _guarded(job)]
        return appends

    def _append_without_conflicts(self, connection: sa.Connection, appends: list[AppendJob]) -> bool:
        """Append all runs that continue the log of their table. Return False if another process was faster just now.

        The tables are not locked: another process may hold a new row of the log while it waits for the table's row.
        """
        tables = is_one_of(connection, rooms.c.id, [job.run[0].table for job in appends])
        query = sa.select(rooms.c.id, rooms.c.seq).where(tables)
        last = {row.id: row.seq for row in connection.execute(query)}
        continuing = []
        for job in appends:
            table = job.run[0].table
            job.result = _number_conflict(job.run, last.get(table))
            if job.result is None:
                last[table] = job.run[-1].seq
                continuing.append(job)
        return not continuing or self._append_together(connection, continuing)

    def _append_one_by_one(self, connection: sa.Connection, appends: list[AppendJob]) -> bool:
        for job in appends:
            _in_savepoint(connection, job, partial(self._append_alone, job=job))
        return True

    def _append_alone(self, connection: sa.Connection, *, job: AppendJob) -> None:
        if not self._append_together(connection, [job]):
            raise _conflict_of(connection, job.run)
        if job.also is not None:
            job.also(connection)

    def _append_together(self, connection: sa.Connection, appends: list[AppendJob]) -> bool:
        def execute(text: str, rows: list[dict[str, Any]]) -> int:  # Any: values of columns
            return connection.exec_driver_sql(text, rows).rowcount

        return self._statements.append(execute, _runs(appends), self._now())


def _guarded(job: AppendJob) -> bool:
    return any(append.guarded for append in job.run)


def _runs(appends: Sequence[AppendJob]) -> list[tuple[Sequence[LogRow], bytes | None]]:
    return [(job.run, job.summary) for job in appends]


def _sorted_appends(group: Sequence[Job]) -> list[AppendJob]:
    """Return the appends of a group. All processes lock tables in the same order, which avoids deadlocks."""
    appends = [job for job in group if isinstance(job, AppendJob)]
    return sorted(appends, key=lambda job: (job.run[0].table, job.run[0].seq))


def _in_savepoint(connection: sa.Connection, job: Job, work: Work) -> None:
    """Run a job in a savepoint, so that its failure does not undo other jobs."""
    try:
        with connection.begin_nested():
            job.result = work(connection)
    except Exception as error:
        if not connection.in_transaction() or (isinstance(error, DBAPIError) and can_retry(error)):
            raise
        job.result = as_unavailable(error, "writing to the database")


def _number_conflict(run: Sequence[LogRow], last: int | None) -> StoreError | None:
    """Return why rows cannot follow the last row of their log, if so; `last` is None without a table."""
    first = run[0]
    if last is None:
        return LogMissingError(f"there is no table {first.table}")
    if last < first.seq - 1:
        return LogMissingError(
            f"the log of table {first.table} ends with row {last}, so row {first.seq} cannot be next"
        )
    return None if last == first.seq - 1 else ConflictError("seq", f"row {first.seq} of table {first.table}")


def _conflict_of(connection: sa.Connection, run: Sequence[LogRow]) -> StoreError:
    """Return why a run could not be appended: because of its number, or because the log has one of its commands."""
    last = connection.execute(sa.select(rooms.c.seq).where(rooms.c.id == run[0].table)).scalar()
    if (conflict := _number_conflict(run, last)) is not None:
        return conflict
    commands = ", ".join(append.command for append in run if append.command is not None)
    return ConflictError("command", f"command {commands} of table {run[0].table}")


def _probe(job: Job) -> Probe | None:
    if isinstance(job.result, Exception):
        return None
    match job:
        case AppendJob(run=run):
            return was_appended(run[-1])
        case WorkJob(probe=probe):
            return probe
    return None


def _resolve(group: Sequence[Job]) -> None:
    for job in group:
        if not job.future.done():
            if isinstance(job.result, Exception):
                job.future.set_exception(job.result)
            else:
                job.future.set_result(job.result)
