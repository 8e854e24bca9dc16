"""What can be asked of a room. A command of a seat names the decision that it is for, and its action in words."""

from typing import TypeAlias

import msgspec

from faceup.core import Seat
from faceup.core.record import Times
from faceup.server.rooms.entries import Reaction, Reason


class _Command(msgspec.Struct, frozen=True, tag_field="do"):
    """Something asked of a room."""


class Sit(_Command, frozen=True, tag="sit"):
    """Take a seat under this name: the one that is kept for the player, else the first free one, if none is named."""

    name: str
    seat: Seat | None = None


class Rename(_Command, frozen=True, tag="rename"):
    """Be called something else in one's seat. For the seat's player, before the start."""

    seat: Seat
    name: str


class AddBot(_Command, frozen=True, tag="add_bot"):
    """Let a bot sit down, in the first free seat unless one is named. For the host, before the start."""

    kind: str
    seat: Seat | None = None


class Remove(_Command, frozen=True, tag="remove"):
    """Free a seat, or keep it for nobody any more. For the host, before the start.

    Somebody else whom the host removes cannot sit down in this room again.
    """

    seat: Seat


class Start(_Command, frozen=True, tag="start"):
    """Begin: bots take the seats that are empty. For the host."""


class Mark(_Command, frozen=True, tag="mark"):
    """Say what the clock shall play if this seat chooses nothing in time; null takes the mark away."""

    seat: Seat
    action: str | None
    decision: int


class Choose(_Command, frozen=True, tag="choose"):
    """Seal a choice, such as "play 57", or another in its place."""

    seat: Seat
    action: str
    decision: int


class Unchoose(_Command, frozen=True, tag="unchoose"):
    """Take the sealed choice back."""

    seat: Seat
    decision: int


class Leave(_Command, frozen=True, tag="leave"):
    """Go away. Before the start the seat is free again; after it, it is kept, and the table plays for it meanwhile."""

    seat: Seat


class Return(_Command, frozen=True, tag="return"):
    """Come back to a seat that was kept."""

    seat: Seat


class Pause(_Command, frozen=True, tag="pause"):
    """Stop the clock, and choosing. For the host."""


class Resume(_Command, frozen=True, tag="resume"):
    """Go on after a pause. For the host."""


class Pace(_Command, frozen=True, tag="pace"):
    """Give a seat once or twice the clock, or (null) no limit. For the seat's player, no limit for the host alone."""

    seat: Seat
    times: Times


class React(_Command, frozen=True, tag="react"):
    """Show the others one of the reactions."""

    seat: Seat
    reaction: Reaction


class Pledge(_Command, frozen=True, tag="pledge"):
    """Fix this seat's contribution to a round of a fair deal by its hash. A client sends it by itself."""

    seat: Seat
    round: int
    pledge: str


class OpenPledge(_Command, frozen=True, tag="open_pledge"):
    """Open what this seat pledged: 32 bytes in hexadecimal digits. A client sends it by itself."""

    seat: Seat
    round: int
    contribution: str


class HandOver(_Command, frozen=True, tag="hand_over"):
    """Make the person in the seat the host. For the host."""

    seat: Seat


class Close(_Command, frozen=True, tag="close"):
    """End the room before its game is over. For the host."""

    reason: Reason = "host"


PersonCommand: TypeAlias = (
    Sit
    | Rename
    | AddBot
    | Remove
    | Start
    | Mark
    | Choose
    | Unchoose
    | Leave
    | Return
    | Pause
    | Resume
    | Pace
    | React
    | Pledge
    | OpenPledge
    | HandOver
    | Close
)
"""What a client may send."""


class Rematch(_Command, frozen=True, tag="rematch"):
    """Say in which other room play goes on. The server opens that room first, for a player who asks for it."""

    table: str


class Tick(_Command, frozen=True, tag="tick"):
    """Do what is due by now; never refused."""


class StandIn(_Command, frozen=True, tag="stand_in"):
    """Choose for a seat that is away: its mark, else this action, else what the table's stand-in would play."""

    seat: Seat
    decision: int
    action: str | None = None


class Bot(_Command, frozen=True, tag="bot"):
    """Seal the choice of a bot."""

    seat: Seat
    action: str
    decision: int


class Extend(_Command, frozen=True, tag="extend"):
    """Move the open deadline back by so many milliseconds, because the server was away; nothing where none is open."""

    by: int


RoomCommand: TypeAlias = PersonCommand | Rematch | Tick | StandIn | Bot | Extend
"""Those, and what the server itself asks."""
