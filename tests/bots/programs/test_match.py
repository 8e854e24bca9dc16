"""Lines are read as they arrive, and a decision's clock starts no later than their arrival."""

import os
from collections.abc import Iterator
from time import perf_counter, sleep
from typing import NamedTuple

import pytest

from faceup.bots.programs.match import LONGEST, StandardStreams


class Ends(NamedTuple):
    """The test's ends of a program's streams."""

    streams: StandardStreams
    to: int
    back: int


@pytest.fixture
def ends() -> Iterator[Ends]:
    (source, to), (back, target) = os.pipe(), os.pipe()
    yield Ends(StandardStreams(perf_counter(), "bot", source, target), to, back)
    for file in (source, target):
        os.close(file)


def test_lines_are_read_one_by_one_in_any_chunks(ends: Ends) -> None:
    for piece in (b"4 0\nCHO", b"OSE\n", b"\n", b"end"):
        os.write(ends.to, piece)
    os.close(ends.to)
    lines = [ends.streams.readline() for _ in range(6)]
    assert lines == ["4 0\n", "CHOOSE\n", "\n", "end", "", ""]


def test_invalid_utf8_and_endless_lines_are_tolerated(ends: Ends) -> None:
    os.write(ends.to, b"\xff\xfe\n" + b"9" * (LONGEST + 5) + b"\n")
    os.close(ends.to)
    assert ends.streams.readline() == "\ufffd\ufffd\n"
    assert [len(ends.streams.readline()) for _ in range(2)] == [LONGEST, 6]


def test_waiting_input_counts_from_the_last_answer(ends: Ends) -> None:
    started = ends.streams.since
    os.write(ends.to, b"4 0\nfirst\n")
    sleep(0.01)
    assert (ends.streams.readline(), ends.streams.readline()) == ("4 0\n", "first\n")
    assert ends.streams.since == started
    ends.streams.write("PLAY 1")
    answered = ends.streams.since
    assert os.read(ends.back, 100) == b"PLAY 1\n"
    os.write(ends.to, b"second\n")
    ends.streams.readline()
    assert ends.streams.since == answered > started
    os.close(ends.to)


def test_writing_to_a_closed_output_raises(ends: Ends) -> None:
    os.close(ends.back)
    with pytest.raises(BrokenPipeError):
        ends.streams.write("PLAY 1")
    os.close(ends.to)


def test_log_lines_go_to_standard_error_with_the_name(ends: Ends, capsys: pytest.CaptureFixture[str]) -> None:
    ends.streams.log("line 1: what?")
    assert capsys.readouterr().err == "bot: line 1: what?\n"
    os.close(ends.to)
