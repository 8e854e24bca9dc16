"""The check passes programs that keep to their protocol, and says in words what the others do wrong."""

import sys
from pathlib import Path

import pytest
from tests.arena.examples import python

from faceup.arena import Bot, Terms
from faceup.arena.check import Tried, check, reads_the_other_way
from faceup.arena.trials import Trial, trials
from faceup.core import make

pytestmark = pytest.mark.slow  # real programs, again and again

FAULTY = Path(__file__).with_name("faulty.py")
ARENA = Terms()
PATIENT = Terms(first=5.0, turn=5.0)  # so that a busy machine makes nobody late
HASTY = Terms(first=0.25, turn=0.2)


def bot(kind: str, *, phase_last: bool = False) -> Bot:
    """The bot with that fault."""
    return Bot(kind, (sys.executable, "-I", "-S", str(FAULTY), kind), phase_last=phase_last)


def trial(name: str) -> Trial:
    """One of the arena's trials, by the beginning of its name."""
    return next(each for each in trials(make("nimmt:arena")) if each.name.startswith(name))


def tried(kind: str, name: str, terms: Terms = PATIENT, *, phase_last: bool = False) -> Tried:
    """What one trial says of it."""
    [found] = check(bot(kind, phase_last=phase_last), terms, [trial(name)])
    return found


MATCH, MANNERS = "a match in seat 0", "waiting"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["right", "message"])
def test_a_program_that_does_all_right_passes_every_trial(kind: str) -> None:
    found = list(check(bot(kind), PATIENT, trials(make("nimmt:arena"))))
    assert [each.trial for each in found if not each.passed] == []
    assert sum(each.decisions for each in found) > 200
    assert not [finding for each in found for finding in each.findings]


@pytest.mark.slow
def test_so_does_one_that_reads_the_phase_last() -> None:
    found = list(check(bot("last", phase_last=True), PATIENT, trials(make("nimmt:arena"))))
    assert all(each.passed for each in found)


@pytest.mark.parametrize(
    "game",
    [
        "niuniu seats=3",
        *(
            pytest.param(game, marks=pytest.mark.slow)
            for game in ("war", "nimmt seats=10", "nimmt:arena", "highcard:strict")
        ),
    ],
)
def test_a_program_of_twenty_lines_passes_in_any_game(game: str) -> None:
    program = python("any_game")
    terms = Terms(game, "json", first=5.0, turn=5.0)
    found = list(check(program, terms, trials(make(game))))
    assert [finding for each in found for finding in each.findings] == []


@pytest.mark.parametrize(
    ("kind", "where", "wrong", "right"),
    [
        ("card not held", MATCH, "PLAY 104", "answer with one of PLAY "),
        ("small letters", MATCH, "expected PLAY and a card, not 'play ", "answer with one of PLAY "),
        ("two lines", MATCH, "PLAY 1", "nothing but one line for each decision"),
        ("row 4", "a row to take while", "expected PICK and a row that there is, not 'PICK 4'", "PICK 0, PICK 1"),
        ("plays instead", "a row to take while", "expected PICK and a row", "PICK 0, PICK 1"),
        ("dies of five cards", "rows of five", "it ended with status 3", "go on to read"),
        ("dies of seats that are out", "two seats", "it ended with status 4", "go on to read"),
        ("dies of large heads", "heads in their hundreds", "it ended with status 5", "go on to read"),
        ("dies in the second deal", MATCH, "it ended with status 6", "go on to read"),
        ("early", MANNERS, "ready", ""),
        ("wrong start", MANNERS, "hello 4 0", ""),
        ("afterthought", MANNERS, "thinking about", ""),
        ("guesses", MANNERS, "before it had all lines", "read a decision to the end"),
    ],
)
def test_what_is_wrong_is_said_with_what_would_be_right(kind: str, where: str, wrong: str, right: str) -> None:
    found = tried(kind, where)
    assert not found.passed
    [finding] = found.findings
    assert wrong in finding.wrong
    assert right in finding.right
    assert finding.sent or kind in {"early", "wrong start"}


@pytest.mark.parametrize(("kind", "decision"), [("slow first", 0), ("slow", 2)])
def test_a_late_answer_is_told_from_none(kind: str, decision: int) -> None:
    finding = tried(kind, MATCH, HASTY).findings[0]
    assert finding.decision == decision
    assert "answer sooner" in finding.right
    assert finding.answered.startswith("PLAY")


@pytest.mark.slow
def test_an_answer_that_is_kept_back_is_told_from_none() -> None:
    finding = tried("keeps back", MATCH, HASTY).findings[0]
    assert "flush" in finding.right
    assert finding.answered.startswith("PLAY")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "where"), [("silent", MATCH), ("skips empty lines", "a row to take with an empty")])
def test_no_answer_at_all(kind: str, where: str) -> None:
    finding = tried(kind, where, HASTY).findings[0]
    assert finding.wrong.endswith("nor did it answer later")
    assert "an empty hand is an empty line" in finding.right


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "wrong"), [("stays", "did not end"), ("says goodbye", "goodbye")])
def test_what_the_referee_puts_up_with_is_advice(kind: str, wrong: str) -> None:
    found = tried(kind, MANNERS)
    assert found.passed
    [finding] = found.findings
    assert finding.advice
    assert wrong in finding.wrong


@pytest.mark.slow
def test_a_program_that_expects_the_phase_at_the_other_end_is_recognised() -> None:
    for kind, phase_last in (("last", False), ("right", True)):
        assert not tried(kind, MANNERS, HASTY, phase_last=phase_last).passed
        assert reads_the_other_way(bot(kind, phase_last=phase_last), PATIENT, trial(MANNERS))
    assert not reads_the_other_way(bot("card not held"), PATIENT, trial(MANNERS))


def test_what_cannot_be_started_is_said_once() -> None:
    [found] = check(Bot("nowhere", ("./nowhere",)), ARENA, [trial(MATCH)])
    assert not found.passed
    assert "nowhere" in found.findings[0].wrong


def test_the_end_of_its_standard_error_is_shown() -> None:
    program = Bot("dies", (sys.executable, "-I", "-S", "-c", "input(); input(); raise SystemError('no such row')"))
    [found] = check(program, PATIENT, [trial(MATCH)])
    assert found.log.rstrip().endswith("SystemError: no such row")
