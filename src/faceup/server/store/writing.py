"""The one thread that writes. Everything that waits for it becomes one transaction, and one sync of the disk.

What was refused by itself (a number that is taken, an error of a caller's own) fails alone; what fails the transaction
fails all that were in it, and nothing of it was stored.
"""

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import InterfaceError, OperationalError

from faceup.server.store.database import Database, faults
from faceup.server.store.failures import Collision, Frozen, Missing, StoreError, Unavailable
from faceup.server.store.schema import log, rooms
from faceup.server.store.statements import Statements
from faceup.server.store.values import Append

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
    """An append, with the table's new summary if it has one."""

    append: Append
    summary: bytes | None


class Doing(Job, kw_only=True, eq=False):
    """A function of the caller's; `last` after all others: the heartbeat, whose row everybody locks."""

    work: Work
    last: bool


class Writer:
    """Takes jobs from an event loop's thread, and writes them in its own."""

    def __init__(self, database: Database, fresh: Callable[[sa.Connection], bool], now: Callable[[], int]) -> None:
        self._database = database
        self._statements = Statements(sqlite=database.sqlite)
        self._fresh = fresh
        self._now = now
        self._loop = asyncio.get_running_loop()
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="faceup-writer", daemon=True)
        self._thread.start()
        self._closed = False

    async def add(self, append: Append, summary: bytes | None) -> None:
        """Come back when it is committed. If the caller is cancelled it may have been written all the same."""
        await self._put(Adding(self._loop.create_future(), append=append, summary=summary))

    async def do(self, work: Callable[[sa.Connection], T], *, last: bool = False) -> T:
        """Come back when it is committed, with what the function returned."""
        done: T = await self._put(Doing(self._loop.create_future(), work=work, last=last))
        return done

    def _put(self, job: Job) -> asyncio.Future[Any]:
        if self._closed:
            raise Unavailable("the store is closed; nothing was stored")
        self._jobs.put(job)
        return job.future

    async def close(self) -> None:
        """Write what waits, and stop."""
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
                self._loop.call_soon_threadsafe(_tell, group)

    def _write(self, group: list[Job]) -> None:
        try:
            with faults("writing to the database"):
                if not self._transaction(group, one_by_one=False):
                    self._transaction(group, one_by_one=True)
        except Exception as error:  # noqa: BLE001 -- whatever it was, somebody waits for an answer, and the next group has to be written
            for job in group:
                job.result = error

    def _transaction(self, group: Sequence[Job], *, one_by_one: bool) -> bool:
        with self._database.engine.connect() as connection, connection.begin() as transaction:
            if not self._append(connection, group, one_by_one=one_by_one):
                transaction.rollback()
                return False
            for job in sorted((job for job in group if isinstance(job, Doing)), key=lambda job: job.last):
                _call(connection, job)
        return True

    def _append(self, connection: sa.Connection, group: Sequence[Job], *, one_by_one: bool) -> bool:
        adding = [job for job in group if isinstance(job, Adding)]
        if any(job.append.guarded for job in adding) and not self._fresh(connection):
            for job in adding:
                if job.append.guarded:
                    job.result = Frozen("this process may have been asleep, or an outage is being made up for")
            adding = [job for job in adding if not job.append.guarded]
        if not adding:
            return True
        # In one order everywhere, so that two processes never wait for each other.
        adding.sort(key=lambda job: (job.append.table, job.append.seq))
        now = self._now()
        if not one_by_one:
            return self._statements.append(connection, [(job.append, job.summary) for job in adding], now)
        for job in adding:
            if not self._statements.append(connection, [(job.append, job.summary)], now):
                job.result = _why_not(connection, job.append)
        return True


def _call(connection: sa.Connection, job: Doing) -> None:
    try:
        with connection.begin_nested():
            job.result = job.work(connection)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:  # noqa: BLE001 -- it is the caller's, who gets it; the others' work goes on
        job.result = error


def _why_not(connection: sa.Connection, append: Append) -> StoreError:
    if append.command is not None:
        with_command = sa.select(log.c.seq).where(log.c.room == append.table, log.c.command == append.command)
        if connection.execute(with_command).first():
            return Collision("command", f"command {append.command} of table {append.table}")
    last = connection.execute(sa.select(rooms.c.seq).where(rooms.c.id == append.table)).scalar()
    if last is None:
        return Missing(f"there is no table {append.table}")
    if last < append.seq - 1:
        return Missing(f"the log of table {append.table} ends with {last}, so {append.seq} cannot be next")
    return Collision("seq", f"append {append.seq} of table {append.table}")


def _tell(group: Sequence[Job]) -> None:
    for job in group:
        if not job.future.done():
            if isinstance(job.result, Exception):
                job.future.set_exception(job.result)
            else:
                job.future.set_result(job.result)
