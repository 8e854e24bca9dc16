"""The buttons with which people log in at an OpenID provider, which is a real one on another port."""

from collections.abc import Iterator
from secrets import token_hex

import pytest
from playwright.async_api import Page, expect
from tests.server.accounts.openid_providers import Provider, running_provider
from tests.server.server_process import Server, serving
from tests.web.conftest import PageOpener, make_logins_old
from tests.web.test_accessibility import violations


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as running:
        yield running


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory, provider: Provider) -> Iterator[Server]:
    """Start a server whose players log in at the provider."""
    data, secret = tmp_path_factory.mktemp("club"), tmp_path_factory.mktemp("secrets") / "openid"
    secret.write_text("a secret\n", "utf-8")
    with serving(
        data,
        openid_issuer=provider.issuer,
        openid_client_id="club",
        openid_client_secret_file=str(secret),
        openid_name="Club login",
        minimum_age="16",
    ) as running:
        yield running


@pytest.fixture
def open_page(open_page: PageOpener) -> Iterator[PageOpener]:
    """Ignore errors on the console, which has refused requests, and errors of the provider's page."""
    yield open_page
    open_page.page_errors.clear()


async def _log_in(page: Page, subject: str) -> None:
    """Log in at the provider's own page."""
    await expect(page.get_by_role("heading", name="Authorize Client")).to_be_visible()
    await page.get_by_placeholder("sub").fill(subject)
    await page.get_by_role("button", name="Authorize").click()


@pytest.mark.slow
async def test_the_button_logs_a_new_person_in(open_page: PageOpener, club: Server, provider: Provider) -> None:
    subject = token_hex(4)
    await provider.add(subject, preferred_username="Ann of the club")
    page = await open_page("/me", base=club.address)
    await page.get_by_label("I am at least 16 years old.").check()
    assert await violations(page) == []
    await page.get_by_role("button", name="Log in with Club login").first.click()
    await _log_in(page, subject)
    await expect(page.get_by_role("heading", name="Ann of the club")).to_be_visible()
    await expect(page.get_by_text("You log in with Club login.")).to_be_visible()
    await expect(page).to_have_url(f"{club.address}/me")
    assert await violations(page) == []

    await page.get_by_role("button", name="Log out", exact=True).click()
    await page.get_by_role("button", name="Log in with Club login").last.click()
    await _log_in(page, subject)
    await expect(page.get_by_role("heading", name="Ann of the club")).to_be_visible()


@pytest.mark.slow
async def test_the_page_says_why_a_login_failed(open_page: PageOpener, club: Server, provider: Provider) -> None:
    page = await open_page("/me", base=club.address)
    await page.get_by_role("button", name="Log in with Club login").first.click()
    await _log_in(page, token_hex(4))  # without the consent
    await expect(page.get_by_role("alert").first).to_contain_text("Confirm your age")
    provider.answers["/oauth2/token"] = (500, b"")
    await page.get_by_role("button", name="Log in with Club login").first.click()
    await _log_in(page, token_hex(4))
    await expect(page.get_by_role("alert").first).to_contain_text("The login service did not answer")
    await expect(page).to_have_url(f"{club.address}/me")
    provider.answers.clear()


@pytest.mark.slow
async def test_an_account_is_linked_after_a_login_and_unlinked(open_page: PageOpener, club: Server) -> None:
    page, login = await open_page("/me", base=club.address), f"ann{token_hex(4)}"
    await page.get_by_label("Login name").first.fill(login)
    await page.get_by_label("New password").fill("correct horse")
    await page.get_by_label("I am at least 16 years old.").check()
    await page.get_by_role("button", name="Create account", exact=True).click()
    await page.get_by_role("button", name="I have saved them").click()
    make_logins_old(club)
    await page.get_by_role("button", name="Link Club login").click()
    dialog = page.get_by_role("dialog")
    await dialog.get_by_label("Password").fill("correct horse")
    await dialog.get_by_role("button", name="Log in", exact=True).click()
    await _log_in(page, token_hex(4))
    await expect(page.get_by_role("button", name="Unlink")).to_be_visible()
    await page.get_by_role("button", name="Unlink").click()
    await expect(page.get_by_role("button", name="Link Club login")).to_be_visible()
