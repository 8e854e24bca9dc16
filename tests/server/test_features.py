"""Laws over the features: none is forgotten when players are merged, exported or erased."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest
from tests.server.admin.erasure_world import GUEST, LOGIN, MARK, RENAMED, everywhere, fill_tables
from tests.server.live.players import hub_at
from tests.server.player_export import export

from faceup.server.accounts.players import Erasure
from faceup.server.accounts.schema import players
from faceup.server.admin.traces import find_traces
from faceup.server.feature import Feature, PersonalTable
from faceup.server.features import FEATURES
from faceup.server.friends.schema import friendships
from faceup.server.player_data import erase, merge
from faceup.server.results.schema import hand_totals, ratings, results, seat_reviews
from faceup.server.rooms.names import handle_of
from faceup.server.store import new_id
from faceup.server.store.migrations import SCHEMAS
from faceup.server.store.schema import metadata, turns

PERSONAL_NAMES = frozenset(
    {
        *("id", "player", "other", "who", "host", "creator", "sender", "receiver", "reporter", "reported", "subject"),
        *("name", "login", "handle", "face", "device", "label", "pseudonym", "merged_into"),
        *(
            "address",
            "source",
            "endpoint",
            "password",
            "secret",
            "digest",
            "key",
            "credential",
            "fingerprint",
            "answer",
        ),
    }
)
"""The names of columns that are about a player in most tables."""

NOT_ABOUT_PLAYERS = {
    "rooms.id",
    "parties.id",
    "tournaments.id",
    "reports.id",
    "invitations.id",
    "bans.id",
    "audit_log.id",
} | {
    "processes.id",
    "server_clock.id",
    "server_state.key",
}
"""The columns with such a name that say nothing about a player."""


def tables_of(features: Sequence[Feature]) -> list[PersonalTable]:
    return list(chain.from_iterable(feature.tables for feature in features))


def declared_columns(features: Sequence[Feature]) -> set[str]:
    return {f"{personal.table.name}.{column}" for personal in tables_of(features) for column in personal.columns}


def undeclared_columns(features: Sequence[Feature]) -> set[str]:
    """Return the columns of features' tables that refer to a player, or are named as if, without a declaration."""
    columns = {
        str(column)
        for personal in tables_of(features)
        for column in personal.table.c
        if column.name in PERSONAL_NAMES or any(key.column.table is players for key in column.foreign_keys)
    }
    return columns - declared_columns(features) - NOT_ABOUT_PLAYERS


def incomplete_tables(features: Sequence[Feature]) -> set[str]:
    """Return the tables with data of people whose declaration does not say what, why, how long, and how exported."""
    return {
        personal.table.name
        for personal in tables_of(features)
        if personal.columns
        and not (
            personal.what and personal.why and personal.until and bool(personal.exported) != bool(personal.not_exported)
        )
    }


def test_every_table_belongs_to_one_feature() -> None:
    names = [personal.table.name for personal in tables_of(FEATURES)]
    assert sorted(names) == sorted(metadata.tables)


def test_the_migrations_know_the_schema_of_each_feature() -> None:
    assert {f"faceup.server.{feature.name}.schema" for feature in FEATURES if feature.tables} == set(SCHEMAS)


def test_every_column_about_a_player_is_declared() -> None:
    assert undeclared_columns(FEATURES) == set()
    assert incomplete_tables(FEATURES) == set()
    columns = {str(column) for personal in tables_of(FEATURES) for column in personal.table.c}
    assert declared_columns(FEATURES) <= columns
    assert columns >= NOT_ABOUT_PLAYERS


@pytest.mark.parametrize("column", [sa.Column("owner", sa.ForeignKey(players.c.id)), sa.Column("address", sa.Text)])
def test_a_forgotten_column_is_noticed(column: sa.Column[Any]) -> None:  # Any: its type does not matter
    table = sa.Table("notes", sa.MetaData(), sa.Column("number", sa.Integer, primary_key=True), column)
    notes = Feature("notes", tables=(PersonalTable(table),))
    assert undeclared_columns((*FEATURES, notes)) == {str(column)}
    notes = notes._replace(tables=(PersonalTable(table, (column.name,)),))
    assert undeclared_columns((*FEATURES, notes)) == set()
    assert incomplete_tables((*FEATURES, notes)) == {"notes"}


@pytest.mark.sample(1)
async def test_every_column_that_names_a_player_is_declared(url: str) -> None:
    async with hub_at(url) as hub:
        people, _ = await everywhere(hub)
        traces = await hub.store.query(partial(find_traces, people=people))
        assert set(traces) <= declared_columns(FEATURES)
        for personal in tables_of(FEATURES):
            columns = [column for column in personal.table.c if column.name not in personal.columns]
            query = sa.select(*columns) if columns else sa.select(sa.null()).where(sa.false())
            stored = str(await hub.store.query(partial(rows_of, query=query)))
            assert not [text for text in (*NAMES[:1], GUEST, RENAMED, LOGIN) if text in stored], personal.table.name


def without(part: str) -> Iterator[tuple[str, tuple[Feature, ...]]]:
    """Yield the name of each feature with this part, and all features, in which this one lacks it."""
    position = Feature._fields.index(part)
    for number, feature in enumerate(FEATURES):
        if feature[position] is not None:
            lacking = Feature._make((*feature[:position], None, *feature[position + 1 :]))
            yield feature.name, (*FEATURES[:number], lacking, *FEATURES[number + 1 :])


def rows_of(connection: sa.Connection, query: sa.Select[Any]) -> list[sa.Row[Any]]:  # Any: columns of any table
    return list(connection.execute(query).all())


def fill(connection: sa.Connection, person: str, other: str) -> None:
    """Insert a row about the person into each table that is about players, also into those without a foreign key."""
    fill_tables(connection, person, other)
    for table, column in ((ratings, "who"), (hand_totals, "who"), (turns, "player"), (results, "who")):
        if connection.execute(sa.select(table).where(table.c[column] == person)).first() is None:
            row = dict(connection.execute(sa.select(table).where(table.c[column] != person).limit(1)).mappings().one())
            number = {"number": row["number"], "seat": 9} if table is results else {}
            connection.execute(table.insert().values({**row, **number, column: person}))

    for valid, value in (
        (friendships.c.state, "wanted"),
        (hand_totals.c.points, "[]"),
        (seat_reviews.c.findings, None),
    ):
        connection.execute(sa.update(valid.table).where(valid.contains(MARK)).values({valid.name: value}))
    connection.execute(ratings.update().values(deviation=1))


def naming_columns(connection: sa.Connection, people: Sequence[str]) -> set[str]:
    """Return the declared columns with the id or handle of a player, also within other text."""
    texts = [*people, *map(handle_of, people)]
    return {
        f"{personal.table.name}.{column}"
        for personal in tables_of(FEATURES)
        for column in personal.columns
        if any(text in str(connection.execute(sa.select(personal.table.c[column])).all()) for text in texts)
    }


def guest_left(connection: sa.Connection, guest: str) -> set[str]:
    """Return the columns that name a guest after a merge, and do not say why."""
    kept = {
        f"{personal.table.name}.{column}"
        for personal in tables_of(FEATURES)
        if personal.guest
        for column in personal.columns
    }
    return naming_columns(connection, [guest]) - kept


@pytest.mark.sample(1)
async def test_after_a_merge_no_row_names_the_guest(url: str) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        (person, merged), other = await everywhere(hub)
        assert await store.query(lambda c: guest_left(c, merged)) == set()
        guest = await a_guest(store, "Gus")
        await store.write(lambda c: fill(c, guest, other))
        left: dict[str, set[str]] = {}

        def try_merge(connection: sa.Connection, name: str, features: Sequence[Feature]) -> None:
            with connection.begin_nested() as step:
                merge(connection, guest, person, features)
                left[name] = guest_left(connection, guest)
                step.rollback()

        await store.write(lambda c: try_merge(c, "", FEATURES))
        for name, features in without("merge"):
            await store.write(partial(try_merge, name=name, features=features))
        assert left.pop("") == set()
        assert [name for name, columns in left.items() if not columns] == []
        assert len(left) >= 8


@pytest.mark.sample(1)
async def test_an_export_has_every_table(url: str) -> None:
    async with hub_at(url) as hub:
        (person, _), other = await everywhere(hub)
        await hub.store.write(lambda c: fill(c, person, other))
        exported = {personal.exported for personal in tables_of(FEATURES)} - {""}
        data = await hub.store.query(lambda c: export(c, person))
        assert {name for name, part in data.items() if part} == exported == set(data)
        for _, features in without("export"):
            parts = await hub.store.query(partial(export, player=person, features=features))
            assert exported - set(parts)


@pytest.mark.sample(1)
async def test_an_export_has_a_row_for_each_column_that_names_the_player(url: str) -> None:
    async with hub_at(url) as hub:
        (person, _), other = await everywhere(hub)
        await hub.store.write(lambda c: fill(c, person, other))
        stranger = await a_guest(hub.store, "Cy")
        columns = [
            (personal.exported, column)
            for personal in tables_of(FEATURES)
            for column in personal.table.c
            if personal.exported and any(key.column.table is players for key in column.foreign_keys)
        ]

        def is_exported(connection: sa.Connection, part: str, column: sa.Column[str]) -> bool:
            """Return whether the part is not empty if the column of one row names a player who is nowhere else."""
            with connection.begin_nested() as step:
                keys = list(column.table.primary_key)
                row = connection.execute(sa.select(*keys).where(column.is_not(None)).limit(1)).one()
                same_row = [key == value for key, value in zip(keys, row, strict=True)]
                connection.execute(column.table.update().where(*same_row).values({column.name: stranger}))
                data = export(connection, stranger)
                step.rollback()
            return bool(data[part])

        missing = [
            str(column)
            for part, column in columns
            if not await hub.store.write(partial(is_exported, part=part, column=column))
        ]
        assert missing == ["reports.reported"]  # no player learns of a report
        assert len(columns) >= 20


@pytest.mark.sample(1)
async def test_after_an_erasure_only_logs_name_the_player(url: str) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        (person, merged), other = await everywhere(hub)
        await store.write(lambda c: fill(c, person, other))
        left: dict[str, set[str]] = {}
        erasure = Erasure(0, dict.fromkeys((person, merged), new_id()))

        def try_erase(connection: sa.Connection, name: str, features: Sequence[Feature]) -> None:
            with connection.begin_nested() as step:
                erase(connection, erasure, features)
                left[name] = naming_columns(connection, [person, merged])
                step.rollback()

        await store.write(lambda c: try_erase(c, "", FEATURES))
        for name, features in without("erase"):
            await store.write(partial(try_erase, name=name, features=features))
        rewritten = left.pop("")  # the logs, and what follows from them, are rewritten later
        assert rewritten <= {"log.entries", "log.command", "rooms.summary"}
        assert [name for name, columns in left.items() if not columns > rewritten] == []
        assert len(left) >= 4
