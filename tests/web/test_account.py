"""Guests, accounts, passwords, passkeys, device codes and API tokens on the account page."""

import asyncio
import json
import re
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from secrets import token_hex

import pytest
from playwright.async_api import Page, expect
from pyotp import TOTP
from tests.server.server_process import Server, environment
from tests.web.conftest import PHONE, PageOpener, open_at_table
from tests.web.driver import TABLE_VIEW, play_match
from tests.web.test_accessibility import violations
from tests.web.test_reactions import SPOKEN, at_a_table, play_turn, seat_of

STORED = "JSON.stringify({...localStorage, ...sessionStorage})"


@pytest.mark.long
async def test_guest_creates_an_account_logs_out_and_logs_in(open_page: PageOpener) -> None:
    page = await open_page("/me")
    await page.get_by_label("Your name").fill("Ann")
    await page.get_by_role("button", name="Play as guest").click()
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    await page.get_by_label("Login name").first.fill("ann of me")
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.get_by_text("Your login name is ann of me.")).to_be_visible()
    await page.get_by_role("button", name="Log out", exact=True).click()
    panel = page.locator("section.panel", has=page.get_by_role("heading", name="Log in", exact=True))
    await panel.get_by_label("Login name").fill("ann of me")
    await panel.get_by_label("Password").fill("wrong horse")
    await panel.get_by_role("button", name="Log in", exact=True).click()
    await expect(page.get_by_role("alert")).to_have_text("Wrong name or password.")
    await panel.get_by_label("Password").fill("correct horse")
    await panel.get_by_role("button", name="Log in", exact=True).click()
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    await page.get_by_role("textbox", name="Your name").fill("Annabel")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("heading", name="Annabel")).to_be_visible()
    handle = (await (await page.request.get("/api/me")).json())["handle"]
    other = await open_page(f"/players/{handle}")
    await expect(other.get_by_role("heading", name="Annabel")).to_be_visible()
    await expect(other.get_by_text("No finished games yet.")).to_be_visible()
    open_page.page_errors.clear()  # Chromium logs every error response


async def test_visitor_creates_an_account_in_one_step(open_page: PageOpener) -> None:
    """A login that is taken is an error, and the next attempt makes no further guest."""
    taken = f"fay {token_hex(4)}"
    for login, other in ((taken, None), (f"{taken} too", taken)):
        page = await open_page("/me", **PHONE)
        if other:
            await page.get_by_label("Login name").first.fill(other)
            await page.get_by_label("New password").fill("correct horse")
            await page.get_by_role("button", name="Create account", exact=True).click()
            await expect(page.get_by_role("alert")).to_contain_text("taken")
            await page.get_by_label("Login name").first.fill(login)
        else:
            await page.get_by_label("Login name").first.fill(login)
            await page.get_by_label("New password").fill("correct horse")
        await page.get_by_role("button", name="Create account", exact=True).click()
        await expect(page.get_by_role("heading", name=login, exact=True)).to_be_visible()
    open_page.page_errors.clear()  # Chromium logs every error response


async def test_profile_comes_first_and_developer_tools_are_for_accounts(open_page: PageOpener) -> None:
    page = await open_page("/me", **PHONE)
    await page.get_by_label("Your name").fill("Gus")
    await page.get_by_role("button", name="Play as guest").click()
    await expect(page.get_by_role("heading", name="Profile")).to_be_visible()
    await expect(page.get_by_text("Developer tools")).to_have_count(0)
    await page.get_by_label("Login name").first.fill(f"gus {token_hex(4)}")
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.get_by_text("Developer tools")).to_be_visible()
    await expect(page.get_by_label("Label")).to_be_hidden()
    parts = ("Profile", "Your games", "Security")
    boxes = [await page.get_by_role("heading", name=part, exact=True).bounding_box() for part in parts]
    tops = [box["y"] for box in boxes if box]
    assert len(tops) == len(parts)
    assert tops == sorted(tops)


async def test_account_of_a_guest_without_a_name_gets_its_login_as_name(open_page: PageOpener) -> None:
    page = await open_page("/me", locale="de")
    await page.get_by_role("button", name="Als Gast spielen").click()
    await expect(page.get_by_role("heading", name="Gast", exact=True)).to_be_visible()
    await expect(page.get_by_role("textbox", name="Dein Name")).to_have_value("")
    login = f"gast {token_hex(4)}"
    await page.get_by_label("Anmeldename").first.fill(login)
    await page.get_by_label("Neues Passwort").fill("correct horse")
    await page.get_by_role("button", name="Konto anlegen", exact=True).click()
    await expect(page.get_by_role("heading", name=login)).to_be_visible()


async def test_a_login_at_the_end_of_the_page_shows_its_top(open_page: PageOpener) -> None:
    page = await open_page(None, **PHONE)
    account = {"login": f"fin {token_hex(4)}", "password": "correct horse"}
    assert (await page.request.post("/api/session", data={"name": "Fin"})).ok
    assert (await page.request.post("/api/account", data=account)).ok
    assert (await page.request.delete("/api/session")).ok
    await page.goto("/me")
    panel = page.locator("section.panel", has=page.get_by_role("heading", name="Log in", exact=True))
    await panel.get_by_label("Login name").fill(account["login"])
    await panel.get_by_label("Password").fill(account["password"])
    await panel.get_by_label("Password").press("Enter")
    await expect(page.get_by_role("heading", name="Fin", exact=True)).to_be_in_viewport()
    await expect(page.get_by_role("heading", name="Fin", exact=True)).to_be_focused()


async def test_the_data_of_a_player_can_be_read(open_page: PageOpener) -> None:
    page = await open_page("/me")
    await page.get_by_label("Your name").fill("Hal")
    await page.get_by_role("button", name="Play as guest").click()
    async with page.expect_download() as download:
        await page.get_by_role("button", name="Download my data").click()
    data = json.loads(await asyncio.to_thread((await (await download.value).path()).read_text, "utf-8"))
    since = datetime.fromisoformat(data["player"]["since"])
    assert abs(datetime.now(UTC) - since) < timedelta(hours=1)
    assert [{*session} for session in data["sessions"]] == [{"id", "device", "since", "seen"}]


@pytest.mark.slow
async def test_a_table_in_another_tab_continues_when_a_guest_becomes_an_account(open_page: PageOpener) -> None:
    table = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["greedy"])
    await play_match(table, most=1)
    origin = "/".join(table.url.split("/")[:3])
    account = {"login": f"tab {token_hex(8)}", "password": "correct horse"}
    opened: list[object] = []
    table.on("websocket", lambda socket: opened.append(socket))  # noqa: PLW0108 -- Playwright marks handlers
    async with table.expect_websocket():
        answer = await table.request.post("/api/account", data=account, headers={"origin": origin})
        assert answer.ok, await answer.text()
    await play_match(table, most=2)
    assert len(opened) == 1
    await expect(table.get_by_text("You were logged out")).to_have_count(0)


async def test_a_table_ends_for_a_player_who_is_logged_out_elsewhere(open_page: PageOpener) -> None:
    table = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["greedy"], terms={"clock": None})
    await expect(table.locator("nimmt-table .held").first).to_be_visible()
    assert (await table.request.delete("/api/session")).ok
    await expect(table.get_by_role("alert")).to_contain_text("You were logged out.")
    await expect(table.locator("nimmt-table .held").first).to_be_hidden()
    await table.get_by_role("link", name="Log in").click()
    await expect(table.get_by_role("heading", name="Log in", exact=True)).to_be_visible()
    open_page.page_errors.clear()


@pytest.mark.long
async def test_device_code_logs_in_and_api_token_is_created(open_page: PageOpener) -> None:
    page = await open_page("/me")
    await page.get_by_label("Your name").fill("Bo")
    await page.get_by_role("button", name="Play as guest").click()
    await page.get_by_role("button", name="Show code").click()
    code = await page.locator(".big").inner_text()
    other = await open_page("/me")
    for typed, error in (("AAAA AAAA", "This code is wrong"), (code.lower(), "")):
        await other.get_by_label("8-character code").fill(typed)
        await other.get_by_role("button", name="Log in with code").click()
        await expect(other.get_by_text(error) if error else other.get_by_role("heading", name="Bo")).to_be_visible()
    await other.get_by_label("Login name").first.fill(f"bo {token_hex(4)}")
    await other.get_by_label("New password").fill("correct horse")
    await other.get_by_role("button", name="Create account", exact=True).click()
    await other.get_by_role("button", name="I have saved them").click()
    await other.get_by_text("Developer tools").click()
    await other.get_by_label("Label").fill("my bot")
    await other.get_by_role("button", name="Create token").click()
    await expect(other.locator("code")).to_have_text(re.compile("^faceup_"))
    await other.get_by_role("button", name="Log out all other devices").click()
    await expect(other.get_by_role("button", name="Log out all other devices")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("button", name="Play as guest")).to_be_visible()
    open_page.page_errors.clear()  # as above


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_a_browser_forgets_a_player_who_leaves_it(open_page: PageOpener, *, elsewhere: bool) -> None:
    page = await open_page("/me")
    await page.get_by_label("Your name").fill("Ivy")
    await page.get_by_role("button", name="Play as guest").click()
    await expect(page.get_by_role("heading", name="Ivy")).to_be_visible()
    await page.evaluate("sessionStorage.setItem('faceup.fair.TABLE', 'a seed')")
    assert "Ivy" in await page.evaluate(STORED)
    if elsewhere:
        assert (await page.request.delete("/api/session")).ok
        await page.reload()
    else:
        page.on("dialog", lambda dialog: dialog.accept())
        await page.get_by_role("button", name="Log out", exact=True).click()
    await expect(page.get_by_role("button", name="Play as guest")).to_be_visible()
    await expect(page.get_by_label("Your name")).to_have_value("")
    stored = json.loads(await page.evaluate(STORED))
    assert set(stored) <= {"faceup.settings", "faceup.guest_key"}
    assert "Ivy" not in json.dumps(stored)


@pytest.mark.long
async def test_password_reset_key_is_removed_from_the_address(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/password#no-such-key")
    await expect(page.get_by_role("heading", name="New password")).to_be_visible()
    assert page.url == f"{server.address}/password"
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("This link is used or expired")
    await page.goto("/password")
    await expect(page.get_by_text("This link is incomplete")).to_be_visible()
    open_page.page_errors.clear()  # as above


@pytest.mark.long
async def test_passkey_creates_an_account_and_logs_in(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/me", base=server.address.replace("127.0.0.1", "localhost"))
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    await devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": key | {"isUserVerified": True, "automaticPresenceSimulation": True}},
    )
    await page.get_by_label("Your name").fill("Cy")
    await page.get_by_role("button", name="Play as guest").click()
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_text("You log in with a passkey.")).to_be_visible()
    await expect(page.locator("second-factor code")).to_have_count(10)
    assert await violations(page) == []
    await page.get_by_role("button", name="I have saved them").click()
    await expect(page.locator("second-factor code")).to_have_count(0)
    await expect(page.locator("input[type=password]:visible")).to_have_count(0)  # nothing asks for a password
    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_role("heading", name="Cy")).to_be_visible()


@pytest.mark.long
async def test_recovery_codes_and_a_second_factor(open_page: PageOpener) -> None:
    page, login = await open_page("/me"), f"dee {token_hex(4)}"
    codes = await _account_with_recovery_codes(page, login)
    authenticator, used = await _turn_second_factor_on(page)
    panel = page.locator("section.panel", has=page.get_by_role("heading", name="Log in", exact=True))

    await page.get_by_role("button", name="Log out", exact=True).click()
    await panel.get_by_label("Login name").fill(login)
    await panel.get_by_label("Password", exact=True).fill("correct horse")
    submit, second = panel.get_by_role("button", name="Log in", exact=True), panel.get_by_label("Code from your")
    await submit.click()
    await expect(page.get_by_role("alert")).to_contain_text("Enter the code from your authenticator app")
    await second.fill(used)
    await submit.click()
    await expect(page.get_by_role("alert")).to_contain_text("This code is wrong or was already used")
    await second.fill(authenticator.at(int(time.time()) + 30))
    await submit.click()
    await expect(page.get_by_role("heading", name="Dee")).to_be_visible()

    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_text("Forgot your password?").click()
    form = panel.locator("details form")
    await form.get_by_label("Login name").fill(login)
    await form.get_by_label("Recovery code").fill(codes[0].lower())
    await form.get_by_label("New password").fill("battery staple")
    await form.get_by_role("button", name="Set password").click()
    await form.get_by_label("Code from your").fill(codes[1])
    assert await violations(page) == []
    await form.get_by_role("button", name="Set password").click()
    await expect(page.get_by_role("heading", name="Dee")).to_be_visible()
    await page.get_by_text("Recovery codes", exact=True).click()
    await expect(page.get_by_text("Unused recovery codes: 8.")).to_be_visible()
    open_page.page_errors.clear()  # as above


@pytest.mark.long
async def test_a_reset_link_asks_for_the_second_factor(open_page: PageOpener, server: Server) -> None:
    page, login = await open_page("/me"), f"eve {token_hex(4)}"
    codes = await _account_with_recovery_codes(page, login)
    await _turn_second_factor_on(page)
    command = [sys.executable, "-m", "faceup", "admin", "people", "reset-password", login, "--json"]
    ran = await asyncio.to_thread(subprocess.check_output, command, env=environment(server.data))
    other = await open_page(f"/password#{json.loads(ran)['link'].partition('#')[2]}")
    await other.get_by_label("New password").fill("battery staple")
    await other.get_by_role("button", name="Save").click()
    await expect(other.get_by_role("alert")).to_contain_text("Enter the code from your authenticator app")
    await other.get_by_label("Code from your").fill(codes[3])
    assert await violations(other) == []
    await other.get_by_role("button", name="Save").click()
    await expect(other.get_by_role("heading", name="Dee")).to_be_visible()
    open_page.page_errors.clear()  # as above


async def _account_with_recovery_codes(page: Page, login: str) -> list[str]:
    """Create an account, and return the recovery codes that the page shows."""
    await page.get_by_label("Your name").fill("Dee")
    await page.get_by_label("Login name").first.fill(login)
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.get_by_role("heading", name="Recovery codes")).to_be_in_viewport()
    codes = await page.locator("second-factor ol code").all_inner_texts()
    assert len(codes) == 10
    assert await violations(page) == []
    await page.get_by_role("button", name="I have saved them").click()
    await expect(page.locator("second-factor ol")).to_have_count(0)
    return codes


async def _turn_second_factor_on(page: Page) -> tuple[TOTP, str]:
    """Turn the second factor on, and return the authenticator and the one-time password that was used."""
    await page.get_by_text("Second factor", exact=True).click()
    form = page.locator("second-factor details", has_text="Second factor")
    await form.get_by_role("button", name="Set up").click()
    await expect(page.get_by_role("img", name="QR code of the key")).to_be_visible()
    authenticator = TOTP((await page.locator("second-factor p code").inner_text()).replace(" ", ""))
    assert await violations(page) == []
    await page.get_by_label("6-digit code").fill("12")
    await page.get_by_role("button", name="Turn on").click()
    await expect(page.get_by_role("alert")).to_contain_text("This code is wrong")
    used = authenticator.now()
    await page.get_by_label("6-digit code").fill(used)
    await page.get_by_role("button", name="Turn on").click()
    await expect(page.get_by_role("img", name="QR code of the key")).to_have_count(0)
    await expect(page.locator("second-factor").get_by_text("A login needs your password and a code")).to_be_visible()
    await expect(page.locator("#announcements")).to_contain_text("A login needs your password and a code")
    return authenticator, used


async def test_everyone_sees_the_name_of_a_guest_who_logs_in_during_a_game(open_page: PageOpener) -> None:
    credentials = {"login": f"ann {token_hex(4)}", "password": "correct horse"}
    other_device = (await open_page(None)).request
    await other_device.post("/api/session", data={"name": "Ann"})
    assert (await other_device.post("/api/account", data=credentials)).ok
    _, (guest, bo) = await at_a_table(open_page, "Guest", "Bo", browsers=({}, {"locale": "de-DE"}))
    await expect(seat_of(bo, "Gast")).to_be_visible()
    assert (await guest.request.post("/api/login", data=credentials)).ok  # as another tab of this browser does
    await expect(seat_of(bo, "Ann")).to_be_visible()
    await bo.wait_for_function(f"({SPOKEN})().some((line) => line.includes('Gast heißt jetzt Ann.'))")
    await expect(bo.get_by_text("Gast", exact=True)).to_have_count(0)
    await guest.wait_for_function(f"() => {TABLE_VIEW}.seats[0].name === 'Ann'")
    await play_turn(guest, bo)
    await guest.reload()
    await guest.wait_for_function(f"() => {TABLE_VIEW}?.seats[0].name === 'Ann' && {TABLE_VIEW}.seat === 0")
    open_page.page_errors.clear()  # Chromium logs every error response
