"""The pausable clock."""

from faceup.terminal.clock import PausableClock


def test_held_time_does_not_count_and_holds_nest() -> None:
    now = 1000
    clock = PausableClock(lambda: now)
    now += 50
    clock.hold()
    now += 500
    clock.hold()
    now += 500
    clock.release()
    assert clock.stopped
    assert clock() == 50
    clock.release()
    now += 25
    assert not clock.stopped
    assert clock() == 75
