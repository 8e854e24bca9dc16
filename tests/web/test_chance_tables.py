"""The tables of the games of chance in the middle of play: everything fits, and axe finds nothing."""

from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import People, at_table
from tests.web.test_axe import findings
from tests.web.test_sizes import CUT

TABLES: dict[str, dict[str, Any]] = {
    "niuniu": {"seats": 10, "throws": 3},
    "war": {"per_suit": 3, "reshuffle": 0, "down": 1},
}
SHOWN = "(table, played) => { const { view } = table.sight; return (view.played ?? view.log.length) >= played; }"


async def played(page: Page, game: str, times: int) -> None:
    """Throw or flip so often that this many throws or rounds are over."""
    table = page.locator(f"{game}-table")
    for _ in range(50):
        if await table.evaluate(SHOWN, times):
            return
        await expect(table.locator(".do:enabled")).to_be_visible()
        await page.keyboard.press("x")
    raise AssertionError("it does not go on")


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "zh"])
@pytest.mark.parametrize("game", TABLES)
async def test_it_fits_and_axe_finds_nothing_in_the_middle_of_a_game(people: People, game: str, language: str) -> None:
    browser = {
        "locale": language,
        "reduced_motion": "reduce",
        "color_scheme": "dark" if language == "de" else "light",
        "viewport": {"width": 360, "height": 640},
    }
    page = await at_table(people, browser=browser, game=game, options=TABLES[game], bots=["random"])
    await played(page, game, 2)
    assert await page.evaluate(CUT) == []
    assert await findings(page) == []
    await page.set_viewport_size({"width": 180, "height": 320})  # as at 200 %
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert await page.evaluate(CUT) == []
