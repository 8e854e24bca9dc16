"""What a run is, and playing it part by part."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from multiprocessing import get_context
from typing import Any, Final, Literal

import msgspec

from faceup.bots import policy
from faceup.core import AnyRules, Malformed, find_game, spec
from faceup.games.batches import find_batch, has_batch
from faceup.games.measures import Measures, counted, measures_of
from faceup.sim.counts import Counts, add, nothing

MOST_DEALS: Final = 10**12
"""More would take weeks on any machine."""

_LANES: Final = {"batch": 1 << 14, "scalar": 32}
"""The games that a thread, or a process, plays in one part: a fraction of a second's worth."""


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that decides what is counted, so that equal runs count the same on any machine.

    Attributes:
        game: game, variant and options, as `faceup.core.make` reads them.
        policies: one for each seat.
        deals: how many deals, or matches.
        seed: 0 to 2**64 - 1.
        matches: whether whole matches are played; else one deal each.
        engine: "batch" where kernels know the game and all policies; else "scalar", with other random numbers.
    """

    game: str
    policies: tuple[str, ...]
    deals: int
    seed: int
    matches: bool
    engine: Literal["batch", "scalar"]

    @property
    def rules(self) -> AnyRules:
        """The rules that are played: of a single deal unless whole matches are."""
        return counted(self.game, matches=self.matches)

    @property
    def measures(self) -> Measures:
        """What is counted."""
        return measures_of(find_game(self.game.partition(":")[0]))


def plan(rules: AnyRules, policies: Sequence[str], *, deals: int, seed: int, matches: bool = False) -> Run:
    """A run of these rules; one policy alone is every seat's.

    Raises:
        Malformed: no deals or too many, a seed out of range, a policy that there is not (with the nearest), or not as
            many policies as seats.

    >>> from faceup.core import make
    >>> plan(make("nimmt seats=2"), ["greedy"], deals=10, seed=7).policies
    ('greedy', 'greedy')
    """
    names = tuple(policies) * (rules.seats if len(policies) == 1 else 1)
    for name in names:
        policy(rules.game, name)
    if len(names) != rules.seats:
        raise Malformed(f"there are {rules.seats} seats, and {len(names)} policies", what=names, where="policies")
    for what, value, least, most in (("deals", deals, 1, MOST_DEALS), ("seed", seed, 0, 2**64 - 1)):
        if not least <= value <= most:
            raise Malformed(f"{what} is {least} to {most}, not {value}", what=value, where=what)
    game = find_game(rules.game)
    batch = find_batch(game) if has_batch(game) else None
    fast = batch is not None and hasattr(batch, "measured") and set(names) <= set(batch.POLICIES)
    return Run(spec(rules), names, deals, seed, matches, "batch" if fast else "scalar")


def play(run: Run, begin: int, end: int, jobs: int = 1) -> Iterator[Counts]:
    """Play games `begin` to `end` of the run, part after part; what is counted does not depend on `jobs`.

    Args:
        run: what to play.
        begin: the first game.
        end: the one after the last.
        jobs: threads, or processes where games are played one by one.
    """
    if not 1 <= jobs <= 1024:
        raise Malformed(f"jobs is 1 to 1024, not {jobs}", what=jobs, where="jobs")
    yield from (_play_batch if run.engine == "batch" else _play_scalar)(run, begin, end, jobs)


def warm(run: Run) -> None:
    """Load the kernels, or compile them if this machine never has, so that it does not count as playing."""
    if run.engine == "batch":
        for _ in _play_batch(run, 0, 1, 1):
            pass


def _play_batch(run: Run, begin: int, end: int, jobs: int) -> Iterator[Counts]:
    from faceup.games.lanes import in_threads  # noqa: PLC0415 -- numba, which only kernels need
    from faceup.sim.tally import tally  # noqa: PLC0415 -- likewise

    rules = run.rules
    measured: Callable[..., dict[str, Any]] = find_batch(find_game(rules.game)).measured
    counted = [measure.name for measure in run.measures.extra if measure.several]
    size = _LANES["batch"] * jobs
    for start in range(begin, end, size):
        lanes = min(size, end - start)
        found: list[Counts] = []

        def work(low: int, high: int, start: int = start, found: list[Counts] = found) -> None:
            arrays = measured(rules, run.policies, lanes=high - low, seed=run.seed, first=start + low)
            found.append(tally(arrays, counted))

        in_threads(work, lanes, jobs)
        yield _together(found)


def _together(parts: Sequence[Counts]) -> Counts:
    counts = nothing()
    for part in parts:
        counts = add(counts, part)
    return counts


def _play_scalar(run: Run, begin: int, end: int, jobs: int) -> Iterator[Counts]:
    bounds = [*range(begin, end, _LANES["scalar"]), end]
    if jobs == 1 or len(bounds) == 2:
        for low, high in pairwise(bounds):
            yield play_part(run, low, high)
        return
    context = get_context("spawn")  # a process forked beside other threads can hang
    with ProcessPoolExecutor(jobs, context, _leave_interrupts) as pool:
        wave = 4 * jobs
        for start in range(0, len(bounds) - 1, wave):
            ends = bounds[start + 1 : start + 1 + wave]
            yield from pool.map(play_part, [run] * len(ends), bounds[start:], ends)


def play_part(run: Run, begin: int, end: int) -> Counts:
    """Play games `begin` to `end` one by one."""
    from faceup.sim.scalar import play_scalar  # noqa: PLC0415 -- what processes of their own import

    return play_scalar(run.rules, run.policies, lanes=end - begin, seed=run.seed, first=begin)


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that counts; those that play are told by it."""
    import signal  # noqa: PLC0415 -- as above

    signal.signal(signal.SIGINT, signal.SIG_IGN)
