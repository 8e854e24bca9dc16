"""Tournaments in the browser: create and join, the way to the tables and back, standings, and accessibility."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.server.app_server import ListeningServer, listening_server
from tests.server.tournaments.players import command, create, play, until, view
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener
from tests.web.test_accessibility import SCHEMES, violations

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.settings import Settings
from faceup.server.rooms.wire import SESSION_COOKIE

OFTEN = RateLimit(100_000, 1)


@pytest_asyncio.fixture(loop_scope="session")
async def server(tmp_path: Path) -> AsyncIterator[ListeningServer]:
    limits = ServerLimits(requests=OFTEN, commands=OFTEN, tables=OFTEN)
    async with listening_server(
        tmp_path / "tournaments.sqlite", settings=Settings().without_limits(), limits=limits
    ) as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, server: ListeningServer) -> AsyncIterator[PageOpener]:
    async with AsyncExitStack() as opened:
        opener = PageOpener(browser, server.base, opened)
        yield opener
        await opened.aclose()
    assert not opener.page_errors, "\n".join(opener.page_errors)


async def log_in(page: Page, server: ListeningServer, client: httpx.AsyncClient) -> None:
    """Log the page in as the player of a client."""
    cookie = {"name": SESSION_COOKIE, "value": client.cookies[SESSION_COOKIE], "url": server.base}
    await page.context.add_cookies([cookie])  # type: ignore[list-item]  # the type has members that are optional


@pytest.mark.slow
async def test_people_join_by_the_link_and_are_taken_to_their_table(open_page: PageOpener) -> None:
    host = await open_page("/tournaments", **REDUCED_MOTION)
    await host.get_by_label("Name of the tournament").fill("Club night")
    for _ in range(2):
        await host.get_by_role("button", name="Fewer: Players at a table").click()
    await host.get_by_role("button", name="Create tournament").click()
    await expect(host.get_by_role("heading", name="Club night")).to_be_visible()
    assert await violations(host) == []
    players = []
    for name in ("Ann", "Bo"):
        page = await open_page(urlsplit(host.url).path, **PHONE, **REDUCED_MOTION)
        await page.get_by_label("Your name (optional)").fill(name)
        await page.get_by_role("button", name="Join", exact=True).press("Enter")
        await expect(page.get_by_role("heading", name="You are in")).to_be_visible()
        players.append(page)
    await expect(host.get_by_role("link", name="Bo", exact=True)).to_be_visible()
    await host.get_by_role("button", name="Start with 2 players").click()
    for page in players:
        await page.wait_for_url(re.compile("/t/"))
        await expect(page.get_by_role("link", name="Round 1")).to_be_visible()
    assert players[0].url == players[1].url
    await expect(host.get_by_text("Round 1 of 5 · 0 of 1 tables finished")).to_be_visible()
    for label in ("End tournament", "Really end it?"):
        await host.get_by_role("button", name=label).click()
    await expect(host.get_by_text(re.compile("share the win"))).to_be_visible()
    await expect(players[0].get_by_role("alert")).to_contain_text("Time for this round was up")
    await players[0].get_by_role("link", name="To the tournament").click()
    row = players[0].get_by_role("row", name=re.compile("Ann"))
    await expect(row).to_contain_text("0.50")
    assert await violations(players[0]) == []


@pytest.mark.slow
async def test_the_next_round_takes_players_from_their_finished_table(
    open_page: PageOpener, server: ListeningServer
) -> None:
    async with server.guest("Host") as host, server.guest("Ann") as ann, server.guest("Bo") as bo:
        tournament = await create(host)
        for person in (ann, bo):
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        await command(host, tournament, "pause")
        first = (await view(ann, tournament))["me"]["table"]
        page = await open_page("/", **PHONE, **REDUCED_MOTION)
        await log_in(page, server, ann)
        await page.goto(f"{server.base}/t/{first}")
        playing = [asyncio.create_task(play(person, tournament)) for person in (ann, bo)]
        await until(host, tournament, "paused")
        for task in playing:
            task.cancel()
        await expect(page.get_by_role("link", name="To the tournament")).to_be_visible()
        await expect(page.get_by_role("button", name="Play again")).to_have_count(0)
        await command(host, tournament, "start_round", round=2)
        second = (await view(ann, tournament))["me"]["table"]
        await page.wait_for_url(f"{server.base}/t/{second}")
        await page.go_back()  # the finished table would lead to the next one again
        await page.wait_for_url(f"{server.base}/")


@pytest.mark.long
@pytest.mark.parametrize("scheme", SCHEMES)
async def test_a_running_tournament_is_accessible_in_every_language(
    open_page: PageOpener, server: ListeningServer, scheme: str
) -> None:
    async with AsyncExitStack() as stack:
        host = await stack.enter_async_context(server.guest("Host"))
        people = [await stack.enter_async_context(server.guest(f"Player {number}")) for number in range(9)]
        tournament = await create(host, rounds=3, break_time=600_000)
        for person in people:
            await command(person, tournament, "join")
        await command(host, tournament, "start_round", round=1)
        for language, size in (("en", {}), ("de", PHONE), ("fr", PHONE), ("zh", PHONE)):
            page = await open_page("/", color_scheme=scheme, locale=language, **REDUCED_MOTION, **size)
            for client in (host, people[0]):
                await log_in(page, server, client)
                await page.goto(f"{server.base}/tournaments/{tournament}")
                await expect(page.locator("table")).to_be_visible()
                await page.locator("summary").click()
                assert await violations(page) == []
                assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
async def test_the_host_admits_who_asks_to_join(open_page: PageOpener, server: ListeningServer) -> None:
    async with server.guest("Host") as client:
        tournament = await create(client, admission="approval")
        host = await open_page(None, **PHONE, **REDUCED_MOTION)
        await log_in(host, server, client)
        await host.goto(f"/tournaments/{tournament}")
        page = await open_page(f"/tournaments/{tournament}", **REDUCED_MOTION)
        await page.get_by_label("Your name (optional)").fill("Ann")
        await page.get_by_role("button", name="Ask to join").click()
        await expect(page.get_by_text("The host has to admit you. Keep this page open.")).to_be_visible()
        players = page.get_by_role("region", name="Players")
        await expect(players.get_by_role("link")).to_have_count(0)
        await expect(host.get_by_role("heading", name="Want to join")).to_be_visible()
        assert await violations(host) == []
        await host.get_by_role("button", name="Admit Ann").click()
        await expect(page.get_by_role("heading", name="You are in")).to_be_visible()
        await expect(players.get_by_role("link", name="Ann")).to_be_visible()
        for label in ("Report the name", "Send the report?"):
            await page.get_by_role("button", name=label).click()
        await expect(page.get_by_text("Thank you.")).to_be_visible()
