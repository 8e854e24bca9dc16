"""Whole games in the browser: by keyboard, through a server restart, and without leaking hidden cards."""

import asyncio
import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, WebSocket, expect
from tests.server.server_process import free_port, serving
from tests.web.conftest import REDUCED_MOTION, PageOpener, create_table, open_at_table, send_command
from tests.web.driver import TABLE_VIEW, play_match, room

from faceup.translations import LANGUAGES, html_language

CARDS = {"hand", "rows", "taken", "aside", "opening", "plays", "cards", "card"}
"""Members with cards in views and events of 6 nimmt!, besides `waiting`: pairs of a card and a seat."""


STORED_NAMES = """async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map((each) => each.name), ...(globalThis.caches ? await caches.keys() : [])]"""


FOCUSED_TEXT = """() => {
  let at = document;
  while (at.activeElement?.shadowRoot) at = at.activeElement.shadowRoot;
  return at.activeElement?.textContent.trim() ?? "";
}"""


async def play_to_result(page: Page) -> None:
    """Play 6 nimmt! by keyboard until the page shows the result."""
    await play_match(page)
    await page.locator("table-result h2").wait_for()


@pytest.mark.long
async def test_keyboard_alone_plays_a_game_and_a_rematch(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 3, "hand": 4}, bots=["random"])
    await page.locator(".next.mine").wait_for()
    await page.keyboard.press("?")
    await expect(page.locator("shortcuts-dialog kbd")).not_to_have_count(0)
    await page.keyboard.press("Escape")
    await play_to_result(page)
    first = page.url
    focused = ""
    for _ in range(60):
        await page.keyboard.press("Tab")
        focused = await page.evaluate(FOCUSED_TEXT)
        if focused == "Play again":
            break
    assert focused == "Play again"
    await page.keyboard.press("Enter")
    await page.wait_for_url(lambda url: "/t/" in url and url != first)


@pytest.mark.long
async def test_three_browsers_play_at_one_table_to_the_end(open_page: PageOpener) -> None:
    first = await open_at_table(
        open_page, start=False, browser=REDUCED_MOTION, game="nimmt", options={"seats": 3, "hand": 2}
    )
    others = [await open_page(first.url, **REDUCED_MOTION) for _ in range(2)]
    for other in others:
        await other.get_by_role("button", name="Take a seat").click()
    await asyncio.gather(*(play_to_result(page) for page in (first, *others)))
    ends = [await room(page) for page in (first, *others)]
    assert [end["seat"] for end in ends] == [0, 1, 2]
    assert len({str(end["result"]) for end in ends}) == 1


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
async def test_every_event_is_announced_once_in_the_readers_language(open_page: PageOpener, language: str) -> None:
    browser = REDUCED_MOTION | {"locale": language}
    page = await open_at_table(
        open_page, browser=browser, game="nimmt", options={"seats": 3, "hand": 3}, bots=["random"]
    )
    await page.locator(".next.mine").wait_for()
    await page.evaluate(
        f"() => {{ globalThis.messages = []; {TABLE_VIEW} && document.querySelector('table-page').connection"
        ".addEventListener('update', (event) => messages.push(...event.detail.events)); }"
    )
    await play_to_result(page)
    messages: Any = await page.evaluate("messages")
    announcements = await page.locator("#announcements p").all_text_contents()
    placed = sum(message["event"] in {"placed", "took"} for message in messages)
    assert placed == 9
    cards = [re.escape(str(message["card"])) for message in messages if message["event"] in {"placed", "took"}]
    for card in cards:
        lines = [line for line in announcements if re.search(rf"(?<!\d){card}(?!\d)", line)]
        assert lines, (card, announcements)
    assert len(set(announcements)) >= placed
    assert not [line for line in announcements if re.match(r"(nimmt|table|ui)\.", line)]
    assert await page.evaluate("document.documentElement.lang") == html_language(language)


@pytest.mark.long
async def test_game_resumes_without_reload_after_the_server_is_killed(open_page: PageOpener, tmp_path: Path) -> None:
    port = str(free_port())
    with serving(tmp_path, "--port", port) as server:
        page = await open_page(None, base=server.address)
        table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 3}, bots=["random"])
        await send_command(page, table, "start")
        await page.goto(f"/t/{table}")
        await page.evaluate("() => { globalThis.mine = true; }")
        hand = page.locator("nimmt-table .held")
        await expect(hand).to_have_count(3)
        server.stop(signal.SIGKILL)
        await expect(page.locator("table-banner[lost]")).to_be_visible()
        await expect(hand).to_have_count(3)
    with serving(tmp_path, "--port", port):
        await expect(page.locator("table-banner[lost]")).to_have_count(0)
        await play_to_result(page)
        assert await page.evaluate("globalThis.mine")  # the page was not reloaded
        await page.close()  # before the server stops in the middle of the review
    open_page.page_errors.clear()  # Chromium logs the lost connection


def cards(messages: Any, name: str = "") -> Iterator[int]:
    """Yield all cards in a message."""
    if isinstance(messages, dict):
        for key, value in messages.items():
            holds_cards = key == "card" or (
                key in CARDS | {"waiting"} and isinstance(value, list)
            )  # an option is a number
            yield from cards(value, key if holds_cards else "")
    elif isinstance(messages, list):
        for message in messages:
            yield from cards(message[0] if name == "waiting" and isinstance(message, list) else message, name)
    elif isinstance(messages, int) and name and messages:
        yield messages


@pytest.mark.slow
async def test_no_hidden_card_is_sent_or_stored(
    open_page: PageOpener,
) -> None:
    page = await open_page(None, **REDUCED_MOTION)
    table = await create_table(page, game="nimmt", options={"seats": 4, "hand": 3}, bots=["random"])
    frames: list[str] = []

    def listen(sockets: WebSocket) -> None:
        sockets.on("framereceived", lambda frame: frames.append(str(frame)))

    page.on("websocket", listen)
    await send_command(page, table, "start")
    arrived = await page.goto(f"/t/{table}")
    assert arrived
    embedded = re.search(r'id="first".*?>(.*?)</script>', await arrived.text())
    assert embedded
    await play_to_result(page)
    cards_seen: set[int] = set()
    own_cards: set[int] = set()
    lines = [json.loads(line) for frame in (embedded[1], *frames) for line in frame.splitlines() if line]
    messages = [line for line in lines if "patch" in line]
    assert len(messages) >= 3
    backlog = await (await page.request.get(f"/api/tables/{table}/backlog")).text()
    assert [line for line in map(json.loads, backlog.splitlines()) if line["v"] > lines[0]["v"]] == messages
    for line in lines:
        if "room" in line:
            own_cards |= set(line["room"]["view"]["hand"])
            cards_seen |= own_cards | {card for row in line["room"]["view"]["rows"] for card in row}
        for event in line.get("events", ()):
            cards_seen |= set(event.get("plays", ())) | set(
                cards({"cards": event.get("cards", []) if event["event"] == "opened" else []})
            )
        assert set(cards(line)) <= cards_seen, line
        text = json.dumps({name: part for name, part in line.items() if name != "events"})
        assert {int(card) for card in re.findall(r"play (\d+)", text)} <= own_cards, line
    stored: Any = await page.evaluate(STORED_NAMES)
    assert set(stored) <= {"faceup.guest_key", "faceup.had_player", "faceup.name", "faceup.settings"}
