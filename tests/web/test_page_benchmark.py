"""The measure of the page benchmark."""

from typing import Any

import pytest
from benchmarks.page import smoothness, tasks

MAIN, OTHER = {"pid": 1, "tid": 1}, {"pid": 1, "tid": 2}


def task(name: str, thread: dict[str, int], start: float, duration: float) -> dict[str, Any]:
    """Return an event of a trace, from milliseconds; the thread has the processor for 90 % of them."""
    return {"name": name, "ts": start * 1000, "dur": duration * 1000, "tdur": duration * 900} | thread


def test_tasks_are_those_of_the_main_thread_during_the_reveal_and_count_once() -> None:
    trace = [
        {"name": "chosen", "ts": 105_000.0} | MAIN,
        {"name": "revealed", "ts": 400_000.0} | MAIN,
        task("RunTask", MAIN, 50, 20),
        task("RunTask", MAIN, 100, 10),  # handles the tap
        task("ThreadControllerImpl::RunTask", MAIN, 100.5, 9),  # the same task under its other name
        task("ThreadControllerImpl::RunTask", OTHER, 200, 90),
        task("Layout", MAIN, 250, 30),
        task("RunTask", MAIN, 300, 40),
        task("RunTask", MAIN, 500, 60),
    ]
    assert tasks(trace) == [(100_000, 9_000), (300_000, 36_000)]


def test_a_frame_has_the_time_of_its_tasks_and_of_those_still_running() -> None:
    # Six frames: two tasks of 9 ms in the first, one of 40 ms from the start of the third to the middle of the fifth.
    result = smoothness([(0, 9_000), (9_500, 6_500), (33_400, 40_000), (95_000, 1_000)])
    assert result.longest == 40
    assert result.in_time == pytest.approx(100 * (1 - 2 / 6))
