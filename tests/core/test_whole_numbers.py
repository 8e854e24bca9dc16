"""Public integers: those of every library are accepted, and everything else is refused with a message."""

from typing import Any

import numpy as np
import pytest

from faceup.bots import policy
from faceup.coach.search_budget import SearchBudget
from faceup.core import IllegalActionError, Malformed, RulesError, SeededGenerator, draw, make
from faceup.core.whole_numbers import to_int
from faceup.games.nimmt.rules import Rules
from faceup.sim.run import plan

KINDS = [np.int8, np.uint8, np.int32, np.int64, np.uint64]


@pytest.mark.parametrize("kind", KINDS)
def test_options_accept_integers_of_numpy(kind: Any) -> None:
    rules = make("nimmt", seats=kind(3), hand=kind(4))
    assert rules == make("nimmt seats=3 hand=4")
    assert Rules(variant="cowheadking", seats=kind(3)) == Rules(variant="cowheadking", seats=3)
    assert {type(rules.seats), type(Rules(variant="cowheadking", seats=kind(3)).seats)} == {int}
    assert type(SearchBudget(seed=kind(7)).seed) is int
    run = plan(rules, ["random"], deals=kind(5), seed=kind(7))
    assert (type(run.deals), type(run.seed)) == (int, int)


@pytest.mark.parametrize(
    "number",
    [True, np.bool_(True), 3.0, np.float64(3), 1 << 16000, None, [3]],
    ids=lambda number: type(number).__name__,
)
def test_options_refuse_everything_else(number: Any) -> None:
    with pytest.raises(RulesError):
        make("nimmt", seats=number)
    with pytest.raises(Malformed, match="seats"):
        Rules(variant="cowheadking", seats=number)
    with pytest.raises(Malformed, match="seed"):
        plan(make("nimmt"), ["random"], deals=5, seed=number)


@pytest.mark.parametrize("spec", ["nimmt seats=2", "war", "niuniu seats=2"])
def test_rules_refuse_actions_that_only_equal_a_legal_one(spec: str) -> None:
    rules = make(spec)
    state = rules.start()
    while -1 in rules.to_act(state):
        state = rules.apply(state, draw(rules, state, SeededGenerator(1))).state
    move = {seat: policy(rules.game, "random")(rules, rules.view(state, seat), SeededGenerator(2)) for seat in (0, 1)}
    after = rules.apply(state, move).state
    assert rules.apply(state, {0: np.int64(move[0]), 1: move[1]}).state == after
    for action in (float(move[0]), np.float32(move[0]), str(move[0]), *([bool(move[0])] if move[0] < 2 else [])):
        with pytest.raises(IllegalActionError):
            rules.apply(state, {0: action, 1: move[1]})


def test_numbers_too_large_to_print_have_a_message() -> None:
    with pytest.raises(Malformed, match="a seed is out of range; got a number of 16610 bits"):
        to_int("a seed", 1 << 16609)
