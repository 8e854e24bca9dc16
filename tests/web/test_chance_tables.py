"""The tables of the games of chance in the middle of play and at its end: everything fits, and axe finds nothing."""

from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import People, at_table
from tests.web.test_axe import findings
from tests.web.test_sizes import CUT

TABLES: dict[str, dict[str, Any]] = {
    "niuniu": {"seats": 10, "throws": 3},
    "war": {"per_suit": 3, "reshuffle": 5, "down": 1, "cap": 40},
}
ASKED = """(table, played) => new Promise((done) => {
  const look = () => {
    const { view, status, choice } = table.sight;
    if (status !== "active" || (view.played ?? view.rounds) >= played) done(false);
    else if (choice === undefined) done(true);
    else setTimeout(look, 10);
  };
  look();
})"""
"""Whether there is more to be done, once that is known."""


async def played(page: Page, game: str, times: int) -> None:
    """Throw or flip, by keys, so often that this many throws or rounds are over, or the game is."""
    table = page.locator(f"{game}-table")
    for _ in range(5_000):  # a key counts once for a decision, however often it is pressed
        if not await table.evaluate(ASKED, times):
            return
        await page.keyboard.press("x")
    raise AssertionError("it does not go on")


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "zh"])
@pytest.mark.parametrize("game", TABLES)
async def test_it_fits_and_axe_finds_nothing_in_a_whole_game_by_keys(people: People, game: str, language: str) -> None:
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
    await played(page, game, 999)
    await expect(page.locator("table-result h2")).to_be_visible()
    assert await page.evaluate(CUT) == []
    assert await findings(page) == []
