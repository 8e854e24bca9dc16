"""Changes of a room's host by rule: who inherits the role from a host who leaves, and when the host gets it back."""

from faceup.core import Seat
from faceup.server.rooms.commands import AddBot, Close, Remove, RoomCommand, Start, TransferHost
from faceup.server.rooms.entries import EntryBatch, HostSet
from faceup.server.rooms.room import Room
from faceup.server.rooms.succession import successor
from faceup.table import Table
from faceup.table.commands import Pace, Pause, Resume


def inherit(room: Room, seat: Seat, after: Table, at: int) -> EntryBatch:
    """Return the entry for the heir if the host leaves a seat, after which the table is `after`.

    Before the start, the next player to sit down becomes the host if there is no heir. Later, a room without players
    keeps its host.
    """
    owner = room.owners[seat]
    if owner is None or owner != room.host:
        return ()
    present = [
        (player, True)
        for other, (occupant, player) in enumerate(zip(after.players, room.owners, strict=True))
        if occupant is not None and occupant.here and player is not None and other != seat
    ]
    heir = successor(present)
    return () if heir is None and after.status != "pending" else (HostSet(at, heir, by_rule=True),)


def host_of_newcomer(room: Room, player: str, at: int) -> EntryBatch:
    """Return the entry if a player who sits down becomes the host: in a room without one, or again."""
    is_back = player == room.replaced_host
    return (HostSet(at, player, by_rule=not is_back),) if is_back or (room.host is None and not room.fill_after) else ()


def host_of_returned(room: Room, seat: Seat, at: int) -> EntryBatch:
    """Return the entry if a player who returns to a seat is the host again."""
    owner = room.owners[seat]
    return () if owner is None or owner != room.replaced_host else (HostSet(at, owner),)


def host_confirmed(room: Room, command: RoomCommand, player: str | None, at: int) -> EntryBatch:
    """Return the entry if an heir uses the role, and so keeps it."""
    used = isinstance(command, AddBot | Close | Pause | Remove | Resume | Start | TransferHost) or (
        isinstance(command, Pace) and command.times is None
    )
    return (HostSet(at, player),) if used and room.replaced_host is not None and player == room.host else ()
