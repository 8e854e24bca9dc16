"""`faceup arena check` says what is wrong, and leaves with the status that a script needs."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.arena.examples import BOTS
from tests.cli.running import faceup

pytestmark = pytest.mark.slow  # many processes

FAULTY = Path(__file__).parents[2] / "arena" / "faulty.py"


def program(kind: str) -> str:
    """A command, in one word."""
    return shlex.join([sys.executable, "-I", "-S", str(FAULTY), kind])


def test_a_program_that_keeps_to_the_protocol_passes() -> None:
    done = faceup("arena", "check", "--game", "war", f"{sys.executable} -I {BOTS / 'any_game.py'}")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ok     waiting to be asked  ")
    assert "any_game keeps to the protocol: " in done.stdout.splitlines()[-1]


def test_one_that_does_not_gets_what_it_was_sent_what_it_wrote_and_what_would_be_right() -> None:
    done = faceup("arena", "check", program("row 4"))
    assert done.returncode == 1
    for words in ("WRONG  a row to take", "wrong, at decision 2: expected PICK", "CHOOSE_LINE_TO_PICK", "PICK 4"):
        assert words in done.stdout
    assert "right: answer with one of PICK 0, PICK 1, PICK 2, PICK 3" in done.stdout
    assert "does not keep to the protocol" in done.stdout.splitlines()[-1]


def test_the_other_order_of_the_phase_is_offered() -> None:
    done = faceup("arena", "check", "--time", "300+100", program("last"))
    assert done.returncode == 1
    assert "It does well if the phase comes last: give --phase-last" in done.stdout


def test_it_is_told_as_json() -> None:
    done = faceup("arena", "check", "--json", program("small letters"))
    told = json.loads(done.stdout)
    assert (done.returncode, told["passed"], told["protocol"]) == (1, False, "codingame")
    assert [each["passed"] for each in told["trials"]] == [False] * 3
    assert told["trials"][0]["findings"][0]["answered"].startswith("play ")


def test_a_player_of_ours_is_no_program() -> None:
    done = faceup("arena", "check", "greedy")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'greedy' is a player of ours, and no program" in done.stderr
