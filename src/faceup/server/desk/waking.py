"""When somebody must look at a room again, whichever process it is; and what lists say of it."""

from typing import Final

import msgspec

from faceup.core import Seat
from faceup.core.record import Applied, Joined, Left, Listed, Paused, PledgeOpened, Returned, Sealed, Unpaused
from faceup.server.desk.patience import Patience
from faceup.server.rooms import PERSON, Room
from faceup.table import awaited, to_choose

_STEPS: Final = 16
"""An abandoned table may be looked at later by one of so many parts of the time that it is left alone.

So most choices leave that moment as it is. A table's row is found by it in the database: written down anew for every
choice, it took three pages more than the four of a choice itself.
"""


def wake_of(room: Room, opened_at: int, patience: Patience) -> int | None:
    """When somebody must look at the room, at the latest, if nothing is appended to it before; None is never.

    Args:
        room: as it stands.
        opened_at: when it was opened, in milliseconds since 1970.
        patience: what is waited for how long.

    Returns:
        Milliseconds since 1970.
    """
    table = room.table
    match room.status:
        case "pending":
            return opened_at + room.at + patience.forgotten
        case "active":
            look = _rounded_up(room.at + patience.abandoned, patience.abandoned // _STEPS)
            if table.paused is not None:
                return opened_at + min(look, table.paused + patience.paused)
            waiting = to_choose(table)
            if (due := table.due) is not None:
                look = min(look, due + patience.lag)
            if any(for_the_table(room, seat) for seat in waiting):
                look = min(look, room.at + patience.take_over)
            return opened_at + look
        case _:
            return None


def _rounded_up(time: int, step: int) -> int:
    return time if step < 1 else -(-time // step) * step


def decision_began(room: Room) -> int | None:
    """When what the clock runs for was begun, in milliseconds since the room was opened; None if it runs for nothing.

    That is the open decision, or the step of a fair deal that clients have to take.
    """
    if not room.table.deciders and not awaited(room.table):
        return None
    begins = Sealed | Listed if room.table.sealing else Applied | Joined | Listed | PledgeOpened
    for entry in reversed(room.table.entries):
        if isinstance(entry, begins):
            return entry.at
    return None


def ran_at(room: Room, opened_at: int, moment: int) -> bool:
    """Whether the clock that runs for the open decision ran at that time, in milliseconds since 1970, already."""
    if room.status != "active" or room.table.due is None:
        return False
    began = decision_began(room)
    return began is not None and opened_at + began <= moment


def rests(room: Room) -> bool:
    """Whether the game is paused because all people had gone away: then it goes on when one of them is back."""
    if room.table.paused is None:
        return False
    away, resting = set[int](), False
    for entry in room.table.entries:
        match entry:
            case Left():
                away.add(entry.seat)
            case Returned():
                away.discard(entry.seat)
            case Joined():
                away.discard(entry.seat)
            case Paused():
                resting = all(seat in away for seat in people(room))
            case Unpaused():
                resting = False
            case _:
                pass
    return resting


def people(room: Room) -> tuple[int, ...]:
    """The seats of people, whether they are there or away."""
    players = enumerate(room.table.players)
    return tuple(seat for seat, player in players if player is not None and player.kind == PERSON)


def summary_of(room: Room) -> bytes:
    """What a list of tables says of the room, as JSON: all of it is public."""
    opening = room.opening
    host = room.owners.index(room.host) if room.host in room.owners and room.host is not None else None
    return msgspec.json.encode(
        {
            "game": opening.game,
            "variant": opening.variant,
            "options": opening.options,
            "clock": room.table.terms.clock,
            "watch": opening.watch,
            "host": host,
            "seats": [
                None if player is None else {"name": player.name, "kind": player.kind} for player in room.table.players
            ],
        }
    )


def for_the_table(room: Room, seat: Seat) -> bool:
    """Whether the server chooses for the seat: it is a bot's, or its player is away."""
    player = room.table.players[seat]
    return player is not None and (player.kind != PERSON or not player.here)
