"""`faceup arena check` prints faults and exits with a status for scripts."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.arena.example_bots import BOTS
from tests.cli.subprocess_run import faceup

pytestmark = pytest.mark.slow  # starts many processes

FAULTY = Path(__file__).parents[2] / "arena" / "faulty_bots.py"


def program(kind: str) -> str:
    """Return a command as one argument."""
    return shlex.join([sys.executable, "-I", "-S", str(FAULTY), kind])


def test_a_program_that_follows_the_protocol_passes() -> None:
    done = faceup("arena", "check", "--game", "war", f"{sys.executable} -I {BOTS / 'any_game.py'}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ok     waiting to be asked  ")
    assert "any_game follows the protocol: " in done.stdout.splitlines()[-1]


def test_a_failure_shows_input_output_and_the_expected_answer() -> None:
    done = faceup("arena", "check", program("row 4"))
    assert done.returncode == 1
    for words in ("WRONG  a row to take", "wrong, at decision 2: expected PICK", "CHOOSE_LINE_TO_PICK", "PICK 4"):
        assert words in done.stdout
    assert "expected: answer with one of PICK 0, PICK 1, PICK 2, PICK 3" in done.stdout
    assert "does not follow the protocol: 3 of 5 trials failed" in done.stdout.splitlines()[-1]


def test_the_other_phase_order_is_suggested() -> None:
    done = faceup("arena", "check", "--time", "300+100", program("last"))
    assert done.returncode == 1
    assert "The program passes if the phase line comes last. Add --phase-last" in done.stdout


def test_json_output() -> None:
    done = faceup("arena", "check", "--json", program("small letters"))
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["passed"], answer["protocol"]) == (1, False, "codingame")
    assert [each["passed"] for each in answer["trials"]] == [False] * 3
    assert answer["trials"][0]["findings"][0]["answered"].startswith("play ")


def test_a_built_in_bot_is_not_a_program() -> None:
    done = faceup("arena", "check", "greedy")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'greedy' is a built-in bot, not a program" in done.stderr
