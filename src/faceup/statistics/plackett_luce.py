"""Ratings from rankings: how strong each of some players is, from matches of any number of them, ties and all.

The model: the first place of a match goes to player i with a chance of its strength over the sum of the strengths of
all at the table; the second place likewise among those that are left; and so on (Plackett 1975, Luce 1959). Of two
players it is Bradley's and Terry's model, which is Elo's.

Ties: players that share a place are taken to have come in an order that is not known, each order as likely as any
other, and what is made largest is the mean of the logarithm of the likelihood over these orders. Of two players a tie
is then half of a win for each, as everybody counts it. How often ties happen is not part of the model.

A player that has never lost has no greatest likelihood: the stronger, the better. So everybody has, besides what was
played, `GHOST` wins and as many losses against one player that does not exist, whose strength is 1 (Turner, van Etten,
Firth and Kosmidis, "Modelling rankings in R: the PlackettLuce package", 2020). Every rating is thereby finite and a
little nearer to the mean, and players that never met have ratings that compare.

The logarithm of the likelihood is concave in the logarithms of the strengths; with the ghost strictly so, and Newton's
method finds its one maximum (Hunter, "MM algorithms for generalized Bradley-Terry models", 2004, has the likelihood and
a slower method). It depends on the matches through two kinds of numbers alone: how often each player was taken from
those that were left, and how often each set of players was what was left.
"""

from array import array
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from math import comb, log
from typing import Any, Final, TypeAlias

import numpy as np

Numbers: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]  # Any: of one or two dimensions
Indices: TypeAlias = np.ndarray[Any, np.dtype[np.int64]]

GHOST: Final = 0.5
"""Wins, and losses, of everybody against the player that does not exist."""

POINTS: Final = 400 / log(10)
"""Points of Elo's scale for each unit of the logarithm of a strength: 400 points are odds of ten to one."""

_STEPS: Final = 100
_CLOSE: Final = 1e-7
"""A step of Newton's method that is no longer than this was the last."""


class Rankings:
    """Matches as they come, and the ratings that follow from them.

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
        # What each match added, for drawing blocks again: which block, which player or set, and how much.
        self._taken = (array("q"), array("q"), array("d"))
        self._left = (array("q"), array("q"), array("d"))
        self._last: Numbers = np.zeros(0)
        self._known: Indices = np.zeros((0, 1), np.int64)

    @property
    def players(self) -> tuple[Hashable, ...]:
        """In the order in which they first came."""
        return tuple(self._players)

    @property
    def blocks(self) -> int:
        """How many there are."""
        return len(self._blocks)

    def add(self, block: int, players: Sequence[Hashable], places: Sequence[int]) -> None:
        """One match.

        Args:
            block: what is drawn again as a whole.
            players: who played; one may be there several times.
            places: of each; the less, the better, and equal ones are a tie.
        """
        at = self._blocks.setdefault(block, len(self._blocks))
        left = sorted(zip(places, map(self._index, players), strict=True), reverse=True)
        while len(left) > 1:  # the last of all is taken from itself alone, which tells nothing
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
        """Those of one place were taken from themselves and those that are left, one after the other in any order."""
        share = 1.0 if rest else 1 - 1 / len(tied)
        blocks, players, wins = self._taken
        for index in tied:
            self._wins[index] += share
            blocks.append(block)
            players.append(index)
            wins.append(share)
        blocks, sets, weights = self._left
        for members, weight in _remaining(tied, rest):
            known = self._sets.get(members)
            if known is None:
                known = self._sets[members] = len(self._weights)
                self._weights.append(0.0)
            self._weights[known] += weight
            blocks.append(block)
            sets.append(known)
            weights.append(weight)

    def ratings(self) -> tuple[float, ...]:
        """Of all players in order, in points of Elo's scale; their mean is 0."""
        start = np.zeros(len(self._players))
        start[: len(self._last)] = self._last
        wins, weights = np.array(self._wins), np.array(self._weights)
        self._last = fit(wins, self._members, weights, start)
        return tuple(map(float, in_points(self._last)))

    def redrawn(self, drawings: Iterator[Numbers]) -> Numbers:
        """The ratings in each drawing of the blocks, [drawings, players], as `bootstrap.resamples` draws them."""
        self.ratings()
        members = self._members
        win_block, win_player, win = _gathered(self._taken, len(self._players))
        set_block, set_known, weight = _gathered(self._left, len(self._sets))
        found: list[Numbers] = []
        for drawn in drawings:
            wins = _summed(win_player, win * drawn[win_block], len(self._players))
            weights = _summed(set_known, weight * drawn[set_block], len(self._sets))
            present = weights > 0
            found.append(in_points(fit(wins, members[present], weights[present], self._last)))
        return np.array(found)

    @property
    def _members(self) -> Indices:
        """[sets, most players], -1 where a set has fewer."""
        if len(self._known) != len(self._sets):
            most = max(map(len, self._sets), default=1)
            filled = [[*members, *[-1] * (most - len(members))] for members in self._sets]
            self._known = np.array(filled, np.int64).reshape(-1, most)
        return self._known


def _gathered(columns: "tuple[array[int], array[int], array[float]]", width: int) -> tuple[Indices, Indices, Numbers]:
    """The same with each thing once in a block."""
    keys = np.array(columns[0], np.int64) * width + np.array(columns[1], np.int64)
    different, back = np.unique(keys, return_inverse=True)
    sums = _summed(back, np.array(columns[2], np.float64), len(different))
    return different // max(width, 1), different % max(width, 1), sums


def _remaining(tied: Sequence[int], rest: list[int]) -> list[tuple[tuple[int, ...], float]]:
    """The sets from which those of one place are taken, one after the other in every order, and the weight of each."""
    size = len(tied)
    if size == 1:
        return [(tuple(sorted((*tied, *rest))), 1.0)]
    return [
        (tuple(sorted((*stay, *rest))), 1 / comb(size, taken))
        for taken in range(size if rest else size - 1)
        for stay in combinations(tied, size - taken)
    ]


def in_points(strengths: Numbers) -> Numbers:
    """Logarithms of strengths on Elo's scale, their mean 0."""
    points: Numbers = POINTS * (strengths - strengths.mean()) if len(strengths) else strengths
    return points


def fit(wins: Numbers, members: Indices, weights: Numbers, start: Numbers) -> Numbers:
    """The logarithms of the strengths for which the likelihood is greatest.

    Args:
        wins: [players], how often each was taken.
        members: [sets, most players], the players of each set, -1 for none.
        weights: [sets], how often each set was what was left.
        start: [players], a guess.
    """
    strengths: Numbers = start
    value = _likelihood(wins, members, weights, strengths)
    for _ in range(_STEPS):
        step = _newton(wins, members, weights, strengths)
        while True:  # a step that goes too far is halved: the function is concave, so that a short one leads up
            further = strengths + step
            found = _likelihood(wins, members, weights, further)
            if found >= value or np.abs(step).max(initial=0) <= _CLOSE:
                break
            step = step / 2
        strengths, value = further, max(found, value)
        if np.abs(step).max(initial=0) <= _CLOSE:
            break
    return strengths


def _likelihood(wins: Numbers, members: Indices, weights: Numbers, strengths: Numbers) -> float:
    logs = np.where(members >= 0, strengths[members], -np.inf)
    sums = np.logaddexp.reduce(logs, axis=1) if len(logs) else np.zeros(0)
    ghost = GHOST * (strengths - 2 * np.logaddexp(0, strengths)).sum()
    return float(wins @ strengths - weights @ sums + ghost)


def _summed(index: Indices, numbers: Numbers, size: int) -> Numbers:
    """The sum of the numbers at each index, [size]."""
    sums: Numbers = np.bincount(index, numbers, size).astype(np.float64, copy=False)
    return sums


def _newton(wins: Numbers, members: Indices, weights: Numbers, strengths: Numbers) -> Numbers:
    """Newton's step."""
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
    curvature[np.diag_indices(players)] += expected + 2 * GHOST * beaten * (1 - beaten)
    gradient = wins - expected + GHOST * (1 - 2 * beaten)
    return np.linalg.solve(curvature, gradient).astype(np.float64, copy=False)
