"""A player reports another one with two taps, and only the operator learns of it."""

import asyncio
import json
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.cli.in_process import inside
from tests.server.server_process import Server
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, create_table, screenshot, send_command
from tests.web.test_accessibility import violations


async def at_a_table_with_mallory(open_page: PageOpener, **browser: Any) -> tuple[Page, Page]:
    """Return the pages of a player and of Mallory, who sit at the same table. Mallory's page is still empty."""
    page, mallory = await open_page(None, **browser), await open_page(None)
    table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 2}, terms={"clock": None})
    await send_command(mallory, table, "sit", name="Mallory")
    await page.goto(f"/t/{table}")
    await expect(page.locator("nimmt-table")).to_be_visible()
    return page, mallory


async def open_reports(server: Server) -> list[dict[str, Any]]:
    """Return what `faceup admin reports list` prints."""
    # The command has its own event loop, so it needs its own thread.
    done = await asyncio.to_thread(inside, "admin", "reports", "list", "--json", data=server.data)
    assert done.returncode == 0, done.stderr
    reports: list[dict[str, Any]] = json.loads(done.stdout)
    return reports


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        pytest.param("en", ("Report Mallory", "Stalls the game", "Thank you."), marks=pytest.mark.long),
        ("de", ("Mallory melden", "Verzögert das Spiel", "Danke.")),
        pytest.param("fr", ("Signaler Mallory", "Fait traîner la partie", "Merci."), marks=pytest.mark.long),
        pytest.param("zh", ("举报Mallory", "拖延时间", "谢谢。"), marks=pytest.mark.long),
    ],
)
async def test_two_taps_report_a_player(
    open_page: PageOpener, server: Server, locale: str, words: tuple[str, str, str]
) -> None:
    report, reason, thanks = words
    scheme: Any = "dark" if locale == "de" else "light"
    browser = {**PHONE, **REDUCED_MOTION, "locale": locale, "color_scheme": scheme}
    page, mallory = await at_a_table_with_mallory(open_page, **browser)
    table = page.url.rsplit("/", 1)[-1]
    await mallory.goto(page.url)
    await expect(mallory.locator("nimmt-table")).to_be_visible()
    seen = await mallory.evaluate("JSON.stringify(document.querySelector('table-page').connection.room)")
    await page.locator("header button[aria-haspopup=dialog]").tap()
    await screenshot(page, f"report-menu-{locale}")
    await page.get_by_role("button", name=report).tap()
    dialog = page.get_by_role("dialog", name=report)
    await expect(dialog).to_be_visible()
    assert await violations(page) == []
    await screenshot(page, f"report-reasons-{locale}")
    await dialog.get_by_role("button", name=reason).tap()
    await expect(dialog.get_by_role("status")).to_contain_text(thanks)
    assert await violations(page) == []
    await screenshot(page, f"report-sent-{locale}")
    reports = [report for report in await open_reports(server) if report["table"] == table]
    assert [(report["name"], report["reason"]) for report in reports] == [("Mallory", "stalling")]
    assert await mallory.evaluate("JSON.stringify(document.querySelector('table-page').connection.room)") == seen


async def test_a_player_is_reported_by_keyboard_and_the_focus_returns(open_page: PageOpener, server: Server) -> None:
    page, _ = await at_a_table_with_mallory(open_page, **REDUCED_MOTION)
    opener = page.locator("header button[aria-haspopup=dialog]")
    await opener.press("Enter")
    await page.get_by_role("button", name="Report Mallory").press("Enter")
    dialog = page.get_by_role("dialog", name="Report Mallory")
    await expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await expect(dialog.get_by_role("status")).to_contain_text("Thank you.")
    await expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(opener).to_be_focused()
    table = page.url.rsplit("/", 1)[-1]
    assert [report["reason"] for report in await open_reports(server) if report["table"] == table] == ["name"]


async def test_a_player_is_reported_before_the_game(open_page: PageOpener, server: Server) -> None:
    """By a player; the host, who has other buttons there, can remove someone, or report them in the menu later."""
    page, mallory = await open_page(None, **PHONE, **REDUCED_MOTION), await open_page(None)
    table = await create_table(mallory, game="nimmt", options={"seats": 4})
    await send_command(page, table, "sit", name="Ann")
    await send_command(mallory, table, "rename", seat=0, name="Mallory with quite a long name")
    await page.goto(f"/t/{table}")
    await page.get_by_role("button", name="Report Mallory").tap()
    await page.get_by_role("dialog").get_by_role("button", name="Offensive name").tap()
    await expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("Thank you.")
    assert await violations(page) == []
    await page.keyboard.press("Escape")
    await screenshot(page, "report-lobby")
    assert await page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    assert [report["reason"] for report in await open_reports(server) if report["table"] == table] == ["name"]


async def test_a_refused_report_says_why(open_page: PageOpener) -> None:
    page, _ = await at_a_table_with_mallory(open_page, **REDUCED_MOTION)
    error = {"kind": "rate_limited", "message": "too many", "retry_after": 60}
    await page.route("**/reports", lambda route: route.fulfill(status=429, json={"error": error}))
    await page.locator("header button[aria-haspopup=dialog]").press("Enter")
    await page.get_by_role("button", name="Report Mallory").press("Enter")
    dialog = page.get_by_role("dialog", name="Report Mallory")
    await dialog.get_by_role("button", name="Cheats").click()
    await expect(dialog.get_by_role("alert")).to_have_text("You have sent many reports. Try again later.")
    await expect(dialog.get_by_role("button", name="Cheats")).to_be_enabled()
    open_page.page_errors.clear()  # the browser reports the status


async def test_spectators_cannot_report(open_page: PageOpener) -> None:
    page, _ = await at_a_table_with_mallory(open_page)
    spectator = await open_page(page.url)
    await spectator.locator("header button[aria-haspopup=dialog]").press("Enter")
    await expect(spectator.get_by_role("dialog", name="Menu")).to_be_visible()
    await expect(spectator.get_by_role("button", name="Report")).to_have_count(0)
