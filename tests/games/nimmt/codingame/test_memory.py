"""The memory holds everything that its seat may know, as far as the protocol shows it."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from faceup.core import CHANCE, FORFEIT, Malformed, draw, generator, make
from faceup.games.nimmt.codingame import MatchMemory, as_view, format_decision, parse_decision
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State

RULES = make("nimmt:arena")
assert isinstance(RULES, Rules)


def states(seed: int, forfeits: bool = False) -> Iterator[tuple[State, dict[int, int]]]:
    """Yield the states of a random match in which seats are to act, and their actions."""
    rng, state = generator(seed), RULES.start()
    while to_act := RULES.to_act(state):
        if to_act == (CHANCE,):
            state, _ = RULES.apply(state, draw(RULES, state, rng))
            continue
        move = {seat: legal[rng.below(len(legal))] for seat in to_act for legal in [RULES.legal(state, seat)]}
        if forfeits and rng.below(30) == 0:
            move[to_act[rng.below(len(to_act))]] = FORFEIT
        yield state, move
        state, _ = RULES.apply(state, move)


@given(seed=st.integers(0, 2**64 - 1), phase_last=st.booleans())
def test_the_memory_equals_the_view_of_the_seat(seed: int, phase_last: bool) -> None:
    recalls = [MatchMemory(seat) for seat in range(4)]
    for state, move in states(seed):
        for seat, action in move.items():
            view = RULES.view(state, seat)
            knowledge = recalls[seat].observe(parse_decision(format_decision(view, phase_last=phase_last)))
            assert as_view(knowledge) == view
            recalls[seat].record_answer(action)


@given(seed=st.integers(0, 2**64 - 1))
def test_after_a_forfeit_only_hidden_information_is_missing(seed: int) -> None:
    recalls = [MatchMemory(seat) for seat in range(4)]
    for state, move in states(seed, forfeits=True):
        for seat, action in move.items():
            view = RULES.view(state, seat)
            recalled = as_view(recalls[seat].observe(parse_decision(format_decision(view))))
            assert (recalled.legal, recalled.hand, recalled.rows) == (view.legal, view.hand, view.rows)
            assert set(recalled.to_act) == set(view.to_act)
            assert {seat for group in recalled.out for seat in group} == {seat for group in view.out for seat in group}
            assert [card for card, _ in recalled.waiting] == [card for card, _ in view.waiting]
            if not view.aside:
                assert replace(recalled, out=(), heads=()) == replace(view, out=(), heads=())
            recalls[seat].record_answer(action)


@given(seed=st.integers(0, 2**64 - 1))
def test_score_signs_and_previous_last_cards_make_no_difference(seed: int) -> None:
    recall = MatchMemory(0)
    last: tuple[int, ...] = (-1,) * 4
    for state, move in states(seed):
        if 0 in move:
            view = RULES.view(state, 0)
            ask = parse_decision(format_decision(view))
            if not state.log:
                ask = ask._replace(last=last)
            knowledge = recall.observe(ask._replace(scores=tuple(-score for score in ask.scores)))
            assert as_view(knowledge) == view
            recall.record_answer(move[0])
        if not state.waiting:
            last = tuple(move[seat] + 1 for seat in range(4))


@given(seed=st.integers(0, 2**64 - 1), skip=st.integers(1, 60))
def test_a_bot_that_joins_midway_knows_the_cards_it_has_seen(seed: int, skip: int) -> None:
    recall, seen = MatchMemory(1), set[int]()
    before = 10
    for number, (state, move) in enumerate(states(seed)):
        if number < skip or 1 not in move:
            continue
        view = RULES.view(state, 1)
        if len(view.hand) > before:
            seen.clear()
        before = len(view.hand)
        knowledge = recall.observe(parse_decision(format_decision(view)))
        seen |= {card for row in view.rows for card in row}
        remembered = {*knowledge.aside, *(card for cards in (*knowledge.rows, *knowledge.taken) for card in cards)}
        remembered |= {card for card, _ in knowledge.waiting}
        assert seen <= remembered
        assert not remembered & set(knowledge.hand)
        recall.record_answer(move[1])


def test_a_contradictory_decision_is_refused_and_can_be_observed_alone() -> None:
    recall = MatchMemory(0)
    lines = ["CHOOSE_CARD_TO_PLAY", "-1 -1 -1 -1", "1", "5", "1", "6", "1", "88", "1", "29", "0 0 0 0", "2", "6 44"]
    with pytest.raises(Malformed, match="line 14: expected a hand without the cards of line 7; got '6'"):
        recall.observe(parse_decision(lines))
    assert recall.observe_alone(parse_decision(lines)).legal == (5, 43)
