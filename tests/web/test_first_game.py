"""The first game of a kind, in which the ox explains the decisions next to the cards, once."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table, send_command
from tests.web.driver import play_match, room
from tests.web.test_accessibility import violations
from tests.web.test_viewports import PROBLEMS

from faceup.web.assets import web

NAMES = {"nimmt": "6 nimmt!", "niuniu": "Niu Niu", "war": "War"}

FIRST = {
    "nimmt": "Choose a card: it goes to the row whose last card is the closest lower number.",
    "niuniu": "If three of your dice add up to ten, the other two score",
    "war": "Both reveal a card: the higher one takes both",
}


async def play_now(page: Page, game: str) -> Locator:
    """Start a game from home, and return what the ox says there."""
    await page.goto("/")
    await page.get_by_role("button", name=f"Play now: {NAMES[game]}").click()
    await page.wait_for_url("**/t/*")
    await page.locator(f"{game}-table").wait_for()
    return page.locator("faceup-table .taught")


async def test_ox_explains_three_turns_and_covers_nothing(open_page: PageOpener) -> None:
    page = await open_page("/learn", **REDUCED_MOTION | PHONE)
    ox = await play_now(page, "nimmt")
    await expect(ox).to_contain_text(FIRST["nimmt"])
    assert await page.evaluate(PROBLEMS) == []
    await expect(page.get_by_role("button", name="Hint")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the foot covers the hint"
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await expect(ox).to_contain_text(re.compile(r"would go to row \d: its \d+ is the closest|lower than every row"))
    for turn in range(1, 4):
        await play_match(page, most=1)
        while (now := await room(page))["view"]["waiting"] or len(now["view"]["log"]) < turn:
            await play_match(page, most=1)
        if turn < 3:
            words = r"(has one card|has \d cards|is full)" if turn == 1 else "sixth card"
            await expect(ox).to_contain_text(re.compile(words))
            assert await page.evaluate(PROBLEMS) == []
    await expect(ox).to_have_count(0)
    await expect(await play_now(page, "nimmt")).to_have_count(0)
    await expect(page.locator("faceup-table .next")).to_contain_text("Choose a card.")


@pytest.mark.parametrize("game", ["niuniu", "war"])
async def test_one_sentence_explains_a_game_of_chance(open_page: PageOpener, game: str) -> None:
    page = await open_page("/learn", **REDUCED_MOTION | PHONE)
    ox = await play_now(page, game)
    await expect(ox).to_contain_text(FIRST[game])
    await page.keyboard.press("x")
    await expect(ox).to_have_count(0)
    await expect(await play_now(page, game)).to_have_count(0)


async def test_explanations_can_be_skipped_for_good(open_page: PageOpener) -> None:
    page = await open_page("/learn", **REDUCED_MOTION)
    ox = await play_now(page, "nimmt")
    await expect(ox).to_contain_text(FIRST["nimmt"])
    await page.reload()
    await expect(ox).to_contain_text(FIRST["nimmt"])
    await send_command(page, page.url.rsplit("/", 1)[-1], "pause")
    await expect(page.get_by_role("button", name="Resume")).to_be_visible()
    assert await violations(page) == []
    await page.get_by_role("button", name="Resume").click()
    await page.get_by_role("button", name="No more explanations").click()
    await expect(ox).to_have_count(0)
    await expect(page.locator("faceup-table .next")).to_contain_text("Choose a card.")
    await expect(await play_now(page, "nimmt")).to_have_count(0)


async def test_only_games_started_by_play_now_are_explained(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 4}, bots=["random"], terms={"clock": None})
    await expect(page.locator("faceup-table .next")).to_contain_text("Choose a card.")
    await expect(page.locator("faceup-table .taught")).to_have_count(0)


ROWS = [[8, 30], [33, 34, 35, 36, 37], [4], [61]]
TAKEN = {"event": "took", "seat": 1, "card": 38, "row": 1, "cards": [33, 34, 35, 36, 37], "chosen": False}


POSITIONS: list[tuple[int, dict[str, Any], str | None, object]] = [
    (1, {}, "Row 2 is full: the next card that belongs there takes all five, 10 heads.", 1),
    (
        1,
        {"marked": "play 39"},
        "Row 2 is full: your 39 would be the sixth card, and you take the other five, 10 heads.",
        1,
    ),
    (1, {"marked": "play 31"}, "Your 31 would go to row 1: its 30 is the closest lower number.", 0),
    (1, {"marked": "play 3"}, "Your 3 is lower than every row: if you play it, you choose a row and take it.", ""),
    (2, {}, "The sixth card of a row takes the five before it, and their bull heads count against you.", 1),
    (2, {"events": [TAKEN]}, "Clover's 38 was the sixth card of row 2: Clover took the five before it, 10 heads.", 1),
    (
        3,
        {"waiting": [[3, 0]]},
        "Your 3 is lower than every row, so you choose a row and take it. Tap a row with few heads.",
        "",
    ),
    (3, {}, None, None),
]
"""For each position: completed turns, what else is known, the sentence, and the cards that it speaks of."""


async def test_explanation_follows_from_the_position(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    seats = [{"name": "Ann", "kind": "person"}, {"name": "Clover", "kind": "bot"}]
    for turn, more, words, about in POSITIONS:
        view = {"rows": ROWS, "log": [[]] * turn, "waiting": more.get("waiting", [])}
        config = {"game": "nimmt", "options": {}}
        table = {"status": "active", "seat": 0, "seats": seats, "view": view, "config": config}
        explanation = await page.evaluate(
            """async ([stamp, room, marked, events]) => {
              const { setLanguage, loadNamespaces } = await import(`/static/${stamp}/i18n/translate.js`);
              await setLanguage("en");
              await loadNamespaces("nimmt", "common");
              const { explain } = await import(`/static/${stamp}/table/first-game.js`);
              return explain(room, marked, events);
            }""",
            [web().stamp, table, more.get("marked", ""), more.get("events", [])],
        )
        assert (explanation and (explanation["words"], explanation["about"])) == (words and (words, about))
