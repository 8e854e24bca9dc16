"""What can keep the store from doing what it was asked, each with its own type."""

from typing import ClassVar, Literal, TypeAlias

Taken: TypeAlias = Literal["seq", "command", "table", "code"]
"""What a collision was about; see `Collision`."""


class StoreError(Exception):
    """What the errors of a store share: a `kind` for programs, and a `message` of one sentence."""

    kind: ClassVar[str] = "store"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Collision(StoreError):  # noqa: N818 -- the errors are named as the design names them
    """Somebody else was there first. Read on, decide again, append again; nothing of this append was stored.

    Attributes:
        taken: `seq`, another append has this number; `command`, this command is in the log already; `table` and `code`,
            a table that is being created has the id or the code of another.
    """

    kind = "collision"

    def __init__(self, taken: Taken, what: str) -> None:
        super().__init__(f"{what} is taken")
        self.taken = taken


class Missing(StoreError):  # noqa: N818 -- as above
    """There is no such table, or its log does not reach to where this append would go on. Nothing was stored."""

    kind = "missing"


class Frozen(StoreError):  # noqa: N818 -- as above
    """This process cannot be sure that it was awake, or deadlines are still being moved after an outage.

    What the clock does has to wait: for this process's next heartbeat, or for the end of the moving.
    """

    kind = "frozen"


class Unavailable(StoreError):  # noqa: N818 -- as above
    """The database does not answer or cannot be written. The next call asks it again: nothing has to be restarted.

    Attributes:
        unknown: the connection was lost after the commit was sent, and nobody can say yet whether it was made: read the
            table again before you rely on either. False: nothing was stored.
    """

    kind = "unavailable"

    def __init__(self, message: str, *, unknown: bool = False) -> None:
        super().__init__(message)
        self.unknown = unknown


class Unfit(StoreError):  # noqa: N818 -- as above
    """This database cannot be used at all: it is of a later version, or no database of ours. Says how to go on."""

    kind = "unfit"
