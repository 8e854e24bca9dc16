"""Backup during writes, and restore."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.server.migrated import create_file
from tests.server.postgresql import BINARIES, PostgreSQL

from faceup.core import Malformed
from faceup.server.admin import backup
from faceup.server.admin.backup import create_backup
from faceup.server.admin.backup_targets import Folder, delete_old_backups
from faceup.server.admin.restore import restore_backup
from faceup.server.store import LogRow, Store, new_code, new_id


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def new_file(path: Path) -> str:
    return create_file(url(path))


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _append(table: str, seq: int) -> LogRow:
    return LogRow(table=table, seq=seq, at=seq, entries=b"[]", status="active")


async def _open_table(store: Store) -> str:
    table = new_id()
    now = store.now()
    await store.create(_append(table, 0), opened_at=now, listed=False, code=new_code(), summary=b"{}")
    return table


async def test_a_backup_during_writes_is_a_consistent_snapshot(tmp_path: Path) -> None:
    store = await Store.open(new_file(tmp_path / "tables.sqlite"))
    tables = [await _open_table(store) for _ in range(2)]
    written = 0

    async def write() -> None:
        nonlocal written
        for seq in range(1, 60):
            for table in tables:  # in this order, so that no backup has more rows of the second table
                await store.append(_append(table, seq))
            written = seq

    writing = asyncio.create_task(write())
    copies: list[tuple[Path, int]] = []
    while len(copies) < 2:
        copy = tmp_path / f"copy-{len(copies)}.sqlite"
        before = written
        assert await asyncio.to_thread(create_backup, url(tmp_path / "tables.sqlite"), copy) == 2
        copies.append((copy, before))
    await writing
    await store.close()
    for copy, before in copies:
        with closing(sqlite3.connect(copy)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            last = [
                database.execute("SELECT max(seq), count(*) FROM log WHERE room = ?", (table,)).fetchone()
                for table in tables
            ]
        assert all(count == seq + 1 for seq, count in last)  # no gap
        assert last[0][0] - last[1][0] in {0, 1}
        assert last[0][0] >= before
        assert [name for name in _names(tmp_path) if copy.name in name] == [copy.name]  # no other files
        assert copy.stat().st_mode & 0o077 == 0


async def test_a_restore_keeps_the_previous_database(tmp_path: Path) -> None:
    path, copy = tmp_path / "tables.sqlite", tmp_path / "copy.sqlite"
    store = await Store.open(new_file(path))
    table = await _open_table(store)
    await asyncio.to_thread(create_backup, url(path), copy)
    await store.append(_append(table, 1))
    with pytest.raises(Malformed, match="a server is using the database"):
        await asyncio.to_thread(restore_backup, url(path), copy)
    await store.close()
    before = (await asyncio.to_thread(restore_backup, url(path), copy)).before
    assert before is not None
    elsewhere = tmp_path / "elsewhere" / "tables.sqlite"
    assert (await asyncio.to_thread(restore_backup, url(elsewhere), copy)).before is None
    for file, appends in ((path, 1), (before, 2), (elsewhere, 1)):
        store = await Store.attach(url(file))
        assert len(await store.read(table)) == appends
        await store.close()
    assert not [name for name in _names(tmp_path) if name.startswith(".")]


def test_backups_overwrite_nothing_and_only_backups_are_restored(tmp_path: Path) -> None:
    path, other = tmp_path / "tables.sqlite", tmp_path / "other.sqlite"
    with pytest.raises(Malformed, match="there is no database"):
        create_backup(url(path), tmp_path / "copy.sqlite")
    asyncio.run(_make(path))
    with pytest.raises(Malformed, match="exists already: choose a new file name"):
        create_backup(url(path), path)
    with closing(sqlite3.connect(other)) as database:
        database.execute("CREATE TABLE cards (heads INTEGER)")
    (tmp_path / "text.sqlite").write_text("no database at all, but long enough to be taken for one", "utf-8")
    for wrong, expected in (("other", "is not a faceup database"), ("text", "not a database"), ("none", "no database")):
        with pytest.raises(Malformed, match=expected):
            restore_backup(url(path), tmp_path / f"{wrong}.sqlite")
    later = tmp_path / "later.sqlite"
    create_backup(url(path), later)
    with closing(sqlite3.connect(later)) as database:
        database.execute("UPDATE faceup_version SET version_num = 'z999'")
        database.commit()
    with pytest.raises(Malformed, match="of another faceup"):
        restore_backup(url(path), later)
    assert {name.partition("-")[0] for name in _names(tmp_path)} == {
        *("later.sqlite", "other.sqlite", "tables.sqlite", "text.sqlite")
    }
    assert not (tmp_path / "copy.sqlite").exists()


async def _make(path: Path) -> None:
    store = await Store.open(new_file(path))
    await store.close()


class _FullDisk(sqlite3.Connection):
    """Copies to a file that has space for two pages."""

    def backup(self, target: sqlite3.Connection, **options: Any) -> None:  # Any: passed on
        target.execute("PRAGMA max_page_count = 2")
        super().backup(target, **options)


async def test_a_full_disk_is_named_by_the_file_that_does_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, copy, other = (tmp_path / name for name in ("tables.sqlite", "copy.sqlite", "other.sqlite"))
    await _make(tables)
    create_backup(url(tables), copy)
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=_FullDisk))
    with pytest.raises(Malformed, match=f"{other} cannot be written: No space left on device"):
        create_backup(url(tables), other)
    with pytest.raises(Malformed, match=f"{tables} cannot be written: No space left on device"):
        await asyncio.to_thread(restore_backup, url(tables), copy)


@pytest.mark.long
@pytest.mark.slow
async def test_a_postgresql_database_is_backed_up_and_restored(
    postgresql: PostgreSQL, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{BINARIES}:{os.environ['PATH']}")
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))
    copy, later, other = tmp_path / "copy.dump", tmp_path / "later.dump", tmp_path / "other.dump"
    with postgresql.database() as address, postgresql.database(migrated=False) as elsewhere:
        store = await Store.open(address)
        table = await _open_table(store)
        assert await asyncio.to_thread(create_backup, address, copy) == 1
        assert copy.stat().st_mode & 0o077 == 0
        await store.append(_append(table, 1))
        with pytest.raises(Malformed, match="a server is using the database"):
            await asyncio.to_thread(restore_backup, address, copy)
        await store.close()
        before = (await asyncio.to_thread(restore_backup, address, copy)).before
        assert before is not None
        assert before.parent == tmp_path / "data" / "online"
        restored = await asyncio.to_thread(restore_backup, elsewhere, before)  # into an empty database
        assert restored.before is None
        # As a process, which has imported nothing else.
        command = [sys.executable, "-m", "faceup", "admin", "restore", str(before), "--database", elsewhere]
        again = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
        assert again.returncode == 0, again.stderr
        for database, appends in ((address, 1), (elsewhere, 2)):
            store = await Store.attach(database)
            assert len(await store.read(table)) == appends
            assert not (await store.check_integrity()).problems
            await store.close()
        _execute(elsewhere, "UPDATE faceup_version SET version_num = 'z999'")
        await asyncio.to_thread(create_backup, elsewhere, later)
        with pytest.raises(Malformed, match="of another faceup"):
            await asyncio.to_thread(restore_backup, address, later)
        _execute(elsewhere, "DROP TABLE faceup_version", "CREATE TABLE cards (heads integer)")
        await asyncio.to_thread(create_backup, elsewhere, other)
        with pytest.raises(Malformed, match="is not a faceup database"):
            await asyncio.to_thread(restore_backup, address, other)
        with pytest.raises(Malformed, match=r"does not have \(cards\): drop them if a newer version made them"):
            await asyncio.to_thread(restore_backup, elsewhere, copy)
        (tmp_path / "text.dump").write_text("no dump", "utf-8")
        with pytest.raises(Malformed, match="pg_restore failed"):
            await asyncio.to_thread(restore_backup, address, tmp_path / "text.dump")
        store = await Store.attach(address)
        assert len(await store.read(table)) == 1  # a refused backup changes nothing
        await store.close()
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(Malformed, match="pg_dump is not installed"):
            await asyncio.to_thread(create_backup, address, tmp_path / "none.dump")
    with pytest.raises(Malformed, match="the database cannot be read"):
        await asyncio.to_thread(create_backup, address, tmp_path / "none.dump")
    assert not [name for name in _names(tmp_path) if name.startswith((".", "none"))]


def _execute(address: str, *statements: str) -> None:
    with psycopg.connect(address) as connection:
        for statement in statements:
            connection.execute(statement.encode())


async def test_unfinished_backups_of_killed_processes_are_deleted(tmp_path: Path) -> None:
    stale, fresh, other = (tmp_path / name for name in (".faceup-1.partial", ".faceup-2.partial", ".mine"))
    for path in (stale, fresh, other):
        path.touch()
    _make_old(stale, other)
    await _make(tmp_path / "tables.sqlite")
    await asyncio.to_thread(create_backup, url(tmp_path / "tables.sqlite"), tmp_path / "copy.sqlite")
    assert [name for name in _names(tmp_path) if "tables" not in name] == [".faceup-2.partial", ".mine", "copy.sqlite"]


def _make_old(*paths: Path) -> None:
    for path in paths:
        os.utime(path, (time.time() - 3700, time.time() - 3700), follow_symlinks=False)


async def test_a_backup_follows_no_link_that_another_user_of_the_folder_has_made(tmp_path: Path) -> None:
    folder, private = tmp_path / "backups", tmp_path / "private"
    for path in (folder, private):
        path.mkdir()
    (private / "letter").write_text("dear Ann", "utf-8")
    (folder / ".faceup-1.partial").symlink_to(private)
    (folder / ".copy.sqlite.partial").symlink_to(private / "letter")
    _make_old(*folder.iterdir(), *private.iterdir(), private)
    await _make(tmp_path / "tables.sqlite")
    await asyncio.to_thread(create_backup, url(tmp_path / "tables.sqlite"), folder / "copy.sqlite")
    assert (private / "letter").read_text("utf-8") == "dear Ann"
    assert _names(folder) == [".copy.sqlite.partial", "copy.sqlite"]


async def test_two_backups_to_one_file_at_once_are_both_complete(tmp_path: Path) -> None:
    path, copy = tmp_path / "tables.sqlite", tmp_path / "copy.sqlite"
    await _make(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE filler (content BLOB)")
        database.execute("INSERT INTO filler VALUES (randomblob(8000000))")
        database.commit()
    first, second = (asyncio.create_task(asyncio.to_thread(create_backup, url(path), copy)) for _ in range(2))
    for running in (first, second):
        assert await running == 0
        with closing(sqlite3.connect(copy)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [name for name in _names(tmp_path) if "tables" not in name] == ["copy.sqlite"]


async def test_a_backup_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server could not store choices until the backup fails."""
    await _make(tmp_path / "tables.sqlite")
    monkeypatch.setattr(backup, "_SPARE", 2**80)
    with pytest.raises(Malformed, match=r"MB of free space, and a backup needs .* choose another folder"):
        create_backup(url(tmp_path / "tables.sqlite"), tmp_path / "copy.sqlite")
    assert [name for name in _names(tmp_path) if "tables" not in name] == []


def test_backups_from_a_time_when_the_clock_was_wrong_do_not_cost_new_ones(tmp_path: Path) -> None:
    dates = ("2026-03-01", "2026-03-02", "2026-03-03", "2036-01-01", "2036-01-02")
    names = [f"faceup-{date}T04-30-00Z.sqlite" for date in dates]
    for name in names:
        (tmp_path / name).touch()
    assert delete_old_backups(Folder(tmp_path), 2, names[2]) == [str(tmp_path / names[0])]
    assert _names(tmp_path) == names[1:]
