"""Ratings are those of the model that is stated, whatever the matches are like."""

from itertools import pairwise, permutations
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.statistics import plackett_luce
from faceup.statistics.bootstrap import interval, resamples
from faceup.statistics.plackett_luce import POINTS, PRIOR_GAMES, Rankings


def rated(matches: list[tuple[str, list[int]]]) -> dict[str, float]:
    rankings = Rankings()
    for block, (players, places) in enumerate(matches):
        rankings.add(block, players, places)
    return {str(name): rating for name, rating in zip(rankings.players, rankings.ratings(), strict=True)}


def test_ratings_of_two_players_match_the_closed_form() -> None:
    """Seven wins of ten: without the ghost the odds would be 7/3. With it, x = log strength of one and -x of the other
    solve 7 - 10 p(2x) + G (1 - 2 p(x)) = 0, p the logistic function."""
    ratings = rated([("ab", [1, 2])] * 7 + [("ab", [2, 1])] * 3)
    x = ratings["a"] / POINTS
    assert ratings["b"] == pytest.approx(-ratings["a"])
    assert 7 - 10 / (1 + exp(-2 * x)) + PRIOR_GAMES * (1 - 2 / (1 + exp(-x))) == pytest.approx(0, abs=1e-6)
    assert ratings["a"] - ratings["b"] < POINTS * log(7 / 3)


def test_ratings_of_three_players_are_at_the_maximum() -> None:
    ratings = rated([("abc", [1, 2, 3])] * 4)
    wins, members = np.array([4.0, 4.0, 0.0]), np.array([[0, 1, 2], [1, 2, -1]])
    best = np.array([ratings[name] for name in "abc"]) / POINTS

    def likelihood(strengths: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
        return plackett_luce._likelihood(wins, members, np.array([4.0, 4.0]), strengths)

    # The mean is no part of the ratings: it is where the ghost draws it to.
    heights = np.linspace(-1, 1, 2001)
    shift = max(heights, key=lambda height: likelihood(best + height))
    top = likelihood(best + shift)
    for at in range(3):
        for step in (-0.01, 0.01):
            aside = best + shift
            aside[at] += step
            assert likelihood(aside) < top + 1e-6


def test_a_tie_of_two_is_half_a_win_each() -> None:
    assert rated([("ab", [1, 1]), ("ab", [1, 1]), ("ab", [1, 2])]) == pytest.approx(
        rated([("ab", [1, 2]), ("ab", [2, 1]), ("ab", [1, 2])])
    )


@given(st.lists(st.integers(1, 3), min_size=4, max_size=4))
def test_a_tie_is_the_mean_over_all_orders(places: list[int]) -> None:
    orders = [
        order
        for order in permutations(range(4))
        if all(places[first] <= places[other] for first, other in pairwise(order))
    ]
    spread = [("abcd", [order.index(player) + 1 for player in range(4)]) for order in orders]
    # As many times the tie as there are orders of it: the same likelihood.
    assert rated([("abcd", places)] * len(orders)) == pytest.approx(rated(spread), abs=1e-4)


def test_an_undefeated_player_has_a_finite_rating() -> None:
    ratings = rated([("abc", [1, 2, 3]), ("abc", [1, 3, 2])] * 5000)
    assert 1000 < ratings["a"] < 5000
    assert ratings["b"] == pytest.approx(ratings["c"])


def test_players_that_never_met_have_comparable_ratings() -> None:
    ratings = rated([("ab", [1, 2])] * 3 + [("cd", [1, 2])] * 3)
    assert ratings["a"] == pytest.approx(ratings["c"])
    assert ratings["a"] > ratings["b"] == pytest.approx(ratings["d"])


def test_a_player_against_itself_changes_nothing() -> None:
    assert rated([("aa", [1, 2]), ("ab", [1, 2])]) == pytest.approx(rated([("ab", [1, 2])]))
    assert rated([("aa", [1, 1])]) == {"a": 0.0}


def test_a_player_with_two_seats_wins_twice_as_often() -> None:
    ratings = rated([("aab", [1, 2, 3])] * 100 + [("aab", [2, 3, 1])] * 50 + [("aab", [1, 3, 2])] * 50)
    assert ratings["a"] > 0


@given(st.permutations(range(6)))
def test_the_order_of_matches_does_not_matter(order: list[int]) -> None:
    matches = [
        ("abc", [1, 2, 3]),
        ("abc", [2, 1, 3]),
        ("bcd", [1, 1, 3]),
        ("ad", [1, 2]),
        ("ad", [2, 1]),
        ("bd", [1, 2]),
    ]
    assert rated([matches[at] for at in order]) == pytest.approx(rated(matches), abs=1e-6)


def test_no_players_have_no_ratings() -> None:
    assert Rankings().ratings() == ()


def simulated(strengths: list[float], matches: int, *, seed: int) -> Rankings:
    """Matches of four among the players, by the model: first places go by exponential times with these rates."""
    rng = np.random.default_rng(seed)
    rankings = Rankings()
    for block in range(matches):
        players = rng.choice(len(strengths), 4, replace=False)
        times = rng.exponential(size=4) / np.exp(np.array(strengths)[players])
        places = [int((times < time).sum()) + 1 for time in times]
        rankings.add(block, [int(player) for player in players], places)
    return rankings


def test_ratings_recover_the_simulated_strengths() -> None:
    strengths = [-1.0, -0.5, 0.0, 0.0, 0.5, 1.0]
    rankings = simulated(strengths, 3000, seed=1)
    ratings = dict(zip(rankings.players, rankings.ratings(), strict=True))
    for player, strength in enumerate(strengths):
        assert ratings[player] / POINTS == pytest.approx(strength, abs=0.1)


def test_a_sample_of_every_block_gives_the_same_ratings() -> None:
    rankings = simulated([0.0, 0.3, 0.6, -0.9], 50, seed=2)
    assert list(rankings.bootstrap_ratings(iter([np.ones(50)]))[0]) == pytest.approx(rankings.ratings(), abs=1e-4)


def test_ratings_do_not_depend_on_when_matches_are_added() -> None:
    rankings = simulated([0.0, 0.3, 0.6, -0.9], 10, seed=3)
    rankings.ratings()
    rankings.add(99, (0, 1, 2, 3, 4), (1, 2, 3, 4, 5))
    other = simulated([0.0, 0.3, 0.6, -0.9], 10, seed=3)
    other.add(99, (0, 1, 2, 3, 4), (1, 2, 3, 4, 5))
    assert rankings.ratings() == pytest.approx(other.ratings(), abs=1e-6)


@pytest.mark.long
@pytest.mark.slow
def test_rating_intervals_have_their_nominal_coverage() -> None:
    strengths = [-0.6, -0.2, 0.2, 0.6]
    held = 0
    for seed in range(60):
        rankings = simulated(strengths, 80, seed=seed)
        low, high = interval(rankings.bootstrap_ratings(resamples(rankings.blocks, 100, seed)))
        for at, player in enumerate(rankings.players):
            assert isinstance(player, int)
            held += bool(low[at] <= POINTS * strengths[player] <= high[at])
    assert 0.89 <= held / 240 <= 0.99
