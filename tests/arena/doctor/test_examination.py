"""Doctor: checks that run test programs on this machine."""

import os
import subprocess
import sys

import pytest

from faceup.arena.doctor import Check, CheckStatus, Examination, examine, probes
from faceup.arena.doctor.probes import (
    check_clock,
    check_kernel,
    check_limits,
    check_pipes,
    check_sandbox,
    check_schedstat,
    check_wait_overshoot,
)


@pytest.mark.slow
def test_examination_recommends_parallel_matches() -> None:
    examination = examine()
    assert 1 <= examination.parallel_matches <= (os.cpu_count() or 1)
    assert examination.why
    names = [check.name for check in examination.checks]
    assert len(names) == len(set(names))
    assert {"cores", "load", "stalls", "clock", "waking", "pipes", "schedstat", "limits", "sandbox"} <= set(names)
    assert examination.fair == (not examination.problems)


def test_one_bad_check_makes_matches_unfair_and_is_the_reason() -> None:
    checks = (Check("clock", CheckStatus.BAD, "went backwards"), Check("load", CheckStatus.NOTE, "some"))
    examination = Examination(checks, 1, "1 core")
    assert not examination.fair
    assert examination.problems == ("went backwards",)


def test_waits_and_round_trips_are_measured() -> None:
    assert check_pipes(50).figures["median"] > 0
    assert check_wait_overshoot(5).figures["most"] >= 0
    clock, stalls = check_clock(seconds=0.01)
    assert 0 < clock.figures["reading"] < 1_000
    assert 0 <= stalls.figures["share"] <= 1


@pytest.mark.parametrize(("stall", "fair"), [(150_000.0, True), (250_000.0, False)])
def test_stalls_that_the_referee_does_not_excuse_are_unfair(
    stall: float, fair: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probes, "_gaps", lambda _seconds: ([stall], False, 300_000.0, 1_000_000))
    _, stalls = check_clock(excused=True)
    assert (stalls.verdict != CheckStatus.BAD) == fair


def test_schedstat_reports_waits_on_a_shared_core() -> None:
    before = os.sched_getaffinity(0)
    check, counted = check_schedstat()
    assert counted == (check.figures["waited"] >= 1_000)
    assert os.sched_getaffinity(0) == before


def test_limits_and_sandbox_are_tested_with_a_program() -> None:
    held = check_limits()
    assert held.figures["memory"] == held.figures["files"] == held.figures["core"] == 1.0
    fence = check_sandbox()
    assert fence.figures == {"write": 1.0, "read": 1.0, "network": 1.0}
    assert fence.verdict == CheckStatus.GOOD


def test_subreaper_setting_is_restored() -> None:
    program = "from faceup.arena.doctor.probes import check_kernel, _adopts\n"
    program += "import ctypes; before = ctypes.c_int(7); print(check_kernel().verdict)\n"
    program += "ctypes.CDLL(None).prctl(37, ctypes.byref(before), 0, 0, 0); print(before.value)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(check_kernel().verdict), "0"]
