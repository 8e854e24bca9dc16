"""A league, in which bots join, change and leave while matches are played.

The log contains which bots have played which matches, and the roster which bots play now. So a league can be stopped at
any time, and pairings need not be the same when it is resumed.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import cycle, islice
from math import inf
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Final, TypeAlias

from faceup.arena.match.result import Match, MatchResult
from faceup.arena.run.identity import BotFiles
from faceup.arena.run.log import Log
from faceup.arena.run.roster import Roster, read_roster
from faceup.arena.run.schedule import SkillRatings, draw_ratings, nearest_bots, rotations
from faceup.core import Malformed, SeededGenerator
from faceup.core.generator import mix

CATCH_UP: Final = 200
"""The matches by which a new bot is at most behind the others. It plays them first, because its rating is uncertain."""

_SLACK: Final = 5
"""The blocks by which a bot may be ahead of the median and still be chosen for its rating."""

_RETRY: Final = 10.0
"""Seconds until the bots are read again if one of them could not be read."""


class LeagueSchedule:
    """The schedule of a league. See `faceup.arena.run.schedule.Schedule`.

    Each block pairs the bot that has played the fewest matches with bots of the nearest ratings, as in a ladder. With
    fewer bots than seats, bots get several seats.

    Args:
        log: the log of the league.
    """

    def __init__(self, log: Log) -> None:
        self.width = log.contest.seats
        self._log = log
        self._names: tuple[str, ...] = ()
        self._skills = SkillRatings()
        self._count = 0
        self._matches: Counter[str] = Counter()
        self._waived: Counter[str] = Counter()
        self._in_progress: Counter[str] = Counter()
        self._started: dict[int, tuple[str, ...]] = {}

    def start(self, names: Sequence[str]) -> int:
        """Pair these bots from now on, and return the number of the first match that is not counted yet."""
        self._names = tuple(names)
        self._in_progress.clear()
        most = max((self._matches[name] + self._waived[name] for name in names), default=0)
        for name in names:
            self._skills.add_bot(name)
            self._waived[name] = max(self._waived[name], most - CATCH_UP - self._matches[name])
        # A block of which a match has been played keeps its lineup, so that every bot plays it in every seat.
        first = self._count - self._count % self.width
        self._started = {result.match.block: result.match.lineup for result in self._log.all_results(first)}
        return self._count

    @property
    def leaving(self) -> tuple[str, ...]:
        """Return the bots that only finish blocks that they have started."""
        started = {name for names in self._started.values() for name in names}
        return tuple(sorted(started - set(self._names)))

    def block(self, number: int) -> tuple[Match, ...]:
        """Return the matches of a block."""
        names = self._started.get(number) or self._pair(number)
        for name in set(names):
            self._in_progress[name] += self.width
        return rotations(number, names)

    def add_result(self, result: MatchResult) -> None:
        """Count a result. Call this method in the order of the matches."""
        self._count += 1
        self._skills.add_result(result)
        for name in set(result.match.lineup):
            self._matches[name] += 1
            self._in_progress[name] = max(0, self._in_progress[name] - 1)

    def _pair(self, block: int) -> tuple[str, ...]:
        rng = SeededGenerator(mix(self._log.contest.seed ^ mix(len(self._names))), block)
        ratings = self._skills.ratings()
        drawn = draw_ratings(rng, {name: ratings[name] for name in self._names})
        turns = {name: self._matches[name] + self._waived[name] + self._in_progress[name] for name in self._names}
        first = min(self._names, key=lambda name: (turns[name], drawn[name]))
        # Without this, a bot in the middle of the ratings would play far more than others.
        most = median(turns.values()) + _SLACK * self.width
        others = sorted(nearest_bots(first, drawn), key=lambda name: turns[name] > most)
        return tuple(islice(cycle((first, *others)), self.width))


_Stamp: TypeAlias = tuple[tuple[str, int, int, int], ...]
"""The path, inode, size and time of files, which change if a file is written or replaced."""


class LeagueRoster:
    """The bots of a league that play now. They are read again when their files have changed.

    A bot that cannot be read, for example while it is compiled, keeps playing as it was.

    Args:
        path: the `bots.toml`, which may be missing.
        words: further bots, as `resolve` takes them.
        resolve: a function that resolves words to bots, given the roster, as `resolve_bots` does.

    Attributes:
        problems: a message for each bot that cannot be read.
    """

    def __init__(
        self,
        path: Path,
        words: Sequence[str],
        resolve: Callable[[Sequence[str], Roster], Sequence[BotFiles]],
    ) -> None:
        self.problems: tuple[str, ...] = ()
        self._path, self._words, self._resolve = path, words, resolve
        self._roster = Roster(path.parent)
        self._entrants: dict[str, BotFiles] = {}
        self._stamp_read: _Stamp | None = None
        self._stamp_seen: _Stamp = ()
        self._retry_at = inf

    @property
    def entrants(self) -> tuple[BotFiles, ...]:
        """Return the bots."""
        return tuple(self._entrants.values())

    def update(self) -> bool:
        """Read the bots if their files have changed, and return whether other bots or versions play now.

        Changed files are read when they have not changed since the last call, because they may not be complete yet.
        """
        stamp = self._stamp()
        at_rest, self._stamp_seen = stamp == self._stamp_seen, stamp
        unchanged = stamp == self._stamp_read and monotonic() < self._retry_at
        if self._stamp_read is not None and (unchanged or not at_rest):
            return False
        before = self._identity()
        self._read()
        self._stamp_read = self._stamp_seen = self._stamp()
        self._retry_at = monotonic() + _RETRY if self.problems else inf
        return self._identity() != before

    def _identity(self) -> list[tuple[str, str]]:
        return [(entrant.bot.name, entrant.bot.digest) for entrant in self._entrants.values()]

    def _read(self) -> None:
        problems: list[str] = []
        entrants: dict[str, BotFiles] = {}
        try:
            self._roster = read_roster(self._path) if self._path.exists() else Roster(self._path.parent)
        except Malformed as error:
            problems.append(str(error))
        for word in dict.fromkeys((*self._roster.bots, *self._words)):
            try:
                (entrant,) = self._resolve([word], self._roster)
            except Malformed as error:
                playing = "; its last version plays" if word in self._entrants else ""
                problems.append(f"{error}{playing}")
                if word in self._entrants:
                    entrants[word] = self._entrants[word]
                continue
            if any(entrant.bot.name == other.bot.name for other in entrants.values()):
                problems.append(f"two bots are called {entrant.bot.name!r}; {word!r} does not play")
            else:
                entrants[word] = entrant
        self._entrants, self.problems = entrants, tuple(problems)

    def _stamp(self) -> _Stamp:
        files = {path for entrant in self._entrants.values() for path in entrant.files.values()}
        folders = {path.parent for path in files}  # a file that is added to the folder of another may belong to the bot
        return tuple(_stamp_of(path) for path in sorted({self._path, *files, *folders}))


def _stamp_of(path: Path) -> tuple[str, int, int, int]:
    try:
        stat = path.stat()
    except OSError:
        return str(path), 0, 0, 0
    return str(path), stat.st_ino, stat.st_size, stat.st_mtime_ns
