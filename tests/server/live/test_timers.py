import asyncio
import inspect
import logging
import time

import pytest

from faceup.core import Malformed
from faceup.server.live.timers import AT_ONCE, BackgroundTasks, TimerQueue
from faceup.server.store import StoreError


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


async def test_many_timers_at_once_wait_until_earlier_ones_are_handled() -> None:
    loop, fired, handled, most = asyncio.get_running_loop(), list[int](), set[int](), 0

    def fire(key: int) -> None:
        nonlocal most
        fired.append(key)
        handled.add(key)
        most = max(most, len(handled))
        loop.call_later(0.001, handled.discard, key)

    timers = TimerQueue[int](lambda: 0, fire, handled.__contains__)
    for key in range(5 * AT_ONCE):
        timers.set(key, 0)
    async with asyncio.timeout(30):
        while len(fired) < 5 * AT_ONCE:  # noqa: ASYNC110 -- there is no event to wait for
            await asyncio.sleep(0.001)
    assert most == AT_ONCE
    assert sorted(fired) == list(range(5 * AT_ONCE))
    timers.stop()


async def test_other_tasks_run_while_many_timers_fire() -> None:
    fired, turns = 0, 0

    def fire(_: int) -> None:
        nonlocal fired
        fired += 1
        time.sleep(0.001)

    timers = TimerQueue[int](lambda: 0, fire)
    for key in range(200):
        timers.set(key, 0)
    while fired < 200:
        await asyncio.sleep(0)
        turns += 1
    assert turns > 10
    timers.stop()


async def test_stopped_background_tasks_close_their_coroutines_before_and_after_their_first_step() -> None:
    async def wait() -> None:
        await asyncio.Event().wait()

    tasks, works = BackgroundTasks("abc"), [wait(), wait()]
    tasks.run(works[0])
    await asyncio.sleep(0)
    tasks.run(works[1])
    assert tasks.busy
    await tasks.stop()
    assert [inspect.getcoroutinestate(work) for work in works] == [inspect.CORO_CLOSED] * 2
    assert not tasks.busy


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (StoreError("disk full"), [("WARNING", "table abc: disk full")]),
        (Malformed("no such card"), []),
        (RuntimeError("test error"), [("ERROR", "background task failed at table abc")]),
    ],
)
async def test_errors_of_background_tasks_are_logged_except_obsolete_commands(
    error: Exception, logged: list[tuple[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    async def fail() -> None:
        raise error

    tasks = BackgroundTasks("abc")
    with caplog.at_level(logging.INFO):
        tasks.run(fail())
        while tasks.busy:  # noqa: ASYNC110 -- nothing tells when a task has ended
            await asyncio.sleep(0)
    assert [(record.levelname, record.message) for record in caplog.records] == logged
    assert not tasks.busy
