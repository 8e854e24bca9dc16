"""Layout of every page on phones, tablets, desktops and phones at 200 % zoom: nothing is cut off, and nothing
scrolls sideways. Transfer size of a first visit."""

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.async_api import Locator, Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.table_states import NAMES, State, nimmt_states, open_nimmt, show_state
from tests.web.test_accessibility import GAMES, PAGES
from tests.web.test_replay import STREAMS

SIZES = ((360, 640), (768, 1024), (1440, 900), (180, 320))
"""The last one is a phone at 200 % zoom, where only the board may scroll sideways."""

MENU = {"en": "Menu", "de": "Menü", "fr": "Menu", "zh": "菜单"}
TITLES = (("nimmt", "en"), ("nimmt", "fr"), ("war", "de"), ("war", "zh"))
"""Tables whose titles and names are measured with every change: two games and every language."""

OVERFLOWS = """(ellipses) => {
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
      const hides = style.overflowX !== "visible" && (ellipses || style.textOverflow !== "ellipsis");
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = element;
      const cut = scrollWidth > clientWidth + 1 || (ellipses && scrollHeight > clientHeight + 1);
      if (hides && cut) found.push(`cut: ${label(element)}`);
      for (const node of text) {
        const range = document.createRange();
        range.selectNodeContents(node);
        const { left, right, width } = range.getBoundingClientRect();
        const end = style.textOverflow === "ellipsis" ? Math.min(right, element.getBoundingClientRect().right) : right;
        if (width && !scrollable(element) && (left < -1 || end > screen + 1)) found.push(`outside: ${label(element)}`);
      }
    }
  };
  visit(document.body);
  return found;
}"""


async def overflowing_elements(
    page: Page, sizes: tuple[tuple[int, int], ...] = SIZES, *, ellipses: bool = False
) -> list[str]:
    """Return the elements that overflow, at each size; those that end in an ellipsis only if asked for."""
    problems = []
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        for _ in range(10):  # the page adapts to a new size in several frames
            await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
            overflowing: list[str] = await page.evaluate(OVERFLOWS, ellipses)
            if not overflowing:
                break
        problems += [f"{width}x{height}: {element}" for element in overflowing]
    return problems


async def test_home_fits(open_page: PageOpener) -> None:
    page = await open_page("/")
    await page.wait_for_load_state("networkidle")
    assert await overflowing_elements(page) == []


LANDSCAPE = ((844, 390), (720, 450), (667, 375), (640, 360), (568, 320))
"""Phones in landscape, and desktop browsers at 200 % zoom."""
PORTRAIT = ((360, 640), (320, 568), (390, 844))
LARGE = ((768, 1024), (1280, 600), (1440, 900), (2560, 1440))

# What a player needs in order to choose must be in the viewport without scrolling, and nothing may cover a card. The
# table sets its layout after a change of the viewport's size, so this waits until nothing is wrong any more.
PROBLEMS = """async () => {
  const page = document.querySelector("table-page").shadowRoot;
  const frame = page.querySelector("faceup-table").shadowRoot;
  const game = frame.querySelector(".game").shadowRoot;
  const measure = (element) => ({ element, box: element.getBoundingClientRect() });
  const visible = ({ element, box }) => box.width && element.checkVisibility({ visibilityProperty: true });
  const boxes = (root, what) => [...root.querySelectorAll(what)].map(measure).filter(visible);
  const overlap = ({ box: a }, { box: b }) => {
    const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    return x > 0.5 && y > 0.5;
  };
  const within = ({ box }, { left, top, right, bottom }) => {
    return box.left > left - 1 && box.top > top - 1 && box.right < right + 1 && box.bottom < bottom + 1;
  };
  const name = ({ element }) => {
    return `${element.className.baseVal ?? element.className} ${element.textContent.trim().slice(0, 12)}`;
  };
  const problems = () => {
    const [felt] = boxes(game, ".felt");
    const [rows, held] = [boxes(game, ".lane"), boxes(game, ".held")];
    const needed = [felt, ...rows, ...held, ...boxes(game, ".spot"), ...boxes(frame, ".next, .foot > *")];
    const cards = [...boxes(game, ".lying .art, .spot .art"), ...held];
    const labels = boxes(game, ".owner, .taking, .gain, .seat .name, .sum, .number, .prompt");
    const others = [...boxes(frame, ".next, .foot > *, table-seats"), ...boxes(page, "header > *")];
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const covers = (over) => [...cards, ...labels].filter((each) => each !== over && overlap(over, each));
    const line = boxes(frame, ".next > *, .foot > *");
    const beside = boxes(page, "header > :is(a, button)");
    const pairs = beside.flatMap((over) => line.filter((each) => overlap(over, each)).map((each) => [over, each]));
    return [
      ...needed.filter((each) => !within(each, screen)).map((each) => `outside: ${name(each)}`),
      ...rows.filter((each) => !within(each, felt.box)).map((each) => `cut: ${name(each)}`),
      ...[...others, ...labels].flatMap((over) => covers(over).map((each) => `${name(over)} covers ${name(each)}`)),
      ...pairs.map(([over, each]) => `${name(over)} covers ${name(each)}`),
      ...held.filter(({ box }) => Math.min(box.width, box.height) < 39).map((each) => `small: ${name(each)}`),
    ];
  };
  for (let tries = 0; problems().length && tries < 100; tries += 1) await new Promise((done) => setTimeout(done, 50));
  return problems();
}"""


async def problems_of(page: Page, states: dict[str, State], sizes: tuple[tuple[int, int], ...]) -> list[str]:
    """Return what is outside of the viewport or covers a card, in each state at each size."""
    problems = []
    for width, height in sizes:
        await page.set_viewport_size({"width": width, "height": height})
        for name in ("choosing", "revealed", "taking", "row", "labels"):
            await show_state(page, states[name])
            page_problems: Any = await page.evaluate(PROBLEMS)
            problems += [f"{width}x{height} {name}: {problem}" for problem in page_problems]
    return problems


@pytest.mark.parametrize("seats", [*(pytest.param(seats, marks=pytest.mark.long) for seats in (2, 5)), 10])
async def test_rows_and_hand_are_in_view_in_landscape(open_page: PageOpener, seats: int) -> None:
    page = await open_nimmt(open_page, seats, **REDUCED_MOTION)
    states = nimmt_states(f"nimmt seats={seats}", name=NAMES["en"])
    assert await problems_of(page, states, LANDSCAPE) == []


@pytest.mark.long
@pytest.mark.parametrize(("seats", "language"), [pytest.param(4, "zh", marks=pytest.mark.long), (10, "de"), (8, "fr")])
async def test_rows_and_hand_are_in_view_in_portrait_and_on_large_screens(
    open_page: PageOpener, seats: int, language: str
) -> None:
    page = await open_nimmt(open_page, seats, locale=language, **REDUCED_MOTION)
    states = nimmt_states(f"nimmt seats={seats}", name=NAMES[language])
    assert await problems_of(page, states, PORTRAIT + LARGE) == []


@pytest.mark.long
@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("seats", [3, 4, 6, 7, 8, 9])
async def test_rows_and_hand_are_in_view_at_every_size(open_page: PageOpener, seats: int, language: str) -> None:
    page = await open_nimmt(open_page, seats, locale=language, **REDUCED_MOTION)
    states = nimmt_states(f"nimmt seats={seats}", name=NAMES[language])
    assert await problems_of(page, states, LANDSCAPE + PORTRAIT + LARGE) == []


async def test_a_row_under_the_mouse_keeps_its_frame(open_page: PageOpener) -> None:
    page = await open_nimmt(open_page, 4, **REDUCED_MOTION)
    await show_state(page, nimmt_states("nimmt seats=4")["row"])
    row = page.locator("nimmt-table .pick").first
    frame = await row.evaluate("(row) => getComputedStyle(row).boxShadow")
    assert "0px 0px 0px 2px" in frame
    await row.hover()
    await expect(row).to_have_css("box-shadow", frame)
    await row.click()
    await expect(row).to_have_css("box-shadow", re.compile("0px 0px 0px 4px"))


LABEL_FITS = """() => {
  const frame = document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot;
  const label = frame.querySelector(".game").shadowRoot.querySelector(".tap");
  return label && label.checkVisibility() && label.scrollWidth <= label.clientWidth;
}"""


@pytest.mark.parametrize("language", ["de", "fr"])
async def test_the_word_on_a_chosen_card_fits(open_page: PageOpener, language: str) -> None:
    page = await open_nimmt(open_page, 4, locale=language, **REDUCED_MOTION)
    state = nimmt_states("nimmt seats=4", name=NAMES[language])["choosing"]
    room = state["room"]
    await show_state(page, state | {"room": room | {"choice": room["actions"][0]}})
    for width, height in ((360, 640), (844, 390), (568, 320)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function("(width) => innerWidth === width", arg=width)
        await page.wait_for_function(LABEL_FITS)  # the table adapts to a new size in several frames


@pytest.mark.parametrize(
    "game",
    [
        "nimmt:classic seats=4",
        *(
            pytest.param(game, marks=pytest.mark.long)
            for game in ("nimmt:tactical seats=6", "nimmt:arena", "nimmt:onehundredandfour seats=4")
        ),
    ],
)
async def test_every_variant_is_in_view_in_landscape(open_page: PageOpener, game: str) -> None:
    states = nimmt_states(game)
    page = await open_nimmt(open_page, len(states["choosing"]["room"]["seats"]), **REDUCED_MOTION)
    assert await problems_of(page, states, ((844, 390), (640, 360))) == []


async def test_rows_grow_with_the_screen(open_page: PageOpener) -> None:
    page = await open_nimmt(open_page, 4, **REDUCED_MOTION)
    states = nimmt_states("nimmt seats=4")
    widths = []
    for width, height in ((360, 640), (844, 390), (1440, 900), (2560, 1440)):
        await page.set_viewport_size({"width": width, "height": height})
        await page.wait_for_function("(width) => innerWidth === width", arg=width)
        await show_state(page, states["labels"])
        assert await page.evaluate(PROBLEMS) == []
        widths.append(await page.locator(".lying").first.evaluate("(card) => card.getBoundingClientRect().width"))
    assert widths == sorted(widths)
    assert widths[-1] > 2 * widths[1] > 3 * widths[0]


# Elements needed to play: none may be outside of the screen, or below the ticker.
OBSTRUCTED = """(selectors) => {
  const frame = document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot;
  const game = frame.querySelector(".game").shadowRoot;
  const boxes = (root, what) => [...root.querySelectorAll(what)].map((each) => each.getBoundingClientRect());
  const [foot] = boxes(frame, ".foot");
  const last = innerWidth > innerHeight ? innerHeight : foot.top;
  const found = selectors.map((what) => [...boxes(frame, what), ...boxes(game, what)]);
  const lost = selectors.filter((what, place) => {
    return !found[place].length || found[place].some(({ top, bottom }) => top < 0 || bottom > last);
  });
  return foot.bottom > innerHeight ? [...lost, ".foot"] : lost;
}"""


async def resize(page: Page, width: int, height: int) -> None:
    """Set the size of the viewport, and wait until the page has been laid out."""
    await page.set_viewport_size({"width": width, "height": height})
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


@pytest.mark.parametrize(
    ("config", "selectors"),
    [
        ({"game": "niuniu", "options": {"seats": 10}}, ["table-seats", ".next", ".dice", ".action"]),
        ({"game": "war"}, ["table-seats", ".next", ".pile", ".action", ".auto"]),
    ],
    ids=["Niu Niu", "War"],
)
async def test_dice_and_cards_are_in_view(open_page: PageOpener, config: dict[str, Any], selectors: list[str]) -> None:
    page = await open_at_table(open_page, browser=PHONE, bots=["random"], **config)
    await page.get_by_role("button", name="React").wait_for()
    await page.locator(selectors[-1]).first.wait_for()
    for size in ((360, 640), (844, 390), (640, 360)):
        await resize(page, *size)
        assert await page.evaluate(OBSTRUCTED, selectors) == [], size


BOTTOM = "(all) => Math.max(...all.map((each) => each.getBoundingClientRect().bottom))"
CARDS = "nimmt-table :is(.lane, .held)"


async def cards_end_above(page: Page, height: int, below: Locator | None = None) -> bool:
    """Return whether all cards end above the height, or above what is below them, once they are laid out."""
    for _ in range(400):
        box = None if below is None else await below.bounding_box()
        if await page.locator(CARDS).evaluate_all(BOTTOM) <= (height if box is None else box["y"]):
            return True
        await page.wait_for_timeout(50)
    return False


async def test_tutorial_and_replay_are_in_view_in_landscape(open_page: PageOpener) -> None:
    sizes = ((844, 390), (720, 450), (667, 375))
    page = await open_page("/learn/nimmt#try", viewport={"width": 844, "height": 390}, **REDUCED_MOTION)
    await page.locator("nimmt-table .held").first.wait_for()
    for size in sizes:
        await resize(page, *size)
        assert await cards_end_above(page, size[1]), size
    await page.goto("/replay")
    await page.set_input_files("input[type=file]", STREAMS / "nimmt.record.json")
    await page.get_by_label("View as").select_option("1")  # the server starts a worker process
    await page.locator("nimmt-table .held").first.wait_for()
    for size in sizes:
        await resize(page, *size)
        assert await cards_end_above(page, size[1], page.locator("faceup-replay .controls")), size


async def test_spectators_of_war_see_both_lanes_in_landscape(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="war", bots=["random"])
    watching = await open_page(f"/t/{page.url.rpartition('/')[2]}", viewport={"width": 844, "height": 390})
    await expect(watching.locator("war-table .lane")).to_have_count(2)
    boxes = [await lane.bounding_box() for lane in await watching.locator("war-table :is(.lane, .between)").all()]
    assert len({box["x"] for box in boxes if box}) == 1
    assert all(upper["y"] + upper["height"] <= other["y"] for upper, other in pairwise(boxes) if upper and other)


async def test_qr_code_is_large_on_a_television(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, start=False, game="nimmt", options={"seats": 4})
    await page.set_viewport_size({"width": 1920, "height": 1080})
    await page.goto(f"{page.url}?television")
    box = await page.locator("share-table .qr img").bounding_box()
    assert box is not None
    assert box["width"] > 0.35 * 1080
    await page.goto("/")
    assert await page.evaluate("document.documentElement.hasAttribute('data-television')") is False


FONTS = """(what) => {
  const visit = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.shadowRoot ? visit(element.shadowRoot) : []),
    ...(element.matches(what) && element.checkVisibility() ? [element] : []),
  ]);
  return visit(document).map((element) => parseFloat(getComputedStyle(element).fontSize) * element.currentCSSZoom);
}"""
FILLED = """() => {
  const frame = document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot;
  const game = frame.querySelector(".game").shadowRoot;
  const box = (what) => game.querySelector(what).getBoundingClientRect();
  const [felt, tray, lane] = [".felt", ".tray", ".lane"].map(box);
  return (lane.right - tray.left) / felt.width;
}"""


@pytest.mark.parametrize("seats", [pytest.param(4, marks=pytest.mark.long), 10])
async def test_a_television_is_read_from_four_metres(open_page: PageOpener, seats: int) -> None:
    page = await open_nimmt(open_page, seats, viewport={"width": 1920, "height": 1080}, **REDUCED_MOTION)
    states = nimmt_states(f"nimmt seats={seats}")
    await page.goto(f"{page.url}?television")
    await show_state(page, states["choosing"])
    fonts = await page.evaluate(FONTS, "table-seats :is(.name, .score), .tray .name, li > :is(.name, .score)")
    assert len(fonts) == 3 * seats  # the name at the seat and in the tray, and the score
    assert min(fonts) >= 0.03 * 1080 - 1
    assert await page.evaluate(FILLED) > 0.9
    await show_state(page, states["over"])
    await expect(page.locator("result-podium li")).to_have_count(seats)
    fonts = await page.evaluate(FONTS, "li > .who, li > .score")
    assert min(fonts) >= 0.03 * 1080 - 1
    for row in await page.locator("result-podium li").all():
        box = await row.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 1080
    await expect(page.locator("button:visible, a.button:visible")).to_have_count(0)


async def test_a_table_fits(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 10}, bots=["random"])
    await page.locator("nimmt-table").wait_for()
    assert await overflowing_elements(page) == []


@pytest.mark.parametrize(
    ("game", "language"),
    [
        pytest.param(game, language, marks=() if (game, language) in TITLES else pytest.mark.long)
        for game in GAMES
        for language in MENU
    ],
)
async def test_no_title_or_name_of_a_bot_is_cut_on_a_phone(open_page: PageOpener, game: str, language: str) -> None:
    """Nor is a button: none ends in an ellipsis."""
    browser = PHONE | REDUCED_MOTION | {"locale": language}
    page = await open_at_table(open_page, browser=browser, game=game, bots=["random"], **GAMES[game])
    await page.locator(f"{game}-table .felt").wait_for()
    await page.locator("table-page header .chip").wait_for()
    assert await overflowing_elements(page, ((390, 844), (360, 640)), ellipses=True) == []
    line = "(title) => title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight)"
    assert await page.locator("table-page h1").evaluate(line) < 1.5, "the title takes two lines"


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
    visitor.on(
        "response", lambda response: sizes.__setitem__(response.url, int(response.headers.get("content-length", 0)))
    )
    await visitor.goto(page.url, wait_until="networkidle")
    await visitor.locator("nimmt-table").wait_for()
    await visitor.wait_for_load_state("networkidle")
    assert sizes[page.url] > 30_000, "the page contains its script"
    assert sum(sizes.values()) < 76_500, sizes
