"""The client answers whenever a legal answer exists, and reports each error in one line."""

from collections.abc import Callable

import pytest

from faceup.games.nimmt.codingame import Knowledge
from faceup.games.nimmt.codingame.client import run_client

ASK = ["CHOOSE_CARD_TO_PLAY", "-1 -1 -1 -1", "1", "5", "1", "6", "1", "88", "1", "29", "0 0 0 0", "2", "7 44"]
LATER = ["CHOOSE_CARD_TO_PLAY", "7 8 9 10", "1", "5", "5", "6 7 8 9 10", "1", "88", "1", "29", "0 0 0 0", "1", "44"]


def first(knowledge: Knowledge) -> int:
    return knowledge.legal[0]


def talk(*lines: str, end: str = "\n", choose: Callable[[Knowledge], int] = first) -> tuple[int, list[str], list[str]]:
    """Return the exit status, the answers and the log lines."""
    sent, answers, logged = [f"{line}{end}" for line in lines], list[str](), list[str]()
    status = run_client(lambda: sent.pop(0) if sent else "", answers.append, logged.append, choose)
    return status, answers, logged


@pytest.mark.parametrize("end", ["\n", "\r\n", " \n"])
def test_decisions_are_answered_until_the_input_ends(end: str) -> None:
    assert talk("4 0", *ASK, *LATER, end=end) == (
        0,
        ["PLAY 7", "PLAY 44"],
        ["line 28: the input ends where the next decision was expected"],
    )


def test_empty_input_is_reported() -> None:
    assert talk() == (2, [], ["line 1: the input ends where `4 playerId` was expected"])
    assert talk("5 0") == (2, [], ["line 1: expected `4 playerId`, with a player from 0 to 3; got '5 0'"])


def test_a_decision_cut_short_ends_the_match() -> None:
    status, answers, logged = talk("4 0", *ASK, *LATER[:5])
    assert (status, answers) == (2, ["PLAY 7"])
    assert logged == ["line 20: the input ends where the cards of row 1 was expected"]


def test_an_unterminated_last_line_is_ignored() -> None:
    status, answers, logged = talk("4 0", *ASK[:-1], "7 44", end="\n")
    assert (status, answers) == (0, ["PLAY 7"])
    sent = iter([*(f"{line}\n" for line in ("4 0", *ASK[:-1])), "7 4", ""])
    assert run_client(lambda: next(sent), answers.append, logged.append, first) == 2
    assert logged[-1] == "line 14: the input ends where the hand was expected"


def test_an_unknown_phase_ends_the_match() -> None:
    status, answers, logged = talk("4 0", "DRAW_A_CARD", *ASK[1:])
    assert (status, answers) == (2, [])
    assert logged == ["line 2: expected CHOOSE_CARD_TO_PLAY or CHOOSE_LINE_TO_PICK; got 'DRAW_A_CARD'"]


def test_an_unreadable_line_is_answered_and_then_reported() -> None:
    status, answers, logged = talk("4 0", *ASK[:3], "five", *ASK[4:])
    assert (status, answers) == (2, ["PLAY 7"])
    assert logged == ["line 5: expected the cards of row 0; got 'five'"]


def test_a_contradiction_is_reported_and_play_continues() -> None:
    status, answers, logged = talk("4 0", *ASK[:-1], "5 44", *LATER)
    assert (status, answers) == (0, ["PLAY 5", "PLAY 44"])
    assert logged[0] == "line 14: expected a hand without the cards of line 5; got '5'"


def test_with_no_card_to_play_there_is_no_answer() -> None:
    status, answers, logged = talk("4 0", *ASK[:-2], "0", "")
    assert (status, answers) == (2, [])
    assert logged == ["line 14: expected a hand to choose a card from; got ''"]


def test_a_failing_bot_still_gives_a_legal_answer() -> None:
    def broken(knowledge: Knowledge) -> int:
        return knowledge.hand[10]

    status, answers, logged = talk("4 0", *ASK, choose=broken)
    assert (status, answers) == (0, ["PLAY 7"])
    assert (
        logged[0]
        == "the bot answered with the first legal action, because `choose` failed: IndexError: tuple index out of range"
    )


def test_an_illegal_choice_is_not_sent() -> None:
    _, answers, logged = talk("4 0", *ASK, choose=lambda knowledge: knowledge.legal[-1] + 1)
    assert answers == ["PLAY 7"]
    assert logged[0] == "the bot answered with the first legal action, because the chosen action 44 is illegal"
