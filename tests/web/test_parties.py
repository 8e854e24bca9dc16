"""Parties in the browser: start one with one tap, join by its link, play, and see the score."""

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, expect
from tests.server.app_server import listening_server
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, create_table, send_command
from tests.web.test_accessibility import violations
from tests.web.test_viewports import PROBLEMS


@pytest_asyncio.fixture(loop_scope="session")
async def open_page(browser: Browser, tmp_path: Path) -> AsyncIterator[PageOpener]:
    async with AsyncExitStack() as opened, listening_server(tmp_path / "parties.sqlite") as server:
        opener = PageOpener(browser, server.base, opened)
        yield opener
        await opened.aclose()
    assert not opener.page_errors, "\n".join(opener.page_errors)


async def play_to_the_end(page: Page, other: Page) -> None:
    """Let both players play their cards by the keyboard until the game is over."""
    over = "document.querySelector('table-page').connection.room.status === 'finished'"
    for open_tab in (page, other):
        while not await open_tab.evaluate("Boolean(document.querySelector('table-page')?.connection?.room)"):
            await open_tab.wait_for_timeout(50)
    while not await page.evaluate(over):
        for open_tab in (page, other):
            await open_tab.evaluate(
                """async () => {
                  const { connection } = document.querySelector("table-page");
                  const { seat, actions, choice, decision } = connection.room;
                  if (!actions.length || choice !== undefined) return;
                  const choose = { command: "choose", seat, action: actions[0], decision };
                  await connection.send(choose).catch(() => undefined);
                }"""
            )
        await page.wait_for_timeout(50)


async def see_the_podium(page: Page) -> None:
    """Open the podium from the page of a party after two games, and the picture of it, and return."""
    await page.get_by_role("link", name="Podium and awards").click()
    await expect(page.get_by_text("This evening · 2 games")).to_be_visible()
    await expect(page.locator("standings-podium .steps li")).to_have_count(2)
    assert await violations(page) == []
    await page.get_by_role("button", name="Share picture").click()
    await expect(page.get_by_role("img", name=re.compile("Thursday cards"))).to_be_visible()
    await page.keyboard.press("Escape")
    await page.get_by_role("link", name="Back to the party").click()


async def test_back_from_a_party_leaves_its_link(open_page: PageOpener) -> None:
    host = await open_page("/", **REDUCED_MOTION)
    await host.get_by_role("button", name="Start a party").click()
    await host.get_by_role("button", name="Invite by link").click()
    link = await host.locator("share-dialog .link").input_value()
    guest = await open_page("/ladder", **REDUCED_MOTION)
    for _ in range(2):  # when the guest joins, and as a member
        await guest.evaluate("(link) => { location.href = link; }", link)
        join = guest.get_by_role("button", name="Join")
        await expect(join.or_(guest.get_by_role("heading", name="What do you play?"))).to_be_visible()
        if await join.count():
            await join.click()
        await expect(guest.get_by_role("heading", name="What do you play?")).to_be_visible()
        await guest.go_back()
        await expect(guest.locator("ladder-page")).to_be_visible()


async def test_an_account_finds_back_to_its_party_on_a_new_device(open_page: PageOpener) -> None:
    first = await open_page(None, **REDUCED_MOTION)
    account = {"login": "ann", "password": "six heads are too many"}
    assert (await first.request.post("/api/session", data={"name": "Ann"})).ok
    assert (await first.request.post("/api/account", data=account)).ok
    party = (await (await first.request.post("/api/parties", data={})).json())["id"]
    config = {"config": {"game": "nimmt", "bots": ["lowest"], "options": {"seats": 2}}}
    answer = await first.request.post(f"/api/parties/{party}/tables", data=config)
    assert answer.ok, await answer.text()
    table = (await answer.json())["id"]
    second = await open_page(None, **PHONE, **REDUCED_MOTION)
    assert (await second.request.post("/api/login", data=account)).ok
    await second.goto(f"/t/{table}")
    await second.get_by_role("link", name="Back to the party").click()
    await expect(second).to_have_url(re.compile(f"/party/{party}$"))


async def delay_countdown(page: Page) -> None:
    """Let countdowns of the party end four seconds later on this page, as if answers took that long."""

    async def handle(route: Route) -> None:
        answer = await route.fetch(timeout=0)
        party = await answer.json()
        if isinstance(party, dict) and "now" in party:
            party["now"] -= 4_000
        await route.fulfill(response=answer, json=party)

    await page.route(re.compile(r"/api/parties/\w+(\?after=\w+)?$"), handle)


async def problems_in_landscape(page: Page) -> list[str]:
    """Return what is covered or out of sight while the phone is turned."""
    await page.set_viewport_size({"width": 844, "height": 390})
    problems: list[str] = await page.evaluate(PROBLEMS)
    await page.set_viewport_size(PHONE["viewport"])
    return problems


async def follow_countdown_in_an_outage(*pages: Page) -> None:
    """Wait for the game of a countdown, while the first requests for it do not reach the server."""

    async def lose_first_starts(page: Page) -> None:
        left = iter(range(2))  # the request, and its repetition

        async def handle(route: Route) -> None:
            await (route.continue_() if next(left, None) is None else route.abort())

        await page.route("**/api/parties/*/tables", handle)

    for page in pages:
        await lose_first_starts(page)
    for page in pages:
        await expect(page.locator("nimmt-table .lane").first).to_be_visible()
        await page.unroute_all(behavior="ignoreErrors")


@pytest.mark.slow
async def test_a_party_from_one_tap_to_the_score(open_page: PageOpener) -> None:
    host = await open_page("/", **REDUCED_MOTION)
    await host.get_by_role("button", name="Start a party").click()
    await expect(host.get_by_role("heading", name="What do you play?")).to_be_visible()
    await host.get_by_text("Manage party").click()
    await host.get_by_label("Name of the party").fill("Thursday cards")
    await host.get_by_role("button", name="Save").click()
    await expect(host.get_by_role("heading", name="Thursday cards")).to_be_visible()
    await host.get_by_role("button", name="Invite by link").click()
    await expect(host.get_by_role("img", name=re.compile("Thursday cards"))).to_be_visible()  # the QR code
    link = await host.locator("share-dialog .link").input_value()
    await host.keyboard.press("Escape")

    guest = await open_page(link, **PHONE, **REDUCED_MOTION)
    await expect(guest.get_by_role("heading", name="Guest invites you")).to_be_visible()
    await expect(guest.get_by_text("Thursday cards")).to_be_visible()
    assert await violations(guest) == []
    await guest.get_by_label("Your name").fill("Bo")
    await guest.get_by_role("button", name="Join").click()
    await expect(guest.get_by_text("2 online")).to_be_visible()
    await expect(host.get_by_text("2 online")).to_be_visible()

    await host.get_by_role("link", name="All settings").click()
    await host.locator("summary", has_text="All settings").click()
    await host.get_by_label(re.compile("^Cards in a hand")).fill("1")
    await host.get_by_label(re.compile("^Heads that end")).fill("1")
    await host.get_by_role("button", name="Create table").click()
    # One tap starts the game for everyone who is there, here and after the game.
    await expect(guest.get_by_role("heading", name=re.compile("starts 6 nimmt!"))).to_be_visible()
    assert await violations(guest) == []
    await follow_countdown_in_an_outage(host, guest)
    assert await problems_in_landscape(guest) == []  # the status line is beside the link to the party
    await play_to_the_end(host, guest)
    await expect(guest.locator("table-result nav > *").first).to_have_text("Back to the party")
    table = guest.url
    await delay_countdown(host)  # the guest's page starts the game first, and the host's page follows
    await host.get_by_role("button", name="Again").click()
    await expect(guest.get_by_role("heading", name=re.compile("starts 6 nimmt!"))).to_be_visible()
    for page in (host, guest):
        await expect(page).not_to_have_url(table)
    await host.unroute_all(behavior="ignoreErrors")
    await play_to_the_end(host, guest)
    for page in (host, guest):
        await page.locator("table-result").get_by_role("link", name="Back to the party").click()
        await expect(page.get_by_role("heading", name="This evening")).to_be_visible()
        await expect(page.get_by_role("row", name=re.compile("Bo"))).to_be_visible()
        assert await violations(page) == []
    await expect(host.get_by_role("heading", name="Next game")).to_be_visible()

    await see_the_podium(guest)

    await host.get_by_role("button", name="Remove Bo").click()
    await host.get_by_role("button", name="Remove for good?").click()
    await expect(guest.get_by_role("heading", name=re.compile("^This party does not exist"))).to_be_visible()
    await guest.goto(link)
    await expect(guest.get_by_text("This link is not valid any more")).to_be_visible()
    # The browser reports responses with an error status on the console.
    expected = re.compile("status of 40|ERR_FAILED")
    open_page.page_errors[:] = [error for error in open_page.page_errors if not expected.search(error)]


async def play_again(page: Page, players: list[Page]) -> None:
    """Start the next game from the page of a finished one, and wait until it is on the pages of all players."""
    before = page.url
    await page.get_by_role("button", name="Again").click()
    for player in players:
        await expect(player).not_to_have_url(before)


async def choose_until_over(pages: list[Page]) -> None:
    """Let all pages take their first choices until the game is over on each of them."""
    over = "document.querySelector('table-page')?.connection?.room?.status === 'finished'"
    while not all([await page.evaluate(over) for page in pages]):
        for page in pages:
            await page.evaluate(
                """async () => {
                  const { connection } = document.querySelector("table-page") ?? {};
                  const { seat, actions = [], choice, decision } = connection?.room ?? {};
                  if (!actions.length || choice !== undefined) return;
                  const choose = { command: "choose", seat, action: actions[0], decision };
                  await connection.send(choose).catch(() => undefined);
                }"""
            )
        await pages[0].wait_for_timeout(50)


@pytest.mark.long
async def test_an_evening_of_five_games_outlives_a_sleeping_phone(open_page: PageOpener) -> None:
    ann = await open_page("/", **REDUCED_MOTION)
    await ann.get_by_role("button", name="Start a party").click()
    await ann.get_by_role("button", name="Invite by link").click()
    link = await ann.locator("share-dialog .link").input_value()
    await ann.keyboard.press("Escape")
    bo, cy = [await open_page(link, **PHONE, **REDUCED_MOTION) for _ in range(2)]
    for page, name in ((bo, "Bo"), (cy, "Cy")):
        await page.get_by_label("Your name").fill(name)
        await page.get_by_role("button", name="Join").click()
    everyone = [ann, bo, cy]
    for page in everyone:
        await expect(page.get_by_text("3 online")).to_be_visible()

    await ann.get_by_role("link", name="All settings").click()
    await ann.locator("summary", has_text="All settings").click()
    await ann.get_by_label(re.compile("^Cards in a hand")).fill("2")
    await ann.get_by_label(re.compile("^Heads that end")).fill("1")
    await ann.get_by_role("button", name="Create table").click()
    await choose_until_over(everyone)

    # The phone of Cy sleeps during the second game: no timer runs, and no message arrives.
    await play_again(bo, everyone)
    for page in everyone:
        await expect(page.locator("nimmt-table .held").first).to_be_visible()
    sleeper = await cy.context.new_cdp_session(cy)
    await cy.context.set_offline(True)
    await sleeper.send("Page.setWebLifecycleState", {"state": "frozen"})
    await choose_until_over([ann, bo])
    await play_again(ann, [ann, bo])
    await choose_until_over([ann, bo])

    # It wakes up after the third game, and its owner plays the last two.
    await cy.context.set_offline(False)
    await sleeper.send("Page.setWebLifecycleState", {"state": "active"})
    await expect(cy.get_by_role("link", name="Back to the party").first).to_be_visible()
    for page in everyone:
        await page.get_by_role("link", name="Back to the party").first.click()
        await expect(page.get_by_text("3 online")).to_be_visible()
    await cy.get_by_text("Niu Niu").click()
    await cy.get_by_role("button", name="Play", exact=True).click()
    for page in everyone:
        await expect(page.locator("niuniu-table")).to_be_visible()
    await choose_until_over(everyone)
    await play_again(bo, everyone)
    await choose_until_over(everyone)
    for page in everyone:
        await page.locator("table-result").get_by_role("link", name="Back to the party").click()
        await page.get_by_role("link", name="Podium and awards").click()
        await expect(page.get_by_text("This evening · 5 games")).to_be_visible()
        await expect(page.locator("standings-podium .steps li")).to_have_count(3)
        assert await violations(page) == []
    open_page.page_errors[:] = [error for error in open_page.page_errors if "ERR_INTERNET_DISCONNECTED" not in error]


@pytest.mark.slow
async def test_friends_are_invited_with_one_tap_and_see_it_on_any_page(open_page: PageOpener) -> None:
    host = await open_page(None, **REDUCED_MOTION)
    guest = await open_page(None, **PHONE, **REDUCED_MOTION)
    for page, name in ((host, "Ann"), (guest, "Bo")):
        assert (await page.request.post("/api/session", data={"name": name})).ok
    table = await create_table(host, game="nimmt", options={"seats": 3})
    await send_command(guest, table, "sit")
    await send_command(host, table, "close")

    await guest.goto("/friends")
    assert await violations(guest) == []
    await guest.get_by_role("button", name="Ask to be friends: Ann").click()
    await expect(guest.get_by_role("heading", name="Asked")).to_be_visible()
    await guest.goto("/ladder")
    await host.goto("/")
    await expect(host.get_by_text("Bo wants to be friends")).to_be_visible()
    assert await violations(host) == []
    await host.get_by_role("button", name="Accept").click()
    await expect(host.get_by_text("Bo wants to be friends")).to_have_count(0)

    await host.goto("/new")
    await host.get_by_role("button", name="Create table").click()
    await host.get_by_role("button", name="Invite friends").click()
    await host.get_by_role("button", name="Invite: Bo").click()
    assert await violations(host) == []
    await expect(guest.get_by_text("Ann invites you to 6 nimmt!")).to_be_visible()
    assert await violations(guest) == []
    await guest.get_by_role("button", name="Accept").click()
    await expect(guest.get_by_role("heading", name="You are seated")).to_be_visible()
    await expect(guest.get_by_text("Ann invites you")).to_have_count(0)

    await guest.goto("/friends")
    await guest.get_by_role("button", name="Block: Ann").click()
    await guest.get_by_role("button", name="Block Ann?: Ann").click()
    await expect(guest.get_by_role("heading", name="Blocked")).to_be_visible()
