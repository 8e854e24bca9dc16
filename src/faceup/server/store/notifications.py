"""Notifications to other processes about logs that have grown, with PostgreSQL's LISTEN and NOTIFY.

A notification is only a hint, because processes also poll `Store.last_seqs`. It is sent only while other processes are
alive. It is sent after the commit, because a commit that notifies would hold a database-wide lock until the disk has
synced.
"""

import threading
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.database import Database
from faceup.server.store.models import LogRow

OnNotification: TypeAlias = Callable[[str, int], None]
"""A function that is called with a table's ID and the number of the last row of its log."""

_CHANNEL: Final = "faceup_log_grown"
_BATCH: Final = 150
"""Maximum number of tables in one notification, which PostgreSQL limits to 8,000 bytes."""

_NOTIFY: Final = sa.text(f"SELECT pg_notify('{_CHANNEL}', :notification)")


class _Notification(msgspec.Struct, array_like=True):
    process: str
    grown: list[tuple[str, int]]


def notify(database: Database, process: str, appends: Sequence[LogRow]) -> None:
    """Notify other processes. Errors are ignored, because the other processes also poll."""
    try:
        with database.engine.connect() as connection, connection.begin():
            for first in range(0, len(appends), _BATCH):
                grown = [(append.table, append.seq) for append in appends[first : first + _BATCH]]
                connection.execute(
                    _NOTIFY, {"notification": msgspec.json.encode(_Notification(process, grown)).decode()}
                )
    except DBAPIError:
        pass


class NotificationListener(threading.Thread):
    """A thread that listens for notifications and reconnects when the connection is lost.

    Args:
        database: a PostgreSQL database.
        process: ID of this process; its own notifications are skipped.
        on_notification: callback, which is called in the listening thread.
    """

    def __init__(self, database: Database, process: str, on_notification: OnNotification) -> None:
        super().__init__(name="faceup-listener", daemon=True)
        self._database = database
        self._process = process
        self._on_notification = on_notification
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Stop listening; the thread ends within a second."""
        self._stopped.set()

    def run(self) -> None:
        """Listen until stopped."""
        while not self._stopped.is_set():
            try:
                self._listen()
            except Exception:  # noqa: BLE001 -- reconnect after any error of the driver
                self._stopped.wait(1)

    def _listen(self) -> None:
        import psycopg  # noqa: PLC0415 -- it is not installed for SQLite alone

        address = self._database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, application_name="faceup-listener") as connection:
            connection.execute(f"LISTEN {_CHANNEL}")
            while not self._stopped.is_set():
                for notify in connection.notifies(timeout=0.5):
                    notification = msgspec.json.decode(notify.payload, type=_Notification)
                    if notification.process != self._process:
                        for table, seq in notification.grown:
                            self._on_notification(table, seq)
