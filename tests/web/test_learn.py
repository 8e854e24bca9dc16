"""Guides in each language, and the tutorial."""

import re

import msgspec
import pytest
from lessons import FILE, text
from playwright.async_api import Page, expect
from tests.web.conftest import REDUCED_MOTION, PageOpener

from faceup.core import find_game
from faceup.translations import LANGUAGES, Language, guide

GAMES = ("nimmt", "niuniu", "war")


def guide_of(language: Language, game: str) -> str:
    """Return a guide: English ones are part of the game."""
    return guide(language, game) or find_game(game).guide


def figures(language: Language, game: str) -> list[tuple[str, list[list[str]]]]:
    """Return the figures of a guide without captions."""
    blocks = re.findall(r"```(\w+)\n(.*?)\n```", guide_of(language, game), re.DOTALL)
    return [(kind, [line.split("#")[0].split() for line in lines.split("\n")]) for kind, lines in blocks]


@pytest.mark.parametrize("game", GAMES)
def test_guides_have_the_same_structure_in_every_language(game: str) -> None:
    english = figures("en", game)
    assert english
    for language in LANGUAGES:
        shape, translated_shape = (
            re.findall(r"^(?:##|\||-|\d\.)", text, re.MULTILINE)
            for text in (guide_of("en", game), guide_of(language, game))
        )
        assert shape == translated_shape, language
        assert english == figures(language, game), language


def test_lesson_file_matches_the_rules() -> None:
    """Run `./script/lessons` to update the file."""
    assert msgspec.json.decode(FILE.read_bytes()) == msgspec.json.decode(text())


async def choose(page: Page, action: str) -> None:
    """Emit the choice as the game's element does."""
    await page.locator("nimmt-table").evaluate(
        "(table, action) => table.dispatchEvent(new CustomEvent('choose', { detail: { action } }))", action
    )


@pytest.mark.long
async def test_tutorial_ends_with_a_real_game(open_page: PageOpener) -> None:
    page = await open_page("/learn/nimmt", **REDUCED_MOTION)
    await page.get_by_role("link", name="Start tutorial").click()
    bubble = page.locator("learn-tutorial .bubble")
    await expect(bubble).to_contain_text("Everyone chooses a card in secret")
    for action, comment in (
        ("play 44", "Your 44 went to row 2, after the 41"),
        ("play 62", "Your 3 is lower than the last card of every row"),
        ("play 3", "choose a row and take it"),
        ("take row 0", "You took row 1: 1 head"),
        ("play 90", "Now you know all the rules"),
    ):
        await choose(page, action)
        await expect(bubble).to_contain_text(comment)
    await page.get_by_role("button", name="Play a real game").click()
    await page.wait_for_url("**/t/*")
    await expect(page.locator("nimmt-table")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.long
async def test_every_guide_is_rendered(open_page: PageOpener, language: str) -> None:
    page = await open_page("/learn", locale=language)
    for game in GAMES:
        await page.goto(f"/learn/{game}")
        await expect(page.locator("article figure").first).to_be_visible()
        assert await page.locator("article h2").count() > 3
        assert not re.search(r"learn\.|\*\*|```", await page.locator("article").inner_text())


async def test_french_guides_keep_the_spaces_at_which_no_line_breaks(open_page: PageOpener) -> None:
    page = await open_page("/learn/nimmt", locale="fr")
    cell = page.locator("learn-page td").filter(has_text="30 secondes")
    assert "choix\u202f; tu" in str(
        await cell.evaluate("(cell) => cell.textContent")
    )  # Playwright's texts have one space
