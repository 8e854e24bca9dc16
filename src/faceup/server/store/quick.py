"""A group of appends and nothing else, by the driver itself.

This is what happens for every choice that anybody makes. On its own an append costs a fifth of a millisecond, and the
same again if SQLAlchemy fetches a connection, begins, executes, commits and gives it back: hence this way around it.
"""

from collections.abc import Sequence
from typing import Any, Final

import sqlalchemy as sa

from faceup.server.store.database import Database
from faceup.server.store.settling import was_appended, was_stored
from faceup.server.store.statements import Statements
from faceup.server.store.values import Append

COPY: Final = "PRAGMA wal_checkpoint(PASSIVE)"
"""Copies what is in SQLite's log to where it belongs, as far as nobody has to wait for it."""


class Quick:
    """Keeps a connection for itself. It is used by one thread."""

    def __init__(self, database: Database, statements: Statements) -> None:
        self._database = database
        self._statements = statements
        self._connection: sa.Connection | None = None
        self._driver: Any = None  # Any: sqlite3's connection or psycopg's, which have in common what is used here
        self._backend: int | None = None

    def store(self, group: Sequence[tuple[Sequence[Append], bytes | None]], now: int) -> bool:
        """Store a group whole, or nothing of it. False: it was not to be; the long way finds out why.

        Raises:
            Unavailable: nobody knows whether it was stored.
        """
        if not self._begun_and_appended(group, now):
            return False
        try:
            self._driver.commit()
        except Exception as error:  # noqa: BLE001 -- the drivers have no error in common
            self.close()
            return was_stored(self._database, error, self._backend, [was_appended(run[-1]) for run, _ in group])
        return True

    def _begun_and_appended(self, group: Sequence[tuple[Sequence[Append], bytes | None]], now: int) -> bool:
        try:
            self._open()
            if self._database.sqlite:
                self._driver.execute("BEGIN IMMEDIATE")  # psycopg begins by itself
            if self._statements.append(self._run, group, now):
                return True
            self._driver.rollback()
        except Exception:  # noqa: BLE001 -- as above; the long way meets it again, and says what it is
            self.close()
        return False

    def copy(self) -> None:
        """Copy what is in SQLite's log to where it belongs, so that the log is written from its beginning again."""
        self._quietly(COPY)

    def write_out(self, pages: int) -> None:
        """Let the file of SQLite's log grow by so many pages, less the few hundred that SQLite keeps in memory.

        They are written as those of a transaction are that is too large for its memory, and taken back.
        """
        blob = "INSERT INTO spare VALUES (zeroblob(:pages * 4096))"
        self._quietly("BEGIN IMMEDIATE", "CREATE TABLE spare (pages)", blob, "ROLLBACK", pages=pages)

    def _quietly(self, *statements: str, **values: int) -> None:
        try:
            self._open()
            for statement in statements:
                self._driver.execute(statement, values).fetchall()
        except Exception:  # noqa: BLE001 -- the next commit meets it again, and says what it is
            self.close()

    def _open(self) -> None:
        if self._connection is None:
            self._connection = self._database.engine.connect()
            self._driver = self._connection.connection.driver_connection
            self._backend = self._database.backend(self._driver)  # of a broken connection it cannot be asked

    def _run(self, text: str, rows: list[dict[str, Any]]) -> int:  # Any: values of columns
        cursor = self._driver.cursor()
        cursor.executemany(text, rows)
        return int(cursor.rowcount)

    def close(self) -> None:
        """Let the connection go; the next group gets another."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = self._driver = None
