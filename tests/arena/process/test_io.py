"""Program I/O: lines, limits, and no stream that blocks the referee."""

from time import monotonic, perf_counter

import msgspec
import pytest
from tests.arena.tables import LEAN, ONE_DEAL, left_of, program

from faceup.arena import Bot, Cause
from faceup.arena.process import Program, ProgramError, ProgramRunner
from faceup.arena.process.errors import quote_output
from faceup.arena.process.io import LOG, _late_error

ECHO = "import os\nwhile text := os.read(0, 1 << 20): os.write(1, text)"


def started(programs: ProgramRunner, source: str) -> Program:
    """Start a program in Python."""
    return programs.start(python(source))


def python(source: str) -> Bot:
    """Return a bot with this Python program."""
    return program(source, *LEAN, "-c", source)


def broken(programs: ProgramRunner, bot: Program, text: bytes = b"go\n", seconds: float = 1.0) -> ProgramError:
    """Return how the program broke the terms."""
    with pytest.raises(ProgramError) as error:
        programs.ask(bot, text, seconds)
    programs.kill(bot)
    return error.value


@pytest.mark.parametrize(("owed", "busy"), [(0, False), (299, False), (300, True), (900, True)])
def test_a_late_answer_is_the_fault_of_a_busy_machine_if_it_kept_the_program_from_a_core(owed: int, busy: bool) -> None:
    error = _late_error("it answered after 400 ms", b"", late=300_000_000, owed=owed * 1_000_000)
    assert (error.cause, error.busy) == (Cause.LATE, busy)
    assert ("the machine was busy" in error.message) == busy


@pytest.mark.parametrize("stopped", [False, True])
def test_an_exception_is_named_with_the_status(stopped: bool) -> None:
    source = "import sys\nsys.stdin.readline()\nraise KeyError(7)"
    with ProgramRunner(msgspec.structs.replace(ONE_DEAL, stopped=stopped)) as programs:
        error = broken(programs, started(programs, source), seconds=10.0)
    assert error.cause is Cause.ENDED
    assert error.message.startswith("it ended with status 1 after the exception 'KeyError: 7' when an answer was due")


def test_an_answer_is_a_line() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        echo = started(programs, ECHO)
        for text in (b"PLAY 5\n", b"\n", b" x \r\n", b"y" * 4096 + b"\n"):
            assert programs.ask(echo, text, 1.0) == text[:-1]
            assert 0 < echo.elapsed_us < 1_000_000
            assert echo.grace == 0
        assert len(echo.marks) == 4


def test_answer_is_limited_to_4096_bytes() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        for text in (b"y" * 4097 + b"\n", b"y" * 60_000):
            error = broken(programs, started(programs, ECHO), text)
            assert (error.cause, len(error.output) > 4096) == (Cause.FLOODED, True)


def test_answers_of_a_match_are_limited_to_one_megabyte() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        echo = started(programs, ECHO)
        line = b"y" * 4095 + b"\n"
        for _ in range(256):
            programs.ask(echo, line, 1.0)
        assert broken(programs, echo, line).cause is Cause.FLOODED


def test_time_counts_from_last_byte_of_request() -> None:
    """A megabyte fills a pipe of 64 KB several times, so sending it depends on the program's reads."""
    source = "import os\nfrom time import sleep\nleft = 1 << 20\n"
    source += "while left: left -= len(os.read(0, 1 << 14)); sleep(0.001)\nprint('done')"
    with ProgramRunner(ONE_DEAL) as programs:
        reader = started(programs, source)
        start = perf_counter()
        assert programs.ask(reader, b"x" * (1 << 20), 1.0) == b"done"
        assert reader.elapsed_us < 700_000 * (perf_counter() - start)


def test_program_that_does_not_read_is_late() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        error = broken(programs, started(programs, "import time; time.sleep(100)"), b"x" * (1 << 20), 0.1)
        assert (error.cause, str(error.message)) == (Cause.LATE, "it did not read what it was sent within 100 ms")


def test_early_output_is_malformed() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        early = started(programs, "print('PLAY 1\\nPLAY 2', flush=True); input()")
        error = broken(programs, early)
        assert error.cause is Cause.MALFORMED
        assert error.message in {
            "it wrote 'PLAY 2\\n' after its answer 'PLAY 1'; an answer must be one line",
            "it wrote 'PLAY 1\\nPLAY 2\\n' before it was asked; it must write one line for each decision",
        }


def test_stderr_is_read_while_another_program_is_asked() -> None:
    """The text exceeds the pipe's capacity, so the write blocks until it is read."""
    talker = "from os import read, write\nread(0, 10); write(1, b'a\\n')\n"
    talker += "write(2, b'x' * 300_000); read(0, 10); write(1, b'b\\n')"
    with ProgramRunner(ONE_DEAL) as programs:
        first, other = started(programs, talker), started(programs, ECHO)
        assert programs.ask(first, b"go\n", 1.0) == b"a"
        while first.log.total < 300_000:
            programs.ask(other, b"go\n", 1.0)
        assert programs.ask(first, b"go\n", 1.0) == b"b"
        assert len(first.log.content()) < 70_000


def test_endless_stderr_is_a_fault_even_in_another_turn() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        flooder, other = started(programs, "import os\nwhile True: os.write(2, b'x' * 65536)"), started(programs, ECHO)
        while flooder.log.total <= LOG:
            programs.ask(other, b"go\n", 1.0)
        error = broken(programs, flooder)
        assert error.cause is Cause.FLOODED
        assert error.message == "it wrote more than 16 MB to its standard error in one match"


def test_output_after_closed_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.arena.process.runner.EXIT_GRACE", 60_000_000_000)  # for a busy machine
    with ProgramRunner(ONE_DEAL) as programs:
        program = started(
            programs, "import sys\nprint(input(), flush=True)\nsys.stderr.write(sys.stdin.read() + 'goodbye')"
        )
        assert programs.ask(program, b"go\n", 1.0) == b"go"
        programs.end([program])
        assert program.log.content() == b"goodbye"
        assert program.status == 0


def test_stderr_of_dropped_program_is_kept() -> None:
    with ProgramRunner(ONE_DEAL) as programs:
        program = started(
            programs,
            "import sys, time\nsys.stderr.write('hm')\nsys.stderr.flush()\nprint(input(), flush=True)\ntime.sleep(100)",
        )
        programs.ask(program, b"go\n", 1.0)
        programs.kill(program)
        assert program.log.content() == b"hm"
        programs.kill(program)


def test_close_ends_all_programs() -> None:
    bots = [python("import time; time.sleep(1000)"), python(ECHO)]
    with ProgramRunner(ONE_DEAL) as programs:
        for bot in bots:
            programs.start(bot)
        end = monotonic() + 10
        while len(left_of(bots)) < 2:  # a new program's environment is visible only a moment after its start
            assert monotonic() < end
    assert left_of(bots) == []


def test_quoted_output_has_no_control_characters() -> None:
    assert quote_output(b"\x1b[2J\r\n\0\xff") == r"'\x1b[2J\r\n\x00\\xff'"
    assert quote_output(b"x" * 100) == f"'{'x' * 60}...'"
