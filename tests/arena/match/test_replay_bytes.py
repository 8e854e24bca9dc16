"""Replayed requests are byte for byte what programs read."""

import sys
from pathlib import Path

import pytest

from faceup.arena import Bot, Cause, Match, MatchResult, MatchTerms, Transcript
from faceup.arena.match.referee import Referee
from faceup.arena.match.replay import RecordedMatch, replay, sent_to

COPIES = """
import sys
copy = open(sys.argv[1], "wb", buffering=0)
lines = []
while line := sys.stdin.buffer.readline():
    copy.write(line)
    lines.append(line.decode().strip())
    if len(lines) > 1 and (len(lines) - 1) % 13 == 0:
        *_, phase, last, a, row0, b, row1, c, row2, d, row3, heads, count, hand = lines
        if not phase.startswith("CHOOSE"):  # phase last
            phase, hand = hand, count
        print("decision", (len(lines) - 1) // 13, hand, file=sys.stderr, flush=True)
        if len(lines) > int(sys.argv[2]):
            print("that is enough", flush=True)
        elif "LINE" in phase:
            print("PICK 2", flush=True)
        else:
            print("PLAY", hand.split()[-1], flush=True)
"""

TERMS = MatchTerms(game="nimmt:arena deals=2", startup=10.0, strict=True, turn=10.0)


def played(
    tmp_path: Path, *, enough: int = 9999, phase_last: bool = False
) -> tuple[MatchResult, Transcript, dict[str, Bot]]:
    """Play two programs that copy their input and two built-in bots."""
    path = tmp_path / "bot.py"
    path.write_text(COPIES, encoding="utf-8")
    command = (sys.executable, "-I", "-S", str(path))
    bots = {
        "one": Bot("one", (*command, str(tmp_path / "one"), "9999")),
        "two": Bot("two", (*command, str(tmp_path / "two"), str(enough)), phase_last=phase_last),
        "greedy": Bot("greedy", player="greedy"),
    }
    with Referee(TERMS, bots) as referee:
        result, transcript = referee.play(Match(0, 5, ("one", "two", "greedy", "greedy"), 3), 7)
    return result, transcript, bots


@pytest.mark.parametrize("phase_last", [False, True])
def test_replay_bytes_of_complete_match(tmp_path: Path, phase_last: bool) -> None:
    result, transcript, bots = played(tmp_path, phase_last=phase_last)
    assert result.faults == ()
    steps = list(replay(RecordedMatch(result, transcript, TERMS, 7, bots)))
    for player, name in enumerate(("one", "two")):
        assert sent_to(steps, player) == (tmp_path / name).read_bytes()


def test_replay_bytes_of_match_with_forfeit(tmp_path: Path) -> None:
    result, transcript, bots = played(tmp_path, enough=70)
    assert [(fault.player, fault.cause) for fault in result.faults] == [(1, Cause.MALFORMED)]
    steps = list(replay(RecordedMatch(result, transcript, TERMS, 7, bots)))
    for player, name in enumerate(("one", "two")):
        assert sent_to(steps, player) == (tmp_path / name).read_bytes()


def test_stderr_is_attached_to_its_decision(tmp_path: Path) -> None:
    result, transcript, bots = played(tmp_path)
    steps = list(replay(RecordedMatch(result, transcript, TERMS, 7, bots)))
    for player in (0, 1):
        decisions = [decision for step in steps for decision in step.decisions if decision.player == player]
        assert b"".join(decision.log for decision in decisions) == transcript.logs[player]
        assert all(decision.log.startswith(f"decision {decision.decision + 1} ".encode()) for decision in decisions)
