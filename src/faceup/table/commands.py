"""The commands of a table.

A command names a seat and a decision instead of a version of the table, so two players who choose at the same moment do
not conflict. A `decision` must be the number of the open decision (`Table.decision`), and None also means the open
decision. An action is an `Action`, or text in notation, as clients of a server send it. In JSON, the member `command`
holds the name of the command.
"""

from typing import TypeAlias

import msgspec

from faceup.core import Action, Seat
from faceup.core.record import Times


class TableCommand(msgspec.Struct, frozen=True, tag_field="command"):
    """Base class of all commands."""


class Join(TableCommand, frozen=True, tag="join"):
    """Take a seat; None means the first empty seat. `kind` is "person" or the name of a bot's policy."""

    seat: Seat | None
    name: str
    kind: str = "person"


class Mark(TableCommand, frozen=True, tag="mark"):
    """Mark an action, which is played if this seat's time runs out; null removes the mark."""

    seat: Seat
    action: Action | str | None
    decision: int | None = None


class Choose(TableCommand, frozen=True, tag="choose"):
    """Choose an action in secret, such as "play 57", or replace the seat's earlier choice."""

    seat: Seat
    action: Action | str
    decision: int | None = None


class Unchoose(TableCommand, frozen=True, tag="unchoose"):
    """Take the seat's choice back before the reveal."""

    seat: Seat
    decision: int | None = None


class Forfeit(TableCommand, frozen=True, tag="forfeit"):
    """Forfeit for a seat. Only a referee may do this, so a player's message must never become this command."""

    seat: Seat
    decision: int | None = None


class Leave(TableCommand, frozen=True, tag="leave"):
    """Leave the table. Before the game starts, the seat becomes free. Later, it stays taken and autoplay chooses."""

    seat: Seat


class Return(TableCommand, frozen=True, tag="return"):
    """Return to a seat after leaving a running game."""

    seat: Seat


class Autoplay(TableCommand, frozen=True, tag="autoplay"):
    """Choose for an absent player: the mark if there is one, else `action`, else what the autoplay policy chooses."""

    seat: Seat
    action: Action | str | None = None
    decision: int | None = None


class Pause(TableCommand, frozen=True, tag="pause"):
    """Pause the clock and the game. Online, only the host may do this."""


class Resume(TableCommand, frozen=True, tag="resume"):
    """Resume a paused game. Online, only the host may do this."""


class Pace(TableCommand, frozen=True, tag="pace"):
    """Set a seat's time limit to one or two times the clock, or remove the limit (null).

    Online, the seat's player and the host may do this, but only the host may remove the limit.
    """

    seat: Seat
    times: Times


class Pledge(TableCommand, frozen=True, tag="pledge"):
    """Commit to this seat's contribution to a fair deal.

    `pledge` is the hash of the contribution, in hexadecimal. Clients send this command automatically.
    """

    seat: Seat
    round: int
    pledge: str


class OpenPledge(TableCommand, frozen=True, tag="open_pledge"):
    """Open this seat's pledge by revealing the contribution.

    `contribution` is 32 bytes in hexadecimal. Clients send this command automatically.
    """

    seat: Seat
    round: int
    contribution: str


class ExpireDeadline(TableCommand, frozen=True, tag="expire_deadline"):
    """Apply everything that is due by now. Never rejected. Send it at `Table.due` or periodically."""


class RestartClock(TableCommand, frozen=True, tag="restart_clock"):
    """Restart the clock of a saved table's open decision, and apply moves that are due."""


Command: TypeAlias = (
    Join
    | Mark
    | Choose
    | Unchoose
    | Forfeit
    | Leave
    | Return
    | Autoplay
    | Pause
    | Resume
    | Pace
    | Pledge
    | OpenPledge
    | ExpireDeadline
    | RestartClock
)
