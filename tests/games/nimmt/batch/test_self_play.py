"""Deals in blocks, compared with the readable rules."""

import numpy as np
import pytest
from tests.games.nimmt.batch.scalar_worlds import rules_of

from faceup.core import SeededGenerator
from faceup.games.lanes import AnyArray
from faceup.games.nimmt.actions import take
from faceup.games.nimmt.batch.kernels import BLOCK, GREEDY, HIGHEST, LOWEST
from faceup.games.nimmt.batch.self_play import Games
from faceup.games.nimmt.batch.set_features import inputs, positions
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.policies import greedy, highest, lowest
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal, State

SPECS = (
    "nimmt:cowheadking seats=4",
    "nimmt:tactical deals=1 target=0 seats=3",
    pytest.param("nimmt:cowheadking seats=2 rows=6 hand=5", marks=pytest.mark.long),  # compiles for half a minute
)
LANES = range(0, BLOCK, 37)
POLICIES = {GREEDY: greedy, LOWEST: lowest, HIGHEST: highest}
RNG = SeededGenerator(1)


def dealt(rules: Rules, lane: int) -> State:
    """Deal the cards of a lane by the rules."""
    games = Games(rules, [0], seed=3)
    cards = [games.positions(seat, [0])[0].hands[lane, : rules.hand] for seat in range(rules.seats)]
    rows = games.positions(0, [0])[0].rows[lane, 0] >> 9
    return rules.apply(rules.start(), Deal(tuple(int(card) for part in (*cards, rows) for card in part))).state


def play(rules: Rules, state: State, move: dict[int, int]) -> State:
    """Play a turn; a seat that must take a row takes the cheapest."""
    state = rules.apply(state, move).state
    while state.waiting:
        state = rules.apply(state, {state.waiting[0][1]: take(cheapest_row(state.rows))}).state
    return state


def models_for(rules: Rules) -> list[int]:
    return [(GREEDY, LOWEST, HIGHEST)[seat % 3] for seat in range(rules.seats)]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_positions_are_those_of_the_views(spec: str) -> None:
    rules = rules_of(spec)
    games, models = Games(rules, [0], seed=3), models_for(rules)
    states = [dealt(rules, lane) for lane in LANES]
    for _ in range(rules.hand):
        for seat, model in enumerate(models):
            known, others = games.positions(seat, [0])
            from_views = positions(rules, [rules.view(state, seat) for state in states])
            one_by_one: tuple[AnyArray, ...] = (*known, *inputs(rules, known))
            expected: tuple[AnyArray, ...] = (*from_views, *inputs(rules, from_views))
            for one, other in zip(one_by_one, expected, strict=True):
                assert np.array_equal(one[LANES], other)
            for lane, state in zip(LANES, states, strict=True):
                for step in range(1, rules.seats):
                    assert {*others[lane, step - 1].tolist()} - {0} == {*state.hands[(seat + step) % rules.seats]}
            games.choose(seat, model, [0])
        for index, state in enumerate(states):
            move = {s: POLICIES[model](rules, rules.view(state, s), RNG) for s, model in enumerate(models)}
            states[index] = play(rules, state, move)
        games.step()
    assert games.heads()[LANES].tolist() == [list(state.heads) for state in states]


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_labels_are_the_results_of_playing_each_card(spec: str) -> None:
    rules = rules_of(spec)
    models = models_for(rules)
    games = Games(rules, [0], seed=3)
    states = [dealt(rules, lane) for lane in LANES]
    for turn in range(rules.hand - 1):
        for seat, model in enumerate(models):
            games.choose(seat, model, [0])
        labelled = np.zeros((1, rules.seats), bool)
        labelled[0, turn % rules.seats] = True
        found = games.label(
            labelled, np.array([models], np.uint8), np.zeros((1, rules.seats), np.int64), repeats=2, salt=turn
        )
        me = turn % rules.seats
        assert [*found] == [me]
        for index, (lane, state) in enumerate(zip(LANES, states, strict=True)):
            move = {s: POLICIES[model](rules, rules.view(state, s), RNG) for s, model in enumerate(models)}
            for place, card in enumerate(state.hands[me]):
                after = play(rules, state, {**move, me: card - 1})
                while rules.to_act(after) == tuple(range(rules.seats)):
                    after = play(
                        rules,
                        after,
                        {s: POLICIES[model](rules, rules.view(after, s), RNG) for s, model in enumerate(models)},
                    )
                gained = np.array(after.heads) - state.heads
                others = (gained.sum() - gained[me]) / (rules.seats - 1)
                assert found[me].cost[lane, place] == pytest.approx(gained[me] - others, abs=1e-4)
                best = min(after.heads)
                share = (after.heads[me] == best) / after.heads.count(best)
                assert found[me].win[lane, place] == pytest.approx(share)
            states[index] = play(rules, state, move)
        games.step()


def test_chosen_and_random_cards_come_from_the_hand() -> None:
    rules = rules_of("nimmt:cowheadking seats=2")
    games = Games(rules, [0, BLOCK], seed=9)
    known, _ = games.positions(0, [1])
    games.put(0, [1], known.hands[:, 3])
    before = games.positions(1, [0, 1])[0].hands
    games.explore(1, [0, 1], 4)
    games.step()
    after, played = games.positions(0, [1])[0], games.positions(1, [0, 1])[0]
    assert np.array_equal(after.history[:, 0, 0], known.hands[:, 3])
    chosen = played.history[:, 0, 0]
    places = [hand.tolist().index(card) for hand, card in zip(before, chosen, strict=True)]
    assert {*places} == {*range(10)}
