"""SQLite's write-ahead log as a file: written out to its full size once, and overwritten from then on.

A sync takes half a millisecond where a file is overwritten. Where it has grown the file system writes a log of its own,
and one sync in a hundred takes ten times that. So the file gets its size in one go, as soon as there is more to do than
at a few tables. What is in it is copied to where it belongs long before it is full: then it starts over. The copying
has a thread of its own, and whoever has chosen waits for neither.
"""

import threading
from contextlib import suppress
from typing import Any, Final

from faceup.server.store.database import Database
from faceup.server.store.quick import COPY, Quick

SPARE: Final = 4_000
"""Pages that are written out: 16 MB, twice of what there is to write between two copies."""

BUSY: Final = 100
"""Jobs before that: a server at which less happens does without."""

_EVERY: Final = 400
"""Jobs between two copies: some two thousand pages."""

_TIMES: Final = 2
"""Copies one after the other: the second has a few milliseconds to make up for, and leaves next to nothing."""


class Ahead:
    """Looks after the file for the thread that writes.

    Args:
        database: whose file it is; there is nothing to do for PostgreSQL.
        quick: the connection of the thread that writes.
    """

    def __init__(self, database: Database, quick: Quick) -> None:
        self._database = database
        self._quick = quick
        self._jobs = 0
        self._since = 0
        self._copying: threading.Thread | None = None

    def written(self, jobs: int) -> None:
        """So many more were committed. Called between two groups, when everybody has an answer."""
        if not self._database.sqlite:
            return
        if self._jobs < BUSY <= self._jobs + jobs:
            self._quick.write_out(SPARE)
        self._jobs += jobs
        self._since += jobs
        if self._copying is None:
            if self._since >= _EVERY:
                self._since = 0
                self._copying = threading.Thread(target=self._copy, name="faceup-copier", daemon=True)
                self._copying.start()
        elif not self._copying.is_alive():
            self._copying = None
            self._quick.copy()  # what was written meanwhile; all is copied then, and the next commit starts over

    def close(self) -> None:
        """Wait for what is under way."""
        if self._copying is not None:
            self._copying.join()

    def _copy(self) -> None:
        with suppress(Exception), self._database.engine.connect() as connection:
            driver: Any = connection.connection.driver_connection  # Any: SQLAlchemy does not say whose it is
            for _ in range(_TIMES):
                driver.execute(COPY).fetchall()
