from itertools import product
from typing import Final

import numpy as np
import pytest

from faceup.core import Malformed, SeededGenerator, draw
from faceup.games.niuniu import NiuNiu, score
from faceup.games.niuniu.batch import kernels, playouts, playouts_memory, reset, trace
from faceup.games.niuniu.batch.engine import table
from faceup.games.niuniu.hand import DICE
from faceup.games.niuniu.state import ThrowDrawn

EVERY = [
    NiuNiu(seats=seats, throws=throws, faces=faces, baozi=baozi)
    for seats, throws, faces, baozi in product(range(1, 11), (1, 2, 7), (2, 5, 6, 9, 10, 11, 20, 47, 100), (3, 4, 5))
]


SEVENTHS: Final = [pytest.param(part, marks=pytest.mark.long if part else pytest.mark.slow) for part in range(7)]
"""Parts of all settings: one runs in every test run, the others before a release."""


def compare(rules: NiuNiu, seed: int, lanes: int) -> None:
    """Check that every lane is the match of its generator under the scalar rules."""
    games = playouts(rules, lanes=lanes, seed=seed, matches=True)
    ranks = np.zeros((rules.seats, 11), np.int64)
    for lane in range(lanes):
        rng, state, draws = SeededGenerator(seed, lane), rules.start(), 0
        while rules.to_act(state):
            state = rules.apply(state, dict.fromkeys(range(rules.seats), 0)).state
            state, events = rules.apply(state, draw(rules, state, rng))
            draws += any(isinstance(event, ThrowDrawn) for event in events)
        assert tuple(games.won[lane]) == state.won
        assert tuple(games.drawn[lane]) == state.drawn
        assert tuple(games.statistics[lane]) == state.statistics
        assert games.draws[lane] == draws
        assert tuple(games.places()[lane]) == rules.ranks(state)
        for throw in state.log:
            for seat, dice in enumerate(throw):
                ranks[seat, score(dice, rules.faces, rules.baozi).points] += 1
    np.testing.assert_array_equal(games.ranks, ranks)


@pytest.mark.parametrize("rules", EVERY[::61], ids=str)
def test_a_lane_is_the_scalar_match_of_its_generator(rules: NiuNiu) -> None:
    compare(rules, 3, 5)


@pytest.mark.parametrize("part", SEVENTHS)
def test_lanes_are_scalar_matches_under_all_options(part: int) -> None:
    for rules in EVERY[part::7]:
        compare(rules, part, 8)


@pytest.mark.long
@pytest.mark.parametrize("faces", [6, 100])
def test_ten_million_throws_agree_between_steps_and_playouts(faces: int) -> None:
    rules, lanes = NiuNiu(seats=3, throws=10, faces=faces), 1_000_000
    games, engine = playouts(rules, lanes=lanes, seed=2, matches=True), reset(rules, lanes=lanes, seed=2)
    while engine.to_act().any():
        engine.step(engine.to_act().astype(np.int32) - 1)
    np.testing.assert_array_equal(engine.scores(), games.won)
    for name in ("drawn", "statistics"):
        np.testing.assert_array_equal(engine.observe()[name], getattr(games, name))


@pytest.mark.parametrize("faces", [2, 6, pytest.param(10, marks=pytest.mark.slow)])
def test_the_table_matches_the_rules_for_every_hand(faces: int) -> None:
    tables = {baozi: table(faces, baozi) for baozi in (3, 4, 5)}
    for entry, dice in enumerate(product(range(1, faces + 1), repeat=DICE)):
        if faces == 10 and list(dice) != sorted(dice):
            continue
        for baozi, worth in tables.items():
            hand = score(dice, faces, baozi)
            assert worth[entry] == hand.points | hand.statistics << kernels.STATISTICS


def test_hands_with_many_faces_match_the_rules() -> None:
    rng = np.random.default_rng(1)
    for faces, baozi in product((11, 12, 25, 100), (3, 4, 5)):
        hands = rng.integers(1, faces + 1, (150, DICE), np.uint8)
        hands[:50, 1] = hands[:50, 0]
        hands[:40, 3] = hands[:40, 0]
        hands[:20, 4] = hands[:20, 0]
        hands[:10, 2] = hands[:10, 0]
        for dice in hands:
            hand = score(dice.tolist(), faces, baozi)
            worth = kernels.worth(dice, 0, table(faces, baozi), faces, baozi)
            assert worth == hand.points | hand.statistics << kernels.STATISTICS


def test_without_matches_a_lane_is_one_throw() -> None:
    games = playouts(NiuNiu(throws=9, seats=3), lanes=100, seed=1)
    assert (games.won.sum(axis=1) + games.draws == 1).all()
    assert games.ranks.sum() == 300
    assert trace(NiuNiu(throws=9), lanes=1, seed=1).engine(0).rules.throws == 1


def test_a_lane_does_not_depend_on_batch_size_or_threads() -> None:
    rules = NiuNiu(seats=3, throws=5)
    full = playouts(rules, lanes=700, seed=9, matches=True)
    for first, lanes, jobs in ((0, 700, 2), (0, 1, 1), (300, 400, 3), (699, 1, 1)):
        part = playouts(rules, lanes=lanes, seed=9, first=first, jobs=jobs, matches=True)
        for name in ("won", "drawn", "statistics", "draws"):
            np.testing.assert_array_equal(getattr(part, name), getattr(full, name)[first : first + lanes])
    halves = [playouts(rules, lanes=350, seed=9, first=first, matches=True).ranks for first in (0, 350)]
    np.testing.assert_array_equal(halves[0] + halves[1], full.ranks)


def test_a_trace_starts_at_its_first_lane() -> None:
    rules = NiuNiu(throws=3)
    ours = trace(rules, lanes=2, seed=5, first=3, matches=True)
    assert list(ours.moves(1)) == list(trace(rules, lanes=5, seed=5, matches=True).moves(4))


def test_hands_have_the_expected_frequencies() -> None:
    worth = table(6, 3) & kernels.POINTS
    expected = np.bincount(worth, minlength=11) / 6**DICE * 200_000
    counts = playouts(NiuNiu(seats=1), lanes=200_000, seed=1).ranks[0]
    assert ((counts - expected) ** 2 / expected).sum() < 47  # chi-square with 10 degrees of freedom, p about 1e-6


@pytest.mark.parametrize(
    ("policies", "words"),
    [("randon", "did you mean 'random'"), (["random"] * 3, "there must be 1 policy, or 2, one for each seat; got 3")],
)
def test_policies_that_are_unknown_or_too_few_are_refused(policies: str | list[str], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        playouts(NiuNiu(), policies, lanes=1, seed=0)


def test_empty_batches_and_seeds_out_of_range_are_refused() -> None:
    for lanes, seed, first in ((0, 0, 0), (1, -1, 0), (1, 2**64, 0), (1, 0, -1)):
        with pytest.raises(Malformed):
            playouts(NiuNiu(), lanes=lanes, seed=seed, first=first)


def test_playouts_memory_predicts_the_size_of_the_results() -> None:
    rules = NiuNiu(seats=7)
    games = playouts(rules, lanes=1000, seed=0)
    arrays = (games.won, games.drawn, games.statistics, games.draws)
    assert sum(array.nbytes for array in arrays) == playouts_memory(rules, 1000)
