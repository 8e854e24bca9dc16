"""A ladder: each block lets bots of about the same rating meet.

Who meets follows from the seed and from the results of blocks that are long finished, so that it is the same however
many matches are played at once and whichever of them ends first.
"""

from collections.abc import Mapping
from math import cos, log, pi, sqrt
from typing import Any, Final

from faceup.arena.contests import Contest
from faceup.arena.matches import Match, Result
from faceup.core import Seeded
from faceup.core.generator import mix

LAG: Final = 32
"""Blocks that are paired together. Their pairings know the results up to the end of the group before the last."""


class Ladder:
    """The schedule of a ladder: see `faceup.arena.schedule.Schedule`.

    In each block the bot that has met the fewest others so far is joined by those nearest to it. Every bot's place is
    drawn anew for that from what is known of its rating, so that bots of which little is known meet many, and bots that
    are settled meet their neighbours.
    """

    def __init__(self, contest: Contest) -> None:
        from openskill.models import PlackettLuce  # noqa: PLC0415 -- only a ladder needs it

        self._contest = contest
        self._names = contest.names
        self.width = contest.seats
        self._model = PlackettLuce()
        # Any: the ratings of a library that lets its models make them.
        self._live: dict[str, Any] = {name: self._model.rating(name=name) for name in self._names}
        self._known: list[dict[str, tuple[float, float]]] = []
        self._learnt = 0
        self._blocks: list[tuple[str, ...]] = []
        self._played = dict.fromkeys(self._names, 0)
        self._remember()

    @property
    def ratings(self) -> Mapping[str, tuple[float, float]]:
        """What is known now: the mean and the standard deviation of each bot's rating."""
        return {name: (each.mu, each.sigma) for name, each in self._live.items()}

    def block(self, number: int) -> tuple[Match, ...] | None:
        """The matches of a block, or None as long as the results that it depends on are not all known."""
        while len(self._blocks) <= number:
            group = max(0, len(self._blocks) // LAG - 1)
            if group >= len(self._known):
                return None
            table = self._pair(len(self._blocks), self._known[group])
            self._blocks.append(table)
            for name in table:
                self._played[name] += 1
        first, names = number * self.width, self._blocks[number]
        return tuple(Match(first + turn, number, names, turn) for turn in range(self.width))

    def learn(self, result: Result) -> None:
        """Take note of a result; a group of blocks becomes known when its last match does."""
        players = result.match.lineup
        rated = self._model.rate(
            [[self._live[name]] for name in players], ranks=[float(each) for each in result.places]
        )
        for name, (rating,) in zip(players, rated, strict=True):
            self._live[name] = rating
        self._learnt += 1
        if self._learnt % (LAG * self.width) == 0:
            self._remember()

    def _remember(self) -> None:
        self._known.append(dict(self.ratings))

    def _pair(self, block: int, known: Mapping[str, tuple[float, float]]) -> tuple[str, ...]:
        """Who meets in a block."""
        rng = Seeded(mix(self._contest.seed ^ mix(len(self._names))), block)
        drawn = {name: mean + deviation * _normal(rng) for name, (mean, deviation) in known.items()}
        first = min(self._names, key=lambda name: (self._played[name], drawn[name]))
        others = sorted(
            (name for name in self._names if name != first), key=lambda name: abs(drawn[name] - drawn[first])
        )
        return (first, *others[: self.width - 1])


def _normal(rng: Seeded) -> float:
    """A draw from the standard normal distribution (Box and Muller, 1958)."""
    one, other = ((rng.below(1 << 53) + 1) / (1 << 53) for _ in range(2))
    return sqrt(-2 * log(one)) * cos(2 * pi * other)
