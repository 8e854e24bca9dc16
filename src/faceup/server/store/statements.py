"""The statements of the hot path: many appends at once, each in the log and in its table's row."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from faceup.server.store.values import Append

Run: TypeAlias = Callable[[str, list[dict[str, Any]]], int]  # Any: values of columns
"""Executes a statement for each of these parameters, and says how many rows it touched."""

# A log goes on from where its table's row says that it ends: so it has no gaps, and a table that is gone stays gone.
_INSERT: Final = sa.text("""
INSERT INTO log (room, seq, at, command, entries)
SELECT CAST(:room AS text), :seq, :at, CAST(:command AS text), CAST(:entries AS text)
FROM rooms WHERE id = :room AND seq = :seq - 1
ON CONFLICT DO NOTHING
""")
_UPDATE: Final = sa.text("""
UPDATE rooms SET
    seq = :seq, status = :status, wake = :wake, summary = coalesce(:summary, summary), changed_at = :now,
    ended_at = CASE WHEN :over THEN coalesce(ended_at, :now) END
WHERE id = :room
""")


class Statements:
    """The two statements, in the words of one kind of database.

    They go to the driver as they are: SQLAlchemy looking at each parameter would cost as much as the database's work.
    """

    def __init__(self, dialect: sa.Dialect) -> None:
        self._insert = str(_INSERT.compile(dialect=dialect))
        self._update = str(_UPDATE.compile(dialect=dialect))

    def append(self, run: Run, group: Sequence[tuple[Append, bytes | None]], now: int) -> bool:
        """Store a group whole, and say whether that was possible; if it was not, roll back: some of it may be there."""
        new = [
            {
                "room": append.table,
                "seq": append.seq,
                "at": append.at,
                "command": append.command,
                "entries": append.entries.decode(),
            }
            for append, _ in group
        ]
        if run(self._insert, new) != len(group):
            return False
        changed = [
            {
                "room": append.table,
                "seq": append.seq,
                "status": append.status,
                "wake": append.wake,
                "summary": None if summary is None else summary.decode(),
                "now": now,
                "over": append.status in {"finished", "closed"},
            }
            for append, summary in group
        ]
        return run(self._update, changed) == len(group)
