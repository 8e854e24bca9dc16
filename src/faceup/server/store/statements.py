"""The statements of the hot path: many appends at once, each in the log and in its table's row."""

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import sqlalchemy as sa

from faceup.server.store.values import Append

Run: TypeAlias = Callable[[str, list[dict[str, Any]]], int]  # Any: values of columns
"""Executes a statement for each of these parameters, and says how many rows it touched."""

# A log goes on from where its table's row says that it ends: so it has no gaps, and a table that is gone stays gone.
# `base` is where that row stands before a table's run of appends; it is changed once for the whole run.
_INSERT: Final = sa.text("""
INSERT INTO log (room, seq, at, command, entries)
SELECT CAST(:room AS text), :seq, :at, CAST(:command AS text), CAST(:entries AS text)
FROM rooms WHERE id = :room AND seq = :base
ON CONFLICT DO NOTHING
""")
# A choice changes nothing of its table's row but these two. SQLite writes every index of which a column is named here,
# whether or not its value is another, and that would be twice as much as all the rest of a choice.
_GO_ON: Final = sa.text("""
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


class Statements:
    """The statements, in the words of one kind of database.

    They go to the driver as they are: SQLAlchemy looking at each parameter would cost as much as the database's work.
    """

    def __init__(self, dialect: sa.Dialect) -> None:
        self._insert = str(_INSERT.compile(dialect=dialect))
        self._go_on = str(_GO_ON.compile(dialect=dialect))
        self._change = str(_CHANGE.compile(dialect=dialect))

    def append(self, execute: Run, group: Sequence[tuple[Sequence[Append], bytes | None]], now: int) -> bool:
        """Store a group whole, and say whether that was possible; if it was not, roll back: some of it may be there.

        A group is runs of appends, each run one table's, with the table's new summary if it has one.
        """
        new = [
            {
                "room": append.table,
                "seq": append.seq,
                "base": run[0].seq - 1,
                "at": append.at,
                "command": append.command,
                "entries": append.entries.decode(),
            }
            for run, _ in group
            for append in run
        ]
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
        going_on = execute(self._go_on, changed)
        return going_on == len(changed) or going_on + execute(self._change, changed) == len(changed)
