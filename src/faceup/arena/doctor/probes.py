"""The doctor's measurements of clock, pipes and waits, and its experiments with limits, sandbox and kernel features."""

import ctypes
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import get_clock_info, perf_counter, perf_counter_ns
from typing import IO, Final

import msgspec

from faceup.arena.doctor.system import Check, CheckStatus, most_tasks
from faceup.arena.match.terms import Bot
from faceup.arena.process.cpu_credit import MOST
from faceup.arena.process.isolation import Limits, count_running, process_limit_binds, set_limits
from faceup.arena.process.linux import GET_CHILD_SUBREAPER, SET_CHILD_SUBREAPER, prctl, thread_wait
from faceup.arena.process.sandbox import Sandbox, sandbox_unavailable_reason
from faceup.processors import ROOT, read

_SPIN: Final = 0.3
_TRIPS: Final = 2_000
_WAITS: Final = 60
_WAIT_MS: Final = 5
_TURN: Final = 100_000
"""Microseconds that a program usually has for an answer. Measured delays are compared with it."""

_SLOW_CLOCKS: Final = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"}
PYTHON: Final = (sys.executable, "-I", "-S", "-E", "-c")
"""The command for a minimal Python, which runs the test programs."""


def quantile(figures: Sequence[float], share: float) -> float:
    """Return the quantile of the figures at this share, from 0 to 1.

    >>> quantile([5, 1, 3], 0.5), quantile([5, 1, 3], 1.0)
    (3, 5)
    """
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def check_clock(seconds: float = _SPIN, *, excused: bool = False) -> tuple[Check, Check]:
    """Check that the clock is monotonic and fine-grained, and measure how long this process was kept from running.

    Long stalls make matches unfair. With `excused`, only those do that are longer than what the referee excuses: the
    kernel reports run-queue waits (schedstat), without which the referee cannot distinguish slow programs from stalled
    ones.
    """
    info = get_clock_info("perf_counter")
    source = read(ROOT / "sys/devices/system/clocksource/clocksource0/current_clocksource")
    gaps, backwards, passed, looked = _gaps(seconds)
    finest = (passed - sum(gaps)) / looked
    longest = max(gaps, default=0.0)
    figures = {"resolution": info.resolution * 1e6, "reading": round(finest, 3)}
    source_text = f"{source or 'the system clock'}, read in {finest * 1000:.0f} ns"
    if backwards or not info.monotonic:
        clock = Check(
            "clock", CheckStatus.BAD, f"{source_text}, went backwards, so its times are not reliable", figures
        )
    elif info.resolution > 1e-3:
        text = f"{source_text}, advances in steps of {info.resolution * 1000:.0f} ms, which is too coarse"
        clock = Check("clock", CheckStatus.BAD, text, figures)
    elif source in _SLOW_CLOCKS:
        clock = Check(
            "clock", CheckStatus.NOTE, f"{source_text}, is slow to read, which costs the referee time", figures
        )
    else:
        clock = Check("clock", CheckStatus.GOOD, source_text, figures)
    lost = sum(gaps) / passed
    figures = {"longest": round(longest), "share": round(lost, 4)}
    text = f"a program that was ready to run was stalled {lost:.1%} of the time, {longest / 1000:.1f} ms at most"
    if longest > _TURN / 2 and not excused:
        return clock, Check("stalls", CheckStatus.BAD, f"{text}, which is a large part of a turn", figures)
    if longest > MOST / 1000:
        words = f"{text}, but the referee excuses {MOST // 1_000_000} ms, so programs are late that are not slow"
        return clock, Check("stalls", CheckStatus.BAD, words, figures)
    return clock, Check(
        "stalls", CheckStatus.NOTE if longest > _TURN / 20 or lost > 0.1 else CheckStatus.GOOD, text, figures
    )


def _gaps(seconds: float) -> tuple[list[float], bool, float, int]:
    """Read the clock repeatedly.

    Returns:
        The gaps between two readings that are longer than 100 microseconds, in microseconds; whether the clock went
        backwards; the microseconds that passed; and the number of readings.
    """
    gaps: list[float] = []
    start = last = perf_counter_ns()
    looked, backwards = 0, False
    end = start + round(seconds * 1e9)
    while last < end:
        now = perf_counter_ns()
        if now - last > 100_000:
            gaps.append((now - last) / 1000)
        elif now < last:
            backwards = True
        last = now
        looked += 1
    return gaps, backwards, (last - start) / 1000, looked


def check_pipes(trips: int = _TRIPS, *, excused: bool = False) -> Check:
    """Measure the round trip of a line through pipes to an echo program. For `excused`, see `check_clock`."""
    program = shutil.which("cat")
    command = [program] if program else [*PYTHON, "import os\nwhile t := os.read(0, 512): os.write(1, t)"]
    took: list[float] = []
    with child(command) as (process, asking, answering):
        poll = select.poll()
        poll.register(answering, select.POLLIN)
        for _ in range(trips):
            start = perf_counter()
            os.write(asking.fileno(), b"PLAY 104\n")
            if not poll.poll(1_000) or not os.read(answering.fileno(), 64):
                text = f"{process.args!r} did not send back what it was sent within a second"
                return Check("pipes", CheckStatus.BAD, text)
            took.append((perf_counter() - start) * 1e6)
    took = took[trips // 20 :]  # the first trips include the start of the program
    half, late, most = quantile(took, 0.5), quantile(took, 0.99), max(took)
    figures = {"median": round(half, 1), "p99": round(late, 1), "most": round(most, 1)}
    text = f"a line to a program and back takes {half:.0f} us, and {late:.0f} us or more in 1 of 100 cases"
    if late > (_TURN if excused else _TURN / 10):
        return Check("pipes", CheckStatus.BAD, f"{text}, which is a large part of a turn", figures)
    return Check("pipes", CheckStatus.NOTE if late > _TURN / 100 else CheckStatus.GOOD, text, figures)


def check_wait_overshoot(waits: int = _WAITS, *, excused: bool = False) -> Check:
    """Measure how long after its timeout a wait ends. For `excused`, see `check_clock`."""
    reading, writing = os.pipe()
    poll = select.poll()
    poll.register(reading, select.POLLIN)
    late: list[float] = []
    try:
        for _ in range(waits):
            start = perf_counter()
            poll.poll(_WAIT_MS)
            late.append((perf_counter() - start) * 1e6 - _WAIT_MS * 1000)
    finally:
        os.close(reading)
        os.close(writing)
    half, most = quantile(late, 0.5), max(late)
    figures = {"median": round(half, 1), "most": round(most, 1)}
    text = f"a wait with a time limit ends {half:.0f} us late, and {most:.0f} us late at most"
    if half > (_TURN if excused else _TURN / 20):
        return Check("waking", CheckStatus.BAD, f"{text}, so time limits are not accurate", figures)
    return Check("waking", CheckStatus.NOTE if most > _TURN / 20 else CheckStatus.GOOD, text, figures)


def check_schedstat() -> tuple[Check, bool]:
    """Check that the kernel reports run-queue waits, by running two processes on one core.

    Returns:
        The check, and whether the kernel reports the waits.
    """
    if not (hasattr(os, "sched_setaffinity") and Path("/proc/self/schedstat").exists()):
        text = "not available (it needs Linux), so a late program is out even if it had to wait for a core"
        return Check("schedstat", CheckStatus.NOTE, text), False
    own_cores = os.sched_getaffinity(0)
    waited = 0.0
    try:
        os.sched_setaffinity(0, {min(own_cores)})
        with child([*PYTHON, "print(1, flush=True)\nwhile 1: pass"]) as (process, _, answering):
            os.read(answering.fileno(), 8)
            main_thread = str(process.pid)
            start, end = thread_wait(process.pid, main_thread), perf_counter() + 0.04
            while perf_counter() < end:
                pass
            waited = (thread_wait(process.pid, main_thread) - start) / 1000
    finally:
        os.sched_setaffinity(0, own_cores)
    figures = {"waited": float(round(waited))}
    if waited < 1_000:
        text = "available, but waits are not counted, so a late program is out even if it had to wait for a core"
        return Check("schedstat", CheckStatus.NOTE, text, figures), False
    text = "waits for a core are counted, so they are not charged to programs"
    return Check("schedstat", CheckStatus.GOOD, text, figures), True


@contextmanager
def child(command: Sequence[str]) -> Iterator[tuple["subprocess.Popen[bytes]", IO[bytes], IO[bytes]]]:
    """Run a program with pipes to its input and output, and kill it when the `with` block ends."""
    with subprocess.Popen(  # noqa: S603 -- test programs
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as process:
        assert process.stdin is not None  # noqa: S101 -- for the type checker: it is a pipe
        assert process.stdout is not None  # noqa: S101 -- as above
        try:
            yield process, process.stdin, process.stdout
        finally:
            process.kill()


_GREEDY: Final = """
import os, resource, sys, json
sys.stdin.readline()
found = {}
try:
    bytearray(1 << 28)
    found["memory"] = False
except MemoryError:
    found["memory"] = True
kept = []
try:
    while len(kept) < 64: kept.append(os.open("/dev/null", 0))
    found["files"] = False
except OSError:
    found["files"] = True
while kept: os.close(kept.pop())
found["core"] = resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
children = []
try:
    while len(children) < 4:
        child = os.fork()
        if not child:
            os.read(0, 1)
            os._exit(0)
        children.append(child)
    found["processes"] = False
except OSError:
    found["processes"] = True
for child in children: os.kill(child, 9); os.waitpid(child, 0)
print(json.dumps(found), flush=True)
"""
"""A program that tries to exceed every limit and reports which limits held."""

_ESCAPING: Final = """
import json, socket, sys
found = {}
for name, call in (
    ("write", lambda: open(sys.argv[1] + "/mark", "w")),
    ("read", lambda: open(sys.argv[1] + "/secret")),
    ("network", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)),
):
    try:
        call().close()
        found[name] = False
    except OSError:
        found[name] = True
print(json.dumps(found), flush=True)
"""
"""A program that tries what the sandbox must deny and reports what was denied."""

_NAMES: Final = {
    "memory": "memory",
    "files": "open files",
    "core": "core files",
    "processes": "processes",
    "write": "writing your files",
    "read": "reading your files",
    "network": "the network",
}


def check_limits() -> Check:
    """Check that the resource limits hold for a program that exceeds them."""
    if sys.platform != "linux":
        return Check("limits", CheckStatus.NOTE, "none (they need Linux), so a program can use up the memory")
    room = count_running() + 2 if process_limit_binds() else 0
    with child([*PYTHON, _GREEDY]) as (process, asking, answering):
        set_limits(process.pid, Limits(memory=1 << 27, processes=room, files=32))
        os.write(asking.fileno(), b"\n")
        enforced = _decode(answering.read())
    return _check("limits", enforced, "enforced, tested with a program")


def check_sandbox() -> Check:
    """Check that this machine has a sandbox, and that a program cannot get out of it."""
    if reason := sandbox_unavailable_reason():
        return Check("sandbox", CheckStatus.NOTE, f"none: {reason}; run only programs you trust")
    with tempfile.TemporaryDirectory(prefix="faceup-doctor-") as folder:
        (Path(folder) / "secret").touch()
        bot = Bot("doctor", (*PYTHON, _ESCAPING, folder), folder="/usr")
        with Sandbox(bot) as fenced:
            done = fenced.start(
                lambda: subprocess.run(  # noqa: S603 -- a test program
                    bot.command,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    env={**os.environ, **fenced.environment},
                    check=False,
                )
            )
    return _check(
        "sandbox",
        _decode(done.stdout),
        "enforced, tested with a program, which had no network and no files but its own",
    )


def check_kernel() -> Check:
    """Check that the kernel has the features with which the referee waits for programs and kills their descendants."""
    missing = []
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        missing.append("waiting on a process by descriptor (pidfd)")
    if not _adopts():
        missing.append("adopting orphaned processes (subreaper)")
    if missing:
        text = f"lacks {' and '.join(missing)}, so descendants of programs may keep running"
        return Check("kernel", CheckStatus.NOTE, text)
    return Check("kernel", CheckStatus.GOOD, "all descendants of programs are cleaned up (pidfd, subreaper)")


def _adopts() -> bool:
    """Return whether this process can become a child subreaper, and leave its setting as it was."""
    before = ctypes.c_int()
    try:
        prctl(GET_CHILD_SUBREAPER, ctypes.byref(before))
        prctl(SET_CHILD_SUBREAPER, 1)
        prctl(SET_CHILD_SUBREAPER, before.value)
    except OSError:
        return False
    return True


def _decode(output: bytes) -> dict[str, bool]:
    try:
        return msgspec.json.decode(output, type=dict[str, bool])
    except msgspec.DecodeError:
        return {}


def _check(name: str, enforced: dict[str, bool], good: str) -> Check:
    """Return the check of some limits.

    Args:
        name: name of the check.
        enforced: for each limit, whether it held; empty if the test program did not run.
        good: the message if all limits held.
    """
    if not enforced:
        return Check(name, CheckStatus.NOTE, "not tested: the test program did not run")
    figures = {limit: float(held) for limit, held in enforced.items()}
    loose = [_NAMES[limit] for limit, held in enforced.items() if not held]
    if not loose:
        return Check(name, CheckStatus.GOOD, good, figures)
    text = f"not enforced for {', '.join(loose)}"
    if loose == [_NAMES["processes"]] and not process_limit_binds():
        if most := most_tasks():
            figures["tasks"] = most
            text = f"{good}; because root has no limit on processes, the control group limits them to {most} in all"
            return Check(name, CheckStatus.GOOD, text, figures)
        text = f"{good}, except processes, because root has no limit; run untrusted programs as another user"
        text += ", or in a control group (systemd-run --scope -p TasksMax=1000 faceup arena ...)"
    return Check(name, CheckStatus.NOTE, text, figures)
