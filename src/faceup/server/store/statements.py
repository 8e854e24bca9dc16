"""The statements of the hot path: many appends at once, each in the log and in its table's row.

A group of appends goes in as one JSON document and one statement. Rows as parameters would cost several times as much
in Python, and on SQLite each row would hand Python's lock to the event loop and wait to get it back.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
import sqlalchemy as sa

from faceup.server.store.values import Append

_ENCODER: Final = msgspec.json.Encoder()

_SQLITE_GROUP: Final = """(
    SELECT json_extract(value, '$[0]') AS room, json_extract(value, '$[1]') AS seq, json_extract(value, '$[2]') AS at,
           json_extract(value, '$[3]') AS command, json_extract(value, '$[4]') AS entries,
           json_extract(value, '$[5]') AS status, json_extract(value, '$[6]') AS wake,
           json_extract(value, '$[7]') AS summary
    FROM json_each(:group)
)"""
_POSTGRESQL_GROUP: Final = """(
    SELECT value->>0 AS room, CAST(value->>1 AS integer) AS seq, CAST(value->>2 AS bigint) AS at,
           value->>3 AS command, value->>4 AS entries, value->>5 AS status, CAST(value->>6 AS bigint) AS wake,
           value->>7 AS summary
    FROM json_array_elements(CAST(:group AS json))
)"""

# A log goes on from where its table's row says that it ends: so it has no gaps, and a table that is gone stays gone.
_INSERT: Final = """
INSERT INTO log (room, seq, at, command, entries)
SELECT new.room, new.seq, new.at, new.command, new.entries
FROM {group} AS new JOIN rooms ON rooms.id = new.room AND rooms.seq = new.seq - 1
WHERE true
ON CONFLICT DO NOTHING
"""
_UPDATE: Final = """
UPDATE rooms SET
    seq = new.seq, status = new.status, wake = new.wake, summary = coalesce(new.summary, rooms.summary),
    changed_at = :now,
    ended_at = CASE WHEN new.status IN ('finished', 'closed') THEN coalesce(rooms.ended_at, :now) END
FROM {group} AS new
WHERE rooms.id = new.room
"""


class Statements:
    """The two statements, in the words of one kind of database."""

    def __init__(self, *, sqlite: bool) -> None:
        group = _SQLITE_GROUP if sqlite else _POSTGRESQL_GROUP
        self._insert = sa.text(_INSERT.format(group=group))
        self._update = sa.text(_UPDATE.format(group=group))

    def append(self, connection: sa.Connection, group: Sequence[tuple[Append, bytes | None]], now: int) -> bool:
        """Store a group whole, and say whether that was possible; if it was not, roll back: some of it may be there."""
        document = _ENCODER.encode(
            [
                (
                    append.table,
                    append.seq,
                    append.at,
                    append.command,
                    append.entries.decode(),
                    append.status,
                    append.wake,
                    None if summary is None else summary.decode(),
                )
                for append, summary in group
            ]
        ).decode()
        if connection.execute(self._insert, {"group": document}).rowcount != len(group):
            return False
        connection.execute(self._update, {"group": document, "now": now})
        return True
