import asyncio
import resource
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
import pytest_asyncio
import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.cut_connection import CommitProxy
from tests.server.store.rows import a_table, an_append

from faceup.server.accounts.schema import server_state
from faceup.server.store import NewRow, Store, UnavailableError, commit_recovery, database

BIG = b'["' + b"x" * 200_000 + b'"]'


@pytest_asyncio.fixture
async def sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Store]:
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.2)
    opened = await Store.open(f"sqlite:///{tmp_path / 'tables.db'}")
    yield opened
    await opened.close()


async def test_a_full_disk_is_reported_until_there_is_space(sqlite: Store, tmp_path: Path) -> None:
    table, other = await a_table(sqlite), await a_table(sqlite)
    engine = sqlite._database.engine

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA max_page_count = 40")

    sa.event.listen(engine, "connect", limit)
    engine.dispose()
    with pytest.raises(UnavailableError, match="database or disk is full; nothing was stored") as caught:
        await sqlite.append(an_append(table, 1, entries=BIG))
    assert not caught.value.unknown
    # In one group with others that would still fit: each is stored entirely or not at all.
    outcomes = await asyncio.gather(
        sqlite.append(an_append(table, 1, entries=BIG)), sqlite.append(an_append(other, 1)), return_exceptions=True
    )
    assert [len(await sqlite.read(name)) for name in (table, other)] == [1, 1 + (outcomes[1] is None)]
    assert isinstance(outcomes[0], UnavailableError)
    sa.event.remove(engine, "connect", limit)
    engine.dispose()
    await sqlite.append(an_append(table, 1, entries=BIG))
    assert [append.entries for append in await sqlite.read(table, after=0)] == [BIG]
    with closing(sqlite3.connect(tmp_path / "tables.db")) as reader:
        assert reader.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_a_disk_that_is_full_at_the_commit_is_reported(sqlite: Store, tmp_path: Path) -> None:
    """With a file size limit of the system, which SQLite meets when it writes changed pages."""
    table = await a_table(sqlite)
    wal, (_, hard) = tmp_path / "tables.db-wal", resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size + 10_000, hard))
    try:
        with pytest.raises(UnavailableError, match=r"full or damaged\); nothing was stored") as caught:
            await sqlite.append(an_append(table, 1, entries=BIG))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert not caught.value.unknown
    assert len(await sqlite.read(table)) == 1
    await sqlite.append(an_append(table, 1, entries=BIG))
    with closing(sqlite3.connect(tmp_path / "tables.db")) as reader:
        assert reader.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


async def test_the_commit_that_overwrites_a_failed_one_changes_the_file(sqlite: Store, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.db")) as reader:
        before = reader.execute("PRAGMA data_version").fetchone()
        assert commit_recovery._connection_ended(sqlite._database, None)
        assert reader.execute("PRAGMA data_version").fetchone() != before


async def test_a_locked_database_is_reported_until_it_is_free(sqlite: Store, tmp_path: Path) -> None:
    table = await a_table(sqlite)
    with closing(sqlite3.connect(tmp_path / "tables.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnavailableError, match="database is locked; nothing was stored"):
            await sqlite.append(an_append(table, 1))
        assert len(await sqlite.read(table)) == 1
        other.execute("ROLLBACK")
    await sqlite.append(an_append(table, 1))
    assert len(await sqlite.read(table)) == 2


async def test_a_closed_store_rejects_calls(url: str) -> None:
    store = await Store.open(url)
    await store.close()
    with pytest.raises(UnavailableError, match="the store is closed"):
        await store.append(an_append("table", 1))
    with pytest.raises(UnavailableError, match="the store is closed"):
        await store.read("table")


async def test_a_database_that_does_not_answer_is_named_without_its_password(tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="opening the database failed: connection") as caught:
        await Store.open(f"postgresql://me:secret@/tables?host={tmp_path}")
    assert "secret" not in str(caught.value)


@pytest.mark.long
async def test_the_store_recovers_when_postgresql_is_restarted(postgresql: PostgreSQL) -> None:
    with postgresql.database() as url:
        store, other = await Store.open(url), await Store.open(url)
        received: asyncio.Queue[NewRow] = asyncio.Queue()
        other.listen(lambda rows: received.put_nowait(rows[-1]))
        table = await a_table(store)
        await store.append(an_append(table, 1))
        await store.beat()
        postgresql.stop()
        with pytest.raises(UnavailableError, match="nothing was stored"):
            await store.append(an_append(table, 2))
        with pytest.raises(UnavailableError, match=r"reading from the database failed: .*; nothing was read"):
            await store.read(table)
        with pytest.raises(UnavailableError):
            await store.beat()
        postgresql.start()
        assert [append.seq for append in await store.read(table)] == [0, 1]
        await store.append(an_append(table, 2))
        assert (await store.beat()).alive
        postgresql.stop()
        postgresql.start()
        await store.append(an_append(table, 3))  # the store has not noticed the restart
        assert [append.seq for append in await store.read(table)] == [0, 1, 2, 3]
        seq = 3
        while received.empty():  # notifications are lost until the listener has reconnected
            seq += 1
            await other.beat()  # notifications are sent only to live processes
            await store.beat()
            await store.append(an_append(table, seq))
            await asyncio.sleep(0.05)
        assert received.get_nowait().table == table
        await store.close()
        await other.close()


@pytest.fixture
def proxy(postgresql: PostgreSQL) -> Iterator[CommitProxy]:
    folder = Path(tempfile.mkdtemp(prefix="faceup-proxy-"))  # socket paths must be short
    with CommitProxy(folder, postgresql.folder) as proxy:
        yield proxy
    shutil.rmtree(folder)


@pytest_asyncio.fixture
async def proxied(proxy: CommitProxy, postgresql: PostgreSQL) -> AsyncIterator[Store]:
    """A store that is connected through the proxy."""
    with postgresql.database() as url:
        store = await Store.open(url.replace(str(postgresql.folder), str(proxy.folder)))
        yield store
        await store.close()


@pytest.mark.parametrize("in_group", [False, True], ids=["alone", "with a function"])
@pytest.mark.parametrize("cut", ["before the commit", "after the commit", "before a commit that comes late"])
async def test_the_outcome_of_a_lost_commit_is_looked_up(
    proxied: Store, proxy: CommitProxy, cut: str, in_group: bool
) -> None:
    table, calls = await a_table(proxied), []
    proxy.cut = cut  # type: ignore[assignment]  # parameters of pytest are untyped
    await asyncio.gather(
        proxied.append(an_append(table, 1, command="once")),
        *([proxied.write(lambda _connection: calls.append(1))] if in_group else []),
    )
    assert proxy.cut == "never"
    assert [append.command for append in await proxied.read(table)] == [None, "once"]
    await proxied.append(an_append(table, 2))


async def test_a_commit_that_cannot_be_looked_up_is_reported_as_unknown(
    proxied: Store, proxy: CommitProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit_recovery, "_TRIES", 2)
    table = await a_table(proxied)
    proxy.cut, proxy.reject_connections = "after the commit", True
    with pytest.raises(UnavailableError, match="its changes may or may not have been stored") as caught:
        await proxied.append(an_append(table, 1))
    assert caught.value.unknown
    proxy.reject_connections = False
    assert len(await proxied.read(table)) == 2


async def test_two_processes_that_lock_rows_in_opposite_orders_both_store_them(postgresql: PostgreSQL) -> None:
    both_have_one = threading.Barrier(2)

    def writes(keys: Sequence[str], value: str) -> Callable[[sa.Connection], None]:
        tries = count()

        def work(connection: sa.Connection) -> None:
            first = next(tries) == 0
            for key in keys:
                connection.execute(server_state.update().where(server_state.c.key == key).values(value=value))
                if first and key == keys[0]:
                    both_have_one.wait(10)

        return work

    with postgresql.database() as url:
        stores = [await Store.open(url) for _ in range(2)]
        insert = server_state.insert().values([{"key": key, "value": ""} for key in "ab"])
        await stores[0].write(lambda connection: connection.execute(insert).rowcount)
        await asyncio.gather(stores[0].write(writes("ab", "1")), stores[1].write(writes("ba", "2")))
        for store in stores:
            await store.close()
