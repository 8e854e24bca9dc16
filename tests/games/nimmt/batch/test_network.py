"""The set network: its inputs from views, its compiled layers, and its weights."""

from pathlib import Path

import numpy as np
import pytest
from fit_weights import features_of
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import SPECS, choosing, position, rules_of

from faceup.core import SeededGenerator, draw
from faceup.games.lanes import AnyArray
from faceup.games.nimmt.batch import network
from faceup.games.nimmt.batch.network import SHAPES, Outputs, Weights
from faceup.games.nimmt.batch.network_inputs import CONTEXT, PLANES, Positions, inputs, positions
from faceup.games.nimmt.cards import HEADS, MOST_CARDS
from faceup.games.nimmt.placing import row_for
from faceup.games.nimmt.policies import greedy
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import View
from faceup.games.nimmt.validation import unseen_cards


def random_weights(seed: int) -> Weights:
    rng = np.random.default_rng(seed)
    return Weights(*(rng.normal(0, 0.1, shape).astype(np.float32) for shape in SHAPES.values()))


def view_of(spec: str, seed: int, moves: int) -> tuple[Rules, View] | None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    view = rules.view(state, rules.to_act(state)[0])
    return None if view.waiting or not view.hand else (rules, view)


@pytest.mark.parametrize("spec", SPECS)
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_inputs_describe_the_view(spec: str, seed: int, moves: int) -> None:
    seen = view_of(spec, seed, moves)
    if not seen:
        return
    rules, view = seen
    context, card, seat = (array[0] for array in inputs(rules, positions(rules, [view])))
    planes = context[:PLANES].reshape(4, MOST_CARDS)
    assert [c + 1 for c in np.flatnonzero(planes[0])] == unseen_cards(rules, view)
    assert tuple(c + 1 for c in np.flatnonzero(planes[1])) == view.hand
    tails = {row[-1]: row for row in view.rows}
    assert [c + 1 for c in np.flatnonzero(planes[2])] == sorted(tails)
    for tail, row in tails.items():
        assert planes[2, tail - 1] == pytest.approx((rules.capacity - len(row) + 1) / 5)
        assert planes[3, tail - 1] == pytest.approx(sum(HEADS[c] for c in row) / 10)
    fitted, count = features_of(rules, view), len(view.hand)
    assert card[:, :9] == pytest.approx(fitted[:, :9], abs=1e-5)
    assert context[PLANES : PLANES + 7] == pytest.approx(fitted[0, 9:], abs=1e-5)
    assert not card[count:].any()
    for place, number in enumerate(view.hand):
        row_index = row_for(view.rows, number)
        row = view.rows[row_index] if row_index >= 0 else ()
        between = [c for c in unseen_cards(rules, view) if (row[-1] if row else 0) < c < number]
        assert bool(card[place, 20]) == (len(row) == rules.capacity and not between)
    there = [s for s in rules.seats_in(view.out) if s != view.seat]
    assert len(seat) == len(there)
    order = sorted(there, key=lambda s: (s - (view.seat or 0)) % rules.seats)
    for numbers, other in zip(seat, order, strict=True):
        assert numbers[2] == pytest.approx(view.heads[other] / 20)
        played = [turn.plays[other] for turn in view.log if turn.plays[other]]
        assert numbers[10:18].sum() == pytest.approx(len(played) / 3)
        if view.log:
            assert numbers[7] == pytest.approx(view.log[-1].plays[other] / MOST_CARDS)


def reference(weights: Weights, observed: Positions, rules: Rules) -> Outputs:
    """Evaluate one position layer by layer, with 64 bits."""
    w = Weights(*(array.astype(np.float64) for array in weights))  # type: ignore[arg-type]  # more bits
    context, card, seat = (array[0].astype(np.float64) for array in inputs(rules, observed))
    hand = observed.hands[0][observed.hands[0] > 0]

    def rectified(x: AnyArray) -> AnyArray:
        return np.maximum(x, 0)

    cards = rectified(card[: len(hand)] @ w.card_in + w.card_in_bias + w.number[hand])
    cards = rectified(cards @ w.card_mid + w.card_mid_bias)
    seats = rectified(rectified(seat @ w.seat_in + w.seat_in_bias) @ w.seat_mid + w.seat_mid_bias)
    everything = np.concatenate([context, cards.mean(0), cards.max(0), seats.mean(0), seats.max(0)])
    middle = rectified(rectified(everything @ w.wide + w.wide_bias) @ w.middle + w.middle_bias)
    late = rectified(cards @ w.late_card + middle @ w.late_context + w.late_context_bias)
    late = rectified(late @ w.last + w.last_bias)
    units = rectified(np.concatenate([middle, late.mean(0)]) @ w.value_in + w.value_in_bias)
    query = middle @ w.query_context + w.query_context_bias
    held = (seats @ w.query_seat + query[:-1]) @ w.keys
    return Outputs(
        (late @ w.policy + w.policy_bias).astype(np.float32),
        ((units @ w.value + w.value_bias) * [10, 1]).astype(np.float32),
        np.vstack([np.full(MOST_CARDS, query[-1]), held]).astype(np.float32),
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=10)
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_compiled_layers_match_a_reference_implementation(spec: str, seed: int, moves: int) -> None:
    seen = view_of(spec, seed, moves)
    if not seen:
        return
    rules, view = seen
    weights = random_weights(seed)
    outputs = network.evaluate(rules, [view], weights)
    expected = reference(weights, positions(rules, [view]), rules)
    assert outputs.policy[0, : len(view.hand)] == pytest.approx(expected.policy, abs=1e-4)
    assert outputs.value[0] == pytest.approx(expected.value, abs=1e-3)
    assert outputs.belief[0] == pytest.approx(expected.belief, abs=1e-4)


@pytest.mark.long
def test_the_order_of_the_other_seats_does_not_matter() -> None:
    rules = rules_of("nimmt:cowheadking seats=4")
    view = choosing(rules, 7)
    observed = positions(rules, [view])
    order = [0, 3, 1, 2]
    other = observed._replace(history=observed.history[:, :, order], heads=observed.heads[:, order])
    weights = random_weights(1)
    first, two = (network.evaluate_positions(rules, which, weights) for which in (observed, other))
    count = len(view.hand)
    assert two.policy[0, :count] == pytest.approx(first.policy[0, :count], abs=1e-5)
    assert two.value == pytest.approx(first.value, abs=1e-4)
    assert two.belief[0] == pytest.approx(first.belief[0, order], abs=1e-5)


def test_weights_are_saved_with_16_bits(tmp_path: Path) -> None:
    weights = random_weights(2)
    network.save(tmp_path / "weights.npz", weights)
    for saved, array in zip(network.load(tmp_path / "weights.npz"), weights, strict=True):
        assert saved.dtype == np.float32
        assert np.allclose(saved, array, rtol=1e-3, atol=1e-6)
    np.savez(tmp_path / "other.npz", policy=weights.policy)
    with pytest.raises(ValueError, match=r"other\.npz does not hold the weights of this network"):
        network.load(tmp_path / "other.npz")


@pytest.mark.slow
def test_the_weights_of_the_package_are_small_and_play_better_than_greedy() -> None:
    assert network.WEIGHTS_FILE.stat().st_size < 2_000_000
    rules, rng = rules_of("nimmt:cowheadking seats=4"), SeededGenerator(5)
    ahead = []
    for number in range(60):
        dealt = rules.apply(rules.start(), draw(rules, rules.start(), SeededGenerator(number))).state
        for own in range(4):
            state = dealt
            while rules.to_act(state):
                policies = {seat: network.network if seat == own else greedy for seat in rules.to_act(state)}
                move = {seat: policy(rules, rules.view(state, seat), rng) for seat, policy in policies.items()}
                state = rules.apply(state, move).state
            ahead.append((sum(state.heads) - state.heads[own]) / 3 - state.heads[own])
    by_deal = np.reshape(ahead, (60, 4)).mean(axis=1)
    assert by_deal.mean() > 3 * by_deal.std() / np.sqrt(len(by_deal))
    assert by_deal.mean() > 2


def test_the_context_has_no_unused_room_for_a_table_of_most_rows() -> None:
    rules = rules_of("nimmt:cowheadking seats=2 rows=8")
    context = inputs(rules, positions(rules, [choosing(rules, 1)]))[0]
    assert context.shape == (1, CONTEXT)
    assert context[:, -10].all()
