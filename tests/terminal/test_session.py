"""A game is kept, whoever else goes on with it."""

from pathlib import Path

import pytest

from faceup.core import generator, make
from faceup.core.record import Terms, TimedOut
from faceup.terminal import Session, list_saved, load_record
from faceup.terminal.saves import folder


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game that was saved before its first decision."""
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path))
    players = [("Ann", "greedy"), ("Bo", "greedy")]
    session, _ = Session.start(make("nimmt seats=2 hand=3"), players, generator(7), terms=Terms())
    assert session.path is not None
    return session.path


def resumed(path: Path) -> Session:
    return Session.resume(load_record(path), generator(1), path=path)[0]


def play(session: Session) -> None:
    for _ in session.play_bots():
        pass


def test_one_who_goes_on_alone_keeps_the_file(saved: Path) -> None:
    session = resumed(saved)
    for _ in range(2):
        play(session)
        assert session.save() == saved
    assert load_record(saved) == session.table.record
    assert not session.apart
    assert list_saved() == [saved]


def test_two_who_go_on_with_one_game_both_keep_theirs(saved: Path) -> None:
    first, second = resumed(saved), resumed(saved)
    play(first)
    first.save()
    play(second)
    play(second)
    kept = second.save()
    assert kept == saved.with_stem(f"{saved.stem}-2")
    assert second.apart
    assert not first.apart
    assert load_record(saved) == first.table.record
    assert load_record(kept) == second.table.record
    assert first.save() == saved
    assert second.save() == kept


def test_one_who_ends_a_game_leaves_what_another_saved_of_it(saved: Path) -> None:
    first, second = resumed(saved), resumed(saved)
    play(first)
    first.save()
    while not second.over:
        play(second)
    kept = second.save()
    assert kept == folder("records") / saved.name
    assert load_record(saved) == first.table.record


def test_a_file_that_somebody_removed_is_written_anew(saved: Path) -> None:
    session = resumed(saved)
    saved.unlink()
    assert session.save() == saved
    assert not session.apart


def test_a_bot_that_is_late_is_played_for_like_anybody() -> None:
    now = 0

    def clock() -> int:
        nonlocal now
        now += 100  # each look at the clock takes a tenth of a second, on a machine that is busy
        return now

    players = [("Ann", "greedy"), ("Bo", "greedy")]
    rules = make("nimmt seats=2 hand=3")
    session, _ = Session.start(rules, players, generator(7), terms=Terms(clock=250), keep=False, clock=clock)
    while not session.over:
        play(session)
    assert any(isinstance(entry, TimedOut) for entry in session.table.entries)
