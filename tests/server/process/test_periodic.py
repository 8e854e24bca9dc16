"""An item that fails is logged once, counted, and tried again later and later; the others continue."""

import asyncio
import logging

import pytest

from faceup.core import Malformed
from faceup.server.process import periodic
from faceup.server.process.metrics import Metrics
from faceup.server.process.periodic import Cleanup, FailureIsolation, PeriodicTask, Task, repeat, running
from faceup.server.store import UnavailableError


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [0.0]
    monkeypatch.setattr(periodic, "monotonic", lambda: now[0])
    return now


def fail(isolation: FailureIsolation, item: str, error: Exception) -> None:
    with isolation.isolate(item) as attempt:
        raise error
    assert attempt.error is error


def test_a_failing_item_is_logged_once_and_left_out_longer_and_longer(
    clock: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics()
    isolation, delays = FailureIsolation("sweep", metrics), []
    for _ in range(12):
        fail(isolation, "table 1", KeyError("card"))
        delays.append(isolation.delay("table 1"))
        clock[0] += delays[-1]
    assert delays[:4] == [1, 2, 4, 8]
    assert delays[-2:] == [600, 600]
    assert [record.message for record in caplog.records] == ["sweep failed for table 1"]
    assert isolation.delay("table 2") == isolation.delay("table 1") == 0
    assert metrics.value("faceup_background_failures_total", task="sweep") == 12
    with isolation.isolate("table 1"):
        pass
    fail(isolation, "table 1", KeyError("card"))
    assert isolation.delay("table 1") == 1


def test_an_error_of_the_database_delays_an_item_for_some_seconds_only(clock: list[float]) -> None:
    isolation = FailureIsolation("sweep", Metrics())
    for _ in range(9):
        fail(isolation, "table 1", UnavailableError("no answer"))
    assert isolation.delay("table 1") == 5
    clock[0] += 5
    assert isolation.delay("table 1") == 0


def test_the_log_of_an_error_contains_no_hands(caplog: pytest.LogCaptureFixture) -> None:
    fail(FailureIsolation("sweep", Metrics()), "table 1", Malformed("the hand 7,9 is invalid", where="entries"))
    assert "7,9" not in caplog.text
    assert "malformed" in caplog.text


async def test_a_task_that_fails_runs_again_and_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    runs, done = [0], asyncio.Event()

    async def work() -> None:
        runs[0] += 1
        if runs[0] > 3:
            done.set()
        raise RuntimeError("test error")

    metrics = Metrics()
    with caplog.at_level(logging.WARNING):
        task = asyncio.create_task(repeat("sweep", work, 0.001, metrics))
        await asyncio.wait_for(done.wait(), 30)
        task.cancel()
    assert [record.message for record in caplog.records] == ["sweep failed"]
    assert metrics.value("faceup_background_failures_total", task="sweep") >= 3


class _NotedTask:
    """A task that notes its start and stop, and fails if it is asked to."""

    def __init__(self, name: str, notes: list[str], *, fails: str = "") -> None:
        self._name = name
        self._notes = notes
        self._fails = fails

    async def start(self) -> None:
        self._note("start")

    async def stop(self) -> None:
        self._note("stop")

    def _note(self, what: str) -> None:
        self._notes.append(f"{what} {self._name}")
        if what == self._fails:
            raise RuntimeError(f"{self._name} cannot {what}")


async def test_tasks_start_in_order_and_stop_in_reverse() -> None:
    notes: list[str] = []

    async def clean_up() -> None:
        notes.append("clean up")

    tasks: list[Task] = [_NotedTask("a", notes), Cleanup(clean_up), _NotedTask("b", notes)]
    async with running(tasks):
        assert notes == ["start a", "start b"]
    assert notes[2:] == ["stop b", "clean up", "stop a"]


async def test_a_start_that_fails_stops_the_tasks_before_it_and_starts_none_after_it() -> None:
    notes: list[str] = []
    tasks = [_NotedTask(name, notes, fails="start" if name == "c" else "") for name in "abcd"]
    with pytest.raises(RuntimeError, match="c cannot start"):
        async with running(tasks):
            pytest.fail("the context must not be entered")
    assert notes == ["start a", "start b", "start c", "stop b", "stop a"]


async def test_a_stop_that_fails_does_not_prevent_the_others() -> None:
    notes: list[str] = []
    tasks = [_NotedTask(name, notes, fails="stop" if name == "b" else "") for name in "abc"]
    with pytest.raises(RuntimeError, match="b cannot stop"):
        async with running(tasks):
            pass
    assert notes[3:] == ["stop c", "stop b", "stop a"]


async def test_a_periodic_task_runs_from_its_start_to_its_stop_and_again_after_another_start() -> None:
    runs = asyncio.Queue[None]()
    task = PeriodicTask("sweep", lambda: runs.put(None), 0.001, Metrics())
    await task.stop()  # it has not started
    for _ in range(2):
        await task.start()
        await asyncio.wait_for(runs.get(), 30)
        await asyncio.wait_for(runs.get(), 30)
        await task.stop()
        assert not [running_ for running_ in asyncio.all_tasks() if running_ is not asyncio.current_task()]
