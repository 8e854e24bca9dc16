"""Announcements of the operator are shown on every page, also on pages that were opened before."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect
from tests.cli.in_process import inside
from tests.server.server_process import serving
from tests.web.conftest import PHONE, PageOpener, create_table, open_at_table, screenshot, send_command
from tests.web.test_viewports import PROBLEMS

TEXT = "The server restarts. All tables are saved."


class Announcer:
    """Announces a text, or withdraws it, as an operator does while the server runs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def __call__(self, *words: str) -> None:
        """Run `faceup admin announce`, in a thread because it has its own event loop."""
        done = await asyncio.to_thread(inside, "admin", "announce", *words, data=self._folder)
        assert done.returncode == 0, done.stderr


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, tmp_path: Path) -> AsyncIterator[tuple[PageOpener, Announcer]]:
    """Open pages of a server of this test, and announce."""
    with serving(tmp_path) as server:
        async with AsyncExitStack() as opened:
            yield PageOpener(browser, server.address, opened), Announcer(tmp_path)


async def bar_is_visible(page: Page) -> None:
    """Expect the text of the announcement in the window, not covered by the page."""
    text = page.locator("announcement-bar p")
    await expect(text).to_have_text(TEXT)
    await expect(text).to_be_in_viewport()
    covered = await text.evaluate(
        """text => {
          const { x, y, width, height } = text.getBoundingClientRect();
          return text.getRootNode().elementFromPoint(x + width / 2, y + height / 2) !== text;
        }"""
    )
    assert not covered


@pytest.mark.long
@pytest.mark.slow
async def test_an_announcement_is_shown_at_home_in_a_lobby_and_at_a_table(
    visit: tuple[PageOpener, Announcer],
) -> None:
    open_page, announce = visit
    lobby, table = await open_page(None), await open_page(None, **PHONE)
    for page, starts in ((lobby, False), (table, True)):
        made = await create_table(page, game="nimmt", options={"seats": 3}, bots=["greedy"])
        if starts:
            await send_command(page, made, "start")
        await page.goto(f"/t/{made}")
        await expect(page.locator("table-seats" if starts else "table-page h2").first).to_be_visible()
    await announce(TEXT)
    home = await open_page("/", **PHONE)
    for page in (lobby, table, home):
        await bar_is_visible(page)
        await screenshot(page, f"announcement-{page.url.rsplit('/', 1)[-1] or 'home'}")
    assert await table.locator("announcement-bar").get_by_role("status").count() == 1
    await home.locator("announcement-bar button").click()
    await expect(home.locator("announcement-bar p")).to_have_count(0)
    await announce("--off")
    for page in (lobby, table):
        await expect(page.locator("announcement-bar p")).to_have_count(0)


@pytest.mark.slow
async def test_a_page_without_a_connection_shows_an_announcement_when_it_is_looked_at_again(
    visit: tuple[PageOpener, Announcer],
) -> None:
    open_page, announce = visit
    home = await open_page("/")
    await announce(TEXT)
    await home.evaluate(
        """() => {
          Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    await bar_is_visible(home)


async def test_a_page_of_an_older_server_offers_the_new_version(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page, browser={"locale": "de"}, game="nimmt", options={"seats": 2}, bots=["greedy"], terms={"clock": None}
    )
    await expect(page.locator("nimmt-table .held").first).to_be_visible()
    await page.locator("announcement-bar").wait_for(state="attached")

    async def report_newer(route: Route) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json={**await answer.json(), "page": "newer"})

    await page.route("**/static/**", lambda route: route.fulfill(status=404))  # it has other modules
    await page.route("**/api/server-info", report_newer)
    await page.set_viewport_size({"width": 390, "height": 844})
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    bar = page.locator("announcement-bar")
    await expect(bar.locator("p")).to_have_text(re.compile("^Eine neue Version ist verfügbar"))
    await expect(bar.get_by_role("button", name="Jetzt neu laden")).to_be_visible()
    assert await page.evaluate(PROBLEMS) == []
