"""Lines are read as they come, and the time of a decision is counted from no later than they came."""

import os
from collections.abc import Iterator
from time import perf_counter, sleep
from typing import NamedTuple

import pytest

from faceup.bots.programs.streams import LONGEST, Streams


class Ends(NamedTuple):
    """What the other side holds of a program's streams."""

    streams: Streams
    to: int
    back: int


@pytest.fixture
def ends() -> Iterator[Ends]:
    (source, to), (back, target) = os.pipe(), os.pipe()
    yield Ends(Streams(perf_counter(), "bot", source, target), to, back)
    for file in (source, target):
        os.close(file)


def test_lines_are_read_one_by_one_however_they_are_sent(ends: Ends) -> None:
    for piece in (b"4 0\nCHO", b"OSE\n", b"\n", b"end"):
        os.write(ends.to, piece)
    os.close(ends.to)
    lines = [ends.streams.readline() for _ in range(6)]
    assert lines == ["4 0\n", "CHOOSE\n", "\n", "end", "", ""]


def test_bytes_that_are_no_text_and_lines_without_end_do_no_harm(ends: Ends) -> None:
    os.write(ends.to, b"\xff\xfe\n" + b"9" * (LONGEST + 5) + b"\n")
    os.close(ends.to)
    assert ends.streams.readline() == "\ufffd\ufffd\n"
    assert [len(ends.streams.readline()) for _ in range(2)] == [LONGEST, 6]


def test_what_was_there_already_may_have_come_at_any_time_since_the_last_answer(ends: Ends) -> None:
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


def test_an_answer_that_nobody_reads_is_an_error_at_once(ends: Ends) -> None:
    os.close(ends.back)
    with pytest.raises(BrokenPipeError):
        ends.streams.write("PLAY 1")
    os.close(ends.to)


def test_what_is_said_goes_to_standard_error_with_the_name(ends: Ends, capsys: pytest.CaptureFixture[str]) -> None:
    ends.streams.say("line 1: what?")
    assert capsys.readouterr().err == "bot: line 1: what?\n"
    os.close(ends.to)
