"""A bot knows of a match all that its seat may know, as far as the protocol tells."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from faceup.core import CHANCE, FORFEIT, Malformed, draw, generator, make
from faceup.games.nimmt.codingame import Recall, as_view, read_ask, write_ask
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State

RULES = make("nimmt:arena")
assert isinstance(RULES, Rules)


def states(seed: int, forfeits: bool = False) -> Iterator[tuple[State, dict[int, int]]]:
    """The states of a match of random players in which seats are to act, with what they do."""
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


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**64 - 1), phase_last=st.booleans())
def test_what_a_bot_recalls_is_the_view_of_its_seat(seed: int, phase_last: bool) -> None:
    recalls = [Recall(seat) for seat in range(4)]
    for state, move in states(seed):
        for seat, action in move.items():
            view = RULES.view(state, seat)
            known = recalls[seat].hear(read_ask(write_ask(view, phase_last=phase_last)))
            assert as_view(known) == view
            recalls[seat].answered(action)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**64 - 1))
def test_what_is_hidden_after_a_forfeit_is_left_out_and_the_rest_is_known(seed: int) -> None:
    recalls = [Recall(seat) for seat in range(4)]
    for state, move in states(seed, forfeits=True):
        for seat, action in move.items():
            view = RULES.view(state, seat)
            known = as_view(recalls[seat].hear(read_ask(write_ask(view))))
            assert (known.legal, known.hand, known.rows) == (view.legal, view.hand, view.rows)
            assert set(known.to_act) == set(view.to_act)
            assert {each for group in known.out for each in group} == {each for group in view.out for each in group}
            assert [card for card, _ in known.waiting] == [card for card, _ in view.waiting]
            if not view.aside:
                assert replace(known, out=(), heads=()) == replace(view, out=(), heads=())
            recalls[seat].answered(action)


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**64 - 1))
def test_scores_of_either_sign_and_last_cards_of_the_deal_before_say_the_same(seed: int) -> None:
    recall = Recall(0)
    last: tuple[int, ...] = (-1,) * 4
    for state, move in states(seed):
        if 0 in move:
            view = RULES.view(state, 0)
            ask = read_ask(write_ask(view))
            if not state.log:
                ask = ask._replace(last=last)
            known = recall.hear(ask._replace(scores=tuple(-score for score in ask.scores)))
            assert as_view(known) == view
            recall.answered(move[0])
        if not state.waiting:
            last = tuple(move[seat] + 1 for seat in range(4))


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**64 - 1), skip=st.integers(1, 60))
def test_a_bot_that_joins_midway_holds_nothing_for_unseen_that_it_has_seen(seed: int, skip: int) -> None:
    recall, seen = Recall(1), set[int]()
    before = 10
    for number, (state, move) in enumerate(states(seed)):
        if number < skip or 1 not in move:
            continue
        view = RULES.view(state, 1)
        if len(view.hand) > before:
            seen.clear()
        before = len(view.hand)
        known = recall.hear(read_ask(write_ask(view)))
        seen |= {card for row in view.rows for card in row}
        told = {*known.aside, *(card for cards in (*known.rows, *known.taken) for card in cards)}
        told |= {card for card, _ in known.waiting}
        assert seen <= told
        assert not told & set(known.hand)
        recall.answered(move[1])


def test_a_decision_that_contradicts_itself_is_refused_and_what_it_says_can_still_be_had() -> None:
    recall = Recall(0)
    lines = ["CHOOSE_CARD_TO_PLAY", "-1 -1 -1 -1", "1", "5", "1", "6", "1", "88", "1", "29", "0 0 0 0", "2", "6 44"]
    with pytest.raises(Malformed, match="line 14: expected a hand without the cards of line 7, not '6'"):
        recall.hear(read_ask(lines))
    assert recall.told(read_ask(lines)).legal == (5, 43)
