import asyncio
import importlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.postgresql import PostgreSQL
from tests.server.store.rows import a_table

from faceup.server.store import Store, UnsupportedDatabaseError, metadata
from faceup.server.store.database import Database
from faceup.server.store.migrations import HEAD, SCHEMAS, VERSIONS, prepare
from faceup.server.store.schema import add_postgresql_options

for schema in SCHEMAS:
    importlib.import_module(schema)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database, of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tables.db'}"
        return
    with request.getfixturevalue("postgresql").database(migrated=False) as address:
        yield address


def catalog(engine: sa.Engine) -> dict[str, object]:
    """Return a database's own description of its schema."""
    with engine.connect() as connection:
        if engine.name == "sqlite":
            query = "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
            expected = {name: " ".join((text or "").split()) for name, text in connection.execute(sa.text(query))}
            # Migrations write the constraints of a table in another order.
            return {name: sorted(map(str.strip, text.replace(")", ",").split(","))) for name, text in expected.items()}
        schema = "table_schema = 'public'"
        columns = f"SELECT table_name || '.' || column_name, column_default, is_nullable, data_type, character_maximum_length FROM information_schema.columns WHERE {schema}"  # noqa: E501, S608 -- constants
        indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
        constraints = (
            "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace"
        )
        return {
            row[0]: tuple(row)
            for query in (columns, indexes, constraints)
            for row in connection.execute(sa.text(query))
        }


def test_migrations_create_the_declared_tables(url: str) -> None:
    database = Database(url)
    prepare(database)
    migrated = catalog(database.engine)
    assert [name for name in migrated if VERSIONS in name]
    with database.engine.begin() as connection:
        connection.execute(sa.text(f"DROP TABLE {VERSIONS}"))
        metadata.drop_all(connection)
        add_postgresql_options()
        metadata.create_all(connection)
    declared = catalog(database.engine)
    database.close()
    assert {name: expected for name, expected in migrated.items() if VERSIONS not in name} == declared, (
        "run ./script/migration"
    )


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_with_another_encoding_is_refused(postgresql: PostgreSQL, encoding: str) -> None:
    expected = f"has the encoding {encoding}, .* ENCODING 'UTF8'"
    with (
        postgresql.database(encoding, migrated=False) as address,
        pytest.raises(UnsupportedDatabaseError, match=expected),
    ):
        asyncio.run(Store.open(address))


def test_a_current_database_is_not_migrated_again(url: str) -> None:
    async def create() -> str:
        store = await Store.open(url)
        table = await a_table(store)
        await store.close()
        return table

    async def find(table: str) -> bool:
        store = await Store.open(url)
        found = await store.room(table)
        await store.close()
        return found is not None

    assert asyncio.run(find(asyncio.run(create())))


async def test_servers_may_start_at_once_on_an_empty_database(url: str) -> None:
    stores = await asyncio.gather(*(Store.open(url) for _ in range(4)))
    for store in stores[1:]:
        await store.beat()
    assert (await stores[0].beat()).alive == tuple(sorted(store.process for store in stores))
    for store in stores:
        await store.close()


def test_a_newer_database_is_rejected(url: str) -> None:
    database = Database(url)
    prepare(database)
    with database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE faceup_version SET version_num = '9999'"))
    before = catalog(database.engine)
    with pytest.raises(
        UnsupportedDatabaseError,
        match=f"version 9999 of a newer faceup, but this version supports only schemas up to {HEAD}; run the",
    ):
        asyncio.run(Store.open(url))
    assert catalog(database.engine) == before
    database.close()


def test_a_foreign_file_is_rejected_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    path.write_text("These are my notes, and they are long enough to be mistaken for a header of SQLite's. " * 9)
    before = path.read_bytes()
    with pytest.raises(UnsupportedDatabaseError, match=r"tables.db is not an SQLite database: file is not a database"):
        asyncio.run(Store.open(f"sqlite:///{path}"))
    assert path.read_bytes() == before
    path.unlink()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(UnsupportedDatabaseError, match=r"tables.db is not a faceup database; name another file"):
        asyncio.run(Store.open(f"sqlite:///{path}"))
    assert path.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UnsupportedDatabaseError, match=r"the folder of .*tables.db cannot be created: "):
        asyncio.run(Store.open(f"sqlite:///{tmp_path}/file/tables.db"))
    (tmp_path / "tables.db").mkdir()
    with pytest.raises(
        UnsupportedDatabaseError, match=r"tables.db cannot be opened for writing: unable to open database file"
    ):
        asyncio.run(Store.open(f"sqlite:///{tmp_path}/tables.db"))


def test_what_earlier_deletions_left_behind_is_deleted(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database(url)
    monkeypatch.setattr("faceup.server.store.migrations.HEAD", "0001")
    prepare(database)
    insert = sa.text("INSERT INTO log (room, seq, at, entries) VALUES (:room, :seq, 0, 'a hand')")
    statements = (
        """
        INSERT INTO rooms
        (id, code, opened_at, status, listed, seq, changed_at, summary, source, creator, cost, bot_only)
        VALUES ('kept', 'ABCDE', 0, 'pending', false, 0, 0, '{}', '', '', 1, false)
        """,
        "INSERT INTO players (id, handle, name, created_at, erased_at) VALUES ('erased', 'h1', 'Deleted player', 0, 1)",
        "INSERT INTO players (id, handle, name, created_at) VALUES ('ann', 'h2', 'Ann', 0)",
        "INSERT INTO daily_deals (date, secret, config, created_at) VALUES ('2026-11-23', 'secret', '{}', 0)",
        """
        INSERT INTO daily_attempts (date, player, room, started_at, ends_at)
        VALUES ('2026-11-23', 'ann', 'day', 0, 9)
        """,
        "INSERT INTO connections (room, seat, process, silent) VALUES ('gone', 0, 'p', false), ('kept', 0, 'p', false)",
        "INSERT INTO server_state (key, value) VALUES ('keep_closed', '1')",
    )
    with database.engine.begin() as connection:
        for statement in statements:
            connection.execute(sa.text(statement))
        connection.execute(insert, [{"room": room, "seq": seq} for room in ("kept", "gone") for seq in range(2)])
        for number, (room, who) in enumerate((("gone", "erased"), ("bots", "bot mc"), ("day", "ann"), ("past", "ann"))):
            game = {"number": number, "room": room, "who": who}
            connection.execute(sa.text(_GAME), game)
            connection.execute(sa.text(_RESULT), game)
    monkeypatch.undo()
    prepare(database)
    with database.engine.connect() as connection:

        def rows(query: str) -> list[object]:
            return sorted(connection.execute(sa.text(query)).scalars())

        assert rows("SELECT room FROM log") == ["kept", "kept"]
        assert rows("SELECT room FROM connections") == ["kept"]
        assert rows("SELECT room FROM games") == ["past"]
        assert rows("SELECT who FROM results") == ["ann"]
        assert rows("SELECT player FROM erasures") == ["erased"]
        assert rows("SELECT room FROM daily_attempts") == rows("SELECT key FROM server_state") == []
    database.close()


def test_bans_of_players_are_moved_to_their_table(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database(url)
    monkeypatch.setattr("faceup.server.store.migrations.HEAD", "0002")
    prepare(database)
    with database.engine.begin() as connection:
        for column in ("banned_at BIGINT", "ban_reason TEXT"):
            connection.execute(sa.text(f"ALTER TABLE players ADD COLUMN {column}"))
        for number, (banned_at, reason) in enumerate(((5, "cheating"), (6, None), (None, None))):
            row = {"id": f"p{number}", "handle": f"h{number}", "at": banned_at, "reason": reason}
            connection.execute(sa.text(_BANNED), row)
    monkeypatch.undo()
    prepare(database)
    with database.engine.connect() as connection:
        found = connection.execute(sa.text("SELECT id, player, address, reason, since, until FROM bans ORDER BY id"))
        assert [tuple(row) for row in found] == [
            ("h0", "p0", None, "cheating", 5, None),
            ("h1", "p1", None, "", 6, None),
        ]
        columns = {column["name"] for column in sa.inspect(connection).get_columns("players")}
        assert not columns & {"banned_at", "ban_reason"}
    database.close()


_BANNED = """
INSERT INTO players (id, handle, name, created_at, banned_at, ban_reason) VALUES (:id, :handle, 'x', 0, :at, :reason)
"""
_GAME = """
INSERT INTO games (number, room, game, variant, options, opened_at, ended_at, rated, comparable)
VALUES (:number, :room, 'nimmt', 'classic', '{}', 0, 0, false, false)
"""
_RESULT = "INSERT INTO results (number, seat, who, score, place, away) VALUES (:number, 0, :who, 0, 1, false)"
