"""Measure first visits to pages in Chromium, on a phone with an empty browser cache and a slow network.

The phone's processor is four times slower than this machine's, and its network is slow 4G (150 ms round trip, 1.6
Mbit/s). A visit ends when what the page is for is painted: the cards of a table, the list of games, the players of a
tournament, the board of a replay.
"""

import json
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, BrowserContext, sync_playwright
from tests.server.server_process import serving
from tests.web.conftest import browser_path

from benchmarks.interleave import Row
from benchmarks.page import PHONE, SLOWER

SLOW_4G: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_638_400 / 8,
    "uploadThroughput": 675_000 / 8,
}

TABLE: Final = ("table-page", "faceup-table", "nimmt-table", ".lying")
"""Selectors of an element of a page, each in the shadow root of the one before."""
PAGES: Final[dict[str, tuple[str, tuple[str, ...], int]]] = {
    "a table of ten": ("/t/{table}", TABLE, 800),
    "home": ("/", ("home-page", "article"), 1200),
    "learn": ("/learn", ("learn-page", ".games a"), 1200),
    "a tournament": ("/tournaments/{tournament}", ("tournament-page", ".columns"), 1200),
    "a replay": ("/t/{table}/replay", ("replay-page", "faceup-replay", *TABLE[1:]), 1200),
}
"""The path of each page, the element that ends the visit, and the milliseconds it may take."""

TEN: Final = {"variant": "onehundredandfour", "options": {"seats": 10}, "bots": ["greedy"] * 9}
SHORT: Final = {"variant": "cowheadking", "options": {"seats": 4, "hand": 4}, "bots": ["greedy"] * 3}

_PAINTED: Final = """(() => {
  const inside = (root, name) => root?.querySelector(name)?.shadowRoot ?? root?.querySelector(name);
  const find = () => %s.reduce(inside, document);
  const look = () => {
    if (!find()) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => console.log("painted", (window.painted = performance.now()))));
  };
  requestAnimationFrame(look);
})()"""

_LOADED: Final = """() => performance.getEntries()
  .filter((each) => "encodedBodySize" in each && each.responseEnd <= window.painted)
  .map((each) => each.encodedBodySize)"""


class Visit(NamedTuple):
    """A first visit.

    Attributes:
        time: milliseconds until the page was painted.
        sizes: bytes of the bodies of all files that were received before.
    """

    time: float
    sizes: list[int]


def rows(times: int) -> list[Row]:
    """Measure the time, the bytes and the files of a first visit to each page."""
    few = max(3, times // 3)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server, sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=options)
        visits_by_page: dict[str, list[Visit]] = {name: [] for name in PAGES}
        for _ in range(few + 1):
            for name in PAGES:
                visits_by_page[name].append(_visit(browser, server.address, name))
        browser.close()
    return [row for name, visits in visits_by_page.items() for row in _rows(name, visits[1:])]


def _rows(name: str, visits: list[Visit]) -> list[Row]:
    limit = PAGES[name][2]
    taken = [visit.time for visit in visits]
    return [
        Row(f"first visit, {name}", "ms", taken, bar=(f"{limit:,} ms", median(taken) <= limit)),
        Row("  received", "kB", [sum(visit.sizes) / 1000 for visit in visits]),
        Row("  files", "", [float(len(visit.sizes)) for visit in visits]),
    ]


def _visit(browser: Browser, address: str, name: str) -> Visit:
    """Visit a page as a player of its table, with an empty cache."""
    path, selectors, _ = PAGES[name]
    host = browser.new_context(base_url=address)
    context = browser.new_context(base_url=address, **PHONE)
    if path.startswith("/t/"):
        path = path.format(table=_finished(host) if path.endswith("/replay") else _table(host, TEN))
        context.add_cookies(host.cookies())  # type: ignore[arg-type]  # the same types in and out
    elif "tournament" in path:  # seen by someone who has got its link
        path = path.format(tournament=_tournament(host))
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", dict(SLOW_4G))
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(_PAINTED % json.dumps(selectors))
    # The page reports to the console, because scripts that Playwright runs in the page would compete with it.
    with page.expect_console_message(lambda message: message.text.startswith("painted ")) as painted:
        page.goto(path, wait_until="commit")
    visit = Visit(float(painted.value.text.split()[1]), page.evaluate(_LOADED))
    context.close()
    host.close()
    return visit


def _tournament(host: BrowserContext) -> str:
    """Create a tournament of 6 nimmt!; return its id."""
    settings = {"name": "Club night", "table": {"game": "nimmt", "options": {"seats": 4}}}
    return str(host.request.post("/api/tournaments", data={"settings": settings}).json()["tournament"]["id"])


def _table(host: BrowserContext, game: dict[str, Any]) -> str:
    """Start a game of 6 nimmt! of the host and bots; return the id of its table."""
    config = {"game": "nimmt", **game}
    table = str(host.request.post("/api/tables", data={"config": config}).json()["id"])
    _send(host, table, {"id": "start", "command": "start"})
    return table


def _finished(host: BrowserContext) -> str:
    """Play a short game of 6 nimmt! to its end; return the id of its table."""
    table = _table(host, SHORT)
    while (room := host.request.get(f"/api/tables/{table}").json()["room"])["status"] != "finished":
        if room["actions"] and not room.get("choice"):
            decision, action = room["decision"], room["actions"][0]
            choice = {"command": "choose", "seat": room["seat"], "decision": decision, "action": action}
            _send(host, table, {"id": f"choice-{decision}", **choice})
        time.sleep(0.2)  # the server limits requests
    return table


def _send(host: BrowserContext, table: str, command: dict[str, Any]) -> None:
    host.request.post(f"/api/tables/{table}/commands", data=command)
