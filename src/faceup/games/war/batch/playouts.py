"""Play whole games of War in one call, count them for simulations, and compile the kernels ahead of time."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from faceup.games.batch_base import ChanceTrace, PlayoutOptions, check_engine_rules, policy_numbers
from faceup.games.lanes import checked_batch, in_threads
from faceup.games.war import ENDS
from faceup.games.war.batch import kernels
from faceup.games.war.batch.engine import ENDINGS, WarEngine, settings
from faceup.games.war.rules import War


class WarPlayouts(NamedTuple):
    """Results by lane.

    Attributes:
        winner: int8 [B]: the seat that won, -1 for a draw.
        by: uint8 [B]: how the game ended, as a number in `ENDINGS`.
        rounds: int32 [B]: number of rounds played, including undecided rounds and sudden death.
        wars: int32 [B]: how often the compared cards were equal.
        redeals: int32 [B]: number of redeals.
        cards: int32 [B, 2]: number of cards in each seat's draw pile at the end.
    """

    winner: npt.NDArray[np.int8]
    by: npt.NDArray[np.uint8]
    rounds: npt.NDArray[np.int32]
    wars: npt.NDArray[np.int32]
    redeals: npt.NDArray[np.int32]
    cards: npt.NDArray[np.int32]

    def places(self) -> npt.NDArray[np.uint8]:
        """Return each seat's place, from 1, as uint8 [B, 2]; tied seats share a place."""
        return (1 + (self.cards < self.cards[:, ::-1])).astype(np.uint8)


def playouts(
    rules: War,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> WarPlayouts:
    """Play `lanes` games from the deal to their ends.

    Args:
        rules: any rules of War.
        policies: "random"; flipping is the only action.
        lanes: number of games, 1 or more.
        seed: 0 to 2**64 - 1.
        first: number of the first lane; a lane's game does not depend on the other lanes of the call.
        jobs: number of threads.
        matches: has no effect, since a match of War is one game.

    Raises:
        Malformed: an argument out of range, or an unknown policy.

    >>> from faceup.core import make
    >>> from faceup.games.war.batch import ENDINGS
    >>> games = playouts(make("war"), lanes=2, seed=7)
    >>> games.winner.tolist(), [ENDINGS[number] for number in games.by], games.rounds.tolist()
    ([0, 0], ['all cards', 'all cards'], [36, 74])
    """
    del matches
    check_engine_rules(rules, War)
    seed, lanes, first = checked_batch(seed, lanes, first)
    policy_numbers(rules.seats, policies)
    cards, by = np.zeros((lanes, 2), np.int32), np.zeros(lanes, np.uint8)
    rounds, wars, redeals = (np.zeros(lanes, np.int32) for _ in range(3))

    def work(start: int, stop: int) -> None:
        results = (array[start:stop] for array in (by, rounds, wars, redeals, cards))
        kernels.play_games(settings(rules), np.uint64(seed), np.uint64(first + start), *results)

    in_threads(work, lanes, jobs)
    winner = np.where(cards[:, 0] == cards[:, 1], -1, cards[:, 0] < cards[:, 1]).astype(np.int8)
    return WarPlayouts(winner, by, rounds, wars, redeals, cards)


def trace(
    rules: War, policies: str | Sequence[str] = "random", **options: Unpack[PlayoutOptions]
) -> ChanceTrace[WarPlayouts]:
    """Play as `playouts` does, with the same arguments, and make the moves replayable."""
    games = playouts(rules, policies, **options)
    seed, first = options["seed"], options.get("first", 0)
    return ChanceTrace(games, games.cards, lambda lane: WarEngine.reset(rules, lanes=1, seed=seed, first=first + lane))


def playouts_memory(rules: War, lanes: int) -> int:
    """Return the size of the results of `playouts`, in bytes, without scratch space of a few bytes for each lane."""
    del rules
    return lanes * 22


_ENDS = np.array([ENDS.index(by) if by in ENDS else -1 for by in ENDINGS])
"""The index in `ENDS` of each of the `ENDINGS`; -1 for draws, which `play_measured` splits by their cause."""

_EQUAL_PILES = ENDS.index("draw, equal piles")
_UNDECIDED = ENDS.index("draw, undecided round")


def play_measured(
    rules: War, policies: Sequence[str], *, lanes: int, seed: int, first: int
) -> dict[str, npt.NDArray[Any]]:
    """Play the lanes to their ends and return the measures; see `faceup.games.measures`."""
    games = playouts(rules, policies, lanes=lanes, seed=seed, first=first)
    draw = np.where(games.cards[:, 0] > 0, _EQUAL_PILES, _UNDECIDED)
    by = np.where(games.winner < 0, draw, _ENDS[games.by])
    return {
        "score": games.cards,
        "place": games.places(),
        "rounds": games.rounds[:, None],
        "wars": games.wars[:, None],
        "redeals": games.redeals[:, None],
        "by": by[:, None],
    }


def warm() -> Iterator[str]:
    """Compile the kernels part by part, unless they are cached; yield the name of each part before compiling it."""
    rules = War()
    yield "whole games"
    playouts(rules, lanes=1, seed=0)
    yield "games flip by flip"
    engine = WarEngine.reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.observe()
    engine.step(np.zeros((1, 2), np.int32))
    yield "games with chance outcomes from the caller"
    engine.arrange(np.zeros((1, 52), np.uint8))
