"""The players that a correspondence game waits for, as the store has them besides the log."""

from faceup.core import Seat
from faceup.server.live.wake_times import decision_started_at, is_autoplayed
from faceup.server.rooms import Room
from faceup.server.store import CorrespondenceTurn
from faceup.table.table import deadline_of


def turns_of(room: Room, opened_at: int) -> tuple[CorrespondenceTurn, ...] | None:
    """Return the turns of all people at a correspondence game; see `LogRow.turns`.

    Args:
        room: the room.
        opened_at: when the table was opened, in milliseconds since 1970 on the database's clock.
    """
    if not room.config.correspondence:
        return None
    if room.status != "active":
        return ()
    return tuple([turn for seat in room.table.people if (turn := _turn(room, opened_at, seat)) is not None])


def _turn(room: Room, opened_at: int, seat: Seat) -> CorrespondenceTurn | None:
    player, table = room.owners[seat], room.table
    if player is None:
        return None
    started_at = decision_started_at(room)
    waiting = table.paused is None and seat in table.waiting and not is_autoplayed(room, seat)
    due = deadline_of(table, seat) if waiting else None
    return CorrespondenceTurn(
        player=player,
        decision=table.decision,
        waiting=waiting,
        due=None if due is None else opened_at + due,
        since=opened_at + (room.at if started_at is None else started_at),
    )
