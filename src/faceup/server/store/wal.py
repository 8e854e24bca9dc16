"""Preallocation and checkpoints of SQLite's write-ahead log (WAL).

A sync takes 0.5 ms if only existing parts of the WAL file were overwritten. If the file has grown, the file system
must record its growth as well, and one sync in a hundred takes ten times as long. Therefore the WAL is preallocated
once, as soon as the server is busy. Checkpoints run in a separate thread long before the WAL is full, so that the next
writes overwrite the file from its start.
"""

import threading
from contextlib import suppress
from typing import Any, Final

from faceup.server.store.database import Database
from faceup.server.store.fast_append import CHECKPOINT, FastAppender

SPARE: Final = 4_000
"""Number of pages to preallocate. Their 16 MB are twice the amount that is written between two checkpoints."""

BUSY: Final = 100
"""Number of jobs before the WAL is preallocated. Servers with less traffic do not need a preallocated WAL."""

_EVERY: Final = 400
"""Number of jobs between two checkpoints. They write about two thousand pages."""

_CHECKPOINTS: Final = 2
"""Number of checkpoints in a row. The second one copies only what was written during the first one."""


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
        self._thread: threading.Thread | None = None

    def written(self, jobs: int) -> None:
        """Count committed jobs, and preallocate the WAL or run checkpoints when necessary.

        Call it after the callers of a group have been answered and before the next group.
        """
        if not self._database.sqlite:
            return
        if self._jobs < BUSY <= self._jobs + jobs:
            self._appender.preallocate(SPARE)
        self._jobs += jobs
        self._jobs_since += jobs
        if self._thread is None:
            if self._jobs_since >= _EVERY:
                self._jobs_since = 0
                self._thread = threading.Thread(target=self._run_checkpoints, name="faceup-checkpoint", daemon=True)
                self._thread.start()
        elif not self._thread.is_alive():
            self._thread = None
            # Copy what was written during the checkpoints, so that the next commit starts at the beginning of the WAL.
            self._appender.checkpoint()

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
            for _ in range(_CHECKPOINTS):
                driver.execute(CHECKPOINT).fetchall()
