"""The ranking of matches equals that of a reference implementation without shared code."""

import random
from itertools import permutations

import numpy as np
import pytest

from faceup.core import win_shares
from faceup.games.niuniu import DiceShow, NiuNiu, NiuNiuState, batch
from faceup.games.niuniu.batch import playouts, reset

Throw = tuple[tuple[int, ...], ...]


def points_of(dice: tuple[int, ...]) -> int:
    """Return the points of a hand, by trying every pair as the remaining two dice."""
    for first, two, *three in permutations(dice):
        if sum(three) % 10 == 0:
            return (first + two - 1) % 10 + 1
    return 0


def ranking(match: list[Throw]) -> tuple[list[int], list[int], list[int]]:
    """Return throws won, throws drawn and ranks, by comparing each pair of seats."""
    seats = range(len(match[0]))
    won, drawn = [0 for _ in seats], [0 for _ in seats]
    for throw in match:
        points = [points_of(dice) for dice in throw]
        for seat in seats:
            others = [points[other] for other in seats if other != seat]
            if all(points[seat] > other for other in others):
                won[seat] += 1
            elif all(points[seat] >= other for other in others):
                drawn[seat] += 1
    ranks = []
    for seat in seats:
        rank = 1
        for other in seats:
            if won[other] > won[seat] or (won[other] == won[seat] and drawn[other] > drawn[seat]):
                rank += 1
        ranks.append(rank)
    return won, drawn, ranks


@pytest.mark.sample(4)
@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize(("throws", "matches"), [(1, 300), (2, 100), (5, 40)])
def test_rules_and_engine_agree_with_the_reference_ranking(seats: int, throws: int, matches: int) -> None:
    rng = random.Random(f"{seats} {throws}")  # noqa: S311 -- dice of a test
    rules = NiuNiu(seats=seats, throws=throws)
    engine = reset(rules, lanes=matches, seed=None)
    thrown = [
        [tuple(tuple(rng.randint(1, 6) for _ in range(5)) for _ in range(seats)) for _ in range(throws)]
        for _ in range(matches)
    ]
    states = [rules.start()] * matches
    for throw in zip(*thrown, strict=True):
        for lane, dice in enumerate(throw):
            states[lane] = rules.apply(states[lane], dict.fromkeys(range(seats), 0)).state
            states[lane] = rules.apply(states[lane], DiceShow(dice)).state
        engine.step(np.zeros((matches, seats), np.int32))
        engine.land(np.array(throw, np.uint8))
    for lane, (match, state) in enumerate(zip(thrown, states, strict=True)):
        won, drawn, ranks = ranking(match)
        assert (list(state.won), list(state.drawn), list(rules.ranks(state))) == (won, drawn, ranks)
        assert rules.utilities(state) == win_shares(tuple(ranks))
        assert rules.ranks(engine.to_state(lane)) == tuple(ranks)


@pytest.mark.parametrize("seats", [3, 10])
def test_simulations_agree_with_the_reference_places(seats: int) -> None:
    rules, lanes = NiuNiu(seats=seats, throws=2), 100
    games = playouts(rules, lanes=lanes, seed=4, matches=True)
    moves = batch.trace(rules, lanes=lanes, seed=4, matches=True).moves
    places = []
    for lane in range(lanes):
        won, drawn, ranks = ranking([move.dice for move in moves(lane) if isinstance(move, DiceShow)])
        assert (games.won[lane].tolist(), games.drawn[lane].tolist(), games.places()[lane].tolist()) == (
            won,
            drawn,
            ranks,
        )
        places.append(ranks)
    assert 1 < sum(rank == 1 for ranks in places for rank in ranks) < lanes * seats


def test_the_longest_match_is_ranked_by_throws_won_first() -> None:
    """1,000 throws drawn rank below one throw won, in the engine and in the rules."""
    won, drawn = np.array([[1, 0, 0]], np.int32), np.array([[0, 999, 999]], np.int32)
    zeros = np.zeros((1, 3), np.int32)
    games = batch.NiuNiuPlayouts(won, drawn, zeros, np.zeros(1, np.int32), np.zeros((3, 11), np.int64))
    assert games.places().tolist() == [[1, 2, 2]]
    rules = NiuNiu(seats=3, throws=1000)
    state = NiuNiuState(played=1000, won=(1, 0, 0), drawn=(0, 999, 999), statistics=(0, 0, 0))
    assert rules.ranks(state) == (1, 2, 2)
