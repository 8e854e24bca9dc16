"""Whole games of 6 nimmt! in one call: the first way into the batch engine."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from faceup.core.errors import Malformed
from faceup.core.registry import nearest
from faceup.core.values import Action, Seat
from faceup.games.lanes import Array, check_batch, in_threads, kernel
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import kernels
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal

POLICIES: Final = {
    "random": kernels.RANDOM,
    "lowest": kernels.LOWEST,
    "highest": kernels.HIGHEST,
    "greedy": kernels.GREEDY,
}
"""The policies that kernels know. `random` takes any card and any row; the others are those of the game."""


class Playouts(NamedTuple):
    """What became of each lane, lane by lane and seat by seat.

    Attributes:
        heads: int32 [B, seats]: each seat's heads at the end.
        full: int32 [B, seats]: how often its card found a row full, so that it took it.
        chosen: int32 [B, seats]: how often its card was below all tails, so that it chose a row to take.
        deals: int32 [B]: the deals played.
    """

    heads: npt.NDArray[np.int32]
    full: npt.NDArray[np.int32]
    chosen: npt.NDArray[np.int32]
    deals: npt.NDArray[np.int32]

    def places(self) -> npt.NDArray[np.uint8]:
        """Each seat's place, from 1, ties shared: uint8 [B, seats]."""
        places = np.empty(self.heads.shape, np.uint8)
        _rank(self.heads, places)
        return places


@kernel
def _rank(heads: Array, places: Array) -> None:
    for lane in range(len(heads)):
        for seat in range(heads.shape[1]):
            better = 1
            for other in range(heads.shape[1]):
                better += heads[lane, other] < heads[lane, seat]
            places[lane, seat] = better


class Trace(NamedTuple):
    """Playouts with everything that was dealt and chosen in them.

    Attributes:
        playouts: the results.
        dealt: uint8 [B, deals, seats * hand + rows]: the cards of each deal in the order of `Deal.cards`.
        played: uint8 [B, deals, hand, seats]: the card that each seat played in each turn.
        rows: int8 [B, deals, hand]: the row that the lowest card's seat chose; -1 if it did not have to.

    What lies beyond the deals that a lane played is without meaning.
    """

    playouts: Playouts
    dealt: npt.NDArray[np.uint8]
    played: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.int8]

    def scores(self) -> npt.NDArray[np.int32]:
        """Each seat's heads at the end: int32 [B, seats]."""
        return self.playouts.heads

    def moves(self, lane: int) -> Iterator[Deal | dict[Seat, Action]]:
        """What the scalar rules are to apply, one after the other, to play this lane's game."""
        for deal in range(int(self.playouts.deals[lane])):
            yield Deal(tuple(self.dealt[lane, deal].tolist()))
            turns = zip(self.played[lane, deal].tolist(), self.rows[lane, deal].tolist(), strict=True)
            for plays, row in turns:
                yield {seat: play(card) for seat, card in enumerate(plays)}
                if row >= 0:
                    yield {plays.index(min(plays)): take(row)}


def deck(rules: Rules) -> npt.NDArray[np.uint16]:
    """The cards in play as kernels have them."""
    return np.array([kernels.card_word(card) for card in range(1, rules.cards + 1)], np.uint16)


def policy_numbers(rules: Rules, policies: str | Sequence[str]) -> npt.NDArray[np.uint8]:
    """The policies by number, one for each seat; one alone is every seat's.

    Raises:
        Malformed: a policy that kernels do not know (with the nearest that they do), or too few or many.
    """
    names = [policies] * rules.seats if isinstance(policies, str) else list(policies)
    if len(names) == 1:
        names *= rules.seats
    if len(names) != rules.seats:
        raise Malformed(f"there are {rules.seats} seats, and {len(names)} policies", what=len(names), where="policies")
    for name in names:
        if name not in POLICIES:
            raise Malformed(f"no kernel plays policy {name!r}{nearest(name, [*POLICIES])}", what=name, where="policies")
    return np.array([POLICIES[name] for name in names], np.uint8)


def playouts(
    rules: Rules,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> Playouts:
    """Play `lanes` games from the start: one deal each, or whole matches.

    Args:
        rules: any rules of 6 nimmt!.
        policies: the name of every seat's policy, or one for each seat.
        lanes: how many games, 1 or more.
        seed: 0 to 2**64 - 1.
        first: the number of the first lane: lanes 100..199 of a seed are the same games alone as among others.
        jobs: threads.
        matches: play deal after deal as the rules say; else one deal.

    Raises:
        Malformed: an argument out of range, or a policy that is not known.

    >>> from faceup.core import make
    >>> games = playouts(make("nimmt:cowheadking seats=3"), ["random", "lowest", "greedy"], lanes=2, seed=7)
    >>> games.heads.shape, games.deals.tolist()
    ((2, 3), [1, 1])
    """
    return _run(rules, policies, lanes, seed, first, jobs, matches, keep=False).playouts


def trace(
    rules: Rules,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> Trace:
    """`playouts`, and what was dealt and chosen in them."""
    return _run(rules, policies, lanes, seed, first, jobs, matches, keep=True)


def _run(
    rules: Rules,
    policies: str | Sequence[str],
    lanes: int,
    seed: int,
    first: int,
    jobs: int,
    matches: bool,
    *,
    keep: bool,
) -> Trace:
    check_batch(seed, lanes, first)
    numbers = policy_numbers(rules, policies)
    deals, target = (rules.deals, rules.target) if matches else (1, 0)
    most_deals = rules.most_deals if matches else 1
    kept = lanes if keep else 0
    seats, hand = rules.seats, rules.hand
    trace = Trace(
        Playouts(
            heads=np.zeros((lanes, seats), np.int32),
            full=np.zeros((lanes, seats), np.int32),
            chosen=np.zeros((lanes, seats), np.int32),
            deals=np.zeros(lanes, np.int32),
        ),
        np.zeros((kept, most_deals, rules.dealt), np.uint8),
        np.zeros((kept, most_deals, hand, seats), np.uint8),
        np.zeros((kept, most_deals, hand), np.int8),
    )
    settings = np.array([rules.rows, hand, rules.capacity, deals, target], np.int64)
    fresh = deck(rules)

    def work(begin: int, end: int) -> None:
        kernels.play_deals(
            kernels.opening_for(rules.rows),
            fresh,
            numbers,
            settings,
            np.uint64(seed),
            np.uint64(first + begin),
            *(array[begin:end] for array in trace.playouts),
            *(array[begin:end] for array in trace[1:]),
        )

    in_threads(work, lanes, jobs, kernels.BLOCK)
    return trace


def playouts_memory(rules: Rules, lanes: int) -> int:
    """The bytes that `playouts` takes for its results; what it works in is below a megabyte a thread."""
    return lanes * (12 * rules.seats + 4)
