"""Layout and accessibility of Niu Niu and War during a game and at its end."""

from typing import Any

import pytest
from playwright.async_api import expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.driver import play_match
from tests.web.test_accessibility import violations
from tests.web.test_viewports import OVERFLOWS

from faceup.translations import LANGUAGES

TABLES: dict[str, dict[str, Any]] = {
    "niuniu": {"seats": 10, "throws": 3},
    "war": {"per_suit": 3, "reshuffle": 5, "down": 1, "cap": 40},
}


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", TABLES)
async def test_whole_game_by_keyboard_fits_and_passes_axe(open_page: PageOpener, game: str, language: str) -> None:
    browser = REDUCED_MOTION | PHONE | {"locale": language, "color_scheme": "dark" if language == "de" else "light"}
    page = await open_at_table(open_page, browser=browser, game=game, options=TABLES[game], bots=["random"])
    await play_match(page, most=2)
    assert await page.evaluate(OVERFLOWS) == []
    assert await violations(page) == []
    await page.set_viewport_size({"width": 180, "height": 320})  # a phone at 200 % zoom
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert await page.evaluate(OVERFLOWS) == []
    await play_match(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    assert await page.evaluate(OVERFLOWS) == []
    assert await violations(page) == []
