"""The arena does not run on Windows, and every command that plays says so before it does anything."""

import sys
from pathlib import Path

import pytest
from tests.cli.in_process import inside as faceup

from faceup.arena import MatchTerms
from faceup.arena.process import ProgramRunner
from faceup.core import Malformed

MESSAGE = "the arena runs on Linux and macOS, not on Windows; install faceup in the Windows Subsystem for Linux"


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "arena check mine.exe",
        "arena match -- greedy greedy greedy greedy",
        "arena compare greedy lowest",
        "arena round-robin greedy lowest",
        "arena gauntlet greedy lowest",
        "arena ladder greedy lowest random highest",
        "arena league .",
        "arena bridge http://127.0.0.1:9/KMRTW -- mine.exe",
        "arena doctor",
        "bots compare greedy lowest",
    ],
)
def test_commands_that_play_are_refused(words: str, windows: Path) -> None:
    done = faceup(*words.split())
    assert done.returncode == 2
    assert MESSAGE in done.stderr
    assert not list(windows.iterdir())


@pytest.mark.usefixtures("windows")
def test_the_library_is_refused() -> None:
    with pytest.raises(Malformed, match=MESSAGE):
        ProgramRunner(MatchTerms())
