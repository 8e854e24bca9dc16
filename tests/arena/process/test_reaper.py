"""Reaper: kills all descendants of programs and no other process."""

import os
import signal
import subprocess
import sys
import time

import pytest
from tests.arena.tables import LEAN, ONE_DEAL, hostile, program

from faceup.arena import Cause
from faceup.arena.process import ProgramError, ProgramRunner
from faceup.arena.process.linux import children_of, descendants_of, stat
from faceup.arena.process.program import describe_exit


@pytest.mark.parametrize("new_session", [False, True])
def test_other_children_of_this_process_survive(new_session: bool) -> None:
    with subprocess.Popen([*LEAN, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=new_session) as child:
        with ProgramRunner(ONE_DEAL) as programs:
            programs.end([programs.start(hostile("instant"))])
        assert child.poll() is None
        child.communicate(b"\n")
        assert child.returncode == 0


def test_programs_of_another_referee_survive() -> None:
    with ProgramRunner(ONE_DEAL) as programs, ProgramRunner(ONE_DEAL) as others:
        other = others.start(program("echo", "cat"))
        programs.end([programs.start(hostile("instant"))])
        assert others.ask(other, b"still here\n", 1.0) == b"still here"


def is_alive(process: int) -> bool:
    """Return whether a process has not ended. It may also wait for the disk, for example for its own program's file."""
    return stat(process).state not in {"", "Z"}


def test_programs_end_with_killed_referee() -> None:
    """Spinning programs would otherwise run forever; waiting ones end with their input."""
    source = (
        "from tests.arena.tables import ONE_DEAL, hostile, program\n"
        "from faceup.arena.process import ProgramRunner\n"
        "with ProgramRunner(ONE_DEAL) as programs:\n"
        "    programs.kill(programs.start(program('gone', 'cat')))\n"
        f"    spins = programs.start(program('spins', *{LEAN!r}, '-c', 'while True: pass'))\n"
        "    waits = programs.start(program('waits', 'sleep', '1000'))\n"
        "    print(spins.process, waits.process, flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen([sys.executable, "-c", source], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as referee:
        assert referee.stdout is not None
        left = [int(number) for number in referee.stdout.readline().split()]
        assert all(is_alive(number) for number in left)
        referee.send_signal(signal.SIGKILL)
        until = time.monotonic() + 30
        while any(is_alive(number) for number in left):
            assert time.monotonic() < until
            time.sleep(0.01)


def test_orphans_are_adopted_and_killed() -> None:
    source = "import os\nif os.fork(): os._exit(0)\nos.setsid()\nos.execve('/bin/sleep', ['sleep', '1000'], {})"
    with ProgramRunner(ONE_DEAL) as programs:
        before = children_of(os.getpid())
        daemon = programs.start(program("daemon", *LEAN, "-c", source))
        while stat(daemon.process).state != "Z" or len(children_of(os.getpid())) < len(before) + 2:
            pass
        programs.kill(daemon)
        assert children_of(os.getpid()) == before


def test_largest_program_is_killed_when_processes_run_out() -> None:
    """The kernel does not limit root, so this calls the code for a failed start directly."""
    with ProgramRunner(ONE_DEAL) as programs:
        modest, greedy = programs.start(program("echo", "cat")), programs.start(hostile("multiplies"))
        programs.ask(greedy, b"4 0\nCHOOSE_CARD_TO_PLAY\n" + b"0\n" * 11 + b"7\n", 5.0)
        while len(descendants_of(greedy.process)) < 40:
            pass
        programs._make_room()
        assert programs.ask(modest, b"still here\n", 1.0) == b"still here"
        with pytest.raises(
            ProgramError, match="killed because its 40 processes kept other programs from starting"
        ) as error:
            programs.ask(greedy, b"go\n", 1.0)
        assert error.value.cause is Cause.ENDED
        programs.kill(greedy)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "it ended"),
        (256, "it ended with status 1"),
        (9, "it was ended by SIGKILL"),
        (139, "it was ended by SIGSEGV"),
        (40, "it was ended by signal 40"),
    ],
)
def test_describe_exit(status: int, words: str) -> None:
    assert describe_exit(status) == words
