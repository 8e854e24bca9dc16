"""What a run counts depends on the run alone, and is what the readable rules would give."""

from collections.abc import Sequence
from functools import cache, reduce
from itertools import pairwise

import pytest
from msgspec.structs import replace

from faceup.core import Malformed, make
from faceup.games.nimmt import Rules
from faceup.games.nimmt.batch import playouts
from faceup.sim import Counts, Run, add, plan, play, report
from faceup.sim.counts import count, mean, win_share


def counted(run: Run, jobs: int = 1, cuts: Sequence[int] = ()) -> Counts:
    bounds = [0, *cuts, run.deals]
    counts = Counts()
    for first, end in pairwise(bounds):
        for part in play(run, first, end, jobs):
            counts = add(counts, part)
    return counts


@cache
def both(spec: str, policies: tuple[str, ...], games: int) -> tuple[Run, Counts, Counts]:
    """A run by the batch, and a hundredth of it by the scalar rules."""
    run = plan(make(spec), policies, deals=100 * games, seed=11)
    assert run.engine == "batch"
    scalar = replace(run, engine="scalar", deals=games)
    return run, counted(run), counted(scalar)


GAMES = [
    pytest.param("nimmt seats=4", ("random", "greedy", "lowest", "highest"), 300, id="nimmt"),
    pytest.param("nimmt:tactical seats=3 hand=4 deals=2", ("greedy",), 300, id="tactical"),
    pytest.param("niuniu seats=3 throws=4 faces=12", ("random",), 600, id="niuniu"),
    pytest.param("war", ("random",), 60, id="war"),
    pytest.param("war cap=50 collect=shuffled", ("random",), 100, id="war with a cap"),
]


@pytest.mark.sample(1)
@pytest.mark.slow
@pytest.mark.parametrize(("spec", "policies", "games"), GAMES)
def test_the_batch_agrees_with_the_scalar_rules_within_their_errors(
    spec: str, policies: tuple[str, ...], games: int
) -> None:
    _, batch, scalar = both(spec, policies, games)
    assert batch.values.keys() == scalar.values.keys()
    for name, seats in batch.values.items():
        for fast, slow in zip(seats, scalar.values[name], strict=True):
            average = win_share if name == "share" else mean
            first, other = average(fast), average(slow)
            assert first.stderr is not None
            assert other.stderr is not None
            assert abs(first.mean - other.mean) <= 4.5 * (first.stderr**2 + other.stderr**2) ** 0.5 + 1e-12, name


@pytest.mark.parametrize("spec", ["nimmt", "war"])
def test_counts_depend_neither_on_the_parts_nor_on_the_threads(spec: str) -> None:
    run = plan(make(spec), ["random"], deals=40_000 if spec == "nimmt" else 400, seed=3)
    total = counted(run)
    assert total.games == run.deals
    assert counted(run, jobs=3) == total
    assert counted(run, cuts=(1, 7, 300)) == total


@pytest.mark.parametrize(
    ("spec", "policies"),
    [
        ("nimmt seats=10", ["random"]),
        ("nimmt seats=3 rows=6", ["greedy", "lowest", "random"]),
        ("nimmt:classic seats=2", ["highest"]),
        ("nimmt:arena", ["random"]),
    ],
)
def test_results_that_kernels_count_are_those_of_the_playouts(spec: str, policies: list[str]) -> None:
    rules = make(spec)
    assert isinstance(rules, Rules)
    games = playouts(rules, policies if len(policies) > 1 else policies[0], lanes=700, seed=9, first=5, matches=True)
    places = games.places()
    shares = (places == 1) * (places == 1).sum(1, keepdims=True)
    arrays = [games.heads, places, games.full, games.chosen, games.deals[:, None], shares]
    names = ["score", "place", "full", "chosen", "deals", "share"]
    kept = zip(*([tuple(row) for row in array.tolist()] for array in arrays), strict=True)
    expected = count(dict(zip(names, game, strict=True)) for game in kept)
    counts = reduce(add, play(plan(rules, policies, deals=705, seed=9, matches=True), 5, 705))
    assert counts == expected


def test_games_without_a_batch_engine_are_played_by_the_rules() -> None:
    run = plan(make("highcard"), ["random"], deals=40, seed=5)
    assert run.engine == "scalar"
    counts = counted(run)
    assert set(counts.values) == {"score", "place", "share"}
    assert counted(run, cuts=(13,)) == counts


@pytest.mark.slow
def test_scalar_counts_do_not_depend_on_processes() -> None:
    run = plan(make("highcard"), ["random"], deals=100, seed=5)
    assert counted(run, jobs=2) == counted(run)


def test_deals_and_matches_of_every_variant() -> None:
    for spec in ("nimmt:classic", "nimmt:arena", "niuniu throws=3"):
        single = plan(make(spec), ["random"], deals=20, seed=5)
        total = plan(make(spec), ["random"], deals=20, seed=5, matches=True)
        name = "deals" if spec.startswith("nimmt") else "score"
        most = [max(max(seat) for seat in counted(run).values[name]) for run in (single, total)]
        assert most[0] == 1 < most[1]


def test_report_keys_and_counts() -> None:
    run = plan(make("nimmt seats=3"), ["greedy", "lowest", "random"], deals=500, seed=7)
    result = report(run, counted(run), 0.5)
    assert result["deals"] == 500
    assert result["deals_per_second"] == 1000
    assert [result[key] for key in ("game", "variant", "seats", "seed")] == ["nimmt", "cowheadking", 3, 7]
    assert sum(result["win_share"]) == pytest.approx(1)
    assert all(sum(places) == 500 for places in result["places"])
    assert all(sum(scores.values()) == 500 for scores in result["scores"])
    assert result["mean_score"][0] == pytest.approx(
        sum(int(heads) * times for heads, times in result["scores"][0].items()) / 500
    )


def test_both_engines_count_taken_rows_consistently() -> None:
    run = plan(make("nimmt seats=2 hand=3"), ["random"], deals=200, seed=1)
    for engine in ("batch", "scalar"):
        counts = counted(replace(run, engine=engine))
        assert sum(map(sum, map(dict.values, counts.values["full"]))) == 400
        assert counts.values["deals"] == ({1: 200},)


@pytest.mark.parametrize(
    ("policies", "deals", "seed", "message"),
    [
        (["greddy"], 10, 1, "did you mean 'greedy'"),
        (["greedy", "random", "lowest"], 10, 1, "there must be 1 policy, or 4, one for each seat; got 3"),
        (["greedy"], 0, 1, "deals must be 1 to"),
        (["greedy"], -5, 1, "deals must be 1 to"),
        (["greedy"], 10**13, 1, "deals must be 1 to"),
        (["greedy"], 10, -1, "seed must be 0 to"),
        (["greedy"], 10, 2**64, "seed must be 0 to"),
    ],
)
def test_an_invalid_run_raises(policies: list[str], deals: int, seed: int, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        plan(make("nimmt"), policies, deals=deals, seed=seed)


@pytest.mark.parametrize("jobs", [0, -1, 2000])
def test_jobs_out_of_range_raise(jobs: int) -> None:
    run = plan(make("war"), ["random"], deals=1, seed=1)
    with pytest.raises(Malformed, match="jobs must be 1 to"):
        list(play(run, 0, 1, jobs))
