"""What happens around the table in a room, as events beside the table's own and the game's."""

from collections.abc import Sequence
from typing import Final

from faceup.core import Event, Seat
from faceup.server.rooms.entries import Reaction, Reason

_SAYS: Final[dict[Reaction, str]] = {
    "bravo": "Bravo!",
    "ouch": "Ouch!",
    "phew": "Phew.",
    "hmm": "Hmm ...",
    "hurry": "Come on!",
    "thanks": "Thanks for the game.",
}
_WHY: Final[dict[Reason, str]] = {
    "host": "The host closed the table.",
    "abandoned": "The table was closed, since nobody was there any more.",
    "operator": "The table was closed by whoever runs the server.",
}


class NewHost(Event, frozen=True, tag="new_host"):
    """Somebody else is the host; None is nobody who has a seat."""

    seat: Seat | None

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return "The table has no host." if self.seat is None else f"{names[self.seat]} is the host now."


class Renamed(Event, frozen=True, tag="renamed"):
    """A player is called something else from now on."""

    seat: Seat
    before: str

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{self.before} is called {names[self.seat]} now."


class SeatFree(Event, frozen=True, tag="seat_free"):
    """A seat is not kept for anybody any more."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- nobody sits there
        """As a sentence."""
        return f"Seat {self.seat} is free for anybody."


class PutOut(Event, frozen=True, tag="put_out"):
    """The host removed somebody, who cannot sit down here any more."""

    seat: Seat
    name: str

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- the seat may have another player since
        """As a sentence."""
        return f"The host takes {self.name} from the table."


class Says(Event, frozen=True, tag="says"):
    """A seat showed a reaction."""

    seat: Seat
    reaction: Reaction

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]}: {_SAYS[self.reaction]}"


class NextTable(Event, frozen=True, tag="next_table"):
    """Play goes on in another room."""

    table: str

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return "There is a rematch."


class Shut(Event, frozen=True, tag="shut"):
    """The room was closed."""

    reason: Reason

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return _WHY[self.reason]
