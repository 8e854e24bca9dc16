"""Checkpoints of SQLite's write-ahead log: its size, and what a process that is killed in one has stored."""

import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.store.rows import a_table, an_append

from faceup.server.store import Store
from faceup.server.store.fast_append import FastAppender
from faceup.server.store.wal import SPARE

PAGE = 4096 + 24
"""Bytes of a page in the write-ahead log, with its header."""


async def keep_appending(store: Store, rows: int) -> None:
    table = await a_table(store)
    for seq in range(1, rows + 1):
        await store.append(an_append(table, seq))


async def test_the_wal_does_not_grow_while_the_writer_is_never_idle(tmp_path: Path) -> None:
    store, wal = await Store.open(f"sqlite:///{tmp_path / 't.sqlite'}"), tmp_path / "t.sqlite-wal"
    appending = asyncio.gather(*(keep_appending(store, 250) for _ in range(8)))
    sizes = []
    while not appending.done():
        await asyncio.wait([appending], timeout=0.05)
        sizes.append(wal.stat().st_size)
    await appending
    await store.close()
    assert max(sizes) < 1.2 * SPARE * PAGE


async def test_the_wal_does_not_grow_while_there_is_always_a_reader(tmp_path: Path) -> None:
    store, wal = await Store.open(f"sqlite:///{tmp_path / 't.sqlite'}"), tmp_path / "t.sqlite-wal"
    appending = asyncio.gather(*(keep_appending(store, 400) for _ in range(8)))

    def read(connection: sa.Connection) -> None:
        connection.exec_driver_sql("SELECT count(*) FROM log").one()
        time.sleep(0.03)

    async def keep_reading(delay: float) -> None:
        await asyncio.sleep(delay)
        while not appending.done():
            await store.query(read)

    await asyncio.gather(appending, keep_reading(0), keep_reading(0.015))
    size = wal.stat().st_size
    await store.close()
    assert size < 2 * SPARE * PAGE


async def test_the_writer_runs_no_checkpoint_while_jobs_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 't.sqlite'}")
    waiting: list[int] = []
    monkeypatch.setattr(FastAppender, "checkpoint", lambda _, **__: waiting.append(store._writer._jobs.qsize()))
    for _ in range(3):
        await asyncio.gather(*(keep_appending(store, 50) for _ in range(8)))
        await asyncio.sleep(0.5)
    await store.close()
    assert not any(waiting)


def kill_in_checkpoint(file: Path, delay: float) -> dict[str, int]:
    """Run a process until some seconds after it starts a checkpoint. Return the last row stored of each table."""
    command = (sys.executable, "-m", "tests.server.store.appending_process", str(file))
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        output = ""
        for line in process.stdout:
            output += line
            if line == "checkpoint\n":
                time.sleep(delay)
                process.kill()
        # The last line may be incomplete.
        lines = output.rpartition("\n")[0].splitlines()
    return {table: int(seq) for table, seq in (line.split() for line in lines if line != "checkpoint")}


@pytest.mark.slow
async def test_nothing_stored_is_lost_when_a_process_is_killed_in_a_checkpoint(tmp_path: Path) -> None:
    rng = random.Random(3)  # noqa: S311 -- moments
    for _ in range(4):
        stored = await asyncio.to_thread(kill_in_checkpoint, tmp_path / "t.sqlite", 0.003 * rng.random())
        assert sum(stored.values()) > 50
        store = await Store.open(f"sqlite:///{tmp_path / 't.sqlite'}")
        last = await store.last_seqs(list(stored))
        report = await store.check_integrity()
        await store.close()
        assert all(last[table] >= seq for table, seq in stored.items())
        assert not report.problems
