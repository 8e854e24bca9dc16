"""Measure the page in Chromium: a first visit on a phone, and a reveal at a table of ten.

A visit starts with an empty browser cache on a simulated phone, with a processor four times slower than this machine's
and a slow 4G network (150 ms round trip, 1.6 Mbit/s), and ends when the table is painted. A reveal is traced: no task
may block the page for longer than 50 ms. Its frame rate is compared with that of an empty page, because without a
graphics card it depends on the machine.
"""

import json
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from tests.server.server_process import serving
from tests.web.conftest import browser_path

from benchmarks.interleave import Row, interleaved

PHONE: Final[dict[str, Any]] = {  # Any: a browser's settings
    "viewport": {"width": 360, "height": 640},
    "device_scale_factor": 3,
    "is_mobile": True,
    "has_touch": True,
}
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1440, "height": 900}}  # Any: likewise
SLOWER: Final = 4
SLOW_4G: Final = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_638_400 / 8,
    "uploadThroughput": 675_000 / 8,
}
LONGEST: Final = 50.0
"""Milliseconds of a task that users do not notice."""
SEATS: Final = 10

_TABLE: Final = """() => {
  let root = document;
  for (const name of ["table-page", "faceup-table", "nimmt-table"]) root = root?.querySelector(name)?.shadowRoot;
  return root;
}"""

_PAINTED: Final = f"""(() => {{
  const table = {_TABLE};
  const look = () => {{
    if (!table()?.querySelector(".lying")) requestAnimationFrame(look);
    else requestAnimationFrame(() => setTimeout(() => (window.painted = performance.now())));
  }};
  requestAnimationFrame(look);
}})()"""

_FRAMES: Final = """async () => {
  const start = performance.now();
  let frames = 0;
  await new Promise((done) => {
    const next = () => {
      frames += 1;
      if (performance.now() - start < 3000) requestAnimationFrame(next);
      else done();
    };
    requestAnimationFrame(next);
  });
  return (frames * 1000) / (performance.now() - start);
}"""

_ASKED: Final = """() => {
  const { actions, choice, chosen, view } = document.querySelector("table-page")?.connection?.room ?? {};
  return actions?.length && !choice && chosen.length === view.to_act.length - 1;
}"""


def rows(times: int) -> list[Row]:
    """Measure the first visit, the longest task of a reveal, and its frames."""
    few = max(3, times // 3)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server, sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=options)
        visits = [_visit(browser, server.address) for _ in range(few + 1)][1:]
        desk = _Desktop(browser, server.address)
        tasks = [desk.longest_task() for _ in range(few)]
        empty = browser.new_page(**DESK)

        def nothing() -> float:
            empty.bring_to_front()
            return float(empty.evaluate(_FRAMES))

        frames = interleaved({"an empty page": nothing, "a reveal": desk.frames}, few)
        browser.close()
    bare = median(frames["an empty page"])
    return [
        Row("first visit, phone", "ms", visits, bar=("1,000 ms", median(visits) <= 1000)),
        Row("longest task, reveal", "ms", tasks, bar=(f"{LONGEST:.0f} ms", median(tasks) <= LONGEST)),
        Row("empty page", "frames/s", frames["an empty page"]),
        Row("reveal of ten", "frames/s", frames["a reveal"], peer=("empty", bare)),
    ]


class _Desktop:
    """A desktop user at a table with nine bots, who watches one reveal after another."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._context = browser.new_context(base_url=address, **DESK)
        self._browser = browser
        self._page = self._context.new_page()
        self._left = 0

    def _ready(self) -> Page:
        """Return the page when all others have chosen and a card is selected."""
        page = self._page
        page.bring_to_front()
        if not self._left:
            page.goto(_table(self._context))
            self._left = 10
        page.wait_for_function(_ASKED)
        if page.evaluate("document.querySelector('table-page').connection.room.actions[0].startsWith('take')"):
            page.locator("nimmt-table .pick").first.click()
            page.locator("nimmt-table .pick").first.click()
            return self._ready()
        # Wait until the last turn has been shown completely.
        page.locator("nimmt-table .held").last.click()
        page.wait_for_timeout(1500)
        self._left -= 1
        return page

    def longest_task(self) -> float:
        """Measure milliseconds of the page's main thread during a reveal."""
        page = self._ready()
        self._browser.start_tracing(page=page, categories=["toplevel", "devtools.timeline"])
        page.locator("nimmt-table .held.marked").click()
        page.wait_for_timeout(5500)
        return _longest(json.loads(self._browser.stop_tracing())["traceEvents"])

    def frames(self) -> float:
        """Measure frames per second in the first three seconds of a reveal."""
        page = self._ready()
        page.locator("nimmt-table .held.marked").click()
        return float(page.evaluate(_FRAMES))


def _longest(events: list[dict[str, Any]]) -> float:  # Any: a trace
    names = {"RunTask", "ThreadControllerImpl::RunTask"}
    main = {
        (e["pid"], e["tid"]) for e in events if e["name"] == "thread_name" and e["args"]["name"] == "CrRendererMain"
    }
    return float(
        max(e["dur"] / 1000 for e in events if e["name"] in names and (e["pid"], e["tid"]) in main and "dur" in e)
    )


def _visit(browser: Browser, address: str) -> float:
    """Measure the milliseconds until an invited player with an empty cache sees the table."""
    host = browser.new_context(base_url=address)
    table = _table(host)
    context = browser.new_context(base_url=address, **PHONE)
    context.add_cookies(host.cookies())  # type: ignore[arg-type]  # the same types in and out
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.emulateNetworkConditions", dict(SLOW_4G))
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(_PAINTED)
    page.goto(table, wait_until="commit")
    found = float(page.wait_for_function("() => window.painted").json_value())
    context.close()
    host.close()
    return found


def _table(context: BrowserContext) -> str:
    """Create a table of ten with nine bots and the context's player; return its address."""
    asking = context.request
    opening = {"game": "nimmt", "variant": "onehundredandfour", "options": {"seats": SEATS}, "bots": ["greedy"] * 9}
    table = asking.post("/api/tables", data={"config": opening}).json()["id"]
    asking.post(f"/api/tables/{table}/commands", data={"id": "start", "command": "start"})
    return f"/t/{table}"
