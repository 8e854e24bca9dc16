"""Home page, creation of tables, lobby, unknown addresses, announcements and updates of the page."""

import re
from typing import Any

import pytest
from playwright.async_api import expect
from tests.server.server_process import Server
from tests.web.conftest import PageOpener, create_table, open_at_table
from tests.web.driver import play_match, room

NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
"""
TWO_SEATS: dict[str, Any] = {"game": "nimmt", "options": {"seats": 2, "hand": 2}, "bots": ["greedy"]}


@pytest.mark.parametrize("game", ["6 nimmt!", pytest.param("War", marks=pytest.mark.long)])
async def test_one_click_or_double_click_starts_one_game_against_bots(open_page: PageOpener, game: str) -> None:
    page = await open_page("/")
    await page.get_by_role("button", name=f"Play now: {game}, against bots").dblclick()
    await page.wait_for_url(re.compile("/t/"))
    await expect(page.locator("faceup-table")).to_be_visible()
    assert (await room(page))["status"] == "active"
    assert len(await (await page.request.get("/api/me/tables")).json()) == 1
    await page.go_back()
    await expect(page.get_by_role("heading", name="Your turn")).to_be_visible()
    await page.go_forward()
    await expect(page.locator("faceup-table")).to_be_visible()


async def test_link_and_one_tap_take_a_seat_and_a_name_is_optional(open_page: PageOpener) -> None:
    host = await open_at_table(open_page, start=False, **TWO_SEATS | {"options": {"seats": 3}})
    guest = await open_page(host.url)
    await guest.get_by_role("button", name="Take a seat").click()
    await expect(guest.get_by_text("You are seated")).to_be_visible()
    await expect(host.get_by_text("2 of 3 players")).to_be_visible()
    await guest.get_by_label("Your name").fill("  Bo  Peep ")
    async with guest.expect_response("**/api/me") as changed:
        await guest.get_by_role("button", name="Save").click()
    await expect(host.get_by_text("Bo Peep", exact=True)).to_be_visible()
    assert (await (await changed.value).json())["name"] == "Bo Peep"
    await guest.get_by_label("Your name").fill("\u202eoB")
    await guest.get_by_role("button", name="Save").click()
    await expect(guest.get_by_role("alert")).to_contain_text("1 to 40 visible characters")
    await guest.get_by_label("Your name").fill("   ")
    await expect(guest.get_by_role("button", name="Save")).to_be_disabled()


async def test_a_chosen_face_is_shown_at_the_table_and_at_the_next_one(open_page: PageOpener) -> None:
    host = await open_at_table(open_page, start=False, **TWO_SEATS | {"options": {"seats": 3}})
    guest = await open_page(host.url)
    await guest.get_by_role("button", name="Change your face").click()
    dialog = guest.get_by_role("dialog", name="Your face")
    await dialog.get_by_role("radio", name="Fox").check()
    await dialog.get_by_role("radio", name="Colour 4").check()
    async with guest.expect_response("**/api/me") as changed:
        await dialog.get_by_role("button", name="Done").click()
    assert (await (await changed.value).json())["face"] == "fox-3"
    await guest.get_by_role("button", name="Take a seat").click()
    drawing = host.locator("table-lobby li").nth(1).locator("image")
    await expect(drawing).to_have_attribute("href", re.compile("/faces/fox.svg$"))
    await guest.get_by_role("button", name="Change your face").click()
    await dialog.get_by_role("radio", name="Owl").check()
    await guest.keyboard.press("Escape")
    await expect(drawing).to_have_attribute("href", re.compile("/faces/owl.svg$"))
    assert (
        await host.evaluate("(src) => fetch(src).then((answer) => answer.status)", await drawing.get_attribute("href"))
    ) == 200


@pytest.mark.long
async def test_host_adds_bots_transfers_the_role_and_starts(open_page: PageOpener) -> None:
    host = await open_at_table(open_page, start=False, **TWO_SEATS | {"options": {"seats": 4}})
    await host.get_by_label("Add a bot").select_option("champion")
    await host.get_by_role("button", name="Add", exact=True).click()
    await expect(host.get_by_text("2 of 4 players")).to_be_visible()
    await host.get_by_role("button", name="Remove Aurora").click()
    await expect(host.get_by_text("1 of 4 players")).to_be_visible()
    guest = await open_page(host.url)
    await guest.locator("li.empty").last.get_by_role("button", name="Sit here").click()
    await host.get_by_role("button", name=re.compile("Make .* the host")).click()
    await expect(host.get_by_role("button", name=re.compile("^Start"))).to_have_count(0)
    await guest.get_by_role("button", name="Start (bots fill 2 seats)").click()
    await expect(host.locator("faceup-table")).to_be_visible()
    assert (await room(guest))["seat"] == 3


@pytest.mark.long
async def test_created_table_has_its_settings_and_is_found_by_code_link_and_list(
    open_page: PageOpener,
) -> None:
    page = await open_page("/new?game=nimmt")
    await page.get_by_label("Variant").select_option("classic")
    await page.get_by_role("button", name="Add a seat").click()
    await page.get_by_label("Time per choice").select_option("60")
    await page.get_by_label("Your name").fill("Ann")
    await page.get_by_text("Public table").click()
    await page.get_by_text("All settings").click()
    await page.get_by_label("Cards in a hand").fill("7")
    await page.get_by_text("Verifiable deals").click()
    await page.get_by_role("button", name="Create table").dblclick()
    letters = page.locator(".code")
    await expect(letters).to_be_visible()
    config = (await room(page))["config"]
    assert (config["variant"], config["options"]) == ("classic", {"hand": 7, "seats": 5})
    assert (config["terms"]["clock"], config["terms"]["fair"], config["listed"]) == (60_000, True, True)
    code = (await letters.inner_text()).replace("\n", "").strip()
    link = await page.get_by_label("Link to this table").input_value()
    other = await open_page("/")
    await expect(other.get_by_role("link", name=re.compile("Classic.*Ann.*free", re.DOTALL))).to_be_visible()
    for typed in (code.lower(), link, f"{code[:2]} {code[2:]}"):
        await other.get_by_label("Code or link").fill(typed)
        await other.get_by_role("button", name="Join").click()
        await expect(other.get_by_role("button", name="Take a seat")).to_be_visible()
        await other.goto("/")
    await other.goto(f"/{code}")
    await expect(other.get_by_role("button", name="Take a seat")).to_be_visible()


@pytest.mark.long
async def test_invalid_settings_show_an_error_and_can_be_corrected(open_page: PageOpener) -> None:
    page = await open_page("/new?game=nimmt")
    await page.get_by_text("All settings").click()
    await page.get_by_label("Cards in a hand").fill("99")
    await page.get_by_role("button", name="Create table").click()
    await expect(page.get_by_role("alert")).to_contain_text("settings do not work together")
    await page.get_by_label("Cards in a hand").fill("3")
    await page.get_by_role("button", name="Create table").click()
    await expect(page.get_by_text("You are seated")).to_be_visible()
    open_page.page_errors.clear()  # Chromium logs every error response


async def test_wrong_code_and_unknown_address_show_an_error(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/")
    for typed, error in (("KMR", "five-letter code, such as KMRTW"), ("LLLLL", "No table has this code")):
        await page.get_by_label("Code or link").fill(typed)
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_role("alert")).to_contain_text(error)
    await page.goto("/LLLLL")
    await expect(page.get_by_text("No table has the code LLLLL")).to_be_visible()
    await page.goto("/nowhere/at/all")
    await expect(page.get_by_text("Check the address.")).to_be_visible()
    await page.get_by_role("link", name="Back to home").click()
    await expect(page.get_by_role("button", name="Join")).to_be_visible()
    await expect(page).to_have_title("faceup")
    await expect(page.locator("main")).to_be_focused()
    open_page.page_errors.clear()  # as above
    refused = server.ask("/nowhere")
    assert (refused.status, refused.json["error"]["kind"]) == (404, "not_found")


@pytest.mark.long
async def test_taken_seat_and_full_table_show_an_error(open_page: PageOpener) -> None:
    host = await open_at_table(open_page, start=False, **TWO_SEATS | {"options": {"seats": 3}})
    late = await open_page(host.url)
    seat_button = late.locator("li.empty").first.get_by_role("button", name="Sit here")
    await seat_button.wait_for()
    taken = {"error": {"kind": "wrong_seat", "message": "seat 1 is taken"}}
    await late.route("**/commands", lambda route: route.fulfill(status=403, json=taken))
    await seat_button.click()
    await expect(late.get_by_role("alert")).to_have_text("This seat was just taken. Choose another.")
    await late.unroute("**/commands")
    await seat_button.click()
    await expect(late.get_by_text("You are seated")).to_be_visible()
    watcher = await open_page(host.url)
    await expect(watcher.get_by_role("button", name="Take a seat")).to_be_visible()
    await host.get_by_role("button", name=re.compile("^Start")).click()
    await expect(watcher.locator("faceup-table")).to_be_visible()  # without a seat, a visitor watches
    assert "seat" not in await room(watcher)
    open_page.page_errors.clear()  # as above


@pytest.mark.long
async def test_two_tabs_of_one_seat_stay_in_sync(open_page: PageOpener) -> None:
    one = await open_at_table(open_page, start=False, **TWO_SEATS)
    two = await one.context.new_page()
    await two.goto(one.url)
    await expect(two.get_by_text("You are seated")).to_be_visible()
    await two.get_by_role("button", name=re.compile("^Start")).click()
    await one.locator("nimmt-table .held").first.click()
    await two.wait_for_function("() => document.querySelector('table-page').connection.room.mark")


@pytest.mark.long
async def test_game_without_storage_and_websocket(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    await page.context.add_init_script(NO_STORAGE + "delete window.WebSocket;")
    await page.goto("/")
    await page.get_by_role("button", name="Play now: Niu Niu, against bots").click()
    await play_match(page, most=1)


@pytest.mark.long
async def test_outdated_page_is_reloaded_when_no_decision_is_open(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(open_page, **TWO_SEATS)
    await expect(page.locator("faceup-table")).to_be_visible()

    async def report_newer_page(route: Any) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json=await answer.json() | {"page": "another"})

    await page.route("**/api/server-info", report_newer_page)
    await page.evaluate(
        "import(document.scripts[0].src).then(({ use }) => use('api/server-info.js').serverInfo.refresh())"
    )
    await expect(page.get_by_text("A new version is available")).to_be_visible()  # no reload during an open decision
    async with page.expect_event("load"):
        await page.get_by_role("link", name="Home").click()
    await page.unroute_all(behavior="wait")  # a request of the reloaded page may be in flight
    await page.reload()
    await expect(page.get_by_role("button", name="Join")).to_be_visible()
    await expect(page.get_by_text("A new version is available")).to_have_count(0)


@pytest.mark.long
async def test_announcement_is_shown_on_every_page(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    news = {
        "announcement": {"id": "1", "text": "A restart <b>soon</b>", "at": None},
        "registration": "open",
        "you": None,
    }
    await page.route("**/api/server-info", lambda route: route.fulfill(json=news | {"page": None}))
    await page.goto("/me")
    announcement = page.locator("announcement-bar").get_by_text("A restart <b>soon</b>")
    await expect(announcement).to_be_visible()
    await page.locator("announcement-bar").get_by_role("button").first.click()
    await expect(announcement).to_have_count(0)


async def test_plain_http_works_and_lists_what_is_unavailable(open_page: PageOpener, server: Server) -> None:
    plain = server.address.replace("127.0.0.1", "faceup.test")
    page = await open_page("/", base=plain)
    assert not await page.evaluate("isSecureContext")
    await expect(page.get_by_text("This page uses plain HTTP")).to_be_visible()
    await page.get_by_role("link", name="Play with friends").first.click()
    await page.get_by_text("All settings").click()
    await page.get_by_text("Verifiable deals").click()
    await page.get_by_role("button", name="Create table").click()
    await page.get_by_role("button", name="Copy link").click()
    await page.get_by_role("button", name=re.compile("^Start")).click()
    await page.wait_for_function("() => document.querySelector('table-page').connection.room.actions.length")
    fair = (await room(page))["fair"]
    assert fair["listed"] == [0]
    assert fair["contributions"][0]  # crypto.subtle is unavailable
    await page.goto(f"{plain}/me")
    await expect(page.get_by_text("Passkeys require HTTPS")).to_be_visible()


async def test_public_tables_are_loaded_page_by_page(open_page: PageOpener) -> None:
    hosts = [await open_page("/learn") for _ in range(2)]
    made = [await create_table(hosts[number % 2], **TWO_SEATS, listed=True) for number in range(22)]
    page = await open_page("/")
    tables = page.locator("section", has=page.get_by_role("heading", name="Public tables")).locator("li")
    await expect(tables).to_have_count(20)
    while not await page.locator(f'li a[href$="/t/{made[0]}"]').count():
        before = await tables.count()
        await page.get_by_role("button", name="More tables").click()
        await expect(tables.nth(before)).to_be_visible()
    for table in made:
        await expect(page.locator(f'li a[href$="/t/{table}"]')).to_have_count(1)
