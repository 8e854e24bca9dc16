"""`faceup arena check` prints faults and exits with a status for scripts."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from tests.arena.example_bots import BOTS
from tests.cli.in_process import inside as faceup

from faceup.arena.doctor import system
from faceup.cli.arena.check import _blame

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


@pytest.mark.parametrize(
    ("others", "words"),
    [(0.0, "so the program itself is slow"), (1.9, "repeat the check when"), (None, "does not report")],
)
def test_a_late_program_is_blamed_only_if_the_doctor_finds_the_machine_idle(others: float | None, words: str) -> None:
    before = system.Ticks(2, 0, 0, 0)
    after = None if others is None else system.Ticks(2, round(others * 100), 0, 200)
    load, _ = system.check_load(before, after, 0.0)
    assert words in _blame(load)


def test_a_late_program_comes_with_the_load_of_the_machine() -> None:
    slow = "import time; input(); input(); time.sleep(3); print('PLAY 1')"
    done = faceup("arena", "check", "--time", "500+100", shlex.join([sys.executable, "-c", slow]))
    assert done.returncode == 1
    assert "The machine was " in done.stdout


def test_a_program_that_reads_the_phase_last_is_told_how_to_say_so() -> None:
    done = faceup("arena", "check", "--time", "300+100", program("last"))
    assert done.returncode == 1
    *_, first, single, every, file = done.stdout.splitlines()
    assert first == "faulty_bots reads the phase line last. Say so in one of these ways:"
    assert single == f"  '{program('last')}@phase-last'  for this program"
    assert every.split("  ")[1] == "--phase-last"
    assert file.split("  ")[1] == 'phase = "last"'
    done = faceup("arena", "check", "--time", "9000+9000", f"{program('last')}@phase-last")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


def test_a_program_that_reads_the_phase_first_is_told_how_to_say_so() -> None:
    done = faceup("arena", "check", "--time", "300+100", "--phase-last", program("right"))
    assert done.returncode == 1
    assert "faulty_bots reads the phase line first. Say so in one of these ways:" in done.stdout
    assert f"'{program('right')}@phase-first'  for this program" in done.stdout
    assert "without --phase-last" in done.stdout
    done = faceup("arena", "check", "--phase-last", "--time", "9000+9000", f"{program('right')}@phase-first")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("kind", "phase"), [("last", "last"), ("small letters", None)])
def test_json_output_names_the_phase_order_with_which_a_program_passes(kind: str, phase: str | None) -> None:
    done = faceup("arena", "check", "--json", "--time", "300+100", program(kind))
    assert (done.returncode, json.loads(done.stdout)["passes_with_phase"]) == (1, phase)


def test_json_output() -> None:
    done = faceup("arena", "check", "--json", program("small letters"))
    answer = json.loads(done.stdout)
    assert (done.returncode, answer["passed"], answer["protocol"]) == (1, False, "codingame")
    assert [trial["passed"] for trial in answer["trials"]] == [False] * 3
    assert answer["trials"][0]["findings"][0]["answered"].startswith("play ")


def test_a_command_without_quotes_is_explained() -> None:
    for words in (("check", "python3", "mine.py"), ("compare", "python3", "new.py", "python3", "old.py")):
        done = faceup("arena", *words)
        assert done.returncode == 2
        assert 'write a command in quotes, such as "python3 mine.py"' in done.stderr


def test_a_built_in_bot_is_not_a_program() -> None:
    done = faceup("arena", "check", "greedy")
    assert (done.returncode, done.stdout) == (2, "")
    assert "'greedy' is a built-in bot, not a program" in done.stderr
