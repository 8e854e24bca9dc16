"""Which matches of a run are worth a replay: where somebody went out, the most lopsided, and some at random."""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

import msgspec

from faceup.arena.matches import Cause, Result
from faceup.core import Seeded


class Choice(msgspec.Struct, frozen=True):
    """A match to be shown, and why."""

    result: Result
    why: str


def choices(results: Sequence[Result], seed: int, *, each: int) -> Iterator[Choice]:
    """The matches that are worth a look, the most telling first; none of them twice.

    A kind of fault that was seen comes up once before any comes up a second time, so that a bot that always goes out in
    the same way leaves room for the others.

    Args:
        results: of all matches.
        seed: of those at random.
        each: how many of each kind.
    """
    known: set[int] = set()
    kinds = (
        (_forfeits(results, each), "somebody went out"),
        (_lopsided(results, each), "the most lopsided"),
        (_random(results, seed, each), "at random"),
    )
    for found, why in kinds:
        for result in found:
            if result.match.number not in known:
                known.add(result.match.number)
                yield Choice(result, why)


def _forfeits(results: Sequence[Result], most: int) -> list[Result]:
    kinds: dict[tuple[str, Cause], list[Result]] = {}
    for result in results:
        for fault in result.faults:
            of_kind = kinds.setdefault((result.match.lineup[fault.player], fault.cause), [])
            if len(of_kind) < most and result not in of_kind:
                of_kind.append(result)
    turns = chain.from_iterable(zip_longest(*kinds.values()))
    found = {result.match.number: result for result in turns if result is not None}
    return list(found.values())[: max(most, len(kinds))]


def _lopsided(results: Sequence[Result], most: int) -> list[Result]:
    whole = [result for result in results if not result.faults]
    return sorted(whole, key=lambda result: (min(result.scores) - max(result.scores), result.match.number))[:most]


def _random(results: Sequence[Result], seed: int, most: int) -> list[Result]:
    left, rng = list(results), Seeded(seed)
    return [left.pop(rng.below(len(left))) for _ in range(min(most, len(left)))]
