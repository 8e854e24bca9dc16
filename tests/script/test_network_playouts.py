"""Playouts by the set network are those of the scalar rules with bot `network` in every seat."""

import msgspec
import numpy as np
import pytest
from network_playouts import network_playouts

from faceup.core import CHANCE, SeededGenerator, draw, make
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.batch import network
from faceup.games.nimmt.placing import cheapest_row
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, View
from faceup.games.nimmt.validation import unseen_cards

WORLDS = 2
SEED = 7


def network_action(rules: Rules, view: View) -> int:
    if view.waiting:
        return take(cheapest_row(view.rows))
    policy = network.evaluate(rules, [view]).policy[0, : len(view.hand), 0]
    return play(view.hand[int(policy.argmax())])


def heads_after(rules: Rules, state: State, seat: int, action: int) -> int:
    """Return the heads that the seat takes in the rest of the deal, after the action."""
    before, actions = state.heads[seat], [action]
    while rules.to_act(state) and not state.earlier:
        move = {}
        for other in rules.to_act(state):
            move[other] = (
                actions.pop() if other == seat and actions else network_action(rules, rules.view(state, other))
            )
        state = rules.apply(state, move).state
    return state.heads[seat] - before


@pytest.mark.long
@pytest.mark.parametrize("spec", ["nimmt:cowheadking", "nimmt:tactical seats=3"])
def test_playouts_equal_games_of_the_network(spec: str) -> None:
    rules = make(spec)
    assert isinstance(rules, Rules)
    rng, state = SeededGenerator(3), rules.start()
    checked = 0
    while (to_act := rules.to_act(state)) and not state.earlier:
        if to_act == (CHANCE,):
            state = rules.apply(state, draw(rules, state, rng)).state
            continue
        seat = to_act[rng.below(len(to_act))]
        view, size = rules.view(state, seat), len(rules.view(state, seat).hand)
        if view.waiting or size % 4 == 2:
            actions = view.legal[:2]
            heads = network_playouts(rules, view, actions, worlds=WORLDS, seed=SEED)
            unseen = np.array([unseen_cards(rules, view)] * WORLDS, np.uint8)
            dealt = np.random.Generator(np.random.SFC64(SEED)).permuted(unseen, axis=1)
            for world in range(WORLDS):
                hands = {(seat + 1 + place) % rules.seats: dealt[world, place * size :][:size].tolist()
                         for place in range(rules.seats - 1)}  # fmt: skip
                hidden = tuple(tuple(sorted(hands.get(other, view.hand))) for other in range(rules.seats))
                start = msgspec.structs.replace(state, hands=hidden)
                assert heads[:, world].tolist() == [heads_after(rules, start, seat, action) for action in actions]
                checked += 1
        move = {other: rules.view(state, other).legal[rng.below(len(rules.view(state, other).legal))]
                for other in to_act}  # fmt: skip
        state = rules.apply(state, move).state
    assert checked >= 6
