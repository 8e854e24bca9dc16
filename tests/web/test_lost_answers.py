"""A connection that loses answers: the person taps again, and the same thing happens once."""

import asyncio
import json
import re
import sqlite3
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable
from urllib.error import HTTPError

import pytest
from playwright.async_api import Page, Route, expect
from tests.server.server_process import Server
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table

Tap = Callable[[Page], Awaitable[None]]

LOST = 2
"""How many answers to each choice are lost: the one to the tap, and the one to the repetition by the page."""


def send(route: Route, headers: dict[str, str]) -> None:
    """Send a request of the page outside of the browser, so that the answer and its cookies do not arrive."""
    request = route.request
    body = (request.post_data or "").encode()
    sent = urllib.request.Request(request.url, body, headers, method=request.method)  # noqa: S310 -- the server of this test
    try:
        urllib.request.urlopen(sent, timeout=60).close()  # noqa: S310 -- as above
    except HTTPError as error:
        raise AssertionError(error.read()) from None


async def lose_answers(page: Page) -> Counter[str]:
    """Lose the first answers to each request that changes something. Return how many were lost, by key."""
    lost: Counter[str] = Counter()

    async def handle(route: Route) -> None:
        request = route.request
        headers = await request.all_headers()
        key = headers.get("idempotency-key") or str(json.loads(request.post_data or "{}").get("id"))
        if request.method == "GET" or lost[key] == LOST:
            await route.continue_()
            return
        lost[key] += 1
        await asyncio.to_thread(send, route, {name: value for name, value in headers.items() if name[0] != ":"})
        await route.abort()

    await page.route("**/api/**", handle)
    return lost


def count(server: Server, table: str) -> int:
    """Return the number of rows of a table of the server's database."""
    (path,) = server.data.rglob("tables.sqlite")
    with sqlite3.connect(path) as connection:
        count: int = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 -- a name of this test
    return count


def button(name: str | re.Pattern[str]) -> Tap:
    async def tap(page: Page) -> None:
        await page.get_by_role("button", name=name).first.click()

    return tap


async def create_tournament(page: Page) -> None:
    await page.get_by_label("Name of the tournament").fill("Club night")
    await page.get_by_role("button", name="Create tournament").click()


CHOICES = {
    "bots": ("/", button(re.compile("^Play now: War")), "/t/", "rooms"),
    "quick match": ("/", button(re.compile("^Quick match: War")), "/t/", "rooms"),
    "table": ("/new", button("Create table"), "/t/", "rooms"),
    "party": ("/", button("Start a party"), "/party/", "parties"),
    "tournament": ("/tournaments", create_tournament, "/tournaments/", "tournaments"),
    "daily": ("/daily", button("Play"), "/t/", "rooms"),
}


@pytest.mark.parametrize("choice", CHOICES)
async def test_a_tap_after_a_lost_answer_does_the_same_thing_once(
    open_page: PageOpener, server: Server, choice: str
) -> None:
    path, tap, leads_to, table = CHOICES[choice]
    page = await open_page(path, **REDUCED_MOTION)
    before = count(server, "players"), count(server, table)
    lost = await lose_answers(page)
    await tap(page)
    await expect(page.get_by_text("The server does not respond").first).to_be_visible()
    await page.reload()  # the choice survives it
    await tap(page)
    await page.wait_for_url(f"**{leads_to}*")
    assert [*lost.values()] == [LOST]
    assert (count(server, "players"), count(server, table)) == (before[0] + 1, before[1] + 1)
    open_page.page_errors.clear()  # the browser reports requests without an answer


async def test_another_choice_after_a_lost_answer_is_made_by_the_same_guest(
    open_page: PageOpener, server: Server
) -> None:
    page = await open_page("/", **REDUCED_MOTION)
    players, rooms = count(server, "players"), count(server, "rooms")
    await lose_answers(page)
    await button(re.compile("^Play now: War"))(page)
    await expect(page.get_by_text("The server does not respond")).to_be_visible()
    other = page.get_by_role("article").filter(has_text="Niu Niu")
    await button(re.compile("^Play now: Niu Niu"))(page)
    await expect(other.get_by_text("The server does not respond")).to_be_visible()
    await button(re.compile("^Play now: Niu Niu"))(page)
    await page.wait_for_url("**/t/*")
    info = await (await page.request.get("/api/tables/" + page.url.rpartition("/")[2])).json()
    assert info["room"]["config"]["game"] == "niuniu"
    assert (count(server, "players"), count(server, "rooms")) == (players + 1, rooms + 2)
    open_page.page_errors.clear()


async def test_a_seat_is_taken_once_by_one_guest(open_page: PageOpener, server: Server) -> None:
    host = await open_page(None, **REDUCED_MOTION)
    table = await create_table(host, game="nimmt", options={"seats": 4})
    page = await open_page(f"/t/{table}", **REDUCED_MOTION)
    players = count(server, "players")
    await lose_answers(page)
    tap = button(re.compile("^(Sit|Take)"))
    await tap(page)
    await expect(page.get_by_text("The server does not respond").first).to_be_visible()
    await page.get_by_role("textbox").first.fill("Bo")  # another name is not another guest
    await tap(page)
    await expect(page.get_by_role("heading", name="You are seated")).to_be_visible()
    view = await (await page.request.get(f"/api/tables/{table}")).json()
    assert sum(seat is not None for seat in view["room"]["seats"]) == 2
    assert count(server, "players") == players + 1
    open_page.page_errors.clear()


async def test_the_recovery_codes_of_an_account_arrive_after_a_lost_answer(open_page: PageOpener) -> None:
    page = await open_page("/me", **REDUCED_MOTION)
    await page.get_by_role("button", name="Play as guest").click()
    await page.get_by_role("heading", name="Guest").first.wait_for()
    await lose_answers(page)
    form = page.locator("form", has=page.get_by_role("button", name="Create account"))
    await form.get_by_label(re.compile("name", re.IGNORECASE)).first.fill("lost-answers")
    await form.locator("input[type=password]").first.fill("correct horse battery")
    for words in ("The server does not respond", re.compile("recovery codes", re.IGNORECASE)):
        await page.get_by_role("button", name="Create account").click()
        await expect(page.get_by_text(words).first).to_be_visible()
    await page.unroute_all(behavior="wait")  # the page sends more requests, whose answers are lost, too
    await page.evaluate("() => new Promise(requestAnimationFrame)")
    open_page.page_errors.clear()


async def test_without_cookies_the_page_says_so_and_creates_no_guests(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/", **REDUCED_MOTION)
    players = count(server, "players")

    async def without_cookies(route: Route) -> None:
        answer = await route.fetch()
        await page.context.clear_cookies()
        headers = {name: value for name, value in answer.headers.items() if name != "set-cookie"}
        await route.fulfill(response=answer, headers=headers)

    await page.route("**/api/tables", without_cookies)
    for _ in range(2):
        await button(re.compile("^Play now: War"))(page)
        await expect(page.get_by_text("This page needs cookies")).to_be_visible()
    assert count(server, "players") == players + 1
    await page.evaluate("Object.defineProperty(navigator, 'cookieEnabled', { value: false })")
    await button(re.compile("^Quick match: War"))(page)
    await expect(page.get_by_text("This page needs cookies")).to_be_visible()
    assert count(server, "players") == players + 1
