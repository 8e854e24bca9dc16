"""The page of a public server: names, footer, about, privacy, consent, own data, and marks of programs."""

import json
import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect
from tests.server.server_process import Server, serving
from tests.web.conftest import PageOpener, make_logins_old
from tests.web.test_accessibility import violations

NAME = "Oxen & Friends"
LINKS = {
    "en": ("About", "Imprint", "Privacy", "Terms of use", "Contact"),
    "de": ("Über", "Impressum", "Datenschutz", "Nutzungsbedingungen", "Kontakt"),
    "zh": ("关于", "网站信息", "隐私", "使用条款", "联系方式"),
}


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server with the settings of a public one."""
    with serving(
        tmp_path_factory.mktemp("public"),
        site_name=NAME,
        game_titles="nimmt=Ox Parade",
        contact="ann@example.org",
        imprint_url="https://example.org/imprint",
        terms_url="https://example.org/terms",
        minimum_age="16",
        research_export="true",
    ) as running:
        yield running


@pytest.mark.slow
@pytest.mark.sample(1)
@pytest.mark.parametrize("language", LINKS)
async def test_pages_show_the_name_the_titles_and_the_links_of_the_host(
    open_page: PageOpener, public: Server, language: str
) -> None:
    page = await open_page("/", base=public.address, locale=language)
    await expect(page).to_have_title(NAME)
    await expect(page.locator("top-bar .name")).to_contain_text(NAME)
    await expect(page.locator("home-page h2", has_text="Ox Parade")).to_have_count(1)
    await expect(page.get_by_text("6 nimmt!")).to_have_count(0)
    footer = page.locator("site-footer a")
    await expect(footer).to_have_text(list(LINKS[language]))
    await footer.nth(0).click()
    await expect(page.locator("about-page h1")).to_contain_text(NAME)
    await expect(page.locator("about-page details")).to_have_count(5)
    await expect(page.locator("site-footer")).to_have_count(1)
    await page.locator("site-footer a").nth(2).click()
    await expect(page.locator("privacy-page h1")).to_contain_text(NAME)
    await expect(page.locator("privacy-page tbody tr").nth(20)).to_be_visible()


@pytest.mark.slow
async def test_a_table_has_no_footer(open_page: PageOpener, public: Server) -> None:
    page = await open_page("/", base=public.address)
    await expect(page.locator("site-footer")).to_be_visible()
    await page.locator("home-page").get_by_role("button", name=re.compile("Play Ox Parade")).first.click()
    await expect(page.locator("table-page h1")).to_have_text("Ox Parade")
    await expect(page.locator("site-footer")).to_be_hidden()


@pytest_asyncio.fixture(loop_scope="session")
async def account(open_page: PageOpener, public: Server) -> AsyncIterator[Page]:
    """Open the page of an account, which needed consent, and whose login is not recent."""
    page = await open_page("/me", base=public.address)
    form = page.locator("account-page form").first
    await form.locator("input[name=name]").fill("Ann")
    await form.locator("input[name=login]").fill(f"ann{id(page)}")
    await form.locator("input[name=password]").fill("correct horse")
    await form.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.locator("account-data")).to_have_count(0)  # the browser asks for the consent
    await form.get_by_label("I am at least 16 years old. I accept the terms of use.").check()
    await form.get_by_role("button", name="Create account", exact=True).click()
    await expect(page.locator("account-data")).to_be_visible()
    make_logins_old(public)
    yield page


@pytest.mark.slow
async def test_an_account_is_deleted_after_a_login_and_kept_again(account: Page, open_page: PageOpener) -> None:
    data = account.locator("account-data")
    await data.get_by_role("button", name="Delete my account").click()
    await data.get_by_role("button", name="Delete in a day").click()
    dialog = account.get_by_role("dialog")
    assert await violations(account) == []
    await dialog.get_by_label("Password").fill("wrong horse")
    await dialog.get_by_role("button", name="Log in", exact=True).click()
    await expect(dialog.get_by_role("alert")).to_have_text("Wrong current password.")
    await dialog.get_by_label("Password").fill("correct horse")
    await dialog.get_by_role("button", name="Log in", exact=True).click()
    await expect(dialog).to_have_count(0)
    await expect(data.get_by_text("Your account will be deleted")).to_be_visible()
    await expect(account.locator("announcement-bar")).to_contain_text("Your account will be deleted")
    await data.get_by_role("button", name="Keep my account").click()
    await expect(account.get_by_text("Your account will be deleted")).to_have_count(0)
    open_page.page_errors.clear()  # the console shows refused requests


@pytest.mark.slow
async def test_the_own_data_are_downloaded(account: Page, open_page: PageOpener) -> None:
    data = account.locator("account-data")
    await data.get_by_role("button", name="Download my data").click()
    dialog = account.get_by_role("dialog")
    await dialog.get_by_role("button", name="Close").click()
    await expect(data.get_by_role("alert")).to_have_text("Log in again first.")
    await data.get_by_role("button", name="Download my data").click()
    await dialog.get_by_label("Password").fill("correct horse")
    async with account.expect_download() as download:
        await dialog.get_by_role("button", name="Log in", exact=True).click()
    text = (await (await download.value).path()).read_text("utf-8")
    exported = json.loads(text)
    assert exported["player"]["name"] == "Ann"
    assert exported["consents"][0]["terms"] == "age 16, terms https://example.org/terms"
    open_page.page_errors.clear()


@pytest.mark.slow
async def test_games_are_given_for_research_and_withdrawn(open_page: PageOpener, public: Server) -> None:
    page = await open_page("/me", base=public.address)
    await page.get_by_label("Your name").fill("Gus")
    await page.get_by_role("button", name="Play as guest").click()
    panel = page.locator("research-consent")
    give = panel.get_by_role("checkbox", name="Give my games for research")
    earlier = panel.get_by_role("checkbox", name="Also the games I finished before")
    await expect(give).not_to_be_checked()
    await expect(earlier).to_have_count(0)
    await give.check()
    await expect(panel.get_by_text("Since")).to_be_visible()
    await expect(earlier).not_to_be_checked()
    await earlier.check()
    assert await violations(page) == []
    await page.reload()
    await expect(give).to_be_checked()
    await expect(earlier).to_be_checked()
    await earlier.uncheck()
    await give.uncheck()
    await expect(earlier).to_have_count(0)
    await page.reload()
    await expect(give).not_to_be_checked()


async def test_a_server_without_research_does_not_ask(open_page: PageOpener) -> None:
    page = await open_page("/me")
    await page.get_by_label("Your name").fill("Gus")
    async with page.expect_response("**/api/research"):
        await page.get_by_role("button", name="Play as guest").click()
    await expect(page.locator("account-data section")).to_be_visible()
    await expect(page.locator("research-consent section")).to_have_count(0)
