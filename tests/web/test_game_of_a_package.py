"""A game from another package is listed on the home page and played to the end with its own drawing."""

import os
import re
from collections.abc import Iterator

import pytest
from playwright.async_api import expect
from tests.server.server_process import Server, serving
from tests.test_write_a_game import install_example
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table, open_at_table, send_command
from tests.web.driver import play_match

pytestmark = pytest.mark.slow


CHOOSE = """async () => {
  const { connection } = document.querySelector("table-page");
  const { seat, decision, actions } = connection.room;
  await connection.send({ command: "choose", seat, decision, action: actions[0] });
}"""


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server where the game of the tutorial is installed."""
    package = install_example(tmp_path_factory.mktemp("installed"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(package), os.environ.get("PYTHONPATH", "")]))
        with serving(tmp_path_factory.mktemp("data")) as running:
            yield running


@pytest.mark.long
async def test_the_game_of_the_tutorial_is_played_on_the_page(open_page: PageOpener, own_server: Server) -> None:
    page = await open_page("/", base=own_server.address, viewport={"width": 1280, "height": 800})
    await expect(page.get_by_text("Goofspiel", exact=True).first).to_be_visible()
    table = await create_table(page, game="goofspiel", bots=["matching", "random"])
    await send_command(page, table, "start")
    await page.goto(f"/t/{table}")
    await expect(page.locator("generic-table img")).to_have_attribute("alt", re.compile("Prize 1 of 5"))
    await expect(page.locator("generic-table button")).to_have_count(5)
    await play_match(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    lines = await page.locator("#announcements p").all_text_contents()
    assert sum("wins the prize of" in line for line in lines) == 5


@pytest.mark.parametrize("focused", ["card", "menu"])
async def test_the_winner_of_another_game_is_said_once(open_page: PageOpener, focused: str) -> None:
    """The heading of the result takes a lost focus, or an announcement says it: the game has no event for it."""
    page = await open_at_table(open_page, browser=REDUCED_MOTION, game="highcard", options={"hand": 1}, bots=["random"])
    await page.locator("announcement-bar").wait_for(state="attached")
    await page.locator("generic-table button").first.wait_for()
    if focused == "menu":
        await page.get_by_role("button", name="Menu").focus()
        await page.evaluate(CHOOSE)
    else:
        await page.locator("generic-table button").first.press("Enter")
    heading = page.locator("table-result h2")
    winner = await heading.inner_text()
    announced = page.locator("#announcements p").filter(has_text=winner)
    if focused == "menu":
        await expect(announced).to_have_count(1)
        await expect(page.get_by_role("button", name="Menu")).to_be_focused()
    else:
        await expect(heading).to_be_focused()
        await expect(announced).to_have_count(0)
