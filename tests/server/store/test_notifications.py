"""Notifications of PostgreSQL about rows that another process has appended."""

import asyncio
from collections.abc import Sequence

import msgspec
import psycopg
import pytest
import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.rows import a_table, an_append

from faceup.server.store import LogRow, NewRow, Store
from faceup.server.store.models import TOO_LONG
from faceup.server.store.notifications import notifications


def new_row(row: LogRow) -> NewRow:
    return NewRow(row.table, row.seq, row.command, msgspec.Raw(row.entries))


def rows_of(text: str) -> list[NewRow]:
    return msgspec.json.decode(text, type=tuple[str, list[NewRow]])[1]


async def test_another_process_receives_the_rows_as_they_are_stored(postgresql: PostgreSQL) -> None:
    with postgresql.shared_database() as address:
        store, other = await Store.open(address), await Store.open(address)
        received: asyncio.Queue[NewRow] = asyncio.Queue()

        def receive(rows: Sequence[NewRow]) -> None:
            for row in rows:
                received.put_nowait(row)

        other.listen(receive)
        table = await a_table(store)
        rows = [
            an_append(table, 1, command="first", entries='["\\u0000", "Ånn ☃ \\" %s :x"]'.encode()),
            an_append(table, 2, command=None),
            an_append(table, 3, command="long", entries=b'["%b"]' % (8_000 * b"x")),
            an_append(table, 4),
        ]
        await store.beat()
        async with asyncio.timeout(60):
            while received.empty():  # until the listener has connected
                await store.append(an_append(await a_table(other), 1))
                await asyncio.sleep(0.01)
            await store.append(rows[0], rows[1])
            await other.append(rows[2])  # a process is not notified of its own rows
            await store.append(rows[3])
            got = list[NewRow]()
            while not got or got[-1].seq < 4:
                got += [row] if (row := await received.get()).table == table else []
        assert got == [new_row(rows[0]), new_row(rows[1]), new_row(rows[3])]
        await store.close()
        await other.close()


async def test_other_users_of_the_postgresql_cannot_find_the_channel(postgresql: PostgreSQL) -> None:
    """They may connect and listen, and rows contain choices that are not revealed."""
    with postgresql.shared_database() as address:
        store, other = await Store.open(address), await Store.open(address)
        other.listen(lambda _rows: None)
        await store.append(an_append(await a_table(store), 1))
        channel = store._channel
        assert channel.removeprefix("faceup_") in {store.process, other.process}
        url = sa.make_url(address).set(drivername="postgresql")
        owner = await psycopg.AsyncConnection.connect(url.render_as_string(), autocommit=True)
        await owner.execute("CREATE ROLE stranger LOGIN")
        try:
            stranger = await psycopg.AsyncConnection.connect(
                url.set(username="stranger").render_as_string(), autocommit=True
            )
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                await stranger.execute("SELECT id FROM processes")
            seen = await (await stranger.execute("SELECT * FROM pg_stat_activity")).fetchall()
            assert len(seen) > 2
            assert channel not in str(seen)
            await stranger.close()
        finally:
            await owner.execute("DROP ROLE stranger")
            await owner.close()
        await store.close()
        await other.close()


def test_notifications_are_full_and_none_is_too_long() -> None:
    rows = [an_append("table", seq, entries=f'["{"ä" * (97 * seq % 400)}"]'.encode()) for seq in range(300)]
    texts = list(notifications("process", rows))
    assert [row for text in texts for row in rows_of(text)] == [new_row(row) for row in rows]
    sizes = [len(text.encode()) for text in texts]
    assert max(sizes) < 8_000
    assert all(size > 8_000 - 1_000 for size in sizes[:-1])


def test_a_row_that_is_too_long_is_notified_without_its_entries() -> None:
    long = an_append("table", 7, command="c", entries=b'["%b"]' % (8_000 * b"x"))
    (text,) = notifications("process", [long])
    assert rows_of(text) == [NewRow("table", 7, None, TOO_LONG)]
