"""The page /watch, and the people online on the home page."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.async_api import Page, expect
from tests.server.app_server import ListeningServer, in_background
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener
from tests.web.test_accessibility import violations

from faceup.server.http.rate_limits import ServerLimits

PLAYERS = ("Ann", "Bo")
WATCHED = "document.querySelector('watch-page')?.connection?.table"


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ListeningServer]:
    """A server on which no other test has public tables."""
    with in_background(tmp_path_factory.mktemp("watch") / "t.sqlite", ServerLimits()) as server:
        yield server


async def players_of_a_table(open_page: PageOpener, server: ListeningServer, **config: Any) -> tuple[str, list[Page]]:
    """Return a public table with two people, and a page for each of them."""
    pages = [await open_page(None, base=server.base, **REDUCED_MOTION) for _ in PLAYERS]
    config = {"game": "nimmt", "options": {"seats": 2, "hand": 1}, "terms": {"clock": None}, "listed": True} | config
    table = ""
    for page, name in zip(pages, PLAYERS, strict=True):
        await ask(page, server, "/api/session", {"name": name})
        if not table:
            table = (await ask(page, server, "/api/tables", {"config": config}))["id"]
        else:
            await ask(page, server, f"/api/tables/{table}/commands", {"id": "sit", "command": "sit"})
    return table, pages


async def ask(page: Page, server: ListeningServer, path: str, data: dict[str, Any] | None = None) -> Any:  # Any: JSON
    method = "GET" if data is None else "POST"
    answer = await page.request.fetch(server.base + path, method=method, data=data)
    assert answer.ok, await answer.text()
    return await answer.json()


async def finish(table: str, pages: list[Page], server: ListeningServer) -> None:
    """Play the game to its end."""
    while True:
        for page in pages:
            room = (await ask(page, server, f"/api/tables/{table}"))["room"]
            if room["status"] == "finished":
                return
            if room["actions"] and "choice" not in room:
                choice = {"seat": room["seat"], "action": room["actions"][0], "decision": room["decision"]}
                body = {"id": f"{room['decision']}", "command": "choose", **choice}
                await ask(page, server, f"/api/tables/{table}/commands", body)


@pytest.mark.long
async def test_the_next_game_follows_when_a_game_is_over(open_page: PageOpener, own_server: ListeningServer) -> None:
    """The page waits for a first game, says that none follows, and continues with the next after a countdown."""
    page = await open_page("/watch", base=own_server.base, **REDUCED_MOTION | PHONE)
    await expect(page.get_by_role("heading", name="No public game is in progress")).to_be_visible()
    await expect(page.get_by_role("button", name="Quick match: 6 nimmt!")).to_be_visible()
    assert await violations(page) == []

    first, pages = await players_of_a_table(open_page, own_server)
    await expect(page.get_by_text("Waiting for Ann and Bo.")).to_be_visible()
    assert await violations(page) == []
    await finish(first, pages, own_server)
    toast = page.get_by_role("region", name="Next game")
    await expect(toast.get_by_text("No other public game is in progress.")).to_be_visible()

    second, pages = await players_of_a_table(open_page, own_server)
    await expect(toast.get_by_text("The next game starts in")).to_be_visible()
    await expect(page.locator("#announcements")).to_contain_text("The next game starts in 12 s.")
    assert await violations(page) == []
    await page.get_by_role("button", name="Watch now").click()
    await expect(page.get_by_text("Waiting for Ann and Bo.")).to_be_visible()
    assert await page.evaluate(WATCHED) == second

    third, others = await players_of_a_table(open_page, own_server, game="war", options={})
    await expect(page.get_by_role("button", name="2 games")).to_be_visible()
    await page.get_by_role("button", name="2 games").click()
    dialog = page.get_by_role("dialog")
    assert await violations(page) == []
    await dialog.get_by_role("button", name="War").click()
    await expect(page.locator("war-table")).to_be_visible()
    assert await page.evaluate(WATCHED) == third

    await ask(others[0], own_server, f"/api/tables/{third}/commands", {"id": "close", "command": "close"})
    await page.get_by_role("button", name="Stay here").click()
    await expect(toast.get_by_text("The next game starts in")).to_be_hidden()
    assert await page.evaluate(WATCHED) == third
    await finish(second, pages, own_server)


async def test_players_do_not_watch_their_own_games(open_page: PageOpener, own_server: ListeningServer) -> None:
    table, pages = await players_of_a_table(open_page, own_server)
    await pages[0].goto("/watch")
    await expect(pages[0].get_by_role("heading", name="No public game is in progress")).to_be_visible()
    await finish(table, pages, own_server)


async def test_home_lists_people_at_public_tables_until_they_leave_the_list(
    open_page: PageOpener, own_server: ListeningServer
) -> None:
    table, (ann, bo) = await players_of_a_table(open_page, own_server)
    await ann.goto(f"/t/{table}")
    page = await open_page(None, base=own_server.base, **REDUCED_MOTION)
    while not (await ask(page, own_server, "/api/online"))["people"]:
        await page.wait_for_timeout(100)
    await page.clock.install()
    await page.goto("/")
    link = page.get_by_role("link", name=re.compile("Watch Ann.s game"))
    await expect(link).to_have_attribute("href", f"/t/{table}")
    await expect(page.get_by_role("heading", name="people online")).to_be_visible()
    assert await violations(page) == []

    own_page = await ann.context.new_page()
    await own_page.goto("/me")
    box = own_page.get_by_role("checkbox", name="Show me in the list of people online")
    await box.uncheck()
    await own_page.wait_for_function("async () => !(await (await fetch('/api/me')).json()).listed")
    await page.clock.fast_forward(8_000)  # the page reads the list again
    await expect(link).to_be_hidden()
    await own_page.reload()
    await expect(box).not_to_be_checked()
    await finish(table, [ann, bo], own_server)
