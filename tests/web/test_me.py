"""Who one is here: from a guest to an account and back in, on one device and on another."""

import re

import pytest
from playwright.async_api import expect
from tests.server.serving import Server
from tests.web.conftest import People


@pytest.mark.long
async def test_a_guest_becomes_an_account_leaves_and_comes_back(people: People) -> None:
    page = await people("/me")
    await page.get_by_label("Your name").fill("Ann")
    await page.get_by_role("button", name="Come in").click()
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    await page.get_by_label("Name to log in by").first.fill("ann of me")
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Make an account").click()
    await expect(page.get_by_text("You log in as ann of me.")).to_be_visible()
    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_label("Name to log in by").fill("ann of me")
    await page.get_by_label("Password").fill("wrong horse")
    await page.get_by_role("button", name="Log in").click()
    await expect(page.get_by_role("alert")).to_have_text("There is no such name with this password.")
    await page.get_by_label("Password").fill("correct horse")
    await page.get_by_role("button", name="Log in").click()
    await expect(page.get_by_role("heading", name="Ann")).to_be_visible()
    await page.get_by_label("Your name").fill("Annabel")
    await page.get_by_role("button", name="Keep").click()
    await expect(page.get_by_role("heading", name="Annabel")).to_be_visible()
    handle = (await (await page.request.get("/api/me")).json())["handle"]
    other = await people(f"/players/{handle}")
    await expect(other.get_by_role("heading", name="Annabel")).to_be_visible()
    await expect(other.get_by_text("No finished game yet.")).to_be_visible()
    people.wrong.clear()  # Chromium tells its console of every answer that is an error


@pytest.mark.long
async def test_a_code_takes_me_to_another_device_and_a_program_gets_a_token(people: People) -> None:
    page = await people("/me")
    await page.get_by_label("Your name").fill("Bo")
    await page.get_by_role("button", name="Come in").click()
    await page.get_by_role("button", name="Show a code").click()
    code = await page.locator(".big").inner_text()
    other = await people("/me")
    for typed, said in (("AAAA AAAA", "This code is wrong"), (code.lower(), "")):
        await other.get_by_label("The code of eight characters").fill(typed)
        await other.get_by_role("button", name="Be that one").click()
        await expect(other.get_by_text(said) if said else other.get_by_role("heading", name="Bo")).to_be_visible()
    await other.get_by_label("What it is for").fill("my bot")
    await other.get_by_role("button", name="Make a token").click()
    await expect(other.locator("code")).to_have_text(re.compile("^faceup_"))
    await other.get_by_role("button", name="Log out everywhere else").click()
    await expect(other.get_by_role("button", name="Log out everywhere else")).to_have_count(0)
    await page.reload()
    await expect(page.get_by_role("button", name="Come in")).to_be_visible()
    people.wrong.clear()  # as above


@pytest.mark.long
async def test_a_link_for_a_new_password_is_taken_out_of_the_address_at_once(people: People, server: Server) -> None:
    page = await people("/password#no-such-key")
    await expect(page.get_by_role("heading", name="A new password")).to_be_visible()
    assert page.url == f"{server.address}/password"
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_role("button", name="Take it").click()
    await expect(page.get_by_role("alert")).to_contain_text("used already, or its time is over")
    await page.goto("/password")
    await expect(page.get_by_text("its end is missing")).to_be_visible()
    people.wrong.clear()  # as above


@pytest.mark.long
async def test_a_passkey_makes_an_account_and_leads_back_in(people: People, server: Server) -> None:
    page = await people("/me", base=server.address.replace("127.0.0.1", "localhost"))
    devtools = await page.context.new_cdp_session(page)
    await devtools.send("WebAuthn.enable")
    key = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
    await devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": key | {"isUserVerified": True, "automaticPresenceSimulation": True}},
    )
    await page.get_by_label("Your name").fill("Cy")
    await page.get_by_role("button", name="Come in").click()
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_text("You log in by passkey.")).to_be_visible()
    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_role("button", name="By passkey").click()
    await expect(page.get_by_role("heading", name="Cy")).to_be_visible()
