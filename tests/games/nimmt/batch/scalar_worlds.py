"""Worlds of the search, dealt and played by the scalar rules."""

from collections.abc import Callable

import pytest

from faceup.core import CHANCE, FORFEIT, SeededGenerator, draw, make
from faceup.core.generator import mix
from faceup.games.nimmt import Rules
from faceup.games.nimmt.actions import TAKE, play, take
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.state import State, View
from faceup.games.nimmt.validation import seen_cards

SEED = 11
WEYL = 0x9E3779B97F4A7C15
QUICK = ("nimmt:arena", "nimmt:cowheadking seats=3 rows=6 capacity=3 hand=4")
SPECS = [
    *QUICK,
    *(
        pytest.param(spec, marks=pytest.mark.slow)
        for spec in (
            *(f"nimmt:cowheadking seats={seats}" for seats in (2, 10)),
            "nimmt:classic seats=3",
            "nimmt:tactical seats=5",
        )
    ),
    *(pytest.param(f"nimmt:cowheadking seats={seats}", marks=pytest.mark.long) for seats in range(3, 10)),
]


def rules_of(spec: str) -> Rules:
    rules = make(spec)
    assert isinstance(rules, Rules)
    return rules


def shuffled(cards: tuple[int, ...], count: int, world: int, deal: int) -> list[int]:
    """Return the first cards of a Fisher-Yates shuffle by the random words of the world's lane."""
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


def played_out(
    rules: Rules,
    view: View,
    world: int,
    option: int,
    chooses: Callable[[View, list[int], int], int] | None,
    *,
    own: int | None = None,
) -> tuple[list[int], bool]:
    """Return the heads each seat takes in the rest of this world, and whether the deciding seat takes a row this turn.

    Cards are played in the order in which they were drawn, or as `chooses` does from a view, that order and a turn. The
    order of the own cards is that of world `own`, if not of this one.
    """
    assert view.seat is not None
    size = len(view.hand)
    unseen = tuple(sorted({*range(1, rules.cards + 1)} - {*seen_cards(view), *view.hand}))
    out = {seat for group in view.out for seat in group}
    others = [seat for seat in range(rules.seats) if seat not in out and seat != view.seat]
    drawn = shuffled(unseen, size * len(others), world, 0)
    orders = {seat: drawn[index * size : (index + 1) * size] for index, seat in enumerate(others)}
    own_cards = shuffled(view.hand, size, world if own is None else own, 1)
    action = view.legal[option]
    if action < TAKE:
        at = own_cards.index(action + 1)
        own_cards[0], own_cards[at] = own_cards[at], own_cards[0]
    orders[view.seat] = own_cards
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
            move = {}
            for seat, order in orders.items():
                if chooses is None or (first and seat == view.seat):
                    move[seat] = play(order[turns])
                else:
                    move[seat] = play(chooses(rules.view(state, seat), order, turns))
            state = rules.apply(state, move).state
            turns += 1
        first = False
        if turns <= 1 - bool(view.waiting):
            risk = state.heads[view.seat] > view.heads[view.seat]
    return [now - before for now, before in zip(state.heads, view.heads, strict=True)], risk


def position(rules: Rules, seed: int, moves: int, *, forfeits: bool = False) -> State:
    """Return a position of random play in which a seat is to act."""
    state, rng = rules.start(), SeededGenerator(seed)
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
    """Return the view of seat 0 when everyone chooses one of this many cards."""
    for seed in range(100):
        state = position(rules, seed, rules.hand - cards)
        if not state.waiting and len(state.hands[0]) == cards:
            return rules.view(state, 0)
    raise AssertionError(rules)
