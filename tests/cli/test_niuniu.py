"""`faceup niuniu score`."""

import json
import subprocess

import pytest
from tests.cli.in_process import inside


def score(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return inside("niuniu", "score", *arguments, stdin=stdin)


def test_it_answers_line_by_line_and_continues_after_an_invalid_line() -> None:
    lines = [
        '{"dice": [5,2,4,6,3]}',
        "",
        '{"dice": [4,5,5,4,1]}',
        '{"dice": [1,2,3]}',
        '{"dice": [3,3,3,5,1]}',
        '{"die": 1}',
    ]
    answers = [json.loads(line) for line in score("--ndjson", stdin="\n".join(lines)).stdout.splitlines()]
    assert answers == [
        {"points": 10, "name": "Niu Niu", "triple": [5, 2, 3], "rest": [4, 6], "statistics": 3},
        {"points": 9, "name": "Niu 9", "triple": [4, 5, 1], "rest": [5, 4], "statistics": 2},
        {"error": {"kind": "malformed", "message": "a hand must have five dice; got 3", "line": 4}},
        {"points": 0, "name": "No Niu", "triple": None, "rest": None, "statistics": 5},
        answers[-1],
    ]
    assert answers[-1]["error"]["line"] == 6


def test_it_answers_dice_on_the_command_line() -> None:
    assert json.loads(score("5", "2", "4", "6", "3", "--json").stdout)["points"] == 10
    assert score("3", "3", "3", "5", "1", "--baozi", "4").stdout == "No Niu: 0 points; statistics points: 0\n"
    assert (
        score("8", "2", "10", "1", "7", "--faces", "10").stdout
        == "Niu 8: 8 points (2 1 7 and 8 10); statistics points: 2\n"
    )


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        (("1", "2", "3", "4"), "a hand must have five dice; got 4"),
        (("1", "2", "3", "4", "7"), "die 5 must be 1 to 6; got 7"),
        (("1", "2", "3", "4", "-1"), "die 5 must be 1 to 6; got -1"),
        (("1", "2", "x", "4", "5"), "die 3 must be a number of at most 9 digits; got 'x'"),
        (("1", "2", "9" * 5000, "4", "5"), "die 3 must be a number of at most 9 digits; got"),
    ],
)
def test_invalid_dice_are_rejected_with_status_2(dice: tuple[str, ...], message: str) -> None:
    refused = score(*dice)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert message in refused.stderr


def test_flags_are_the_defaults_of_every_line_and_its_own_fields_win() -> None:
    lines = ["{}", '{"baozi": 3}', '{"dice": [9, 9, 9, 9, 4]}', '{"faces": 6, "dice": [9, 9, 9, 9, 4]}']
    done = score("3", "3", "3", "5", "1", "--baozi", "4", "--faces", "10", "--ndjson", stdin="\n".join(lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("statistics") for answer in answers] == [0, 5, 5, None]
    assert "must be 1 to 6" in answers[3]["error"]["message"]


@pytest.mark.parametrize(
    "dice", [("[5, 2, 4, 6, 3]",), ("[5,", "2,", "4,", "6,", "3]"), ("5,2,4,6,3",), ("5 2 4 6 3",)]
)
def test_dice_may_be_written_with_commas_spaces_or_brackets(dice: tuple[str, ...]) -> None:
    assert score(*dice).stdout == "Niu Niu: 10 points (5 2 3 and 4 6); statistics points: 3\n"


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ((), "dice must be given"),
        (("[5, 2, 4, 6, 3",), "die 1 must be a number of at most 9 digits; got '[5'"),
        (("5,,2,4,6",), "die 2 must be a number of at most 9 digits; got ''"),
        (("[]",), "a hand must have five dice; got 0"),
    ],
)
def test_an_invalid_list_is_rejected(dice: tuple[str, ...], message: str) -> None:
    refused = score(*dice)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert message in refused.stderr
