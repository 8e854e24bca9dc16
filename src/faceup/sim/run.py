"""Simulation runs: their definition, and playing them with a batch engine, with the scalar rules, or on a cluster.

A run is played in parts, each with its own counts. The counts are the same for any number of threads or machines.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, Final, Literal

import msgspec

from faceup.bots import policy
from faceup.cluster import Cluster
from faceup.core import AnyRules, Event, Game, Malformed, Policy, SeededGenerator, find_game, play_game, spec
from faceup.core.arguments import check_rules, check_sequence, check_type
from faceup.core.whole_numbers import LARGEST_WORD, whole_number
from faceup.games.batch_engines import has_batch_engine, load_batch_engine
from faceup.games.measures import Measures, Numbers, counted_rules, measures_of
from faceup.sim.counts import Counts, add, count
from faceup.spawn import worker_pool

MOST_DEALS: Final = 10**12
"""The maximum number of deals of a run, which take weeks."""

_LANES: Final = {"counted": 1 << 16, "batch": 1 << 14, "scalar": 32}
"""The number of games that a thread or process plays in one part, which takes a fraction of a second.

"counted" is for engines with kernels that count the results.
"""


class Run(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parameters of a run. Equal runs give equal counts on any machine.

    Attributes:
        game: game, variant and options, as a spec for `faceup.core.make`.
        policies: the policy of each seat.
        deals: the number of deals, or of matches.
        seed: 0 to 2**64 - 1.
        matches: whether to play complete matches instead of single deals.
        engine: "batch" if there are kernels for the game and all policies. Otherwise "scalar", which has
            other random numbers.
    """

    game: str
    policies: tuple[str, ...]
    deals: int
    seed: int
    matches: bool
    engine: Literal["batch", "scalar"]

    @property
    def rules(self) -> AnyRules:
        """The rules of the games, which are single deals or, if `matches` is set, whole matches."""
        return counted_rules(self.game, matches=self.matches)

    @property
    def measures(self) -> Measures:
        """The measures that are counted."""
        return measures_of(find_game(self.game.partition(":")[0]))


def plan(rules: AnyRules, policies: Sequence[str], *, deals: int, seed: int, matches: bool = False) -> Run:
    """Create a run of these rules. A single policy is used for every seat.

    Raises:
        Malformed: the number of deals or the seed is out of range, a policy is unknown, or the number of policies
            differs from the number of seats.

    >>> from faceup.core import make
    >>> plan(make("nimmt seats=2"), ["greedy"], deals=10, seed=7).policies
    ('greedy', 'greedy')
    """
    check_rules(rules)
    check_sequence("policies", policies, "names of bots")
    names = tuple(policies) * (rules.seats if len(policies) == 1 else 1)
    for name in names:
        policy(rules.game, name)
    if len(names) != rules.seats:
        raise Malformed(
            f"there must be 1 policy, or {rules.seats}, one for each seat; got {len(names)}",
            what=names,
            where="policies",
        )
    deals, seed = whole_number("deals", deals, 1, MOST_DEALS), whole_number("seed", seed, 0, LARGEST_WORD)
    game = find_game(rules.game)
    fast = _batch_player(game)[0] is not None and set(names) <= set(load_batch_engine(game).POLICIES)
    return Run(spec(rules), names, deals, seed, matches, "batch" if fast else "scalar")


def _batch_player(game: Game) -> tuple[Any, bool]:  # Any: a function of arrays by name, or None
    """Return the batch engine's function for simulations, if any, and whether its kernels count the results.

    `faceup.games.measures.Measures` describes both functions.
    """
    batch = load_batch_engine(game) if has_batch_engine(game) else None
    counted = getattr(batch, "count_games", None)
    return counted or getattr(batch, "play_measured", None), counted is not None


def play(run: Run, first: int, end: int, jobs: int = 1) -> Iterator[Counts]:
    """Play the games from `first` up to `end` and yield the counts of each part; their sum does not depend on `jobs`.

    Args:
        run: the run.
        first: the first game.
        end: the game after the last.
        jobs: the number of threads of the batch engine, or of processes of the scalar engine.
    """
    check_type("run", run, Run, "a run of `plan`")
    jobs = whole_number("jobs", jobs, 1, 1024)
    first = whole_number("the first game", first, 0, MOST_DEALS)
    end = whole_number("the end", end, first, MOST_DEALS)
    yield from (_play_batch if run.engine == "batch" else _play_scalar)(run, first, end, jobs)


def warm(run: Run) -> None:
    """Load the kernels, or compile them if they are not cached, so that this time does not count as playing time."""
    check_type("run", run, Run, "a run of `plan`")
    if run.engine == "batch":
        for _ in _play_batch(run, 0, 1, 1):
            pass


def _play_batch(run: Run, first: int, end: int, jobs: int) -> Iterator[Counts]:
    from faceup.games.lanes import in_threads  # noqa: PLC0415 -- numba, which only kernels need
    from faceup.sim.histograms import count_arrays, read_tables  # noqa: PLC0415 -- numba, as above

    rules = run.rules
    play_games, in_kernel = _batch_player(find_game(rules.game))
    counted = [measure.name for measure in run.measures.extra if measure.several]
    size = _LANES["counted" if in_kernel else "batch"] * jobs
    for start in range(first, end, size):
        lanes = min(size, end - start)
        counts: list[Counts] = []

        def work(low: int, high: int, start: int = start, counts: list[Counts] = counts) -> None:
            arrays = play_games(rules, run.policies, lanes=high - low, seed=run.seed, first=start + low)
            counts.append(read_tables(high - low, arrays) if in_kernel else count_arrays(arrays, counted))

        in_threads(work, lanes, jobs)
        yield reduce(add, counts, Counts())


def _play_scalar(run: Run, first: int, end: int, jobs: int) -> Iterator[Counts]:
    bounds = [*range(first, end, _LANES["scalar"]), end]
    if jobs == 1 or len(bounds) == 2:
        for low, high in pairwise(bounds):
            yield play_part(run, low, high)
        return
    with worker_pool(jobs) as pool:
        wave = 4 * jobs
        for start in range(0, len(bounds) - 1, wave):
            ends = bounds[start + 1 : start + 1 + wave]
            yield from pool.map(play_part, [run] * len(ends), bounds[start:], ends)


def play_part(run: Run, first: int, end: int) -> Counts:
    """Play the games `first` to `end` with the scalar rules."""
    return play_scalar(run.rules, run.policies, lanes=end - first, seed=run.seed, first=first)


def play_scalar(rules: AnyRules, policies: Sequence[str], *, lanes: int, seed: int, first: int) -> Counts:
    """Play the games `first` to `first + lanes` of a seed with the scalar rules, and count them.

    Each game has its own generator, for chance and for its players.
    """
    players = [policy(rules.game, name) for name in policies]
    return count(_play(rules, players, SeededGenerator(seed, lane)) for lane in range(first, first + lanes))


def _play(rules: AnyRules, players: Sequence[Policy], rng: SeededGenerator) -> dict[str, tuple[Numbers, ...]]:
    state = rules.start()
    events: list[Event] = []
    for _, step in play_game(rules, players, rng):
        state = step.state
        events += step.events
    measures = measures_of(find_game(rules.game))
    ranks = rules.ranks(state)
    first = ranks.count(1)
    extra = zip(measures.extra, measures.count(state, events), strict=True)
    return {
        "score": rules.scores(state),
        "place": ranks,
        **{measure.name: numbers for measure, numbers in extra},
        "share": tuple(first if rank == 1 else 0 for rank in ranks),
    }


_PART: Final = {"batch": 1 << 18, "scalar": 256}
"""The number of games in a task, which takes about a second."""


def play_on_cluster(cluster: Cluster, run: Run, first: int, end: int) -> Iterator[Counts]:
    """Play the games `first` to `end` of the run on the cluster, and yield the counts in order, as `play` does."""
    size = _PART[run.engine]
    yield from cluster.map_in_order(play_chunk, ((run, low, min(low + size, end)) for low in range(first, end, size)))


def play_chunk(run: Run, first: int, end: int) -> Counts:
    """Play the games `first` to `end` in this process, as a task of a worker of the cluster."""
    return reduce(add, play(run, first, end), Counts())
