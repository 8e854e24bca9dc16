"""A match between bots, and everything that came of it."""

from enum import StrEnum

import msgspec

from faceup.arena.times import Times
from faceup.core import Seat


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which match it is: who plays, in which seats, with which cards.

    Attributes:
        number: its place in the schedule, from 0.
        block: which deals: everything that chance does follows from the schedule's seed and this number, so that all
            matches of a block have the same cards.
        lineup: the names of the bots, player by player; a bot may sit in several seats.
        rotation: how far the lineup has moved round: its player i sits in seat (i + rotation) % seats.
    """

    number: int
    block: int
    lineup: tuple[str, ...]
    rotation: int

    @property
    def seat_of(self) -> tuple[Seat, ...]:
        """The seat of each player.

        >>> Match(0, 0, ("a", "b", "c"), 1).seat_of
        (1, 2, 0)
        """
        seats = len(self.lineup)
        return tuple([(player + self.rotation) % seats for player in range(seats)])

    @property
    def player_in(self) -> tuple[int, ...]:
        """The player in each seat.

        >>> Match(0, 0, ("a", "b", "c"), 1).player_in
        (2, 0, 1)
        """
        seats = len(self.lineup)
        return tuple([(seat - self.rotation) % seats for seat in range(seats)])


class Cause(StrEnum):
    """Why a bot is out."""

    NOT_STARTED = "not started"
    """There is no such program, or the system does not run it."""
    LATE = "late"
    """No whole line came in time."""
    ENDED = "ended"
    """It ended, or closed its output, where an answer was due; the status is in the words."""
    MALFORMED = "malformed"
    """The line is not an answer, or something came before it was asked for or after the answer's end."""
    ILLEGAL = "illegal"
    """The answer is one that it may not give now."""
    FLOODED = "flooded"
    """It wrote more than a match can need."""


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot lost its seat.

    Attributes:
        player: which of the lineup.
        cause: in one word.
        decision: which of its own decisions, from 0.
        words: what was wrong and what would be right, in one sentence.
    """

    player: int
    cause: Cause
    decision: int
    words: str


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a match ended; everything is by player of the lineup, not by seat.

    Attributes:
        match: which match.
        scores: the game's own points.
        places: 1 is the best; equal players share a place.
        faults: who went out and why, in the order in which it happened.
        times: of each player's answers.
        columns: what each player's program reported as `[key=value]`, the last of each key.
    """

    match: Match
    scores: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[Fault, ...] = ()
    times: tuple[Times, ...] = ()
    columns: tuple[dict[str, str], ...] = ()


class Transcript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the programs wrote. What they were sent follows from the deals and the answers, byte by byte.

    Attributes:
        answers: of each player, decision by decision, as they came, without the ends of their lines; the last of a bot
            that was out may be what came instead of an answer.
        logs: what each wrote to its standard error: the beginning and the end, if it is too much to keep.
        marks: how many bytes each had written there when it was asked for each decision, and at the end; nothing where
            that was not counted.
    """

    answers: tuple[tuple[bytes, ...], ...]
    logs: tuple[bytes, ...]
    marks: tuple[tuple[int, ...], ...] = ()
