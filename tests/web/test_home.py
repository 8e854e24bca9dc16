"""The home page: few choices in the first view, the last game again in one tap, and a place for codes."""

import pytest
from playwright.async_api import expect
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table

from faceup.translations import LANGUAGES

CHOICES = """() => {
  const choices = [];
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.localName === "top-bar") continue;
      if (element.shadowRoot) visit(element.shadowRoot);
      const { top, height } = element.getBoundingClientRect();
      const isChoice = element.matches("a, button, input, select") && element.checkVisibility();
      if (isChoice && height && top < innerHeight) choices.push(element.textContent.trim() || element.ariaLabel);
    }
  };
  visit(document.querySelector("home-page").shadowRoot);
  return choices;
}"""
"""What can be selected in the first view, below the bar that all pages have."""


@pytest.mark.sample(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(390, 844), (1440, 900), (844, 390)])
async def test_first_view_has_at_most_five_choices(open_page: PageOpener, size: tuple[int, int], language: str) -> None:
    page = await open_page("/", locale=language, viewport={"width": size[0], "height": size[1]}, **REDUCED_MOTION)
    await page.locator("article .main").first.wait_for()
    choices = await page.evaluate(CHOICES)
    assert 3 <= len(choices) <= 5, choices


async def test_play_starts_the_game_that_was_played_last(open_page: PageOpener) -> None:
    page = await open_page("/", **REDUCED_MOTION)
    await page.get_by_role("button", name="Play 6 nimmt!", exact=True).click()
    await page.locator("nimmt-table").wait_for()
    await page.goto("/")
    await page.get_by_role("button", name="Play now: War").click()
    await page.locator("war-table").wait_for()
    await page.goto("/")
    await page.get_by_role("button", name="Play War", exact=True).click()
    await page.locator("war-table").wait_for()


async def test_a_code_leads_to_its_table_and_a_wrong_one_says_so(open_page: PageOpener) -> None:
    host = await open_page(None)
    table = await create_table(host, game="war")
    code = (await (await host.request.get(f"/api/tables/{table}")).json())["code"]
    page = await open_page("/", **REDUCED_MOTION)
    await expect(page.get_by_role("button", name="Join")).to_have_count(0)
    await page.get_by_label("Code or link").fill("12")
    await page.get_by_role("button", name="Join").click()
    await expect(page.get_by_role("alert")).to_contain_text("five-letter code")
    await page.get_by_label("Code or link").fill(code)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/t/{table}")


@pytest.mark.parametrize("scale", [pytest.param(100, marks=pytest.mark.long), 200])
async def test_long_names_and_large_text_do_not_widen_the_page(open_page: PageOpener, scale: int) -> None:
    page = await open_page(None, locale="de", viewport={"width": 360, "height": 640}, **REDUCED_MOTION)
    await page.request.post("/api/session", data={"name": "Maximilianeferdinandeab"})
    party = {"name": "Donnerstagsrundenspielegemeinschaftxyzab"}
    assert (await page.request.post("/api/parties", data=party)).ok
    parts = {
        "/": "party-card a",
        "/me": "account-page .panel",
        "/daily": "daily-page .bots li",
        "/new": "create-table-page .steps",
        "/ladder": "ladder-page select",
        "/tournaments": "tournaments-page .steps",
        "/friends": "friends-page h1",
        "/puzzles": "nimmt-table .held",
    }
    for path, part in parts.items():
        await page.goto(path)
        await page.locator(part).first.wait_for(state="attached")
        await page.evaluate("(scale) => { document.documentElement.style.fontSize = `${scale}%`; }", scale)
        assert await page.evaluate("document.documentElement.scrollWidth") == 360, path
