"""Who stands where: the table of the bots, kept up to date match by match."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Final, NamedTuple

import msgspec

from faceup.arena.counting import out_of, shared_places
from faceup.arena.matches import Cause, Result
from faceup.arena.times import Times
from faceup.core import win_shares
from faceup.statistics import Clusters, Mean
from faceup.statistics.bootstrap import interval, resamples
from faceup.statistics.plackett_luce import Rankings

MOST_COLUMNS: Final = 32
"""A bot's own columns beyond these are not kept: what a program writes is anybody's guess."""

LONGEST_KEY: Final = 40


class Standing(msgspec.Struct, frozen=True):
    """How one bot does. Means are over all its players, with errors over blocks.

    Attributes:
        name: the bot's.
        matches: in how many it played.
        rating: in points, the mean of all bots 0; 400 points are odds of ten to one to be the one ahead.
        interval: where the rating is with 95 % confidence; None if it was not asked for, or there is one block only.
        score: the game's own points, of the players that were not put out; None if all were.
        place: 1 is the best; players that share one have the mean of those that they take up.
        win_share: a win shared by k counts 1/k.
        out: how often its players were put out, by cause.
        times: of its answers.
        columns: the mean of each number that its program reported, a match's last of each.
    """

    name: str
    matches: int
    rating: float
    interval: tuple[float, float] | None
    score: Mean | None
    place: Mean
    win_share: Mean
    out: dict[Cause, int]
    times: Times
    columns: dict[str, float]


class Meeting(msgspec.Struct, frozen=True):
    """What two bots made of sitting at the same table.

    Attributes:
        matches: in how many they did.
        ahead: the share of these in which the one is ahead of the other, a tie counting as half.
    """

    matches: int
    ahead: float


class Table(msgspec.Struct, frozen=True):
    """All bots.

    Attributes:
        matches: how many have been counted.
        blocks: of how many blocks.
        bots: the best rating first.
        meetings: for each bot in the same order its `Meeting` with each; None where they never met, and with itself.
    """

    matches: int
    blocks: int
    bots: tuple[Standing, ...]
    meetings: tuple[tuple[Meeting | None, ...], ...]


class _Counted:
    """What is kept of one bot."""

    def __init__(self) -> None:
        self.matches = 0
        self.open = False
        self.players = self.finished = self.points = 0
        self.places = self.wins = 0.0
        self.means = _Means()
        self.out: Counter[Cause] = Counter()
        self.answers = self.total = self.most = self.grace = 0
        self.classes: dict[int, int] = {}
        self.columns: dict[str, list[float]] = {}

    def add(self, place: float, win_share: float, points: int | None) -> None:
        """One of its players in one match; no points of one that was put out."""
        self.open = True
        self.players += 1
        self.places += place
        self.wins += win_share
        if points is not None:
            self.finished += 1
            self.points += points

    def add_times(self, times: Times) -> None:
        """The times of one match."""
        self.answers += times.count
        self.total += times.total
        self.most = max(self.most, times.most)
        self.grace += times.grace
        classes = self.classes
        for index, found in times.classes.items():
            classes[index] = classes.get(index, 0) + found

    def add_columns(self, columns: dict[str, str]) -> None:
        """What the program reported in one match: numbers only."""
        for key, text in columns.items():
            if key not in self.columns and (len(self.columns) >= MOST_COLUMNS or not _is_plain(key)):
                continue
            try:
                number = float(text)
            except ValueError:
                continue
            if isfinite(number):
                sums = self.columns.setdefault(key, [0, 0.0])
                sums[0] += 1
                sums[1] += number

    def close(self) -> None:
        """The block is over."""
        self.means = self.closed()
        self.open = False
        self.players = self.finished = self.points = 0
        self.places = self.wins = 0.0

    def closed(self) -> "_Means":
        """The means with the block that is being counted."""
        if not self.open:
            return self.means
        score, place, win_share = self.means
        return _Means(
            score.plus(self.finished, self.points) if self.finished else score,
            place.plus(self.players, self.places),
            win_share.plus(self.players, self.wins),
        )

    @property
    def times(self) -> Times:
        """Of all answers."""
        return Times(self.answers, self.total, self.most, self.grace, dict(sorted(self.classes.items())))


class _Means(NamedTuple):
    """Over the blocks that are over."""

    score: Clusters = Clusters()
    place: Clusters = Clusters()
    win_share: Clusters = Clusters()


def _is_plain(key: str) -> bool:
    """Whether a key can stand above a column: what a program writes could also be commands for a terminal."""
    return key.isprintable() and 0 < len(key) <= LONGEST_KEY


class Standings:
    """The table, match by match.

    A block's matches are played with the same cards, and so every error is over blocks. Where a block ends and the next
    begins is told by the order of the results, which is to be that of the schedule.

    >>> from faceup.arena.matches import Match, Result
    >>> standings = Standings()
    >>> standings.add(Result(Match(0, 0, ("one", "two"), 0), (3, 12), (1, 2)))
    >>> standings.add(Result(Match(1, 0, ("one", "two"), 1), (5, 4), (2, 1)))
    >>> standings.add(Result(Match(2, 1, ("one", "two"), 0), (2, 7), (1, 2)))
    >>> [(bot.name, round(bot.rating), round(bot.place.mean, 2)) for bot in standings.table().bots]
    [('one', 51, 1.33), ('two', -51, 1.67)]
    """

    def __init__(self) -> None:
        self._bots: dict[str, _Counted] = {}
        self._meetings: dict[tuple[str, str], list[float]] = {}
        self._rankings = Rankings()
        self._block: int | None = None
        self._matches = 0

    @property
    def matches(self) -> int:
        """How many have been counted."""
        return self._matches

    def add(self, result: Result) -> None:
        """Count a match."""
        match = result.match
        if match.block != self._block:
            for bot in self._bots.values():
                if bot.open:
                    bot.close()
            self._block = match.block
        self._matches += 1
        self._rankings.add(match.block, match.lineup, result.places)
        out, shares, places = out_of(result), win_shares(result.places), shared_places(result.places)
        for player, name in enumerate(match.lineup):
            if name not in self._bots:
                self._bots[name] = _Counted()
            bot = self._bots[name]
            bot.add(places[player], shares[player], None if player in out else result.scores[player])
            if result.times:
                bot.add_times(result.times[player])
            if result.columns and result.columns[player]:
                bot.add_columns(result.columns[player])
        for name in set(match.lineup):
            self._bots[name].matches += 1
        for fault in result.faults:
            self._bots[match.lineup[fault.player]].out[fault.cause] += 1
        self._meet(match.lineup, result.places)

    def _meet(self, lineup: Sequence[str], places: Sequence[int]) -> None:
        """Count who was ahead of whom, each pair of bots once a match, however many players they had in it."""
        here: dict[tuple[str, str], list[float]] = {}
        for player, name in enumerate(lineup):
            for other in range(player + 1, len(lineup)):
                if name == lineup[other]:
                    continue
                mine, theirs = places[player], places[other]
                ahead = 1.0 if mine < theirs else 0.5 if mine == theirs else 0.0
                turned = name > lineup[other]
                pair = (lineup[other], name) if turned else (name, lineup[other])
                sums = here.setdefault(pair, [0, 0.0])
                sums[0] += 1
                sums[1] += 1 - ahead if turned else ahead
        for pair, (count, ahead) in here.items():
            sums = self._meetings.setdefault(pair, [0, 0.0])
            sums[0] += 1
            sums[1] += ahead / count

    def table(self, *, drawings: int = 0, seed: int = 0) -> Table:
        """The table as it is.

        Args:
            drawings: of how many drawings of the blocks the ratings' intervals are made; 0 for none, which is quick.
            seed: of the drawings.
        """
        names = [str(name) for name in self._rankings.players]
        ratings = self._rankings.ratings()
        intervals: dict[str, tuple[float, float]] = {}
        if drawings and self._rankings.blocks > 1:
            drawn = self._rankings.redrawn(resamples(self._rankings.blocks, drawings, seed))
            low, high = interval(drawn)
            intervals = {name: (float(low[at]), float(high[at])) for at, name in enumerate(names)}
        order = sorted(range(len(names)), key=lambda at: (-ratings[at], names[at]))
        ordered = [names[at] for at in order]
        bots = tuple(self._standing(names[at], ratings[at], intervals.get(names[at])) for at in order)
        meetings = tuple(tuple(self._meeting(name, other) for other in ordered) for name in ordered)
        return Table(self._matches, self._rankings.blocks, bots, meetings)

    def _standing(self, name: str, rating: float, interval: tuple[float, float] | None) -> Standing:
        bot = self._bots[name]
        score, place, win_share = (each.mean for each in bot.closed())
        assert place is not None  # noqa: S101 -- every bot here has played, for the type checker
        assert win_share is not None  # noqa: S101 -- as above
        return Standing(
            name=name,
            matches=bot.matches,
            rating=rating,
            interval=interval,
            score=score,
            place=place,
            win_share=win_share,
            out={cause: bot.out[cause] for cause in Cause if bot.out[cause]},
            times=bot.times,
            columns={key: total / count for key, (count, total) in sorted(bot.columns.items())},
        )

    def _meeting(self, name: str, other: str) -> Meeting | None:
        if name == other:
            return None
        found = self._meetings.get((min(name, other), max(name, other)))
        if found is None:
            return None
        ahead = found[1] / found[0]
        return Meeting(int(found[0]), ahead if name < other else 1 - ahead)


def standings(results: Iterable[Result], *, drawings: int = 0, seed: int = 0) -> Table:
    """The table that results make, given in the order of the schedule; the arguments are those of `Standings.table`."""
    found = Standings()
    for result in results:
        found.add(result)
    return found.table(drawings=drawings, seed=seed)
