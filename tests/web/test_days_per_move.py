"""Games with days per move on the page: create one, find it again, and see for whom it waits."""

from playwright.async_api import expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, send_command
from tests.web.test_accessibility import violations


async def test_a_game_with_days_per_move_is_created_and_waits_on_home(open_page: PageOpener) -> None:
    ann = await open_page("/new?game=nimmt", **REDUCED_MOTION | PHONE)
    await ann.get_by_label("Time per choice").select_option("2 days per move")
    await expect(ann.get_by_text("No one needs to be online")).to_be_visible()
    await ann.get_by_text("All settings").click()
    await expect(ann.get_by_label("Bot takes over after")).to_have_count(0)
    await ann.get_by_role("button", name="Remove a seat").click()
    await ann.get_by_role("button", name="Remove a seat").click()
    await ann.get_by_role("button", name="Create table").click()
    await expect(ann.get_by_text("You can close this page.")).to_be_visible()
    table = ann.url.rpartition("/")[2]
    await ann.goto("/")
    await expect(ann.get_by_text("Not started")).to_be_visible()

    bo = await open_page("/ladder")
    await send_command(bo, table, "sit", name="Bo")
    await ann.goto("/")
    await expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
    await expect(ann.get_by_text("2 days left")).to_be_visible()
    await expect(ann.get_by_role("link", name="faceup home, 1 game waits for you")).to_be_visible()
    assert await ann.title() == "● Your turn (1) · faceup"
    assert await violations(ann) == []
    await ann.get_by_text("2 days left").click()
    await expect(ann.get_by_role("timer", name="2 days left")).to_be_visible()
