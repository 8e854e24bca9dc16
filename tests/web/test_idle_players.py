"""A player who makes the others wait at a table without a clock: they vote, and a bot plays."""

import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from tests.server.app_server import listening_server
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table, screenshot, send_command
from tests.web.test_connection import server_view

ROOM = "document.querySelector('table-page').connection.room"


async def test_the_menu_offers_the_vote_only_when_the_server_takes_it(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def set_idle_time(milliseconds: int) -> None:
        for module in ("bot_votes", "decide"):
            monkeypatch.setattr(sys.modules[f"faceup.server.rooms.{module}"], "IDLE_AFTER", milliseconds)

    async with AsyncExitStack() as opened, listening_server(tmp_path / "t.sqlite") as server:
        open_page = PageOpener(browser, server.base, opened)
        page, other = await open_page(None, **REDUCED_MOTION), await open_page(None)
        set_idle_time(600_000)
        table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 2}, terms={"clock": None})
        await send_command(other, table, "sit", name="Bo")
        await page.goto(f"/t/{table}")
        await page.locator("nimmt-table .held").first.wait_for()
        menu = page.locator("header button[aria-haspopup=dialog]")
        vote = page.get_by_role("button", name="Let a bot play for Bo")
        report = page.get_by_role("button", name="Report Bo")
        action = (await page.evaluate(ROOM))["actions"][0]
        await send_command(page, table, "choose", seat=0, action=action, decision=0)
        await page.wait_for_function(f"() => {ROOM}.chosen.includes(0)")
        await menu.click()
        await expect(report).to_be_visible()
        await expect(vote).to_have_count(0)

        set_idle_time(3_000)
        await page.reload()
        await menu.click()
        await expect(report).to_be_visible()
        await expect(vote).to_be_visible()  # also if the menu was open before
        await screenshot(page, "vote-menu")
        await vote.click()
        await page.wait_for_function(f"() => {ROOM}.away.includes(1)")
        assert (await server_view(page, table))["away"] == [1]
        await opened.aclose()
    assert not open_page.page_errors
