"""Rematches on the page: toast, held chairs, countdown, running score, and an evening of sleeping phones."""

import asyncio
import re
from pathlib import Path
from secrets import token_hex

import pytest
from playwright.async_api import Page, expect
from tests.server.server_process import serving
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, create_table, send_command
from tests.web.driver import play_match, room
from tests.web.test_accessibility import violations

from faceup.core import Action, AnyRules, View
from faceup.server.client import Client, play, policy_chooser

ASK = "Play again"


async def guest(open_page: PageOpener, name: str, base: str | None = None, **browser: object) -> Page:
    """Open a page as a guest with this name."""
    page = await open_page("/ladder", base=base, **REDUCED_MOTION | browser)
    origin = "/".join(page.url.split("/")[:3])
    answer = await page.request.post("/api/session", data={"name": name}, headers={"origin": origin})
    assert answer.ok
    return page


async def play_to_result(page: Page) -> None:
    await play_match(page)
    await page.locator("table-result #winner").wait_for()


def table_of(page: Page) -> str:
    return page.url.split("/t/")[1]


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
    await expect(lobby.locator("li.held")).to_have_text(re.compile(r"Bo\s*chair held"))
    await expect(lobby.get_by_text("Running score after 1 game")).to_be_visible()
    await expect(lobby.get_by_role("button", name="Start without Bo")).to_be_visible()
    await expect(lobby.locator("share-table")).to_have_count(0)  # no seat is free
    await lobby.locator("table-series tbody tr").nth(3).wait_for()
    assert await violations(ann) == []
    table = table_of(ann)

    home = await bo.context.new_page()
    await home.goto("/")
    await expect(home.locator(".waiting li.waits")).to_contain_text("Your chair is held")
    await home.close()

    await expect(bo.locator("rematch-toast")).to_contain_text("Ann wants to play again.")
    assert await violations(bo) == []
    await bo.get_by_role("button", name="Join", exact=True).click()
    await expect(bo.locator("table-countdown [role=timer]")).to_be_visible()
    await expect(ann.locator("table-countdown [role=timer]")).to_be_visible()
    await expect(ann.locator("#announcements")).to_contain_text("The game starts in 3 seconds.")
    second = await room(bo)
    assert [each["name"] for each in second["seats"]] == [each["name"] for each in first["seats"]]
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


async def test_a_spectator_can_stay_at_the_finished_table(open_page: PageOpener) -> None:
    ann, watcher = await guest(open_page, "Ann"), await open_page("/ladder", **REDUCED_MOTION)
    table = await create_table(ann, game="nimmt", options={"seats": 2, "hand": 1}, bots=["random"])
    await send_command(ann, table, "start")
    await asyncio.gather(*(page.goto(f"/t/{table}") for page in (ann, watcher)))
    await play_to_result(ann)
    await watcher.locator("table-result #winner").wait_for()
    await ann.get_by_role("button", name=ASK).click()
    await ann.wait_for_url(lambda url: table not in url)
    await ann.locator("faceup-table .next.mine").wait_for()
    assert (await room(ann))["status"] == "active"  # against bots alone a rematch starts at once
    assert "begins" not in await room(ann)
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
        await page.locator(each).evaluate("each => each.getBoundingClientRect().top") for each in (".waiting", ".games")
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


async def test_rated_is_a_visible_choice_with_a_reason_where_it_is_impossible(open_page: PageOpener) -> None:
    page = await open_page("/new?game=nimmt", **REDUCED_MOTION)
    rated = page.get_by_label("Rated game")
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
    await expect(other.get_by_role("link", name=re.compile("s per choice · rated"))).to_be_visible()


class SocketPlayer:
    """A person with a real connection but without a browser, who can sleep during a game."""

    def __init__(self, server: str) -> None:
        self.client = Client(server)

    async def command(self, table: str, command: str) -> str | None:
        """Send a command; return the table of a rematch."""
        answer = await self.client.ask(
            "POST", f"/api/tables/{table}/commands", {"id": token_hex(8), "command": command}
        )
        found: str | None = answer.get("table")
        return found

    async def play(self, table: str, *, sleeps: bool) -> None:
        """Play to the end, or fall asleep after the first choice."""
        choose = policy_chooser("lowest")
        chosen = 0

        async def drowsy(rules: AnyRules, view: View) -> Action | None:
            nonlocal chosen
            chosen += 1
            return None if sleeps and chosen > 1 else await choose(rules, view)

        async with self.client.live(table) as live:
            await live.until(lambda: live.status != "pending")
            assert await play(live, drowsy) != sleeps


@pytest.mark.long
async def test_three_people_and_two_bots_play_five_games_while_one_phone_sleeps_in_each(
    open_page: PageOpener, tmp_path: Path
) -> None:
    with serving(tmp_path) as server:
        ann = await guest(open_page, "Ann", server.address, **PHONE)
        bo, cy = SocketPlayer(server.address), SocketPlayer(server.address)
        async with bo.client, cy.client:
            await bo.client.join("Bo")
            await cy.client.join("Cy")
            config = {"game": "nimmt", "options": {"seats": 5, "hand": 4}, "bots": ["greedy", "random"]}
            table = await create_table(ann, **config, grace=0, terms={"clock": 30_000})
            for player in (bo, cy):
                await player.command(table, "sit")
            await send_command(ann, table, "start")
            await ann.goto(f"/t/{table}")
            results = []
            for number, sleeper in enumerate(("bo", "cy", "ann", "bo", "ann")):
                async with asyncio.TaskGroup() as games:
                    games.create_task(bo.play(table, sleeps=sleeper == "bo"))
                    games.create_task(cy.play(table, sleeps=sleeper == "cy"))
                    if sleeper == "ann":
                        await play_match(ann, most=1)
                        await ann.goto("about:blank")
                    else:
                        await play_match(ann)
                if sleeper == "ann":
                    await ann.goto(f"{server.address}/t/{table}")
                await ann.locator("table-result #winner").wait_for(timeout=60_000)
                ended = await room(ann)
                results.append(ended["result"])
                names = [player["name"] for player in ended["seats"]]
                assert names == ["Ann", "Bo", "Cy", "Penny", "Lucky"], (number, names)
                if number == 4:
                    break
                # Everyone asks at once, the one whose phone has slept too.
                again, other, _ = await asyncio.gather(
                    bo.command(table, "rematch"),
                    cy.command(table, "rematch"),
                    ann.locator("table-result").get_by_role("button", name=re.compile("Play again|Join")).click(),
                )
                assert again == other
                assert again is not None
                table = again
                await ann.wait_for_url(re.compile(table))
                await ann.wait_for_function(
                    "() => document.querySelector('table-page').connection?.room?.status === 'active'"
                )
            series = ended["series"]
            assert series["games"] == 5
            for seat, player in enumerate(series["players"]):
                assert player["scores"] == [result["scores"][seat] for result in results]
                assert player["places"] == [result["ranks"][seat] for result in results]
                assert player["score"] == sum(player["scores"])
            assert sum(player["wins"] for player in series["players"]) == pytest.approx(5)
        await ann.goto("about:blank")  # before the server stops
