"""A server without the extra `fast`: it offers the bots that it can run, and names no other."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import pytest_asyncio
from tests.server.app_server import AppServer, opened
from tests.server.requests import do, error

from faceup import extras
from faceup.bots import levels, policies
from faceup.server.http.server_info import _playable_games
from faceup.server.live.wake_times import is_search_bot
from faceup.server.rooms.config import TableConfig

pytestmark = pytest.mark.asyncio(loop_scope="module")

COMPILED = ("sharp", "champion", "network", "deep")


@pytest.fixture(scope="module", autouse=True)
def without_fast() -> Iterator[None]:
    """Make the extra `fast` look like it is not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "LIBRARIES", {**extras.LIBRARIES, "fast": ("faceup_has_no_such_module",)})
        extras.is_installed.cache_clear()
        _playable_games.cache_clear()
        yield
    extras.is_installed.cache_clear()
    _playable_games.cache_clear()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def app(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AppServer]:
    """A server for all tests of this module, which use separate tables."""
    async with opened(tmp_path_factory.mktemp("small") / "tables.sqlite") as running:
        yield running


async def test_only_bots_that_can_play_are_offered(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        games: list[dict[str, Any]] = (await ann.get("/api/games")).json()
        nimmt = next(game for game in games if game["name"] == "nimmt")
        assert nimmt["levels"] == ["gentle", "steady"]
        assert {bot["name"] for bot in nimmt["bots"]} == {*policies("nimmt")} - {*COMPILED}
        assert "install" not in str(nimmt["bots"])  # a server does not show where its interpreter is


@pytest.mark.parametrize("kind", COMPILED)
async def test_a_bot_that_cannot_play_is_refused(app: AppServer, kind: str) -> None:
    async with app.guest("Ann") as ann:
        config = {"game": "nimmt", "options": {"seats": 2}}
        answer = await ann.post("/api/tables", json={"config": {**config, "bots": [kind]}})
        assert error(answer) == (400, "malformed")
        assert answer.json()["error"]["message"].startswith(f"this server has no bot {kind}, because")
        table = (await ann.post("/api/tables", json={"config": config})).json()["id"]
        assert error(await do(ann, table, "add_bot", kind=kind)) == (400, "malformed")
        settings = {"name": "Cup", "table": {**config, "bots": [kind]}}
        answer = await ann.post("/api/tournaments", json={"settings": settings})
        assert answer.json()["error"]["message"].startswith(f"this server has no bot {kind}, because")


async def test_the_levels_in_plain_python_play(app: AppServer) -> None:
    async with app.guest("Ann") as ann:
        config = {"game": "nimmt", "options": {"seats": 2}, "bots": ["steady"]}
        table = (await ann.post("/api/tables", json={"config": config})).json()["id"]
        assert (await do(ann, table, "start")).status_code == 200


async def test_a_table_from_before_can_still_be_read() -> None:
    """Its bots were installed when it was created; autoplay chooses in their place."""
    config = TableConfig(game="nimmt", bots=("champion",))
    assert config.bots == ("champion",)
    assert not is_search_bot("nimmt", "champion")
    assert "champion" in levels("nimmt")
