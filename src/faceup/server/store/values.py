"""What goes into the store and comes out of it."""

import secrets
import string
from typing import Final

import msgspec

_ID_LETTERS: Final = string.ascii_letters + string.digits

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRTUVWXYZ"
"""Letters that nobody mistakes for another or for a digit, read or heard on paper: no I, L, O and S."""


class Append(msgspec.Struct, frozen=True, kw_only=True):
    """What followed from one command or from the clock: one row of a table's log.

    Attributes:
        table: the table's id.
        seq: its number in the table's log, from 0, without gaps.
        at: milliseconds since the table was opened.
        entries: a JSON array.
        command: the id of the command that it answers, unique at this table; None for what the clock did.
        status: the table's, after it: "pending", "active", "finished" or "closed".
        wake: when somebody must look at this table again, on the database's clock, in milliseconds since 1970.
        guarded: refuse it unless this process has shown lately that it is awake: for what the clock does.
    """

    table: str
    seq: int
    at: int
    entries: bytes
    command: str | None = None
    status: str
    wake: int | None = None
    guarded: bool = False


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a table without reading its log.

    Attributes:
        id: the table's id.
        code: five letters by which people find it.
        opened_at: when, on the database's clock, in milliseconds since 1970. The other times are of the same kind.
        status: "pending", "active", "finished" or "closed".
        listed: it stands in the list of open tables.
        seq: the number of its last append.
        wake: when somebody must look at it again.
        changed_at: when its last append was made.
        ended_at: when it became finished or closed.
        summary: JSON for lists, as the last append that brought one said.
    """

    id: str
    code: str
    opened_at: int
    status: str
    listed: bool
    seq: int
    wake: int | None
    changed_at: int
    ended_at: int | None
    summary: bytes


class Outage(msgspec.Struct, frozen=True, kw_only=True):
    """A time in which no process was awake, on the database's clock, in milliseconds since 1970."""

    start: int
    end: int

    @property
    def id(self) -> str:
        """For the command by which a table's deadline is moved: so that it is moved once, whoever does it."""
        return f"outage-{self.start}"

    @property
    def length(self) -> int:
        """Milliseconds by which open deadlines move."""
        return self.end - self.start


class Beat(msgspec.Struct, frozen=True, kw_only=True):
    """What a process learns with each of its heartbeats.

    Attributes:
        now: the database's clock.
        alive: the processes that are awake, this one among them.
        outages: those whose deadlines have not all been moved, the earliest first.
    """

    now: int
    alive: tuple[str, ...]
    outages: tuple[Outage, ...]


def new_id() -> str:
    """An id that nobody guesses, for a table, a player or a process: 22 letters and digits, more than 128 bits.

    There is no dash among them, so that no id looks like an option on a command line.

    >>> len(new_id())
    22
    """
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(22))


def new_code() -> str:
    """Five letters by which people find a table. They are not a secret; there are five million."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(5))
