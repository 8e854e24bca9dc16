"""The critic's inputs and compiled layers equal a plain implementation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import SPECS, position, rules_of

from faceup.games.lanes import AnyArray
from faceup.games.nimmt.batch import critic
from faceup.games.nimmt.batch.critic import SHAPES, CriticWeights
from faceup.games.nimmt.batch.kernels import row_word
from faceup.games.nimmt.cards import HEADS, MOST_CARDS, total
from faceup.games.nimmt.parameters import MOST_HAND, MOST_ROWS
from faceup.games.nimmt.placing import row_for
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State


def random_weights(seed: int) -> CriticWeights:
    rng = np.random.default_rng(seed)
    return CriticWeights(*(rng.normal(0, 0.1, shape).astype(np.float32) for shape in SHAPES.values()))


def dealt(spec: str, seed: int, moves: int) -> tuple[Rules, State] | None:
    """Return a position between two turns in which all seats have cards."""
    rules = rules_of(spec)
    state = position(rules, seed, moves)
    return None if state.waiting or not all(state.hands) else (rules, state)


def evaluated(rules: Rules, state: State, weights: CriticWeights | None = None, *, final: bool = True) -> AnyArray:
    [values] = critic.evaluate(
        rules,
        np.array([[row_word(row) for row in state.rows]], np.uint16),
        np.array([state.hands], np.uint8),
        np.array([state.heads], np.int16),
        final=final,
        weights=weights,
    )
    result: AnyArray = values
    return result


def reference(rules: Rules, state: State, weights: CriticWeights, *, final: bool) -> AnyArray:
    """Evaluate a position with 64 bits."""
    w = CriticWeights(*(array.astype(np.float64) for array in weights))  # type: ignore[arg-type]  # more bits
    rows, held = sorted(state.rows, key=lambda row: row[-1]), [card for hand in state.hands for card in hand]
    cheapest, count, seats = min(map(total, rows)), len(state.hands[0]), rules.seats

    def rectified(x: AnyArray) -> AnyArray:
        return np.maximum(x, 0)

    def between(low: int, high: int, cards: list[int] | tuple[int, ...]) -> int:
        return sum(low < card <= high for card in cards)

    def card_numbers(card: int, hand: tuple[int, ...]) -> list[float]:
        index, place = row_for(rows, card), hand.index(card)
        row = rows[index] if index >= 0 else ()
        tail, end = row[-1] if row else 0, [*(row[-1] for row in rows), MOST_CARDS][index + 1]
        slots, cost = rules.capacity - len(row) if row else 0, total(row)
        own = between(tail, card - 1, hand)
        others = between(tail, card - 1, held) - own
        return [
            not row, slots / 5, (cost if row else cheapest) / 10, bool(row) and not slots, min(2, (own + others) / 5),
            own / 5, min(2, others / 5), not others, others >= slots, place / count, card / MOST_CARDS, HEADS[card] / 5,
            min(1, (card - tail) / 30), (cost + HEADS[card]) / 10, min(2, between(card, end, held) / 5),
            between(0, card, held) / len(held), place == count - 1, (index + 1) / len(rows),
        ]  # fmt: skip

    context = np.zeros(critic.CONTEXT)
    for index, row in enumerate(rows):
        end = rows[index + 1][-1] if index + 1 < len(rows) else MOST_CARDS
        context[index * critic.ROW : (index + 1) * critic.ROW] = [
            1, row[-1] / MOST_CARDS, (rules.capacity - len(row)) / 5, total(row) / 10, total(row) == cheapest,
            len(row) == rules.capacity, min(2, between(row[-1], end, held) / (seats - 1) / 3),
        ]  # fmt: skip
    context[MOST_ROWS * critic.ROW :] = [
        final, count / MOST_HAND, (seats - 1) / 8, rules.capacity / 5, rules.cards / MOST_CARDS, cheapest / 10,
        count == 2,
    ]  # fmt: skip
    cards, units = [], []
    for seat, hand in enumerate(state.hands):
        first = np.array([card_numbers(card, hand) for card in hand], float) @ w.card_in + w.card_in_bias
        cards.append(rectified(rectified(first + w.number[[*hand]]) @ w.card_mid + w.card_mid_bias))
        own, least = state.heads[seat], min(state.heads)
        mean = (sum(state.heads) - own) / (seats - 1)
        numbers = [*np.clip([(own - mean) / 15, (own - least) / 15], -3, 3), own == least, count / 10]
        inputs = np.concatenate([numbers, cards[-1].mean(0), cards[-1].max(0)])
        units.append(rectified(inputs @ w.seat_in + w.seat_in_bias))
    everything = np.concatenate([context, np.mean(units, 0), np.max(units, 0)])
    middle = rectified(rectified(everything @ w.wide + w.wide_bias) @ w.middle + w.middle_bias)
    values = []
    for seat_cards, unit in zip(cards, units, strict=True):
        shared = unit @ w.late_seat + middle @ w.late_context + w.late_context_bias
        last = rectified(rectified(seat_cards @ w.late_card + shared) @ w.last + w.last_bias)
        inputs = np.concatenate([last.mean(0), last.max(0), unit, middle])
        values.append(rectified(inputs @ w.value_in + w.value_in_bias) @ w.value + w.value_bias)
    return np.array(values) * [critic.HEADS_SCALE, 1]


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=10)  # the first call compiles
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12), final=st.booleans())
def test_compiled_values_match_a_reference_implementation(spec: str, seed: int, moves: int, final: bool) -> None:
    deals = dealt(spec, seed, moves)
    if not deals:
        return
    weights = random_weights(seed)
    assert evaluated(*deals, weights, final=final) == pytest.approx(reference(*deals, weights, final=final), abs=1e-3)


def test_the_weights_of_the_package_prefer_cheap_hands() -> None:
    rules = rules_of("nimmt:cowheadking seats=2 hand=3")
    text = "hands={} rows=10,20,30,35,40/50/70/80 opening=10,50,70,80"
    safe_first, safe_second = (
        evaluated(rules, rules.from_text(text.format(hands)))  # type: ignore[arg-type]  # a state
        for hands in ("51,71,81/41,42,43", "41,42,43/51,71,81")
    )
    assert safe_first[0, 0] + 5 < safe_first[1, 0]
    assert safe_first[0, 1] > safe_first[1, 1]
    assert safe_first[::-1] == pytest.approx(safe_second, abs=1e-4)
