"""Events of the table, in addition to the game's events.

They never hold a secret choice or a mark: only the view of the seat that chose or marked contains it.
"""

from collections.abc import Sequence
from typing import ClassVar

from faceup.core import Event, Seat
from faceup.core.record import Times


class SentenceEvent(Event, frozen=True):
    """An event with a sentence from a template.

    The template may contain `event`, which is the event itself, `player`, which is the name of the player in its seat,
    and `number`, which is the number of its seat counted from 1.
    """

    sentence: ClassVar[str]

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        seat = getattr(self, "seat", None)
        if seat is None:
            return self.sentence.format(event=self)
        return self.sentence.format(event=self, player=names[seat], number=seat + 1)


class SeatTaken(SentenceEvent, frozen=True, tag="seat_taken"):
    """A player took a seat."""

    sentence = "{event.name} sits down."
    seat: Seat
    name: str
    kind: str


class Chose(SentenceEvent, frozen=True, tag="chose"):
    """A seat has chosen, in secret."""

    sentence = "{player} has chosen."
    seat: Seat


class ChoiceWithdrawn(SentenceEvent, frozen=True, tag="choice_withdrawn"):
    """A seat withdrew its choice."""

    sentence = "{player} is thinking again."
    seat: Seat


class TimeUp(SentenceEvent, frozen=True, tag="time_up"):
    """The clock chose for a seat."""

    sentence = "Time is up: the table chooses for {player}."
    seat: Seat


class AutoplayChose(SentenceEvent, frozen=True, tag="autoplay_chose"):
    """The table chose for a seat that is away."""

    sentence = "{player} is away: the table chooses."
    seat: Seat


class ClockPaused(SentenceEvent, frozen=True, tag="clock_paused"):
    """The game was paused."""

    sentence = "The game is paused."


class ClockResumed(SentenceEvent, frozen=True, tag="clock_resumed"):
    """The game was resumed."""

    sentence = "The game is resumed."


class PaceChanged(Event, frozen=True, tag="pace_changed"):
    """A seat's time limit was set to `times` times the clock; None means no limit."""

    seat: Seat
    times: Times

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        what = {1: "the normal time", 2: "twice the time", None: "no time limit"}[self.times]
        return f"{names[self.seat]} has {what} from now on."


class PlayerLeft(SentenceEvent, frozen=True, tag="player_left"):
    """A player left."""

    sentence = "{event.name} leaves."
    seat: Seat
    name: str


class PlayerReturned(SentenceEvent, frozen=True, tag="player_returned"):
    """A player returned to its seat."""

    sentence = "{player} is back."
    seat: Seat


class DeadlineExtended(Event, frozen=True, tag="deadline_extended"):
    """The open decision's deadline was extended by `by` milliseconds."""

    by: int

    def words(self, names: Sequence[str]) -> str:  # noqa: ARG002 -- it is about no seat
        """Return the sentence."""
        return f"The deadline is extended by {self.by / 1000:g} s."


class CommitmentPublished(SentenceEvent, frozen=True, tag="commitment_published"):
    """The server published a hash that commits it to its secret for a round of a fair deal."""

    sentence = "The server commits to a secret for a fair deal: {event.commitment}."
    round: int
    commitment: str


class PledgeMade(SentenceEvent, frozen=True, tag="pledge_made"):
    """A seat published a hash that commits it to its contribution to a fair deal."""

    sentence = "{player} pledges a contribution to the deal."
    seat: Seat
    pledge: str


class PledgesListed(Event, frozen=True, tag="pledges_listed"):
    """Pledging is closed, and these seats have to open their pledges."""

    seats: tuple[Seat, ...]

    def words(self, names: Sequence[str]) -> str:
        """Return the sentence."""
        who = ", ".join(names[seat] for seat in self.seats) or "only the server"
        return f"Contributors to the deal: {who}."


class ContributionRevealed(SentenceEvent, frozen=True, tag="contribution_revealed"):
    """A seat revealed its contribution to a fair deal."""

    sentence = "{player} reveals its contribution."
    seat: Seat
    contribution: str


class SeatExcluded(SentenceEvent, frozen=True, tag="seat_excluded"):
    """A seat did not open its pledge in time, so a new round starts without this seat."""

    sentence = "{player} did not reveal its contribution in time and is excluded from the next round."
    seat: Seat


class SecretRevealed(SentenceEvent, frozen=True, tag="secret_revealed"):
    """The server revealed its secret of a round, because the match is over or the round is void."""

    sentence = "The server reveals its secret: {event.secret}."
    round: int
    secret: str
