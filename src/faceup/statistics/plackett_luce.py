"""Plackett-Luce ratings of players, from matches of any number of players, with ties.

In the model, the probability that a player takes first place is its strength divided by the sum of the strengths of all
players in the match. Second place is taken with the corresponding probability among the remaining players, and so on
(Plackett 1975, Luce 1959). For two players it is the Bradley-Terry model, which is Elo's.

Tied players are assumed to have finished in an unknown order, each order equally likely, and the mean of the log
likelihood over these orders is maximised. For two players, a tie is half a win for each. How often ties occur is not
part of the model.

The likelihood has no maximum for a player that has never lost. So each player also gets `PRIOR_GAMES` wins and as many
losses against a ghost player of strength 1 (Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the
PlackettLuce package", 2020). Every rating is then finite and a little nearer to the mean, and ratings of players that
never met are comparable.

The log likelihood is concave in the log strengths, strictly so with the ghost, and Newton's method finds its unique
maximum (Hunter, "MM algorithms for generalized Bradley-Terry models", 2004, has the likelihood and a slower method).
The log likelihood depends on the matches only through two kinds of numbers: how often each player was selected from the
remaining players, and how often each set of players remained.
"""

from array import array
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from math import comb, log
from typing import Any, Final, TypeAlias

from faceup.extras import needs

with needs("fast", __name__):
    import numpy as np

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of one or two dimensions
Indices: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

PRIOR_GAMES: Final = 0.5
"""The number of wins, and also of losses, that each player gets against the ghost player."""

POINTS: Final = 400 / log(10)
"""Elo points per unit of log strength: 400 points are odds of ten to one."""

_STEPS: Final = 100
_CLOSE: Final = 1e-7
"""The step length at which Newton's method stops."""

_DECIMALS: Final = 8
"""The decimals of a rating in Elo points. A Newton step of `_CLOSE` leaves an error of about `_CLOSE` squared."""


class Rankings:
    """Collects matches and computes the ratings of their players.

    >>> rankings = Rankings()
    >>> for block in range(3):
    ...     rankings.add(block, ("ann", "bob", "cat"), (1, 2, 2))
    ...     rankings.add(block, ("ann", "bob", "cat"), (2, 1, 3))
    >>> {name: round(points) for name, points in zip(rankings.players, rankings.ratings(), strict=True)}
    {'ann': 124, 'bob': 47, 'cat': -171}
    """

    def __init__(self) -> None:
        self._players: dict[Hashable, int] = {}
        self._blocks: dict[int, int] = {}
        self._sets: dict[tuple[int, ...], int] = {}
        self._wins: list[float] = []
        self._weights: list[float] = []
        # To resample blocks, keep the contributions of each match: block, player or set, and amount.
        self._taken = (array("q"), array("q"), array("d"))
        self._left = (array("q"), array("q"), array("d"))
        self._last: Numbers = np.zeros(0)
        self._known: Indices = np.zeros((0, 1), np.int64)

    @property
    def players(self) -> tuple[Hashable, ...]:
        """The players, in order of first appearance."""
        return tuple(self._players)

    @property
    def blocks(self) -> int:
        """The number of blocks."""
        return len(self._blocks)

    def add(self, block: int, players: Sequence[Hashable], places: Sequence[int]) -> None:
        """Add a match.

        Args:
            block: the block of the match; the bootstrap resamples blocks.
            players: the players; one may appear several times.
            places: the ranks of the players, 1 is best; equal ranks are a tie.
        """
        at = self._blocks.setdefault(block, len(self._blocks))
        left = sorted(zip(places, map(self._index, players), strict=True), reverse=True)
        while len(left) > 1:  # the last player is selected from a set of one, which carries no information
            place, first = left.pop()
            if left[-1][0] != place:
                self._count(at, (first,), [index for _, index in left])
                continue
            tied = [first]
            while left and left[-1][0] == place:
                tied.append(left.pop()[1])
            self._count(at, tied, [index for _, index in left])

    def _index(self, player: Hashable) -> int:
        index = self._players.get(player)
        if index is None:
            index = self._players[player] = len(self._wins)
            self._wins.append(0.0)
        return index

    def _count(self, block: int, tied: Sequence[int], rest: list[int]) -> None:
        """Count the selection of the tied players, in any order, from all remaining players."""
        share = 1.0 if rest else 1 - 1 / len(tied)
        blocks, players, wins = self._taken
        for index in tied:
            self._wins[index] += share
            blocks.append(block)
            players.append(index)
            wins.append(share)
        blocks, sets, weights = self._left
        for members, weight in _remaining(tied, rest):
            number = self._sets.get(members)
            if number is None:
                number = self._sets[members] = len(self._weights)
                self._weights.append(0.0)
            self._weights[number] += weight
            blocks.append(block)
            sets.append(number)
            weights.append(weight)

    def ratings(self) -> tuple[float, ...]:
        """Return the ratings of all players in order, in Elo points with mean 0."""
        start = np.zeros(len(self._players))
        start[: len(self._last)] = self._last
        wins, weights = np.array(self._wins), np.array(self._weights)
        self._last = fit(wins, self._members, weights, start)
        return tuple(map(float, in_points(self._last)))

    def bootstrap_ratings(self, drawings: Iterator[Numbers]) -> Numbers:
        """Return the ratings in each bootstrap sample of `bootstrap.resamples`, [samples, players]."""
        self.ratings()
        members = self._members
        win_block, win_player, win = _gathered(self._taken, len(self._players))
        set_block, set_known, weight = _gathered(self._left, len(self._sets))
        samples: list[Numbers] = []
        for drawn in drawings:
            wins = _summed(win_player, win * drawn[win_block], len(self._players))
            weights = _summed(set_known, weight * drawn[set_block], len(self._sets))
            present = weights > 0
            samples.append(in_points(fit(wins, members[present], weights[present], self._last)))
        return np.array(samples)

    @property
    def _members(self) -> Indices:
        """The players of each set, [sets, most players], padded with -1."""
        if len(self._known) != len(self._sets):
            most = max(map(len, self._sets), default=1)
            filled = [[*members, *[-1] * (most - len(members))] for members in self._sets]
            self._known = np.array(filled, np.int64).reshape(-1, most)
        return self._known


def _gathered(columns: "tuple[array[int], array[int], array[float]]", width: int) -> tuple[Indices, Indices, Numbers]:
    """Sum the contributions with the same block and index; return the blocks, the indices and the sums."""
    keys = np.array(columns[0], np.int64) * width + np.array(columns[1], np.int64)
    different, back = np.unique(keys, return_inverse=True)
    sums = _summed(back, np.array(columns[2], np.float64), len(different))
    return different // max(width, 1), different % max(width, 1), sums


def _remaining(tied: Sequence[int], rest: list[int]) -> list[tuple[tuple[int, ...], float]]:
    """Return the sets from which the tied players are selected, over all orders, with the weight of each set."""
    size = len(tied)
    if size == 1:
        return [(tuple(sorted((*tied, *rest))), 1.0)]
    return [
        (tuple(sorted((*stay, *rest))), 1 / comb(size, taken))
        for taken in range(size if rest else size - 1)
        for stay in combinations(tied, size - taken)
    ]


def in_points(strengths: Numbers) -> Numbers:
    """Convert log strengths to Elo points with mean 0.

    They are rounded to what Newton's method can determine, so that equal players have equal ratings.
    """
    points: Numbers = POINTS * (strengths - strengths.mean()) if len(strengths) else strengths
    return np.round(points, _DECIMALS) + 0.0  # adding 0 turns -0 into 0


def fit(wins: Numbers, members: Indices, weights: Numbers, start: Numbers) -> Numbers:
    """Return the log strengths of maximum likelihood.

    Args:
        wins: [players], how often each player was selected.
        members: [sets, most players], the players of each set, padded with -1.
        weights: [sets], how often each set remained.
        start: [players], the initial guess.
    """
    strengths: Numbers = start
    value = _likelihood(wins, members, weights, strengths)
    for _ in range(_STEPS):
        step = _newton(wins, members, weights, strengths)
        while True:  # halve a step that overshoots; since the function is concave, a short step increases it
            further = strengths + step
            likelihood = _likelihood(wins, members, weights, further)
            if likelihood >= value or np.abs(step).max(initial=0) <= _CLOSE:
                break
            step = step / 2
        strengths, value = further, max(likelihood, value)
        if np.abs(step).max(initial=0) <= _CLOSE:
            break
    return strengths


def _likelihood(wins: Numbers, members: Indices, weights: Numbers, strengths: Numbers) -> float:
    logs = np.where(members >= 0, strengths[members], -np.inf)
    sums = np.logaddexp.reduce(logs, axis=1) if len(logs) else np.zeros(0)
    ghost = PRIOR_GAMES * (strengths - 2 * np.logaddexp(0, strengths)).sum()
    return float(wins @ strengths - weights @ sums + ghost)


def _summed(index: Indices, numbers: Numbers, size: int) -> Numbers:
    """Return the sum of the numbers at each index, [size]."""
    sums: Numbers = np.bincount(index, numbers, size).astype(np.float64, copy=False)
    return sums


def _newton(wins: Numbers, members: Indices, weights: Numbers, strengths: Numbers) -> Numbers:
    """Return the Newton step."""
    players = len(strengths)
    worth = np.where(members >= 0, np.exp(strengths - strengths.max(initial=0.0))[members], 0.0)
    chances: Numbers = worth / worth.sum(axis=1, keepdims=True)
    index = np.maximum(members, 0)
    weighted = weights[:, None] * chances
    expected = _summed(index.ravel(), weighted.ravel(), players)
    pairs = index[:, :, None] * players + index[:, None, :]
    both = weighted[:, :, None] * chances[:, None, :]
    curvature = -_summed(pairs.ravel(), both.ravel(), players * players).reshape(players, players)
    beaten = 1 / (1 + np.exp(-strengths))
    curvature[np.diag_indices(players)] += expected + 2 * PRIOR_GAMES * beaten * (1 - beaten)
    gradient = wins - expected + PRIOR_GAMES * (1 - 2 * beaten)
    return np.linalg.solve(curvature, gradient).astype(np.float64, copy=False)
