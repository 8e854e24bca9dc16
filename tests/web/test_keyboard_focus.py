"""The focus of the keyboard stays in its place when a request disables a button, and when an element is removed."""

import re
from typing import Any, Final

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import REDUCED_MOTION, PageOpener, open_at_table
from tests.web.driver import play_match
from tests.web.table_states import nimmt_states, open_nimmt, show_state

OUTCOME: Final = re.compile(r"You win!|\bwins\.|shares? first place|wins? the match|with the fewest heads")

FOCUSED = """() => {
  let focused = document.activeElement;
  while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused.matches("body") ? "" : `${focused.localName}.${focused.className} ${focused.textContent.trim()}`;
}"""


async def focus_is_on(page: Page, start: str) -> None:
    """Wait until the focused element starts with its name, its class and its text."""
    await page.wait_for_function(f"(start) => ({FOCUSED})().startsWith(start)", arg=start)


async def test_focus_stays_at_a_button_whose_request_is_done_and_goes_to_the_heading_of_one_that_is_gone(
    open_page: PageOpener,
) -> None:
    page = await open_page("/me", **REDUCED_MOTION)
    await page.get_by_label("Your name").fill("Kay")
    await page.get_by_role("button", name="Play as guest").press("Enter")
    await page.locator("announcement-bar").wait_for(state="attached")  # its bundle keeps the focus
    await expect(page.get_by_role("heading", name="Kay", exact=True)).to_be_visible()
    await page.get_by_role("textbox", name="Your name").fill("Kim")
    async with page.expect_response("**/api/me"):
        await page.get_by_role("button", name="Save", exact=True).press("Enter")
    await expect(page.get_by_role("heading", name="Kim", exact=True)).to_be_visible()
    await focus_is_on(page, "button. Save")
    await page.get_by_role("button", name="Delete my account").press("Enter")
    await expect(page.get_by_role("button", name="Keep my account")).to_be_visible()
    await focus_is_on(page, "h2. Your data")


async def test_focus_stays_in_the_hand_and_at_the_button_that_throws(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page, browser=REDUCED_MOTION, game="nimmt", options={"seats": 2}, bots=["random"], terms={"clock": None}
    )
    await page.locator("nimmt-table .held").first.wait_for()
    await page.locator("announcement-bar").wait_for(state="attached")
    await play_match(page, most=1)
    await focus_is_on(page, "button.held")
    page = await open_at_table(
        open_page, browser=REDUCED_MOTION, game="niuniu", options={"seats": 2, "throws": 3}, bots=["random"]
    )
    await page.locator("announcement-bar").wait_for(state="attached")
    await page.get_by_role("button", name="Throw").press("Enter")
    await page.wait_for_function("() => document.querySelector('table-page').connection.room.view.played === 1")
    await expect(page.get_by_role("button", name="Throw")).to_be_enabled()
    await focus_is_on(page, "button.action Throw")


async def test_focus_goes_from_the_lobby_to_the_title_and_from_the_last_card_to_the_result(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(
        open_page, start=False, browser=REDUCED_MOTION, game="nimmt", options={"seats": 2, "hand": 1}, bots=["random"]
    )
    await page.locator("announcement-bar").wait_for(state="attached")
    await page.get_by_role("button", name="Start").press("Enter")
    await focus_is_on(page, "h1. 6 nimmt!")
    await play_match(page)
    await focus_is_on(page, "h2.")
    heading = page.locator("table-result h2")
    await expect(heading).to_be_focused()
    await expect(page.locator("#announcements")).to_contain_text("The deal is over")
    await expect(page.locator("#announcements")).not_to_contain_text(OUTCOME)
    await expect(heading).to_have_accessible_description(re.compile(r"head"))


async def test_a_button_that_is_enabled_again_at_once_keeps_the_focus(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    await page.locator("announcement-bar").wait_for(state="attached")
    await page.evaluate("""() => {
      const button = document.createElement("button");
      document.querySelector("main").append(button);
      button.focus();
      button.addEventListener("focusout", () => queueMicrotask(() => (button.disabled = false)));
      button.disabled = true;
    }""")
    await expect(page.locator("main > button")).to_be_focused()


@pytest.mark.parametrize("focused", ["button that throws", "menu"])
async def test_the_result_takes_the_focus_of_the_button_that_threw_or_is_announced(
    open_page: PageOpener, focused: str
) -> None:
    page = await open_at_table(
        open_page, browser=REDUCED_MOTION, game="niuniu", options={"seats": 2, "throws": 1}, bots=["random"]
    )
    await page.locator("announcement-bar").wait_for(state="attached")
    await page.get_by_role("button", name="Throw" if focused != "menu" else "Menu").focus()
    await page.keyboard.press("Enter" if focused != "menu" else "x")
    await page.locator("table-result h2").wait_for()
    if focused == "menu":
        await expect(page.locator("#announcements")).to_contain_text(OUTCOME)
        await expect(page.get_by_role("button", name="Menu")).to_be_focused()
    else:
        await focus_is_on(page, "h2.")
        await expect(page.locator("#announcements")).not_to_contain_text(OUTCOME)


@pytest.mark.parametrize("focus", [".held", "body"])
async def test_enter_takes_the_selected_row_wherever_the_focus_is(open_page: PageOpener, focus: str) -> None:
    page = await open_nimmt(open_page, 4, **REDUCED_MOTION)
    await show_state(page, nimmt_states("nimmt seats=4")["row"])
    await page.evaluate("""() => {
      document.querySelector("table-page").connection.send = async (sent) => {
        if (sent.command === "choose") window.sent = sent;
      };
    }""")
    if focus != "body":
        await page.locator(f"nimmt-table {focus}").first.focus()
    await page.keyboard.press("2")
    await expect(page.locator("nimmt-table .pick[aria-pressed=true]")).to_have_count(1)
    await page.keyboard.press("Enter")
    sent: Any = await (await page.wait_for_function("() => window.sent")).json_value()
    assert sent["action"] == "take row 1"
