"""Votes that a bot plays for an idle player: one who has no deadline, so that the others would wait without an end.

The players who are not waited for vote. With more than half of their votes, the idle player counts as absent, and
returns like every absent player. The votes count until the decision changes.
"""

from typing import Final

from faceup.core import Seat
from faceup.core.record import Applied, Joined, Listed, PledgeOpened, Returned, Unpaused
from faceup.server.rooms.room import Room
from faceup.table.table import deadline_of

IDLE_AFTER: Final = 60_000
"""Milliseconds for which the table must have waited for a player before others can vote."""


def idle_seats(room: Room) -> tuple[Seat, ...]:
    """Return the seats of present people without a deadline that a running game waits for."""
    table = room.table
    if room.status != "active" or table.paused is not None or room.daily is not None:
        return ()
    return tuple([seat for seat in table.waiting if _is_present(room, seat) and deadline_of(table, seat) is None])


def idle_from(room: Room) -> tuple[int | None, ...] | None:
    """Return for each seat when a player who has not chosen counts as idle; None for a seat with a deadline.

    The times are milliseconds since the room was created. Return None if every seat has a deadline, or no one can vote.
    """
    clock, paces = room.table.terms.clock, room.table.paces
    if (clock is not None and None not in paces) or room.status != "active" or room.daily is not None:
        return None
    if len(room.owners) - room.owners.count(None) < 2:
        return None
    unlimited = (clock is None or pace is None for pace in paces)
    return tuple(waits_since(room, seat) + IDLE_AFTER if has_none else None for seat, has_none in enumerate(unlimited))


def waits_since(room: Room, seat: Seat) -> int:
    """Return since when the table waits for a seat, in milliseconds since the room was created."""
    for entry in reversed(room.table.entries):
        match entry:
            case Applied() | Joined() | Listed() | PledgeOpened() | Unpaused():
                return entry.at
            case Returned() if entry.seat == seat:
                return entry.at
            case _:
                pass
    return 0


def voters(room: Room) -> tuple[Seat, ...]:
    """Return the seats that may vote: those of present people that the game does not wait for."""
    waiting = room.table.waiting
    return tuple(seat for seat in range(len(room.owners)) if seat not in waiting and _is_present(room, seat))


def is_outvoted(room: Room, idle: Seat, votes: frozenset[tuple[Seat, Seat]]) -> bool:
    """Return whether more than half of the voters want a bot to play for a seat; `votes` as in `Room.bot_votes`."""
    allowed = voters(room)
    return 2 * sum((seat, idle) in votes for seat in allowed) > len(allowed)


def _is_present(room: Room, seat: Seat) -> bool:
    player = room.table.players[seat]
    return player is not None and player.here and room.owners[seat] is not None
