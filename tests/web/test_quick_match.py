"""Quick matches on the page: one tap on home, a countdown in the lobby, and a game with bots."""

import re

from playwright.async_api import expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener
from tests.web.driver import TABLE_VIEW, room
from tests.web.test_accessibility import violations


async def test_one_tap_leads_to_a_game_with_other_people_and_bots(open_page: PageOpener) -> None:
    """Two people meet at one table, and bots take the other seats."""
    ann = await open_page("/", **REDUCED_MOTION | PHONE)
    await ann.get_by_role("button", name="Quick match: 6 nimmt!, with other players").click()
    lobby = ann.locator("table-lobby")
    await expect(lobby.get_by_text(re.compile(r"In \d+ s, bots take the empty seats"))).to_be_in_viewport()
    assert await violations(ann) == []

    bo = await open_page("/", **REDUCED_MOTION)
    await bo.get_by_role("button", name="Quick match: 6 nimmt!, with other players").click()
    for page in (ann, bo):
        await page.wait_for_function(f"() => {TABLE_VIEW}?.status === 'active'")
    assert ann.url == bo.url
    seats = (await room(bo))["seats"]
    assert sum(seat["kind"] == "person" for seat in seats) == 2
    assert len(seats) == 4
