"""Two browsers at one table, on two servers with one PostgreSQL database."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.server.postgresql import PostgreSQL
from tests.server.server_process import serving
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table
from tests.web.driver import play_match, room


@pytest.mark.long
async def test_two_browsers_on_two_servers_play_one_game_to_the_end(open_page: PageOpener, tmp_path: Path) -> None:
    database = PostgreSQL().start()
    try:
        with (
            database.database() as address,
            serving(tmp_path / "one", "--database", address) as first,
            serving(tmp_path / "two", "--database", address) as two,
        ):
            host = await open_page(None, base=first.address, **REDUCED_MOTION)
            table = await create_table(host, game="nimmt", options={"seats": 2, "hand": 2})
            await host.goto(f"/t/{table}")
            guest = await open_page(f"/t/{table}", base=two.address, **REDUCED_MOTION)
            await guest.get_by_role("button", name="Take a seat").click()
            await asyncio.gather(play_match(host), play_match(guest))
            ends = [await room(page) for page in (host, guest)]
            assert [end["seat"] for end in ends] == [0, 1]
            assert ends[0]["result"] == ends[1]["result"]
            for page in (host, guest):
                await expect(page.locator("nimmt-table")).to_be_visible()
                await expect(page.locator("table-result h2")).to_be_visible()
                await page.goto("about:blank")
    finally:
        database.remove()
