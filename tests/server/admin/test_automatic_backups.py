"""Automatic backups: one for all servers of a database, after failures and deaths, on S3, and during a kill."""

import asyncio
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import boto3  # type: ignore[import-untyped]  # it carries no types
import pytest
import sqlalchemy as sa
from tests.server.migrated import create_file
from tests.server.postgresql import BINARIES
from tests.server.server_process import Server, environment, free_port, serving

from faceup.server.accounts.server_state import set_value
from faceup.server.admin.automatic_backups import AutomaticBackups, last_backup
from faceup.server.process.settings import Settings
from faceup.server.store import Store

CONFIG = {"config": {"game": "nimmt", "options": {"seats": 2}, "bots": ["random"], "terms": {"clock": 300_000}}}


def _settings(url: str, folder: Path, every: str = "1h") -> Settings:
    database = url.removeprefix("sqlite:///")
    return Settings(database=database, backup_every=every, backup_to=str(folder), backup_keep=2)


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(autouse=True)
def _programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", f"{BINARIES}:{os.environ['PATH']}")
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))


@pytest.mark.sample(1)
async def test_one_of_two_servers_makes_a_backup_that_is_due(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    stores = [await Store.open(url), await Store.open(url)]
    servers = [AutomaticBackups(store, _settings(url, folder)) for store in stores]
    before = stores[0].now()
    made = await asyncio.gather(*(server.back_up_if_due() for server in servers))
    assert sorted(made) == [False, True]
    [name] = _names(folder)
    assert name.endswith(".sqlite" if url.startswith("sqlite:") else ".dump")
    assert [await server.back_up_if_due() for server in servers] == [False, False]
    last = await stores[0].query(last_backup)
    assert before - 1000 <= last <= stores[0].now() + 1000  # the servers' clocks may differ
    for store in stores:
        await store.close()


@pytest.mark.long
async def test_the_claim_of_a_dead_server_ends(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    alive = await Store.open(url)
    await alive.write(lambda connection: _claim_for("dead", connection))
    assert await AutomaticBackups(alive, _settings(url, folder)).back_up_if_due()
    other = await Store.open(url)
    await alive.write(lambda connection: _claim_for(other.process, connection))
    assert not await AutomaticBackups(alive, _settings(url, folder, "1s")).back_up_if_due()
    await other.close()
    await asyncio.sleep(1)  # the next one is due
    assert await AutomaticBackups(alive, _settings(url, folder, "1s")).back_up_if_due()
    assert len(_names(folder)) == 2
    await alive.close()


def _claim_for(process: str, connection: sa.Connection) -> None:
    set_value(connection, "backup_claim", process)


async def test_a_failure_is_logged_counted_and_tried_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, url = tmp_path / "backups", f"sqlite:///{tmp_path / 'tables.sqlite'}"
    folder.touch()
    store = await Store.open(url)
    backups = AutomaticBackups(store, _settings(url, folder))
    assert not await backups.back_up_if_due()
    assert not await backups.back_up_if_due()  # not immediately
    assert store.metrics.value("faceup_backup_failures_total") == 1
    [line] = [record for record in caplog.records if record.message == "a backup failed"]
    assert line.fields == {"error": f"{folder} is a file, and not a folder"}  # type: ignore[attr-defined]
    folder.unlink()
    now = store.now()
    monkeypatch.setattr(store, "now", lambda: now + 301_000)
    assert await backups.back_up_if_due()
    assert store.metrics.value("faceup_backup_failures_total") == 1
    await store.close()


async def test_a_stop_ends_a_backup_and_leaves_nothing(tmp_path: Path) -> None:
    path, folder = tmp_path / "tables.sqlite", tmp_path / "backups"
    store = await Store.open(create_file(f"sqlite:///{path}"))
    _fill(path, 40)
    task = asyncio.create_task(AutomaticBackups(store, _settings(f"sqlite:///{path}", folder)).back_up_if_due())
    while not (folder.is_dir() and _names(folder)):  # noqa: ASYNC110 -- another process creates it
        await asyncio.sleep(0.01)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
    assert [name for name in _names(folder) if name.startswith(".")] == []
    await store.close()


def _fill(path: Path, megabytes: int) -> None:
    """Make a database large, so that a backup takes time."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE filler (content BLOB)")
        for _ in range(megabytes):
            database.execute("INSERT INTO filler VALUES (randomblob(1000000))")
        database.commit()


# With processes.


@pytest.mark.long
def test_a_server_killed_during_a_backup_leaves_only_complete_backups_and_the_newest_is_restored(
    tmp_path: Path,
) -> None:
    data, folder = tmp_path / "data", tmp_path / "backups"
    flags = ("--backup-every", "1s", "--backup-to", str(folder), "--backup-keep", "3")
    with serving(data) as server:
        table = server.ask("/api/tables", CONFIG).json["id"]
        cookie = server.cookie
        server.stop()
    database = data / "online" / "tables.sqlite"
    _fill(database, 60)
    folder.mkdir()
    for number in (1, 2, 3):
        with serving(data, *flags) as server:
            _wait(lambda number=number: len(_unfinished(folder)) == number)  # type: ignore[misc]  # mypy infers no type
            [child] = _backup_processes(server)
            server.process.kill()
            os.kill(child, signal.SIGKILL)
            server.process.wait()
        assert len(_unfinished(folder)) == number
    with serving(data, *flags) as server:
        server.cookie = cookie
        _wait(lambda: len(_complete(folder)) >= 3)
        code = server.ask(f"/api/tables/{table}").json["code"]
        assert server.ask("/metrics").body.decode().count("\nfaceup_backup_failures_total 0.0") == 1
        server.stop()
    for name in _complete(folder):
        with closing(sqlite3.connect(folder / name)) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for leftover in folder.glob(".*"):
        os.utime(leftover, (time.time() - 3700, time.time() - 3700))
    database.unlink()
    newest = folder / _complete(folder)[-1]
    subprocess.run(_admin("restore", str(newest)), env=environment(data), check=True)
    with serving(data, *flags) as server:
        server.cookie = cookie
        assert server.ask(f"/api/tables/{table}").json["code"] == code
        started = server.ask(f"/api/tables/{table}/commands", {"id": "start", "command": "start"})
        assert started.status == 200, started.body
        _wait(lambda: _complete(folder)[-1] > newest.name)
        server.stop()
    assert not [name for name in _names(folder) if name.startswith(".")]
    assert len(_complete(folder)) == 3


def _unfinished(folder: Path) -> list[str]:
    return [name for name in _names(folder) if name.endswith(".partial")]


def _complete(folder: Path) -> list[str]:
    return [name for name in _names(folder) if name.startswith("faceup-") and name.endswith(".sqlite")]


def _backup_processes(server: Server) -> list[int]:
    """Return the processes of a server that make a backup."""
    names = []
    for children in Path(f"/proc/{server.process.pid}/task").glob("*/children"):
        for child in children.read_text().split():
            with suppress(OSError):
                if b"backup" in Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                    names.append(int(child))
    return names


def _wait(done: Callable[[], bool]) -> None:
    for _ in range(3_000):
        if done():
            return
        time.sleep(0.02)
    raise AssertionError("waited for a minute")


def _admin(*words: str) -> list[str]:
    return [sys.executable, "-m", "faceup", "admin", *words]


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of an S3 server, to which the standard variables lead."""
    port = free_port()
    variables = {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_ALLOW_HTTP": "true",
    }
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(lambda: _listens(port))
        boto3.client("s3", endpoint_url=variables["AWS_ENDPOINT_URL"]).create_bucket(Bucket="cards")
        yield "s3://cards/faceup"
    finally:
        process.kill()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


@pytest.mark.long
def test_a_server_backs_up_to_s3_and_the_backup_is_restored(s3: str, tmp_path: Path) -> None:
    data = tmp_path / "data"
    flags = ("--backup-every", "1s", "--backup-to", s3, "--backup-keep", "2")
    with serving(data) as server:
        table = server.ask("/api/tables", CONFIG).json["id"]
        cookie = server.cookie
        server.stop()
    _fill(data / "online" / "tables.sqlite", 12)  # so large that it is uploaded in parts
    with serving(data, *flags) as server:
        _wait(lambda: server.log.count("made a backup") >= 3)
        server.stop()
    refused = subprocess.run(
        _admin("restore", f"{s3}/"), env=environment(data), check=False, capture_output=True, text=True
    )
    assert refused.returncode == 2
    newest = refused.stderr.rpartition("its newest backup is ")[2].strip()
    assert newest.startswith(f"{s3}/faceup-20")
    last = json.loads(subprocess.check_output(_admin("backup", s3, "--keep", "2", "--json"), env=environment(data)))
    assert last["deleted"]
    assert newest not in last["deleted"]
    elsewhere = tmp_path / "elsewhere"
    restored = subprocess.check_output(_admin("restore", newest, "--json"), env=environment(elsewhere))
    moderation = json.loads(restored)["moderation"]
    assert not [warning for warning in moderation["warnings"] if "s3://" in warning]  # the copy on S3 was read
    with serving(elsewhere) as server:
        server.cookie = cookie
        assert server.ask(f"/api/tables/{table}").status == 200
        server.stop()
    assert _names(elsewhere / "online") == ["tables.sqlite", "tables.sqlite.moderation.jsonl"]
    for wrong, expected in (
        (f"{s3}/none.sqlite", "is not a backup"),
        ("s3://none/x.sqlite", "cannot be used: The specified bucket"),
    ):
        failed = subprocess.run(
            _admin("restore", wrong), env=environment(elsewhere), check=False, capture_output=True, text=True
        )
        assert (failed.returncode, expected in failed.stderr, failed.stderr.count("\n")) == (2, True, 1), failed.stderr
