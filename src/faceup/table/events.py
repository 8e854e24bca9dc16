"""What happens around the game, as events beside the game's own.

None of them can hold a sealed choice or a mark: those stand in their own seat's view alone.
"""

from collections.abc import Sequence

from faceup.core import Event, Seat
from faceup.core.record import Times


class SatDown(Event, frozen=True, tag="sat_down"):
    """A player took a seat."""

    seat: Seat
    name: str
    kind: str

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- whoever had the seat then may have left since
        """As a sentence."""
        return f"{self.name} sits down."


class Chose(Event, frozen=True, tag="chose"):
    """A seat has sealed its choice; what it is, nobody is told."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} has chosen."


class TookBack(Event, frozen=True, tag="took_back"):
    """A seat has no sealed choice any more."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} is thinking again."


class TimeUp(Event, frozen=True, tag="time_up"):
    """The clock chose for a seat."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"Time is up: the table chooses for {names[self.seat]}."


class StandInChose(Event, frozen=True, tag="stand_in_chose"):
    """The table chose for a seat that is away."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} is away: the table chooses."


class ClockStopped(Event, frozen=True, tag="clock_stopped"):
    """A pause began."""

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return "The game is paused."


class ClockRuns(Event, frozen=True, tag="clock_runs"):
    """A pause ended."""

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return "The game goes on."


class NewPace(Event, frozen=True, tag="new_pace"):
    """A seat has so many times the clock; None is no limit."""

    seat: Seat
    times: Times

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        what = {1: "the usual time", 2: "twice the time", None: "all the time it needs"}[self.times]
        return f"{names[self.seat]} has {what} from now on."


class WentAway(Event, frozen=True, tag="went_away"):
    """A player left."""

    seat: Seat
    name: str

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- the seat may have another player since
        """As a sentence."""
        return f"{self.name} leaves."


class CameBack(Event, frozen=True, tag="came_back"):
    """A player returned to its seat."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} is back."


class MoreTime(Event, frozen=True, tag="more_time"):
    """The open decision's deadline moved back by so many milliseconds."""

    by: int

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return f"The clock has {self.by / 1000:g} s more."


class SecretSealed(Event, frozen=True, tag="secret_sealed"):
    """The server fixed its secret for a round of a fair deal, and tells the hash of it."""

    round: int
    commitment: str

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return f"The server seals a secret for a fair deal: {self.commitment}."


class PledgeMade(Event, frozen=True, tag="pledge_made"):
    """A seat fixed its contribution to a fair deal, and tells the hash of it."""

    seat: Seat
    pledge: str

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} pledges a contribution to the deal."


class PledgesListed(Event, frozen=True, tag="pledges_listed"):
    """No more pledges are taken: these seats open what they pledged."""

    seats: tuple[Seat, ...]

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        who = ", ".join(names[seat] for seat in self.seats) or "nobody but the server"
        return f"To the deal contributes: {who}."


class PledgeShown(Event, frozen=True, tag="pledge_shown"):
    """A seat opened its contribution to a fair deal."""

    seat: Seat
    contribution: str

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} opens its contribution."


class SeatLeftOut(Event, frozen=True, tag="seat_left_out"):
    """A seat did not open its contribution in time: a new round begins without it."""

    seat: Seat

    def words(self, names: Sequence[str]) -> str:
        """As a sentence."""
        return f"{names[self.seat]} does not open its contribution, and is left out of a new round."


class SecretShown(Event, frozen=True, tag="secret_shown"):
    """The server's secret of a round from which nothing is hidden any more."""

    round: int
    secret: str

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it concerns everybody
        """As a sentence."""
        return f"The server shows its secret: {self.secret}."
