"""Limits hold for programs as soon as they are set, without a shell and without code between fork and exec."""

import os
import subprocess
import sys
from pathlib import Path

from faceup.arena import Bot, Terms
from faceup.arena.limits import Limits, ProcessLimit, bind, count_running, limits_of, process_limit_binds, tell

LEAN = (sys.executable, "-I", "-S", "-E", "-c")


def told(program: str, limits: Limits) -> str:
    """What a program prints that is told to go on once its limits are set."""
    with subprocess.Popen(
        [*LEAN, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        bind(process.pid, limits)
        process.stdin.write("go\n")
        process.stdin.close()
        return process.stdout.read().strip()


READY = "print('ready', flush=True); input()"


def test_a_program_that_fills_memory_is_refused_more() -> None:
    program = f"""
{READY}
kept = []
try:
    while len(kept) < 64: kept.append(bytearray(1 << 24))
    print("has it all")
except MemoryError:
    print("refused after", len(kept) * 16, "MB" if len(kept) < 8 else "too late")
"""
    assert told(program, Limits(memory=1 << 27)).startswith("refused after")
    assert "too late" not in told(program, Limits(memory=1 << 27))


def test_what_a_program_took_before_its_limit_counts() -> None:
    program = f"""
before = bytearray(3 << 25)
{READY}
try:
    bytearray(1 << 26)
    print("has it all")
except MemoryError:
    print("refused")
"""
    assert told(program, Limits(memory=1 << 27)) == "refused"


def test_address_space_that_is_reserved_and_not_used_is_no_memory() -> None:
    program = f"""
import mmap
{READY}
reserved = mmap.mmap(-1, 1 << 33, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0)
print(len(reserved) >> 30, "GB")
"""
    assert told(program, Limits(memory=1 << 27)) == "8 GB"


def test_a_program_may_open_so_many_files_and_leaves_no_core() -> None:
    program = f"""
import os, resource
{READY}
opened = 3
try:
    while opened < 100: os.open(".", os.O_RDONLY); opened += 1
except OSError as error:
    print(error.strerror, opened, resource.getrlimit(resource.RLIMIT_CORE))
"""
    assert told(program, Limits(files=32)) == "Too many open files 32 (0, 0)"


def test_a_program_that_never_ends_has_used_up_its_time_some_day() -> None:
    program = f"import resource; {READY}; print(resource.getrlimit(resource.RLIMIT_CPU))"
    assert told(program, Limits(cpu=100)) == "(100, 100)"


AS_ANYBODY = "import os\nif os.getuid() == 0: os.setuid(65534)"
"""Root is not held to a number of processes; root's program can be somebody else."""


def test_a_program_that_forks_is_refused_more_processes() -> None:
    program = f"""
{READY}
{AS_ANYBODY}
try:
    if os.fork() == 0: os._exit(0)
    os.wait()
    print("forked")
except OSError as error:
    print(error.strerror)
"""
    assert told(program, Limits(processes=1)) == "Resource temporarily unavailable"
    assert told(program, Limits(processes=100_000)) == "forked"


def test_programs_inherit_the_limit_on_processes_and_the_worker_gets_its_own_back() -> None:
    program = f"""
from faceup.arena.limits import ProcessLimit
from resource import RLIMIT_NPROC, getrlimit
import subprocess, sys
{AS_ANYBODY}
before = getrlimit(RLIMIT_NPROC)
with ProcessLimit(5_000):
    within = getrlimit(RLIMIT_NPROC)
print(within[0], within[1] == before[1], getrlimit(RLIMIT_NPROC) == before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "5000 True True\n"


def test_root_is_not_said_to_be_held_to_a_number_of_processes() -> None:
    assert process_limit_binds() == (os.getuid() != 0)
    assert ("root" in tell(Terms())) == (os.getuid() == 0)
    with ProcessLimit(0):
        pass


def test_a_program_that_has_ended_needs_no_limits() -> None:
    with subprocess.Popen([*LEAN, "pass"]) as process:
        process.wait()
        bind(process.pid, Limits(memory=1 << 27))


def test_processes_and_threads_of_this_user_are_counted() -> None:
    before = count_running()
    assert before >= len(list(Path("/proc/self/task").iterdir()))


def test_a_program_that_stays_from_match_to_match_has_all_the_time_it_needs() -> None:
    bot = Bot("mine", ("./mine",), alive=True)
    assert limits_of(Terms(alive=True), bot).cpu == 0
    assert limits_of(Terms(alive=False), bot).cpu > 0
