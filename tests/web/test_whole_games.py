"""Whole games as people play them: by the keyboard alone, through a server's death, and told nothing that is secret."""

import json
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, WebSocket, expect
from playwright.async_api import TimeoutError as TooLate
from tests.server.serving import serving
from tests.web.conftest import People, at_table, new_table, send
from tests.web.test_table import ASKED, DECIDED, SIGHT

CHOSEN = f"before => {SIGHT}.choice || {SIGHT}.status !== 'active' || {SIGHT}.decision !== before"
CARDS = {"hand", "rows", "taken", "aside", "opening", "plays", "cards", "card"}
"""What holds cards in a view of 6 nimmt! and its events, beside `waiting`: pairs of a card and a seat."""


KEPT = """async () => [...Object.keys(localStorage), ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map((each) => each.name), ...(globalThis.caches ? await caches.keys() : [])]"""


async def played(page: Page) -> None:
    """Play 6 nimmt! to the end by the keyboard alone."""
    await page.locator("nimmt-table .felt").wait_for()
    while True:
        await page.wait_for_function(ASKED)
        sight: Any = await page.evaluate(SIGHT)
        if sight["status"] != "active":
            break
        keys = ("1", "Enter") if sight["words"][0].startswith("take") else ("ArrowRight", "Enter", "Enter")
        chosen = False
        while not chosen:  # a board that is just being drawn does not hear a key
            for key in keys:
                await page.keyboard.press(key)
            with suppress(TooLate):
                await page.wait_for_function(CHOSEN, arg=sight["decision"], timeout=5_000)
                chosen = True
        await page.wait_for_function(DECIDED, arg=sight["decision"])
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
@pytest.mark.parametrize("language", ["en", "de", "zh"])
async def test_a_screen_reader_is_told_everything_once_in_its_language(people: People, language: str) -> None:
    browser = {"locale": language, "reduced_motion": "reduce"}
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
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
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
    page = await people("/ladder", reduced_motion="reduce")
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
    assert sum("patch" in line for line in lines) >= 3
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
