"""Rematches on the page: toast, saved seats, countdown, running score, and an evening of sleeping phones."""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.server.server_process import serving
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, create_table, send_command
from tests.web.driver import TABLE_VIEW, play_match, room
from tests.web.test_accessibility import violations

ASK = "Play again"
IN_NEXT_GAME = f"before => !location.href.includes(before) && {TABLE_VIEW}?.status === 'active'"
"""Whether the page shows a running game at another table than before."""


async def guest(open_page: PageOpener, name: str, base: str | None = None, **browser: object) -> Page:
    """Open a page as a guest with this name."""
    page = await open_page(None, base=base, **REDUCED_MOTION | browser)
    answer = await page.request.post("/api/session", data={"name": name})
    assert answer.ok
    return page


async def play_to_result(page: Page) -> None:
    await play_match(page)
    await page.locator("table-result #winner").wait_for()


def table_of(page: Page) -> str:
    return page.url.split("/t/")[1]


@pytest.mark.long
async def test_one_tap_brings_everyone_back_and_the_score_runs_on(open_page: PageOpener) -> None:
    ann, bo = await guest(open_page, "Ann"), await guest(open_page, "Bo", **PHONE)
    table = await create_table(ann, game="nimmt", options={"seats": 4, "hand": 2}, bots=["greedy", "random"])
    await send_command(bo, table, "sit")
    await send_command(ann, table, "start")
    watcher = await open_page(f"/t/{table}", **REDUCED_MOTION)
    for page in (ann, bo):
        await page.goto(f"/t/{table}")
    await asyncio.gather(*(play_to_result(page) for page in (ann, bo)))
    await watcher.locator("table-result #winner").wait_for()
    first = await room(ann)

    await ann.get_by_role("button", name=ASK).click()
    lobby = ann.locator("table-lobby")
    await expect(lobby.get_by_text("Waiting for Bo. The game starts when everyone is here.")).to_be_visible()
    await expect(lobby.locator("li.held")).to_have_text(re.compile(r"Bo\s*seat saved"))
    await expect(lobby.get_by_text("Running score after 1 game")).to_be_visible()
    await expect(lobby.get_by_role("button", name="Start without Bo")).to_be_visible()
    await expect(lobby.locator("share-table")).to_have_count(0)  # no seat is free
    await lobby.locator("table-series tbody tr").nth(3).wait_for()
    assert await violations(ann) == []
    table = table_of(ann)

    home = await bo.context.new_page()
    await home.goto("/")
    await expect(home.locator("my-tables")).to_contain_text("Your seat is saved")
    await home.close()

    await expect(bo.locator("rematch-toast")).to_contain_text("Ann wants to play again.")
    assert await violations(bo) == []
    await bo.get_by_role("button", name="Join", exact=True).click()
    await expect(bo.locator("table-countdown [role=timer]")).to_be_visible()
    await expect(ann.locator("table-countdown [role=timer]")).to_be_visible()
    await expect(ann.locator("#announcements")).to_contain_text("The game starts in 3 seconds.")
    second = await room(bo)
    assert [seat["name"] for seat in second["seats"]] == [seat["name"] for seat in first["seats"]]
    assert (second["seat"], second["status"]) == (1, "active")
    await expect(ann.locator("table-countdown")).to_have_count(0)
    await watcher.wait_for_url(re.compile(table))  # spectators follow

    await asyncio.gather(*(play_to_result(page) for page in (ann, bo)))
    series = (await room(bo))["series"]
    assert series["games"] == 2
    assert [player["scores"][0] for player in series["players"]] == first["result"]["scores"]
    await bo.get_by_role("button", name=ASK).click()
    await bo.get_by_text("Running score after 2 games").wait_for()
    await expect(ann.locator("rematch-toast")).to_contain_text("Bo wants to play again.")
    await ann.locator("rematch-toast").get_by_role("button", name="Close").click()
    await expect(ann.locator("rematch-toast")).to_have_count(0)
    await bo.get_by_role("button", name="Start without Ann").click()
    await bo.locator("faceup-table .next").wait_for()
    assert (await room(bo))["seats"][0]["kind"] == "greedy"


@pytest.mark.long
async def test_a_spectator_can_stay_at_the_finished_table(open_page: PageOpener) -> None:
    ann, watcher = await guest(open_page, "Ann"), await open_page(None, **REDUCED_MOTION)
    table = await create_table(ann, game="nimmt", options={"seats": 2, "hand": 1}, bots=["random"])
    await send_command(ann, table, "start")
    await asyncio.gather(*(page.goto(f"/t/{table}") for page in (ann, watcher)))
    await play_to_result(ann)
    await watcher.locator("table-result #winner").wait_for()
    await ann.get_by_role("button", name=ASK).click()
    await ann.wait_for_url(lambda url: table not in url)
    await ann.locator("faceup-table .next.mine").wait_for()
    assert (await room(ann))["status"] == "active"  # against bots alone a rematch starts at once
    assert "countdown_ends" not in await room(ann)
    await watcher.get_by_role("button", name="Stay here").click()
    await expect(watcher.locator("rematch-toast")).to_have_count(0)
    assert table in watcher.url
    await watcher.goto(f"/t/{table}/replay")
    await expect(watcher.locator("header .chip")).to_have_text("not rated")


async def test_the_home_page_puts_the_table_first_that_waits_for_a_choice(open_page: PageOpener) -> None:
    page = await guest(open_page, "Ann")
    tables = [
        await create_table(page, game="nimmt", options={"seats": 2}, bots=["random"], terms={"clock": clock})
        for clock in (None, 200_000)
    ]
    for table in tables:
        await send_command(page, table, "start")
    await create_table(page, game="war")
    await page.goto("/")
    lines = page.locator(".waiting li")
    await expect(lines).to_have_count(3)
    await expect(lines.nth(0)).to_contain_text(re.compile(r"Your turn · 3:\d\d"))
    await expect(lines.nth(1).locator("em")).to_have_text("Your turn")
    await expect(lines.nth(2)).to_contain_text("Not started")
    tops = [
        await page.locator(selector).evaluate("each => each.getBoundingClientRect().top")
        for selector in (".waiting", ".games")
    ]
    assert tops == sorted(tops)


async def test_games_against_bots_have_no_clock_and_no_rating_and_niu_niu_has_five_throws(
    open_page: PageOpener,
) -> None:
    page = await open_page("/", **REDUCED_MOTION)
    for game in ("6 nimmt!", "Niu Niu"):
        await page.get_by_role("button", name=f"Play now: {game}, against bots").click()
        await expect(page.locator("header .chip")).to_have_text("not rated")
        config = (await room(page))["config"]
        assert (config["terms"].get("clock"), config["rated"]) == (None, False)
        await page.goto("/")
    assert config["options"] == {"throws": 5}


async def test_a_host_who_starts_with_bots_alone_has_no_clock_unless_it_is_asked_for(open_page: PageOpener) -> None:
    for clocked in (False, True):
        page = await guest(open_page, "Ann")
        table = await create_table(page, game="nimmt", options={"seats": 2}, bots=["random"], terms={"clock": 60_000})
        await page.goto(f"/t/{table}")
        choice = page.get_by_label("No time limit against bots alone")
        await expect(choice).to_be_checked()
        if clocked:
            await choice.uncheck()
        await page.get_by_role("button", name=re.compile("^Start")).click()
        await page.locator("faceup-table .next.mine").wait_for()
        assert ("due" in await room(page)) == clocked
        await page.get_by_role("button", name="Menu").click()
        pace = page.get_by_role("button", name="Remove my time limit" if clocked else "Restore my time limit")
        await expect(pace).to_be_visible()


async def test_rated_is_a_visible_choice_with_a_reason_where_it_is_impossible(open_page: PageOpener) -> None:
    page = await open_page("/new?game=nimmt", **REDUCED_MOTION)
    rated = page.get_by_role("checkbox", name=re.compile("^Rated game"))
    await expect(rated).not_to_be_checked()  # by default only for players with an account
    await rated.check()
    await page.get_by_text("All settings").click()
    await page.get_by_label("Cards in a hand").fill("7")
    await page.get_by_label("Cards in a hand").press("Tab")
    await expect(rated).to_be_disabled()
    await expect(rated).not_to_be_checked()
    await expect(page.get_by_text("Only games with the default options are rated.")).to_be_visible()
    await page.get_by_label("Cards in a hand").fill("")
    await page.get_by_label("Cards in a hand").press("Tab")
    await expect(rated).to_be_checked()
    await page.get_by_text("Niu Niu", exact=True).click()
    await expect(page.get_by_text("This game is pure chance, so it is never rated.")).to_be_visible()
    await page.locator("label.nimmt").click()
    await page.get_by_text("Public table").click()
    await page.get_by_role("button", name="Create table").click()
    await expect(page.locator("table-lobby .chip", has_text=re.compile("^rated$"))).to_be_visible()
    assert (await room(page))["config"]["rated"]
    other = await open_page("/")
    await expect(other.get_by_role("link", name=re.compile("s per choice · rated")).first).to_be_visible()


@asynccontextmanager
async def asleep(page: Page, *, network: bool) -> AsyncIterator[None]:
    """Stop the scripts of a page, as on a phone that sleeps. With `network`, its connection stays open."""
    session = await page.context.new_cdp_session(page)
    await session.send("Debugger.enable")
    await session.send("Debugger.pause")
    await page.context.set_offline(not network)
    try:
        yield
    finally:
        await page.context.set_offline(False)
        await session.send("Debugger.disable")  # resumes the scripts
        await session.detach()


async def ask_again(page: Page) -> None:
    await page.locator("table-result").get_by_role("button", name=re.compile("Play again|Join")).click()


async def play_evening_game(people: list[Page], sleeper: Page, *, network: bool, ends_asleep: bool) -> None:
    """Play a game to its end, while the sleeper's phone sleeps after the first choice."""
    others = [page for page in people if page is not sleeper]
    seat = (await room(sleeper))["seat"]
    await asyncio.gather(*(play_match(page, most=1) for page in people))
    async with asleep(sleeper, network=network):
        for page in others:
            await expect(page.locator("table-seats li").nth(seat).locator(".badge.lost")).to_be_visible()
        await asyncio.gather(*(play_match(page, most=None if ends_asleep else 1) for page in others))
        if ends_asleep:  # and the others ask for a rematch
            for page in others:
                await page.locator("table-result #winner").wait_for()
            await asyncio.gather(*(ask_again(page) for page in others))
            await others[0].get_by_text(re.compile("^Waiting for")).wait_for()
    await asyncio.gather(*(play_match(page) for page in ([sleeper] if ends_asleep else people)))


@pytest.mark.long
async def test_three_people_and_two_bots_play_five_games_while_one_phone_sleeps_in_each(
    open_page: PageOpener, tmp_path: Path
) -> None:
    with serving(tmp_path) as server:
        ann = await guest(open_page, "Ann", server.address)
        bo, cy = [await guest(open_page, name, server.address, **PHONE) for name in ("Bo", "Cy")]
        people = [ann, bo, cy]
        options, bots = {"seats": 5, "hand": 4}, ["greedy", "random"]
        table = await create_table(ann, game="nimmt", options=options, bots=bots, terms={"clock": 5_000})
        for page in (bo, cy):
            await send_command(page, table, "sit")
        await send_command(ann, table, "start")
        await asyncio.gather(*(page.goto(f"/t/{table}") for page in people))
        results = []
        for number, (sleeper, network, ends_asleep) in enumerate(
            ((bo, True, False), (cy, False, False), (bo, False, True), (cy, True, True), (bo, True, False))
        ):
            await play_evening_game(people, sleeper, network=network, ends_asleep=ends_asleep)
            await sleeper.locator("table-result #winner").wait_for()
            ended = await room(sleeper)
            results.append(ended["result"])
            names = [player["name"] for player in ended["seats"]]
            assert names == ["Ann", "Bo", "Cy", "Penny", "Lucky"], (number, names)
            record = await (await sleeper.request.get(f"/api/tables/{table}/record")).json()
            chosen_for = {entry["seat"] for entry in record["entries"] if entry["entry"] in {"timed_out", "autoplayed"}}
            assert ended["seat"] in chosen_for
            assert record["result"] == ended["result"]
            if number == 4:
                break
            if ends_asleep:
                await expect(sleeper.locator("rematch-toast")).to_contain_text("wants to play again.")
                await sleeper.locator("rematch-toast").get_by_role("button", name="Join").click()
            else:
                for page in people:
                    await page.locator("table-result #winner").wait_for()
                    assert (await room(page))["result"] == ended["result"]
                await asyncio.gather(*(ask_again(page) for page in people))  # at the same time
            for page in people:
                await page.wait_for_function(IN_NEXT_GAME, arg=table)
            table = table_of(ann)
            assert len({page.url for page in people}) == 1
        series = ended["series"]
        assert series["games"] == 5
        for seat, player in enumerate(series["players"]):
            assert player["scores"] == [result["scores"][seat] for result in results]
            assert player["places"] == [result["ranks"][seat] for result in results]
            assert player["score"] == sum(player["scores"])
        assert sum(player["wins"] for player in series["players"]) == pytest.approx(5)
        await asyncio.gather(*(page.goto("about:blank") for page in people))  # before the server stops
    assert all("ERR_INTERNET_DISCONNECTED" in error for error in open_page.page_errors), open_page.page_errors
    open_page.page_errors.clear()
