"""Back returns to the same place on a page. A page that could not be loaded is loaded when the connection is back."""

import asyncio

from playwright.async_api import Route, expect
from tests.web.conftest import PHONE, PageOpener

# The page shows all of its contents, and the position of those that are shown is stored.
SETTLED = "() => history.state?.top === scrollY && history.state.height === document.documentElement.scrollHeight"


async def test_back_and_reload_return_to_the_place_on_a_page_that_loads_its_contents(open_page: PageOpener) -> None:
    page = await open_page(None, **PHONE)
    assert (await page.request.post("/api/session", data={"name": "Ida"})).ok
    scrolled = asyncio.Event()

    async def answer_after_the_scroll(route: Route) -> None:
        await scrolled.wait()
        await route.continue_()

    await page.route("**/api/me/results", answer_after_the_scroll)
    await page.goto("/me")
    await expect(page.get_by_role("heading", name="Your data")).to_be_attached()
    about = page.get_by_role("link", name="About", exact=True)
    await about.wait_for()
    await page.evaluate("scrollTo({ top: 700, behavior: 'instant' })")
    await page.wait_for_function("() => history.state?.top === 700")
    scrolled.set()
    # These contents are above the position, which the browser moves with the contents below them.
    await page.wait_for_function("() => scrollY > 700")
    await page.wait_for_function(SETTLED)
    place = await page.evaluate("history.state")
    await about.evaluate("(link) => link.click()")  # without scrolling to it
    await expect(page.locator("about-page h1")).to_be_visible()
    for go in (page.go_back, page.reload):
        await go()
        await page.wait_for_function(
            "({ top, height }) => scrollY === top && document.documentElement.scrollHeight === height", arg=place
        )


async def test_a_page_that_could_not_be_loaded_is_loaded_when_the_connection_is_back(open_page: PageOpener) -> None:
    page = await open_page("/ladder")
    await expect(page.locator("ladder-page h1")).to_be_visible()
    await page.context.set_offline(True)
    await page.locator("top-bar").get_by_role("link", name="Rules").click()
    await expect(page.get_by_role("button", name="Try again")).to_be_visible()
    await page.context.set_offline(False)
    await expect(page.locator("learn-page h1")).to_be_visible()
    open_page.page_errors.clear()  # Chromium logs every request that fails
