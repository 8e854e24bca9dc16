"""Rerun of a program on recorded requests, with different answers marked."""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.arena.bot_matches import SHORT, bots, play

from faceup.arena import Match, Protocol, protocol
from faceup.arena.match.replay import RecordedDecision, RecordedMatch, replay
from faceup.arena.match.rerun import (
    AnswerReceived,
    ProgramExited,
    QuerySent,
    RerunEvent,
    StderrLine,
    UnexpectedLine,
    rerun,
)
from faceup.core import Malformed, make

pytestmark = pytest.mark.slow  # starts real programs

FOUR = ("greedy", "lowest", "highest", "random")
RULES = make(SHORT.game)


@cache
def requests() -> Sequence[RecordedDecision]:
    """Return the recorded decisions of the bot "lowest"."""
    result, transcript = play(Match(0, 0, FOUR, 0))
    steps = replay(RecordedMatch(result, transcript, SHORT, 7, bots(*FOUR)))
    return [decision for step in steps for decision in step.decisions if decision.player == 1]


def events_of(program: str, tmp_path: Path) -> list[RerunEvent]:
    """Return the events of a rerun of a Python program."""
    path = tmp_path / "bot.py"
    path.write_text(program, encoding="utf-8")
    text_protocol: Protocol = protocol(RULES, "codingame")
    return list(rerun([sys.executable, "-I", "-S", str(path)], requests(), text_protocol))


LOWEST = """
import sys
input()
while phase := sys.stdin.readline().strip():
    lines = [input() for _ in range(12)]
    print("thought of", lines[-1], file=sys.stderr)
    print("PICK 0" if "LINE" in phase else "PLAY " + min(lines[-1].split(), key=int) + " of course", flush=True)
"""


def test_same_action_with_extra_words_is_the_same_answer(tmp_path: Path) -> None:
    events = events_of(LOWEST, tmp_path)
    plays = [event for event in events if isinstance(event, AnswerReceived) and event.line.startswith(b"PLAY")]
    assert len(plays) == 10
    assert all(play.same for play in plays)
    assert events[-1] == ProgramExited(0, 0)
    assert len([event for event in events if isinstance(event, StderrLine)]) == len(requests())


def test_stderr_precedes_its_answer(tmp_path: Path) -> None:
    kinds = [type(event) for event in events_of(LOWEST, tmp_path)]
    assert kinds[:6] == [QuerySent, StderrLine, AnswerReceived] * 2


def test_different_answer_is_marked_and_match_continues_as_recorded(tmp_path: Path) -> None:
    events = events_of(LOWEST.replace("min(", "max("), tmp_path)
    answers = [event for event in events if isinstance(event, AnswerReceived)]
    assert len(answers) == len(requests())
    assert not answers[0].same
    assert [answer.decision for answer in answers] == list(requests())


def test_early_exit_is_reported(tmp_path: Path) -> None:
    events = events_of("import sys\ninput()\nprint('PLAY 1', flush=True)\nsys.exit(3)\n", tmp_path)
    assert events[-1] == ProgramExited(3, len(requests()) - 2) or events[-1] == ProgramExited(3, len(requests()) - 1)


def test_stderr_of_immediate_exit_is_reported(tmp_path: Path) -> None:
    events = events_of("raise SystemExit('no cards today')", tmp_path)
    assert StderrLine(b"no cards today") in events
    assert isinstance(events[-1], ProgramExited)
    assert events[-1].status == 1


def test_unexpected_lines_are_reported(tmp_path: Path) -> None:
    events = events_of(LOWEST + "print('good game', flush=True)\n", tmp_path)
    assert UnexpectedLine(b"good game") in events


@pytest.mark.slow
def test_endless_output_does_not_fill_memory(tmp_path: Path) -> None:
    program = "import sys\nwhile True:\n    sys.stdout.write('PLAY 1\\n' * 1000)\n"
    events = events_of(program, tmp_path)
    assert len([event for event in events if isinstance(event, AnswerReceived)]) == len(requests())


@pytest.mark.parametrize("command", ["/nowhere/bot", "/"])
def test_invalid_program_is_refused(command: str) -> None:
    with pytest.raises(Malformed, match="cannot be run"):
        list(rerun([command], requests(), protocol(RULES, "codingame")))
