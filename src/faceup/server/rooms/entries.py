"""What happens in a room, entry by entry: what happens at any table, and what only a server needs to remember.

The log of a room is a list of appends, each of them the entries that followed from one command.
"""

from typing import Literal, TypeAlias

import msgspec

from faceup.core import Malformed, Seat
from faceup.core.record import AnyEntry, Entry
from faceup.server.rooms.opening import Opening

Reaction: TypeAlias = Literal["bravo", "ouch", "phew", "hmm", "hurry", "thanks"]
"""All that can be said at a table."""

Reason: TypeAlias = Literal["host", "abandoned", "operator"]
"""Why a room was closed: its host did it, nobody was there any more, or whoever runs the server did."""


class RoomOpened(Entry, frozen=True, tag="room_opened"):
    """The first entry of every log: what will be played, and the player who opened the room."""

    opening: Opening
    host: str | None


class Seated(Entry, frozen=True, tag="seated"):
    """From now on the seat is this player's; the `Joined` that follows says under which name."""

    seat: Seat
    player: str


class Released(Entry, frozen=True, tag="released"):
    """The seat is not kept for anybody any more."""

    seat: Seat


class Barred(Entry, frozen=True, tag="barred"):
    """The host removed this player from the seat, and it cannot sit down in this room any more."""

    seat: Seat
    player: str


class Hosted(Entry, frozen=True, tag="hosted"):
    """The host is another; null is nobody."""

    player: str | None


class Reacted(Entry, frozen=True, tag="reacted"):
    """A seat showed one of the reactions."""

    seat: Seat
    reaction: Reaction


class Rematched(Entry, frozen=True, tag="rematched"):
    """Play goes on in another room, whose id this is."""

    table: str


class RoomClosed(Entry, frozen=True, tag="room_closed"):
    """The room was closed before its game was over."""

    reason: Reason


AnyRoomEntry: TypeAlias = AnyEntry | RoomOpened | Seated | Released | Barred | Hosted | Reacted | Rematched | RoomClosed

Append: TypeAlias = tuple[AnyRoomEntry, ...]
"""What followed from one command, and stands or falls together."""

_DECODER = msgspec.json.Decoder(tuple[AnyRoomEntry, ...])


def dumps(append: Append) -> bytes:
    """The append as a JSON array, as it is kept in the log."""
    return msgspec.json.encode(append)


def loads(text: bytes | str) -> Append:
    """An append from its JSON. Raises `Malformed`."""
    try:
        return _DECODER.decode(text)
    except msgspec.DecodeError as error:
        raise Malformed(f"this is no append of a room's log: {error}", where="entries") from None
