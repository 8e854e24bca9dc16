"""What is measured: the clock, a round trip through pipes, a timed wait, and whether the kernel tells who waited."""

import os
import select
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import get_clock_info, perf_counter, perf_counter_ns
from typing import IO, Final

from faceup.arena.doctor.checks import Check, Verdict
from faceup.arena.doctor.reading import ROOT, read

_SPIN: Final = 0.3
_TRIPS: Final = 2_000
_WAITS: Final = 60
_WAIT_MS: Final = 5
_TURN: Final = 100_000
"""Microseconds that a program has for an answer, as a rule: what is a large part of it is too much."""

_SLOW_CLOCKS: Final = {"hpet", "acpi_pm", "jiffies", "refined-jiffies"}
PYTHON: Final = (sys.executable, "-I", "-S", "-E", "-c")
"""Python started lean, for the programs that are tried."""


def quantile(figures: Sequence[float], share: float) -> float:
    """The figure that so many of them do not exceed.

    >>> quantile([5, 1, 3], 0.5), quantile([5, 1, 3], 1.0)
    (3, 5)
    """
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def check_clock(root: Path = ROOT, seconds: float = _SPIN, *, excused: bool = False) -> tuple[Check, Check]:
    """Whether the clock is even and fine; and how long this process was held up while it did nothing but look at it.

    Being held up is unfair where it is not `excused`, because the kernel does not tell who was.
    """
    info = get_clock_info("perf_counter")
    source = read(root / "sys/devices/system/clocksource/clocksource0/current_clocksource")
    gaps, backwards, passed, looked = _gaps(seconds)
    finest = (passed - sum(gaps)) / looked
    longest = max(gaps, default=0.0)
    figures = {"resolution": info.resolution * 1e6, "reading": round(finest, 3)}
    named = f"{source or 'the system clock'}, read in {finest * 1000:.0f} ns"
    if backwards or not info.monotonic:
        clock = Check("clock", Verdict.BAD, f"{named}, went backwards: no time that it gives can be trusted", figures)
    elif info.resolution > 1e-3:
        said = f"{named}, in steps of {info.resolution * 1000:.0f} ms: too coarse"
        clock = Check("clock", Verdict.BAD, said, figures)
    elif source in _SLOW_CLOCKS:
        clock = Check("clock", Verdict.NOTE, f"{named}: a slow one, which costs the referee time", figures)
    else:
        clock = Check("clock", Verdict.GOOD, named, figures)
    lost = sum(gaps) / passed
    figures = {"longest": round(longest), "share": round(lost, 4)}
    said = f"a program that wanted to run was held up {lost:.1%} of the time, {longest / 1000:.1f} ms at most"
    if longest > _TURN / 2 and not excused:
        return clock, Check("stalls", Verdict.BAD, f"{said}: that is a large part of a turn", figures)
    return clock, Check("stalls", Verdict.NOTE if longest > _TURN / 20 or lost > 0.1 else Verdict.GOOD, said, figures)


def _gaps(seconds: float) -> tuple[list[float], bool, float, int]:
    """Read the clock for so long.

    Returns:
        The breaks over 100 microseconds between two readings; whether time went backwards; the microseconds that
        passed; and how many readings there were.
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
    """How long a line takes to a program that only sends it back, and home again; `excused` as above."""
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
                said = f"{process.args!r} did not send back what it was sent within a second"
                return Check("pipes", Verdict.BAD, said)
            took.append((perf_counter() - start) * 1e6)
    took = took[trips // 20 :]  # the first ones start the program
    half, late, most = quantile(took, 0.5), quantile(took, 0.99), max(took)
    figures = {"median": round(half, 1), "p99": round(late, 1), "most": round(most, 1)}
    said = f"a line to a program and back takes {half:.0f} us, at the 99th of a hundred {late:.0f} us"
    if late > (_TURN if excused else _TURN / 10):
        return Check("pipes", Verdict.BAD, f"{said}: a large part of a turn", figures)
    return Check("pipes", Verdict.NOTE if late > _TURN / 100 else Verdict.GOOD, said, figures)


def check_waking(waits: int = _WAITS, *, excused: bool = False) -> Check:
    """How late a wait for an answer ends that nobody gives; `excused` as above."""
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
    said = f"a wait with a limit ends {half:.0f} us after it, {most:.0f} us at most"
    if half > (_TURN if excused else _TURN / 20):
        return Check("waking", Verdict.BAD, f"{said}: limits are not kept", figures)
    return Check("waking", Verdict.NOTE if most > _TURN / 20 else Verdict.GOOD, said, figures)


def check_waiting() -> tuple[Check, bool]:
    """Whether the kernel tells how long a program stood ready without a core: really tried, with two on one core."""
    if not (hasattr(os, "sched_setaffinity") and Path("/proc/self/schedstat").exists()):
        said = "not told here: who is late is out, even if it had no core (Linux has it in /proc/PID/schedstat)"
        return Check("schedstat", Verdict.NOTE, said), False
    mine = os.sched_getaffinity(0)
    waited = 0.0
    try:
        os.sched_setaffinity(0, {min(mine)})
        with child([*PYTHON, "print(1, flush=True)\nwhile 1: pass"]) as (process, _, answering):
            os.read(answering.fileno(), 8)
            start, end = _waited(process.pid), perf_counter() + 0.04
            while perf_counter() < end:
                pass
            waited = (_waited(process.pid) - start) / 1000
    finally:
        os.sched_setaffinity(0, mine)
    figures = {"waited": float(round(waited))}
    if waited < 1_000:
        said = "told, but not counted here: who is late is out, even if it had no core"
        return Check("schedstat", Verdict.NOTE, said, figures), False
    said = "what a program waited for a core is told, and not held against it"
    return Check("schedstat", Verdict.GOOD, said, figures), True


def _waited(pid: int) -> int:
    fields = read(Path(f"/proc/{pid}/schedstat")).split()
    return int(fields[1]) if len(fields) > 1 else 0


@contextmanager
def child(command: Sequence[str]) -> Iterator[tuple["subprocess.Popen[bytes]", IO[bytes], IO[bytes]]]:
    """A program with its input and output; it is gone when the block ends."""
    with subprocess.Popen(  # noqa: S603 -- programs of our own
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as process:
        assert process.stdin is not None  # noqa: S101 -- as asked for
        assert process.stdout is not None  # noqa: S101 -- likewise
        try:
            yield process, process.stdin, process.stdout
        finally:
            process.kill()
