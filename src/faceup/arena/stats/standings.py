"""Standings, which are a table of the bots with their ratings and results, updated match by match."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import chain
from typing import Final, NamedTuple

import msgspec

from faceup.arena.match.result import Cause, LatencyHistogram, MatchResult, merge_histograms, numeric_columns
from faceup.arena.stats.comparison import shared_places
from faceup.statistics import BlockSums, Mean
from faceup.statistics.bootstrap import interval, resamples
from faceup.statistics.plackett_luce import Rankings

MOST_COLUMNS: Final = 32
"""The most reported columns that are kept for a bot."""

LONGEST_KEY: Final = 40

_MERGED_TOGETHER: Final = 64
"""The number of histograms that are added up at a time. Adding each one separately would create many objects."""


class BotStanding(msgspec.Struct, frozen=True):
    """The statistics of one bot.

    A bot with several seats in a match is several players there. Means are over all players of the bot, and standard
    errors are over blocks.

    Attributes:
        name: name of the bot.
        matches: number of matches in which the bot played.
        rating: rating in points. The mean of all ratings is 0, and 400 points are odds of ten to one to finish ahead.
        interval: 95 % confidence interval of the rating; None if not requested, or if there is only one block.
        score: mean of the game's points over players that did not forfeit; None if all forfeited.
        place: mean place, where 1 is the best and ties are averaged.
        win_share: mean share of the win, where a win shared by k players counts as 1/k for each.
        out: number of forfeits by cause.
        times: answer times.
        columns: the mean of each numeric column that the program reported, from the last value in each match.
    """

    name: str
    matches: int
    rating: float
    interval: tuple[float, float] | None
    score: Mean | None
    place: Mean
    win_share: Mean
    out: dict[Cause, int]
    times: LatencyHistogram
    columns: dict[str, float]


class HeadToHead(msgspec.Struct, frozen=True):
    """The results of two bots in the matches that both played.

    Attributes:
        matches: number of these matches.
        ahead: share of these matches in which the first bot finished ahead of the second. A tie counts half.
    """

    matches: int
    ahead: float


class SplitStanding(msgspec.Struct, frozen=True):
    """The statistics of a bot in the matches in which it has a given number of seats; see `BotStanding`."""

    name: str
    seats: int
    score: Mean | None
    place: Mean
    win_share: Mean


class Split(msgspec.Struct, frozen=True):
    """The matches of two bots in which each bot has a given number of seats, such as one against three.

    Attributes:
        matches: number of these matches.
        bots: the two bots, in the order of the table.
    """

    matches: int
    bots: tuple[SplitStanding, ...]


class StandingsTable(msgspec.Struct, frozen=True):
    """The table of all bots.

    Attributes:
        matches: number of counted matches.
        blocks: number of counted blocks.
        bots: the bots, with the best rating first.
        head_to_head: a matrix in the order of `bots`, with None for two bots that never met, and on the diagonal.
        splits: if there are only two bots and they divide the seats in several ways, the results of each, in ascending
            order of the seats of the first bot.
    """

    matches: int
    blocks: int
    bots: tuple[BotStanding, ...]
    head_to_head: tuple[tuple[HeadToHead | None, ...], ...]
    splits: tuple[Split, ...] = ()


class _BotStats:
    """The running sums for one bot."""

    def __init__(self) -> None:
        self.matches = 0
        self.open = False
        self.players = self.finished = self.points = 0
        self.places: Fraction | int = 0
        self.wins: Fraction | int = 0
        self.means = _Means()
        self.out: Counter[Cause] = Counter()
        self._times: list[LatencyHistogram] = []
        self.columns: dict[str, list[float]] = {}

    def add(self, place: Fraction | int, win_share: Fraction | int, points: int | None) -> None:
        """Add the result of one of the bot's players in a match; `points` is None if the player forfeited."""
        self.open = True
        self.players += 1
        self.places += place
        self.wins += win_share
        if points is not None:
            self.finished += 1
            self.points += points

    def add_times(self, times: LatencyHistogram) -> None:
        """Add the answer times of one of the bot's players in a match."""
        self._times.append(times)
        if len(self._times) == _MERGED_TOGETHER:
            self._times = [self.times]

    def add_columns(self, columns: dict[str, str]) -> None:
        """Add the numeric columns that one of the bot's players reported in a match."""
        for key, number in numeric_columns(columns):
            if key in self.columns or (len(self.columns) < MOST_COLUMNS and _is_plain(key)):
                sums = self.columns.setdefault(key, [0, 0.0])
                sums[0] += 1
                sums[1] += number

    def close(self) -> None:
        """Close the current block, so that it counts in the means."""
        self.means = self.closed()
        self.open = False
        self.players = self.finished = self.points = 0
        self.places = self.wins = 0

    def closed(self) -> "_Means":
        """Return the sums after the current block is closed."""
        if not self.open:
            return self.means
        score, place, win_share = self.means
        return _Means(
            score.plus(self.finished, self.points) if self.finished else score,
            place.plus(self.players, self.places),
            win_share.plus(self.players, self.wins),
        )

    def final_means(self) -> tuple[Mean | None, Mean, Mean]:
        """Return the means of score, place and share of the win, with the current block. The bot must have played."""
        score, place, win_share = (summary.mean for summary in self.closed())
        assert place is not None  # noqa: S101 -- for the type checker
        assert win_share is not None  # noqa: S101 -- as above
        return score, place, win_share

    @property
    def times(self) -> LatencyHistogram:
        """Return the histogram of all the bot's answer times."""
        return merge_histograms(self._times)


class _Means(NamedTuple):
    """The sums over all closed blocks, from which means are computed."""

    score: BlockSums = BlockSums()
    place: BlockSums = BlockSums()
    win_share: BlockSums = BlockSums()


def _is_plain(key: str) -> bool:
    """Return whether a column name is short and can be printed safely in a terminal."""
    return key.isprintable() and 0 < len(key) <= LONGEST_KEY


class Standings:
    """Standings that are updated match by match.

    Standard errors are computed over blocks, because all matches of a block have the same cards. Results must be added
    in the order of the schedule, so that the end of a block is recognized.

    >>> from faceup.arena.match.result import Match
    >>> standings = Standings()
    >>> standings.add(MatchResult(Match(0, 0, ("one", "two"), 0), (3, 12), (1, 2)))
    >>> standings.add(MatchResult(Match(1, 0, ("one", "two"), 1), (5, 4), (2, 1)))
    >>> standings.add(MatchResult(Match(2, 1, ("one", "two"), 0), (2, 7), (1, 2)))
    >>> [(bot.name, round(bot.rating), round(bot.place.mean, 2)) for bot in standings.table().bots]
    [('one', 51, 1.33), ('two', -51, 1.67)]
    """

    def __init__(self) -> None:
        self._bots: dict[str, _BotStats] = {}
        self._head_to_head_sums: dict[tuple[str, str], tuple[int, Fraction | int]] = {}
        self._splits: dict[frozenset[tuple[str, int]], dict[str, _BotStats]] = {}
        self._rankings = Rankings()
        self._block: int | None = None
        self._matches = 0

    @property
    def matches(self) -> int:
        """Return the number of counted matches."""
        return self._matches

    def add(self, result: MatchResult) -> None:
        """Add the result of a match."""
        match = result.match
        if match.block != self._block:
            for bot in chain(self._bots.values(), *(split.values() for split in self._splits.values())):
                if bot.open:
                    bot.close()
            self._block = match.block
        self._matches += 1
        self._rankings.add(match.block, match.lineup, result.places)
        out, shares, places = result.forfeited, _win_shares(result.places), shared_places(result.places)
        for player, name in enumerate(match.lineup):
            if name not in self._bots:
                self._bots[name] = _BotStats()
            bot = self._bots[name]
            bot.add(places[player], shares[player], None if player in out else result.scores[player])
            if result.times:
                bot.add_times(result.times[player])
            if result.columns and result.columns[player]:
                bot.add_columns(result.columns[player])
        for name in set(match.lineup):
            self._bots[name].matches += 1
        self._add_to_split(result, places, shares)
        for fault in result.faults:
            self._bots[match.lineup[fault.player]].out[fault.cause] += 1
        self._count_head_to_head(match.lineup, result.places)

    def _add_to_split(
        self, result: MatchResult, places: Sequence[Fraction | int], shares: Sequence[Fraction | int]
    ) -> None:
        """Add a result to those in which the two bots have the same numbers of seats, if there are only two bots."""
        lineup = result.match.lineup
        if len(self._bots) > 2:
            self._splits.clear()
        if len(self._bots) > 2 or len(set(lineup)) < 2:
            return
        split = self._splits.setdefault(frozenset(Counter(lineup).items()), {name: _BotStats() for name in set(lineup)})
        for player, name in enumerate(lineup):
            split[name].add(
                places[player], shares[player], None if player in result.forfeited else result.scores[player]
            )
        for bot in split.values():
            bot.matches += 1

    def _count_head_to_head(self, lineup: Sequence[str], places: Sequence[int]) -> None:
        """Count for each pair of bots in a match which of them finished ahead.

        A pair counts once in a match. If a bot has several players there, the mean over all pairs of players counts.
        """
        sums_by_pair: dict[tuple[str, str], tuple[int, int]] = {}
        for player, name in enumerate(lineup):
            for other in range(player + 1, len(lineup)):
                if name == lineup[other]:
                    continue
                own_place, other_place = places[player], places[other]
                halves = 2 if own_place < other_place else 1 if own_place == other_place else 0
                turned = name > lineup[other]
                pair = (lineup[other], name) if turned else (name, lineup[other])
                count, sum_of_halves = sums_by_pair.get(pair, (0, 0))
                sums_by_pair[pair] = count + 1, sum_of_halves + (2 - halves if turned else halves)
        for pair, (count, sum_of_halves) in sums_by_pair.items():
            matches, ahead = self._head_to_head_sums.get(pair, (0, 0))
            share = (
                sum_of_halves // (2 * count) if sum_of_halves in {0, 2 * count} else Fraction(sum_of_halves, 2 * count)
            )
            self._head_to_head_sums[pair] = matches + 1, ahead + share

    def table(self, *, drawings: int = 0, seed: int = 0) -> StandingsTable:
        """Compute the current table.

        Args:
            drawings: number of bootstrap resamples for the intervals of the ratings; 0 for no intervals.
            seed: seed of the resamples.
        """
        names = [str(name) for name in self._rankings.players]
        ratings = self._rankings.ratings()
        intervals: dict[str, tuple[float, float]] = {}
        if drawings and self._rankings.blocks > 1:
            drawn = self._rankings.bootstrap_ratings(resamples(self._rankings.blocks, drawings, seed))
            low, high = interval(drawn)
            intervals = {name: (float(low[at]), float(high[at])) for at, name in enumerate(names)}
        order = sorted(range(len(names)), key=lambda at: (-ratings[at], names[at]))
        ordered = [names[at] for at in order]
        bots = tuple(self._standing(names[at], ratings[at], intervals.get(names[at])) for at in order)
        head_to_head = tuple(tuple(self._head_to_head(name, other) for other in ordered) for name in ordered)
        return StandingsTable(self._matches, self._rankings.blocks, bots, head_to_head, self._split(ordered))

    def _split(self, names: Sequence[str]) -> tuple[Split, ...]:
        """Return the results by the numbers of seats; see `StandingsTable.splits`."""
        if len(self._splits) < 2:
            return ()
        splits = []
        for key in sorted(self._splits, key=lambda key: dict(key)[names[0]]):
            seats, stats = dict(key), self._splits[key]
            bots = tuple(SplitStanding(name, seats[name], *stats[name].final_means()) for name in names)
            splits.append(Split(stats[names[0]].matches, bots))
        return tuple(splits)

    def _standing(self, name: str, rating: float, interval: tuple[float, float] | None) -> BotStanding:
        bot = self._bots[name]
        score, place, win_share = bot.final_means()
        return BotStanding(
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

    def _head_to_head(self, name: str, other: str) -> HeadToHead | None:
        if name == other:
            return None
        sums = self._head_to_head_sums.get((min(name, other), max(name, other)))
        if sums is None:
            return None
        ahead = Fraction(sums[1]) / sums[0]
        return HeadToHead(sums[0], float(ahead if name < other else 1 - ahead))


def _win_shares(places: Sequence[int]) -> tuple[Fraction | int, ...]:
    """Return each player's exact share of the win, as `faceup.core.win_shares` does in floats."""
    first = places.count(1)
    share = Fraction(1, first) if first > 1 else 1
    return tuple([share if place == 1 else 0 for place in places])


def select_bots(table: StandingsTable, keep: Callable[[str], bool]) -> StandingsTable:
    """Return a table with only the bots with names that `keep` accepts. Their figures count all matches."""
    kept = [at for at, bot in enumerate(table.bots) if keep(bot.name)]
    return msgspec.structs.replace(
        table,
        bots=tuple(table.bots[at] for at in kept),
        head_to_head=tuple(tuple(table.head_to_head[at][other] for other in kept) for at in kept),
        splits=table.splits if len(kept) == len(table.bots) else (),
    )


def standings(results: Iterable[MatchResult], *, drawings: int = 0, seed: int = 0) -> StandingsTable:
    """Compute the table of these results, which must be in the order of the schedule. See `Standings.table`."""
    table = Standings()
    for result in results:
        table.add(result)
    return table.table(drawings=drawings, seed=seed)
