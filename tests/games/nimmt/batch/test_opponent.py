"""The predictions of `Opponent` equal those from the opponent's own views, and the search deals and plays by them."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import SEED, choosing, played_out, position, rules_of, shuffled

from faceup.bots import policy
from faceup.core import CHANCE, FORFEIT, SeededGenerator
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import POLICIES, BatchSearchTrials, fitted_policy, network
from faceup.games.nimmt.batch.beliefs import NETWORK_COST, REPEAT, Beliefs
from faceup.games.nimmt.batch.opponent import Opponent
from faceup.games.nimmt.cards import Card
from faceup.games.nimmt.objectives import LATE
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import Deal, State, View
from faceup.games.nimmt.validation import seen_cards


def network_policy(rules: Rules, view: View) -> list[float]:
    """Return the probability of each card of the hand, if the network plays it in proportion to its logits."""
    late = len(view.hand) <= LATE and rules.is_last_deal(view)
    logits = network.evaluate(rules, [view]).policy[0, : len(view.hand), int(late)].astype(float)
    powers = np.exp(logits - logits.max())
    return [*(powers / powers.sum())]


def dealt(rules: Rules, view: View, world: int) -> list[Card]:
    """Return the opponent's hand in a world, as dealt."""
    unseen = tuple(sorted({*range(1, rules.cards + 1)} - {*seen_cards(view), *view.hand}))
    return shuffled(unseen, len(view.hand), world, 0)


def after_random_play(rules: Rules, seed: int, moves: int) -> State:
    """Return a position of random play with two seats; the others forfeit in the first turn."""
    state, rng = position(rules, seed, 0), SeededGenerator(seed)
    for number in range(moves):
        move = {seat: (legal := rules.legal(state, seat))[rng.below(len(legal))] for seat in rules.to_act(state)}
        if number == 0:
            move |= dict.fromkeys(range(2, rules.seats), FORFEIT)
        after = rules.apply(state, move).state
        if rules.to_act(after) in ((), (CHANCE,)):
            break
        state = after
    return state


@pytest.mark.parametrize(
    "spec", ["nimmt:cowheadking seats=2", "nimmt:tactical seats=2 rows=5 capacity=3", "nimmt:arena"]
)
@settings(max_examples=10)  # the first call compiles
@given(seed=st.integers(0, 1 << 32), moves=st.integers(1, 12))
def test_predictions_are_those_of_the_opponents_views(spec: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = after_random_play(rules, seed, moves)
    if state.waiting:
        return
    view = rules.view(state, 0)
    logs, hands, policies = Opponent(rules, view, seed=SEED).predict(3, 2)
    for index in range(2):
        hand = sorted(dealt(rules, view, 3 + index))
        assert hands[index].tolist() == hand
        now = msgspec.structs.replace(state, hands=(state.hands[0], (*hand,), *state.hands[2:]))
        assert policies[index] == pytest.approx(network_policy(rules, rules.view(now, 1)), abs=1e-4)
        if rules.seats > 2:
            continue
        first = [sorted([*held, *(turn.plays[seat] for turn in view.log)]) for seat, held in enumerate(now.hands)]
        then, expected = rules.apply(rules.start(), Deal((*first[0], *first[1], *view.opening))).state, 0.0
        for turn in view.log:
            likely = dict(zip(then.hands[1], network_policy(rules, rules.view(then, 1)), strict=True))
            expected += np.log(likely[turn.plays[1]])
            then = rules.apply(then, {seat: play(card) for seat, card in enumerate(turn.plays)}).state
            if then.waiting:
                then = rules.apply(then, {then.waiting[0][1]: take(turn.row)}).state
        assert then == now
        assert logs[index] == pytest.approx(expected, abs=1e-3)


def beliefs_of(rules: Rules, view: View) -> Beliefs:
    """Return the beliefs of a search with model `fitted` after the network has weighed 64 worlds."""
    beliefs = Beliefs(
        rules,
        view,
        seed=SEED,
        network=fitted_policy.WEIGHTS,
        base=fitted_policy.FITTED,
        use_beliefs=True,
        trust=1,
        opponent=Opponent(rules, view, seed=SEED),
    )
    assert beliefs.weigh(64 * NETWORK_COST) == 64 * NETWORK_COST
    return beliefs


def after_plays_of(rules: Rules, name: str, turns: int) -> View:
    """Return the view of seat 0 after turns in which both seats played this policy."""
    state, rng, plays = position(rules, 5, 0), SeededGenerator(3), policy("nimmt", name)
    while state.waiting or len(state.log) < turns:
        seats = rules.to_act(state)
        state = rules.apply(state, {seat: plays(rules, rules.view(state, seat), rng) for seat in seats}).state
    return rules.view(state, 0)


def test_worlds_and_first_cards_are_drawn_in_proportion_to_their_probability() -> None:
    rules = rules_of("nimmt:cowheadking seats=2")
    view = choosing(rules, 10)
    worlds, leads = beliefs_of(rules, view).draw(np.arange(64 * REPEAT, dtype=np.uint64))
    assert np.bincount(worlds.astype(int), minlength=64) == pytest.approx(REPEAT, abs=2)
    _, hands, policies = Opponent(rules, view, seed=SEED).predict(0, 64)
    for world in range(64):
        cards = (leads[worlds == world] >> 9).tolist()
        for card, likely in zip(hands[world].tolist(), policies[world], strict=True):
            assert cards.count(card) == pytest.approx(REPEAT * likely, abs=2)


def test_worlds_are_played_with_the_predicted_first_cards() -> None:
    """The rest of both hands is played in random order."""
    rules = rules_of("nimmt:cowheadking seats=2")
    view = after_plays_of(rules, "network", 4)
    trials = BatchSearchTrials(rules, view, model="fitted", objective="heads", seed=SEED, trust=1)
    trials.update_beliefs(64 * NETWORK_COST)
    worlds, leads = beliefs_of(rules, view).draw(np.arange(3, dtype=np.uint64))
    assert len(leads) == 3
    sums = np.zeros(6)
    for number, (world, lead) in enumerate(zip(worlds.tolist(), (leads >> 9).tolist(), strict=True)):
        hand = dealt(rules, view, world)
        order = [hand[place] for place in shuffled((*range(6),), 6, number, 2)]
        at = order.index(lead)
        order[0], order[at] = order[at], order[0]

        def chooses(view: View, drawn: list[Card], turn: int, order: list[Card] = order) -> Card:
            return order[turn] if view.seat else drawn[turn]

        trials.run(range(6), 1)
        for option in range(6):
            sums[option] += played_out(rules, view, world, option, chooses, own=number)[0][0]
        assert (trials.spread() @ np.arange(256)).tolist() == sums.tolist()


def test_an_opponent_with_a_simple_policy_is_recognised() -> None:
    rules = rules_of("nimmt:cowheadking seats=2")
    beliefs = beliefs_of(rules, after_plays_of(rules, "lowest", 5))
    assert beliefs.models().tolist() == [POLICIES["lowest"]]
    assert not len(beliefs.draw(np.arange(3, dtype=np.uint64))[1])
