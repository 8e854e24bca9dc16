"""Of several ids of one person, as which one it acts: somebody who was a guest and logged in may have two seats."""

from collections.abc import Sequence

from faceup.core import Seat
from faceup.server.rooms.commands import (
    AddBot,
    Close,
    HandOver,
    Pause,
    PersonCommand,
    Remove,
    Resume,
    Sit,
    Start,
)
from faceup.server.rooms.names import handle_of
from faceup.server.rooms.room import Room


def speaker(room: Room, players: Sequence[str], command: PersonCommand | None = None, seat: Seat | None = None) -> str:
    """The id by which a person asks this, or looks on if it asks nothing.

    Args:
        room: as it stands.
        players: the person's ids, that by which it is known now first.
        command: what it asks.
        seat: the one that it speaks of, if it does.

    >>> from faceup.server.rooms.opening import Opening
    >>> from faceup.server.rooms.room import open_room
    >>> speaker(open_room(Opening(game="nimmt")), ["ann-id", "guest-id"])
    'ann-id'
    """
    if isinstance(command, AddBot | Remove | Start | Pause | Resume | HandOver | Close):
        return room.host if room.host is not None and room.host in players else players[0]
    if isinstance(command, Sit):
        barred = (player for player in players if player in room.barred)
        if (player := next(barred, None)) is not None:
            return player
        kept = (player for player in players if player not in room.owners and handle_of(player) in room.kept)
        if (player := next(kept, None)) is not None:
            return player
    else:
        seat = getattr(command, "seat", seat)
    if seat is not None and 0 <= seat < len(room.owners) and (owner := room.owners[seat]) in players:
        return owner or players[0]
    there = [player for player in players if player in room.owners]
    return next(iter(there), room.host if room.host is not None and room.host in players else players[0])
