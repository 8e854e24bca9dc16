"""Two browsers at one table, each on a server of its own, over one PostgreSQL."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import expect
from tests.server.postgresql import PostgreSQL
from tests.server.serving import serving
from tests.web.conftest import CALM, People, new_table
from tests.web.playing import play, sight


@pytest.mark.long
async def test_two_browsers_on_two_servers_play_one_game_to_the_end(people: People, tmp_path: Path) -> None:
    database = PostgreSQL().start()
    try:
        with (
            database.database() as address,
            serving(tmp_path / "one", "--database", address) as one,
            serving(tmp_path / "two", "--database", address) as two,
        ):
            host = await people("/ladder", base=one.address, **CALM)
            table = await new_table(host, game="nimmt", options={"seats": 2, "hand": 2})
            await host.goto(f"/t/{table}")
            guest = await people(f"/t/{table}", base=two.address, **CALM)
            await guest.get_by_role("button", name="Sit down").click()
            await asyncio.gather(play(host), play(guest))
            ends = [await sight(page) for page in (host, guest)]
            assert [each["seat"] for each in ends] == [0, 1]
            assert ends[0]["result"] == ends[1]["result"]
            for page in (host, guest):
                await expect(page.locator("nimmt-table")).to_be_visible()
                await expect(page.locator("table-result h2")).to_be_visible()
                await page.goto("about:blank")
    finally:
        database.remove()
