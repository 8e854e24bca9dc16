"""The referee's messages to a program, and the answers it may send."""

import pytest

from faceup.core import FORFEIT, Malformed, find_game, make, read
from faceup.games.nimmt.actions import play, take
from faceup.games.nimmt.codingame import CODINGAME, format_decision, format_start, parse_action
from faceup.games.nimmt.rules import Rules
from faceup.games.nimmt.state import State, View

RULES = make("nimmt:arena")
assert isinstance(RULES, Rules)


def position() -> State:
    state = RULES.from_text(
        "rows=9,12,21/19,24/33,42,50,57/69,72,81 hands=23,30/88,90/7,8/64,65 heads=1,2,3,4 opening=9,19,33,69"
    )
    assert isinstance(state, State)
    return state


def test_the_protocol_is_found_with_the_game() -> None:
    assert find_game("nimmt").formats["codingame"] is CODINGAME


def test_the_first_line_has_the_seats_and_the_bots_own() -> None:
    assert format_start(3) == ["4 3"]


def test_a_card_decision_has_thirteen_lines() -> None:
    lines = ["CHOOSE_CARD_TO_PLAY", "-1 -1 -1 -1", "3", "9 12 21", "2", "19 24", "4", "33 42 50 57", "3", "69 72 81"]
    lines += ["1 2 3 4", "2", "23 30"]
    view = RULES.view(position(), 0)
    assert format_decision(view) == lines
    assert format_decision(view, phase_last=True) == [*lines[1:], lines[0]]


def test_a_row_decision_has_the_cards_of_this_turn_and_the_heads_before_it() -> None:
    state, _ = RULES.apply(position(), {0: play(23), 1: play(88), 2: play(7), 3: play(64)})
    lines = format_decision(RULES.view(state, 2))
    assert lines[:2] == ["CHOOSE_LINE_TO_PICK", "23 88 7 64"]
    assert lines[-3:] == ["1 2 3 4", "1", "8"]


def test_a_seat_that_is_out_has_no_last_card_and_a_score_of_minus_999() -> None:
    state, _ = RULES.apply(position(), {0: play(23), 1: FORFEIT, 2: play(7), 3: play(64)})
    lines = format_decision(RULES.view(state, 2))
    assert lines[1] == "23 -1 7 64"
    assert lines[-3] == "1 -999 3 4"


def test_an_answer_is_a_verb_a_number_and_an_optional_message() -> None:
    view = RULES.view(position(), 0)
    assert parse_action(view, "PLAY 30") == parse_action(view, "PLAY 30 have at you!") == play(30)
    state, _ = RULES.apply(position(), {0: play(23), 1: play(88), 2: play(7), 3: play(64)})
    assert parse_action(RULES.view(state, 2), "PICK 3") == take(3)


@pytest.mark.parametrize("text", ["", "PLAY", "play 30", "PLAY x", "PLAY -1", "PLAY 0", "PLAY 105", "PICK 0", "30"])
def test_any_other_answer_is_malformed(text: str) -> None:
    with pytest.raises(Malformed, match="expected PLAY and a card"):
        parse_action(RULES.view(position(), 0), text)


@pytest.mark.parametrize("text", ["PICK 4", "PICK -1", "PLAY 8"])
def test_any_other_row_answer_is_malformed(text: str) -> None:
    state, _ = RULES.apply(position(), {0: play(23), 1: play(88), 2: play(7), 3: play(64)})
    with pytest.raises(Malformed, match="expected PICK and a row"):
        parse_action(RULES.view(state, 2), text)


def test_the_samples_are_a_decision_of_each_kind_after_some_turns() -> None:
    views = [read(sample)[1] for sample in CODINGAME.samples]
    assert [bool(view.waiting) for view in views if isinstance(view, View)] == [False, True]
    assert all(len(view.legal) > 1 and view.log for view in views if isinstance(view, View))
