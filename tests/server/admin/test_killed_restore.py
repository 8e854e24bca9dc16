"""After a kill of a restore at any moment, the database is either the previous or the restored one."""

import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.server.admin.deletion_worlds import a_guest
from tests.server.admin.restore_killer import contents
from tests.server.migrated import create_file
from tests.server.postgresql import BINARIES, PostgreSQL
from tests.server.store.rows import a_table

from faceup.core import Malformed
from faceup.server.accounts.players import find_by_name
from faceup.server.admin import restore
from faceup.server.admin.backup import create_backup
from faceup.server.admin.deletion import delete_tables, erase_players
from faceup.server.admin.moderation_journal import ModerationJournal, read_journal
from faceup.server.admin.restore import Journals, restore_backup
from faceup.server.moderation.bans import ban_player
from faceup.server.process.settings import Settings
from faceup.server.store import Store

OLD = {"players": ["Ann", "Bo", "Di"], "banned": ["Ann"], "tables": [1], "version": [1]}
NEW = OLD | {"players": ["Ann", "Bo"]}
"""Di came after the backup. The restore repeats the ban of Ann, the erasure of Cy, and the deletion of a table."""


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The paths of a backup and of the journal."""
    monkeypatch.setenv("PATH", f"{BINARIES}:{os.environ['PATH']}")
    monkeypatch.setenv("FACEUP_DATA", str(tmp_path / "data"))
    return tmp_path / "backup", tmp_path / "journal.jsonl"


def create_world(url: str, backup: Path, journal: Path) -> None:
    asyncio.run(_create_world(url, backup, journal))
    assert contents(url) == OLD


async def _create_world(url: str, backup: Path, journal: Path) -> None:
    store = await Store.attach(url)
    ann, _, cy = [await a_guest(store, name) for name in ("Ann", "Bo", "Cy")]
    tables = [await a_table(store) for _ in range(2)]
    create_backup(url, backup)
    await store.write(lambda connection: ban_player(connection, store.now(), ann))
    await erase_players(store, [cy])
    await delete_tables(store, tables[:1])
    await a_guest(store, "Di")
    await ModerationJournal(store, Settings(moderation_journal=str(journal))).update()
    await store.close()


def killed(url: str, files: tuple[Path, Path], step: int) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "tests.server.admin.restore_killer", url, *map(str, files), str(step)]
    return [json.loads(line) for line in subprocess.check_output(command).splitlines()]


@pytest.mark.slow
def test_a_killed_restore_of_sqlite_leaves_the_old_or_the_new_database(
    tmp_path: Path, files: tuple[Path, Path]
) -> None:
    folder = tmp_path / "database"
    folder.mkdir()
    url = create_file(f"sqlite:///{folder / 'tables.sqlite'}")
    create_world(url, *files)
    states = killed(url, files, step=1)
    first = states.index(NEW)
    assert first > 10
    assert states == [OLD] * first + [NEW] * (len(states) - first)
    journal = read_journal(files[1])
    assert journal is not None
    assert {act.act for act in journal.acts.values()} == {"ban", "erase", "delete_table"}
    assert not list(folder.glob(".*"))  # the last restore was not killed, and deletes what the others have left
    assert not [path for path in folder.glob("*-before-*") if path.samefile(folder / "tables.sqlite")]


@pytest.fixture
def postgresql_url(postgresql: PostgreSQL) -> Iterator[str]:
    with postgresql.database() as url:
        yield url


@pytest.mark.long  # the next test kills the same restore at six moments
def test_a_killed_restore_of_postgresql_leaves_the_old_or_the_new_database(
    postgresql_url: str, files: tuple[Path, Path]
) -> None:
    create_world(postgresql_url, *files)
    states = killed(postgresql_url, files, step=2)
    first = states.index(NEW)
    assert first > 10
    assert states == [OLD] * first + [NEW] * (len(states) - first)
    with psycopg.connect(postgresql_url) as connection:
        schemas = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'faceup%'").fetchall()
    assert schemas == []


@pytest.mark.slow
def test_a_restore_of_postgresql_that_is_killed_with_its_programs_leaves_the_old_or_the_new_database(
    postgresql_url: str, files: tuple[Path, Path]
) -> None:
    backup, journal = files
    create_world(postgresql_url, backup, journal)
    rng, delay = random.Random(7), 0.5  # noqa: S311 -- moments of kills
    command = (sys.executable, "-m", "faceup", "admin", "restore", backup, "--database", postgresql_url)
    for _ in range(6):
        restore = subprocess.Popen(
            command, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        time.sleep(delay * rng.random())
        os.killpg(restore.pid, signal.SIGKILL)
        restore.wait()
        assert contents(postgresql_url) in (OLD, NEW)
        delay *= 1.5
    restore_backup(postgresql_url, backup, Journals(path=journal))
    assert contents(postgresql_url) == NEW


def test_acts_during_a_restore_are_not_lost(
    tmp_path: Path, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    backup, journal = files
    url = create_file(f"sqlite:///{tmp_path / 'tables.sqlite'}")
    create_world(url, backup, journal)
    migrate = restore._migrate

    async def ban_meanwhile(*arguments: Any, **options: Any) -> Any:  # Any: passed on
        store = await Store.attach(url)
        [bo] = await store.query(lambda connection: find_by_name(connection, "Bo"))
        await store.write(lambda connection: ban_player(connection, store.now(), bo))
        await store.close()
        return await migrate(*arguments, **options)

    monkeypatch.setattr(restore, "_migrate", ban_meanwhile)
    with pytest.raises(Malformed, match="changed during the restore"):
        restore_backup(url, backup, Journals(path=journal))
    assert contents(url) == OLD | {"banned": ["Ann", "Bo"]}
