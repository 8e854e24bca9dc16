"""Integrity: damaged pages and logs are found, and a server with a damaged database is not ready."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from tests.cli.in_process import InProcessCli
from tests.server.app_server import AppServer, built
from tests.server.postgresql import PostgreSQL

from faceup.server.process.settings import Settings
from faceup.server.store import Store


async def fill(url: str) -> None:
    """Create tables until the database has many pages."""
    async with built(url, Settings()) as app, app.guest("Ann") as ann:
        for number in range(12):
            await app.table(ann, options={"seats": 2 + number % 8})


def overwrite_page(file: Path, page: int, size: int) -> None:
    with file.open("r+b") as opened:
        opened.seek(page * size)
        opened.write(b"\xa5" * size)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.sqlite"


def run_check(file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run `faceup admin check`, and return its exit status and its output."""
    done = InProcessCli(monkeypatch, capsys)("admin", "check", "--database", str(file))
    return done.status, done.out + done.err


def pages_of(file: Path, table: str) -> list[int]:
    """Return the numbers of the pages of a table or index, from 0, the root first."""
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    return [root - 1]


def test_check_finds_nothing_in_a_healthy_database(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(fill(f"sqlite:///{file}"))
    assert run_check(file, monkeypatch, capsys) == (0, "No damage found in 12 tables.\n")


@pytest.mark.sample(1)
@pytest.mark.parametrize("table", ["log", "ix_rooms_wake", "players"])
def test_check_finds_a_damaged_page(
    file: Path, table: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(fill(f"sqlite:///{file}"))
    overwrite_page(file, pages_of(file, table)[0], 4096)
    status, output = run_check(file, monkeypatch, capsys)
    assert status == 1
    assert "the database is damaged: " in output
    assert "restore a backup" in output


def test_check_finds_a_log_with_a_gap_and_a_damaged_row(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(fill(f"sqlite:///{file}"))
    with sqlite3.connect(file) as database:
        first, second = (row[0] for row in database.execute("SELECT id FROM rooms ORDER BY id LIMIT 2"))
        database.execute("DELETE FROM log WHERE room = ?", (first,))
        database.execute("UPDATE log SET entries = '[' WHERE room = ?", (second,))
    status, output = run_check(file, monkeypatch, capsys)
    assert status == 1
    assert f"the end of the log of table {first} is missing" in output
    assert f"row 0 of the log of table {second} is damaged" in output


async def test_a_server_is_not_ready_after_it_has_met_damage(file: Path) -> None:
    await fill(f"sqlite:///{file}")
    overwrite_page(file, pages_of(file, "players")[0], 4096)
    async with built(f"sqlite:///{file}", Settings()) as app, app.client() as client:
        assert (await client.get("/api/ready")).status_code == 200
        failed = await client.post("/api/session", json={})
        assert (failed.status_code, failed.json()["error"]["kind"]) == (503, "unavailable")
        await expect_damage(app)


async def test_a_server_finds_damage_that_no_request_meets(file: Path) -> None:
    await fill(f"sqlite:///{file}")
    overwrite_page(file, pages_of(file, "players")[0], 4096)
    async with built(f"sqlite:///{file}", Settings()) as app:
        await app.store.look_for_damage()
        await expect_damage(app)


async def expect_damage(app: AppServer) -> None:
    async with app.client() as client:
        ready = await client.get("/api/ready")
        assert (ready.status_code, ready.json()["error"]["kind"]) == (503, "unavailable")
        assert "the database is damaged: " in ready.json()["error"]["message"]


@pytest.fixture
def own_postgresql() -> Iterator[PostgreSQL]:
    """A PostgreSQL server for one test, which damages its files."""
    server = PostgreSQL()
    try:
        yield server.start()
    finally:
        server.remove()


@pytest.mark.long
@pytest.mark.slow
async def test_damage_in_postgresql_is_found(own_postgresql: PostgreSQL) -> None:
    with own_postgresql.database() as url:
        await fill(url)
        store = await Store.attach(url)
        report = await store.check_integrity()
        await store.close()
        assert (report.problems, report.tables) == ((), 12)
        assert any("amcheck" in note for note in report.notes)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CHECKPOINT")
            row = connection.execute("SELECT pg_relation_filepath('log')").fetchone()
        assert row is not None
        own_postgresql.stop()
        overwrite_page(own_postgresql.folder / "data" / row[0], 0, 8192)
        own_postgresql.start()
        async with built(url, Settings()) as app, app.client() as client:
            assert (await client.get("/api/ready")).status_code == 200
            report = await app.store.check_integrity()
            assert "invalid page" in report.problems[0]
            await expect_damage(app)
