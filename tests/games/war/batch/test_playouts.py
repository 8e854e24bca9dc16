from itertools import product
from typing import Final, Literal, TypeAlias

import numpy as np
import pytest

from faceup.core import CHANCE, Malformed, Seeded, draw
from faceup.games.war import War, WarState
from faceup.games.war.batch import ENDINGS, playouts, playouts_memory, reset, trace

Order: TypeAlias = Literal["winner_first", "loser_first", "shuffled"]
ORDERS: Final[tuple[Order, ...]] = ("winner_first", "loser_first", "shuffled")

EVERY = [
    War(collect=collect, reshuffle=reshuffle, cap=cap, sudden_death=sudden_death, redeal=redeal,
        per_suit=per_suit, suits=suits, down=down)
    for collect, reshuffle, cap, sudden_death, redeal, (per_suit, suits), down in product(
        ORDERS, (0, 1, 7, 100), (1, 9, 60, 600), (True, False), (True, False),
        ((13, 4), (5, 4), (3, 2), (2, 2), (1, 2)), (0, 1, 3, 25),
    )
]  # fmt: skip


SEVENTHS: Final = [
    pytest.param(part, marks=pytest.mark.long if part else pytest.mark.slow) for part in range(7)
]  # seven shares no factor with the numbers of options, so that each part has all of them in all pairs
"""The parts of all settings: one before a change lands, the others before a release."""


def scalar(rules: War, seed: int, lane: int) -> WarState:
    """The game that this lane's own generator deals under the scalar rules."""
    rng, state = Seeded(seed, lane), rules.start()
    while to_act := rules.to_act(state):
        state = rules.apply(state, draw(rules, state, rng) if to_act == (CHANCE,) else {0: 0, 1: 0}).state
    return state


def compare(rules: War, seed: int, lanes: int) -> None:
    games = playouts(rules, lanes=lanes, seed=seed)
    for lane in range(lanes):
        state = scalar(rules, seed, lane)
        found = ENDINGS[games.by[lane]], games.rounds[lane], games.wars[lane], games.redeals[lane]
        assert found == (state.by, state.rounds, state.wars, state.redeals), (rules, lane)
        assert tuple(games.cards[lane]) == rules.scores(state)
        assert tuple(games.places()[lane]) == rules.ranks(state)
        winners = [seat for seat in (0, 1) if rules.ranks(state)[1 - seat] == 2]
        assert games.winner[lane] == (winners[0] if winners else -1)


@pytest.mark.parametrize("rules", EVERY[::97], ids=str)
def test_a_lane_is_the_game_that_its_own_generator_deals_by_the_scalar_rules(rules: War) -> None:
    compare(rules, 3, 2)


@pytest.mark.parametrize("part", SEVENTHS)
def test_lanes_are_scalar_games_under_all_options(part: int) -> None:
    for rules in EVERY[part::7]:
        compare(rules, part, 2)


@pytest.mark.slow
@pytest.mark.parametrize("collect", ORDERS)
def test_many_whole_games_are_the_scalar_games(collect: Order) -> None:
    compare(War(collect=collect), 8, 200)


@pytest.mark.long
@pytest.mark.parametrize("collect", ORDERS)
def test_thousands_of_whole_games_are_the_scalar_games(collect: Order) -> None:
    compare(War(collect=collect), 9, 5000)


@pytest.mark.long
@pytest.mark.parametrize("collect", ORDERS)
def test_a_hundred_thousand_games_end_alike_in_both_ways_into_the_engine(collect: Order) -> None:
    rules, lanes = War(collect=collect, cap=600), 25_000
    for first in range(0, 100_000, lanes):
        games = playouts(rules, lanes=lanes, seed=2, first=first)
        engine, ends = reset(rules, lanes=lanes, seed=2, first=first), 0
        while engine.to_act().any():
            ends += engine.step(engine.to_act().astype(np.int32) - 1).ended.sum()
        assert ends == lanes
        np.testing.assert_array_equal(engine.scores(), games.cards)
        for name in ("rounds", "wars", "redeals", "by"):
            np.testing.assert_array_equal(engine.observe()[name], getattr(games, name))


def test_every_ending_happens_and_is_told() -> None:
    quick = War(per_suit=3, suits=2, cap=9)
    endings = {ENDINGS[number] for number in playouts(quick, lanes=2000, seed=1).by}
    assert endings == {"all cards", "cap", "sudden death"}
    undecided = playouts(War(per_suit=1, suits=2), lanes=1, seed=1)
    assert [array.tolist() for array in undecided[:5]] == [[-1], [ENDINGS.index("draw")], [101], [101], [100]]


def test_a_lane_is_the_same_game_whatever_the_batch_and_the_threads() -> None:
    whole = playouts(War(), lanes=300, seed=9)
    for first, lanes, jobs in ((0, 300, 2), (0, 1, 1), (100, 200, 3), (299, 1, 1)):
        part = playouts(War(), lanes=lanes, seed=9, first=first, jobs=jobs)
        for name in part._fields:
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[first : first + lanes])


def test_a_trace_begins_at_its_first_lane() -> None:
    assert list(trace(War(), lanes=2, seed=5, first=3).moves(1)) == list(trace(War(), lanes=5, seed=5).moves(4))


@pytest.mark.parametrize(
    ("policies", "words"),
    [
        ("randon", "did you mean 'random'"),
        (["random"] * 3, "there are 2 seats, and 3 policies"),
        ([], "and 0 policies"),
    ],
)
def test_policies_that_are_unknown_or_too_few_are_refused(policies: str | list[str], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        playouts(War(), policies, lanes=1, seed=0)


def test_a_batch_of_none_and_seeds_out_of_range_are_refused() -> None:
    for lanes, seed, first in ((0, 0, 0), (1, -1, 0), (1, 2**64, 0), (1, 0, -1)):
        with pytest.raises(Malformed):
            playouts(War(), lanes=lanes, seed=seed, first=first)


def test_the_memory_that_results_take_is_said_beforehand() -> None:
    games = playouts(War(), lanes=1000, seed=0)
    assert sum(array.nbytes for array in games) == playouts_memory(War(), 1000)
