"""A machine is really tried, with programs of our own."""

import os
import subprocess
import sys

import pytest

from faceup.arena.doctor import Check, Examination, Verdict, examine
from faceup.arena.doctor.timing import check_clock, check_pipes, check_waiting, check_waking
from faceup.arena.doctor.trying import check_kernel, check_limits, check_sandbox


@pytest.mark.slow
def test_an_examination_says_how_many_matches_to_run_at_once() -> None:
    found = examine()
    assert 1 <= found.at_once <= (os.cpu_count() or 1)
    assert found.why
    names = [check.name for check in found.checks]
    assert len(names) == len(set(names))
    assert {"cores", "load", "stalls", "clock", "waking", "pipes", "schedstat", "limits", "sandbox"} <= set(names)
    assert found.fair == (not found.against)


def test_one_bad_check_makes_matches_unfair_and_is_the_reason() -> None:
    checks = (Check("clock", Verdict.BAD, "went backwards"), Check("load", Verdict.NOTE, "some"))
    found = Examination(checks, 1, "1 core")
    assert not found.fair
    assert found.against == ("went backwards",)


def test_waits_and_round_trips_are_measured() -> None:
    assert check_pipes(50).figures["median"] > 0
    assert check_waking(5).figures["most"] >= 0
    clock, stalls = check_clock(seconds=0.01)
    assert 0 < clock.figures["reading"] < 1_000
    assert 0 <= stalls.figures["share"] <= 1


def test_two_on_one_core_are_seen_to_wait_for_each_other() -> None:
    before = os.sched_getaffinity(0)
    check, told = check_waiting()
    assert told == (check.figures["waited"] >= 1_000)
    assert os.sched_getaffinity(0) == before


def test_limits_and_fence_are_tried_with_a_program() -> None:
    held = check_limits()
    assert held.figures["memory"] == held.figures["files"] == held.figures["core"] == 1.0
    fence = check_sandbox()
    assert fence.figures == {"write": 1.0, "read": 1.0, "network": 1.0}
    assert fence.verdict == Verdict.GOOD


def test_what_was_tried_with_the_kernel_is_put_back() -> None:
    program = "from faceup.arena.doctor.trying import check_kernel, _adopts\n"
    program += "import ctypes; before = ctypes.c_int(7); print(check_kernel().verdict)\n"
    program += "ctypes.CDLL(None).prctl(37, ctypes.byref(before), 0, 0, 0); print(before.value)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(check_kernel().verdict), "0"]
