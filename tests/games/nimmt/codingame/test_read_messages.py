"""Thirteen lines are parsed as a decision, with the phase first or last; errors name the line."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.core import Malformed
from faceup.games.nimmt.codingame import DecisionMessage, fallback_action, format_action, parse_decision, parse_start
from faceup.games.nimmt.codingame.messages import check_decision

BODY = [
    "23 88 7 64",
    *("3", "9 12 21", "2", "19 24", "4", "33 42 50 57", "3", "69 72 81"),
    "12 0 7 -999",
    *("2", "30 8"),
]
CARD, ROW = "CHOOSE_CARD_TO_PLAY", "CHOOSE_LINE_TO_PICK"
ROWS = ((9, 12, 21), (19, 24), (33, 42, 50, 57), (69, 72, 81))


def changed(line: int, text: str) -> list[str]:
    """Return the lines of a decision that starts at line 2, with this line replaced."""
    lines = [CARD, *BODY]
    lines[line - 2] = text
    return lines


def test_the_phase_may_come_first_or_last() -> None:
    for phase in (CARD, ROW):
        expected = DecisionMessage(phase, (23, 88, 7, 64), ROWS, (12, 0, 7, -999), (8, 30), 3)
        assert parse_decision([phase, *BODY]) == expected
        assert parse_decision([*BODY, phase]) == expected._replace(line=2)


def test_an_empty_hand_is_an_empty_line() -> None:
    lines = [ROW, *BODY]
    lines[-2:] = ["0", ""]
    assert parse_decision(lines).hand == ()


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (2, "CHOOSE_A_CARD", "line 2: expected CHOOSE_CARD_TO_PLAY or CHOOSE_LINE_TO_PICK; got 'CHOOSE_A_CARD'"),
        (3, "23 88 7", "line 3: expected 4 integers, the last card of each seat; got '23 88 7'"),
        (3, "23 88 7 105", "line 3: expected last cards, each 1 to 104 or -1"),
        (3, "23 88 7 x", "line 3: expected 4 integers"),
        (4, "", "line 4: expected 1 integers, the number of cards of row 0"),
        (5, "9 12", "line 5: expected 3 cards of row 0, the number in line 4; got '9 12'"),
        (9, "33 42 50 0", "line 9: expected cards of row 2, each 1 to 104"),
        (9, "33 42 50 ٣", "line 9: expected the cards of row 2"),
        (12, "0 0 0", "line 12: expected 4 integers, a score for each seat"),
        (13, "two", "line 13: expected 1 integers, the number of cards of the hand; got 'two'"),
        (14, "30", "line 14: expected 2 cards of the hand, the number in line 13; got '30'"),
        (14, "9" * 5000, "line 14: expected the cards of the hand; got '999"),
    ],
)
def test_an_unreadable_line_error_names_the_expected_content(line: int, text: str, message: str) -> None:
    with pytest.raises(Malformed) as refused:
        parse_decision(changed(line, text))
    assert str(refused.value).startswith(message)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize("count", range(13))
def test_a_truncated_decision_error_names_the_missing_line(count: int) -> None:
    for lines in ([CARD, *BODY], [*BODY, CARD]):
        with pytest.raises(Malformed, match=f"line {2 + count}: the input ends where .* was expected"):
            parse_decision(lines[:count])


@pytest.mark.parametrize(
    ("line", "text", "message"),
    [
        (5, "9 21 12", "line 5: expected row 0 to be 1 to 5 cards that ascend"),
        (5, "12 12 21", "line 5: expected row 0 to be 1 to 5 cards that ascend"),
        (7, "12 24", "line 5: expected rows without a card in common"),
        (14, "9 30", "line 14: expected a hand without the cards of line 5; got '9'"),
        (14, "30 30", "line 14: expected a hand of different cards; got '30 30'"),
    ],
)
def test_lines_that_contradict_each_other_are_named(line: int, text: str, message: str) -> None:
    with pytest.raises(Malformed) as refused:
        check_decision(parse_decision(changed(line, text)), 0)
    assert str(refused.value).startswith(message)


def test_only_a_card_below_all_rows_needs_a_row() -> None:
    ask = parse_decision([ROW, *BODY])
    check_decision(ask, 2)
    for seat in (0, 1, 3):
        with pytest.raises(Malformed, match=f"line 3: expected the last card of seat {seat}, which must take a row"):
            check_decision(ask, seat)


def test_an_empty_hand_cannot_choose_a_card() -> None:
    lines = [CARD, *BODY]
    lines[-2:] = ["0", ""]
    with pytest.raises(Malformed, match="line 14: expected a hand to choose a card from"):
        check_decision(parse_decision(lines), 0)


@pytest.mark.parametrize("text", ["", "4", "3 0", "4 4", "4 -1", "4 0 0", "four 1"])
def test_the_first_line_is_four_and_a_seat(text: str) -> None:
    with pytest.raises(Malformed, match="line 1: expected `4 playerId`, with a player from 0 to 3"):
        parse_start(text)


@given(st.lists(st.text(max_size=30), max_size=15))
def test_arbitrary_lines_are_parsed_or_refused(lines: list[str]) -> None:
    for phase in ([], [CARD], [ROW]):
        with suppress(Malformed):
            check_decision(parse_decision([*phase, *lines]), 0)
        fallback_action([*phase, *lines])


def test_a_partly_readable_decision_gets_a_fallback_answer() -> None:
    assert fallback_action(changed(3, "?")) == fallback_action([*changed(3, "?")[1:], CARD]) == "PLAY 8"
    assert fallback_action([ROW]) == "PICK 0"
    assert fallback_action(changed(2, "CHOOSE_A_CARD")) is None
    assert fallback_action([CARD, *BODY[:-1]]) is None
    assert fallback_action(changed(14, "nothing 105")) is None


def test_answers_are_written_as_the_arena_reads_them() -> None:
    assert [format_action(action) for action in (0, 103, 104, 107)] == ["PLAY 1", "PLAY 104", "PICK 0", "PICK 3"]
