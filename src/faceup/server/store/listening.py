"""Word from other processes, by PostgreSQL's LISTEN and NOTIFY: which tables have grown. A hint, and no more.

What is not heard is found by reading: whoever needs to be sure asks `Store.lengths` now and then. So a word is sent
after the commit and not with it (a commit that notifies holds a lock of the whole database until the disk has synced),
and only while others are awake to hear it.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.database import Database
from faceup.server.store.values import Append

Heard: TypeAlias = Callable[[str, int], None]
"""Is told of a table, and of the number of its last append."""

_CHANNEL: Final = "faceup_grown"
_AT_ONCE: Final = 150
"""Tables in one word: PostgreSQL takes 8,000 bytes."""

_SAY: Final = sa.text(f"SELECT pg_notify('{_CHANNEL}', :word)")


class _Word(msgspec.Struct, array_like=True):
    process: str
    grown: list[tuple[str, int]]


def say(database: Database, process: str, appends: Sequence[Append]) -> None:
    """Tell other processes. If that cannot be done they find out by reading."""
    try:
        with database.engine.connect() as connection, connection.begin():
            for first in range(0, len(appends), _AT_ONCE):
                grown = [(append.table, append.seq) for append in appends[first : first + _AT_ONCE]]
                connection.execute(_SAY, {"word": msgspec.json.encode(_Word(process, grown)).decode()})
    except DBAPIError:
        pass


class Ear(threading.Thread):
    """Listens until it is told to stop, and connects again when the connection is lost.

    Args:
        database: a PostgreSQL.
        process: whose own words are passed over.
        heard: is called in this thread.
    """

    def __init__(self, database: Database, process: str, heard: Heard) -> None:
        super().__init__(name="faceup-ear", daemon=True)
        self._database = database
        self._process = process
        self._heard = heard
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Hear no more; the thread ends within a second."""
        self._stopped.set()

    def run(self) -> None:
        """Listen."""
        while not self._stopped.is_set():
            try:
                self._listen()
            except Exception:  # noqa: BLE001 -- whatever the driver says of a lost connection, the answer is the next one
                self._stopped.wait(1)

    def _listen(self) -> None:
        import psycopg  # noqa: PLC0415 -- it is not installed for SQLite alone

        address = self._database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, application_name="faceup-ear") as connection:
            connection.execute(f"LISTEN {_CHANNEL}")
            while not self._stopped.is_set():
                for notice in connection.notifies(timeout=0.5):
                    word = msgspec.json.decode(notice.payload, type=_Word)
                    if word.process != self._process:
                        for table, seq in word.grown:
                            self._heard(table, seq)
