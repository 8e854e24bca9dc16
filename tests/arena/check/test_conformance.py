"""Conformance check: correct programs pass, and findings explain what others do wrong."""

import sys
from pathlib import Path

import pytest
from tests.arena.example_bots import python

from faceup.arena import Bot, MatchTerms
from faceup.arena.check.conformance import Trial, TrialResult, check, passes_with_phase_swapped, trials
from faceup.core import make

pytestmark = pytest.mark.slow  # starts real programs

FAULTY = Path(__file__).parents[1] / "faulty_bots.py"
ARENA = MatchTerms()
PATIENT = MatchTerms(first=5.0, turn=5.0)  # so that a busy machine makes no answer late
HASTY = MatchTerms(first=0.25, turn=0.2)


def bot(kind: str, *, phase_last: bool = False) -> Bot:
    """Return the bot with that fault."""
    return Bot(kind, (sys.executable, "-I", "-S", str(FAULTY), kind), phase_last=phase_last)


def trial(name: str) -> Trial:
    """Return the trial with a name that starts like this."""
    return next(trial for trial in trials(make("nimmt:arena")) if trial.name.startswith(name))


def tried(kind: str, name: str, terms: MatchTerms = PATIENT, *, phase_last: bool = False) -> TrialResult:
    """Return the result of one trial."""
    [report] = check(bot(kind, phase_last=phase_last), terms, [trial(name)])
    return report


MATCH, STRICT_IO = "a match in seat 0", "waiting"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["right", "message"])
def test_correct_program_passes_every_trial(kind: str) -> None:
    reports = list(check(bot(kind), PATIENT, trials(make("nimmt:arena"))))
    assert [report.trial for report in reports if not report.passed] == []
    assert sum(report.decisions for report in reports) > 200
    assert not [finding for report in reports for finding in report.findings]


@pytest.mark.slow
def test_correct_program_with_phase_last_passes() -> None:
    reports = list(check(bot("last", phase_last=True), PATIENT, trials(make("nimmt:arena"))))
    assert all(report.passed for report in reports)


@pytest.mark.sample(1)
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
def test_any_game_example_passes_check_in_every_game(game: str) -> None:
    program = python("any_game")
    terms = MatchTerms(game, "json", first=5.0, turn=5.0)
    reports = list(check(program, terms, trials(make(game))))
    assert [finding for report in reports for finding in report.findings] == []


@pytest.mark.parametrize(
    ("kind", "where", "wrong", "right"),
    [
        ("card not held", MATCH, "PLAY 104", "answer with one of PLAY "),
        ("small letters", MATCH, "expected PLAY and a card; got 'play ", "answer with one of PLAY "),
        ("two lines", MATCH, "PLAY 1", "one line for each decision when asked"),
        ("row 4", "a row to take while", "expected PICK and a row that exists; got 'PICK 4'", "PICK 0, PICK 1"),
        ("plays instead", "a row to take while", "expected PICK and a row", "PICK 0, PICK 1"),
        ("dies of five cards", "rows of five", "it ended with status 3", "read and answer until the input ends"),
        ("dies of seats that are out", "two seats", "it ended with status 4", "read and answer until the input ends"),
        (
            "dies of large heads",
            "heads in their hundreds",
            "ended with status 5",
            "read and answer until the input ends",
        ),
        ("dies in the second deal", MATCH, "it ended with status 6", "read and answer until the input ends"),
        ("early", STRICT_IO, "ready", ""),
        ("wrong start", STRICT_IO, "hello 4 0", ""),
        ("afterthought", STRICT_IO, "thinking about", ""),
        ("guesses", STRICT_IO, "before it had all lines", "read a decision to the end"),
    ],
)
def test_finding_has_fault_and_fix(kind: str, where: str, wrong: str, right: str) -> None:
    report = tried(kind, where)
    assert not report.passed
    [finding] = report.findings
    assert wrong in finding.wrong
    assert right in finding.right
    assert finding.sent or kind in {"early", "wrong start"}


@pytest.mark.parametrize(("kind", "decision"), [("slow first", 0), ("slow", 2)])
def test_late_answer_is_distinguished_from_no_answer(kind: str, decision: int) -> None:
    finding = tried(kind, MATCH, HASTY).findings[0]
    assert finding.decision == decision
    assert "answer sooner" in finding.right
    assert finding.answered.startswith("PLAY")


@pytest.mark.slow
def test_unflushed_answer_is_distinguished_from_no_answer() -> None:
    finding = tried("keeps back", MATCH, HASTY).findings[0]
    assert "flush" in finding.right
    assert finding.answered.startswith("PLAY")


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "where"), [("silent", MATCH), ("skips empty lines", "a row to take with an empty")])
def test_missing_answer_is_reported(kind: str, where: str) -> None:
    finding = tried(kind, where, HASTY).findings[0]
    assert finding.wrong.endswith("nor did it answer later")
    assert "an empty hand is an empty line" in finding.right


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "wrong"), [("stays", "did not end"), ("prints goodbye", "goodbye")])
def test_tolerated_behaviour_is_advice(kind: str, wrong: str) -> None:
    report = tried(kind, STRICT_IO)
    assert report.passed
    [finding] = report.findings
    assert finding.advice
    assert wrong in finding.wrong


@pytest.mark.slow
def test_swapped_phase_is_recognized() -> None:
    for kind, phase_last in (("last", False), ("right", True)):
        assert not tried(kind, STRICT_IO, HASTY, phase_last=phase_last).passed
        assert passes_with_phase_swapped(bot(kind, phase_last=phase_last), PATIENT, trial(STRICT_IO))
    assert not passes_with_phase_swapped(bot("card not held"), PATIENT, trial(STRICT_IO))


def test_program_that_cannot_start_is_one_finding() -> None:
    [report] = check(Bot("nowhere", ("./nowhere",)), ARENA, [trial(MATCH)])
    assert not report.passed
    assert "nowhere" in report.findings[0].wrong


def test_end_of_stderr_is_shown() -> None:
    program = Bot("dies", (sys.executable, "-I", "-S", "-c", "input(); input(); raise SystemError('no such row')"))
    [report] = check(program, PATIENT, [trial(MATCH)])
    assert report.log.rstrip().endswith("SystemError: no such row")
