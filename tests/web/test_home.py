"""The first pages: one click to a game, one tap from a link to a chair, and a sentence for whatever is wrong."""

import re
from typing import Any

import pytest
from playwright.async_api import expect
from tests.server.serving import Server
from tests.web.conftest import People, at_table
from tests.web.playing import play, sight

NO_STORAGE = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
"""
FULL: dict[str, Any] = {"game": "nimmt", "options": {"seats": 2, "hand": 2}, "bots": ["greedy"]}


@pytest.mark.parametrize("game", ["6 nimmt!", pytest.param("War", marks=pytest.mark.long)])
async def test_one_click_plays_against_bots_and_a_double_click_is_one(people: People, game: str) -> None:
    page = await people("/")
    await page.get_by_role("button", name=f"Play now: {game}, against bots").dblclick()
    await page.wait_for_url(re.compile("/t/"))
    await expect(page.locator("faceup-table")).to_be_visible()
    assert (await sight(page))["status"] == "active"
    assert len(await (await page.request.get("/api/me/tables")).json()) == 1
    await page.go_back()
    await expect(page.get_by_role("heading", name="Your tables")).to_be_visible()
    await page.go_forward()
    await expect(page.locator("faceup-table")).to_be_visible()


async def test_one_tap_leads_from_a_link_to_a_chair_and_a_name_can_follow(people: People) -> None:
    host = await at_table(people, start=False, **FULL | {"options": {"seats": 3}})
    guest = await people(host.url)
    await guest.get_by_role("button", name="Sit down").click()
    await expect(guest.get_by_text("You are seated")).to_be_visible()
    await expect(host.get_by_text("2 of 3 are here")).to_be_visible()
    await guest.get_by_label("Your name").fill("  Bo  Peep ")
    async with guest.expect_response("**/api/me") as changed:
        await guest.get_by_role("button", name="Keep").click()
    await expect(host.get_by_text("Bo Peep", exact=True)).to_be_visible()
    assert (await (await changed.value).json())["name"] == "Bo Peep"
    await guest.get_by_label("Your name").fill("\u202eoB")
    await guest.get_by_role("button", name="Keep").click()
    await expect(guest.get_by_role("alert")).to_contain_text("1 to 40 visible characters")
    await guest.get_by_label("Your name").fill("   ")
    await expect(guest.get_by_role("button", name="Keep")).to_be_disabled()


@pytest.mark.long
async def test_a_host_seats_bots_hands_over_and_starts(people: People) -> None:
    host = await at_table(people, start=False, **FULL | {"options": {"seats": 4}})
    await host.get_by_label("Add a bot").select_option("champion")
    await host.get_by_role("button", name="Add", exact=True).click()
    await expect(host.get_by_text("2 of 4 are here")).to_be_visible()
    await host.get_by_role("button", name="Ask Champion to leave").click()
    await expect(host.get_by_text("1 of 4 are here")).to_be_visible()
    guest = await people(host.url)
    await guest.locator("li.empty").last.get_by_role("button", name="Sit here").click()
    await host.get_by_role("button", name=re.compile("Make .* the host")).click()
    await expect(host.get_by_role("button", name=re.compile("^Start"))).to_have_count(0)
    await guest.get_by_role("button", name="Start (bots take 2 chairs)").click()
    await expect(host.locator("faceup-table")).to_be_visible()
    assert (await sight(guest))["seat"] == 3


@pytest.mark.long
async def test_a_table_is_opened_as_it_was_set_and_found_by_its_letters_its_link_and_in_the_list(
    people: People,
) -> None:
    page = await people("/new?game=nimmt")
    await page.get_by_label("Variant").select_option("classic")
    await page.get_by_role("button", name="One more").click()
    await page.get_by_label("Time for a choice").select_option("60")
    await page.get_by_label("Your name").fill("Ann")
    await page.get_by_text("Open to everybody").click()
    await page.get_by_text("All other settings").click()
    await page.get_by_label("Cards in a hand").fill("7")
    await page.get_by_text("Verifiable deals").click()
    await page.get_by_role("button", name="Open the table").dblclick()
    letters = page.locator(".code")
    await expect(letters).to_be_visible()
    opening = (await sight(page))["opening"]
    assert (opening["variant"], opening["options"]) == ("classic", {"hand": 7, "seats": 5})
    assert (opening["terms"]["clock"], opening["terms"]["fair"], opening["listed"]) == (60_000, True, True)
    code = (await letters.inner_text()).replace("\n", "").strip()
    link = await page.get_by_label("Link to this table").input_value()
    other = await people("/")
    await expect(other.get_by_role("link", name=re.compile("Classic.*Ann.*free", re.DOTALL))).to_be_visible()
    for typed in (code.lower(), link, f"{code[:2]} {code[2:]}"):
        await other.get_by_label("Five letters or a link").fill(typed)
        await other.get_by_role("button", name="Join").click()
        await expect(other.get_by_role("button", name="Sit down")).to_be_visible()
        await other.goto("/")
    await other.goto(f"/{code}")
    await expect(other.get_by_role("button", name="Sit down")).to_be_visible()


@pytest.mark.long
async def test_settings_that_do_not_fit_are_refused_in_a_sentence_and_can_be_mended(people: People) -> None:
    page = await people("/new?game=nimmt")
    await page.get_by_text("All other settings").click()
    await page.get_by_label("Cards in a hand").fill("99")
    await page.get_by_role("button", name="Open the table").click()
    await expect(page.get_by_role("alert")).to_contain_text("settings do not fit together")
    await page.get_by_label("Cards in a hand").fill("3")
    await page.get_by_role("button", name="Open the table").click()
    await expect(page.get_by_text("You are seated")).to_be_visible()
    people.wrong.clear()  # Chromium tells its console of every answer that is an error


async def test_a_wrong_code_and_a_wrong_address_are_said_in_a_sentence(people: People, server: Server) -> None:
    page = await people("/")
    for typed, said in (("KMR", "five letters, such as KMRTW"), ("LLLLL", "No table has these letters")):
        await page.get_by_label("Five letters or a link").fill(typed)
        await page.get_by_role("button", name="Join").click()
        await expect(page.get_by_role("alert")).to_contain_text(said)
    await page.goto("/LLLLL")
    await expect(page.get_by_text("No table has the letters LLLLL")).to_be_visible()
    await page.goto("/nowhere/at/all")
    await expect(page.get_by_text("No page has this address")).to_be_visible()
    await page.get_by_role("link", name="To the first page").click()
    await expect(page.get_by_role("button", name="Join")).to_be_visible()
    await expect(page).to_have_title("faceup")
    await expect(page.locator("main")).to_be_focused()
    people.wrong.clear()  # as above
    refused = server.ask("/nowhere")
    assert (refused.status, refused.json["error"]["kind"]) == (404, "missing")


@pytest.mark.long
async def test_a_chair_that_was_just_taken_and_a_full_table_are_said_in_a_sentence(people: People) -> None:
    host = await at_table(people, start=False, **FULL | {"options": {"seats": 3}})
    late = await people(host.url)
    chair = late.locator("li.empty").first.get_by_role("button", name="Sit here")
    await chair.wait_for()
    taken = {"error": {"kind": "not_yours", "message": "seat 1 is taken"}}
    await late.route("**/commands", lambda route: route.fulfill(status=403, json=taken))
    await chair.click()
    await expect(late.get_by_role("alert")).to_have_text("Somebody has just taken this chair. Take another.")
    await late.unroute("**/commands")
    await chair.click()
    await expect(late.get_by_text("You are seated")).to_be_visible()
    watcher = await people(host.url)
    await expect(watcher.get_by_role("button", name="Sit down")).to_be_visible()
    await host.get_by_role("button", name=re.compile("^Start")).click()
    await expect(watcher.locator("faceup-table")).to_be_visible()  # whoever has no chair looks on
    assert "seat" not in await sight(watcher)
    people.wrong.clear()  # as above


@pytest.mark.long
async def test_two_tabs_on_one_seat_agree(people: People) -> None:
    one = await at_table(people, start=False, **FULL)
    two = await one.context.new_page()
    await two.goto(one.url)
    await expect(two.get_by_text("You are seated")).to_be_visible()
    await two.get_by_role("button", name=re.compile("^Start")).click()
    await one.locator("nimmt-table .held").first.click()
    await two.wait_for_function("() => document.querySelector('table-page').live.sight.mark")


@pytest.mark.long
async def test_without_storage_and_without_websocket_a_table_is_opened_and_played(people: People) -> None:
    page = await people("/ladder")
    await page.context.add_init_script(NO_STORAGE + "delete window.WebSocket;")
    await page.goto("/")
    await page.get_by_role("button", name="Play now: Niu Niu, against bots").click()
    await play(page, most=1)


@pytest.mark.long
async def test_a_page_that_is_older_than_its_server_says_so_and_is_loaded_anew_when_nobody_chooses(
    people: People,
) -> None:
    page = await at_table(people, **FULL)
    await expect(page.locator("faceup-table")).to_be_visible()

    async def newer(route: Any) -> None:
        answer = await route.fetch()
        await route.fulfill(response=answer, json=await answer.json() | {"page": "another"})

    await page.route("**/api/news", newer)
    await page.evaluate("import(document.scripts[0].src).then(({ use }) => use('live/house.js').house.ask())")
    await expect(page.get_by_text("a newer page than this one")).to_be_visible()  # it is our turn: nothing happens
    async with page.expect_event("load"):
        await page.get_by_role("link", name="Home").click()
    await page.unroute("**/api/news")
    await page.reload()
    await expect(page.get_by_role("button", name="Join")).to_be_visible()
    await expect(page.get_by_text("a newer page than this one")).to_have_count(0)


@pytest.mark.long
async def test_what_is_announced_is_told_on_every_page(people: People) -> None:
    page = await people("/ladder")
    news = {
        "announcement": {"id": "1", "text": "A restart <b>soon</b>", "at": None},
        "registration": "open",
        "you": None,
    }
    await page.route("**/api/news", lambda route: route.fulfill(json=news | {"page": None}))
    await page.goto("/me")
    told = page.locator("news-bar").get_by_text("A restart <b>soon</b>")
    await expect(told).to_be_visible()
    await page.locator("news-bar").get_by_role("button").first.click()
    await expect(told).to_have_count(0)


async def test_on_plain_http_a_table_is_opened_and_what_is_missing_is_said(people: People, server: Server) -> None:
    plain = server.address.replace("127.0.0.1", "faceup.test")
    page = await people("/", base=plain)
    assert not await page.evaluate("isSecureContext")
    await expect(page.get_by_text("This is plain http")).to_be_visible()
    await page.get_by_role("link", name="With friends").first.click()
    await page.get_by_text("All other settings").click()
    await page.get_by_text("Verifiable deals").click()
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("button", name="Copy link").click()
    await page.get_by_role("button", name=re.compile("^Start")).click()
    await page.wait_for_function("() => document.querySelector('table-page').live.sight.words.length")
    fair = (await sight(page))["fair"]
    assert fair["listed"] == [0]
    assert fair["contributions"][0]  # by SHA-256 of our own: there is no crypto.subtle
    await page.goto(f"{plain}/me")
    await expect(page.get_by_text("passkeys only on https")).to_be_visible()
