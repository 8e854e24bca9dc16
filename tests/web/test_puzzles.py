"""Puzzles in the browser: by tap and by keyboard, the verdict, the streak on the home page, and accessibility."""

import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Response, expect
from tests.server.app_server import listening_server
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener
from tests.web.test_accessibility import violations

from faceup.coach.puzzles import Puzzle, package_puzzles

PUZZLES = {puzzle.id: puzzle for puzzle in package_puzzles()}
SHOWN = "document.querySelector('puzzles-page')?.puzzle"


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, tmp_path: Path) -> AsyncIterator[PageOpener]:
    async with AsyncExitStack() as opened, listening_server(tmp_path / "puzzles.sqlite") as server:
        opener = PageOpener(browser, server.base, opened)
        yield opener
        await opened.aclose()
    assert not opener.page_errors, "\n".join(opener.page_errors)


async def shown(page: Page) -> Puzzle:
    """Return the puzzle on the page, when its table is drawn."""
    await expect(page.locator("nimmt-table .lane").first).to_be_visible()
    return PUZZLES[await page.evaluate(f"{SHOWN}.id")]


async def tap(page: Page, puzzle: Puzzle, action: str) -> None:
    """Tap an option twice, which selects and confirms it."""
    number = int(action.rsplit(maxsplit=1)[-1])
    option = page.locator(".pick").nth(number) if action.startswith("take") else page.locator(f"[data-hand='{number}']")
    await option.click()
    await expect(page.get_by_text("heads worse")).to_have_count(0)
    await option.click()
    await expect(page.locator(".verdict")).to_be_visible()
    assert action in [option.action for option in puzzle.options]


async def test_puzzles_are_solved_by_tap_and_the_streak_is_on_the_home_page(open_page: PageOpener) -> None:
    page = await open_page("/", **PHONE, **REDUCED_MOTION)
    messages: list[tuple[str, str]] = []

    async def collect(response: Response) -> None:
        if "/api/puzzles" in response.url and response.ok:
            messages.append((response.request.method, await response.text()))

    page.on("response", collect)
    await page.get_by_role("link", name=re.compile("Puzzles")).click()
    for number in range(2):
        puzzle = await shown(page)
        await tap(page, puzzle, puzzle.best.action)
        await expect(page.get_by_role("heading", name=re.compile("^Right: "))).to_be_visible()
        values = page.get_by_role("list", name="Values of all options").get_by_role("listitem")
        await expect(values).to_have_count(len(puzzle.options))
        await expect(values.first).to_contain_text("best")
        await expect(page.locator(".rank.best", has_text="★")).to_have_count(1)
        await expect(page.locator(".lane .rank").first).to_be_visible()  # the row that the best card goes to
        await expect(page.get_by_text("Puzzle rating")).to_be_visible()
        await expect(page.get_by_text("Found by")).to_have_count(0)  # until ten players have tried it
        await page.get_by_role("button", name="Next puzzle").click()
        await page.wait_for_function(f"id => {SHOWN}?.id !== id", arg=puzzle.id)
        assert number or len(messages) >= 2
    assert [method for method, _ in messages].count("POST") == 2
    for method, text in messages:
        document: dict[str, Any] = json.loads(text)
        if method == "POST":
            assert document["puzzle"]["verdict"]["solved"] is True
            document = {"next": document["next"]}
        assert "behind" not in json.dumps(document), "the values are sent only in reply to an answer"
    await page.goto("/")
    card = page.get_by_role("link", name=re.compile("Puzzles"))
    await expect(card).to_contain_text("2 of 2 found")
    await expect(card).to_contain_text("2 in a row")


async def test_a_wrong_answer_by_keyboard_shows_the_best_option_to_everyone(open_page: PageOpener) -> None:
    puzzle = next(puzzle for puzzle in PUZZLES.values() if puzzle.best.action.startswith("play"))
    page = await open_page(f"/puzzles/{puzzle.id}", **REDUCED_MOTION)
    await shown(page)
    await page.set_viewport_size({"width": 844, "height": 390})
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the hand is beside the screen"
    hand = [int(option.action.split()[1]) for option in puzzle.options]
    wrong = next(card for card in sorted(hand) if f"play {card}" != puzzle.best.action)
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("Home")
    for _ in range(sorted(hand).index(wrong)):
        await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    best = puzzle.best.action.split()[1]
    heading = page.get_by_role("heading", name=re.compile(rf"^{best} is [\d.]+ heads better than {wrong}$"))
    await expect(heading).to_be_visible()
    await expect(page.locator("#announcements")).to_contain_text(f"{best} is ")
    await expect(page.locator("#announcements")).to_contain_text("Ranking by expected heads")
    await expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
    await page.goto(f"/puzzles/{puzzle.id}")
    await expect(heading).to_be_visible()
    assert await page.evaluate(f"{SHOWN}.verdict.solved") is False
    await page.keyboard.press("Enter")
    assert await page.locator(".verdict").count() == 1, "an answered puzzle takes no second answer"


@pytest.mark.sample(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_the_verdict_is_accessible(open_page: PageOpener, scheme: str) -> None:
    page = await open_page("/puzzles", color_scheme=scheme, **REDUCED_MOTION)
    puzzle = await shown(page)
    assert await violations(page) == []
    await tap(page, puzzle, puzzle.options[-1].action)
    assert await violations(page) == []
