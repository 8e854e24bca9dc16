import asyncio

from faceup.server.desk.alarms import Alarms


async def test_each_is_woken_at_the_time_that_was_set_last() -> None:
    now, woken = [0], list[str]()
    alarms = Alarms[str](lambda: now[0], woken.append)
    for sleeper, at in (("a", 50), ("b", 20), ("c", 30), ("a", 10), ("c", None), ("d", 90)):
        alarms.set(sleeper, at)
    now[0] = 60
    alarms.look()
    assert woken == ["a", "b"]
    alarms.stop()


async def test_alarms_ring_by_themselves_and_one_that_fails_keeps_nobody_asleep() -> None:
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def ring(sleeper: str) -> None:
        if sleeper == "broken":
            raise RuntimeError("a fault of ours")
        woken.set()

    alarms = Alarms[str](lambda: int(1000 * loop.time()), ring)
    soon = int(1000 * loop.time()) + 20
    alarms.set("broken", soon)
    alarms.set("sound", soon + 1)
    await asyncio.wait_for(woken.wait(), 30)
    alarms.stop()
