"""Erasure of people in every role: no table, and no byte of the compacted file, has anything of them."""

import re
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.server.admin.deletion_worlds import NAMES, a_guest, attached, everything, found_in_files, on_hub, on_store
from tests.server.admin.erasure_world import GUEST, LOGIN, MARK, RENAMED, everywhere
from tests.server.live.players import hub_at

from faceup.server.accounts.schema import shared_limits
from faceup.server.admin.deletion import erase_players, resume
from faceup.server.admin.traces import find_traces
from faceup.server.features import FEATURES
from faceup.server.live import TableHub
from faceup.server.rooms.names import handle_of
from faceup.server.store import Store
from faceup.server.store.schema import erasures, metadata

DOCUMENTED = Path(__file__).parents[3] / "docs" / "how-to" / "moderate.md"

WITHOUT_PEOPLE = {personal.table.name for feature in FEATURES for personal in feature.tables if not personal.columns}
"""The tables that have nothing about people."""

NOT_IN_WORLD = {
    "deleted_tables",
    "erasures",
    "idempotency_keys",  # hashes and encrypted answers
    "revocations",
    "shared_limits",
    "server_state",
    "daily_deals",
}
"""The documented tables with rows that name no one."""


@pytest.mark.sample(1)
async def test_nothing_is_left_of_a_person_in_every_role(url: str) -> None:
    async with hub_at(url) as hub:
        store = hub.store
        people, _ = await everywhere(hub)
        texts = (*people, *map(handle_of, people), NAMES[0], GUEST, RENAMED, LOGIN, MARK)
        stored = await store.query(_by_table)
        tables = {table for table, rows in stored.items() if any(text in rows for text in texts)}
        assert tables == set(metadata.tables) - WITHOUT_PEOPLE - NOT_IN_WORLD
        columns = await store.query(partial(find_traces, people=people))
        assert {"log.entries", "log.command", "parties.config", "turns.player", "rooms.creator"} <= set(columns)
        await erase_players(store, [people[0]])
        left = {
            (table, text)
            for table, rows in (await store.query(_by_table)).items()
            for text in texts
            if text in rows and table != "erasures"
        }
        assert left == set()
        assert await store.query(partial(find_traces, people=people)) == []


def _by_table(connection: sa.Connection) -> dict[str, str]:
    return {table.name: str(connection.execute(sa.select(table)).all()) for table in metadata.sorted_tables}


async def test_an_erasure_ends_only_when_no_column_names_the_player(url: str, caplog: pytest.LogCaptureFixture) -> None:
    async with attached(url) as store:
        player = await a_guest(store, NAMES[0])
        # A column that erasures do not cover.
        forgotten = shared_limits.insert().values(key=f'["{handle_of(player)}"]', full_at=0)
        await store.write(lambda c: c.execute(forgotten).rowcount)
        for _ in range(2):
            await erase_players(store, [player])
            assert await store.query(lambda c: c.execute(sa.select(erasures.c.player)).scalars().all()) == [player]
        assert "these columns still name the players: shared_limits.key" in caplog.text
        await store.write(lambda c: c.execute(shared_limits.delete()).rowcount)
        await resume(store)
        assert player not in await everything(store)


@pytest.mark.slow
def test_no_byte_of_the_compacted_file_has_a_person_in_every_role(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def work(hub: TableHub) -> tuple[str, ...]:
        people, _ = await everywhere(hub)
        texts = (*people, *map(handle_of, people), NAMES[0], GUEST, RENAMED, LOGIN, MARK)
        assert found_in_files(url, texts) == set(texts)
        return texts

    texts = on_hub(url, work)

    async def erase(store: Store) -> None:
        await erase_players(store, [texts[0]])
        await store.compact(full=True)

    on_store(url, erase)
    assert found_in_files(url, texts) == set()


def test_the_documentation_has_all_cookies() -> None:
    text = DOCUMENTED.with_name("https.md").read_text("utf-8").partition("## Cookies")[2].partition("\n## ")[0]
    constants = re.compile(r'^\w*COOKIE: Final = "(\w+)"$', re.MULTILINE)
    files = (Path(__file__).parents[3] / "src" / "faceup" / "server").rglob("*.py")
    cookies = {name for file in files for name in constants.findall(file.read_text("utf-8"))}
    assert set(re.findall(r"^\| `(\w+)`", text, re.MULTILINE)) == cookies
    assert len(cookies) == 4
