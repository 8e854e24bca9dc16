"""Worker processes answer every request, also if they are killed or fail."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from faceup.core import Malformed
from faceup.server.process.metrics import Metrics
from faceup.server.workers.fair_queue import Owner
from faceup.server.workers.pool import WorkerFailedError, WorkerPool, process_count

MODULE = "tests.server.workers.echo_worker"


@pytest.fixture(autouse=True)
def _find_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    made = WorkerPool(MODULE, "echo", Metrics(), seconds=60, idle=60)
    yield made
    await made.stop()


async def ask(pool: WorkerPool, topic: str, *arguments: object, owner: str = "ann") -> bytes:
    with pool.queue.enter(Owner(owner)) as ticket:
        await ticket.wait()
        return await pool.call(ticket, topic, *arguments)


async def test_answers_belong_to_their_requests(pool: WorkerPool) -> None:
    sent = [b"%d" % number * number for number in range(8)]
    assert await asyncio.gather(*(ask(pool, "echo", text) for text in sent)) == sent


async def test_an_error_is_answered_and_the_process_continues(
    pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    before = await ask(pool, "pid")
    with pytest.raises(WorkerFailedError):
        await ask(pool, "fail", b"a secret")
    assert "ZeroDivisionError" in str(caplog.records[-1].__dict__["fields"])
    assert "a secret" not in str(caplog.records[-1].__dict__)
    with pytest.raises(Malformed, match="it is wrong"):
        await ask(pool, "reject")
    assert await ask(pool, "pid") == before


async def test_a_killed_process_is_replaced_and_the_request_repeated(pool: WorkerPool) -> None:
    before = int(await ask(pool, "pid"))
    os.kill(before, signal.SIGKILL)
    assert int(await ask(pool, "pid")) != before
    with pytest.raises(WorkerFailedError):
        await ask(pool, "die")
    assert await ask(pool, "echo", b"again") == b"again"


async def test_a_request_that_takes_too_long_is_stopped(pool: WorkerPool) -> None:
    before = await ask(pool, "pid")
    pool.seconds = 0.1
    with pytest.raises(Malformed, match=r"longer than the limit of 0.1 s"):
        await ask(pool, "sleep")
    pool.seconds = 60
    assert await ask(pool, "pid") != before


async def test_the_work_of_a_cancelled_request_is_dropped(pool: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faceup.server.workers.pool._ABANDONED", 0.1)
    before = await ask(pool, "pid")
    asked = [asyncio.create_task(ask(pool, "sleep")) for _ in range(process_count())]
    await asyncio.sleep(0.1)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)
    assert await ask(pool, "pid") != before


async def test_long_work_of_one_address_does_not_block_another(pool: WorkerPool) -> None:
    asked = [asyncio.create_task(ask(pool, "sleep", owner="mallory")) for _ in range(4)]
    async with asyncio.timeout(30):
        assert await ask(pool, "echo", b"quick", owner="ann") == b"quick"
    assert not any(task.done() for task in asked)
    for task in asked:
        task.cancel()
    await asyncio.gather(*asked, return_exceptions=True)


async def test_a_further_process_is_warm_before_it_gets_requests() -> None:
    pool = WorkerPool(MODULE, "echo", Metrics(), seconds=60, idle=60, warm_up=lambda: [("count",), ("count",)])
    try:
        asked = asyncio.create_task(ask(pool, "sleep", owner="mallory"))
        await asyncio.sleep(0.1)
        assert await ask(pool, "count", owner="ann") == b"3"
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
    finally:
        await pool.stop()


async def test_idle_processes_end() -> None:
    pool = WorkerPool(MODULE, "echo", Metrics(), seconds=60, idle=0.01)
    try:
        await ask(pool, "pid")
        async with asyncio.timeout(60):
            while pool.is_warm:  # noqa: ASYNC110 -- nothing tells when a process has ended
                await asyncio.sleep(0.01)
        assert await ask(pool, "echo", b"again") == b"again"
    finally:
        await pool.stop()


@pytest.mark.long
async def test_a_process_that_is_kept_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(3)), raising=False)
    pool = WorkerPool(MODULE, "echo", Metrics(), seconds=60, idle=60, kept=1)
    try:
        pids = {await ask(pool, "pid")}
        asked = asyncio.create_task(ask(pool, "sleep", owner="mallory"))
        await asyncio.sleep(0.1)
        pids.add(await ask(pool, "pid"))
        running = [process for process in pool._processes if process.is_running]
        assert len(running) == len(pids) == 2
        pool._idle = 0.01
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        async with asyncio.timeout(60):
            while all(process.is_running for process in running):  # noqa: ASYNC110 -- nothing tells when one has ended
                await asyncio.sleep(0.01)
        pid = await ask(pool, "pid")
        await asyncio.sleep(0.1)
        assert pool.is_warm
        assert await ask(pool, "pid") == pid
    finally:
        await pool.stop()


@pytest.mark.parametrize(("cores", "processes"), [(1, 2), (2, 2), (4, 3), (64, 8)])
def test_there_is_a_process_for_each_core_but_one(cores: int, processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    assert process_count() == processes


def test_a_process_ends_with_its_server_in_the_middle_of_a_computation() -> None:
    def request(topic: str) -> bytes:
        body = msgspec.msgpack.encode([topic])
        return b"%d\n%b" % (len(body), body)

    with subprocess.Popen([sys.executable, "-m", MODULE], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(request("ready") + request("sleep"))
        process.stdin.flush()
        assert process.stdout.readline() == b"0 ok\n"
        process.stdin.close()  # as the system does when a server is killed
        assert process.wait(40) == 0
