"""Guests, accounts, passwords, passkeys, device codes and API tokens on the account page."""

import re
from secrets import token_hex

import pytest
from playwright.async_api import expect
from tests.server.server_process import Server
from tests.web.conftest import PageOpener, open_at_table
from tests.web.driver import play_match


@pytest.mark.long
async def test_guest_creates_an_account_logs_out_and_logs_in(open_page: PageOpener) -> None:
    page = await open_page("/me")
    await page.get_by_label("Your name").fill("Ann")
    await page.get_by_role("button", name="Play as guest").click()
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    await page.get_by_label("Login name").first.fill("ann of me")
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_text("Your login name is ann of me.")).to_be_visible()
    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_label("Login name").fill("ann of me")
    await page.get_by_label("Password").fill("wrong horse")
    await page.get_by_role("button", name="Log in", exact=True).click()
    await expect(page.get_by_role("alert")).to_have_text("Wrong name or password.")
    await page.get_by_label("Password").fill("correct horse")
    await page.get_by_role("button", name="Log in", exact=True).click()
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    await page.get_by_label("Your name").fill("Annabel")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("heading", name="Annabel")).to_be_visible()
    handle = (await (await page.request.get("/api/me")).json())["handle"]
    other = await open_page(f"/players/{handle}")
    await expect(other.get_by_role("heading", name="Annabel")).to_be_visible()
    await expect(other.get_by_text("No finished games yet.")).to_be_visible()
    open_page.page_errors.clear()  # Chromium logs every error response


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
    await other.get_by_label("Label").fill("my bot")
    await other.get_by_role("button", name="Create token").click()
    await expect(other.locator("code")).to_have_text(re.compile("^faceup_"))
    await other.get_by_role("button", name="Log out all other devices").click()
    await expect(other.get_by_role("button", name="Log out all other devices")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("button", name="Play as guest")).to_be_visible()
    open_page.page_errors.clear()  # as above


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
    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_role("heading", name="Cy")).to_be_visible()
