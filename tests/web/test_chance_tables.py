"""The tables of the games of chance in the middle of play and at its end: everything fits, and axe finds nothing."""

from typing import Any

import pytest
from playwright.async_api import expect
from tests.web.conftest import CALM, PHONE, People, at_table
from tests.web.playing import play
from tests.web.test_axe import findings
from tests.web.test_sizes import CUT

TABLES: dict[str, dict[str, Any]] = {
    "niuniu": {"seats": 10, "throws": 3},
    "war": {"per_suit": 3, "reshuffle": 5, "down": 1, "cap": 40},
}


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "zh"])
@pytest.mark.parametrize("game", TABLES)
async def test_it_fits_and_axe_finds_nothing_in_a_whole_game_by_keys(people: People, game: str, language: str) -> None:
    browser = CALM | PHONE | {"locale": language, "color_scheme": "dark" if language == "de" else "light"}
    page = await at_table(people, browser=browser, game=game, options=TABLES[game], bots=["random"])
    await play(page, most=2)
    assert await page.evaluate(CUT) == []
    await page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")  # from under the log's line
    assert await findings(page) == []
    await page.set_viewport_size({"width": 180, "height": 320})  # as at 200 %
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert await page.evaluate(CUT) == []
    await play(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    assert await page.evaluate(CUT) == []
    assert await findings(page) == []
