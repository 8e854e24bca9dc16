"""Connections that are silently dead, and what the page shows: a proxy swallows everything and closes nothing."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import urlsplit

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.server.faulty_proxy import Faults
from tests.server.server_process import Server
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table, send_command
from tests.web.test_connection import connect, server_view

LIMITS_BY_CLOCK = """
  AbortSignal.timeout = (limit) => {
    const request = new AbortController();
    setTimeout(() => request.abort(new DOMException("too late", "TimeoutError")), limit);
    return request.signal;
  };
"""
"""Lets the limits of requests follow the clock that a test controls, as all timers of the page do."""

TOURNAMENT: dict[str, Any] = {"name": "Cup", "table": {"game": "nimmt", "options": {"seats": 2, "hand": 2}}}


@pytest_asyncio.fixture(loop_scope="session")
async def network(server: Server) -> AsyncIterator[Faults]:
    async with Faults(urlsplit(server.address).port or 0) as proxy:
        yield proxy


@pytest_asyncio.fixture(loop_scope="session")
async def far_page(browser: Browser, network: Faults) -> AsyncIterator[PageOpener]:
    """Open pages through the proxy. Their console is not checked, because Chromium logs failed requests."""
    async with AsyncExitStack() as opened:
        yield PageOpener(browser, f"http://127.0.0.1:{network.port}", opened)
        network.resume_forwarding()


async def control_clock(page: Page) -> None:
    """Let the test move the clock of the pages that this browser opens from now on."""
    await page.context.clock.install()
    await page.context.add_init_script(LIMITS_BY_CLOCK)


async def post(page: Page, path: str, body: dict[str, Any]) -> Any:
    """Send a request as this page's player; return the response."""
    answer = await page.request.post(path, data=body)
    assert answer.ok, await answer.text()
    return await answer.json()


def silences(frame: str | bytes) -> list[int]:
    """Return the limits of silence that the pings of a message set, in milliseconds."""
    return [int(limit) for limit in re.findall(r'"silence":(\d+)', frame if isinstance(frame, str) else frame.decode())]


async def choose_first_card(page: Page) -> None:
    """Mark the first card of the hand and play it."""
    await page.locator("nimmt-table .held").first.click()
    await page.get_by_role("button", name="Play", exact=False).last.click()


@pytest.mark.slow
@pytest.mark.parametrize("people", [1, 2])
async def test_the_page_says_that_it_is_lost_before_a_bot_plays_and_sends_the_choice_later(
    open_page: PageOpener, far_page: PageOpener, network: Faults, people: int
) -> None:
    near, far = await open_page("/ladder"), await far_page(None, **REDUCED_MOTION)
    table = await create_table(
        far,
        game="nimmt",
        options={"seats": 2, "hand": 2},
        bots=["random"] if people == 1 else [],
        terms={"clock": 30_000, "reveal": "when_all_in", "autoplay": "lowest", "hints": False, "fair": False},
    )
    limits: list[int] = []
    far.on("websocket", lambda opened: opened.on("framereceived", lambda frame: limits.extend(silences(frame))))
    await far.goto(f"/t/{table}")
    if people == 1:
        await send_command(far, table, "start")
    else:
        await send_command(near, table, "sit", name="Bo")
    await expect(far.locator("nimmt-table .held")).to_have_count(2)
    connection = "document.querySelector('table-page').connection"
    if people == 2:
        actions = (await server_view(near, table))["actions"]
        await send_command(near, table, "choose", seat=1, action=actions[0], decision=0)
    while not any(limit < 20_000 for limit in limits):  # the server pings a player for whom others or a clock wait
        await far.wait_for_timeout(100)
    network.stop_forwarding()
    await expect(far.get_by_role("main").get_by_text("Connection lost")).to_be_visible(timeout=25_000)
    room = await server_view(near, table)
    assert (room["away"], room["decision"]) == ([], 0)

    await choose_first_card(far)
    await expect(far.locator("nimmt-table .held.sending")).to_have_count(1)
    await expect(far.get_by_text("Your choice is being sent")).to_be_visible()
    assert await far.locator("nimmt-table .held.chosen").count() == 0

    network.resume_forwarding()
    await far.wait_for_function(f"() => {connection}.status === 'open'")
    await expect(far.locator("nimmt-table .held.sending")).to_have_count(0)
    await near.wait_for_function(
        "async (table) => { const { room } = await (await fetch(`/api/tables/${table}`)).json();"
        " return room.chosen.includes(0) || room.decision > 0; }",
        arg=table,
    )


@pytest.mark.slow
async def test_without_websocket_the_page_follows_the_limit_of_the_server(
    far_page: PageOpener, network: Faults
) -> None:
    page = await far_page(None)
    await control_clock(page)
    await page.goto("/ladder")
    await page.evaluate(
        """() => {
          delete globalThis.WebSocket;
          const { parse } = JSON;
          JSON.parse = (text) => { const line = parse(text); globalThis.limited ||= line?.silence > 0; return line; };
        }"""
    )
    table = await create_table(page, game="niuniu", options={"seats": 2})
    await connect(page, table)
    await page.wait_for_function("() => globalThis.limited")
    network.stop_forwarding()
    await page.clock.fast_forward(14_000)  # the default limit is 20 s
    await page.wait_for_function("() => live.status === 'lost'", timeout=5_900)


@pytest.mark.slow
async def test_every_wait_of_the_page_ends(far_page: PageOpener, network: Faults) -> None:
    host = await far_page(None)
    await control_clock(host)
    await host.goto("/ladder")
    party = (await post(host, "/api/parties", {"player": "Ann"}))["id"]
    made = await post(host, "/api/tournaments", {"settings": TOURNAMENT})
    tournament = made["tournament"]["id"]
    watched, table = await host.context.new_page(), await create_table(host, game="niuniu", options={"seats": 2})
    await watched.goto(f"/tournaments/{tournament}")
    await expect(watched.get_by_role("heading", name="Cup")).to_be_visible()
    await connect(host, table)
    opening = await host.context.new_page()
    await opening.goto(f"/party/{party}")
    await expect(opening.get_by_role("heading", name="What do you play?")).to_be_visible()
    network.stop_forwarding()
    await host.evaluate(
        """() => {
          live.reconnect();
          globalThis.during = live.status;
          const added = live.send({ command: "add_bot", seat: 1, kind: "random" });
          globalThis.sent = added.then(() => "sent", (error) => error.kind);
        }"""
    )
    assert await host.evaluate("during") == "connecting"
    await host.clock.fast_forward(30_000)  # the clocks of all pages of this browser
    await host.wait_for_function("() => live.status === 'lost'")
    await expect(watched.get_by_text("The server does not respond")).to_be_visible()
    await expect(opening.get_by_text("Connection lost")).to_be_visible()
    network.resume_forwarding()
    assert await host.evaluate("sent") == "sent"
    await expect(watched.get_by_text("The server does not respond")).to_have_count(0)
    await expect(opening.get_by_text("Connection lost")).to_have_count(0)
