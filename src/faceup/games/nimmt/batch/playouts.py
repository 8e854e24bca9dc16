"""Play whole games of 6 nimmt! in one call, and measure them for simulations."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt

from faceup.core.values import Action, Seat
from faceup.games.batch_base import PlayoutOptions, check_engine_rules, policy_numbers
from faceup.games.lanes import Array, checked_batch, in_threads, kernel
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import deal_kernels, kernels
from faceup.games.nimmt.parameters import check_supported
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal

POLICIES: Final = {
    "random": kernels.RANDOM,
    "lowest": kernels.LOWEST,
    "highest": kernels.HIGHEST,
    "greedy": kernels.GREEDY,
}
"""The policies that have a kernel, with their numbers.

`random` plays any card and takes any row. The other policies are those that the game registers.
"""


class NimmtPlayouts(NamedTuple):
    """Results by lane and seat.

    Attributes:
        heads: int32 [B, seats]: each seat's heads at the end.
        full: uint16 [B, seats]: how often the seat's card found a full row and took it.
        chosen: uint16 [B, seats]: how often the seat's card was below all tails and the seat chose a row.
        deals: int32 [B]: number of deals played.
    """

    heads: npt.NDArray[np.int32]
    full: npt.NDArray[np.uint16]
    chosen: npt.NDArray[np.uint16]
    deals: npt.NDArray[np.int32]

    def places(self) -> npt.NDArray[np.uint8]:
        """Return each seat's place, from 1: uint8 [B, seats]. Seats with equal heads share a place."""
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
    """Playouts with everything that was dealt and chosen.

    Attributes:
        playouts: the results.
        dealt: uint8 [B, deals, seats * hand + rows]: the cards of each deal in the order of `Deal.cards`.
        played: uint8 [B, deals, hand, seats]: the card that each seat played in each turn.
        rows: int8 [B, deals, hand]: the row that the seat of the lowest card chose in each turn; -1 if it chose none.

    If a lane played fewer deals than the arrays have room for, the remaining values are undefined.
    """

    playouts: NimmtPlayouts
    dealt: npt.NDArray[np.uint8]
    played: npt.NDArray[np.uint8]
    rows: npt.NDArray[np.int8]

    def scores(self) -> npt.NDArray[np.int32]:
        """Return each seat's heads at the end: int32 [B, seats]."""
        return self.playouts.heads

    def moves(self, lane: int) -> Iterator[Deal | dict[Seat, Action]]:
        """Yield the moves that replay this lane's game under the scalar rules."""
        for deal in range(int(self.playouts.deals[lane])):
            yield Deal(tuple(self.dealt[lane, deal].tolist()))
            turns = zip(self.played[lane, deal].tolist(), self.rows[lane, deal].tolist(), strict=True)
            for plays, row in turns:
                yield {seat: play(card) for seat, card in enumerate(plays)}
                if row >= 0:
                    yield {plays.index(min(plays)): take(row)}


def playouts(
    rules: Rules,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> NimmtPlayouts:
    """Play `lanes` games from the start: one deal each, or whole matches.

    Args:
        rules: any rules of 6 nimmt!.
        policies: one policy name for all seats, or one for each seat.
        lanes: number of games, 1 or more.
        seed: 0 to 2**64 - 1.
        first: number of the first lane; a lane's game does not depend on the other lanes of the call.
        jobs: number of threads.
        matches: whether to play whole matches, rather than one deal each.

    Raises:
        Malformed: an argument out of range, or an unknown policy.

    >>> from faceup.core import make
    >>> games = playouts(make("nimmt:cowheadking seats=3"), ["random", "lowest", "greedy"], lanes=2, seed=7)
    >>> games.heads.shape, games.deals.tolist()
    ((2, 3), [1, 1])
    """
    return _run(rules, policies, lanes=lanes, seed=seed, first=first, jobs=jobs, matches=matches, record=False).playouts


def trace(rules: Rules, policies: str | Sequence[str] = "random", **options: Unpack[PlayoutOptions]) -> Trace:
    """Play as `playouts` does, with the same arguments, and record what was dealt and chosen."""
    return _run(rules, policies, **options, record=True)


def _arrays(rules: Rules, lanes: int, recorded: int, deals: int = 1) -> tuple[npt.NDArray[Any], ...]:
    """Return the arrays of `NimmtPlayouts` for this many lanes, and those of `Trace` for `recorded` lanes."""
    seats, hand, results = rules.seats, rules.hand, lanes * rules.seats
    # One buffer for three arrays: the C library returns the pages of more freed arrays to the system, which would have
    # to clear them again for the next call.
    buffer = np.empty(4 * (lanes + results), np.uint8)
    deals_played, rows_taken = np.split(buffer, [4 * lanes])
    return (
        np.empty((lanes, seats), np.int32),
        *rows_taken.view(np.uint16).reshape(2, lanes, seats),
        deals_played.view(np.int32),
        np.zeros((recorded, deals, rules.dealt), np.uint8),
        np.zeros((recorded, deals, hand, seats), np.uint8),
        np.zeros((recorded, deals, hand), np.int8),
    )


def _run(
    rules: Rules,
    policies: str | Sequence[str],
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
    record: bool,
) -> Trace:
    check_engine_rules(rules, Rules)
    seed, lanes, first = checked_batch(seed, lanes, first)
    numbers = policy_numbers(rules.seats, policies, POLICIES)
    most_deals = rules.most_deals if matches else 1
    heads, full, chosen, played_deals, *record_arrays = _arrays(rules, lanes, lanes if record else 0, most_deals)
    trace = Trace(NimmtPlayouts(heads, full, chosen, played_deals), *record_arrays)

    def work(start: int, stop: int) -> None:
        kept = (array[start:stop] for array in (*trace.playouts, *trace[1:]))
        _play_lanes(rules, numbers, stop - start, seed, first + start, *kept, matches=matches)

    in_threads(work, lanes, jobs, kernels.BLOCK)
    return trace


_NO_COUNTS: Final = np.zeros((0, 0), np.int64)


def _play_lanes(
    rules: Rules,
    numbers: npt.NDArray[np.uint8],
    lanes: int,
    seed: int,
    first: int,
    *kept: npt.NDArray[Any],
    matches: bool,
    counts: npt.NDArray[np.int64] = _NO_COUNTS,
) -> None:
    """Play lanes in this thread, and write their results to `counts` or, if it is omitted, to `kept`."""
    check_supported(rules, "batch")
    deals, target = (rules.deals, rules.target) if matches else (1, 0)
    deal_kernels.play_deals(
        kernels.opening_for(rules.rows),
        kernels.card_words(range(1, rules.cards + 1)),
        numbers,
        np.array([rules.rows, rules.hand, rules.capacity, deals, target], np.int64),
        np.uint64(seed),
        np.uint64(first),
        lanes,
        counts,
        *(kept or _arrays(rules, 0, 0)),
    )


def playouts_memory(rules: Rules, lanes: int) -> int:
    """Return the size of the results of `playouts` in bytes; each thread uses less than a megabyte more."""
    return lanes * (8 * rules.seats + 4)


def count_games(
    rules: Rules, policies: Sequence[str], *, lanes: int, seed: int, first: int
) -> dict[str, npt.NDArray[np.int64]]:
    """Play the lanes to the end of their matches and count the measures; see `faceup.games.measures`."""
    check_engine_rules(rules, Rules)
    seed, lanes, first = checked_batch(seed, lanes, first)
    seats = rules.seats
    most = max(rules.most_heads, rules.most_deals * rules.hand, deal_kernels.LOST + seats)
    counts = np.zeros((int(deal_kernels.ROWS_PER_SEAT) * seats + 1, most + 1), np.int64)
    _play_lanes(rules, policy_numbers(seats, policies, POLICIES), lanes, seed, first, matches=True, counts=counts)
    score, full, chosen, ranks = (counts[row : -1 : int(deal_kernels.ROWS_PER_SEAT)] for row in range(4))
    won, lost = ranks[:, 1 : seats + 1], ranks[:, deal_kernels.LOST :]
    place = lost[:, : seats + 1].copy()
    place[:, 1] = won.sum(1)
    return {
        "score": score,
        "place": place,
        "full": full,
        "chosen": chosen,
        "deals": counts[-1:],
        "share": np.hstack((lost.sum(1, keepdims=True), won)),
    }
