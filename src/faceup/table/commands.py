"""What can be asked of a table. A command names seats and decisions, never a version of the whole table.

Two players who choose at the same moment therefore do not get in each other's way. Where a command has a `decision`,
it is refused unless that one is open (`Table.decision`); None means whichever is open.
"""

from typing import TypeAlias

import msgspec

from faceup.core import Action, Seat
from faceup.core.record import Times


class Join(msgspec.Struct, frozen=True):
    """Take a seat, or the first empty one (None); `kind` is "person" or the name of a bot's policy."""

    seat: Seat | None
    name: str
    kind: str = "person"


class Mark(msgspec.Struct, frozen=True):
    """Say what the clock shall play if this seat chooses nothing in time; None takes the mark away."""

    seat: Seat
    action: Action | None
    decision: int | None = None


class Choose(msgspec.Struct, frozen=True):
    """Seal a choice, or another in its place."""

    seat: Seat
    action: Action
    decision: int | None = None


class Unchoose(msgspec.Struct, frozen=True):
    """Take the sealed choice back."""

    seat: Seat
    decision: int | None = None


class Forfeit(msgspec.Struct, frozen=True):
    """Put a forfeit in the seat's place: for a referee, who never passes it on from a player."""

    seat: Seat
    decision: int | None = None


class Leave(msgspec.Struct, frozen=True):
    """Go away. Before the first deal the seat is free again; after it, it is kept."""

    seat: Seat


class Return(msgspec.Struct, frozen=True):
    """Come back to a kept seat."""

    seat: Seat


class StandIn(msgspec.Struct, frozen=True):
    """Choose for a seat that is away: what it marked, else this action, else what the table's stand-in would play."""

    seat: Seat
    action: Action | None = None
    decision: int | None = None


class Pause(msgspec.Struct, frozen=True):
    """Stop the clock; nothing can be chosen until an `Unpause`."""


class Unpause(msgspec.Struct, frozen=True):
    """Let the clock go on from where it was stopped."""


class Pace(msgspec.Struct, frozen=True):
    """Give a seat so many times the clock, or no limit (None)."""

    seat: Seat
    times: Times


class Pledge(msgspec.Struct, frozen=True):
    """Fix this seat's contribution to a round of a fair deal: `faceup.core.fair.pledge` of it, in hexadecimal."""

    seat: Seat
    round: int
    pledge: str


class OpenPledge(msgspec.Struct, frozen=True):
    """Open what this seat pledged: the 32 bytes of its contribution, in hexadecimal."""

    seat: Seat
    round: int
    contribution: str


class Tick(msgspec.Struct, frozen=True):
    """Do what is due by now; never refused. Send it at `Table.due`, or every now and then."""


class Resume(msgspec.Struct, frozen=True):
    """Go on after a save: the open decision gets its whole time again, and what was due is done."""


Command: TypeAlias = (
    Join
    | Mark
    | Choose
    | Unchoose
    | Forfeit
    | Leave
    | Return
    | StandIn
    | Pause
    | Unpause
    | Pace
    | Pledge
    | OpenPledge
    | Tick
    | Resume
)
