"""Thinking time stays within the limits and shrinks with measured delays."""

import subprocess
import sys

import pytest

from faceup.bots.programs.time_control import FIRST_LIMIT, LIMIT, MARGIN, MOST_RESERVE, SAFETY_FACTOR, TimeControl


class Clock:
    """A fake clock."""

    def __init__(self) -> None:
        self.now = 50.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("faceup.bots.programs.time_control.time", clock)
    return clock


def think(pace: TimeControl, clock: Clock, *, asked: float, wait: float) -> float:
    """Return the duration of one decision that polls the clock every `wait` seconds."""
    pace.start_decision(asked)
    while not pace.over():
        clock.now += wait
    pace.finish_decision(clock.now)
    return clock.now - asked


def test_time_of_first_answer_counts_from_program_start(clock: Clock) -> None:
    pace = TimeControl(started=49.8)
    assert think(pace, clock, asked=pace.started, wait=0.001) < FIRST_LIMIT - 0.2
    assert clock.now > 50.3


def test_later_answers_count_from_the_request(clock: Clock) -> None:
    pace = TimeControl(started=clock.now)
    think(pace, clock, asked=clock.now, wait=0.001)
    for _ in range(100):
        clock.now += 7
        used = think(pace, clock, asked=clock.now - 0.01, wait=0.001)
        assert used < LIMIT - MARGIN
    assert used > 0.07  # on a calm machine nearly all of the time is used


@pytest.mark.parametrize("wait", [0.001, 0.004, 0.012, 0.02, 0.025])
def test_three_scheduling_delays_in_a_row_cause_no_late_answer(clock: Clock, wait: float) -> None:
    pace = TimeControl(started=clock.now)
    for _ in range(100):
        clock.now += 1
        # Late to wake up, and so much later until the answer is seen.
        used = think(pace, clock, asked=clock.now - wait, wait=wait) + wait
        assert used < (FIRST_LIMIT if _ == 0 else LIMIT)


def test_a_measured_delay_decays(clock: Clock) -> None:
    pace = TimeControl(started=clock.now)
    for _ in range(100):
        think(pace, clock, asked=clock.now, wait=0.001)
    calm = pace.reserve
    think(pace, clock, asked=clock.now, wait=0.02)
    assert pace.reserve >= 0.019
    think(pace, clock, asked=clock.now, wait=0.001)
    assert pace.reserve > 0.015
    for _ in range(200):
        think(pace, clock, asked=clock.now, wait=0.001)
    assert pace.reserve == pytest.approx(calm, abs=0.001)


def test_thinking_time_has_a_minimum(clock: Clock) -> None:
    pace = TimeControl(started=clock.now)
    think(pace, clock, asked=clock.now, wait=3.0)
    assert pace.reserve == MOST_RESERVE
    assert LIMIT - MARGIN - SAFETY_FACTOR * MOST_RESERVE > 0
    pace.start_decision(clock.now)
    assert pace.remaining() > 0.001
    pace.start_decision(clock.now - 5)
    assert pace.remaining() > 0.001


def test_work_before_thinking_is_not_measured_as_a_delay(clock: Clock) -> None:
    pace = TimeControl(started=clock.now)
    for _ in range(100):
        think(pace, clock, asked=clock.now, wait=0.001)
    pace.start_decision(clock.now)
    clock.now += 0.02
    pace.start_measuring()
    assert not pace.over()
    assert pace.reserve < 0.005


def test_thinking_time_can_be_limited_further(clock: Clock) -> None:
    pace = TimeControl(started=clock.now, most=0.02)
    for _ in range(50):
        assert think(pace, clock, asked=clock.now, wait=0.001) < 0.022


def test_process_start_is_measured() -> None:
    program = (
        "from time import perf_counter, sleep; sleep(0.3)\n"
        "from faceup.bots.programs.time_control import process_start; print(perf_counter() - process_start())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0.3 <= float(done.stdout) < 10
