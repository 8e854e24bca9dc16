"""Rows and results of the store, and new IDs."""

import secrets
import string
from typing import Final, NamedTuple

import msgspec

_ID_LETTERS: Final = string.ascii_letters + string.digits

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRTUVWXYZ"
"""All letters except I, L, O and S, which can be confused with digits."""

NOT_CODES: Final = frozenset({"WATCH"})
"""Words that no table has as its code, because they are addresses of pages."""


class CorrespondenceTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has to do at a running correspondence game.

    Attributes:
        player: ID of the player.
        decision: the number of the open decision.
        waiting: whether the table waits for the player's choice.
        due: the player's deadline, in milliseconds since 1970 on the database's clock; None without one.
        since: when the decision was opened, in the same unit.
    """

    player: str
    decision: int
    waiting: bool
    due: int | None
    since: int


class LogRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row of a table's log, with the entries that one command or timeout has added.

    Attributes:
        table: the table's ID.
        seq: the row's number in the table's log, from 0, without gaps.
        at: milliseconds since the table was opened.
        entries: the entries as a JSON array.
        command: idempotency key of the command, unique in the table; None for timeouts.
        status: status of the table after the row: "pending", "active", "finished" or "closed".
        wake: when a process must next visit the table, in milliseconds since 1970 on the database's clock; None if
            never.
        guarded: whether to reject the row unless this process's heartbeat is fresh; True for everything that a timer
            causes.
        turns: the turns of all players after the row, which are stored with it; empty if the game is not running, and
            None if it is not a correspondence game.
    """

    table: str
    seq: int
    at: int
    entries: bytes
    command: str | None = None
    status: str
    wake: int | None = None
    guarded: bool = False
    turns: tuple[CorrespondenceTurn, ...] | None = None


TOO_LONG: Final = msgspec.Raw(b"null")
"""Stands for entries that were too long for a notification."""


class NewRow(msgspec.Struct, frozen=True, array_like=True):
    """A row that another process has appended to the log of a table.

    Attributes:
        table: the table's ID.
        seq: the row's number in the table's log.
        command: idempotency key of the command; None for timeouts.
        entries: the entries as a JSON array; `TOO_LONG` if they were too long for a notification.
    """

    table: str
    seq: int
    command: str | None
    entries: msgspec.Raw


class TableOrigin(msgspec.Struct, frozen=True, kw_only=True):
    """Who created a table, and what it counts in the limits on open tables.

    Attributes:
        source: a keyed hash of the creator's address; "" if the server itself created the table.
        creator: ID of the player who created it; "" as above.
        cost: its cost in the limits on open tables.
        bot_only: whether only bots have seats, so that no person sets the pace.
        correspondence: whether it is a correspondence game, which has limits of its own.
    """

    source: str = ""
    creator: str = ""
    cost: int = 1
    bot_only: bool = False
    correspondence: bool = False


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table without its log. Times are milliseconds since 1970 on the database's clock.

    Attributes:
        id: the table's ID.
        code: the join code, five letters.
        opened_at: when the table was opened.
        status: "pending", "active", "finished" or "closed".
        listed: whether it is in the list of public tables.
        seq: number of the last row of its log.
        wake: when a process must next visit it; None if never.
        changed_at: when the last row of its log was appended.
        ended_at: when it was finished or closed; None before that.
        summary: the table's entry for lists of tables, as JSON.
        spectator_delay: how late spectators see the game, in milliseconds.
        origin: who created the table.
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
    spectator_delay: int = 0
    origin: TableOrigin = TableOrigin()

    def public_status(self, now: int) -> str:
        """Return the status as spectators see it: a game with a spectator delay is active until they see its end."""
        return "active" if self.ended_at is not None and self.ended_at + self.spectator_delay > now else self.status

    def public_end(self, now: int) -> int | None:
        """Return when the table ended, if spectators have seen this; else None."""
        return None if self.ended_at is None or self.ended_at + self.spectator_delay > now else self.ended_at


class PublicTableRow(NamedTuple):
    """A table in the list of public tables, and its turn among the tables of its address: 1 is the newest one."""

    row: TableRow
    turn: int


class Outage(msgspec.Struct, frozen=True, kw_only=True):
    """A period in which no process was alive, in milliseconds since 1970 on the database's clock."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Its length in milliseconds."""
        return self.end - self.start


class HeartbeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of a heartbeat.

    Attributes:
        now: time of the database's clock, in milliseconds since 1970.
        monotonic: time of this machine's monotonic clock at the same moment, in milliseconds.
        alive: IDs of the live processes, including this one.
        outages: outages with pending deadline extensions, the earliest first.
    """

    now: int
    monotonic: int
    alive: tuple[str, ...]
    outages: tuple[Outage, ...]


def new_id() -> str:
    """Generate an unguessable ID for a table, player or process: 22 letters and digits, more than 128 bits.

    It contains no dash, so it cannot look like a command-line option.

    >>> len(new_id())
    22
    """
    return "".join(secrets.choice(_ID_LETTERS) for _ in range(22))


def new_code() -> str:
    """Generate a join code of five letters. There are only five million codes, so a code is not a secret."""
    while (code := "".join(secrets.choice(CODE_LETTERS) for _ in range(5))) in NOT_CODES:
        pass
    return code
