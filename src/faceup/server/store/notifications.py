"""Notifications to other processes about logs that have grown, with PostgreSQL's LISTEN and NOTIFY.

A notification contains the new rows, so that the other processes need not read them. It may be lost, because processes
also poll `Store.last_seqs`. It is sent only while other processes are alive. It is sent after the commit, because a
commit that notifies would hold a database-wide lock until the disk has synced.

Everyone who may connect to the database can listen to every channel: by default, all users of the PostgreSQL. Rows
contain hidden information, so the channel has a name that only readers of the table `processes` know: the first ID of
the live processes. While processes start or end, they may use different channels for a moment.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from faceup.server.store.database import Database
from faceup.server.store.models import TOO_LONG, LogRow, NewRow

_LOG: Final = logging.getLogger(__name__)

OnNotification: TypeAlias = Callable[[Sequence[NewRow]], None]
"""A function that is called with rows that another process has appended."""

_MAX_BYTES: Final = 7_999
"""The maximum size of a notification in PostgreSQL."""

_NOTIFY: Final = "SELECT pg_notify(%s, %s)"


class _Notification(msgspec.Struct, array_like=True):
    process: str
    rows: list[NewRow]


class Notifier:
    """Notifies other processes, over its own connection. Use it from one thread only.

    Args:
        database: a PostgreSQL database.
        process: ID of this process.
    """

    def __init__(self, database: Database, process: str) -> None:
        self._database = database
        self._process = process
        self._connection: sa.Connection | None = None

    def notify(self, channel: str, rows: Sequence[LogRow]) -> None:
        """Send rows to those who listen to a channel. Errors are ignored, because the other processes also poll."""
        try:
            if self._connection is None:
                # Without transactions, each of which would take two more round trips.
                self._connection = self._database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            self._connection.exec_driver_sql(_NOTIFY, [(channel, text) for text in notifications(self._process, rows)])
        except DBAPIError:
            self.close()

    def close(self) -> None:
        """Close the connection. The next notification opens another one."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


def channel_of(processes: Iterable[str]) -> str:
    """Return the channel of live processes.

    >>> channel_of(["b7Q", "X2a"])
    'faceup_X2a'
    """
    return f"faceup_{min(processes)}"


def notifications(process: str, rows: Sequence[LogRow]) -> Iterator[str]:
    """Yield the texts of as few notifications as possible. A row that is too long is notified without its content."""
    start, end = _start(process) + "[", "]]"
    space = _MAX_BYTES - len(start) - len(end)
    texts, size = list[str](), 0
    for row in rows:
        text = msgspec.json.encode(NewRow(row.table, row.seq, row.command, msgspec.Raw(row.entries)))
        if len(text) > space:
            text = msgspec.json.encode(NewRow(row.table, row.seq, None, TOO_LONG))
        if size + len(text) > space:
            yield start + ",".join(texts) + end
            texts, size = [], 0
        texts.append(text.decode())
        size += len(text) + len(",")
    if texts:
        yield start + ",".join(texts) + end


def _start(process: str) -> str:
    """Return the start of all notifications of a process."""
    return f'["{process}",'


_NOTIFICATIONS: Final = msgspec.json.Decoder(_Notification)


class NotificationListener(threading.Thread):
    """A thread that listens for notifications and reconnects when the connection is lost.

    Args:
        database: a PostgreSQL database.
        process: ID of this process; its own notifications are skipped.
        channel: returns the channel to listen to, which may change; it is called in the listening thread.
        on_notification: callback, which is called in the listening thread.
    """

    def __init__(
        self, database: Database, process: str, channel: Callable[[], str], on_notification: OnNotification
    ) -> None:
        super().__init__(name="faceup-listener", daemon=True)
        self._database = database
        self._process = process
        self._on_notification = on_notification
        self._channel = channel
        self._stopped = threading.Event()

    def stop(self) -> None:
        """Stop listening; the thread ends within a second."""
        self._stopped.set()

    def run(self) -> None:
        """Listen until stopped."""
        problem = ""
        while not self._stopped.is_set():
            try:
                self._listen()
            except Exception as error:  # noqa: BLE001 -- reconnect after any error
                if str(error) != problem:
                    _LOG.warning("no notifications of other processes: %s", problem := str(error))
                self._stopped.wait(1)

    def _listen(self) -> None:
        import psycopg  # noqa: PLC0415 -- it is not installed for SQLite alone
        from psycopg import sql  # noqa: PLC0415 -- as above

        address = self._database.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(address, autocommit=True, application_name="faceup-listener") as connection:
            own, channel = _start(self._process), ""
            while not self._stopped.is_set():
                if channel != (current := self._channel()):
                    channel = current
                    connection.execute("UNLISTEN *")
                    connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                for notify in connection.notifies(timeout=0.5):
                    if not notify.payload.startswith(own):
                        self._on_notification(_NOTIFICATIONS.decode(notify.payload).rows)
