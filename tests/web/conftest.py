"""A real Chromium, and a real server for it to look at: one of each for all tests of a worker."""

import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect
from tests.server.serving import Server, serving

CALM: dict[str, Any] = {"reduced_motion": "reduce"}
"""A browser in which nothing moves, and everything is there at once."""
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}

expect.set_options(timeout=20_000)  # on a busy machine a password takes a second by itself


def browser_path() -> str:
    """Where a Chromium is, as `script/browser` knows, which says what to do if there is none."""
    finding = subprocess.run(["script/browser"], stdout=subprocess.PIPE, text=True, check=True)  # noqa: S607 -- our own
    return finding.stdout.splitlines()[-1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests here share one event loop, since they share the browser that lives in it."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """A Chromium without a window."""
    # Chromium's sandbox needs rights that containers seldom give; it meets nothing here but our own pages.
    options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    options += ["--host-resolver-rules=MAP *.test 127.0.0.1"]  # names that are no localhost, for plain http
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=browser_path(), args=options)
        yield chromium
        await chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that nobody stops; whoever wants to stop one starts its own. It finds the game of tests/fourth_game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent.parent / "fourth_game"))
        with serving(tmp_path_factory.mktemp("web")) as running:
            yield running


class People:
    """Opens pages, each in a browser of its own as far as cookies and storage go: `await people("/", locale="de")`."""

    def __init__(self, browser: Browser, address: str, opened: AsyncExitStack) -> None:
        self._browser = browser
        self._address = address
        self._opened = opened
        self.wrong: list[str] = []
        """Errors that a page's scripts did not catch, and errors on its console; a test that expects one clears it."""

    async def __call__(self, path: str = "/", base: str | None = None, **options: Any) -> Page:
        """A page of somebody new."""
        context = await self._browser.new_context(base_url=base or self._address, **options)
        self._opened.push_async_callback(context.close)
        page = await context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("console", lambda line: self.wrong.append(f"{page.url}: {line.text}") if line.type == "error" else None)
        await page.goto(path)
        return page


@pytest_asyncio.fixture(loop_scope="session")
async def people(browser: Browser, server: Server) -> AsyncIterator[People]:
    """Opens pages; whatever goes wrong in one of them fails the test."""
    async with AsyncExitStack() as opened:
        visit = People(browser, server.address, opened)
        yield visit
    assert not visit.wrong, "\n".join(visit.wrong)


async def new_table(page: Page, **opening: Any) -> str:
    """Open a table as the person of this page, by the API; its id."""
    origin = "/".join(page.url.split("/")[:3])
    answer = await page.request.post("/api/tables", data={"opening": opening}, headers={"origin": origin})
    assert answer.ok, await answer.text()
    return str((await answer.json())["id"])


async def send(page: Page, table: str, do: str, **words: Any) -> None:
    """Send a command to a table as the person of this page, by the API."""
    origin = "/".join(page.url.split("/")[:3])
    data = {"id": token_hex(8), "do": do} | words
    answer = await page.request.post(f"/api/tables/{table}/commands", data=data, headers={"origin": origin})
    assert answer.ok, await answer.text()


async def at_table(
    people: People, *, start: bool = True, browser: dict[str, Any] | None = None, **opening: Any
) -> Page:
    """A page of somebody who has opened a table and sits there; the game is on unless it is not to start."""
    page = await people("/ladder", **(browser or {}))
    table = await new_table(page, **opening)
    if start:
        await send(page, table, "start")
    await page.goto(f"/t/{table}")
    return page


async def screenshot(page: Page, name: str) -> Path:
    """A picture of the page for somebody to look at, under build/screenshots."""
    path = Path("build/screenshots") / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=path, full_page=True)
    return path
