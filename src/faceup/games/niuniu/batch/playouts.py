"""Play whole matches of Niu Niu in one call, count them for simulations, and compile the kernels ahead of time."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Unpack

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from faceup.games.batch_base import ChanceTrace, PlayoutOptions, check_engine_rules, policy_numbers
from faceup.games.lanes import checked_batch, in_threads
from faceup.games.niuniu.batch import kernels
from faceup.games.niuniu.batch.engine import NiuNiuEngine, table
from faceup.games.niuniu.rules import NiuNiu


class NiuNiuPlayouts(NamedTuple):
    """Results by lane and seat.

    Attributes:
        won: int32 [B, seats]: throws won.
        drawn: int32 [B, seats]: throws in which the seat shared the most points.
        statistics: int32 [B, seats]: sums of the hands' statistics points.
        draws: int32 [B]: throws without a winner.
        ranks: int64 [seats, 11]: number of hands in all lanes with 0, 1, ... 10 points.
    """

    won: npt.NDArray[np.int32]
    drawn: npt.NDArray[np.int32]
    statistics: npt.NDArray[np.int32]
    draws: npt.NDArray[np.int32]
    ranks: npt.NDArray[np.int64]

    def places(self) -> npt.NDArray[np.uint8]:
        """Return each seat's place, from 1, as uint8 [B, seats]; tied seats share a place."""
        worth = self.won * np.int32(1001) + self.drawn  # no match has more than 1,000 throws
        better: npt.NDArray[np.uint8] = (worth[:, np.newaxis, :] > worth[:, :, np.newaxis]).sum(2, np.uint8)
        return better + np.uint8(1)


def playouts(
    rules: NiuNiu,
    policies: str | Sequence[str] = "random",
    *,
    lanes: int,
    seed: int,
    first: int = 0,
    jobs: int = 1,
    matches: bool = False,
) -> NiuNiuPlayouts:
    """Play `lanes` games from the start: one throw each, or whole matches.

    Args:
        rules: any rules of Niu Niu.
        policies: "random"; throwing is the only action.
        lanes: number of games, 1 or more.
        seed: 0 to 2**64 - 1.
        first: number of the first lane; a lane's game does not depend on the other lanes of the call.
        jobs: number of threads.
        matches: play whole matches; otherwise one throw.

    Raises:
        Malformed: an argument out of range, or an unknown policy.

    >>> from faceup.core import make
    >>> games = playouts(make("niuniu seats=3 throws=10"), lanes=2, seed=7, matches=True)
    >>> games.won.tolist(), games.draws.tolist(), int(games.ranks.sum())
    ([[2, 2, 4], [0, 4, 3]], [2, 3], 60)
    """
    check_engine_rules(rules, NiuNiu)
    seed, lanes, first = checked_batch(seed, lanes, first)
    policy_numbers(rules.seats, policies)
    won, drawn, statistics = (np.zeros((lanes, rules.seats), np.int32) for _ in range(3))
    draws = np.zeros(lanes, np.int32)
    parts: list[npt.NDArray[np.int64]] = []

    def work(start: int, stop: int) -> None:
        ranks = np.zeros((rules.seats, 11), np.int64)
        parts.append(ranks)
        kernels.play_matches(
            rules.throws if matches else 1, rules.faces, rules.baozi, table(rules.faces, rules.baozi),
            np.uint64(seed), np.uint64(first + start),
            won[start:stop], drawn[start:stop], statistics[start:stop], draws[start:stop], ranks,
        )  # fmt: skip

    in_threads(work, lanes, jobs)
    return NiuNiuPlayouts(won, drawn, statistics, draws, sum(parts[1:], parts[0]))


def trace(
    rules: NiuNiu, policies: str | Sequence[str] = "random", **options: Unpack[PlayoutOptions]
) -> ChanceTrace[NiuNiuPlayouts]:
    """Play as `playouts` does, with the same arguments, and make the moves replayable."""
    games = playouts(rules, policies, **options)
    played = rules if options.get("matches") else replace(rules, throws=1)
    seed, first = options["seed"], options.get("first", 0)
    return ChanceTrace(
        games, games.won, lambda lane: NiuNiuEngine.reset(played, lanes=1, seed=seed, first=first + lane)
    )


def playouts_memory(rules: NiuNiu, lanes: int) -> int:
    """Return the size of the results of `playouts`, in bytes, without scratch space of less than a megabyte."""
    return lanes * (12 * rules.seats + 4)


def play_measured(
    rules: NiuNiu, policies: Sequence[str], *, lanes: int, seed: int, first: int
) -> dict[str, npt.NDArray[Any]]:
    """Play the lanes to the end of their matches and return the measures; see `faceup.games.measures`."""
    games = playouts(rules, policies, lanes=lanes, seed=seed, first=first, matches=True)
    return {
        "score": games.won,
        "place": games.places(),
        "drawn": games.drawn,
        "points": games.ranks,
        "statistics": games.statistics,
        "draws": games.draws[:, None],
    }


def warm() -> Iterator[str]:
    """Compile the kernels part by part, unless they are cached; yield the name of each part before compiling it."""
    rules = NiuNiu()
    yield "whole matches"
    playouts(rules, lanes=1, seed=0)
    yield "matches throw by throw"
    engine = NiuNiuEngine.reset(rules, lanes=1, seed=0, auto_reset=True)
    engine.step(np.zeros((1, 2), np.int32))
    yield "matches with dice from the caller"
    engine.land(np.ones((1, 2, 5), np.uint8))
