"""Saving a game while other processes resume the same file."""

import os
from pathlib import Path

import pytest

from faceup.core import generator, make
from faceup.core.record import Terms, TimedOut
from faceup.paths import data_folder
from faceup.terminal import TerminalSession, list_saved, load_record


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a game saved before its first decision."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    players = [("Ann", "greedy"), ("Bo", "greedy")]
    session, _ = TerminalSession.start(make("nimmt seats=2 hand=3"), players, generator(7), terms=Terms())
    assert session.path is not None
    return session.path


def resumed(path: Path) -> TerminalSession:
    return TerminalSession.resume(load_record(path), generator(1), path=path)[0]


def play(session: TerminalSession) -> None:
    for _ in session.play_bots():
        pass


def test_a_resumed_game_keeps_its_file(saved: Path) -> None:
    session = resumed(saved)
    for _ in range(2):
        play(session)
        assert session.save() == saved
    assert load_record(saved) == session.table.record
    assert not session.diverged
    assert list_saved() == [saved]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_only_regular_files_are_saved_games(saved: Path) -> None:
    """A link to a file that was moved hid all games, and a pipe blocked `faceup resume` forever."""
    saved.with_stem("link").symlink_to(saved.with_stem("nowhere"))
    saved.with_stem("folder").mkdir()
    os.mkfifo(saved.with_stem("pipe"))
    assert list_saved() == [saved]


def test_two_processes_that_resume_a_game_keep_separate_files(saved: Path) -> None:
    first, second = resumed(saved), resumed(saved)
    play(first)
    first.save()
    play(second)
    play(second)
    kept = second.save()
    assert kept == saved.with_stem(f"{saved.stem}-2")
    assert second.diverged
    assert not first.diverged
    assert load_record(saved) == first.table.record
    assert load_record(kept) == second.table.record
    assert first.save() == saved
    assert second.save() == kept


def test_finishing_a_game_keeps_what_another_process_saved(saved: Path) -> None:
    first, second = resumed(saved), resumed(saved)
    play(first)
    first.save()
    while not second.over:
        play(second)
    kept = second.save()
    assert kept == data_folder("records") / saved.name
    assert load_record(saved) == first.table.record


def test_a_removed_file_is_written_again(saved: Path) -> None:
    session = resumed(saved)
    saved.unlink()
    assert session.save() == saved
    assert not session.diverged


def test_a_late_bot_times_out() -> None:
    now = 0

    def clock() -> int:
        nonlocal now
        now += 100  # each reading of the clock takes 0.1 s, as on a busy machine
        return now

    players = [("Ann", "greedy"), ("Bo", "greedy")]
    rules = make("nimmt seats=2 hand=3")
    session, _ = TerminalSession.start(rules, players, generator(7), terms=Terms(clock=250), keep=False, clock=clock)
    while not session.over:
        play(session)
    assert any(isinstance(entry, TimedOut) for entry in session.table.entries)
