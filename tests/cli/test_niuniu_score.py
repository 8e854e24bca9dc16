"""`faceup niuniu score`."""

import json
import subprocess
import sys

import pytest


def score(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "faceup", "niuniu", "score", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_answers_line_by_line_and_goes_on_after_a_bad_line() -> None:
    lines = [
        '{"dice": [5,2,4,6,3]}',
        "",
        '{"dice": [4,5,5,4,1]}',
        '{"dice": [1,2,3]}',
        '{"dice": [3,3,3,5,1]}',
        '{"die": 1}',
    ]
    answers = [json.loads(line) for line in score("--ndjson", given="\n".join(lines)).stdout.splitlines()]
    assert answers == [
        {"points": 10, "name": "Niu Niu", "triple": [5, 2, 3], "rest": [4, 6], "statistics": 3},
        {"points": 9, "name": "Niu 9", "triple": [4, 5, 1], "rest": [5, 4], "statistics": 2},
        {"error": {"kind": "malformed", "message": "a hand is five dice, not 3", "line": 4}},
        {"points": 0, "name": "No Niu", "triple": None, "rest": None, "statistics": 5},
        answers[-1],
    ]
    assert answers[-1]["error"]["line"] == 6


def test_it_answers_dice_on_the_command_line() -> None:
    assert json.loads(score("5", "2", "4", "6", "3", "--json").stdout)["points"] == 10
    assert score("3", "3", "3", "5", "1", "--baozi", "4").stdout == "No Niu: 0 points; statistics 0\n"
    assert score("8", "2", "10", "1", "7", "--faces", "10").stdout == "Niu 8: 8 points (2 1 7 and 8 10); statistics 2\n"


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        (("1", "2", "3", "4"), "a hand is five dice, not 4"),
        (("1", "2", "3", "4", "7"), "die 4 is 7; a die shows 1 to 6"),
        (("1", "2", "3", "4", "-1"), "die 4 is -1; a die shows 1 to 6"),
        (("1", "2", "x", "4", "5"), "die 2 is 'x', which is not a number"),
        (("1", "2", "9" * 5000, "4", "5"), "which is not a number"),
    ],
)
def test_wrong_dice_are_refused_with_status_2(dice: tuple[str, ...], message: str) -> None:
    refused = score(*dice)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert message in refused.stderr
