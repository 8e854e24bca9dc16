"""Whole games as people play them: by the keyboard alone, through a server's death, and told nothing that is secret."""

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, WebSocket, expect
from tests.server.serving import free_port, serving
from tests.web.conftest import CALM, People, at_table, new_table, send
from tests.web.playing import SIGHT, play, sight

CARDS = {"hand", "rows", "taken", "aside", "opening", "plays", "cards", "card"}
"""What holds cards in a view of 6 nimmt! and its events, beside `waiting`: pairs of a card and a seat."""


KEPT = """async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map((each) => each.name), ...(globalThis.caches ? await caches.keys() : [])]"""


async def played(page: Page) -> None:
    """Play 6 nimmt! by the keyboard alone until the page shows how it ended."""
    await play(page)
    await page.locator("table-result h2").wait_for()


@pytest.mark.long
async def test_the_keyboard_alone_plays_from_the_first_card_to_the_rematch(people: People) -> None:
    page = await at_table(people, game="nimmt", options={"seats": 3, "hand": 4}, bots=["random"])
    await page.locator(".next.mine").wait_for()
    await page.keyboard.press("?")
    await expect(page.locator("keys-dialog kbd")).not_to_have_count(0)
    await page.keyboard.press("Escape")
    await played(page)
    first = page.url
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate(
            "() => { let at = document; while (at.activeElement?.shadowRoot) at = at.activeElement.shadowRoot;"
            " return at.activeElement?.classList.contains('main'); }"
        ):
            break
    await page.keyboard.press("Enter")
    await page.wait_for_url(lambda url: "/t/" in url and url != first)


@pytest.mark.long
async def test_three_browsers_play_at_one_table_to_the_end(people: People) -> None:
    one = await at_table(people, start=False, browser=CALM, game="nimmt", options={"seats": 3, "hand": 2})
    others = [await people(one.url, **CALM) for _ in range(2)]
    for other in others:
        await other.get_by_role("button", name="Sit down").click()
    await asyncio.gather(*(played(page) for page in (one, *others)))
    ends = [await sight(page) for page in (one, *others)]
    assert [each["seat"] for each in ends] == [0, 1, 2]
    assert len({str(each["result"]) for each in ends}) == 1


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de", "zh"])
async def test_a_screen_reader_is_told_everything_once_in_its_language(people: People, language: str) -> None:
    browser = CALM | {"locale": language}
    page = await at_table(people, browser=browser, game="nimmt", options={"seats": 3, "hand": 3}, bots=["random"])
    await page.locator(".next.mine").wait_for()
    await page.evaluate(
        f"() => {{ globalThis.told = []; {SIGHT} && document.querySelector('table-page').live"
        ".addEventListener('told', (event) => told.push(...event.detail.events)); }"
    )
    await played(page)
    told: Any = await page.evaluate("told")
    said = await page.locator("#announcements p").all_text_contents()
    placed = sum(each["event"] in {"placed", "took"} for each in told)
    assert placed == 9
    cards = [re.escape(str(each["card"])) for each in told if each["event"] in {"placed", "took"}]
    for card in cards:
        lines = [line for line in said if re.search(rf"(?<!\d){card}(?!\d)", line)]
        assert lines, (card, said)
    assert len(set(said)) >= placed
    assert not [line for line in said if re.match(r"(nimmt|table|manners)\.", line)]
    assert await page.evaluate("document.documentElement.lang") == {"en": "en", "de": "de", "zh": "zh-Hans"}[language]


@pytest.mark.long
async def test_a_server_that_is_killed_and_started_again_in_mid_turn_goes_on_without_a_reload(
    people: People, tmp_path: Path
) -> None:
    port = str(free_port())
    with serving(tmp_path, "--port", port) as server:
        page = await people("/ladder", base=server.address)
        table = await new_table(page, game="nimmt", options={"seats": 2, "hand": 3}, bots=["random"])
        await send(page, table, "start")
        await page.goto(f"/t/{table}")
        await page.evaluate("() => { globalThis.mine = true; }")
        hand = page.locator("nimmt-table .held")
        await expect(hand).to_have_count(3)
        server.stop(signal.SIGKILL)
        await expect(page.locator("table-banner[lost]")).to_be_visible()
        await expect(hand).to_have_count(3)
    with serving(tmp_path, "--port", port):
        await expect(page.locator("table-banner[lost]")).to_have_count(0, timeout=30_000)
        await played(page)
        assert await page.evaluate("globalThis.mine")  # the page was not loaded anew
    people.wrong.clear()  # Chromium says that it could not connect


def cards(told: Any, name: str = "") -> Iterator[int]:
    """All cards that are named in something told."""
    if isinstance(told, dict):
        for key, value in told.items():
            named = key == "card" or (key in CARDS | {"waiting"} and isinstance(value, list))  # an option is a number
            yield from cards(value, key if named else "")
    elif isinstance(told, list):
        for each in told:
            yield from cards(each[0] if name == "waiting" and isinstance(each, list) else each, name)
    elif isinstance(told, int) and name and told:
        yield told


@pytest.mark.slow
async def test_nothing_that_the_page_is_sent_or_keeps_names_a_card_that_the_seat_may_not_know(people: People) -> None:
    page = await people("/ladder", **CALM)
    table = await new_table(page, game="nimmt", options={"seats": 4, "hand": 3}, bots=["random"])
    frames: list[str] = []

    def listen(sockets: WebSocket) -> None:
        sockets.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", listen)
    await send(page, table, "start")
    arrived = await page.goto(f"/t/{table}")
    assert arrived
    brought = re.search(r'id="first".*?>(.*?)</script>', await arrived.text())
    assert brought
    await played(page)
    known: set[int] = set()
    mine: set[int] = set()
    lines = [json.loads(line) for frame in (brought[1], *frames) for line in frame.splitlines() if line]
    told = [line for line in lines if "patch" in line]
    assert len(told) >= 3
    past = await (await page.request.get(f"/api/tables/{table}/past")).text()
    assert [line for line in map(json.loads, past.splitlines()) if line["v"] > lines[0]["v"]] == told
    for line in lines:
        if "sight" in line:
            mine |= set(line["sight"]["view"]["hand"])
            known |= mine | {card for row in line["sight"]["view"]["rows"] for card in row}
        for event in line.get("events", ()):
            known |= set(event.get("plays", ())) | set(
                cards({"cards": event.get("cards", []) if event["event"] == "opened" else []})
            )
        assert set(cards(line)) <= known, line
        text = json.dumps({name: part for name, part in line.items() if name != "events"})
        assert {int(card) for card in re.findall(r"play (\d+)", text)} <= mine, line
    kept: Any = await page.evaluate(KEPT)
    assert set(kept) <= {"faceup.name", "faceup.settings"}
