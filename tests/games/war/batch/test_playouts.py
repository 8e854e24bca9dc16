from itertools import product
from typing import Final, Literal, TypeAlias

import numpy as np
import pytest

from faceup.core import CHANCE, Malformed, SeededGenerator, draw
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
"""Parts of all settings: one runs in every test run, the others before a release."""


def scalar(rules: War, seed: int, lane: int) -> WarState:
    """Return the game of this lane's generator under the scalar rules."""
    rng, state = SeededGenerator(seed, lane), rules.start()
    while to_act := rules.to_act(state):
        state = rules.apply(state, draw(rules, state, rng) if to_act == (CHANCE,) else {0: 0, 1: 0}).state
    return state


def compare(rules: War, seed: int, lanes: int) -> None:
    games = playouts(rules, lanes=lanes, seed=seed)
    for lane in range(lanes):
        state = scalar(rules, seed, lane)
        result = ENDINGS[games.by[lane]], games.rounds[lane], games.wars[lane], games.redeals[lane]
        assert result == (state.by, state.rounds, state.wars, state.redeals), (rules, lane)
        assert tuple(games.cards[lane]) == rules.scores(state)
        assert tuple(games.places()[lane]) == rules.ranks(state)
        winners = [seat for seat in (0, 1) if rules.ranks(state)[1 - seat] == 2]
        assert games.winner[lane] == (winners[0] if winners else -1)


@pytest.mark.parametrize("rules", EVERY[::97], ids=str)
def test_a_lane_is_the_scalar_game_of_its_generator(rules: War) -> None:
    compare(rules, 3, 2)


@pytest.mark.parametrize("part", SEVENTHS)
def test_lanes_are_scalar_games_under_all_options(part: int) -> None:
    for rules in EVERY[part::7]:
        compare(rules, part, 2)


@pytest.mark.slow
@pytest.mark.parametrize("collect", ORDERS)
def test_many_whole_games_are_the_scalar_games(collect: Order) -> None:
    compare(War(collect=collect), 8, 50)


@pytest.mark.long
@pytest.mark.parametrize("collect", ORDERS)
def test_thousands_of_whole_games_are_the_scalar_games(collect: Order) -> None:
    compare(War(collect=collect), 9, 5000)


@pytest.mark.long
@pytest.mark.parametrize("collect", ORDERS)
def test_a_hundred_thousand_games_agree_between_steps_and_playouts(collect: Order) -> None:
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


def test_every_ending_occurs_and_is_reported() -> None:
    quick = War(per_suit=3, suits=2, cap=9)
    endings = {ENDINGS[number] for number in playouts(quick, lanes=2000, seed=1).by}
    assert endings == {"all cards", "cap", "sudden death"}
    undecided = playouts(War(per_suit=1, suits=2), lanes=1, seed=1)
    assert [array.tolist() for array in undecided[:5]] == [[-1], [ENDINGS.index("draw")], [101], [101], [100]]


def test_a_lane_does_not_depend_on_batch_size_or_threads() -> None:
    whole = playouts(War(), lanes=300, seed=9)
    for first, lanes, jobs in ((0, 300, 2), (0, 1, 1), (100, 200, 3), (299, 1, 1)):
        part = playouts(War(), lanes=lanes, seed=9, first=first, jobs=jobs)
        for name in part._fields:
            np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[first : first + lanes])


def test_a_trace_starts_at_its_first_lane() -> None:
    assert list(trace(War(), lanes=2, seed=5, first=3).moves(1)) == list(trace(War(), lanes=5, seed=5).moves(4))


@pytest.mark.parametrize(
    ("policies", "words"),
    [
        ("randon", "did you mean 'random'"),
        (["random"] * 3, "there must be 1 policy, or 2, one for each seat; got 3"),
        ([], "one for each seat; got 0"),
    ],
)
def test_policies_that_are_unknown_or_too_few_are_refused(policies: str | list[str], words: str) -> None:
    with pytest.raises(Malformed, match=words):
        playouts(War(), policies, lanes=1, seed=0)


def test_empty_batches_and_seeds_out_of_range_are_refused() -> None:
    for lanes, seed, first in ((0, 0, 0), (1, -1, 0), (1, 2**64, 0), (1, 0, -1)):
        with pytest.raises(Malformed):
            playouts(War(), lanes=lanes, seed=seed, first=first)


def test_playouts_memory_predicts_the_size_of_the_results() -> None:
    games = playouts(War(), lanes=1000, seed=0)
    assert sum(array.nbytes for array in games) == playouts_memory(War(), 1000)
