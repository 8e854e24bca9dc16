"""Backups that a server makes by itself, each as a process that runs `faceup admin backup`.

All servers of a database share the time of the last backup and a claim, so that one of them makes the next backup. If
it dies, its claim ends with its heartbeat.
"""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from faceup.interpreter import PYTHON
from faceup.server.accounts.schema import server_state
from faceup.server.accounts.server_state import get_all, set_value
from faceup.server.admin.backup_targets import Bucket, open_target
from faceup.server.process.cores import NICE
from faceup.server.process.logs import LOG
from faceup.server.process.periodic import PeriodicTask
from faceup.server.process.settings import PREFIX, Settings, parse_duration
from faceup.server.store import Store
from faceup.server.store.heartbeat import HEARTBEAT_TIMEOUT
from faceup.server.store.schema import processes

LAST_BACKUP: Final = "last_backup"
"""The key of the time of the last backup in `server_state`, in milliseconds since 1970."""

_CLAIM: Final = "backup_claim"
"""The key of the ID of the process that makes a backup."""

_CHECK: Final = 10_000
"""Milliseconds between two checks whether a backup is due."""

_RETRY: Final = 300_000
"""Milliseconds after a failure until the next attempt, if backups are not made more often."""

_STOP: Final = 5.0
"""Seconds in which an interrupted backup has to delete its file, before it is killed."""


class AutomaticBackups:
    """Periodic backups of a server's database.

    Args:
        store: the database.
        settings: the server's settings, in which `backup_every` is set.

    Raises:
        Malformed: the target is invalid.
        MissingExtraError: S3 needs the extra `s3`.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._every = parse_duration(settings.backup_every)
        self._environment = {f"{PREFIX}DATABASE": settings.database_url}
        target = settings.backup_to
        if not isinstance(open_target(target), Bucket):
            folder = Path(target).expanduser().absolute()
            target = f"{folder}/"
            store.metrics.watch_disk("backups", folder)
        self._arguments = ("admin", "backup", target, "--keep", str(settings.backup_keep), "--json")
        self._retry_at = 0
        store.metrics.backup_interval.set(self._every / 1000)
        pause = min(_CHECK, self._every) / 1000
        self.task = PeriodicTask("automatic backup", self.back_up_if_due, pause, store.metrics)

    async def back_up_if_due(self) -> bool:
        """Make a backup if one is due and no other process makes it. Return whether one was made.

        A failure is logged and counted.
        """
        now = self._store.now()
        if now < self._retry_at or not await self._store.query(partial(_is_due, now=now, every=self._every)):
            return False
        if not await self._store.write(partial(_claim, now=now, every=self._every, process=self._store.process)):
            return False
        done = False
        try:
            done = await self._back_up()
        finally:
            if not done:
                self._retry_at = self._store.now() + min(self._every, _RETRY)
            await self._store.write(partial(_release, process=self._store.process, made_at=now if done else None))
        return done

    async def _back_up(self) -> bool:
        """Run a process that makes a backup. Return whether it succeeded. If the task is cancelled, stop it."""
        started = self._store.now()
        process = await asyncio.create_subprocess_exec(
            *(*PYTHON, "-m", "faceup", *self._arguments),
            env=os.environ | self._environment,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,  # Ctrl-C stops the server first, which then stops the backup
        )
        try:
            if hasattr(os, "setpriority"):
                with suppress(ProcessLookupError):
                    os.setpriority(os.PRIO_PROCESS, process.pid, NICE)
            output, errors = await process.communicate()
        except BaseException:
            await _stop(process)
            raise
        try:
            made = msgspec.json.decode(output, type=_Made)
        except msgspec.DecodeError:  # it did not start, or was killed
            lines = errors.decode(errors="replace").splitlines()
            made = _Made(error=_Error(message=lines[-1] if lines else f"exit status {process.returncode}"))
        if made.error is not None:
            self._store.metrics.backup_failures.inc()
            LOG.error("a backup failed", extra={"fields": {"error": made.error.message}})
            return False
        seconds = (self._store.now() - started) / 1000
        fields = {"file": made.file, "deleted": len(made.deleted), "seconds": round(seconds, 1)}
        LOG.info("made a backup", extra={"fields": fields})
        return True


class _Error(msgspec.Struct):
    message: str


class _Made(msgspec.Struct):
    """What `faceup admin backup --json` prints."""

    file: str = ""
    deleted: tuple[str, ...] = ()
    error: _Error | None = None


async def _stop(process: Process) -> None:
    """Interrupt a backup, so that it deletes its unfinished file; kill it if it does not end."""
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), _STOP)
    except TimeoutError:
        process.kill()
        await process.wait()


def last_backup(connection: sa.Connection) -> int:
    """Return the time of the last automatic backup, in milliseconds since 1970; 0 if there was none."""
    return int(get_all(connection).get(LAST_BACKUP, "0"))


def _is_due(connection: sa.Connection, *, now: int, every: int) -> bool:
    return now - last_backup(connection) >= every


def _claim(connection: sa.Connection, *, now: int, every: int, process: str) -> bool:
    """Claim the next backup. Return whether it is due and no other living process has claimed it."""
    if not _is_due(connection, now=now, every=every):
        return False
    alive = sa.select(processes.c.id).where(
        processes.c.heartbeat_at > now - HEARTBEAT_TIMEOUT, processes.c.ended_at.is_(None), processes.c.id != process
    )
    claim = server_state.c.key == _CLAIM
    connection.execute(sa.delete(server_state).where(claim, server_state.c.value.not_in(alive)))
    try:
        with connection.begin_nested():
            connection.execute(sa.insert(server_state).values(key=_CLAIM, value=process))
    except IntegrityError:
        return False
    return True


def _release(connection: sa.Connection, *, process: str, made_at: int | None) -> None:
    """End the claim of a process. If it made a backup, store the time at which it started."""
    ours = server_state.c.key == _CLAIM, server_state.c.value == process
    connection.execute(sa.delete(server_state).where(*ours))
    if made_at is not None:
        set_value(connection, LAST_BACKUP, str(made_at))
