"""Layout of every page on phones, tablets, desktops and phones at 200 % zoom: nothing is cut off, and nothing
scrolls sideways. Transfer size of a first visit."""

from typing import Any

import pytest
from playwright.async_api import Page
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.test_accessibility import GAMES, PAGES

SIZES = ((360, 640), (768, 1024), (1440, 900), (180, 320))
"""The last one is a phone at 200 % zoom, where only the board may scroll sideways."""

MENU = {"en": "Menu", "de": "Menü", "zh": "菜单"}

OVERFLOWS = """() => {
  const found = [];
  const { clientWidth: screen, scrollWidth: content } = document.documentElement;
  if (content > screen) found.push(`the page is ${content} wide`);
  const label = (element) => `${element.localName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
  const scrollable = (element) => {
    for (let at = element; at; at = at.assignedSlot ?? at.parentElement ?? at.getRootNode().host) {
      if (at.className === "board" && getComputedStyle(at).overflowX === "auto") return true;
    }
    return false;
  };
  const visit = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) visit(element.shadowRoot);
      const style = getComputedStyle(element);
      if (style.clipPath !== "none" || style.visibility === "hidden" || element.localName === "style") continue;
      const text = [...element.childNodes].filter((each) => each.nodeType === 3 && each.data.trim());
      if (!text.length || !element.checkVisibility({ opacityProperty: true })) continue;
      if (element.closest(".visually-hidden, .announcements, option, title")) continue;
      const hides = style.overflowX !== "visible" && style.textOverflow !== "ellipsis";
      if (hides && element.scrollWidth > element.clientWidth + 1) found.push(`cut: ${label(element)}`);
      for (const node of text) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, width } = range.getBoundingClientRect();
        const cut = style.textOverflow === "ellipsis" ? Math.min(right, element.getBoundingClientRect().right) : right;
        if (width && !scrollable(element) && (left < -1 || cut > screen + 1)) found.push(`outside: ${label(element)}`);
      }
    }
  };
  visit(document.body);
  return found;
}"""


async def overflowing_elements(page: Page) -> list[str]:
    """Return the elements that overflow, at each size."""
    found = []
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        here: Any = await page.evaluate(OVERFLOWS)
        found += [f"{width}x{height}: {each}" for each in here]
    return found


async def test_home_fits(open_page: PageOpener) -> None:
    page = await open_page("/")
    await page.wait_for_load_state("networkidle")
    assert await overflowing_elements(page) == []


# Elements needed to play: none may be outside of the screen, or below the ticker.
OBSTRUCTED = """(selectors) => {
  const frame = document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot;
  const game = frame.querySelector(".game").shadowRoot;
  const boxes = (root, what) => [...root.querySelectorAll(what)].map((each) => each.getBoundingClientRect());
  const [foot] = boxes(frame, ".foot");
  const found = selectors.map((what) => [...boxes(frame, what), ...boxes(game, what)]);
  const lost = selectors.filter((what, place) => {
    return !found[place].length || found[place].some(({ top, bottom }) => top < 0 || bottom > foot.top);
  });
  return foot.bottom > innerHeight ? [...lost, ".foot"] : lost;
}"""


@pytest.mark.parametrize(
    ("config", "selectors"),
    [
        ({"game": "nimmt"}, ["table-seats", ".next", ".tray", ".lane", ".held"]),
        ({"game": "niuniu"}, ["table-seats", ".next", ".dice", ".action"]),
    ],
    ids=["6 nimmt!", "Niu Niu"],
)
async def test_table_of_ten_fits_a_low_phone(
    open_page: PageOpener, config: dict[str, Any], selectors: list[str]
) -> None:
    page = await open_at_table(open_page, browser=PHONE, options={"seats": 10}, bots=["random"], **config)
    await page.get_by_role("button", name="React").wait_for()
    await page.locator(selectors[-1]).first.wait_for()
    assert await page.evaluate(OBSTRUCTED, selectors) == []


async def test_a_table_fits(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 10}, bots=["random"])
    await page.locator("nimmt-table").wait_for()
    assert await overflowing_elements(page) == []


@pytest.mark.long
@pytest.mark.parametrize("language", MENU)
@pytest.mark.parametrize("path", PAGES)
async def test_every_page_fits_in_every_language(open_page: PageOpener, path: str, language: str) -> None:
    page = await open_page(path, locale=language)
    await page.wait_for_load_state("networkidle")
    assert await overflowing_elements(page) == []


@pytest.mark.long
@pytest.mark.parametrize("language", MENU)
@pytest.mark.parametrize("game", GAMES)
async def test_every_table_fits_in_every_language(open_page: PageOpener, game: str, language: str) -> None:
    browser = REDUCED_MOTION | {"locale": language}
    page = await open_at_table(open_page, browser=browser, game=game, bots=["random"], **GAMES[game])
    await page.locator(f"{game}-table").wait_for()
    assert await overflowing_elements(page) == []
    await page.get_by_role("button").last.wait_for()
    await page.evaluate(
        "() => document.querySelector('table-page').shadowRoot.querySelector('faceup-table').openMenu()"
    )
    assert await overflowing_elements(page) == []


async def test_first_visit_to_a_table_stays_below_the_size_limit(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 4}, bots=["random"])
    visitor = await open_page("about:blank")
    sizes: dict[str, int] = {}
    visitor.on("response", lambda got: sizes.__setitem__(got.url, int(got.headers.get("content-length", 0))))
    await visitor.goto(page.url, wait_until="networkidle")
    await visitor.locator("nimmt-table").wait_for()
    await visitor.wait_for_load_state("networkidle")
    assert any("/start/table-nimmt-en.js" in url for url in sizes)
    assert sum(sizes.values()) < 80_000, sizes
