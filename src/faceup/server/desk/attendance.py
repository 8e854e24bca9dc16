"""Who is at a table: seats with a connection here, and how long those without one are waited for."""

from faceup.core import Seat
from faceup.server.desk.patience import Patience
from faceup.server.desk.streams import Streams
from faceup.server.rooms import Room


class Attendance:
    """The people's seats of one room, and until when each that is not connected here counts as present."""

    def __init__(self, streams: Streams, patience: Patience) -> None:
        self._streams = streams
        self._patience = patience
        self._until: dict[Seat, int] = {}

    def look(self, room: Room, now: int) -> None:
        """Begin to wait for whoever is not connected, and stop waiting for whoever is again."""
        present = people_here(room) if room.status in {"pending", "active"} else ()
        if not present and not self._until:
            return
        for seat in tuple(self._until):
            if seat not in present or self._streams.watched(seat):
                del self._until[seat]
        for seat in present:
            if seat not in self._until and not self._streams.watched(seat):
                self._until[seat] = now + self._grace(room)

    def waits_for(self, seat: Seat) -> bool:
        """Whether the seat has no connection, and counts as present all the same."""
        return seat in self._until

    def called(self, room: Room, seat: Seat, now: int) -> None:
        """A seat without a connection has sent a command, so it is there."""
        if seat in self._until:
            self._until[seat] = now + max(self._patience.called, self._grace(room))

    def wait_longer(self, seat: Seat, until: int) -> None:
        """Wait for a seat until then: it is connected elsewhere, say."""
        if seat in self._until:
            self._until[seat] = until

    def gone(self, now: int) -> list[Seat]:
        """The seats that have been waited for long enough."""
        return [seat for seat, until in self._until.items() if until <= now]

    @property
    def next(self) -> int | None:
        """When the next of them will have been."""
        return min(self._until.values(), default=None)

    def _grace(self, room: Room) -> int:
        return self._patience.lobby if room.status == "pending" else room.opening.grace


def people_here(room: Room) -> tuple[Seat, ...]:
    """The seats whose players are people, and have not gone away."""
    return tuple(
        seat
        for seat, (player, owner) in enumerate(zip(room.table.players, room.owners, strict=True))
        if player is not None and owner is not None and player.here
    )
