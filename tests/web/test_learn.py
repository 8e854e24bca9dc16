"""Learning: the rules in each language with the same figures, and the first turns to their end."""

import re
from pathlib import Path

import msgspec
import pytest
from lessons import FILE, text
from playwright.async_api import Page, expect
from tests.web.conftest import CALM, People

LEARN = Path("src/faceup/web/learn")
LANGUAGES = ("en", "de", "zh")
GAMES = ("nimmt", "niuniu", "war")


def figures(language: str, game: str) -> list[tuple[str, list[list[str]]]]:
    """The figures of a guide without their captions."""
    guide = (LEARN / language / f"{game}.js").read_text("utf-8")
    blocks = re.findall(r"\\`\\`\\`(\w+)\n(.*?)\n\\`\\`\\`", guide, re.DOTALL)
    return [(kind, [line.split("#")[0].split() for line in lines.split("\n")]) for kind, lines in blocks]


@pytest.mark.parametrize("game", GAMES)
def test_a_guide_has_the_same_figures_chapters_and_tables_in_every_language(game: str) -> None:
    english = figures("en", game)
    assert english
    shape = [
        re.findall(r"^(?:##|\||-|\d\.)", (LEARN / each / f"{game}.js").read_text("utf-8"), re.MULTILINE)
        for each in LANGUAGES
    ]
    assert shape[0] == shape[1] == shape[2]
    assert english == figures("de", game) == figures("zh", game)


def test_the_lesson_is_what_the_rules_make_of_it() -> None:
    """If not: `./script/lessons`."""
    assert msgspec.json.decode(FILE.read_bytes()) == msgspec.json.decode(text())


async def choose(page: Page, action: str) -> None:
    """Choose as the game's element does when somebody has chosen."""
    await page.locator("nimmt-table").evaluate(
        "(table, action) => table.dispatchEvent(new CustomEvent('choose', { detail: { action } }))", action
    )


async def test_the_first_turns_are_taught_to_their_end_and_lead_to_a_real_game(people: People) -> None:
    page = await people("/learn/nimmt", **CALM)
    await page.get_by_role("link", name="Your first turns").click()
    bubble = page.locator("first-turns .bubble")
    await expect(bubble).to_contain_text("Everybody chooses a card in secret")
    for action, said in (
        ("play 44", "Your 44 went to row 2, behind the 41"),
        ("play 62", "Your 3 is below the last card of every row"),
        ("play 3", "choose a row and take it"),
        ("take row 0", "You took row 1: 1 head"),
        ("play 90", "Now you know all of the rules"),
    ):
        await choose(page, action)
        await expect(bubble).to_contain_text(said)
    await page.get_by_role("button", name="Play a real one").click()
    await page.wait_for_url("**/t/*")
    await expect(page.locator("nimmt-table")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.long
async def test_the_rules_of_every_game_can_be_read(people: People, language: str) -> None:
    page = await people("/learn", locale=language)
    for game in GAMES:
        await page.goto(f"/learn/{game}")
        await expect(page.locator("article figure").first).to_be_visible()
        assert await page.locator("article h2").count() > 3
        assert not re.search(r"learn\.|\*\*|```", await page.locator("article").inner_text())
