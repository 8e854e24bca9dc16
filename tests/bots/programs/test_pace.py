"""How long a program may think: within the limits, less the more the later it was."""

import subprocess
import sys

import pytest

from faceup.bots.programs.pace import CAUTION, FIRST_LIMIT, LIMIT, MARGIN, MOST_RESERVE, Pace


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("faceup.bots.programs.pace.time", clock)
    return clock


def think(pace: Pace, clock: Clock, *, asked: float, wait: float) -> float:
    """One decision, looking at the clock every `wait` seconds; how long it took."""
    pace.asked(asked)
    while not pace.over():
        clock.now += wait
    pace.answered(clock.now)
    return clock.now - asked


def test_the_first_answer_is_counted_from_the_start_of_the_program(clock: Clock) -> None:
    pace = Pace(started=49.8)
    assert think(pace, clock, asked=pace.started, wait=0.001) < FIRST_LIMIT - 0.2
    assert clock.now > 50.3


def test_every_other_answer_is_counted_from_when_it_was_asked_for(clock: Clock) -> None:
    pace = Pace(started=clock.now)
    think(pace, clock, asked=clock.now, wait=0.001)
    for _ in range(100):
        clock.now += 7
        used = think(pace, clock, asked=clock.now - 0.01, wait=0.001)
        assert used < LIMIT - MARGIN
    assert used > 0.07  # on a calm machine nearly all of the time is used


@pytest.mark.parametrize("wait", [0.001, 0.004, 0.012, 0.02, 0.025])
def test_a_machine_that_takes_the_processor_away_three_times_in_a_row_makes_nobody_late(
    clock: Clock, wait: float
) -> None:
    pace = Pace(started=clock.now)
    for _ in range(100):
        clock.now += 1
        # Late to wake up, and so much later until the answer is seen.
        used = think(pace, clock, asked=clock.now - wait, wait=wait) + wait
        assert used < (FIRST_LIMIT if _ == 0 else LIMIT)


def test_a_wait_is_remembered_for_some_time_and_then_forgotten(clock: Clock) -> None:
    pace = Pace(started=clock.now)
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


def test_however_late_it_was_there_is_time_to_think(clock: Clock) -> None:
    pace = Pace(started=clock.now)
    think(pace, clock, asked=clock.now, wait=3.0)
    assert pace.reserve == MOST_RESERVE
    assert LIMIT - MARGIN - CAUTION * MOST_RESERVE > 0
    pace.asked(clock.now)
    assert pace.left() > 0.001
    pace.asked(clock.now - 5)
    assert pace.left() > 0.001


def test_work_before_thinking_is_not_taken_for_a_wait(clock: Clock) -> None:
    pace = Pace(started=clock.now)
    for _ in range(100):
        think(pace, clock, asked=clock.now, wait=0.001)
    pace.asked(clock.now)
    clock.now += 0.02
    pace.begin()
    assert not pace.over()
    assert pace.reserve < 0.005


def test_a_player_may_take_less_time_than_it_has(clock: Clock) -> None:
    pace = Pace(started=clock.now, most=0.02)
    for _ in range(50):
        assert think(pace, clock, asked=clock.now, wait=0.001) < 0.022


def test_a_program_knows_how_long_ago_it_was_started() -> None:
    program = (
        "from time import perf_counter, sleep; sleep(0.3)\n"
        "from faceup.bots.programs.pace import process_start; print(perf_counter() - process_start())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0.3 <= float(done.stdout) < 10
