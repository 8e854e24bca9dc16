"""Bytes become lines, limits are kept, and no stream of a program holds up the referee."""

from time import monotonic, perf_counter

import pytest
from tests.arena.tables import LEAN, ONE_DEAL, left_of, program

from faceup.arena import Bot, Cause
from faceup.arena.programs import Broken, Program, Programs
from faceup.arena.programs.breaking import quoted
from faceup.arena.programs.listening import LOG

ECHO = "import os\nwhile text := os.read(0, 1 << 20): os.write(1, text)"


def started(programs: Programs, source: str) -> Program:
    """A program in Python."""
    return programs.start(python(source))


def python(source: str) -> Bot:
    """A bot of one line."""
    return program(source, *LEAN, "-c", source)


def broken(programs: Programs, bot: Program, text: bytes = b"go\n", seconds: float = 1.0) -> Broken:
    """How the program broke the terms."""
    with pytest.raises(Broken) as error:
        programs.ask(bot, text, seconds)
    programs.drop(bot)
    return error.value


def test_an_answer_is_a_line() -> None:
    with Programs(ONE_DEAL) as programs:
        echo = started(programs, ECHO)
        for text in (b"PLAY 5\n", b"\n", b" x \r\n", b"y" * 4096 + b"\n"):
            assert programs.ask(echo, text, 1.0) == text[:-1]
            assert 0 < echo.took < 1_000_000
            assert echo.grace == 0
        assert len(echo.marks) == 4


def test_a_line_has_4096_bytes_at_most() -> None:
    with Programs(ONE_DEAL) as programs:
        for text in (b"y" * 4097 + b"\n", b"y" * 60_000):
            error = broken(programs, started(programs, ECHO), text)
            assert (error.cause, len(error.got) > 4096) == (Cause.FLOODED, True)


def test_all_answers_of_a_match_have_a_megabyte_at_most() -> None:
    with Programs(ONE_DEAL) as programs:
        echo = started(programs, ECHO)
        line = b"y" * 4095 + b"\n"
        for _ in range(256):
            programs.ask(echo, line, 1.0)
        assert broken(programs, echo, line).cause is Cause.FLOODED


def test_the_time_counts_from_the_last_byte_that_was_sent() -> None:
    """A megabyte goes through a pipe of 64 KB piece by piece, as the program reads it."""
    source = "import os\nfrom time import sleep\nleft = 1 << 20\n"
    source += "while left: left -= len(os.read(0, 1 << 14)); sleep(0.001)\nprint('done')"
    with Programs(ONE_DEAL) as programs:
        reader = started(programs, source)
        start = perf_counter()
        assert programs.ask(reader, b"x" * (1 << 20), 1.0) == b"done"
        assert reader.took < 700_000 * (perf_counter() - start)


def test_a_program_that_does_not_read_is_late_and_holds_up_nobody() -> None:
    with Programs(ONE_DEAL) as programs:
        error = broken(programs, started(programs, "import time; time.sleep(100)"), b"x" * (1 << 20), 0.1)
        assert (error.cause, str(error.words)) == (Cause.LATE, "it did not read what it was sent within 100 ms")


def test_what_is_written_before_a_question_is_malformed() -> None:
    with Programs(ONE_DEAL) as programs:
        early = started(programs, "print('PLAY 1\\nPLAY 2', flush=True); input()")
        error = broken(programs, early)
        assert error.cause is Cause.MALFORMED
        assert error.words in {
            "it wrote 'PLAY 2\\n' after the end of its answer: one line is one answer",
            "it wrote 'PLAY 1\\nPLAY 2\\n' before it was asked: one line answers one decision",
        }


def test_logs_are_heard_while_another_is_asked() -> None:
    """More than a pipe holds: whoever writes it waits until it is taken."""
    talker = "from os import read, write\nread(0, 10); write(1, b'a\\n')\n"
    talker += "write(2, b'x' * 300_000); read(0, 10); write(1, b'b\\n')"
    with Programs(ONE_DEAL) as programs:
        first, other = started(programs, talker), started(programs, ECHO)
        assert programs.ask(first, b"go\n", 1.0) == b"a"
        while first.log.total < 300_000:
            programs.ask(other, b"go\n", 1.0)
        assert programs.ask(first, b"go\n", 1.0) == b"b"
        assert len(first.log.kept()) < 70_000


def test_a_log_without_end_costs_the_seat_whoever_was_asked_meanwhile() -> None:
    with Programs(ONE_DEAL) as programs:
        flooder, other = started(programs, "import os\nwhile True: os.write(2, b'x' * 65536)"), started(programs, ECHO)
        while flooder.log.total <= LOG:
            programs.ask(other, b"go\n", 1.0)
        error = broken(programs, flooder)
        assert error.cause is Cause.FLOODED
        assert error.words == "it wrote more than 16 MB to its standard error in one match"


def test_last_words_are_heard() -> None:
    with Programs(ONE_DEAL) as programs:
        program = started(
            programs, "import sys\nprint(input(), flush=True)\nsys.stderr.write(sys.stdin.read() + 'goodbye')"
        )
        assert programs.ask(program, b"go\n", 1.0) == b"go"
        programs.end([program])
        assert program.log.kept() == b"goodbye"
        assert program.status == 0


def test_what_a_program_said_before_it_was_dropped_is_kept() -> None:
    with Programs(ONE_DEAL) as programs:
        program = started(
            programs,
            "import sys, time\nsys.stderr.write('hm')\nsys.stderr.flush()\nprint(input(), flush=True)\ntime.sleep(100)",
        )
        programs.ask(program, b"go\n", 1.0)
        programs.drop(program)
        assert program.log.kept() == b"hm"
        programs.drop(program)


def test_closing_ends_everything() -> None:
    bots = [python("import time; time.sleep(1000)"), python(ECHO)]
    with Programs(ONE_DEAL) as programs:
        for bot in bots:
            programs.start(bot)
        end = monotonic() + 10
        while len(left_of(bots)) < 2:  # the system tells a new program's environment a moment after it has begun
            assert monotonic() < end
    assert left_of(bots) == []


def test_what_a_sentence_quotes_moves_no_cursor() -> None:
    assert quoted(b"\x1b[2J\r\n\0\xff") == r"'\x1b[2J\r\n\x00\\xff'"
    assert quoted(b"x" * 100) == f"'{'x' * 60}...'"
