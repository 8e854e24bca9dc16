"""The frame around every game: who sits here, what is next, what happened, how it ended, and what a cut does to it."""

import re
from typing import Any

from playwright.async_api import Page, expect
from tests.web.conftest import People, at_table, send
from tests.web.playing import SIGHT, play

TOY: dict[str, Any] = {"game": "highcard", "options": {"seats": 2, "hand": 2, "cards": 9}, "bots": ["highest"]}
DESK: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}}


def table_of(page: Page) -> str:
    """The id of the table at which the page is."""
    found = re.search(r"/t/(\w+)", page.url)
    assert found, page.url
    return found[1]


async def test_a_game_without_an_element_of_its_own_plays_with_its_drawing_and_buttons_from_its_words(
    people: People,
) -> None:
    page = await at_table(people, **TOY)
    await expect(page.locator("any-table img")).to_have_attribute("alt", re.compile("The prize is"))
    await expect(page.locator("any-table button")).to_have_count(2)
    await play(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    await expect(page.locator("table-result li")).to_have_count(2)
    lines = await page.locator("#announcements p").all_text_contents()
    said = [line for line in lines if "takes the prize" in line]
    assert len(said) == 2, lines  # once a turn: each event is told once
    first = table_of(page)
    await page.get_by_role("button", name="Play again").click()
    await page.wait_for_url(lambda url: "/t/" in url and first not in url)
    await expect(page.locator("any-table button").first).to_be_visible()  # the only person sits: it begins


async def test_a_banner_says_that_the_connection_is_lost_and_the_hand_stays_and_a_choice_made_meanwhile_counts(
    people: People,
) -> None:
    page = await at_table(people, **TOY)
    hand = page.locator("any-table button")
    await expect(hand).to_have_count(2)
    await page.wait_for_function(f"() => {SIGHT}.chosen.includes(1)")  # so that nothing is missed in the cut
    await page.context.set_offline(True)
    await expect(page.locator("table-banner[lost]")).to_be_visible()
    assert not await page.locator("dialog[open]").count()
    await expect(hand).to_have_count(2)
    await hand.first.click()
    await page.context.set_offline(False)
    await page.wait_for_function(f"() => {SIGHT}.choice || {SIGHT}.decision")
    await expect(page.locator("table-banner[lost]")).to_have_count(0)
    await play(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    people.wrong.clear()  # Chromium says that it could not connect


async def test_the_tab_says_whose_turn_it_is_and_a_pause_says_so(people: People) -> None:
    page = await at_table(people, **TOY | {"options": {"seats": 3, "hand": 2}})
    table = table_of(page)
    await expect(page).to_have_title(re.compile("^● Your turn"))
    await expect(page.locator(".next.mine")).to_be_visible()
    await send(page, table, "pause")
    await expect(page.locator(".next.paused")).to_contain_text("paused")
    await expect(page).not_to_have_title(re.compile("^●"))
    await page.locator(".next").get_by_role("button", name="Go on").click()
    await expect(page.locator(".next.mine")).to_be_visible()
    await send(page, table, "react", seat=0, reaction="bravo")
    await expect(page.locator(".bubble")).to_have_attribute("aria-label", "Bravo!")
    await send(page, table, "leave", seat=0)
    await expect(page.locator(".next.away")).to_contain_text("A bot plays for you")
    await page.get_by_role("button", name="Come back").click()
    await expect(page.locator(".next.away")).to_have_count(0)


async def test_a_line_of_the_log_shows_the_table_as_it_was_also_to_whoever_comes_late_or_comes_back(
    people: People,
) -> None:
    page = await at_table(people, browser=DESK, **TOY)
    lines = page.locator("table-log button")
    await page.locator("any-table button").first.wait_for()
    await page.keyboard.press("1")
    await expect(lines).to_have_count(1)
    first = (await lines.all_text_contents())[0].strip()
    await page.reload()
    await expect(lines).to_have_text([first])
    await play(page)
    await expect(lines).to_have_count(2)  # one for each turn
    late = await people(page.url, **DESK)
    await expect(late.locator("table-log button")).to_have_count(2)
    for each in (page, late):
        await each.locator("table-log button").first.click()
        await expect(each.locator("#then .told")).to_have_text(first)
        await expect(each.locator("#then dl")).to_contain_text("prize")
        assert await each.locator("#then any-table").evaluate("(table) => table.sight.decision") == 1
    await page.get_by_role("button", name="A step on").click()
    await expect(page.locator("#then .told")).not_to_have_text(first)
    await page.keyboard.press("Escape")
    await expect(page.locator("#then")).not_to_be_visible()


async def test_the_log_is_never_ahead_of_what_is_shown_and_going_on_lets_it_catch_up(people: People) -> None:
    page = await at_table(people, game="niuniu", options={"throws": 3}, bots=["random"])
    table = page.locator("niuniu-table")
    await table.locator(".lanes").wait_for()
    # A throw takes hours, unless somebody goes on.
    await page.locator("faceup-table").evaluate("(frame) => { frame.pace = 0.001; }")
    for thrown in range(2):
        await page.keyboard.press("x")
        await page.wait_for_function(f"thrown => {SIGHT}.decision > thrown", arg=thrown)
        await expect(table).to_have_js_property("shown.phase", "rolling")
        await expect(page.locator("table-log button")).to_have_count(thrown)


async def test_a_table_that_is_not_there_says_so(people: People) -> None:
    page = await people("/t/nowhere")
    await expect(page.get_by_role("alert")).to_contain_text("There is no such table")
    people.wrong.clear()  # Chromium says that the connection was refused
