"""A program that is debugged is asked what the bot was asked, in no hurry, and marked where it answers otherwise."""

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.arena.played import SHORT, bots, play

from faceup.arena import Match, Protocol, protocol
from faceup.arena.replay import Asked, Watched, replay
from faceup.arena.rerun import Answers, Asks, Ended, Extra, Heard, Logs, rerun
from faceup.core import Malformed, make

pytestmark = pytest.mark.slow  # real programs, again and again

FOUR = ("greedy", "lowest", "highest", "random")
RULES = make(SHORT.game)


@cache
def asked() -> Sequence[Asked]:
    """What the player of the lowest cards was asked."""
    result, transcript = play(Match(0, 0, FOUR, 0))
    moments = replay(Watched(result, transcript, SHORT, 7, bots(*FOUR)))
    return [each for moment in moments for each in moment.asked if each.player == 1]


def heard(program: str, tmp_path: Path) -> list[Heard]:
    """What a Python program says to it."""
    path = tmp_path / "bot.py"
    path.write_text(program, encoding="utf-8")
    spoken: Protocol = protocol(RULES, "codingame")
    return list(rerun([sys.executable, "-I", "-S", str(path)], asked(), RULES, spoken))


LOWEST = """
import sys
input()
while phase := sys.stdin.readline().strip():
    lines = [input() for _ in range(12)]
    print("thought of", lines[-1], file=sys.stderr)
    print("PICK 0" if "LINE" in phase else "PLAY " + min(lines[-1].split(), key=int) + " of course", flush=True)
"""


def test_the_same_player_answers_the_same_whatever_it_adds(tmp_path: Path) -> None:
    found = heard(LOWEST, tmp_path)
    plays = [each for each in found if isinstance(each, Answers) and each.line.startswith(b"PLAY")]
    assert len(plays) == 10
    assert all(each.same for each in plays)
    assert found[-1] == Ended(0, 0)
    assert len([each for each in found if isinstance(each, Logs)]) == len(asked())


def test_the_log_stands_before_the_answer_that_it_led_to(tmp_path: Path) -> None:
    kinds = [type(each) for each in heard(LOWEST, tmp_path)]
    assert kinds[:6] == [Asks, Logs, Answers] * 2


def test_another_answer_is_marked_and_the_match_goes_on_as_it_went(tmp_path: Path) -> None:
    found = heard(LOWEST.replace("min(", "max("), tmp_path)
    answers = [each for each in found if isinstance(each, Answers)]
    assert len(answers) == len(asked())
    assert not answers[0].same
    assert [each.asked for each in answers] == list(asked())


def test_a_program_that_ends_too_soon_is_said_to_have(tmp_path: Path) -> None:
    found = heard("import sys\ninput()\nprint('PLAY 1', flush=True)\nsys.exit(3)\n", tmp_path)
    assert found[-1] == Ended(3, len(asked()) - 2) or found[-1] == Ended(3, len(asked()) - 1)


def test_one_that_ends_at_once_leaves_its_last_words(tmp_path: Path) -> None:
    found = heard("raise SystemExit('no cards today')", tmp_path)
    assert Logs(b"no cards today") in found
    assert isinstance(found[-1], Ended)
    assert found[-1].status == 1


def test_lines_that_nobody_asked_for_are_shown_as_such(tmp_path: Path) -> None:
    found = heard(LOWEST + "print('good game', flush=True)\n", tmp_path)
    assert Extra(b"good game") in found


@pytest.mark.slow
def test_one_that_prints_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    program = "import sys\nwhile True:\n    sys.stdout.write('PLAY 1\\n' * 1000)\n"
    found = heard(program, tmp_path)
    assert len([each for each in found if isinstance(each, Answers)]) == len(asked())


@pytest.mark.parametrize("command", ["/nowhere/bot", "/"])
def test_what_is_no_program_is_refused(command: str) -> None:
    with pytest.raises(Malformed, match="cannot be run"):
        list(rerun([command], asked(), RULES, protocol(RULES, "codingame")))
