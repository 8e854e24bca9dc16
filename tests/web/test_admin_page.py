"""The page for administration in a browser: keyboard, accessibility, phones."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.server.server_process import Server, free_port, serving
from tests.web.conftest import PageOpener, screenshot
from tests.web.test_accessibility import violations

TOKEN = "a token for these tests"  # noqa: S105 -- of these tests


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, tmp_path: Path) -> AsyncIterator[tuple[PageOpener, Server]]:
    """Open pages for administration."""
    port = free_port()
    with serving(tmp_path, admin_port=str(port), admin_token=TOKEN) as server:
        async with AsyncExitStack() as opened:
            opener = PageOpener(browser, f"http://127.0.0.1:{port}", opened)
            yield opener, server
        assert not opener.page_errors


async def log_in(page: Page) -> None:
    """Log in by keyboard: the field has the focus."""
    await page.keyboard.type(TOKEN)
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("Overview")


@pytest.mark.long
@pytest.mark.parametrize(("scheme", "width", "height"), [("light", 1440, 900), ("dark", 390, 844)])
async def test_a_player_is_banned_by_keyboard(
    visit: tuple[PageOpener, Server], scheme: Any, width: int, height: int
) -> None:
    open_page, server = visit
    names = ("Ann", "A guest with quite a long name")
    host, player = server.visitor(), server.visitor()
    table = host.ask("/api/tables", {"config": {"game": "nimmt", "listed": True}, "name": names[0]}).json["id"]
    player.ask("/api/tables", {"config": {"game": "war", "listed": True}, "name": names[1]})
    player.ask(f"/api/tables/{table}/commands", {"id": "sit", "command": "sit"})
    reported = next(
        host.ask(f"/api/tables/{table}/reports", {"seat": seat, "reason": "name"}).status
        for seat, who in enumerate(host.ask(f"/api/tables/{table}").json["room"]["seats"])
        if who and who["name"] == names[1]
    )
    assert reported == 200
    page = await open_page("/", color_scheme=scheme, viewport={"width": width, "height": height})
    assert await violations(page) == []
    await screenshot(page, f"admin-login-{scheme}")
    await log_in(page)
    for name in ("Tables", "People", "Reports", "Bans", "Overview"):
        await page.get_by_role("navigation", name="Pages").get_by_role("link", name=name).press("Enter")
        await expect(page.get_by_role("heading", level=1)).to_have_text(name)
        assert await violations(page) == []
        assert await page.evaluate("document.documentElement.scrollWidth") == width
        await screenshot(page, f"admin-{name.lower()}-{scheme}")
    assert await page.evaluate("getComputedStyle(document.documentElement).colorScheme") == scheme
    await page.get_by_role("link", name=f"Ban: {names[1]}").press("Enter")
    await expect(page.get_by_role("heading", level=2)).to_have_text(f"Ban a player or an address: {names[1]}")
    await page.get_by_label("Reason").press_sequentially("cheating")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("status")).to_contain_text("Banned.")
    assert await violations(page) == []
    await expect(page.get_by_role("row").filter(has_text=names[1])).to_contain_text("cheating")
    async with asyncio.timeout(20):
        while player.ask("/api/me").status == 200:  # noqa: ASYNC110 -- the server provides no event
            await asyncio.sleep(0.1)
    assert player.ask("/api/me").json["error"]["kind"] == "banned"
    await page.get_by_role("button", name=f"Remove the ban of {names[1]}").press("Enter")
    await expect(page.get_by_text("No bans.")).to_be_visible()
    assert player.ask("/api/me").status == 200
