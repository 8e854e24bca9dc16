"""What search is told of its options is what the scalar rules say of the same worlds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faceup.core import CHANCE, FORFEIT, Malformed, Seeded, draw, make
from faceup.core.generator import mix
from faceup.games.nimmt import GAME, Rules
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.batch import Trials
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.position import seen
from faceup.games.nimmt.state import State, View

SEED = 11
WEYL = 0x9E3779B97F4A7C15
SPECS = [
    *(f"nimmt:cowheadking seats={seats}" for seats in range(2, 11)),
    "nimmt:arena",
    "nimmt:classic seats=3",
    "nimmt:tactical seats=5",
    "nimmt:cowheadking seats=3 rows=6 capacity=3 hand=4",
]


def rules_of(spec: str) -> Rules:
    rules = make(spec)
    assert isinstance(rules, Rules)
    return rules


def shuffled(cards: tuple[int, ...], count: int, world: int, deal: int) -> list[int]:
    """The first places of a Fisher-Yates shuffle, by the words of the world's lane."""
    key = mix((mix((SEED + WEYL) % 2**64) + world * WEYL) % 2**64)
    deck, rest, number = list(cards), 0, deal * 64
    for place in range(count):
        if place % 3 == 0:
            number += 1
            rest = mix((key + number * WEYL) % 2**64) >> 7
        product = rest * (len(deck) - place)
        other, rest = place + (product >> 57), product % 2**57
        deck[place], deck[other] = deck[other], deck[place]
    return deck[:count]


def played_out(rules: Rules, view: View, world: int, option: int, model: str) -> tuple[list[int], bool]:
    """The heads that each seat gets in this world from now on, and whether the own seat takes a row this turn."""
    assert view.seat is not None
    size = len(view.hand)
    unseen = tuple(sorted({*range(1, rules.cards + 1)} - {*seen(view), *view.hand}))
    gone = {seat for group in view.out for seat in group}
    others = [seat for seat in range(rules.seats) if seat not in gone and seat != view.seat]
    drawn = shuffled(unseen, size * len(others), world, 0)
    orders = {seat: drawn[index * size : (index + 1) * size] for index, seat in enumerate(others)}
    mine = shuffled(view.hand, size, world, 1)
    action = view.legal[option]
    if action < TAKE:
        at = mine.index(action + 1)
        mine[0], mine[at] = mine[at], mine[0]
    orders[view.seat] = mine
    hands = tuple(tuple(sorted(orders.get(seat, [0] * view.sizes[seat]))) for seat in range(rules.seats))
    state = State(
        hands, view.rows, view.taken, view.heads, view.waiting, view.out, view.aside, view.earlier, view.opening,
        view.log,
    )  # fmt: skip
    deals, risk, first, turns = len(view.earlier), False, True, 0
    while len(state.earlier) == deals and rules.to_act(state) not in ((), (CHANCE,)):
        if state.waiting:
            seat = state.waiting[0][1]
            row = action - TAKE if first and action >= TAKE else cheapest_row(state.rows)
            state = rules.apply(state, {seat: take(row)}).state
        else:
            move = {seat: play(orders[seat][turns]) for seat in orders}
            if model != "random":
                policy = GAME.policies[model]
                for seat in orders:
                    if not (first and seat == view.seat):
                        move[seat] = policy(rules, rules.view(state, seat), Seeded(0))
            state = rules.apply(state, move).state
            turns += 1
        first = False
        if turns <= 1 - bool(view.waiting):
            risk = state.heads[view.seat] > view.heads[view.seat]
    return [now - before for now, before in zip(state.heads, view.heads, strict=True)], risk


def position(rules: Rules, seed: int, moves: int, *, forfeits: bool = False) -> State:
    """One that random play comes to in a deal, with somebody to decide."""
    state, rng = rules.start(), Seeded(seed)
    state = rules.apply(state, draw(rules, state, rng)).state
    for _ in range(moves):
        move = {}
        for seat in rules.to_act(state):
            legal = rules.legal(state, seat)
            move[seat] = legal[rng.below(len(legal))]
        if forfeits and rng.below(6) == 0:
            move[rules.to_act(state)[0]] = FORFEIT
        after = rules.apply(state, move).state
        if rules.to_act(after) in ((), (CHANCE,)):
            return state
        state = after
    return state


def choosing(rules: Rules, cards: int) -> View:
    """Of seat 0 when everybody is to choose one of so many cards."""
    for seed in range(100):
        state = position(rules, seed, rules.hand - cards)
        if not state.waiting and len(state.hands[0]) == cards:
            return rules.view(state, 0)
    raise AssertionError(rules)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("model", ["random", "greedy"])
@settings(deadline=None, max_examples=25)  # the first call compiles
@given(seed=st.integers(0, 1 << 32), moves=st.integers(0, 12))
def test_each_world_is_played_as_the_scalar_rules_play_it(spec: str, model: str, seed: int, moves: int) -> None:
    rules = rules_of(spec)
    state = position(rules, seed, moves, forfeits=rules.forfeits)
    seats = rules.to_act(state)
    seat = seats[seed % len(seats)]
    view = rules.view(state, seat)
    trials = Trials(rules, view, model=model, objective="win", seed=SEED)
    options = range(len(view.legal))
    before = np.zeros(len(view.legal))
    for world in range(2):
        trials.run(options, 1)
        for option in options:
            heads, risk = played_out(rules, view, world, option, model)
            gone = {other for group in view.out for other in group}
            active = [other for other in range(rules.seats) if other not in gone]
            total = trials.means("heads")[0][option] * (world + 1)
            assert total - before[option] == pytest.approx(heads[seat])
            before[option] = total
            if world == 0:
                rest = [heads[other] for other in active if other != seat]
                assert trials.means("relative")[0][option] == pytest.approx(heads[seat] - sum(rest) / len(rest))
                ends = {other: view.heads[other] + heads[other] for other in active}
                winners = [other for other in active if ends[other] == min(ends.values())]
                assert trials.means("win")[0][option] == pytest.approx((seat in winners) / len(winners))
                assert trials.risk()[option] == risk
                assert trials.spread()[option][heads[seat]] == 1
    assert trials.worlds.tolist() == [2] * len(view.legal)


def test_worlds_do_not_depend_on_how_they_are_divided() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    whole, parts = (Trials(rules, view, model="random", objective="heads", seed=SEED) for _ in range(2))
    whole.run(range(8), 700)
    for worlds in (1, 255, 300, 144):
        parts.run(range(8), worlds)
    for measure in ("heads", "relative", "win"):
        assert np.array_equal(whole.means(measure), parts.means(measure))
    assert np.array_equal(whole.behind(3), parts.behind(3))
    assert np.array_equal(whole.spread(), parts.spread())


def test_differences_are_those_of_the_worlds_in_which_both_were_tried() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    few, more = (Trials(rules, view, model="random", objective="heads", seed=SEED) for _ in range(2))
    few.run(range(8), 100)
    more.run(range(8), 100)
    more.run([2, 5], 50)
    means, errors = more.behind(5)
    assert [means[5], errors[5]] == [0, 0]
    assert np.array_equal(np.delete(means, 2), np.delete(few.behind(5)[0], 2))
    assert means[2] == pytest.approx(more.means("heads")[0][2] - more.means("heads")[0][5])
    assert more.worlds.tolist() == [100, 100, 150, 100, 100, 150, 100, 100]


def test_nobody_decides_in_a_view_of_a_spectator_or_before_the_deal() -> None:
    rules = rules_of("nimmt")
    for view in (rules.view(position(rules, 1, 2), None), rules.view(rules.start(), 0)):
        with pytest.raises(Malformed, match="not of a seat that decides"):
            Trials(rules, view, model="random", objective="heads", seed=0)


def test_an_unknown_model_or_objective_is_named_with_the_nearest() -> None:
    rules = rules_of("nimmt")
    view = choosing(rules, 8)
    with pytest.raises(Malformed, match=r"model 'gredy'.*greedy"):
        Trials(rules, view, model="gredy", objective="heads", seed=0)
    with pytest.raises(Malformed, match=r"objective 'wins'.*win"):
        Trials(rules, view, model="random", objective="wins", seed=0)
