"""Errors of the store."""

from typing import ClassVar, Literal, TypeAlias

ConflictKind: TypeAlias = Literal["seq", "command", "table", "code"]
"""What was taken already when a conflict occurred; see `ConflictError`."""


class StoreError(Exception):
    """The base class of the store's errors, with a `kind` for programs and a `message` of one sentence."""

    kind: ClassVar[str] = "store"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class ConflictError(StoreError):
    """Another process stored a conflicting row first, so nothing was stored. Read the log, decide again and retry.

    Attributes:
        taken: `seq` if the row number is taken, `command` if the command's ID is in the log already, `table` or `code`
            if the ID or the code of a new table is taken.
    """

    kind = "collision"

    def __init__(self, taken: ConflictKind, what: str) -> None:
        super().__init__(f"{what} exists already; nothing was stored")
        self.taken = taken


class TableDeletedError(StoreError):
    """A new table has the ID of a table that was deleted. Nothing was stored."""

    kind = "deleted"


class LogMissingError(StoreError):
    """The table does not exist, or its log ends before the row that precedes the new one. Nothing was stored."""

    kind = "not_found"


class LogRewrittenError(StoreError):
    """A player was erased from the table's log after it was read. Nothing was stored. Load the table and retry."""

    kind = "unavailable"


class StaleHeartbeatError(StoreError):
    """A guarded append was rejected. Retry after the next heartbeat.

    The heartbeat of this process is stale, or deadline extensions for an outage are pending.
    """

    kind = "stale_heartbeat"


class UnavailableError(StoreError):
    """The database does not answer or cannot be written. Later calls try again; no restart is needed.

    Attributes:
        unknown: True if the connection was lost during the commit, so that the rows may or may not have been stored;
            read the table to find out. False if nothing was stored.
    """

    kind = "unavailable"

    def __init__(self, message: str, *, unknown: bool = False) -> None:
        super().__init__(message)
        self.unknown = unknown


class UnsupportedDatabaseError(StoreError):
    """The database cannot be used: its schema is not known, or it is not a faceup database."""

    kind = "unfit"
