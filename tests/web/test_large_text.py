"""Layout with large text in the browser: nothing is cut off, overlaps or scrolls sideways, on phones and desktops."""

import re

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.table_states import NAMES, nimmt_states, open_nimmt, show_state
from tests.web.test_accessibility import GAMES, PAGES
from tests.web.test_replay import STREAMS
from tests.web.test_viewports import overflowing_elements, problems_of

from faceup.web.assets import web


async def double_text(page: Page, size: int = 32) -> None:
    """Set the font size of the browser, to twice the usual one by default; media queries in `em` follow it."""
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": size * 13 // 16}})


TEXT_VIEWPORTS = ((360, 640), (768, 1024), (1024, 768), (1440, 900))
"""A phone, a tablet in both orientations and a desktop, which have few characters in a line if the text is large."""

# Controls outside of boards and hands, which overlap if two of them share more than a border, and spill if their
# contents are wider. What is sticky may cover the page, but not its own controls.
COVERED_CONTROLS = """() => {
  const parent = (element) => element.assignedSlot ?? element.parentElement ?? element.getRootNode().host;
  const ancestors = (element) => (element ? [element, ...ancestors(parent(element))] : []);
  const visit = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.shadowRoot ? visit(element.shadowRoot) : []),
    ...(element.matches("a[href], button, select, textarea, summary, input:not([type=hidden])") ? [element] : []),
  ]);
  const controls = visit(document).flatMap((element) => {
    const [within, box] = [ancestors(element), element.getBoundingClientRect()];
    const style = getComputedStyle(element);
    const shown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!shown || !box.width || style.clipPath !== "none" || within.some((at) => at.matches(".felt, .hand"))) return [];
    const layer = within.find((at) => /sticky|fixed/.test(getComputedStyle(at).position));
    const label = (element.ariaLabel ?? element.textContent).trim().slice(0, 40);
    return [{ element, within, box, layer, label, block: style.display !== "inline" }];
  });
  const overlap = (a, b) => {
    const x = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
    const y = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
    return x > 2 && y > 2 && a.layer === b.layer && !a.within.includes(b.element) && !b.within.includes(a.element);
  };
  const spills = ({ element, block }) => {
    const { scrollWidth, clientWidth } = element;
    return block && !element.matches("input, select, textarea") && scrollWidth > clientWidth + 1;
  };
  return [
    ...controls.flatMap((control, place) => {
      const covered = controls.slice(place + 1).filter((other) => overlap(control, other));
      return covered.map((other) => `${control.label} covers ${other.label}`);
    }),
    ...controls.filter(spills).map(({ label }) => `spills: ${label}`),
  ];
}"""


async def problems_of_large_text(page: Page) -> list[str]:
    """Return what overflows, overlaps or spills, at each size of `TEXT_VIEWPORTS`."""
    problems = []
    for viewport in TEXT_VIEWPORTS:
        problems += await overflowing_elements(page, (viewport,))
        covered: list[str] = await page.evaluate(COVERED_CONTROLS)
        problems += [f"{viewport[0]}x{viewport[1]}: {problem}" for problem in covered]
    return problems


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/", "de"),
        ("/daily", "fr"),
        *(pytest.param(path, language, marks=pytest.mark.long) for path in PAGES for language in ("de", "zh")),
    ],
)
async def test_text_of_twice_the_size_fits(open_page: PageOpener, path: str, language: str) -> None:
    page = await open_page(None, locale=language, **PHONE, **REDUCED_MOTION)
    await double_text(page)
    await page.goto(path)
    await page.wait_for_load_state("networkidle")
    assert await problems_of_large_text(page) == []


@pytest.mark.parametrize("size", [pytest.param(24, marks=pytest.mark.long), 32])
async def test_large_text_fits_at_a_table(open_page: PageOpener, size: int) -> None:
    """On wide screens, the rows and the hand are in view, as on a screen of half the size."""
    page = await open_nimmt(open_page, 4, **REDUCED_MOTION)
    await double_text(page, size)
    await page.reload()
    await page.locator("nimmt-table .felt").wait_for()
    states = nimmt_states("nimmt seats=4", name=NAMES["de"])
    assert await problems_of(page, states, ((1024, 768), (1440, 900))) == []
    assert await problems_of_large_text(page) == []
    await show_state(page, states["over"])
    await expect(page.locator("result-podium li")).to_have_count(4)
    assert await problems_of_large_text(page) == []


@pytest.mark.long
@pytest.mark.parametrize("size", [24, 32])
@pytest.mark.parametrize("game", ["niuniu", "war"])
async def test_large_text_fits_at_a_table_of_another_game(open_page: PageOpener, game: str, size: int) -> None:
    page = await open_at_table(open_page, browser=REDUCED_MOTION, game=game, bots=["random"], **GAMES[game])
    await double_text(page, size)
    await page.reload()
    await page.locator(f"{game}-table .felt").wait_for()
    assert await problems_of_large_text(page) == []


@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.long), "de"])
async def test_the_home_page_of_a_player_with_a_long_name_fits(open_page: PageOpener, language: str) -> None:
    page = await open_page(None, locale=language, **PHONE, **REDUCED_MOTION)
    assert (await page.request.post("/api/session", data={"name": "Maximiliane Ferdinand"})).ok
    await page.goto("/")
    await page.locator("tile-link a").last.wait_for()
    assert await problems_of_large_text(page) == []
    await page.set_viewport_size({"width": 360, "height": 640})
    button = await page.get_by_role("button", name="Settings" if language == "en" else "Einstellungen").bounding_box()
    assert button is not None
    assert button["x"] > 300, "it is in the second line"


@pytest.mark.parametrize("size", [pytest.param(16, marks=pytest.mark.long), 32])
async def test_large_text_fits_in_a_replay(open_page: PageOpener, size: int) -> None:
    page = await open_page(None, **REDUCED_MOTION)
    await double_text(page, size)
    await page.goto("/replay")
    await page.set_input_files("input[type=file]", STREAMS / "nimmt.record.json")
    await page.locator("faceup-replay .controls").wait_for()  # the server starts a worker process
    assert await problems_of_large_text(page) == []


async def test_the_layout_of_a_table_follows_the_setting_for_large_text(open_page: PageOpener) -> None:
    page = await open_nimmt(open_page, 4, viewport={"width": 1100, "height": 800}, **REDUCED_MOTION)
    frame = page.locator("faceup-table .frame")
    await expect(frame).to_have_class(re.compile("wide"))
    await page.evaluate("""() => {
      document.documentElement.toggleAttribute("data-large", true);
      dispatchEvent(new Event("settings"));
    }""")
    await expect(frame).not_to_have_class(re.compile("wide"))


BROKEN_WORDS = """() => {
  const title = document.querySelector("table-page").shadowRoot.querySelector("h1");
  const text = [...title.childNodes].find((node) => node.nodeType === 3 && node.data.trim());
  const range = document.createRange();
  return [...text.data.matchAll(/\\p{L}{2,}/gu)].filter(({ 0: word, index }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
  }).map(([word]) => word);
}"""


@pytest.mark.parametrize("game", [pytest.param("nimmt", marks=pytest.mark.long), "niuniu", "war"])
async def test_the_title_of_a_table_breaks_between_words_only(open_page: PageOpener, game: str) -> None:
    browser = PHONE | REDUCED_MOTION | {"locale": "de"}
    page = await open_at_table(open_page, browser=browser, start=False, game=game, bots=["random"], **GAMES[game])
    await double_text(page)
    await page.reload()
    await page.locator("table-page h1").wait_for()
    assert await page.evaluate(BROKEN_WORDS) == []
    assert await overflowing_elements(page, ((360, 640),)) == []


SHOW_PODIUM = """async ([base, name]) => {
  await import(`${base}/ui/podium.js`);
  const podium = document.createElement("standings-podium");
  podium.entrants = [1, 2, 3, 4].map((place) => ({ name: `${name} ${place}`, handle: `${place}`, place, score: "7" }));
  document.querySelector("main").replaceChildren(podium);
}"""
CUT = """(names) => names
  .filter((name) => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight)
  .map((name) => name.textContent)"""


async def test_podiums_cut_no_name_in_text_of_twice_the_size(open_page: PageOpener) -> None:
    page = await open_nimmt(open_page, 3, **PHONE, **REDUCED_MOTION)
    await double_text(page)
    await page.reload()
    await page.locator("nimmt-table .felt").wait_for()
    await show_state(page, nimmt_states("nimmt seats=3", name=NAMES["de"])["over"])
    names = page.locator("result-podium bdi")
    await expect(names).to_have_count(3)
    assert await names.evaluate_all(CUT) == []
    assert await overflowing_elements(page, ((360, 640),)) == []
    await page.goto("/ladder")
    await page.evaluate(SHOW_PODIUM, [f"/static/{web().stamp}", NAMES["de"]])
    names = page.locator("standings-podium b")
    await expect(names).to_have_count(4)
    assert await names.evaluate_all(CUT) == []
