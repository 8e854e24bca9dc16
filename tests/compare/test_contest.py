"""A contest names who plays whom, in an order that more deals only lengthen."""

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.compare import contest, schedule
from faceup.core import Malformed, make


def test_every_bot_plays_every_field_and_the_last_one_named_fills_it() -> None:
    found = contest(make("nimmt seats=4"), ["greedy", "lowest"], [["random"], ["highest", "greedy"]], seed=1)
    assert found.lineups == (
        ("greedy", "random", "random", "random"),
        ("lowest", "random", "random", "random"),
        ("greedy", "highest", "greedy", "greedy"),
        ("lowest", "highest", "greedy", "greedy"),
    )


def test_the_same_lineup_named_twice_is_played_once() -> None:
    found = contest(make("nimmt seats=3"), ["greedy", "greedy"], [["random"], ["random", "random"]], seed=1)
    assert len(found.lineups) == 1


@given(seats=st.integers(2, 10), deals=st.integers(1, 4), bots=st.integers(1, 3))
def test_each_deal_is_played_by_all_lineups_in_all_rotations(seats: int, deals: int, bots: int) -> None:
    names = ["greedy", "lowest", "highest"][:bots]
    found = contest(make("nimmt", seats=seats), names, [["random"]], seed=1)
    games = list(schedule(found, deals))
    assert games == sorted(games)
    assert Counter(games) == {
        (deal, lineup, rotation): 1 for deal in range(deals) for lineup in range(bots) for rotation in range(seats)
    }
    assert len(games) == deals * found.games_a_deal
    assert games == list(islice(schedule(found), len(games)))


@pytest.mark.parametrize(
    ("game", "bots", "fields", "message"),
    [
        ("war", ["random"], [["random"]], "War asks nobody to decide anything"),
        ("niuniu", ["random"], [["random"]], "there is nothing to compare"),
        ("nimmt", ["gredy"], [["random"]], "did you mean 'greedy'"),
        ("nimmt", ["greedy"], [["random", "rndom"]], "did you mean 'random'"),
        ("nimmt", ["greedy"], [["random"] * 4], "4 seats have room for 3 against the bot that is compared, not 4"),
        ("nimmt", [], [["random"]], "name a bot"),
        ("nimmt", ["greedy"], [], "--against greedy"),
    ],
)
def test_what_cannot_be_compared_is_refused(game: str, bots: list[str], fields: list[list[str]], message: str) -> None:
    with pytest.raises(Malformed, match=message):
        contest(make(game), bots, fields, seed=1)


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed: int) -> None:
    with pytest.raises(Malformed, match="seed is 0 to"):
        contest(make("nimmt"), ["greedy"], [["random"]], seed=seed)


def test_bots_that_think_by_the_clock_are_named() -> None:
    rules = make("nimmt seats=3")
    assert contest(rules, ["mc@50"], [["greedy"]], seed=1).by_the_clock == ()
    assert contest(rules, ["mc@50", "mc@5ms"], [["mc"]], seed=1).by_the_clock == ("mc", "mc@5ms")
