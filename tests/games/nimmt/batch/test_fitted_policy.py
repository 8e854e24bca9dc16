"""Policy `fitted` and the beliefs, compared with a reference implementation."""

import math

import numpy as np
import pytest
from fit_weights import features_of
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import SEED, SPECS, WEYL, choosing, played_out, position, rules_of, shuffled

from faceup.bots import evaluate, policy
from faceup.core import SeededGenerator
from faceup.core.generator import mix
from faceup.games.nimmt.batch import POLICIES, BatchSearchTrials, fitted_policy
from faceup.games.nimmt.batch.beliefs import PRIORS, Beliefs
from faceup.games.nimmt.cards import HEADS, total
from faceup.games.nimmt.placing import cheapest_row, row_for
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import seen_cards


def reference_features(rules: Rules, view: View, hand: list[int], card: int) -> list[float]:
    """Return the features of a card of the hand, as listed in `FEATURES`."""
    rows, seats = view.rows, rules.seats - sum(map(len, view.out))
    unseen = {*range(1, rules.cards + 1)} - {*seen_cards(view), *hand}
    index = row_for(rows, card)
    low = index < 0
    tail, length = (0, 0) if low else (rows[index][-1], len(rows[index]))
    slots = 1 if low else rules.capacity - length
    between = sum(tail <= other < card for other in unseen)
    share = min(1.0, between / max(1, len(unseen)))
    fewer = sum(math.comb(seats - 1, k) * share**k * (1 - share) ** (seats - 1 - k) for k in range(min(slots, seats)))
    chance = fewer if low else 1 - fewer
    heads = total(rows[cheapest_row(rows)]) / 10 if low else total(rows[index]) / 10 + 0.164 * slots
    tails = min(row[-1] for row in rows)
    return [
        int(low),
        chance,
        heads,
        chance * heads,
        0 if low else slots / 5,
        min(1, between * (seats - 1) / 3 / max(1, len(unseen))),
        card / 104,
        sum(other < card for other in hand) / len(hand),
        HEADS[card] / 5,
        len(hand) / 10,
        total(rows[cheapest_row(rows)]) / 10,
        (seats - 2) / 8,
        sum(other < tails for other in unseen) / max(1, len(unseen)),
        sum(other < tails for other in hand) / len(hand),
        max(map(total, rows)) / 10,
        sum(len(row) == rules.capacity for row in rows) / len(rows),
    ]


def reference_value(features: list[float], weights: fitted_policy.Weights) -> float:
    first, last = weights
    return float(np.maximum(first @ np.array([*features, 1], np.float32), 0) @ last)


WEIGHTS: fitted_policy.Weights = (
    np.random.default_rng(1).normal(0, 0.5, (fitted_policy.HIDDEN, fitted_policy.INPUTS + 1)).astype(np.float32),
    np.random.default_rng(2).normal(0, 0.5, fitted_policy.HIDDEN).astype(np.float32),
)


@pytest.mark.parametrize("spec", SPECS)
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_network_features_match_a_reference_implementation(spec: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    view = rules.view(state, rules.to_act(state)[0])
    if not view.hand:
        return
    features = features_of(rules, view)
    for index, card in enumerate(view.hand):
        expected = reference_features(rules, view, [*view.hand], card)
        assert features[index] == pytest.approx(expected, abs=1e-5), (card, view)
    assert not features[len(view.hand) :].any()


class Noisy:
    """Policy of one world: plays the card with the greatest network value plus noise, as the kernels do."""

    def __init__(self, rules: Rules, view: View, world: int, weights: fitted_policy.Weights) -> None:
        self.rules, self.weights = rules, weights
        self.key = mix((mix((SEED + WEYL) % 2**64) + world * WEYL) % 2**64)
        assert view.seat is not None
        out = {seat for group in view.out for seat in group}
        self.seats = [seat for seat in range(rules.seats) if seat not in out and seat != view.seat] + [view.seat]

    def __call__(self, view: View, order: list[int], turn: int) -> int:
        assert view.seat is not None
        number = 128 + (turn * 16 + self.seats.index(view.seat)) * 2
        hand = order[turn:]
        best, greatest, left = 0, -math.inf, 0
        for index, card in enumerate(hand):
            if index % 5 == 0:
                left = mix((self.key + (number + index // 5) * WEYL) % 2**64) >> 7
            features = reference_features(self.rules, view, hand, card)
            value = reference_value(features, self.weights) + float(fitted_policy.GUMBEL[left >> 46])
            left = left << 11 & (1 << 57) - 1
            if value > greatest:
                best, greatest = turn + index, value
        order[turn], order[best] = order[best], order[turn]
        return order[turn]


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=10)
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_worlds_are_played_by_the_network(spec: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    seat = rules.to_act(state)[0]
    view = rules.view(state, seat)
    trials = BatchSearchTrials(rules, view, model="fitted", objective="heads", seed=SEED, weights=WEIGHTS, trust=0)
    options = range(len(view.legal))
    trials.run(options, 1)
    two = len(rules.seats_in(view.out)) == 2

    def plays_at_random(view: View, order: list[int], turn: int) -> int:  # noqa: ARG001 -- as `Noisy`
        return order[turn]

    for option in options:
        heads, risk = played_out(rules, view, 0, option, plays_at_random if two else Noisy(rules, view, 0, WEIGHTS))
        assert trials.spread()[option][heads[seat]] == 1
        assert trials.risk()[option] == risk


def test_chances_match_values_computed_by_hand() -> None:
    table = fitted_policy.chances(4, [90], 5)[0]
    assert table.shape == (6, 105)
    assert table[0].tolist() == [1] * 105
    assert table[1, 9] == pytest.approx(1 - 0.9**3)
    assert table[3, 45] == pytest.approx(0.125)
    assert not table[4:].any()


def beliefs_for(
    rules: Rules,
    view: View,
    *,
    network: fitted_policy.Weights = fitted_policy.WEIGHTS,
    base: int = fitted_policy.FITTED,
    use_beliefs: bool = True,
    trust: float = 0.5,
) -> Beliefs:
    return Beliefs(rules, view, seed=SEED, network=network, base=base, use_beliefs=use_beliefs, trust=trust)


def test_worlds_are_drawn_in_proportion_to_their_likelihood() -> None:
    """Use a network that always plays its highest card: then no seat holds a card above those it has played."""
    rules = rules_of("nimmt:cowheadking seats=3 hand=4 cards=40")
    first = np.zeros_like(WEIGHTS[0])
    first[0, 6] = 10_000
    last = np.zeros_like(WEIGHTS[1])
    last[0] = 1
    state = position(rules, 26, 0)
    move = {seat: state.hands[seat][-1] - 1 for seat in range(3)}
    view = rules.view(rules.apply(state, move).state, 0)
    assert not view.waiting
    beliefs = beliefs_for(rules, view, network=(first, last), trust=1)
    assert [beliefs.weigh(5000), beliefs.weigh(3192)] == [5000, 8192]
    worlds, _ = beliefs.draw(np.arange(16 * 8192, dtype=np.uint64))
    unseen = tuple(sorted({*range(1, 41)} - {*seen_cards(view), *view.hand}))
    allowed = 0
    for world in range(8192):
        drawn = shuffled(unseen, 6, world, 0)
        allowed += max(drawn[:3]) < view.log[0].plays[1] and max(drawn[3:]) < view.log[0].plays[2]
    assert 128 < allowed < 8192
    for world in {*worlds.tolist()}:
        drawn = shuffled(unseen, 6, world, 0)
        assert max(drawn[:3]) < view.log[0].plays[1]
        assert max(drawn[3:]) < view.log[0].plays[2]
    assert len({*worlds.tolist()}) == allowed


def view_after_searches(name: str, turns: int) -> View:
    """Return seat 0's view after this many turns, in which seat 1 played a simple policy and the others searched."""
    rules, rng = rules_of("nimmt:cowheadking seats=4"), SeededGenerator(3)
    chosen = policy("nimmt", name)
    state = position(rules, 4, 0)
    while state.waiting or len(state.log) < turns:
        move = {}
        for seat in rules.to_act(state):
            view = rules.view(state, seat)
            if seat == 1 or state.waiting:
                move[seat] = chosen(rules, view, rng)
            else:
                move[seat] = evaluate(rules, view, player="mc", worlds=100, seed=1, use_beliefs=False).options[0].action
        state = rules.apply(state, move).state
    return rules.view(state, 0)


@pytest.mark.parametrize("base", PRIORS)
@pytest.mark.parametrize("name", ["lowest", "greedy"])
def test_a_seat_with_a_simple_policy_is_recognised(name: str, base: int) -> None:
    beliefs = beliefs_for(rules_of("nimmt"), view_after_searches(name, 5), base=base)
    beliefs.weigh(2048)
    assert beliefs.models()[0] == POLICIES[name]
    assert POLICIES[name] not in beliefs.models()[1:]


@pytest.mark.parametrize("base", PRIORS)
def test_no_seat_is_recognised_without_use_beliefs(base: int) -> None:
    beliefs = beliefs_for(rules_of("nimmt"), view_after_searches("greedy", 2), base=base, use_beliefs=False)
    assert beliefs.weigh(256) == (256 if base == fitted_policy.FITTED else 0)
    assert beliefs.models().tolist() == [base] * 3


def test_random_play_leaves_all_worlds_equally_likely() -> None:
    positions = np.arange(1000, dtype=np.uint64)
    beliefs = beliefs_for(rules_of("nimmt"), view_after_searches("random", 6), base=POLICIES["random"])
    assert beliefs.weigh(1024) == 1024
    assert {*beliefs.models().tolist()} == {POLICIES["random"]}
    assert np.array_equal(beliefs.draw(positions)[0], positions)


def test_a_recognised_seat_plays_its_policy_in_every_world() -> None:
    """Use the hands of worlds in which its plays are likely, and the deciding seat's hand in any order."""
    rules, rng = rules_of("nimmt:cowheadking seats=3"), SeededGenerator(3)
    greedy = policy("nimmt", "greedy")
    state = position(rules, 5, 0)
    while state.waiting or len(state.log) < 4:
        seats = rules.to_act(state)
        state = rules.apply(state, {seat: greedy(rules, rules.view(state, seat), rng) for seat in seats}).state
    view = rules.view(state, 0)
    trials = BatchSearchTrials(rules, view, model="random", objective="heads", seed=SEED)
    beliefs = beliefs_for(rules, view, base=POLICIES["random"])
    assert trials.update_beliefs(1024) == beliefs.weigh(1024)
    assert beliefs.models().tolist() == [POLICIES["greedy"]] * 2
    worlds = beliefs.draw(np.arange(3, dtype=np.uint64))[0].tolist()
    assert worlds != [0, 1, 2]

    def chooses(view: View, order: list[int], turn: int) -> int:
        return greedy(rules, view, rng) + 1 if view.seat else order[turn]

    sums = np.zeros(len(view.legal))
    for number, world in enumerate(worlds):
        trials.run(range(len(view.legal)), 1)
        for option in range(len(view.legal)):
            sums[option] += played_out(rules, view, world, option, chooses, own=number)[0][0]
        assert trials.means("heads")[0] == pytest.approx(sums / (number + 1))


def test_nothing_is_learned_without_plays_or_with_zero_trust() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 10)
    positions = np.arange(1000, dtype=np.uint64)
    nothing = beliefs_for(rules, view, trust=1)
    untrusting = beliefs_for(rules, choosing(rules, 7), trust=0)
    for beliefs in (nothing, untrusting):
        assert beliefs.weigh(256) == 0
        assert np.array_equal(beliefs.draw(positions)[0], positions)
