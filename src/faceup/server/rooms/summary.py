"""The summary of a table for lists, which the database has besides the log. Everything in it is public."""

from typing import Literal

import msgspec

from faceup.core import Seat
from faceup.core.record import Milliseconds
from faceup.core.registry import OptionValue
from faceup.server.rooms.room import Room


class SeatSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The player of a seat. `kind` is "person", or the name of a bot; `program` is true if a person's program plays."""

    name: str
    kind: str
    program: bool = False


class TableSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The summary of a table.

    Attributes:
        game: name of the game.
        variant: name of the variant.
        options: options of the variant by name.
        clock: the time for a decision in milliseconds; None if there is no clock.
        spectators: who may watch while the game is running, in addition to its players.
        spectator_delay: how late spectators see the game, in milliseconds.
        rated: whether the game changes the ratings of its players.
        host: the host's seat; None if the host has no seat.
        seats: for each seat, its player; None if the seat is empty.
    """

    game: str
    variant: str
    options: dict[str, OptionValue]
    clock: Milliseconds | None
    spectators: Literal["anyone", "nobody"]
    spectator_delay: Milliseconds = 0
    rated: bool
    host: Seat | None
    seats: tuple[SeatSummary | None, ...]


def list_summary(room: Room) -> bytes:
    """Return the table's summary as JSON."""
    config = room.config
    seats = (
        None
        if occupant is None
        else SeatSummary(name=occupant.name, kind=occupant.kind, program=owner in room.programs)
        for occupant, owner in zip(room.table.players, room.owners, strict=True)
    )
    return msgspec.json.encode(
        TableSummary(
            game=config.game,
            variant=config.variant,
            options=config.options,
            clock=room.table.terms.clock,
            spectators=config.spectators,
            spectator_delay=config.spectator_delay,
            rated=room.rated,
            host=room.owners.index(room.host) if room.host in room.owners and room.host is not None else None,
            seats=tuple(seats),
        )
    )
