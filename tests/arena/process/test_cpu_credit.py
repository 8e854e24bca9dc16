"""CPU credit: programs get credit only for CPU time that the machine took."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from tests.arena.tables import HOSTILE, LEAN, ONE_DEAL, builtin, busy, hostile, play

from faceup.arena import Bot, Cause
from faceup.arena.process import ProgramRunner
from faceup.arena.process.cpu_credit import MOST, CpuCredit, RefereeWait, TaskTimes

OTHERS = (builtin("lowest"), builtin("highest"), builtin("greedy"))
MS = 1_000_000


@contextmanager
def crowded(others: int) -> Iterator[None]:
    """Run all programs on one core, together with busy processes."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        with busy(others):
            yield
    finally:
        os.sched_setaffinity(0, cores)


@pytest.mark.parametrize(
    ("passed", "waits", "ran", "owed"),
    [
        (150, 0, 10, 0),  # it slept
        (150, 90, 60, 90),  # it stood ready for 90 ms
        (150, 70, 60, 70),  # and slept for 20
        (150, 140, 150, 0),  # two threads took the one core from each other
        (150, 140, 290, 0),  # they had two
        (150, 200, 100, 50),  # they had less than one
    ],
)
def test_credit_is_at_most_one_core(passed: int, waits: int, ran: int, owed: int) -> None:
    assert CpuCredit(passed, waits, ran, ready=False).credit == owed


@pytest.mark.slow
def test_program_gets_credit_for_cpu_taken_by_others() -> None:
    """With at most a fifth of a core, 20 ms of thinking take 60 ms or more."""
    terms = msgspec.structs.replace(ONE_DEAL, game="nimmt:arena deals=1 hand=3", turn=0.02)
    bot = hostile("needs 12 ms")
    with crowded(4):
        result, _ = play(bot, *OTHERS, terms=terms)
        # A whole deal, because a single answer may happen to get the core at once.
        strict, _ = play(bot, *OTHERS, terms=msgspec.structs.replace(terms, game="nimmt:arena deals=1", strict=True))
    assert result.faults == ()
    assert result.times[0].most > 20_000
    assert 0 < result.times[0].grace <= 2 * MOST // 1000
    assert [fault.cause for fault in strict.faults] == [Cause.LATE]


def test_sleeping_program_gets_no_credit_on_busy_core() -> None:
    with crowded(1):
        result, _ = play(hostile("sleeps"), *OTHERS, terms=msgspec.structs.replace(ONE_DEAL, first=1.0))
    assert [fault.cause for fault in result.faults] == [Cause.LATE]


def test_grace_extends_the_limit() -> None:
    result, _ = play(
        hostile("sleeps"),
        *OTHERS,
        terms=msgspec.structs.replace(ONE_DEAL, grace=0.2, game="nimmt:arena deals=1 hand=3"),
    )
    assert result.faults == ()
    assert result.times[0].grace == 0


def test_threads_that_share_a_core_earn_no_credit() -> None:
    with crowded(0), ProgramRunner(ONE_DEAL) as programs:
        program = programs.start(Bot("threads", (*LEAN, str(HOSTILE), "thinks in threads")))
        tasks = program.tasks
        text = (b"CHOOSE_CARD_TO_PLAY\n" + b"\n".join([b"0 0 0 0"] * 11) + b"\n7\n") * 2
        programs.ask(program, b"4 0\n" + text[: len(text) // 2], 5.0)
        programs.ask(program, text[: len(text) // 2], 5.0)
        account = tasks.since(tasks.taken + 350 * MS)
        assert account.waits > account.credit
        assert account.credit <= max(0, account.passed - account.ran)


def test_referee_waits_are_measured() -> None:
    own = RefereeWait()
    with crowded(1):
        own.take(0)
        x = 0
        while own.since() < MS:
            x += 1
    own.close()
    assert own.since() == 0


def test_ended_program_has_no_waits() -> None:
    with subprocess.Popen([*LEAN, "-c", "pass"]) as process:
        process.wait()
    assert TaskTimes(process.pid).since(0).waits == 0
