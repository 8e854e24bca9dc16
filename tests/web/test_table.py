"""The table around every game: seats, status line, log, result, lost connections."""

import asyncio
import re
import sys
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.server.faulty_proxy import Faults
from tests.server.server_process import Server, environment
from tests.web.conftest import PageOpener, create_table, open_at_table, send_command
from tests.web.driver import TABLE_VIEW, play_match

from faceup.web.assets import web

HIGH_CARD: dict[str, Any] = {"game": "highcard", "options": {"seats": 2, "hand": 2, "cards": 9}, "bots": ["highest"]}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1200, "height": 800}}


def table_of(page: Page) -> str:
    """Return the id of the page's table."""
    match = re.search(r"/t/(\w+)", page.url)
    assert match, page.url
    return match[1]


async def test_generic_table_plays_with_drawing_and_action_buttons(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(open_page, **HIGH_CARD)
    await expect(page.locator("generic-table img")).to_have_attribute("alt", re.compile("The prize is"))
    await expect(page.locator("generic-table button")).to_have_count(2)
    await play_match(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    await expect(page.locator("table-result li")).to_have_count(2)
    lines = await page.locator("#announcements p").all_text_contents()
    prizes = [line for line in lines if "takes the prize" in line]
    assert len(prizes) == 2, lines  # once per turn
    first = table_of(page)
    await page.get_by_role("button", name="Play again").click()
    await page.wait_for_url(lambda url: "/t/" in url and first not in url)
    await expect(page.locator("generic-table button").first).to_be_visible()  # it starts when the only person is seated


async def test_banner_while_disconnected_keeps_the_hand_and_queues_the_choice(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(open_page, **HIGH_CARD)
    hand = page.locator("generic-table button")
    await expect(hand).to_have_count(2)
    await page.wait_for_function(f"() => {TABLE_VIEW}.chosen.includes(1)")  # so that no update is missed
    place = await hand.first.bounding_box()
    await page.context.set_offline(True)
    await expect(page.locator("table-banner[lost]")).to_be_visible()
    assert await hand.first.bounding_box() == place
    assert not await page.locator("dialog[open]").count()
    await expect(hand).to_have_count(2)
    await hand.first.click()
    await page.context.set_offline(False)
    await page.wait_for_function(f"() => {TABLE_VIEW}.choice || {TABLE_VIEW}.decision")
    await expect(page.locator("table-banner[lost]")).to_have_count(0)
    await play_match(page)
    await expect(page.locator("table-result h2")).to_be_visible()
    open_page.page_errors.clear()  # Chromium logs the lost connection


async def test_tab_title_shows_the_turn_and_status_line_a_pause(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, **HIGH_CARD | {"options": {"seats": 3, "hand": 2}})
    table = table_of(page)
    await expect(page).to_have_title(re.compile("^● Your turn"))
    await expect(page.locator(".next.mine")).to_be_visible()
    await send_command(page, table, "pause")
    await expect(page.locator(".next.paused")).to_contain_text("paused")
    await expect(page).not_to_have_title(re.compile("^●"))
    await page.locator(".next").get_by_role("button", name="Resume").click()
    await expect(page.locator(".next.mine")).to_be_visible()
    await send_command(page, table, "react", seat=0, reaction="bravo")
    await expect(page.locator(".bubble")).to_have_attribute("aria-label", "Bravo!")
    await send_command(page, table, "leave", seat=0)
    await expect(page.locator(".next.away")).to_contain_text("A bot plays for you")
    await page.get_by_role("button", name="Return to game").click()
    await expect(page.locator(".next.away")).to_have_count(0)


@pytest.mark.long
async def test_log_entry_shows_the_earlier_table_after_reload_and_for_late_viewers(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(open_page, browser=DESKTOP, **HIGH_CARD)
    lines = page.locator("table-log button")
    await page.locator("generic-table button").first.wait_for()
    await page.keyboard.press("1")
    await expect(lines).to_have_count(1)
    first = (await lines.all_text_contents())[0].strip()
    await page.reload()
    await expect(lines).to_have_text([first])
    await play_match(page)
    await expect(lines).to_have_count(2)  # one for each turn
    late = await open_page(page.url, **DESKTOP)
    await expect(late.locator("table-log button")).to_have_count(2)
    for own_page in (page, late):
        await own_page.locator("table-log button").first.click()
        await expect(own_page.locator("#then .moment")).to_have_text(first)
        await expect(own_page.locator("#then dl")).to_contain_text("prize")
        assert await own_page.locator("#then generic-table").evaluate("(table) => table.room.decision") == 1
    await page.get_by_role("button", name="Next step").click()
    await expect(page.locator("#then .moment")).not_to_have_text(first)
    await page.keyboard.press("Escape")
    await expect(page.locator("#then")).not_to_be_visible()


async def test_log_is_never_ahead_of_the_reveal(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="niuniu", options={"throws": 3}, bots=["random"])
    table = page.locator("niuniu-table")
    await table.locator(".lanes").wait_for()
    # A throw takes hours, unless it is skipped.
    await page.locator("faceup-table").evaluate("(frame) => { frame.pace = 0.001; }")
    for thrown in range(2):
        await page.keyboard.press("x")
        await page.wait_for_function(f"thrown => {TABLE_VIEW}.decision > thrown", arg=thrown)
        await expect(table).to_have_js_property("shown.phase", "rolling")
        await expect(page.locator("table-log button")).to_have_count(thrown)


async def test_a_removed_player_is_told_so_and_the_log_has_names(open_page: PageOpener) -> None:
    host, guest = await open_page(None), await open_page(None)
    table = await create_table(host, game="nimmt", options={"seats": 3, "hand": 2}, bots=["random"])
    for page in (host, guest):
        await page.goto(f"/t/{table}")
    await guest.get_by_label("Your name (optional)").fill("Bo")
    await guest.get_by_role("button", name="Take a seat").click()
    await host.get_by_role("button", name="Remove Bo").click()
    for _ in range(2):
        await expect(guest.get_by_text("The host removed you from this table")).to_be_visible()
        assert await guest.get_by_role("button", name=re.compile("Take a seat|Sit here")).count() == 0
        await guest.reload()
    await expect(host.locator("#announcements")).to_contain_text("The host removes Bo from the table.")
    await host.get_by_role("button", name="Start").click()
    await expect(host.locator("nimmt-table .held")).to_have_count(2)
    names = await host.evaluate(
        """async (base) => (await import(`${base}/i18n/seat-names.js`)).namesOf(
          { seats: [{ name: "Ann", kind: "person" }, null] },
          [{ event: "player_left", seat: 1, name: "Bo", text: "" }])""",
        f"/static/{web().stamp}",
    )
    assert names == ["Ann", "Bo"]


async def test_a_deleted_player_has_a_name_in_the_language_of_the_page(open_page: PageOpener) -> None:
    page = await open_page("/ladder", locale="de")
    await expect(page.locator("ladder-page")).to_be_visible()
    shown = await page.evaluate(
        """async (base) => {
          await (await import(`${base}/i18n/translate.js`)).setLanguage("de");
          const { personName, playerName } = await import(`${base}/i18n/players.js`);
          return [playerName({ name: "Deleted player 2", kind: "person" }), ...["Deleted player", "B"].map(personName)];
        }""",
        f"/static/{web().stamp}",
    )
    assert shown == ["Gelöschte Person 2", "Gelöschte Person", "B"]
    refused = await page.request.post(
        "/api/session", data={"name": "Deleted player 3"}, headers={"origin": "/".join(page.url.split("/")[:3])}
    )
    assert (await refused.json())["error"]["kind"] == "confusable_name"


async def test_a_jump_of_the_devices_clock_changes_no_countdown(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["random"], terms={"clock": 300_000})
    now = "document.querySelector('table-page').connection.now()"
    await page.wait_for_function(f"() => {TABLE_VIEW}?.due")
    before = await page.evaluate(now)
    await page.evaluate("() => { const real = Date.now; Date.now = () => real() + 60_000; }")
    await page.wait_for_timeout(1500)
    assert 0 < await page.evaluate(now) - before < 50_000


async def test_unknown_table_shows_an_error(open_page: PageOpener) -> None:
    page = await open_page("/t/nowhere")
    await expect(page.get_by_role("alert")).to_contain_text("Table not found")
    open_page.page_errors.clear()  # Chromium logs the refused connection


async def test_a_deleted_table_tells_its_viewers_and_shows_no_cards(open_page: PageOpener, server: Server) -> None:
    page = await open_at_table(open_page, **HIGH_CARD)
    await expect(page.locator("generic-table button")).to_have_count(2)
    command = (sys.executable, "-m", "faceup", "admin", "tables", "delete", table_of(page))
    done = await asyncio.create_subprocess_exec(*command, env=environment(server.data), stdout=asyncio.subprocess.PIPE)
    assert (await done.communicate())[0].decode() == f"{table_of(page)}: deleted.\n"
    await expect(page.get_by_role("alert")).to_contain_text("The table was deleted.")
    await expect(page.locator("generic-table button:visible")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("alert")).to_contain_text("Table not found")
    open_page.page_errors.clear()  # Chromium logs the refused connection


@pytest.mark.long
async def test_a_lost_network_is_shown_at_the_seat_until_the_player_is_back(
    open_page: PageOpener, server: Server
) -> None:
    page = await open_at_table(
        open_page, start=False, game="nimmt", options={"seats": 2}, terms={"clock": None, "fair": False}
    )
    async with Faults(int(server.address.rpartition(":")[2])) as network:
        friend = await open_page(None, base=f"http://127.0.0.1:{network.port}")
        table = table_of(page)
        await send_command(friend, table, "sit")
        await friend.goto(f"/t/{table}")
        await friend.locator("nimmt-table .felt").wait_for()
        seats = page.get_by_role("list", name="Players")
        await seats.wait_for()
        await page.wait_for_timeout(2500)  # until the friend's page has answered a ping
        assert "reconnecting" not in await seats.inner_text()
        network.stop_forwarding()
        await expect(seats).to_contain_text("reconnecting")
        network.resume_forwarding()
        await expect(seats).not_to_contain_text("reconnecting")
        await friend.close()
        await expect(seats).to_contain_text("reconnecting")


async def test_escape_closes_the_reactions_wherever_the_focus_is(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["random"])
    opener = page.get_by_role("button", name="React")
    await opener.click()
    await page.get_by_role("button", name="Bravo!").wait_for()
    await page.evaluate("() => document.activeElement.blur()")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Bravo!")).to_have_count(0)
    await expect(opener).to_be_focused()


async def test_log_folds_the_steps_of_a_verifiable_deal(open_page: PageOpener) -> None:
    page = await open_at_table(
        open_page, game="nimmt", options={"seats": 2}, bots=["random"], terms={"clock": None, "fair": True}
    )
    log = page.locator("table-log")
    await expect(log.locator("summary")).to_contain_text("Verifiable deal")
    await expect(log.get_by_text("commit to", exact=False).first).not_to_be_visible()
    await log.locator("summary").click()
    await expect(log.get_by_text("commit to", exact=False).first).to_be_visible()


async def test_one_deal_games_do_not_number_the_deal(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["random"])
    prompt = page.locator("nimmt-table .prompt")
    await prompt.wait_for(state="attached")
    assert "Deal" not in await prompt.inner_text()
    await page.locator(".held").first.dblclick()
    await expect(prompt).to_contain_text("Turn 1/10")
    await expect(prompt).not_to_contain_text("Deal")
