"""Referee with a sandbox: correct programs are not affected."""

import sys
from pathlib import Path

import pytest

from faceup.arena import Bot, Cause, Match, MatchTerms
from faceup.arena.match.referee import Referee

SPY = """
import sys
print("got", open(sys.argv[1] + "/secret").read(), file=sys.stderr)
"""


@pytest.mark.slow
def test_sandboxed_program_plays_and_spy_is_out(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "secret").write_text("secret")
    folder = str(tmp_path / "own")
    bots = {
        "program": Bot(
            "program", (sys.executable, "-P", "-m", "faceup", "bot", "lowest", "--codingame"), folder=folder
        ),
        "spy": Bot("spy", (sys.executable, "-I", "-c", SPY, str(tmp_path)), folder=folder),
        "ours": Bot("ours", player="greedy"),
    }
    with Referee(MatchTerms(sandbox=True, startup=5.0), bots) as referee:
        result, transcript = referee.play(Match(0, 0, ("program", "spy", "ours", "ours"), 1), 7)
    assert [(fault.player, fault.cause) for fault in result.faults] == [(1, Cause.ENDED)]
    assert b"PermissionError" in transcript.logs[1]
    assert result.times[0].count >= 50
