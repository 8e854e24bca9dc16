import asyncio

from faceup.server.live.timers import TimerQueue


async def test_each_timer_fires_at_the_time_set_last() -> None:
    now, fired = [0], list[str]()
    timers = TimerQueue[str](lambda: now[0], fired.append)
    for key, at in (("a", 50), ("b", 20), ("c", 30), ("a", 10), ("c", None), ("d", 90)):
        timers.set(key, at)
    now[0] = 60
    timers.fire_due()
    assert fired == ["a", "b"]
    timers.stop()


async def test_a_failing_timer_callback_does_not_stop_others() -> None:
    loop, fired = asyncio.get_running_loop(), asyncio.Event()

    def fire(key: str) -> None:
        if key == "broken":
            raise RuntimeError("test error")
        fired.set()

    timers = TimerQueue[str](lambda: int(1000 * loop.time()), fire)
    soon = int(1000 * loop.time()) + 20
    timers.set("broken", soon)
    timers.set("working", soon + 1)
    await asyncio.wait_for(fired.wait(), 30)
    timers.stop()
