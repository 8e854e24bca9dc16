"""Forced colours, more contrast and paper: controls and states stay visible, and a dark theme is not printed."""

from typing import Any

import pytest
from playwright.async_api import expect
from tests.web.conftest import REDUCED_MOTION, PageOpener, open_at_table
from tests.web.table_states import nimmt_states, show_state

CONTROLS = """() => {
  const drawn = "button, select, textarea, input:not([type=hidden], [type=radio], [type=checkbox], [type=range])";
  const visit = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...(element.shadowRoot ? visit(element.shadowRoot) : []),
    ...(element.matches(drawn) && element.checkVisibility() ? [element] : []),
  ]);
  return visit(document).map((control) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(control);
    const label = `${control.localName}.${control.className} ${control.textContent.trim().slice(0, 30)}`;
    return { label, lined: outlineStyle !== "none" && parseFloat(outlineWidth) >= 1 };
  });
}"""
"""The visible buttons and fields, and whether a line sets them off from their ground."""


@pytest.mark.parametrize("preference", [{"forced_colors": "active"}, {"contrast": "more"}], ids=["forced", "contrast"])
@pytest.mark.parametrize("path", ["/me", "/new", pytest.param("/tournaments", marks=pytest.mark.long)])
async def test_every_control_has_a_line_around_it(open_page: PageOpener, path: str, preference: dict[str, str]) -> None:
    page = await open_page(path, **preference, **REDUCED_MOTION)
    await page.get_by_role("button").nth(2).wait_for()
    controls: list[dict[str, Any]] = await page.evaluate(CONTROLS)
    assert len(controls) > 5
    assert [control["label"] for control in controls if not control["lined"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_forced_colours_keep_states_and_cards_apart(open_page: PageOpener, scheme: str) -> None:
    browser = {"forced_colors": "active", "color_scheme": scheme, **REDUCED_MOTION}
    page = await open_at_table(open_page, browser=browser, game="nimmt", options={"seats": 4}, bots=["random"])
    held = page.locator("nimmt-table .held")
    await held.first.wait_for()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("Enter")
    marked = page.locator("nimmt-table .marked .face")
    ring = await marked.evaluate("(card) => getComputedStyle(card).boxShadow")
    canvas = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert "0px 0px 0px 3px" in ring
    assert not ring.startswith(canvas), "the ring around the marked card has the colour of its ground"
    focus = await held.first.evaluate("(card) => getComputedStyle(card.getRootNode().activeElement).outlineWidth")
    assert focus == "3px"
    await show_state(page, nimmt_states("nimmt seats=4")["row"])
    await page.keyboard.press("1")
    row = page.locator("nimmt-table .pick[aria-pressed=true]")
    ground = await row.evaluate("(row) => getComputedStyle(row).backgroundColor")
    assert ground.startswith("rgba("), "the cards of the selected row are behind its button"
    await page.goto("/new")
    main = page.get_by_role("button", name="Create table")
    colours = await main.evaluate(
        "(button) => [getComputedStyle(button).color, getComputedStyle(button).backgroundColor]"
    )
    assert len({*colours}) == 2
    chosen, other = (page.locator(".games label").filter(has_text=name) for name in ("6 nimmt!", "War"))
    await expect(chosen).to_have_css("outline-style", "solid")
    await expect(other).to_have_css("outline-style", "none")


async def test_a_dark_theme_prints_black_on_white_without_controls(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page,
        browser={"color_scheme": "dark", **REDUCED_MOTION},
        game="nimmt",
        options={"seats": 2},
        bots=["random"],
    )
    await page.locator("nimmt-table .held").first.wait_for()
    await page.emulate_media(media="print")
    await expect(page.locator("html")).to_have_css("background-color", "rgb(255, 255, 255)")
    await expect(page.locator("nimmt-table .prompt, nimmt-table .felt").first).to_have_css("color", "rgb(0, 0, 0)")
    await expect(page.get_by_role("button", name="Menu")).to_be_hidden()
    await expect(page.locator("nimmt-table .held").first).to_be_visible()
    await page.goto("/learn/nimmt")
    await expect(page.get_by_role("heading", name="The cards")).to_be_visible()
    await expect(page.locator("button:visible, .button:visible, nav:visible")).to_have_count(0)
