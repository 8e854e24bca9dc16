import asyncio
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.cutting import Line
from tests.server.store.tables import a_table, an_append

from faceup.server.store import Store, Unavailable, database, settling

BIG = b'["' + b"x" * 200_000 + b'"]'


@pytest_asyncio.fixture
async def sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    monkeypatch.setattr(database, "_PATIENCE", 0.2)
    opened = await Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
    yield opened
    await opened.close()


async def test_a_full_disk_is_a_clear_refusal_and_forgotten_when_there_is_room(sqlite: Store, tmp_path: Path) -> None:
    table, other = await a_table(sqlite), await a_table(sqlite)
    engine = sqlite._database.engine

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 40")

    sa.event.listen(engine, "connect", limit)
    engine.dispose()
    with pytest.raises(Unavailable, match="database or disk is full; nothing was stored") as caught:
        await sqlite.append(an_append(table, 1, entries=BIG))
    assert not caught.value.unknown
    # In one group with others that would still fit: either nothing is stored of each, or all of it.
    outcomes = await asyncio.gather(
        sqlite.append(an_append(table, 1, entries=BIG)), sqlite.append(an_append(other, 1)), return_exceptions=True
    )
    assert [len(await sqlite.read(each)) for each in (table, other)] == [1, 1 + (outcomes[1] is None)]
    assert isinstance(outcomes[0], Unavailable)
    sa.event.remove(engine, "connect", limit)
    engine.dispose()
    await sqlite.append(an_append(table, 1, entries=BIG))
    assert [append.entries for append in await sqlite.read(table, after=0)] == [BIG]
    with closing(sqlite3.connect(tmp_path / "tables.db")) as looking:
        assert looking.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_disk_that_is_full_at_the_commit_is_a_clear_refusal_too(sqlite: Store, tmp_path: Path) -> None:
    """By a limit of the system's, which SQLite meets only when it writes what a transaction has changed."""
    table = await a_table(sqlite)
    written, (_, hard) = tmp_path / "tables.db-wal", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (written.stat().st_size + 10_000, hard))
    try:
        with pytest.raises(Unavailable, match="full or broken; nothing was stored") as caught:
            await sqlite.append(an_append(table, 1, entries=BIG))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert not caught.value.unknown
    assert len(await sqlite.read(table)) == 1
    await sqlite.append(an_append(table, 1, entries=BIG))
    with closing(sqlite3.connect(tmp_path / "tables.db")) as looking:
        assert looking.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_what_overwrites_a_commit_that_failed_is_written(sqlite: Store, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as looking:
        before = looking.execute("PRAGMA data_version").fetchone()
        assert settling._over(sqlite._database, None)
        assert looking.execute("PRAGMA data_version").fetchone() != before


async def test_a_locked_database_is_a_clear_refusal_and_forgotten_when_it_is_free(
    sqlite: Store, tmp_path: Path
) -> None:
    table = await a_table(sqlite)
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="database is locked; nothing was stored"):
            await sqlite.append(an_append(table, 1))
        assert len(await sqlite.read(table)) == 1
        other.execute("ROLLBACK")
    await sqlite.append(an_append(table, 1))
    assert len(await sqlite.read(table)) == 2


async def test_what_is_asked_of_a_store_that_is_closed_is_refused(url: str) -> None:
    store = await Store.open(url)
    await store.close()
    with pytest.raises(Unavailable, match="the store is closed"):
        await store.append(an_append("table", 1))
    with pytest.raises(Unavailable, match="the store is closed"):
        await store.read("table")


async def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="opening the database failed: connection") as caught:
        await Store.open(f"postgresql://me:secret@/tables?host={tmp_path}")
    assert "secret" not in str(caught.value)


async def test_postgresql_may_go_and_come_back(postgresql: PostgreSQL) -> None:
    with postgresql.database() as url:
        store, other = await Store.open(url), await Store.open(url)
        heard: asyncio.Queue[tuple[str, int]] = asyncio.Queue()
        other.listen(lambda table, seq: heard.put_nowait((table, seq)))
        table = await a_table(store)
        await store.append(an_append(table, 1))
        await store.beat()
        postgresql.stop()
        with pytest.raises(Unavailable, match="nothing was stored"):
            await store.append(an_append(table, 2))
        with pytest.raises(Unavailable, match=r"reading from the database failed: .*; nothing was read"):
            await store.read(table)
        with pytest.raises(Unavailable):
            await store.beat()
        postgresql.start()
        assert [append.seq for append in await store.read(table)] == [0, 1]
        await store.append(an_append(table, 2))
        assert (await store.beat()).alive
        postgresql.stop()
        postgresql.start()
        await store.append(an_append(table, 3))  # it had not even noticed
        assert [append.seq for append in await store.read(table)] == [0, 1, 2, 3]
        seq = 3
        while heard.empty():  # a hint, which nobody hears before the listener has found its way back
            seq += 1
            await other.beat()  # words are for those who are awake
            await store.beat()
            await store.append(an_append(table, seq))
            await asyncio.sleep(0.05)
        assert heard.get_nowait()[0] == table
        await store.close()
        await other.close()


@pytest.fixture
def line(postgresql: PostgreSQL) -> Iterator[Line]:
    folder = Path(tempfile.mkdtemp(prefix="faceup-line-"))  # short, for the path of a socket
    with Line(folder, postgresql.folder) as line:
        yield line
    shutil.rmtree(folder)


@pytest_asyncio.fixture
async def behind(line: Line, postgresql: PostgreSQL) -> AsyncIterator[Store]:
    """A store at the far end of the line."""
    with postgresql.database() as url:
        store = await Store.open(url.replace(str(postgresql.folder), str(line.folder)))
        yield store
        await store.close()


@pytest.mark.parametrize("grouped", [False, True], ids=["alone", "with a function"])
@pytest.mark.parametrize("cut", ["before the commit", "after the commit", "before a commit that comes late"])
async def test_a_commit_without_an_answer_is_looked_up(behind: Store, line: Line, cut: str, grouped: bool) -> None:
    table, calls = await a_table(behind), []
    line.cut = cut  # type: ignore[assignment]  # pytest's parameters have no types
    await asyncio.gather(
        behind.append(an_append(table, 1, command="once")),
        *([behind.write(lambda _connection: calls.append(1))] if grouped else []),
    )
    assert line.cut == "never"
    assert [append.command for append in await behind.read(table)] == [None, "once"]
    await behind.append(an_append(table, 2))


async def test_a_commit_that_nobody_can_look_up_is_said_to_be_unknown(
    behind: Store, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settling, "_TRIES", 2)
    table = await a_table(behind)
    line.cut, line.refuses = "after the commit", True
    with pytest.raises(Unavailable, match="whether it was made is not known") as caught:
        await behind.append(an_append(table, 1))
    assert caught.value.unknown
    line.refuses = False
    assert len(await behind.read(table)) == 2
