"""In play a legal answer always goes out if there is one, and what is wrong is said in one line."""

from collections.abc import Callable

import pytest

from faceup.games.nimmt.codingame import Known
from faceup.games.nimmt.codingame.conversation import converse

ASK = ["CHOOSE_CARD_TO_PLAY", "-1 -1 -1 -1", "1", "5", "1", "6", "1", "88", "1", "29", "0 0 0 0", "2", "7 44"]
LATER = ["CHOOSE_CARD_TO_PLAY", "7 8 9 10", "1", "5", "5", "6 7 8 9 10", "1", "88", "1", "29", "0 0 0 0", "1", "44"]


def first(known: Known) -> int:
    return known.legal[0]


def talk(*lines: str, end: str = "\n", choose: Callable[[Known], int] = first) -> tuple[int, list[str], list[str]]:
    """The exit status, the answers, and what was said to whoever looks after the bot."""
    given, answers, said = [f"{line}{end}" for line in lines], list[str](), list[str]()
    status = converse(lambda: given.pop(0) if given else "", answers.append, said.append, choose)
    return status, answers, said


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_decisions_are_answered_until_the_input_ends(end: str) -> None:
    assert talk("4 0", *ASK, *LATER, end=end) == (
        0,
        ["PLAY 7", "PLAY 44"],
        ["line 28: the input ends where the next decision was expected"],
    )


def test_input_that_ends_before_it_begins_is_said() -> None:
    assert talk() == (2, [], ["line 1: the input ends where `4 playerId` was expected"])
    assert talk("5 0") == (2, [], ["line 1: expected `4 playerId`, with a player from 0 to 3, not '5 0'"])


def test_a_decision_cut_short_ends_the_match() -> None:
    status, answers, said = talk("4 0", *ASK, *LATER[:5])
    assert (status, answers) == (2, ["PLAY 7"])
    assert said == ["line 20: the input ends where the cards of row 1 was expected"]


def test_a_last_line_without_an_end_is_cut_short() -> None:
    status, answers, said = talk("4 0", *ASK[:-1], "7 44", end="\n")
    assert (status, answers) == (0, ["PLAY 7"])
    given = iter([*(f"{line}\n" for line in ("4 0", *ASK[:-1])), "7 4", ""])
    assert converse(lambda: next(given), answers.append, said.append, first) == 2
    assert said[-1] == "line 14: the input ends where the hand was expected"


def test_an_unknown_phase_ends_the_match() -> None:
    status, answers, said = talk("4 0", "DRAW_A_CARD", *ASK[1:])
    assert (status, answers) == (2, [])
    assert said == ["line 2: expected CHOOSE_CARD_TO_PLAY or CHOOSE_LINE_TO_PICK, not 'DRAW_A_CARD'"]


def test_a_line_that_cannot_be_read_is_said_once_a_legal_answer_is_out() -> None:
    status, answers, said = talk("4 0", *ASK[:3], "five", *ASK[4:])
    assert (status, answers) == (2, ["PLAY 7"])
    assert said == ["line 5: expected the cards of row 0, not 'five'"]


def test_a_contradiction_is_said_and_play_goes_on() -> None:
    status, answers, said = talk("4 0", *ASK[:-1], "5 44", *LATER)
    assert (status, answers) == (0, ["PLAY 5", "PLAY 44"])
    assert said[0] == "line 14: expected a hand without the cards of line 5, not '5'"


def test_with_no_card_to_play_there_is_no_answer() -> None:
    status, answers, said = talk("4 0", *ASK[:-2], "0", "")
    assert (status, answers) == (2, [])
    assert said == ["line 14: expected a hand to choose a card from, not ''"]


def test_a_player_that_fails_still_gives_a_legal_answer() -> None:
    def broken(known: Known) -> int:
        return known.hand[10]

    status, answers, said = talk("4 0", *ASK, choose=broken)
    assert (status, answers) == (0, ["PLAY 7"])
    assert said[0] == "choosing failed, and the first legal answer was given: IndexError: tuple index out of range"


def test_a_choice_that_is_not_legal_is_not_sent() -> None:
    _, answers, said = talk("4 0", *ASK, choose=lambda known: known.legal[-1] + 1)
    assert answers == ["PLAY 7"]
    assert said[0] == "44 was chosen, which is not legal, and the first legal answer was given"
