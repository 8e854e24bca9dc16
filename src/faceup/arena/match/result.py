"""The result of a match with lineup, scores, places, faults and answer times, and the transcript of its programs.

Results can also be formatted for CodinGame tools. Sources: psyleague 0.4.1, `psyleague.py` (play_games, Game,
mode_show) and its ReadMe; cg-brutaltester, `GameThread.java` and `PlayerStats.java`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from math import ceil, isfinite
from typing import Final

import msgspec

from faceup.arena.match.terms import NonNegative
from faceup.core import Malformed, Seat
from faceup.core.arguments import check_fields, real_number

BUCKETS_PER_OCTAVE: Final = 8
"""The number of buckets for each doubling of the time. The width of a bucket is 1/16 to 1/8 of the times in it."""


class LatencyHistogram(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A histogram of answer times in microseconds, from the last byte of the request. Histograms can be added up.

    Attributes:
        count: the number of answers.
        total: the sum of all times.
        most: the longest time.
        grace: the sum of the times by which answers exceeded their limits, which CPU credit covered.
        classes: the number of answers in each bucket, by the bucket's index. `bucket_start` returns its lower bound.
    """

    count: int = 0
    total: int = 0
    most: int = 0
    grace: int = 0
    classes: Mapping[int, int] = {}

    @property
    def mean(self) -> float:
        """Return the mean time in microseconds; 0 if there are no answers."""
        return self.total / self.count if self.count else 0.0

    def quantile(self, share: float) -> int:
        """Return the quantile of the times at this share, from 0 to 1, in microseconds; 0 if there are no answers.

        The result is not below the exact quantile, and at most 1/8 above it.

        >>> histogram_of([100] * 99 + [90_000]).quantile(0.99)
        104
        """
        if not 0 <= real_number("share", share) <= 1:
            raise Malformed(f"share must be 0 to 1; got {share}", what=share, where="share")
        left = ceil(share * self.count)
        for index in sorted(self.classes):
            left -= self.classes[index]
            if left <= 0:
                return min(self.most, bucket_start(index + 1))
        return self.most


def bucket_of(time: int) -> int:
    """Return the index of the bucket that contains a time in microseconds.

    >>> [bucket_of(time) for time in (0, 7, 8, 9, 16, 18, 1000)]
    [0, 7, 8, 9, 16, 17, 63]
    """
    if time < BUCKETS_PER_OCTAVE:
        return max(0, time)
    octave = time.bit_length() - BUCKETS_PER_OCTAVE.bit_length()
    return octave * BUCKETS_PER_OCTAVE + (time >> octave)


def bucket_start(index: int) -> int:
    """Return the least time of a bucket in microseconds, which is the inverse of `bucket_of`.

    >>> all(bucket_of(bucket_start(index)) == index for index in range(200))
    True
    """
    octave = max(0, index // BUCKETS_PER_OCTAVE - 1)
    return (index - octave * BUCKETS_PER_OCTAVE) << octave


def histogram_of(times: Iterable[int], grace: int = 0) -> LatencyHistogram:
    """Build the histogram of these times; `grace` is the time that CPU credit covered, also in microseconds."""
    values = list(times)
    classes = Counter(map(bucket_of, values))
    return LatencyHistogram(len(values), sum(values), max(values, default=0), grace, dict(sorted(classes.items())))


def merge_histograms(many: Iterable[LatencyHistogram]) -> LatencyHistogram:
    """Return the sum of these histograms.

    >>> merge_histograms([histogram_of([5, 7]), histogram_of([9])])
    LatencyHistogram(count=3, total=21, most=9, grace=0, classes={5: 1, 7: 1, 9: 1})
    """
    count = total = most = grace = 0
    classes: dict[int, int] = {}
    for histogram in many:
        count += histogram.count
        total += histogram.total
        most = max(most, histogram.most)
        grace += histogram.grace
        for index, count_in_class in histogram.classes.items():
            classes[index] = classes.get(index, 0) + count_in_class
    return LatencyHistogram(count, total, most, grace, dict(sorted(classes.items())))


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One match of a schedule, which determines the lineup, the seats and the cards.

    Attributes:
        number: number of the match in the schedule, from 0.
        block: number of the block. The schedule's seed and this number determine all chance outcomes, so all matches
            of a block have the same cards.
        lineup: the bots' names, one for each player; a bot may have several seats.
        rotation: player i sits in seat (i + rotation) % seats.
    """

    number: NonNegative
    block: NonNegative
    lineup: tuple[str, ...]
    rotation: NonNegative

    def __post_init__(self) -> None:
        """Raise `Malformed` if an attribute has a wrong type, or is out of range."""
        check_fields(self)

    @property
    def seat_of(self) -> tuple[Seat, ...]:
        """Return the seat of each player, in the order of the lineup.

        >>> Match(0, 0, ("a", "b", "c"), 1).seat_of
        (1, 2, 0)
        """
        seats = len(self.lineup)
        return tuple([(player + self.rotation) % seats for player in range(seats)])

    @property
    def player_in(self) -> tuple[int, ...]:
        """Return the index of the player in each seat.

        >>> Match(0, 0, ("a", "b", "c"), 1).player_in
        (2, 0, 1)
        """
        seats = len(self.lineup)
        return tuple([(seat - self.rotation) % seats for seat in range(seats)])


class Cause(StrEnum):
    """The reason why a bot is out."""

    NOT_STARTED = "not started"
    """There is no such program, or the system cannot run it."""
    LATE = "late"
    """No complete line arrived in time."""
    ENDED = "ended"
    """The program ended, or closed its output, when an answer was due. `Fault.message` contains the exit status."""
    MALFORMED = "malformed"
    """The line is not an answer, or the program wrote something before it was asked or after its answer."""
    ILLEGAL = "illegal"
    """The answer names an action that is not legal now."""
    FLOODED = "flooded"
    """The program wrote more than the limits allow."""


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of how a bot broke the terms.

    Attributes:
        player: index of the player in the lineup.
        cause: the category.
        decision: number among the player's own decisions, from 0.
        message: what was wrong, and what would have been accepted, in one sentence.
    """

    player: int
    cause: Cause
    decision: int
    message: str


class MatchResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a match.

    All sequences but the faults have one entry for each player, in the order of `match.lineup` and not by seat. The
    seat of player i is `match.seat_of[i]`.

    Attributes:
        match: the match.
        scores: the game's points in the whole match.
        places: the places, of which 1 is the best; equal players share a place.
        faults: how players broke the terms, in the order in which it happened.
        times: the answer times.
        columns: the values that the programs reported as `[key=value]`, with the last value of each key.
        paused: milliseconds of turns during which the referee itself was stopped, as by Ctrl-Z. No player is charged.
    """

    match: Match
    scores: tuple[int, ...]
    places: tuple[int, ...]
    faults: tuple[Fault, ...] = ()
    times: tuple[LatencyHistogram, ...] = ()
    columns: tuple[dict[str, str], ...] = ()
    paused: int = 0

    @property
    def forfeited(self) -> frozenset[int]:
        """Return the indices of the players that broke the terms."""
        return frozenset(fault.player for fault in self.faults)


def numeric_columns(columns: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Yield the name and the number of each column with a finite value."""
    for name, text in columns.items():
        try:
            number = float(text)
        except ValueError:
            continue
        if isfinite(number):
            yield name, number


class Transcript(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record of what the programs wrote. What they were sent is not stored, as it follows from deals and answers.

    Attributes:
        answers: each player's answers by decision, without newlines. If a bot is out, its last answer may be invalid
            output.
        logs: each program's stderr; only its start and its end if it was too long.
        marks: the length of each program's full stderr at each decision, and at the end; empty if not recorded.
    """

    answers: tuple[tuple[bytes, ...], ...]
    logs: tuple[bytes, ...]
    marks: tuple[tuple[int, ...], ...] = ()


def for_psyleague(result: MatchResult, seed: int) -> str:
    """Format a result for psyleague as one JSON object on one line.

    `ranks` are TrueSkill ranks, 0 for the winner; `errors` is 1 for a player that is out. Numeric columns go to
    `player_data`, which psyleague adds up. Because psyleague keeps only integers, times are in microseconds.

    >>> for_psyleague(MatchResult(Match(0, 0, ("a", "b"), 0), scores=(3, 9), places=(1, 2)), 7)
    '{"ranks":[0,1],"errors":[0,0],"test_data":{"seed":7},"player_data":[{"points":3},{"points":9}]}'
    """
    return msgspec.json.encode(
        {
            "ranks": [place - 1 for place in result.places],
            "errors": [int(player in result.forfeited) for player in range(len(result.places))],
            "test_data": {"seed": seed},
            "player_data": [_numbers(result, player) for player in range(len(result.places))],
        }
    ).decode()


def for_brutaltester(result: MatchResult, seed: int) -> str:
    r"""Format a result for cg-brutaltester as one line with an integer for each player, then a line with the seed.

    The tool compares players by these numbers. More is better, and a negative number is an error. So a player that is
    out gets minus its place, and every other player gets the number of seats minus its place.

    >>> for_brutaltester(MatchResult(Match(0, 0, ("a", "b"), 0), scores=(3, 9), places=(1, 2)), 7)
    '1\n0\nseed=7'
    """
    seats = len(result.places)
    numbers = [-place if player in result.forfeited else seats - place for player, place in enumerate(result.places)]
    return "\n".join([*map(str, numbers), f"seed={seed}"])


def _numbers(result: MatchResult, player: int) -> dict[str, float]:
    """Return a player's points, the mean and the longest of its times in microseconds, and its numeric columns."""
    measured: dict[str, float] = {"points": result.scores[player]}
    if result.times and result.times[player].count:
        times = result.times[player]
        measured |= {"us": round(times.mean), "most_us": times.most}
    columns = dict(numeric_columns(result.columns[player])) if result.columns else {}
    return measured | columns | measured  # a reported column cannot replace a measured number
