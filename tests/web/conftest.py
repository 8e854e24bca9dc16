"""Fixtures of the page tests: one Chromium and one server per test worker."""

import http.server
import os
import sqlite3
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, closing
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect
from tests.server.server_process import Server, serving

from faceup.server.http.auth import CACHED_COOKIE
from faceup.web.assets import web
from faceup.web.bundles import ENTRY_PARTS

REDUCED_MOTION: dict[str, Any] = {"reduced_motion": "reduce"}
"""Browser options that disable animations."""
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}

EVENT_TIMEOUT = 60_000
"""Milliseconds that a test waits for an event. On a busy machine, hashing a password takes half a minute."""

expect.set_options(timeout=EVENT_TIMEOUT)


def browser_path(kind: str = "chromium") -> str:
    """Return the path of a browser from `script/browser`, which lists the kinds and explains how to install one."""
    finding = subprocess.run(["script/browser", kind], stdout=subprocess.PIPE, text=True, check=True)  # noqa: S607 -- our own script
    return finding.stdout.splitlines()[-1]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run all tests of this folder in one event loop, because they share a browser."""
    folder = f"{Path(__file__).parent}{os.sep}"
    for item in items:
        if str(item.path).startswith(folder) and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Start a headless Chromium."""
    # Containers rarely permit Chromium's sandbox; it loads only our own pages here.
    options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    options += ["--host-resolver-rules=MAP *.test 127.0.0.1"]  # a host that is not localhost, for plain HTTP
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=browser_path("shell"), args=options)
        yield chromium
        await chromium.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start the shared server, with the game of tests/fourth_game. Tests that stop a server start their own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parent.parent / "fourth_game"))
        with serving(tmp_path_factory.mktemp("web")) as running:
            yield running


class PageOpener:
    """Opens pages, each in its own browser context (cookies, storage): `await open_page("/", locale="de")`."""

    def __init__(self, browser: Browser, address: str, opened: AsyncExitStack) -> None:
        self._browser = browser
        self._address = address
        self._opened = opened
        self.page_errors: list[str] = []
        """Uncaught errors of scripts and errors on the console; a test that expects one clears the list."""

    async def again(self, path: str, base: str | None = None, **options: Any) -> Page:
        """Open a page as a visitor who has seen it before, so that its script is a file with an address."""
        page = await self(None, base, **options)
        seen = ".".join((web().stamp, *ENTRY_PARTS))
        await page.context.add_cookies([{"name": CACHED_COOKIE, "value": seen, "url": base or self._address}])
        await page.goto(path)
        return page

    async def __call__(self, path: str | None = "/", base: str | None = None, **options: Any) -> Page:
        """Open a page as a new visitor; with None, an empty page, from which requests to the server can be sent."""
        context = await self._browser.new_context(base_url=base or self._address, **options)
        self._opened.push_async_callback(context.close)
        page = await context.new_page()
        page.set_default_timeout(EVENT_TIMEOUT)
        page.on("pageerror", lambda error: self.page_errors.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda line: self.page_errors.append(f"{page.url}: {line.text}") if line.type == "error" else None,
        )
        if path is not None:
            await page.goto(path)
        return page


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, server: Server) -> AsyncIterator[PageOpener]:
    """Return a PageOpener; errors in its pages fail the test."""
    async with AsyncExitStack() as opened:
        visit = PageOpener(browser, server.address, opened)
        yield visit
    assert not visit.page_errors, "\n".join(visit.page_errors)


def make_logins_old(server: Server) -> None:
    """Let all sessions of a server be from logins long ago, so that dangerous changes need a new login."""
    (database,) = server.data.rglob("tables.sqlite")
    with closing(sqlite3.connect(database, timeout=30)) as connection, connection:
        connection.execute("UPDATE sessions SET proved_at = 1")


class OtherSite(http.server.ThreadingHTTPServer):
    """A server whose queue holds all connections that a page opens at the same time."""

    request_queue_size = 128


class SilentHandler(http.server.SimpleHTTPRequestHandler):
    """Logs nothing, and keeps connections, because a page without a bundle loads a hundred modules."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Serve a folder of plain files by another server."""
    (tmp_path / "favicon.ico").write_bytes(b"")  # requested by browsers
    with OtherSite(("127.0.0.1", 0), partial(SilentHandler, directory=str(tmp_path))) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield tmp_path, f"http://127.0.0.1:{other.server_address[1]}"
        other.shutdown()
        thread.join()


async def create_table(page: Page, **config: Any) -> str:
    """Create a table by the API as this page's player; return its id.

    Autoplay chooses for a player without a page only after ten minutes, because a busy machine may take longer than the
    usual 20 seconds for a test.
    """
    answer = await page.request.post("/api/tables", data={"config": {"grace": 600_000} | config})
    assert answer.ok, await answer.text()
    return str((await answer.json())["id"])


async def send_command(page: Page, table: str, command: str, **fields: Any) -> None:
    """Send a command to a table by the API as this page's player."""
    data = {"id": token_hex(8), "command": command} | fields
    answer = await page.request.post(f"/api/tables/{table}/commands", data=data)
    assert answer.ok, await answer.text()


async def open_at_table(
    open_page: PageOpener, *, start: bool = True, browser: dict[str, Any] | None = None, **config: Any
) -> Page:
    """Open the page of a new table as its seated host, and start the game unless `start` is false."""
    page = await open_page(None, **(browser or {}))
    table = await create_table(page, **config)
    if start:
        await send_command(page, table, "start")
    await page.goto(f"/t/{table}")
    return page


async def screenshot(page: Page, name: str) -> Path:
    """Save a screenshot of the page under build/screenshots."""
    path = Path("build/screenshots") / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=path, full_page=True)
    return path
