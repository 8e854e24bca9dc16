"""Whole matches of Niu Niu in one call: the first way into the batch engine."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from faceup.core.values import Action, Outcome, Seat
from faceup.games.lanes import check_batch, in_threads
from faceup.games.niuniu.batch import kernels
from faceup.games.niuniu.batch.engine import reset, table
from faceup.games.niuniu.rules import NiuNiu
from faceup.games.pure_chance import check_policies


class Playouts(NamedTuple):
    """What became of each lane, and, seat by seat, of all of them.

    Attributes:
        won: int32 [B, seats]: throws won.
        statistics: int32 [B, seats]: sums of the hands' statistics scores.
        draws: int32 [B]: throws that nobody won.
        ranks: int64 [seats, 11]: how many hands of all lanes had 0, 1, ... 10 points.
    """

    won: npt.NDArray[np.int32]
    statistics: npt.NDArray[np.int32]
    draws: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int64]

    def places(self) -> npt.NDArray[np.uint8]:
        """Each seat's place, from 1, ties shared: uint8 [B, seats]."""
        better: npt.NDArray[np.uint8] = (self.won[:, np.newaxis, :] > self.won[:, :, np.newaxis]).sum(2, np.uint8)
        return better + np.uint8(1)


class Trace(NamedTuple):
    """Playouts whose moves can be told.

    Attributes:
        rules: of the matches, with the number of throws that were played.
        seed: of the matches.
        first: the number of the first lane.
        playouts: the results.
    """

    rules: NiuNiu
    seed: int
    first: int
    playouts: Playouts

    def scores(self) -> npt.NDArray[np.int32]:
        """The final points: int32 [B, seats]."""
        return self.playouts.won

    def moves(self, lane: int) -> Iterator[Outcome | dict[Seat, Action]]:
        """What the scalar rules are to apply, one after the other, to play this lane's match."""
        engine = reset(self.rules, lanes=1, seed=self.seed, first=self.first + lane)
        while engine.to_act().any():
            yield dict.fromkeys(range(self.rules.seats), 0)
            engine.step(np.zeros((1, self.rules.seats), np.int32))
            yield from engine.outcomes(0)


def playouts(
    rules: NiuNiu,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> Playouts:
    """Play `lanes` games from the start: one throw each, or whole matches.

    Args:
        rules: any rules of Niu Niu.
        policies: "random"; to throw is all that a seat can do.
        lanes: how many games, 1 or more.
        seed: 0 to 2**64 - 1.
        first: the number of the first lane: lanes 100..199 of a seed are the same games alone as among others.
        jobs: threads.
        matches: make as many throws as the rules say; else one.

    Raises:
        Malformed: an argument out of range, or a policy that is not known.

    >>> from faceup.core import make
    >>> games = playouts(make("niuniu seats=3 throws=10"), lanes=2, seed=7, matches=True)
    >>> games.won.tolist(), games.draws.tolist(), int(games.ranks.sum())
    ([[2, 2, 4], [0, 4, 3]], [2, 3], 60)
    """
    check_batch(seed, lanes, first)
    check_policies(rules.seats, policies)
    won, statistics = (np.zeros((lanes, rules.seats), np.int32) for _ in range(2))
    draws = np.zeros(lanes, np.int32)
    parts: list[npt.NDArray[np.int64]] = []

    def work(begin: int, end: int) -> None:
        ranks = np.zeros((rules.seats, 11), np.int64)
        parts.append(ranks)
        kernels.play_matches(
            rules.throws if matches else 1, rules.faces, rules.baozi, table(rules.faces, rules.baozi),
            np.uint64(seed), np.uint64(first + begin), won[begin:end], statistics[begin:end], draws[begin:end], ranks,
        )  # fmt: skip

    in_threads(work, lanes, jobs)
    return Playouts(won, statistics, draws, sum(parts[1:], parts[0]))


def trace(
    rules: NiuNiu,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> Trace:
    """`playouts`, and what the dice showed in them."""
    results = playouts(rules, policies, lanes=lanes, seed=seed, first=first, jobs=jobs, matches=matches)
    return Trace(rules if matches else replace(rules, throws=1), seed, first, results)


def playouts_memory(rules: NiuNiu, lanes: int) -> int:
    """The bytes that `playouts` takes for its results; what it works in is below a megabyte."""
    return lanes * (8 * rules.seats + 4)
