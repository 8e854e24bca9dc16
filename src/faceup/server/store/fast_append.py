"""Fast append: write log rows and table rows through the driver, bypassing SQLAlchemy.

This runs for every choice. An append takes 0.2 ms; SQLAlchemy's handling of connections and transactions would take
another 0.2 ms.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec
import sqlalchemy as sa

from faceup.server.store.commit_recovery import was_appended, was_stored
from faceup.server.store.database import LOCK_TIMEOUT, Database
from faceup.server.store.models import LogRow
from faceup.server.store.queries import log_values

Run: TypeAlias = Callable[[str, list[dict[str, Any]]], int]  # Any: values of columns
"""A function that executes a statement once for each set of parameters and returns the number of affected rows."""

# A run is a sequence of log rows of one table. The rows are inserted only if the table's row in `rooms` has the number
# `base`, which precedes the run. So the log has no gaps, and a deleted table stays deleted. Then the table's row is
# updated once for the whole run.
_INSERT: Final = sa.text("""
INSERT INTO log (room, seq, at, command, entries)
SELECT CAST(:room AS text), :seq, :at, CAST(:command AS text), CAST(:entries AS text)
FROM rooms WHERE id = :room AND seq = :base
ON CONFLICT DO NOTHING
""")
# Most choices change only these two columns. If the statement named more columns, SQLite would rewrite every index on
# them, even with unchanged values, and a choice would cost twice as much.
_ADVANCE: Final = sa.text("""
UPDATE rooms SET seq = :seq, changed_at = :now
WHERE id = :room AND status = :status AND CAST(:summary AS text) IS NULL
    AND coalesce(wake, -1) = coalesce(CAST(:wake AS bigint), -1)
""")
_CHANGE: Final = sa.text("""
UPDATE rooms SET
    seq = :seq, status = :status, wake = :wake, summary = coalesce(:summary, summary), changed_at = :now,
    ended_at = CASE WHEN :over THEN coalesce(ended_at, :now) END
WHERE id = :room AND seq <> :seq
""")
_SET_TURN: Final = sa.text("""
INSERT INTO turns (room, player, decision, waiting, due, since)
VALUES (:room, :player, :decision, :waiting, :due, :since)
ON CONFLICT (room, player) DO UPDATE SET
    decision = excluded.decision, waiting = excluded.waiting, due = excluded.due, since = excluded.since
""")
_END_TURNS: Final = sa.text("DELETE FROM turns WHERE room = :room")


class AppendStatements:
    """The statements in the dialect of one database.

    They are passed to the driver as text, because SQLAlchemy's processing of parameters takes as long as the database's
    work.
    """

    def __init__(self, dialect: sa.Dialect) -> None:
        self._insert = str(_INSERT.compile(dialect=dialect))
        self._advance = str(_ADVANCE.compile(dialect=dialect))
        self._change = str(_CHANGE.compile(dialect=dialect))
        self._set_turn = str(_SET_TURN.compile(dialect=dialect))
        self._end_turns = str(_END_TURNS.compile(dialect=dialect))

    def append(self, execute: Run, group: Sequence[tuple[Sequence[LogRow], bytes | None]], now: int) -> bool:
        """Store a group and return whether this succeeded.

        If it failed, the caller must roll back, because part of the group may have been written. A group consists of
        runs. Each run has the rows of one table, and the table's new summary or None.
        """
        new = [log_values(append) | {"base": run[0].seq - 1} for run, _ in group for append in run]
        # A lower count means that a row number or command is taken, or the table is gone: the caller rolls back.
        if execute(self._insert, new) != len(new):
            return False
        changed = [
            {
                "room": run[-1].table,
                "seq": run[-1].seq,
                "status": run[-1].status,
                "wake": run[-1].wake,
                "summary": None if summary is None else summary.decode(),
                "now": now,
                "over": run[-1].status in {"finished", "closed"},
            }
            for run, summary in group
        ]
        # The two statements exclude each other by the row's number, so together they change each table once.
        running = execute(self._advance, changed)
        if running != len(changed) and running + execute(self._change, changed) != len(changed):
            return False
        self.set_turns(execute, [run[-1] for run, _ in group])
        return True

    def set_turns(self, execute: Run, rows: Sequence[LogRow]) -> None:
        """Store the turns of correspondence games after these rows, the last new rows of their tables."""
        running = [{"room": row.table} | msgspec.structs.asdict(turn) for row in rows for turn in row.turns or ()]
        if running:
            execute(self._set_turn, running)
        if ended := [{"room": row.table} for row in rows if row.turns == ()]:
            execute(self._end_turns, ended)


CHECKPOINT: Final = "PRAGMA wal_checkpoint(PASSIVE)"
"""Statement that runs a checkpoint of SQLite's WAL, as far as possible without blocking readers or writers."""


class FastAppender:
    """An appender that writes groups over its own connection. Use it from one thread only."""

    def __init__(self, database: Database, statements: AppendStatements) -> None:
        self._database = database
        self._statements = statements
        self._connection: sa.Connection | None = None
        self._driver: Any = None  # Any: the connection of sqlite3 or psycopg
        self._backend: int | None = None

    def store(self, group: Sequence[tuple[Sequence[LogRow], bytes | None]], now: int) -> bool:
        """Store a group atomically. Return False if the caller must take the slow path, which raises specific errors.

        Raises:
            UnavailableError: the connection was lost during the commit, so its outcome is unknown.
        """
        if not self._append(group, now):
            return False
        try:
            self._driver.commit()
        except Exception as error:  # noqa: BLE001 -- the drivers have no common base error
            self.close()
            return was_stored(self._database, error, self._backend, [was_appended(run[-1]) for run, _ in group])
        return True

    def _append(self, group: Sequence[tuple[Sequence[LogRow], bytes | None]], now: int) -> bool:
        try:
            self._open()
            if self._database.sqlite:
                self._driver.execute("BEGIN IMMEDIATE")  # psycopg starts transactions itself
            if self._statements.append(self._run, group, now):
                return True
            self._driver.rollback()
        except Exception:  # noqa: BLE001 -- the slow path raises the same error
            self.close()
        return False

    def checkpoint(self, *, wait: bool) -> None:
        """Run a checkpoint, so that the next write starts at the beginning of the WAL.

        Args:
            wait: whether to wait a moment for all readers, without which the next write may continue the WAL.
        """
        if wait:
            self._try_execute("PRAGMA busy_timeout = 100", "PRAGMA wal_checkpoint(RESTART)")
            self._try_execute(f"PRAGMA busy_timeout = {1000 * LOCK_TIMEOUT}")
        else:
            self._try_execute(CHECKPOINT)

    def preallocate(self, pages: int) -> None:
        """Grow SQLite's WAL file by this many pages, minus the few hundred pages that stay in SQLite's cache.

        The pages are written in a transaction that is larger than the cache and is then rolled back.
        """
        blob = "INSERT INTO spare VALUES (zeroblob(:pages * 4096))"
        self._try_execute("BEGIN IMMEDIATE", "CREATE TABLE spare (pages)", blob, "ROLLBACK", pages=pages)

    def _try_execute(self, *statements: str, **values: int) -> None:
        try:
            self._open()
            for statement in statements:
                self._driver.execute(statement, values).fetchall()
        except Exception:  # noqa: BLE001 -- the next commit raises the same error
            self.close()

    def _open(self) -> None:
        if self._connection is None:
            self._connection = self._database.engine.connect()
            self._driver = self._connection.connection.driver_connection
            self._backend = self._database.backend(self._driver)  # ask now: a broken connection cannot answer

    def _run(self, text: str, rows: list[dict[str, Any]]) -> int:  # Any: values of columns
        cursor = self._driver.cursor()
        cursor.executemany(text, rows)
        return int(cursor.rowcount)

    def close(self) -> None:
        """Discard the connection; the next group opens another."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = self._driver = None
