"""Statistics in the browser: the own ones with the coach's reproach, and those of others without it."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path

import httpx
import pytest
import pytest_asyncio
import sqlalchemy as sa
from playwright.async_api import Browser, Page, expect
from tests.server.app_server import ListeningServer, listening_server
from tests.server.results.played_games import owned_by, play_game, rated_game, store_game
from tests.web.conftest import REDUCED_MOTION, PageOpener
from tests.web.test_accessibility import violations

from faceup.core.record import Terms
from faceup.server.accounts.schema import players
from faceup.server.results.seat_reviews import FoundFault, SeatFindings, pending_seats, reserve, store_findings
from faceup.server.rooms import TableConfig

GAMES = 5
FOUND = SeatFindings(9, {"sixth": FoundFault(1, 1.5, 1.5, 2), "low": FoundFault(2, 2.5, 2.0, 4)})
REPROACH = "You played a card below every row"


async def play_games(server: ListeningServer, client: httpx.AsyncClient) -> str:
    """Store games of the only player, reviewed by the coach. Return the player's handle."""
    store = server.store
    player = await store.query(lambda connection: connection.execute(sa.select(players.c.id)).scalar_one())
    war = play_game(1, config=TableConfig(game="war", terms=Terms(), bots=("random",)))
    for play in (*(rated_game(seed) for seed in range(GAMES)), war):
        await store_game(store, owned_by(play, player))
    assert (await client.get("/api/me/statistics")).json()["coach"]["games"] == 0
    for seat in await store.query(lambda connection: pending_seats(connection, store.now(), 0, {"nimmt"}, 20)):
        assert await store.write(partial(reserve, now=store.now(), seat=seat))
        await store.write(partial(store_findings, seat=seat, findings=FOUND))
    handle: str = (await client.get("/api/me")).json()["handle"]
    return handle


class Visit:
    """A server with a player who has played, and pages of it."""

    def __init__(self, opener: PageOpener, handle: str, cookies: httpx.Cookies) -> None:
        self.handle = handle
        self._opener = opener
        self._cookies = cookies

    async def own(self, **options: str) -> Page:
        """Open the player's own page."""
        page = await self._opener("/password", **options, **REDUCED_MOTION)
        address = page.url.removesuffix("/password")
        await page.context.add_cookies(
            [{"name": name, "value": value, "url": address} for name, value in self._cookies.items()]
        )
        await page.goto("/me")
        return page

    async def public(self) -> Page:
        """Open the player's page as someone else."""
        return await self._opener(f"/players/{self.handle}", **REDUCED_MOTION)


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, tmp_path: Path) -> AsyncIterator[Visit]:
    async with AsyncExitStack() as opened, listening_server(tmp_path / "statistics.sqlite") as server:
        async with server.guest("Ann") as ann:
            opener = PageOpener(browser, server.base, opened)
            yield Visit(opener, await play_games(server, ann), ann.cookies)
        await opened.aclose()
    assert not opener.page_errors, "\n".join(opener.page_errors)


async def test_statistics_show_the_trend_of_each_variant_and_the_reproach_only_to_the_player(visit: Visit) -> None:
    page = await visit.own()
    await expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    await expect(page.locator(".fault")).to_have_text(REPROACH)
    faults = page.get_by_role("list", name="Costly choices by kind").get_by_role("listitem")
    await expect(faults).to_have_count(2)
    await expect(faults.first).to_contain_text(re.compile(rf"{2 * GAMES}\W"))
    assert re.search(
        r"/t/[\w-]+/replay#at=5&seat=0$", await faults.first.get_by_role("link").get_attribute("href") or ""
    )
    chart = page.get_by_role("slider", name="Trend")
    await expect(chart).to_have_attribute("aria-valuetext", re.compile(rf"^Game {GAMES} · .* heads per game$"))
    await chart.focus()
    await page.keyboard.press("Home")
    await expect(page.locator("trend-chart figcaption")).to_contain_text("Game 1 ")
    await page.get_by_role("button", name="Won", exact=True).click()
    await expect(chart).to_have_attribute("aria-valuetext", re.compile("^Game 1 · .* (0|100)% won$"))
    await page.get_by_role("button", name="Standard").click()
    await expect(page.get_by_role("button", name="Standard")).to_have_attribute("aria-pressed", "true")
    await expect(page.get_by_text("The trend is shown from three games on.")).to_be_visible()
    await expect(page.get_by_text("Fewest heads")).to_have_count(0)
    other = await visit.public()
    await expect(other.get_by_role("heading", name="Statistics")).to_be_visible()
    await expect(other.get_by_text("Fewest heads")).to_be_visible()
    await expect(other.get_by_text(REPROACH)).to_have_count(0)


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_statistics_are_accessible_and_fit_on_small_phones(visit: Visit, scheme: str) -> None:
    page = await visit.own(color_scheme=scheme)
    await expect(page.get_by_role("heading", name="Statistics")).to_be_visible()
    await expect(page.locator("trend-chart .line")).to_be_visible()
    assert await violations(page) == []
    for width in (390, 360, 320, 260):
        await page.set_viewport_size({"width": width, "height": 640})
        assert await page.evaluate("document.documentElement.scrollWidth") <= width
