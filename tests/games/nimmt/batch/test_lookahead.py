"""The values of `Lookahead` equal those of the scalar rules and the critic, in the worlds of the search."""

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.nimmt.batch.scalar_worlds import SEED, SPECS, choosing, position, rules_of, shuffled

from faceup.core import SeededGenerator
from faceup.games.lanes import AnyArray
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import BatchSearchTrials, critic, kernels, lookahead
from faceup.games.nimmt.batch.beliefs import Beliefs
from faceup.games.nimmt.batch.fitted_policy import FITTED
from faceup.games.nimmt.batch.kernels import row_word
from faceup.games.nimmt.batch.lookahead import Lookahead, draw_cards
from faceup.games.nimmt.batch.search import LOOKAHEAD, SHARES
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, View
from faceup.games.nimmt.validation import seen_cards


def highest_card(rules: Rules, hands: AnyArray, *others: object, **options: object) -> AnyArray:
    """Predict that a seat plays its highest card."""
    del rules, others, options
    return np.repeat([[0.0] * (hands.shape[1] - 1) + [1.0]], len(hands), axis=0)


def world_of(rules: Rules, view: View, number: int) -> State:
    """Return the state of a world of the search."""
    unseen = tuple(sorted({*range(1, rules.cards + 1)} - {*seen_cards(view), *view.hand}))
    others, size = [seat for seat in rules.seats_in(view.out) if seat != view.seat], len(view.hand)
    cards = shuffled(unseen, size * len(others), number, 0)
    hands = {seat: cards[index * size : (index + 1) * size] for index, seat in enumerate(others)}
    hands[view.seat or 0] = [*view.hand]
    state = rules.guess(view, SeededGenerator(1))
    return msgspec.structs.replace(
        state, hands=tuple(tuple(sorted(hands.get(seat, hand))) for seat, hand in enumerate(state.hands))
    )


def play_cards(rules: Rules, state: State, cards: dict[int, int]) -> State:
    state = rules.apply(state, {seat: play(card) for seat, card in cards.items()}).state
    while state.waiting:
        state = rules.apply(state, {state.waiting[0][1]: take(cheapest_row(state.rows))}).state
    return state


def expected_values(rules: Rules, view: View, number: int, card: int) -> tuple[float, float]:
    """Return the heads relative to the others and the share of the win, if the others play their highest cards."""
    state, seats = world_of(rules, view, number), rules.seats_in(view.out)
    after = play_cards(rules, state, {seat: card if seat == view.seat else state.hands[seat][-1] for seat in seats})
    if len(view.hand) == 2:
        after = play_cards(rules, after, {seat: after.hands[seat][0] for seat in seats})
    heads = np.array([after.heads[seat] for seat in seats])
    gains, own = (heads - [view.heads[seat] for seat in seats]).astype(float), seats.index(view.seat or 0)
    wins = (heads == heads.min()).astype(float)
    if len(view.hand) > 2:
        values = critic.evaluate(
            rules,
            np.array([[row_word(row) for row in after.rows]], np.uint16),
            np.array([[after.hands[seat] for seat in seats]], np.uint8),
            heads[None].astype(np.int16),
            final=rules.is_last_deal(view),
        )[0].astype(float)
        gains += values[:, 0]
        wins = np.exp(values[:, 1])
    return gains[own] - np.delete(gains, own).mean(), wins[own] / wins.sum()


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=15)  # the first call compiles
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_values_are_those_of_the_scalar_rules(spec: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    view = rules.view(state, rules.to_act(state)[0])
    if view.waiting or len(view.hand) < 2:
        return
    options = [0, len(view.hand) - 1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lookahead, "predict_cards", highest_card)
        values = Lookahead(rules, view, seed=SEED).values(
            np.array([3, 70], np.uint64), np.zeros(0, np.uint8), np.array(options)
        )
    for world, number in enumerate((3, 70)):
        for index, option in enumerate(options):
            expected = expected_values(rules, view, number, view.hand[option])
            assert values[world, index] == pytest.approx(expected, abs=1e-3)


def test_cards_are_drawn_in_proportion_to_their_probabilities() -> None:
    worlds = 4000
    hands, cards = (
        np.tile(np.array([[3, 8, 9], [10, 20, 30]], np.uint8), (worlds, 1, 1)),
        np.empty((worlds, 2), np.uint8),
    )
    policy = np.tile([[0.2, 0.0, 0.6], [0.1, 0.1, 0.2]], (worlds, 1, 1))
    draw_cards(np.uint64(SEED), np.arange(worlds, dtype=np.uint64), policy, hands, cards)
    for other, chances in enumerate(([0.25, 0, 0.75], [0.25, 0.25, 0.5])):
        shares = [(cards[:, other] == card).mean() for card in hands[0, other]]
        assert shares == pytest.approx(chances, abs=0.03)
    both = ((cards[:, 0] == 3) & (cards[:, 1] == 10)).mean()
    assert both == pytest.approx(1 / 16, abs=0.02)


def test_only_searches_that_play_look_ahead() -> None:
    rules = rules_of("nimmt:cowheadking seats=4")
    view = choosing(rules, 7)
    plays, estimates = (
        BatchSearchTrials(rules, view, model="fitted", objective=objective, seed=SEED, use_beliefs=False)
        for objective in ("win late", "relative")
    )
    count = len(view.hand)
    for trials in (plays, estimates):
        trials.run(range(count), 2 * LOOKAHEAD)
        trials.run([0, 2], 2 * LOOKAHEAD)
    assert len(estimates.behind_in_models(0)) == 2
    worlds, ratings, ahead = (values for values, _ in plays.behind_in_models(2))
    assert worlds == pytest.approx(estimates.behind_in_models(2)[0][0])
    assert plays.behind(2)[0] == pytest.approx(np.array(SHARES[rules.seats][0]) @ [worlds, ratings, ahead])
    look = Lookahead(rules, view, seed=SEED)
    numbers = np.arange(4, dtype=np.uint64)
    values = look.values(numbers, np.zeros(0, np.uint8), np.arange(count))[:, :, 0]
    paired = [len(numbers) if option in (0, 2) else 2 for option in range(count)]
    expected = [(values[:worlds, option] - values[:worlds, 2]).mean() for option, worlds in enumerate(paired)]
    assert ahead == pytest.approx(expected)


@pytest.mark.parametrize(
    ("models", "looks"),
    [
        ((FITTED, FITTED, FITTED), True),
        ((FITTED, FITTED, kernels.GREEDY), True),
        ((FITTED, kernels.RANDOM, kernels.GREEDY), False),
        ((FITTED, kernels.RANDOM, kernels.RANDOM), False),
    ],
)
def test_there_is_no_lookahead_if_most_others_play_simply_or_at_random(
    models: tuple[int, ...], *, looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = rules_of("nimmt:cowheadking seats=4")
    view = choosing(rules, 7)
    trials = BatchSearchTrials(rules, view, model="fitted", objective="win late", seed=SEED)
    monkeypatch.setattr(Beliefs, "models", lambda _: np.array(models))
    trials.run(range(len(view.hand)), 100)
    assert len(trials.behind_in_models(0)) == 2 + looks
