"""Seats that a game does not have, and chance that is not due."""

import pytest

from faceup.core import CHANCE, AnyRules, SeededGenerator, State, WrongSeatError, draw, make

SPECS = ["nimmt seats=3", "niuniu seats=3", "war"]


def after_deal(rules: AnyRules) -> State:
    state: State = rules.start()
    while rules.to_act(state) == (CHANCE,):
        state = rules.apply(state, draw(rules, state, SeededGenerator(1))).state
    return state


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("seat", [CHANCE, -2, 3, 2**70])
def test_a_seat_that_does_not_exist_sees_nothing_and_may_do_nothing(spec: str, seat: int) -> None:
    """-1 saw the hand of the last seat."""
    rules = make(spec)
    state = after_deal(rules)
    with pytest.raises(WrongSeatError, match=f"there is no seat {seat}: the seats are 0 to {rules.seats - 1}"):
        rules.view(state, seat)
    assert rules.legal(state, seat) == ()
    assert rules.legal(rules.start(), seat) == ()


@pytest.mark.parametrize("spec", SPECS)
def test_nothing_is_drawn_unless_chance_is_due(spec: str) -> None:
    rules = make(spec)
    with pytest.raises(WrongSeatError, match="no outcome of chance is due now"):
        draw(rules, after_deal(rules), SeededGenerator(1))
