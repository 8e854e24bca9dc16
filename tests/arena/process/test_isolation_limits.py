"""Resource limits hold as soon as they are set."""

import os
import subprocess
import sys
from pathlib import Path

from faceup.arena import Bot, MatchTerms
from faceup.arena.process.isolation import (
    Limits,
    ProcessLimit,
    count_running,
    describe_limits,
    limits_of,
    process_limit_binds,
    set_limits,
)

LEAN = (sys.executable, "-I", "-S", "-E", "-c")


def output_of(program: str, limits: Limits) -> str:
    """Return what a program prints once its limits are set."""
    with subprocess.Popen(
        [*LEAN, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        set_limits(process.pid, limits)
        process.stdin.write("go\n")
        process.stdin.close()
        return process.stdout.read().strip()


READY = "print('ready', flush=True); input()"


def test_memory_limit_holds() -> None:
    program = f"""
{READY}
kept = []
try:
    while len(kept) < 64: kept.append(bytearray(1 << 24))
    print("has it all")
except MemoryError:
    print("refused after", len(kept) * 16, "MB" if len(kept) < 8 else "too late")
"""
    assert output_of(program, Limits(memory=1 << 27)).startswith("refused after")
    assert "too late" not in output_of(program, Limits(memory=1 << 27))


def test_memory_allocated_before_the_limit_counts() -> None:
    program = f"""
before = bytearray(3 << 25)
{READY}
try:
    bytearray(1 << 26)
    print("has it all")
except MemoryError:
    print("refused")
"""
    assert output_of(program, Limits(memory=1 << 27)) == "refused"


def test_reserved_address_space_does_not_count_as_memory() -> None:
    program = f"""
import mmap
{READY}
reserved = mmap.mmap(-1, 1 << 33, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=0)
print(len(reserved) >> 30, "GB")
"""
    assert output_of(program, Limits(memory=1 << 27)) == "8 GB"


def test_open_files_and_core_files_are_limited() -> None:
    program = f"""
import os, resource
{READY}
opened = 3
try:
    while opened < 100: os.open(".", os.O_RDONLY); opened += 1
except OSError as error:
    print(error.strerror, opened, resource.getrlimit(resource.RLIMIT_CORE))
"""
    assert output_of(program, Limits(files=32)) == "Too many open files 32 (0, 0)"


def test_cpu_time_is_limited() -> None:
    program = f"import resource; {READY}; print(resource.getrlimit(resource.RLIMIT_CPU))"
    assert output_of(program, Limits(cpu=100)) == "(100, 100)"


AS_ANYBODY = "import os\nif os.getuid() == 0: os.setuid(65534)"
"""The kernel does not limit root's processes, so the program changes its user."""


def test_process_limit_holds() -> None:
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
    assert output_of(program, Limits(processes=1)) == "Resource temporarily unavailable"
    assert output_of(program, Limits(processes=100_000)) == "forked"


def test_process_limit_is_inherited_and_restored() -> None:
    program = f"""
from faceup.arena.process.isolation import ProcessLimit
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


def test_process_limit_is_not_claimed_for_root() -> None:
    assert process_limit_binds() == (os.getuid() != 0)
    assert ("root" in describe_limits(MatchTerms())) == (os.getuid() == 0)
    with ProcessLimit(0):
        pass


def test_set_limits_ignores_ended_program() -> None:
    with subprocess.Popen([*LEAN, "pass"]) as process:
        process.wait()
        set_limits(process.pid, Limits(memory=1 << 27))


def test_processes_and_threads_of_this_user_are_counted() -> None:
    before = count_running()
    assert before >= len(list(Path("/proc/self/task").iterdir()))


def test_program_kept_alive_has_no_cpu_limit() -> None:
    bot = Bot("mine", ("./mine",), alive=True)
    assert limits_of(MatchTerms(alive=True), bot).cpu == 0
    assert limits_of(MatchTerms(alive=False), bot).cpu > 0
