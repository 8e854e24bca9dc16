import asyncio
import secrets
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.rows import a_table, an_append, create

from faceup.server.http.pages import PAGES
from faceup.server.store import ConflictError, LogMissingError, Store, new_code, new_id
from faceup.server.store.models import CODE_LETTERS, NOT_CODES
from faceup.server.store.schema import log, rooms
from faceup.server.store.wal import SPARE


async def test_a_log_is_read_as_it_was_appended(store: Store) -> None:
    table = await a_table(store)
    appends = [
        an_append(table, seq, command=f"c{seq}", entries='["\\u0000", "Ånn ☃ \\" %s :x"]'.encode()) for seq in (1, 2, 3)
    ]
    for append in appends:
        await store.append(append)
    assert (await store.read(table))[1:] == appends
    assert await store.read(table, after=2) == appends[2:]
    assert await store.read(table, after=3) == []
    assert await store.read("missing") == []


async def test_a_row_number_is_used_once(store: Store) -> None:
    table = await a_table(store)
    await store.append(an_append(table, 1, command="first"))
    with pytest.raises(ConflictError) as caught:
        await store.append(an_append(table, 1, command="second"))
    assert caught.value.taken == "seq"
    assert [append.command for append in await store.read(table)] == [None, "first"]


async def test_a_command_id_is_unique_within_its_table(store: Store) -> None:
    table, other = await a_table(store), await a_table(store)
    await store.append(an_append(table, 1, command="same"))
    with pytest.raises(ConflictError) as caught:
        await store.append(an_append(table, 2, command="same"))
    assert caught.value.taken == "command"
    await store.append(an_append(other, 1, command="same"))
    assert len(await store.read(table)) == 2


async def test_a_log_has_no_gaps(store: Store) -> None:
    table = await a_table(store)
    with pytest.raises(LogMissingError, match="ends with row 0, so row 2 cannot be next"):
        await store.append(an_append(table, 2))
    with pytest.raises(LogMissingError, match="there is no table"):
        await store.append(an_append("missing", 1))


async def test_several_appends_to_one_log_are_atomic(store: Store) -> None:
    table = await a_table(store)
    rows = an_append(table, 1, command="a"), an_append(table, 2, status="finished", wake=9)
    await store.append(*rows, summary=b'{"n":2}')
    row = await store.room(table)
    assert row is not None
    assert (row.seq, row.status, row.wake, row.summary) == (2, "finished", 9, b'{"n":2}')
    for wrong, why in ((an_append(table, 2), ConflictError), (an_append(table, 5), LogMissingError)):
        with pytest.raises(why):
            await store.append(wrong, an_append(table, wrong.seq + 1))
    with pytest.raises(ConflictError) as caught:
        await store.append(an_append(table, 3), an_append(table, 4, command="a"))
    assert caught.value.taken == "command"
    assert len(await store.read(table)) == 3


async def test_an_append_is_stored_with_what_else_its_caller_writes(store: Store) -> None:
    table, other = await a_table(store, code="AAAAA"), await a_table(store, code="BBBBB")

    def close(connection: sa.Connection) -> None:
        connection.execute(rooms.update().where(rooms.c.id == other).values(status="closed"))

    def fail(connection: sa.Connection) -> None:
        close(connection)
        raise RuntimeError("no")

    async def states() -> tuple[int, str]:
        rows = {row.id: row for row in await store.rooms()}
        return rows[table].seq, rows[other].status

    together = asyncio.gather(
        store.append(an_append(table, 1), also=fail),
        store.append(an_append(table, 2), also=close),
        store.append(an_append(other, 1, guarded=True)),
        return_exceptions=True,
    )
    assert [type(outcome).__name__ for outcome in await together] == ["RuntimeError", "LogMissingError", "NoneType"]
    assert await states() == (0, "active")
    await store.append(an_append(table, 1), also=close)
    assert await states() == (1, "closed")
    with pytest.raises(ConflictError):
        await store.append(an_append(table, 1), also=fail)


async def test_a_rejected_job_does_not_fail_its_group(store: Store) -> None:
    tables = [await a_table(store) for _ in range(5)]
    await store.append(an_append(tables[3], 1))
    outcomes = await asyncio.gather(
        *(store.append(an_append(table, 1, command=table)) for table in tables),
        store.append(an_append(tables[0], 2)),
        store.append(an_append(tables[4], 7)),
        store.write(lambda _connection: 1 // 0),
        store.write(lambda connection: connection.execute(sa.text("SELECT nothing FROM nowhere"))),
        store.write(lambda connection: connection.execute(sa.select(sa.literal(5))).scalar()),
        return_exceptions=True,
    )
    assert [type(outcome).__name__ for outcome in outcomes] == [
        *("NoneType", "NoneType", "NoneType", "ConflictError", "NoneType"),
        *("NoneType", "LogMissingError", "ZeroDivisionError", type(outcomes[8]).__name__, "int"),
    ]
    assert [len(await store.read(table)) for table in tables] == [3, 2, 2, 2, 2]


async def test_a_conflict_does_not_store_the_others_one_by_one(store: Store) -> None:
    tables = [await a_table(store) for _ in range(20)]
    await store.append(an_append(tables[7], 1))
    savepoints: list[object] = []
    sa.event.listen(store._database.engine, "savepoint", lambda *names: savepoints.append(names))
    outcomes = await asyncio.gather(*(store.append(an_append(table, 1)) for table in tables), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [
        ConflictError if number == 7 else type(None) for number in range(20)
    ]
    assert savepoints == []
    assert [len(await store.read(table)) for table in tables] == [2] * 20


async def test_writes_of_a_failing_function_are_rolled_back(store: Store) -> None:
    table = await a_table(store)

    def work(connection: sa.Connection) -> None:
        connection.execute(log.delete())
        raise LookupError

    with pytest.raises(LookupError):
        await store.write(work)
    assert len(await store.read(table)) == 1


async def test_a_tables_row_reflects_its_last_append(store: Store) -> None:
    table = await a_table(store, wake=5)
    await store.append(an_append(table, 1, wake=7_000), summary=b'{"players":2}')
    await store.append(an_append(table, 2, wake=8_000))
    row = await store.room(table)
    assert row is not None
    assert (row.seq, row.status, row.wake, row.summary, row.ended_at) == (2, "active", 8_000, b'{"players":2}', None)
    assert row.opened_at <= row.changed_at <= store.now()
    await store.append(an_append(table, 3, status="finished"))
    row = await store.room(table)
    assert row is not None
    assert (row.status, row.wake) == ("finished", None)
    assert row.ended_at is not None


async def test_tables_are_found_by_wake_time(store: Store) -> None:
    late, soon, never = await a_table(store, wake=300), await a_table(store, wake=200), await a_table(store)
    assert [row.id for row in await store.due(250)] == [soon]
    assert [row.id for row in await store.due(300)] == [soon, late]
    assert [row.id for row in await store.due(300, limit=1)] == [soon]
    assert {row.id for row in await store.waiting()} == {late, soon}
    assert [row.id for row in await store.waiting(after=min(late, soon))] == [max(late, soon)]
    assert [row.id for row in await store.rooms()] == sorted([late, soon, never])
    assert await store.last_seqs([late, never, "missing"]) == {late: 0, never: 0}


async def test_a_code_is_reusable_when_its_table_is_over(store: Store) -> None:
    first = await a_table(store, code="ABCDE")
    second = an_append(new_id(), 0)
    with pytest.raises(ConflictError) as caught:
        await create(store, second, "ABCDE")
    assert caught.value.taken == "code"
    await store.append(an_append(first, 1, status="closed"))
    row = await store.find("abcde ")
    assert row is not None
    assert row.id == first
    await create(store, second, "ABCDE")
    row = await store.find("ABCDE")
    assert row is not None
    assert row.id == second.table
    with pytest.raises(ConflictError) as caught:
        await create(store, second, "BCDEF")
    assert caught.value.taken == "table"


async def test_concurrent_appends_share_a_transaction(store: Store) -> None:
    tables = [await a_table(store) for _ in range(20)]
    commits: list[object] = []
    sa.event.listen(store._database.engine, "commit", commits.append)
    await asyncio.gather(*(store.append(an_append(table, 1)) for table in tables))
    assert len(commits) <= 2  # the first may have been committed before the others arrived
    assert [len(await store.read(table)) for table in tables] == [2] * 20


async def test_two_processes_never_append_the_same_row(url: str, store: Store) -> None:
    other = await Store.open(url)
    tables = [await a_table(store) for _ in range(10)]

    async def append_all(at: Store, name: str) -> list[tuple[str, int]]:
        appended = []
        for seq in range(1, 6):
            outcomes = await asyncio.gather(
                *(at.append(an_append(table, seq, command=f"{name}{seq}")) for table in tables), return_exceptions=True
            )
            assert {type(outcome) for outcome in outcomes} <= {type(None), ConflictError}
            appended += [(table, seq) for table, outcome in zip(tables, outcomes, strict=True) if outcome is None]
        return appended

    ours, others = await asyncio.gather(append_all(store, "a"), append_all(other, "b"))
    assert sorted(ours + others) == sorted((table, seq) for table in tables for seq in range(1, 6))
    for table in tables:
        assert [append.seq for append in await store.read(table)] == [0, 1, 2, 3, 4, 5]
        commands = {(table, append.seq): append.command for append in await store.read(table)}
        assert all(commands[key] == f"a{key[1]}" for key in ours if key[0] == table)
    await other.close()


async def test_two_processes_appending_to_many_tables_never_deadlock(postgresql: PostgreSQL) -> None:
    """Also when a rejected append makes them store their groups one by one."""
    with postgresql.shared_database() as address:
        first, other = await Store.open(address), await Store.open(address)
        tables = sorted([await a_table(first) for _ in range(8)])
        for seq in range(1, 6):
            taken = an_append(tables[0], 0)

            async def race(store: Store, order: list[str]) -> list[BaseException | None]:
                appends = [taken, *(an_append(table, seq) for table in order)]  # noqa: B023 -- awaited in the same iteration
                return await asyncio.gather(*map(store.append, appends), return_exceptions=True)

            ends = await asyncio.gather(race(first, tables[1:]), race(other, tables[:0:-1]))
            assert {type(end) for group in ends for end in group} == {type(None), ConflictError}
        await first.close()
        await other.close()


async def test_a_choice_writes_few_pages_and_the_wal_does_not_grow(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path / 't.sqlite'}")
    wal = tmp_path / "t.sqlite-wal"
    tables = [await a_table(store, wake=5) for _ in range(20)]
    await store.append(an_append(tables[0], 1, wake=5))
    before = wal.stat().st_size
    for seq in range(2, 22):
        await store.append(an_append(tables[0], seq, command=f"c{seq}", wake=5))
    assert (wal.stat().st_size - before) / 20 < 6 * 4096
    sizes = []
    for seq in range(1, 101):
        await asyncio.gather(*(store.append(an_append(table, seq, wake=5)) for table in tables[1:]))
        sizes.append(wal.stat().st_size)
    await store.close()
    assert sizes[5] > 0.8 * SPARE * 4096
    assert set(sizes[5:]) == {sizes[5]}


def test_no_table_has_the_address_of_a_page_as_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {path[1:].upper() for path in PAGES if len(path) == 6}
    assert {page for page in short if {*page} <= {*CODE_LETTERS}} == NOT_CODES
    letters = iter("WATCHABCDE")
    monkeypatch.setattr(secrets, "choice", lambda _: next(letters))
    assert new_code() == "ABCDE"
