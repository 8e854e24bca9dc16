"""Hints in 6 nimmt!: a ranking on the cards or the rows and a sentence, only where the table allows them."""

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, open_at_table
from tests.web.driver import TABLE_VIEW, room

ROWS = {"seats": 2, "rows": 2, "capacity": 10}

pytestmark = pytest.mark.slow


async def open_table(open_page: PageOpener, *, hints: bool = False, **options: object) -> Page:
    """Open a table of one person and bots."""
    terms = {"clock": None, "hints": hints}
    page = await open_at_table(
        open_page, browser=REDUCED_MOTION | options, game="nimmt", terms=terms, options={"seats": 3}
    )
    await page.locator("nimmt-table .coach").wait_for()
    return page


async def ranks(page: Page) -> dict[int, str]:
    """Wait for a hint, and return the badge of each card."""
    await page.locator(".held .rank.best").wait_for(timeout=180_000)  # the first hint may compile the search
    cards = await page.locator(".held:has(.rank)").all()
    return {int(await card.get_attribute("data-hand") or 0): await card.locator(".rank").inner_text() for card in cards}


async def test_a_hint_ranks_the_hand_until_the_choice(open_page: PageOpener) -> None:
    page = await open_table(open_page)
    hand = (await room(page))["view"]["hand"]
    button = page.locator(".coach")
    await expect(button).to_have_attribute("aria-pressed", "false")
    await button.click()
    shown_ranks = await ranks(page)
    assert sorted(shown_ranks) == hand
    (best,) = [card for card, badge in shown_ranks.items() if badge == "★"]
    assert all(float(badge) >= 0 for badge in shown_ranks.values() if badge != "★")
    status = page.locator("faceup-table .next p")
    await expect(status).to_contain_text(f"Best: {best}")
    announced = "\n".join(await page.locator("#announcements p").all_text_contents())
    assert f"Best: {best}" in announced
    assert f"Ranking by expected heads: {best}, " in announced
    other = next(card for card in hand if card != best)
    await page.locator(f'[data-hand="{other}"]').click()
    await expect(status).to_contain_text(f"{other}: ")
    await expect(status).to_contain_text("heads more than the best")
    await button.click()
    await expect(page.locator(".rank")).to_have_count(0)
    await button.click()
    await expect(page.locator(".held .rank")).to_have_count(len(hand))
    await expect(page.locator(".lane .rank", has_text=f"← {best}")).to_have_count(1)
    await page.locator(f'[data-hand="{other}"]').click()
    await expect(page.locator(".rank")).to_have_count(0)


@pytest.mark.long
async def test_h_shows_a_hint_for_the_choice_of_a_row(open_page: PageOpener) -> None:
    for _ in range(8):  # a game has a row to choose unless the bot always has the lowest card
        page = await open_at_table(
            open_page, browser=PHONE | REDUCED_MOTION, game="nimmt", terms={"clock": None}, options=ROWS
        )
        await page.locator("nimmt-table .coach").wait_for()
        while True:
            now = await room(page)
            if now["status"] != "active" or now["actions"][0].startswith("take"):
                break
            await page.locator(".held").first.click()
            await page.locator(".held").first.click()
            await page.wait_for_function(
                f"before => {{ const {{ decision, status, actions }} = {TABLE_VIEW};"
                " return status !== 'active' || (decision > before && actions.length) }",
                arg=now["decision"],
            )
        if now["status"] == "active":
            break
    await page.locator(".pick").first.wait_for()
    await page.keyboard.press("h")
    await page.locator(".lane .rank.best").wait_for(timeout=180_000)
    await expect(page.locator(".lane .rank")).to_have_count(2)
    await expect(page.locator(".pick").first).to_contain_text("coach: rank")
    await expect(page.locator(".pick").first).not_to_contain_text("risk")  # a chosen row is certain
    await expect(page.locator("faceup-table .next p")).to_contain_text("Best: row ")
    await page.keyboard.press("h")
    await expect(page.locator(".rank")).to_have_count(0)


@pytest.mark.long
async def test_only_tables_that_allow_hints_have_the_button(open_page: PageOpener) -> None:
    terms = {"clock": None, "hints": False}
    for allowed in (False, True):
        terms["hints"] = allowed
        page = await open_at_table(
            open_page, browser=REDUCED_MOTION, start=False, game="nimmt", terms=terms, options={"seats": 3}
        )
        friend = await open_page(page.url)
        await friend.get_by_role("button", name="Sit").first.click()
        await page.get_by_role("button", name="Start").click()
        for own_page in (page, friend):
            await own_page.locator(".held").first.wait_for()
            await expect(own_page.locator(".coach")).to_have_count(int(allowed))
            await own_page.keyboard.press("h")
        if not allowed:
            await expect(page.locator(".rank")).to_have_count(0)


async def test_an_error_is_shown_in_place_of_the_hint(open_page: PageOpener) -> None:
    page = await open_table(open_page)
    await page.route("**/hint?*", lambda route: route.abort())
    await page.locator(".coach").click()
    await expect(page.locator("faceup-table .next p")).to_contain_text("server")
    await expect(page.locator(".rank")).to_have_count(0)
    await page.unroute_all()
    open_page.page_errors.clear()
    await page.locator(".coach").click()
    await page.locator(".coach").click()
    assert await ranks(page)
