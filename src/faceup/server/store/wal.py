"""Preallocation and checkpoints of SQLite's write-ahead log (WAL).

A sync takes 0.5 ms if only existing parts of the WAL file were overwritten. If the file has grown, the file system
must record its growth as well, and one sync in a hundred takes ten times as long. Therefore the WAL is preallocated
once, as soon as the server is busy. Checkpoints run in a separate thread long before the WAL is full, so that the next
writes overwrite the file from its start. The writer itself runs one only while nothing waits for it, or if it has been
too busy for the WAL to start over.
"""

import threading
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from faceup.server.store.database import Database
from faceup.server.store.fast_append import CHECKPOINT, FastAppender

SPARE: Final = 4_000
"""Number of pages to preallocate. Their 16 MB are twice the amount that is written between two checkpoints."""

BUSY: Final = 100
"""Number of jobs before the WAL is preallocated. Servers with less traffic do not need a preallocated WAL."""

_AT_MOST: Final = 400
"""Number of jobs after which a checkpoint must run. They write about two thousand pages."""

_AT_LEAST: Final = 100
"""Number of jobs after which one runs if the last one was `_PAUSE` ago. A small one delays the writer's syncs less."""

_PAUSE: Final = 0.5
"""Seconds between two checkpoints, unless `_AT_MOST` jobs were committed."""

_PASSES: Final = 4
"""Maximum number of checkpoints in a row. Each copies only what was written during the one before it."""


class WalManager:
    """The manager of the WAL, used by the writer thread.

    Args:
        database: the database; nothing is done for PostgreSQL.
        appender: the writer thread's connection.
    """

    def __init__(self, database: Database, appender: FastAppender) -> None:
        self._database = database
        self._appender = appender
        self._jobs = 0
        self._jobs_since = 0
        self._started = 0.0
        self._thread: threading.Thread | None = None
        self._all_copied = False
        self._pages = 0  # of the WAL at the last checkpoint

    def written(self, jobs: int, *, idle: bool) -> None:
        """Count committed jobs, and preallocate the WAL or run checkpoints when necessary.

        Call it after the callers of a group have been answered and before the next group.

        Args:
            jobs: the number of jobs in the group.
            idle: whether no job waits.
        """
        if not self._database.sqlite:
            return
        if self._jobs < BUSY <= self._jobs + jobs:
            self._appender.preallocate(SPARE)
        self._jobs += jobs
        self._jobs_since += jobs
        if self._thread is None:
            most = _AT_LEAST if monotonic() >= self._started + _PAUSE else _AT_MOST
            if self._jobs_since >= most:
                self._jobs_since, self._started, self._all_copied = 0, monotonic(), False
                self._thread = threading.Thread(target=self._run_checkpoints, name="faceup-checkpoint", daemon=True)
                self._thread.start()
        elif not self._thread.is_alive() and (self._all_copied or idle or self._jobs_since >= _AT_MOST):
            self._thread = None
            # Copy what was written during the checkpoints, so that the next commit starts at the beginning of the WAL.
            outgrown = self._pages > SPARE  # because there was always a reader
            if outgrown or not self._all_copied:
                self._appender.checkpoint(wait=outgrown)

    def was_truncated(self) -> None:
        """Preallocate the WAL again after the next `BUSY` jobs. Call it on any thread."""
        self._jobs = 0

    def close(self) -> None:
        """Wait for the running checkpoint, if there is one."""
        if self._thread is not None:
            self._thread.join()

    def _run_checkpoints(self) -> None:
        with suppress(Exception), self._database.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection  # Any: untyped in SQLAlchemy
            last = -1
            for _ in range(_PASSES):
                _, pages, copied = driver.execute(CHECKPOINT).fetchone()
                self._pages = pages
                # The last pass left nothing, and no commit has followed it, or one that has started the WAL over.
                if pages < last or pages == copied == last:
                    self._all_copied = True
                    return
                last = pages
