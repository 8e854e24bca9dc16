from collections.abc import Sequence

import numpy as np
import pytest
from tests.games.nimmt.batch.scalar_worlds import rules_of

from faceup.core import Malformed, generator, make
from faceup.games.nimmt import GAME, Rules
from faceup.games.nimmt.batch import kernels, playouts, playouts_memory, trace
from faceup.games.nimmt.events import Took

MIXED = ("random", "greedy", "lowest", "highest")


def replay(rules: Rules, policies: Sequence[str], lanes: int, seed: int, *, matches: bool) -> None:
    """Check that every choice is that of its policy, and every result that of the scalar game."""
    traced = trace(rules, policies, lanes=lanes, seed=seed, matches=matches)
    results = traced.playouts
    scalar = rules if matches else rules_of(f"nimmt:{rules.variant} seats={rules.seats}")
    for lane in range(lanes):
        state = scalar.start()
        took: list[Took] = []
        for move in traced.moves(lane):
            for seat, action in move.items() if isinstance(move, dict) else ():
                if policies[seat] != "random":
                    assert GAME.policies[policies[seat]](scalar, scalar.view(state, seat), generator(0)) == action
            state, events = scalar.apply(state, move)
            took += [event for event in events if isinstance(event, Took)]
        assert not matches or scalar.to_act(state) == ()
        assert len(state.earlier) == results.deals[lane]
        assert state.heads == tuple(results.heads[lane])
        for seat in range(rules.seats):
            rows = [event.chosen for event in took if event.seat == seat]
            assert rows.count(True) == results.chosen[lane, seat]
            assert rows.count(False) == results.full[lane, seat]
        assert scalar.ranks(state) == tuple(results.places()[lane])


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("policy", [*MIXED, "mixed"])
def test_lanes_are_scalar_deals_with_the_named_policies(policy: str, seats: int) -> None:
    policies = [policy] * seats if policy != "mixed" else [MIXED[seat % 4] for seat in range(seats)]
    replay(rules_of(f"nimmt:cowheadking seats={seats}"), policies, 4, seats, matches=False)


@pytest.mark.parametrize("spec", ["nimmt:arena", "nimmt:classic seats=3", "nimmt:tactical seats=5"])
def test_lanes_are_scalar_matches_of_every_variant(spec: str) -> None:
    rules = rules_of(spec)
    replay(rules, [MIXED[seat % 4] for seat in range(rules.seats)], 4, 5, matches=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        "rows=1 capacity=1 hand=4 cards=13 deals=3",
        "rows=8 capacity=10 hand=10",
        "rows=3 capacity=7 hand=1 target=9 deals=20",
    ],
)
def test_lanes_are_scalar_matches_under_any_parameters(options: str) -> None:
    for seats in (2, 3):
        rules = rules_of(f"nimmt:cowheadking seats={seats} {options}")
        replay(rules, MIXED[:seats], 50, 3, matches=True)


def test_a_lane_does_not_depend_on_batch_size_or_threads() -> None:
    rules = rules_of("nimmt:classic")
    whole = playouts(rules, lanes=700, seed=9, matches=True)
    for first, lanes, jobs in ((0, 700, 2), (0, 1, 1), (300, 400, 3), (699, 1, 1)):
        part = playouts(rules, lanes=lanes, seed=9, first=first, jobs=jobs, matches=True)
        for name, array in part._asdict().items():
            np.testing.assert_array_equal(array, getattr(whole, name)[first : first + lanes])


def test_random_play_takes_rows_uniformly() -> None:
    traced = trace(rules_of("nimmt"), lanes=2000, seed=1)
    rows = np.bincount(traced.rows[traced.rows >= 0], minlength=4)
    assert rows.sum() > 5000
    assert ((rows - rows.mean()) ** 2 / rows.mean()).sum() < 30  # chi-square with 3 degrees of freedom, p about 1e-6


def test_cards_are_dealt_to_places_uniformly() -> None:
    dealt = trace(rules_of("nimmt"), lanes=20_000, seed=1).dealt[:, 0]
    for place in (0, 1, 2, 3, 39, 43):
        counts = np.bincount(dealt[:, place], minlength=105)[1:]
        expected = 20_000 / 104
        assert ((counts - expected) ** 2 / expected).sum() < 181  # 103 degrees of freedom, p about 1e-6


@pytest.mark.slow
def test_means_match_the_scalar_rules() -> None:
    heads = playouts(rules_of("nimmt"), lanes=200_000, seed=4).heads
    from benchmarks.deals import play

    chances, rng = generator(1), np.random.default_rng(1)
    scalar = np.array([play(make("nimmt"), chances, rng.random) for _ in range(3000)])
    spread = scalar.std(axis=0) / len(scalar) ** 0.5
    assert (abs(heads.mean(axis=0) - scalar.mean(axis=0)) < 5 * spread).all()


def test_every_row_fits_in_nine_bits() -> None:
    from faceup.games.nimmt.cards import HEADS

    ten = sum(sorted(HEADS)[-10:])
    assert ten == 50
    assert 9 * 51 + ten < 512
    assert sum(HEADS) < 256


@pytest.mark.parametrize(
    ("policies", "words"),
    [
        ("greedi", "did you mean 'greedy'"),
        (["random"] * 3, "there must be 1 policy, or 4, one for each seat; got 3"),
        ([], "one for each seat; got 0"),
    ],
)
def test_policies_that_are_unknown_or_too_few_are_refused(policies: str | list[str], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        playouts(rules_of("nimmt"), policies, lanes=1, seed=0)


def test_empty_batches_and_seeds_out_of_range_are_refused() -> None:
    for lanes, seed, first in ((0, 0, 0), (1, -1, 0), (1, 2**64, 0), (1, 0, -1)):
        with pytest.raises(Malformed):
            playouts(rules_of("nimmt"), lanes=lanes, seed=seed, first=first)


def test_playouts_memory_predicts_the_size_of_the_results() -> None:
    rules = rules_of("nimmt seats=7")
    games = playouts(rules, lanes=1000, seed=0)
    assert sum(array.nbytes for array in games) == playouts_memory(rules, 1000)
    assert playouts_memory(rules, 10_000_000) < 10**9


def test_a_partial_block_is_a_prefix_of_a_full_block() -> None:
    rules = rules_of("nimmt")
    assert playouts(rules, lanes=kernels.BLOCK + 1, seed=3).heads.shape == (kernels.BLOCK + 1, 4)
    assert (playouts(rules, lanes=kernels.BLOCK + 1, seed=3).deals == 1).all()
