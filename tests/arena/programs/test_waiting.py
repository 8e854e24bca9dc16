"""Only what the machine took from a program is put down to the machine."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
from tests.arena.tables import HOSTILE, LEAN, ONE_DEAL, busy, hostile, ours, play

from faceup.arena import Bot, Cause
from faceup.arena.programs import Programs
from faceup.arena.programs.waiting import MOST, Account, Own, Tasks

OTHERS = (ours("lowest"), ours("highest"), ours("greedy"))
MS = 1_000_000


@contextmanager
def crowded(others: int) -> Iterator[None]:
    """Let all programs run on one core, and others with them."""
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
def test_the_machine_owes_a_program_one_core(passed: int, waits: int, ran: int, owed: int) -> None:
    assert Account(passed, waits, ran, ready=False).owed == owed


@pytest.mark.slow
def test_a_program_is_excused_for_what_others_took_from_it() -> None:
    """With a fifth of a core, or less if others have to run, it needs 60 ms or more for what it may think in 20."""
    terms = msgspec.structs.replace(ONE_DEAL, game="nimmt:arena deals=1 hand=3", turn=0.02)
    bot = hostile("needs 12 ms")
    with crowded(4):
        result, _ = play(bot, *OTHERS, terms=terms)
        strict, _ = play(bot, *OTHERS, terms=msgspec.structs.replace(terms, strict=True))
    assert result.faults == ()
    assert result.times[0].most > 20_000
    assert 0 < result.times[0].grace <= 2 * MOST // 1000
    assert [fault.cause for fault in strict.faults] == [Cause.LATE]


def test_a_program_that_sleeps_is_excused_for_nothing_where_others_take_the_core() -> None:
    with crowded(1):
        result, _ = play(hostile("sleeps"), *OTHERS, terms=msgspec.structs.replace(ONE_DEAL, first=1.0))
    assert [fault.cause for fault in result.faults] == [Cause.LATE]


def test_the_platforms_own_allowance_is_given_to_whoever_needs_it() -> None:
    result, _ = play(
        hostile("sleeps"),
        *OTHERS,
        terms=msgspec.structs.replace(ONE_DEAL, grace=0.2, game="nimmt:arena deals=1 hand=3"),
    )
    assert result.faults == ()
    assert result.times[0].grace == 0


def test_threads_that_share_a_core_have_waited_and_are_owed_nothing_for_it() -> None:
    with crowded(0), Programs(ONE_DEAL) as programs:
        program = programs.start(Bot("threads", (*LEAN, str(HOSTILE), "thinks in threads")))
        tasks = program.tasks
        text = (b"CHOOSE_CARD_TO_PLAY\n" + b"\n".join([b"0 0 0 0"] * 11) + b"\n7\n") * 2
        programs.ask(program, b"4 0\n" + text[: len(text) // 2], 5.0)
        programs.ask(program, text[: len(text) // 2], 5.0)
        account = tasks.since(tasks.taken + 350 * MS)
        assert account.waits > account.owed
        assert account.owed <= max(0, account.passed - account.ran)


def test_the_referee_counts_its_own_waits() -> None:
    own = Own()
    with crowded(1):
        own.take(0)
        x = 0
        while own.since() < MS:
            x += 1
    own.close()
    assert own.since() == 0


def test_of_a_program_that_has_ended_nothing_is_known() -> None:
    with subprocess.Popen([*LEAN, "-c", "pass"]) as process:
        process.wait()
    assert Tasks(process.pid).since(0).waits == 0
