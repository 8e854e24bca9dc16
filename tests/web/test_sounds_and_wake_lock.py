"""Sounds and the wake lock at a table."""

from typing import Any, Final

from playwright.async_api import Page, expect
from tests.server.server_process import Server
from tests.web.conftest import PageOpener, open_at_table, send_command

HIGH_CARD: Final[dict[str, Any]] = {
    "game": "highcard",
    "options": {"seats": 2, "hand": 3, "cards": 9},
    "bots": ["highest"],
}

MAY_LOCK: Final[dict[str, Any]] = {"permissions": ["screen-wake-lock"]}
"""Browser options that permit wake locks, which a headless browser can refuse."""

RECORD_TONES: Final = """() => {
  window.tones = [];
  for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
    const { start } = kind.prototype;
    kind.prototype.start = function (...when) {
      tones.push(this.context.state);
      return start.apply(this, when);
    };
  }
}"""
"""Record each oscillator that is started."""

RECORD_LOCKS: Final = """() => {
  window.locks = [];
  const { request } = WakeLock.prototype;
  WakeLock.prototype.request = function (...kind) {
    const asked = request.apply(this, kind);
    locks.push(asked);
    return asked;
  };
}"""
"""Record each wake lock that is requested."""

HELD_LOCKS: Final = "async () => (await Promise.all(locks)).filter(({ released }) => !released).length"

REQUEST_AND_RELEASE: Final = """async () => {
  const { keepAwake } = await import(new URL("ui/wake-lock.js", document.querySelector("[rel=icon]").href));
  for (const on of [true, true, false]) keepAwake(on);
  await new Promise((done) => setTimeout(done));
}"""


async def choose(page: Page, left: int) -> None:
    """Choose a card of the test game, and wait until it is gone."""
    await page.locator("generic-table button").first.click()
    await expect(page.locator("generic-table button")).to_have_count(left)


async def show(page: Page, state: str) -> None:
    """Set the page's visibility state, which Playwright cannot change."""
    await page.evaluate(
        """state => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


async def test_sounds_play_only_when_enabled_and_visible(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, **HIGH_CARD)
    await page.evaluate(RECORD_TONES)
    await choose(page, 2)
    assert await page.evaluate("tones") == []
    await page.get_by_role("button", name="Unmute sounds").click()
    await choose(page, 1)
    await page.wait_for_function("() => tones.length")
    assert set(await page.evaluate("tones")) == {"running"}
    await show(page, "hidden")
    before = await page.evaluate("tones.length")
    await choose(page, 0)
    await expect(page.locator("table-result h2")).to_be_visible()
    assert await page.evaluate("tones.length") == before


async def test_wake_lock_is_held_only_during_a_visible_open_decision(
    open_page: PageOpener,
) -> None:
    page = await open_at_table(open_page, start=False, browser=MAY_LOCK, **HIGH_CARD)
    await page.evaluate(RECORD_LOCKS)

    async def expect_locks(locks: int) -> None:
        await page.wait_for_function(f"async () => (await ({HELD_LOCKS})()) === {locks}")

    await send_command(page, page.url.rpartition("/")[2], "start")
    await expect_locks(1)
    await show(page, "hidden")
    await expect_locks(0)
    await show(page, "visible")
    await expect_locks(1)
    for left in (2, 1):
        await choose(page, left)
        await expect_locks(1)
    await choose(page, 0)
    await expect_locks(0)


async def test_wake_lock_granted_after_the_choice_is_released(open_page: PageOpener) -> None:
    page = await open_page.again("/ladder", **MAY_LOCK)
    await page.evaluate(RECORD_LOCKS)
    await page.evaluate(REQUEST_AND_RELEASE)
    assert await page.evaluate(HELD_LOCKS) == 0


async def test_browser_without_wake_lock_raises_no_error(open_page: PageOpener, server: Server) -> None:
    page = await open_page.again("/ladder", base=server.address.replace("127.0.0.1", "plain.test"))
    assert await page.evaluate("'wakeLock' in navigator") is False
    await page.evaluate(REQUEST_AND_RELEASE)
