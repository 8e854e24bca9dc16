"""A log goes on where it stopped, and takes nothing that is not its own."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faceup.compare import Contest, Journal, Result, contest, play, read_contest, schedule
from faceup.core import Malformed, make

CONTEST = contest(make("nimmt seats=2 hand=2"), ["greedy", "lowest"], [["random"]], seed=7)
RESULTS = list(play(CONTEST, schedule(CONTEST, 4)))


def write(path: Path, results: list[Result], wanted: Contest = CONTEST) -> bytes:
    with Journal.open(path, wanted) as journal:
        for result in results:
            journal.add(result)
    return path.read_bytes()


def test_what_was_written_is_there_again_and_is_written_on(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, RESULTS[:5])
    with Journal.open(path, CONTEST) as journal:
        assert journal.results == RESULTS[:5]
        for result in RESULTS[5:]:
            journal.add(result)
        assert journal.results == RESULTS
    assert path.read_bytes() == write(tmp_path / "other.jsonl", RESULTS)
    assert read_contest(path) == CONTEST


@given(cut=st.integers(0, 10_000))
def test_a_log_cut_short_anywhere_goes_on_from_its_last_whole_line(
    cut: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    whole = write(folder / "whole.jsonl", RESULTS)
    path = folder / "cut.jsonl"
    path.write_bytes(whole[: cut % (len(whole) + 1)])
    with Journal.open(path, CONTEST) as journal:
        kept = list(journal.results)
        assert kept == RESULTS[: len(kept)]
        for result in RESULTS[len(kept) :]:
            journal.add(result)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (contest(make("nimmt seats=2 hand=2"), ["greedy", "lowest"], [["random"]], seed=8), "seed is 7 there and 8"),
        (
            contest(make("nimmt seats=2 hand=3"), ["greedy", "lowest"], [["random"]], seed=7),
            "hand=2 there and .*hand=3",
        ),
        (
            contest(make("nimmt seats=2 hand=2"), ["greedy"], [["random"]], seed=7),
            "lineups is greedy,random; lowest,random there and greedy,random here",
        ),
        (
            contest(make("nimmt seats=2 hand=2"), ["greedy", "lowest"], [["random"]], seed=7, matches=True),
            "matches is False there and True here",
        ),
    ],
)
def test_another_setting_is_refused_with_what_differs(tmp_path: Path, other: Contest, message: str) -> None:
    path = tmp_path / "log.jsonl"
    before = write(path, RESULTS)
    with pytest.raises(Malformed, match=message), Journal.open(path, other):
        pass
    assert path.read_bytes() == before


def test_another_version_is_refused_because_its_bots_may_play_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    changed = write(path, RESULTS).replace(b'"faceup":"', b'"faceup":"9.', 1)
    path.write_bytes(changed)
    with pytest.raises(Malformed, match=r"faceup is 9\."), Journal.open(path, CONTEST):
        pass
    assert path.read_bytes() == changed


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"[]", "line 3: "),
        (b"{", "line 3: "),
        (b"\xff", "line 3: "),
        (
            b'{"deal":0,"lineup":0,"rotation":0,"scores":[1,2],"places":[1,2]}',
            "line 3 has to be deal 0, lineup 0, rotat",
        ),
        (b'{"deal":0,"lineup":0,"rotation":1,"scores":[1],"places":[1]}', "of 2 seats"),
    ],
)
def test_a_line_that_is_not_the_next_result_is_refused_with_its_number(
    tmp_path: Path, line: bytes, message: str
) -> None:
    path = tmp_path / "log.jsonl"
    begun = b"".join(write(path, RESULTS).splitlines(keepends=True)[:2]) + line + b"\n"
    path.write_bytes(begun)
    with pytest.raises(Malformed, match=message), Journal.open(path, CONTEST):
        pass
    assert path.read_bytes() == begun


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann,\nDear Bo,\n")
    for attempt in (lambda: Journal.open(path, CONTEST).__enter__(), lambda: read_contest(path)):
        with pytest.raises(Malformed, match="is not the log of a comparison"):
            attempt()
    assert path.read_text() == "Dear Ann,\nDear Bo,\n"


def test_a_text_without_a_line_end_is_no_log_either(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann")
    with pytest.raises(Malformed, match="is not the log of a comparison"), Journal.open(path, CONTEST):
        pass
    assert path.read_text() == "Dear Ann"


def test_no_log_has_no_contest(tmp_path: Path) -> None:
    assert read_contest(tmp_path / "none.jsonl") is None


def test_a_log_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Malformed, match="cannot be written"), Journal.open(tmp_path / "no" / "log.jsonl", CONTEST):
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="there a second writer is not noticed")
def test_two_comparisons_do_not_write_to_one_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with (
        Journal.open(path, CONTEST),
        pytest.raises(Malformed, match="is being written by another comparison"),
        Journal.open(path, CONTEST),
    ):
        pass


@pytest.mark.parametrize("name", ["/dev/zero", "/"])
def test_what_is_no_file_is_no_log(name: str) -> None:
    for attempt in (lambda: Journal.open(Path(name), CONTEST).__enter__(), lambda: read_contest(Path(name))):
        with pytest.raises(Malformed, match=f"{name} is not a file"):
            attempt()
