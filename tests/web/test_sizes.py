"""Every page fits: on a phone, on a tablet, on a desk, and on a phone at 200 %, nothing is cut and nothing scrolls
sideways. And the first visit to a table is small."""

from typing import Any

import pytest
from playwright.async_api import Page
from tests.web.conftest import CALM, PHONE, People, at_table
from tests.web.test_axe import GAMES, PAGES

SIZES = ((360, 640), (768, 1024), (1440, 900), (180, 320))
"""The last one is a phone at 200 %; there a board, and it alone, may be moved sideways, being as wide as it is."""

MENU = {"en": "Menu", "de": "Menü", "zh": "菜单"}

CUT = """() => {
  const found = [];
  const { clientWidth: wide, scrollWidth: whole } = document.documentElement;
  if (whole > wide) found.push(`the page is ${whole} wide`);
  const say = (element) => `${element.localName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
  const moved = (element) => {
    for (let at = element; at; at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host) {
      if (at.className === "board" && getComputedStyle(at).overflowX === "auto") return true;
    }
    return false;
  };
  const look = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) look(element.shadowRoot);
      const style = getComputedStyle(element);
      if (style.clipPath !== "none" || style.visibility === "hidden" || element.localName === "style") continue;
      const text = [...element.childNodes].filter((each) => each.nodeType === 3 && each.data.trim());
      if (!text.length || !element.checkVisibility({ opacityProperty: true })) continue;
      if (element.closest(".seen-by-readers-alone, .announcements, option, title")) continue;
      const hides = style.overflowX !== "visible" && style.textOverflow !== "ellipsis";
      if (hides && element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${say(element)}`);
      for (const node of text) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, width } = range.getBoundingClientRect();
        const cut = style.textOverflow === "ellipsis" ? Math.min(right, element.getBoundingClientRect().right) : right;
        if (width && !moved(element) && (left < -1 || cut > wide + 1)) found.push(`outside: ${say(element)}`);
      }
    }
  };
  look(document.body);
  return found;
}"""


async def cut(page: Page) -> list[str]:
    """What does not fit, at each size."""
    found = []
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        here: Any = await page.evaluate(CUT)
        found += [f"{width}x{height}: {each}" for each in here]
    return found


async def test_home_fits(people: People) -> None:
    page = await people("/")
    await page.wait_for_load_state("networkidle")
    assert await cut(page) == []


# What is played with, from the top to the bottom of the screen: it neither leaves it nor lies beneath the last line.
PLAYED_WITH = """(things) => {
  const frame = document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot;
  const game = frame.querySelector(".game").shadowRoot;
  const boxes = (root, what) => [...root.querySelectorAll(what)].map((each) => each.getBoundingClientRect());
  const [foot] = boxes(frame, ".foot");
  const found = things.map((what) => [...boxes(frame, what), ...boxes(game, what)]);
  const lost = things.filter((what, place) => {
    return !found[place].length || found[place].some(({ top, bottom }) => top < 0 || bottom > foot.top);
  });
  return foot.bottom > innerHeight ? [...lost, ".foot"] : lost;
}"""


@pytest.mark.parametrize(
    ("opening", "things"),
    [
        ({"game": "nimmt"}, ["table-seats", ".next", ".tray", ".lane", ".held"]),
        ({"game": "niuniu"}, ["table-seats", ".next", ".dice", ".do"]),
    ],
    ids=["6 nimmt!", "Niu Niu"],
)
async def test_a_low_phone_has_everything_at_a_table_of_ten_in_sight(
    people: People, opening: dict[str, Any], things: list[str]
) -> None:
    page = await at_table(people, browser=PHONE, options={"seats": 10}, bots=["random"], **opening)
    await page.get_by_role("button", name="React").wait_for()
    await page.locator(things[-1]).first.wait_for()
    assert await page.evaluate(PLAYED_WITH, things) == []


async def test_a_table_fits(people: People) -> None:
    page = await at_table(people, game="nimmt", options={"seats": 10}, bots=["random"])
    await page.locator("nimmt-table").wait_for()
    assert await cut(page) == []


@pytest.mark.long
@pytest.mark.parametrize("language", MENU)
@pytest.mark.parametrize("path", PAGES)
async def test_every_page_fits_in_every_language(people: People, path: str, language: str) -> None:
    page = await people(path, locale=language)
    await page.wait_for_load_state("networkidle")
    assert await cut(page) == []


@pytest.mark.long
@pytest.mark.parametrize("language", MENU)
@pytest.mark.parametrize("game", GAMES)
async def test_every_table_fits_in_every_language(people: People, game: str, language: str) -> None:
    browser = CALM | {"locale": language}
    page = await at_table(people, browser=browser, game=game, bots=["random"], **GAMES[game])
    await page.locator(f"{game}-table").wait_for()
    assert await cut(page) == []
    await page.get_by_role("button").last.wait_for()
    await page.evaluate(
        "() => document.querySelector('table-page').shadowRoot.querySelector('faceup-table').openMenu()"
    )
    assert await cut(page) == []


async def test_a_first_visit_to_a_table_is_small(people: People) -> None:
    page = await at_table(people, game="nimmt", options={"seats": 4}, bots=["random"])
    visitor = await people("about:blank")
    sizes: dict[str, int] = {}
    visitor.on("response", lambda got: sizes.__setitem__(got.url, int(got.headers.get("content-length", 0))))
    await visitor.goto(page.url, wait_until="networkidle")
    await visitor.locator("nimmt-table").wait_for()
    await visitor.wait_for_load_state("networkidle")
    assert any("/start/table-nimmt-en.js" in url for url in sizes)
    assert sum(sizes.values()) < 80_000, sizes
