"""Whole games of War in one call: the first way into the batch engine."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faceup.core.values import Action, Outcome, Seat
from faceup.games.lanes import check_batch, in_threads
from faceup.games.pure_chance import check_policies
from faceup.games.war.batch import kernels
from faceup.games.war.batch.engine import reset, settings
from faceup.games.war.rules import War


class Playouts(NamedTuple):
    """What became of each lane.

    Attributes:
        winner: int8 [B]: the seat that won, -1 for a draw.
        by: uint8 [B]: how the game ended, a number in `ENDINGS`.
        rounds: int32 [B]: rounds played, undecided and sudden-death ones too.
        wars: int32 [B]: how often the compared cards were equal.
        redeals: int32 [B]: how often the cards were dealt anew.
        cards: int32 [B, 2]: each seat's draw pile at the end.
    """

    winner: npt.NDArray[np.int8]
    by: npt.NDArray[np.uint8]
    rounds: npt.NDArray[np.int32]
    wars: npt.NDArray[np.int32]
    redeals: npt.NDArray[np.int32]
    cards: npt.NDArray[np.int32]

    def places(self) -> npt.NDArray[np.uint8]:
        """Each seat's place, from 1, ties shared: uint8 [B, 2]."""
        return (1 + (self.cards < self.cards[:, ::-1])).astype(np.uint8)


class Trace(NamedTuple):
    """Playouts whose moves can be told.

    Attributes:
        rules: of the games.
        seed: of the games.
        first: the number of the first lane.
        playouts: the results.
    """

    rules: War
    seed: int
    first: int
    playouts: Playouts

    def scores(self) -> npt.NDArray[np.int32]:
        """The final points: int32 [B, 2]."""
        return self.playouts.cards

    def moves(self, lane: int) -> Iterator[Outcome | dict[Seat, Action]]:
        """What the scalar rules are to apply, one after the other, to play this lane's game."""
        engine = reset(self.rules, lanes=1, seed=self.seed, first=self.first + lane)
        yield from engine.outcomes(0)
        while engine.to_act().any():
            yield {0: 0, 1: 0}
            engine.step(np.zeros((1, 2), np.int32))
            yield from engine.outcomes(0)


def playouts(
    rules: War,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> Playouts:
    """Play `lanes` games from the deal to their ends.

    Args:
        rules: any rules of War.
        policies: "random"; to flip is all that a seat can do.
        lanes: how many games, 1 or more.
        seed: 0 to 2**64 - 1.
        first: the number of the first lane: lanes 100..199 of a seed are the same games alone as among others.
        jobs: threads.
        matches: makes no difference: a match of War is a game.

    Raises:
        Malformed: an argument out of range, or a policy that is not known.

    >>> from faceup.core import make
    >>> from faceup.games.war.batch import ENDINGS
    >>> games = playouts(make("war"), lanes=2, seed=7)
    >>> games.winner.tolist(), [ENDINGS[number] for number in games.by], games.rounds.tolist()
    ([0, 0], ['all cards', 'all cards'], [36, 74])
    """
    del matches
    check_batch(seed, lanes, first)
    check_policies(rules.seats, policies)
    cards, by = np.zeros((lanes, 2), np.int32), np.zeros(lanes, np.uint8)
    rounds, wars, redeals = (np.zeros(lanes, np.int32) for _ in range(3))

    def work(begin: int, end: int) -> None:
        results = (array[begin:end] for array in (by, rounds, wars, redeals, cards))
        kernels.play_games(settings(rules), np.uint64(seed), np.uint64(first + begin), *results)

    in_threads(work, lanes, jobs)
    winner = np.where(cards[:, 0] == cards[:, 1], -1, cards[:, 0] < cards[:, 1]).astype(np.int8)
    return Playouts(winner, by, rounds, wars, redeals, cards)


def trace(
    rules: War,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> Trace:
    """`playouts`, and what chance did in them."""
    results = playouts(rules, policies, lanes=lanes, seed=seed, first=first, jobs=jobs, matches=matches)
    return Trace(rules, seed, first, results)


def playouts_memory(rules: War, lanes: int) -> int:
    """The bytes that `playouts` takes for its results; what it works in is a few bytes a lane more."""
    del rules
    return lanes * 22
