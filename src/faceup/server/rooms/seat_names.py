"""The names that seats show, and who may change them when.

Before the game, players rename themselves as they like. In a game, a name stays, so that no one can pretend to be
another player. Only a guest who chose no name gets one, and only once.
"""

from collections.abc import Collection

from faceup import table as tables
from faceup.core import Generator, Seat
from faceup.core.record import PERSON
from faceup.server.rooms.commands import Rename
from faceup.server.rooms.entries import EntryBatch, Seated, SeatRenamed
from faceup.server.rooms.names import is_guest_name, name_among
from faceup.server.rooms.room import Room
from faceup.table import Table
from faceup.table.commands import Leave


def names_at(table: Table) -> list[str]:
    """Return the names of all players at a table."""
    return [player.name for player in table.players if player is not None]


def unnamed_seats(room: Room, players: Collection[str]) -> list[Seat]:
    """Return the seats of players, given their ids, that show them as guests who chose no name.

    There are none if the game is over, after which names stay.
    """
    if room.status not in {"pending", "active"}:
        return []
    seats = enumerate(zip(room.owners, room.table.names, strict=True))
    return [seat for seat, (owner, name) in seats if owner in players and is_guest_name(name)]


def gets_first_name(room: Room, command: Rename) -> bool:
    """Return whether a seat in a running game shows a guest who chose no name, and the new name is a chosen one."""
    unnamed = 0 <= command.seat < len(room.owners) and is_guest_name(room.table.names[command.seat])
    return room.table.status == "active" and unnamed and not is_guest_name(command.name)


def name_guest(room: Room, command: Rename, at: int) -> EntryBatch:
    """Return the entries with which a seat in a running game gets its name. Raises the errors of `name_among`."""
    seat = command.seat
    others = [name for other, name in enumerate(room.table.names) if other != seat]
    return (_seated(room, command, at), SeatRenamed(at, seat, name_among(command.name, others)))


def rename_before_game(room: Room, command: Rename, at: int, rng: Generator) -> EntryBatch:
    """Return one batch in which the player leaves the seat and joins it again under the new name.

    Raises the errors of `name_among`.
    """
    seat = command.seat
    left = tables.decide(room.table, Leave(seat), at, rng)
    empty = tables.fold(room.table, left)
    join = tables.Join(seat, name_among(command.name, names_at(empty)), PERSON)
    return (*left, _seated(room, command, at), *tables.decide(empty, join, at, rng))


def _seated(room: Room, command: Rename, at: int) -> Seated:
    seat = command.seat
    return Seated(at, seat, room.owners[seat] or "", command.face or room.faces[seat])
