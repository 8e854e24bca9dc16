"""The commands of a room, in addition to those of its table, and the client side of a fair deal."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import msgspec

from faceup.core import Seat
from faceup.server.rooms.entries import Reaction, Reason
from faceup.table import Choose, ExpireDeadline, next_fair_command
from faceup.table.commands import (
    Autoplay,
    Leave,
    Mark,
    OpenPledge,
    Pace,
    Pause,
    Pledge,
    Resume,
    Return,
    TableCommand,
    Unchoose,
)
from faceup.table.views import FairView


class Sit(TableCommand, frozen=True, tag="sit", omit_defaults=True):
    """Take a seat under this name. The default seat is the one reserved for the player, or else the first free seat."""

    name: str
    seat: Seat | None = None
    face: str = ""


class Rename(TableCommand, frozen=True, tag="rename", omit_defaults=True):
    """Change the name shown in a seat. Only the seat's player may do this, and only before the game starts.

    In a running game, a player who chose no name before, and is shown as "Guest", can get a name once.
    """

    seat: Seat
    name: str
    face: str = ""


class AddBot(TableCommand, frozen=True, tag="add_bot"):
    """Seat a bot, by default in the first free seat. Only the host may do this, and only before the game starts."""

    kind: str
    seat: Seat | None = None


class Remove(TableCommand, frozen=True, tag="remove"):
    """Empty a seat or cancel its reservation. Only the host may do this, and only before the game starts.

    A player removed by the host cannot sit down in this room again.
    """

    seat: Seat


class Start(TableCommand, frozen=True, tag="start"):
    """Start the game, with bots in the empty seats. Only the host may do this."""


class React(TableCommand, frozen=True, tag="react", omit_defaults=True):
    """Show a reaction: to everyone, to the player in the seat `to`, or at a card that lies face up on the table."""

    seat: Seat
    reaction: Reaction
    to: Seat | None = None
    card: int | None = None


class VoteForBot(TableCommand, frozen=True, tag="vote_for_bot"):
    """Vote that a bot plays for the idle player in this seat, who has no deadline, until the player returns."""

    seat: Seat


class DeclareProgram(TableCommand, frozen=True, tag="declare_program"):
    """Declare that a program plays in your seat. The server declares it for every player that uses an API token."""


class TransferHost(TableCommand, frozen=True, tag="transfer_host"):
    """Make the player in this seat the host. Only the current host may do this."""

    seat: Seat


class Close(TableCommand, frozen=True, tag="close"):
    """Close the table before the game ends. Only the host may do this."""

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
    | VoteForBot
    | Pledge
    | OpenPledge
    | TransferHost
    | Close
    | DeclareProgram
)
"""The commands that a client may send."""


class Rematch(TableCommand, frozen=True, tag="rematch"):
    """Store the id of the room that the server has created for a rematch, at a player's request.

    `instead` is the id of the rematch that it replaces, because that room was closed.
    """

    table: str
    instead: str | None = None


class ChooseForBot(TableCommand, frozen=True, tag="bot"):
    """Choose an action for a bot."""

    seat: Seat
    action: str
    decision: int


class Extend(TableCommand, frozen=True, tag="extend"):
    """Extend the current deadline by `by` milliseconds after an outage. Has no effect if there is no deadline."""

    by: int


RoomCommand: TypeAlias = PersonCommand | Rematch | ExpireDeadline | Autoplay | ChooseForBot | Extend
"""All commands: the commands that clients may send, and the commands that only the server itself gives."""


def fair_command_for(room_view: Mapping[str, Any], seed: bytes) -> Pledge | OpenPledge | None:  # Any: JSON
    """Return the command that the client must send now for a fair deal, or None.

    Call this function after every message from the server.

    Args:
        room_view: the client's current room view, decoded from JSON.
        seed: 32 secret random bytes of the client, which stay the same as long as the table exists.

    >>> fair_command_for({"seat": 0, "fair": None}, bytes(32))
    """
    seat, fair = room_view.get("seat"), room_view.get("fair")
    if seat is None or fair is None:
        return None
    return next_fair_command(msgspec.convert(fair, FairView), seat, seed)
