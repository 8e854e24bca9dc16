"""Every page, light and dark, as axe sees it, which knows what screen readers and weak eyes stumble over."""

from functools import cache
from typing import Any

import npm
import pytest
from playwright.async_api import Page
from tests.web.conftest import CALM, People, at_table

PAGES = ("/", "/new", "/ladder", "/learn", "/learn/nimmt", "/learn/niuniu", "/learn/war", "/me", "/password", "/replay")
GAMES: dict[str, dict[str, Any]] = {
    "nimmt": {"options": {"seats": 5}},
    "niuniu": {"options": {"seats": 5, "throws": 1}},
    "war": {},
}
SCHEMES = ("light", "dark")


@cache
def axe() -> str:
    """The script, from the package that the lock file names."""
    return (npm.package("axe-core") / "axe.min.js").read_text("utf-8")


RUN = """() => axe.run(document, {
  resultTypes: ["violations"],
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
})"""
STILL = """() => Promise.all(document.getAnimations()
  .filter((each) => each.effect.getTiming().iterations !== Infinity)
  .map((each) => each.finished.catch(() => {})))"""


async def findings(page: Page) -> list[str]:
    """What is serious or critical: the rule, and where. Looks when nothing moves any more: colours in the middle of a
    change are nobody's choice."""
    await page.evaluate(STILL)
    await page.evaluate(axe())
    found: Any = await page.evaluate(RUN)
    return [
        f"{each['id']}: {node['target']} {node.get('failureSummary', '')}"
        for each in found["violations"]
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
async def test_nothing_serious_is_found_at_home(people: People, scheme: Any) -> None:
    page = await people("/", color_scheme=scheme, **CALM)
    await page.wait_for_load_state("networkidle")
    assert await findings(page) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("path", PAGES[1:])
async def test_nothing_serious_is_found_on_any_page(people: People, path: str, scheme: Any) -> None:
    page = await people(path, color_scheme=scheme, **CALM)
    await page.wait_for_load_state("networkidle")
    assert await findings(page) == []


async def looked_at(people: People, game: str, scheme: Any, **size: int) -> list[str]:
    """What is found at a table: in its empty room, in a game, in its menu and settings."""
    browser = CALM | {"color_scheme": scheme} | ({"viewport": size} if size else {})
    page = await at_table(people, browser=browser, game=game, bots=["random"], **GAMES[game])
    await page.locator(f"{game}-table").wait_for()
    await page.wait_for_load_state("networkidle")
    found = await findings(page)
    await page.get_by_role("button", name="Menu").click()
    found += await findings(page)
    await page.get_by_role("button", name="Settings").click()
    await page.locator("settings-dialog dialog").wait_for()
    return found + await findings(page)


async def test_nothing_serious_is_found_at_a_table(people: People) -> None:
    assert await looked_at(people, "nimmt", "light", width=360, height=640) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("game", GAMES)
async def test_nothing_serious_is_found_at_a_table_of_any_game(people: People, game: str, scheme: Any) -> None:
    assert await looked_at(people, game, scheme) == []


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
async def test_nothing_serious_is_found_in_a_room_that_waits(people: People, scheme: Any) -> None:
    page = await at_table(people, start=False, browser={"color_scheme": scheme}, game="nimmt", options={"seats": 4})
    await page.wait_for_load_state("networkidle")
    assert await findings(page) == []
