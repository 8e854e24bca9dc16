"""Measure the reveals of all games in Chromium.

They are traced on a phone and on a desktop, with a processor four times slower than this machine's, from the tap that
chooses until a moment after everything has been displayed. No task may need more than 50 ms, and in 95 % of the frames
the page's main thread may work for at most 16 ms. A frame is 1/60 s of the reveal. It has the time of the tasks that
start in it, and of those that are still running. Times are those in which the main thread has the processor, since
the server, the bots and the tracing are not the page's work but need the same cores. The frame rate at full speed is
compared with that of an empty page, because without a graphics card it depends on the machine.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

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
DEVICES: Final = {"phone": PHONE | {"viewport": {"width": 390, "height": 844}}, "desktop": DESK}
SLOWER: Final = 4
LONGEST: Final = 50.0
"""Milliseconds of a task that users do not notice."""
FRAME: Final = 1_000_000 / 60
"""Microseconds."""
BUSY: Final = 16.0
"""Milliseconds of a frame's work on the main thread, up to which it is shown in time."""
SMOOTH: Final = 95.0
"""Percentage of the frames that are shown in time."""
SEATS: Final = 10

_TABLE: Final = """() => {
  let root = document;
  for (const name of ["table-page", "faceup-table", "nimmt-table"]) root = root?.querySelector(name)?.shadowRoot;
  return root;
}"""


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


_TABLES: Final[dict[str, tuple[str, dict[str, Any]]]] = {  # Any: a table's settings
    "6 nimmt!": (
        "nimmt",
        {"variant": "onehundredandfour", "options": {"seats": SEATS}, "bots": ["greedy"] * (SEATS - 1)},
    ),
    "Niu Niu": ("niuniu", {"options": {"seats": SEATS, "throws": 50}, "bots": ["random"] * (SEATS - 1)}),
    "War": ("war", {"options": {"per_suit": 5}, "bots": ["random"]}),
}

_LISTEN: Final = """() => {
  const page = document.querySelector("table-page");
  const table = page.shadowRoot.querySelector("faceup-table");
  const asked = page.connection.room.decision;
  addEventListener("click", () => performance.mark("chosen"), { capture: true, once: true });
  window.revealed = new Promise((done) => {
    const shown = () => {
      if (page.connection.room.decision <= asked) return;
      table.removeEventListener("shown", shown);
      setTimeout(() => done(performance.mark("revealed")), 100);
    };
    table.addEventListener("shown", shown);
  });
}"""


class Smoothness(NamedTuple):
    """How smooth a reveal is.

    Attributes:
        longest: milliseconds of the longest task of the main thread.
        in_time: percentage of the frames with at most BUSY milliseconds of work.
    """

    longest: float
    in_time: float


def rows(times: int) -> list[Row]:
    """Measure the tasks and frames of reveals, and their frame rate."""
    few = max(3, times // 3)
    with tempfile.TemporaryDirectory() as data, serving(Path(data)) as server, sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=browser_path(), args=options)
        reveals = []
        for title in _TABLES:
            for device, settings in DEVICES.items():
                player = _Player(browser, server.address, title, settings)
                measured = [player.smoothness() for _ in range(few + 1)][1:]
                player.close()
                reveals += _reveal_rows(f"{title}, {device}", measured)
        desk = _Player(browser, server.address, "6 nimmt!", DESK)
        empty = browser.new_page(**DESK)

        def nothing() -> float:
            empty.bring_to_front()
            return float(empty.evaluate(_FRAMES))

        frames = interleaved({"an empty page": nothing, "a reveal": desk.frames}, few)
        browser.close()
    bare = median(frames["an empty page"])
    return [
        *reveals,
        Row("empty page", "frames/s", frames["an empty page"]),
        Row("reveal of ten", "frames/s", frames["a reveal"], peer=("empty", bare)),
    ]


def _reveal_rows(name: str, measured: list[Smoothness]) -> list[Row]:
    longest = [visit.longest for visit in measured]
    in_time = [visit.in_time for visit in measured]
    return [
        Row(f"{name}: longest task", "ms", longest, bar=(f"{LONGEST:.0f} ms", median(longest) <= LONGEST)),
        Row(f"{name}: frames in time", "%", in_time, bar=(f"{SMOOTH:.0f} %", median(in_time) >= SMOOTH)),
    ]


class _Player:
    """A player at a table with bots, who watches one reveal after another."""

    def __init__(self, browser: Browser, address: str, title: str, settings: dict[str, Any]) -> None:
        self._context = browser.new_context(base_url=address, **settings)
        self._browser = browser
        self._page = self._context.new_page()
        self._wire = self._context.new_cdp_session(self._page)
        self._game, self._config = _TABLES[title]
        self._touches = settings.get("has_touch", False)
        self._left = 0

    def close(self) -> None:
        """Close the page."""
        self._context.close()

    def _open(self) -> Page:
        """Return the page at a table with enough turns left."""
        page = self._page
        page.bring_to_front()
        if not self._left:
            page.goto(_table(self._context, self._game, self._config))
            self._left = 10
            page.wait_for_function(_ASKED)
            page.wait_for_timeout(1500)
        self._left -= 1
        return page

    def _ready(self) -> Page:
        """Return the page when all others have chosen and, in 6 nimmt!, a card is selected."""
        page = self._open()
        page.wait_for_function(_ASKED)
        if self._game != "nimmt":
            return page
        if page.evaluate("document.querySelector('table-page').connection.room.actions[0].startsWith('take')"):
            page.locator("nimmt-table .pick").first.click()
            page.locator("nimmt-table .pick").first.click()
            return self._ready()
        # Wait until the last turn has been shown completely.
        page.locator("nimmt-table .held").last.click()
        page.wait_for_timeout(1500)
        return page

    def _choose(self) -> None:
        """Choose, which starts the reveal."""
        chosen = self._page.locator("nimmt-table .held.marked, .actions .action").first
        if self._touches:
            chosen.tap()
        else:
            chosen.click()

    def smoothness(self) -> Smoothness:
        """Trace a reveal on a slow processor."""
        page = self._ready()
        page.evaluate(_LISTEN)
        self._wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        self._browser.start_tracing(page=page, categories=["toplevel", "blink.user_timing"])
        self._choose()
        page.evaluate("revealed")
        trace = json.loads(self._browser.stop_tracing())["traceEvents"]
        self._wire.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        return smoothness(tasks(trace))

    def frames(self) -> float:
        """Measure frames per second in the first three seconds of a reveal."""
        page = self._ready()
        self._choose()
        return float(page.evaluate(_FRAMES))


def tasks(trace: list[dict[str, Any]]) -> list[tuple[float, float]]:  # Any: a trace
    """Return start and processor time in microseconds of each task of the page's main thread during the reveal."""
    names = {"RunTask", "ThreadControllerImpl::RunTask"}
    [(start, thread)] = [(e["ts"], (e["pid"], e["tid"])) for e in trace if e["name"] == "chosen"]
    [end] = [e["ts"] for e in trace if e["name"] == "revealed"]
    frames = sorted(
        (e["ts"], -(e["ts"] + e["dur"]), e["tdur"])
        for e in trace
        if e["name"] in names
        and "tdur" in e
        and (e["pid"], e["tid"]) == thread
        and e["ts"] < end
        and e["ts"] + e["dur"] > start
    )
    distinct: list[tuple[float, float]] = []
    last = 0.0
    for first, negative_end, spent in frames:
        if first >= last:  # otherwise, it is the last task under its other name
            last = -negative_end
            distinct.append((first, spent))
    return distinct


def smoothness(tasks: list[tuple[float, float]]) -> Smoothness:
    """Return the longest of these tasks, and the percentage of frames in time."""
    origin = tasks[0][0]
    busy: Counter[int] = Counter()
    for start, duration in tasks:
        first, last = int((start - origin) // FRAME), int((start + duration - origin) // FRAME)
        busy[first] += int(duration)
        for frame in range(first + 1, last + 1):
            busy[frame] += int(min(FRAME, start + duration - origin - frame * FRAME))
    frames = max(busy) + 1
    late = sum(spent > BUSY * 1000 for spent in busy.values())
    return Smoothness(max(duration for _, duration in tasks) / 1000, 100 * (1 - late / frames))


def _table(context: BrowserContext, game: str, config: dict[str, Any]) -> str:  # Any: a table's settings
    """Create a table with bots and the context's player, and start its game; return its address."""
    asking = context.request
    table = asking.post("/api/tables", data={"config": {"game": game} | config}).json()["id"]
    asking.post(f"/api/tables/{table}/commands", data={"id": "start", "command": "start"})
    return f"/t/{table}"
