import asyncio
import importlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from migration import PATH, revision_of
from tests.server.postgresql import PostgreSQL
from tests.server.store.rows import a_table

from faceup.server.store import Store, UnsupportedDatabaseError, metadata
from faceup.server.store.database import Database
from faceup.server.store.migrations import HEAD, SCHEMAS, SCRIPTS, VERSIONS, prepare
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


def test_another_first_migration_has_another_revision() -> None:
    text = PATH.read_text("utf-8")
    assert f'revision = "{HEAD}"' in text
    assert revision_of(text) == HEAD, "run ./script/migration"
    assert revision_of(text.replace("audit_log", "other_log")) != HEAD


def test_a_database_of_an_earlier_first_migration_is_used_if_its_tables_are_the_same(url: str) -> None:
    database = Database(url)
    prepare(database)
    with database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE faceup_version SET version_num = '0001'"))
    prepare(database)
    with database.engine.begin() as connection:
        assert connection.execute(sa.text("SELECT version_num FROM faceup_version")).scalar_one() == HEAD
        connection.execute(sa.text("UPDATE faceup_version SET version_num = '0001'"))
        connection.execute(sa.text("ALTER TABLE research_consents DROP COLUMN earlier"))
    with pytest.raises(UnsupportedDatabaseError, match="version 0001 of another faceup, newer or from before"):
        asyncio.run(Store.open(url))
    database.close()


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
        room = await store.room(table)
        await store.close()
        return room is not None

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
        match=f"version 9999 of another faceup, .* up to {HEAD}; nothing was changed: run the",
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


LATER = """
import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{head}"


def upgrade():
    op.add_column("rooms", sa.Column("mood", sa.Text(), server_default="calm", nullable=False))
    op.create_table("moods", sa.Column("room", sa.Text(), primary_key=True), sa.Column("mood", sa.Text()))
    op.execute("INSERT INTO moods (room, mood) SELECT id, {mood} FROM rooms")
"""
"""A migration of a made-up later version, for which the present one is older."""


def later_version(monkeypatch: pytest.MonkeyPatch, folder: Path, mood: str = "'merry'") -> None:
    """Let the rest of a test run a later version, which changes a table, adds one and copies rows."""
    versions = folder / "later" / "versions"
    shutil.copytree(SCRIPTS / "versions", versions, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    (versions / "later.py").write_text(LATER.format(head=HEAD, mood=mood), "utf-8")
    monkeypatch.setattr("faceup.server.store.migrations.SCRIPTS", versions.parent)
    monkeypatch.setattr("faceup.server.store.migrations.HEAD", "later")


async def test_an_older_database_is_upgraded_with_its_rows(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await Store.open(url)
    table = await a_table(store)
    await store.close()
    later_version(monkeypatch, tmp_path)
    stores = await asyncio.gather(*(Store.open(url) for _ in range(3)))  # several new servers upgrade it once
    for store in stores:
        assert await store.query(lambda c: c.execute(sa.text("SELECT room, mood FROM moods")).all()) == [
            (table, "merry")
        ]
        assert await store.query(lambda c: c.execute(sa.text("SELECT id, mood FROM rooms")).all()) == [(table, "calm")]
        assert await store.query(
            lambda c: c.execute(sa.text("SELECT version_num FROM faceup_version")).scalars().all()
        ) == ["later"]
        await store.close()
    monkeypatch.undo()
    with pytest.raises(UnsupportedDatabaseError, match="version later of another faceup"):
        await Store.open(url)


def test_an_upgrade_that_fails_changes_nothing(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = Database(url)
    prepare(database)
    before = catalog(database.engine)
    later_version(monkeypatch, tmp_path, mood="no_such_column")
    with database.engine.begin() as connection:
        assert not connection.execute(sa.text("SELECT id FROM rooms")).all()
    with pytest.raises(sa.exc.DBAPIError, match="no_such_column"):
        prepare(database)
    assert catalog(database.engine) == before
    later_version(monkeypatch, tmp_path)
    prepare(database)  # a corrected version upgrades it
    assert "moods" in catalog(database.engine) if database.sqlite else "moods.mood" in catalog(database.engine)
    database.close()
