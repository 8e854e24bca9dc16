"""Players give their games for research and withdraw them over HTTP; without the setting, no one is asked."""

import re
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.requests import do, error, play_on

from faceup.server.privacy import privacy_text
from faceup.server.process.settings import Settings
from faceup.server.research.export import export_games
from faceup.server.research.queries import VERSION
from faceup.server.research.schema import research_consents
from faceup.server.results.ingest import ResultsIngest
from faceup.server.rooms.entries import loads
from faceup.server.store.schema import metadata
from faceup.translations import LANGUAGES, translate

ON = Settings(research_export=True, site_name="The Unmistakable Club")
ZOE, BART = "Zipporah Unmistakable", "Bartholomew Onlyhere"
CONSENT = {"version": VERSION}


async def state(client: httpx.AsyncClient) -> tuple[bool, bool, bool]:
    """Return whether the server asks, whether the player gives games, and whether earlier ones, too."""
    answer = (await client.get("/api/research")).json()
    return answer["offered"], answer["given_at"] is not None, answer["earlier"]


async def test_without_the_setting_no_one_is_asked_and_nothing_is_stored(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        assert await state(ann) == (False, False, False)
        assert error(await ann.put("/api/research", json=CONSENT)) == (403, "forbidden")
        stored = await app.store.query(lambda c: c.execute(sa.select(research_consents)).all())
        assert stored == []
    for language in LANGUAGES:
        assert translate(language, "privacy.research") not in privacy_text(language, Settings())


async def test_a_guest_gives_games_and_withdraws_them(serve: Serve) -> None:
    app = await serve(ON)
    async with app.guest("Ann") as ann, app.client() as visitor:
        assert await state(ann) == (True, False, False)
        for wrong in (0, VERSION + 1):
            assert error(await ann.put("/api/research", json={"version": wrong})) == (400, "malformed")
        assert (await ann.put("/api/research", json=CONSENT)).status_code == 200
        first = (await ann.get("/api/research")).json()["given_at"]
        assert (await ann.put("/api/research", json={**CONSENT, "earlier": True})).json() == {
            "offered": True,
            "given_at": first,
            "earlier": True,
        }
        exported = (await ann.get("/api/account/export")).json()["research"]
        assert exported == [{"version": VERSION, "at": first, "earlier": True}]
        assert (await ann.post("/api/account", json={"login": "ann", "password": "correct horse"})).status_code == 200
        assert await state(ann) == (True, True, True)
        for _ in range(2):
            assert (await ann.delete("/api/research")).status_code == 200
        assert await state(ann) == (True, False, False)
        assert error(await visitor.get("/api/research")) == (401, "unauthenticated")


async def test_a_consent_can_be_seen_and_withdrawn_after_the_setting_was_turned_off(serve: Serve) -> None:
    app = await serve(ON)
    async with app.guest("Ann") as ann:
        await ann.put("/api/research", json=CONSENT)
        key = ann.cookies
    later = await serve()
    async with later.client() as ann:
        ann.cookies = key
        assert await state(ann) == (False, True, False)
        await ann.delete("/api/research")
        assert await state(ann) == (False, False, False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_privacy_text_has_it(language: str) -> None:
    text = privacy_text(language, ON)  # type: ignore[arg-type]  # from the list of languages
    assert f"## {translate(language, 'privacy.research')}\n" in text  # type: ignore[arg-type]
    assert translate(language, "privacy.row.who_gives_games_for_research") in text  # type: ignore[arg-type]


def test_the_page_sends_the_version_of_its_text() -> None:
    page = Path(__file__).parents[3] / "src/faceup/web/account/research-consent.js"
    assert re.findall(r"^const VERSION = (\d+);$", page.read_text("utf-8"), re.MULTILINE) == [str(VERSION)]


async def test_no_trace_of_people_is_in_an_export(serve: Serve, tmp_path: Path) -> None:
    """People with names that are found, who react, rename themselves and make a fair deal, at a table with a code."""
    app = await serve(ON)
    async with app.guest(ZOE) as zoe, app.guest(BART) as bart, app.guest("Cyprian Absent") as absent:
        for player in (zoe, bart):
            assert (await player.put("/api/research", json=CONSENT)).status_code == 200
        table = await app.table(zoe, bart, listed=True)
        await do(absent, table, "react", seat=0, reaction="bravo")
        await do(zoe, table, "react", seat=0, reaction="bravo", to=1)
        await play_on([zoe, bart], table)
        await play_on([zoe, absent], await app.table(zoe, absent, listed=True))
        await play_on([bart, zoe], await app.table(bart, zoe))  # by invitation
    await ResultsIngest(app.store).ingest()
    await export_games(app.store, tmp_path / "games", licence="CC0-1.0", allow_few=True)
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "games").iterdir()}
    assert written["games.jsonl"].count("\n") == 1
    traces = {ZOE, BART, "Unmistakable", app.home, "bravo", *await app.store.query(_personal_texts)}
    assert table in traces
    assert [trace for trace in sorted(traces) if any(trace in text for text in written.values())] == []


def _personal_texts(connection: sa.Connection) -> set[str]:
    """Return all texts and times in the database that are neither words of games nor short."""
    texts = set[str]()
    for name in ("players", "sessions", "rooms", "games", "results", "research_consents", "server_state"):
        table = metadata.tables[name]
        columns = [
            column for column in table.c if column.name not in {"summary", "game", "variant", "options", "status"}
        ]
        texts |= {str(value) for row in connection.execute(sa.select(*columns)) for value in row}
    log = metadata.tables["log"]
    for row in connection.execute(sa.select(log.c.command, log.c.entries)):
        texts |= set((row.command or "").split(":"))
        texts |= {str(entry.at) for entry in loads(row.entries)}
    return {text for text in texts if len(text) > 4}
