"""Schedules, which determine the matches of a contest and their order, block by block.

All matches of a block have the same cards. A ladder pairs bots of similar rating. Its pairings depend only on the seed
and on the results of blocks that are at least `LAG` blocks earlier, so they do not depend on how many matches run in
parallel.
"""

from collections.abc import Iterable, Mapping
from math import cos, log, pi, sqrt
from typing import Any, Final, Protocol

from faceup.arena.match.result import Match, MatchResult
from faceup.arena.run.pairings import Contest, lineups
from faceup.core import Generator, SeededGenerator
from faceup.core.generator import mix
from faceup.extras import needs

LAG: Final = 32
"""The number of blocks in a group of a ladder.

All blocks of a group are paired by the same ratings. The results of the group just before it do not count in them yet.
"""


class SkillRatings:
    """Ratings of bots by which pairings are made, updated match by match.

    A bot with several seats in a match is rated by the last of them.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        with needs("arena", "a ladder or league"):
            from openskill.models import PlackettLuce  # noqa: PLC0415 -- only ladders and leagues need it

        self._model = PlackettLuce()
        # Any: the type of openskill's ratings depends on the model.
        self._rated: dict[str, Any] = {}
        for name in names:
            self.add_bot(name)

    def add_bot(self, name: str) -> None:
        """Add a bot with an unknown skill, unless it has a rating already."""
        if name not in self._rated:
            self._rated[name] = self._model.rating(name=name)

    def add_result(self, result: MatchResult) -> None:
        """Update the ratings. Bots that have no rating yet are added."""
        players = result.match.lineup
        for name in players:
            self.add_bot(name)
        rated = self._model.rate(
            [[self._rated[name]] for name in players], ranks=[float(place) for place in result.places]
        )
        for name, (rating,) in zip(players, rated, strict=True):
            self._rated[name] = rating

    def ratings(self) -> dict[str, tuple[float, float]]:
        """Return the mean and the standard deviation of each bot's rating so far."""
        return {name: (rating.mu, rating.sigma) for name, rating in self._rated.items()}


def draw_ratings(rng: Generator, ratings: Mapping[str, tuple[float, float]]) -> dict[str, float]:
    """Draw each rating from its posterior distribution, given its mean and standard deviation."""
    return {name: mean + deviation * _normal(rng) for name, (mean, deviation) in ratings.items()}


def nearest_bots(first: str, drawn: Mapping[str, float]) -> list[str]:
    """Return all other bots, those with the nearest ratings first."""
    return sorted((name for name in drawn if name != first), key=lambda name: abs(drawn[name] - drawn[first]))


class LadderSchedule:
    """The schedule of a ladder. See `faceup.arena.run.schedule.Schedule`.

    Each block pairs the bot that has played the fewest blocks with the bots of the nearest ratings. For this purpose,
    each rating is drawn from its posterior distribution. So a bot with an uncertain rating meets many other bots, and a
    bot with a certain rating meets its neighbours.
    """

    def __init__(self, contest: Contest) -> None:
        self._contest = contest
        self._names = contest.names
        self.width = contest.seats
        self._skills = SkillRatings(self._names)
        self._rating_groups: list[dict[str, tuple[float, float]]] = []
        self._result_count = 0
        self._blocks: list[tuple[str, ...]] = []
        self._played = dict.fromkeys(self._names, 0)
        self._add_rating_group()

    @property
    def ratings(self) -> Mapping[str, tuple[float, float]]:
        """Return the mean and the standard deviation of each bot's rating so far."""
        return self._skills.ratings()

    def block(self, number: int) -> tuple[Match, ...] | None:
        """Return the matches of a block; None until all results on which its pairing depends are known."""
        while len(self._blocks) <= number:
            # The results of the group before last are complete however many matches run in parallel, so that a
            # resumed ladder pairs the same bots.
            group = max(0, len(self._blocks) // LAG - 1)
            if group >= len(self._rating_groups):
                return None
            table = self._pair(len(self._blocks), self._rating_groups[group])
            self._blocks.append(table)
            for name in table:
                self._played[name] += 1
        return rotations(number, self._blocks[number])

    def add_result(self, result: MatchResult) -> None:
        """Update the ratings. After the last result of a group of blocks, the ratings are stored for later pairings."""
        self._skills.add_result(result)
        self._result_count += 1
        if self._result_count % (LAG * self.width) == 0:
            self._add_rating_group()

    def _add_rating_group(self) -> None:
        self._rating_groups.append(dict(self.ratings))

    def _pair(self, block: int, ratings: Mapping[str, tuple[float, float]]) -> tuple[str, ...]:
        """Return the bots of a block, given the mean and the standard deviation of each bot's rating."""
        rng = SeededGenerator(mix(self._contest.seed ^ mix(len(self._names))), block)
        drawn = draw_ratings(rng, ratings)
        first = min(self._names, key=lambda name: (self._played[name], drawn[name]))
        return (first, *nearest_bots(first, drawn)[: self.width - 1])


def rotations(block: int, names: tuple[str, ...]) -> tuple[Match, ...]:
    """Return the matches of a block in which one lineup plays all its rotations, as in every block before."""
    first = block * len(names)
    return tuple(Match(first + turn, block, names, turn) for turn in range(len(names)))


def _normal(rng: Generator) -> float:
    """Draw from the standard normal distribution (Box and Muller, 1958)."""
    first, other = ((rng.below(1 << 53) + 1) / (1 << 53) for _ in range(2))
    return sqrt(-2 * log(first)) * cos(2 * pi * other)


class Schedule(Protocol):
    """The schedule of a contest. Its matches are numbered consecutively over all blocks.

    Attributes:
        width: the number of matches in a block.
    """

    width: int

    def block(self, number: int) -> tuple[Match, ...] | None:
        """Return the matches of a block; None until all results on which they depend are known.

        Call this method in the order of the blocks.
        """
        ...

    def add_result(self, result: MatchResult) -> None:
        """Add a result. Call this method in the order of the matches."""
        ...


class FixedSchedule:
    """A fixed schedule, in which every lineup of the contest plays in every block.

    >>> from faceup.arena import MatchTerms
    >>> from faceup.arena.run.pairings import ContestBot, contest
    >>> both = [ContestBot("new", "1"), ContestBot("old", "2")]
    >>> plan = FixedSchedule(contest("compare", MatchTerms(), both, seed=7))
    >>> plan.width
    14
    >>> plan.block(2)[9]
    Match(number=37, block=2, lineup=('new', 'old', 'new', 'old'), rotation=1)
    """

    def __init__(self, contest: Contest) -> None:
        self._tables = [(lineup.names, turn) for lineup in lineups(contest) for turn in range(lineup.rotations)]
        self.width = len(self._tables)

    def block(self, number: int) -> tuple[Match, ...]:
        """Return the matches of a block."""
        first = number * self.width
        return tuple(Match(first + index, number, names, turn) for index, (names, turn) in enumerate(self._tables))

    def add_result(self, result: MatchResult) -> None:
        """Do nothing, because the schedule does not depend on results."""


def matches_per_block(contest: Contest) -> int:
    """Return the number of matches in a block."""
    if contest.kind in {"ladder", "league"}:
        return contest.seats
    return sum(lineup.rotations for lineup in lineups(contest))


def schedule(contest: Contest) -> Schedule:
    """Return the schedule of a contest."""
    if contest.kind == "ladder":
        return LadderSchedule(contest)
    return FixedSchedule(contest)
