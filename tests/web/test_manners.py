"""What a table does beside showing the game: it sounds if it is asked to, and keeps the screen awake on one's turn."""

from typing import Any, Final

from playwright.async_api import Page, expect
from tests.server.serving import Server
from tests.web.conftest import People, at_table, send

TOY: Final[dict[str, Any]] = {"game": "highcard", "options": {"seats": 2, "hand": 3, "cards": 9}, "bots": ["highest"]}

HEARD: Final = """() => {
  window.heard = [];
  for (const kind of [AudioBufferSourceNode, OscillatorNode]) {
    const { start } = kind.prototype;
    kind.prototype.start = function (...when) {
      heard.push(this.context.state);
      return start.apply(this, when);
    };
  }
}"""
"""Writes down each tone that begins, and begins it."""

LOCKS: Final = """() => {
  window.locks = [];
  const { request } = WakeLock.prototype;
  WakeLock.prototype.request = function (...kind) {
    const asked = request.apply(this, kind);
    locks.push(asked);
    return asked;
  };
}"""
"""Keeps each lock of the screen that is asked for."""

HELD: Final = "async () => (await Promise.all(locks)).filter(({ released }) => !released).length"

WAKE: Final = """async () => {
  const { wake } = await import(new URL("../manners/wake.js", document.scripts[0].src));
  for (const on of [true, true, false]) wake(on);
  await new Promise((done) => setTimeout(done));
}"""


async def choose(page: Page, left: int) -> None:
    """Choose one of the toy's cards, and see that it is gone."""
    await page.locator("any-table button").first.click()
    await expect(page.locator("any-table button")).to_have_count(left)


async def show(page: Page, state: str) -> None:
    """Let the page be "hidden" or "visible". Playwright keeps every page in front, so it is only told so."""
    await page.evaluate(
        """state => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


async def test_nothing_sounds_until_it_is_asked_for_nor_while_nobody_looks(people: People) -> None:
    page = await at_table(people, **TOY)
    await page.evaluate(HEARD)
    await choose(page, 2)
    assert await page.evaluate("heard") == []
    await page.get_by_role("button", name="Switch sounds on").click()
    await choose(page, 1)
    await page.wait_for_function("() => heard.length")
    assert set(await page.evaluate("heard")) == {"running"}
    await show(page, "hidden")
    before = await page.evaluate("heard.length")
    await choose(page, 0)
    await expect(page.locator("table-result h2")).to_be_visible()
    assert await page.evaluate("heard.length") == before


async def test_the_screen_is_kept_awake_while_somebody_is_to_choose_and_looks_and_no_longer(people: People) -> None:
    page = await at_table(people, start=False, **TOY)
    await page.evaluate(LOCKS)

    async def held(locks: int) -> None:
        await page.wait_for_function(f"async () => (await ({HELD})()) === {locks}")

    await send(page, page.url.rpartition("/")[2], "start")
    await held(1)
    await show(page, "hidden")
    await held(0)
    await show(page, "visible")
    await held(1)
    for left in (2, 1):
        await choose(page, left)
        await held(1)
    await choose(page, 0)
    await held(0)


async def test_who_chooses_before_the_screen_is_kept_awake_lets_it_sleep(people: People) -> None:
    page = await people("/ladder")
    await page.evaluate(LOCKS)
    await page.evaluate(WAKE)
    assert await page.evaluate(HELD) == 0


async def test_a_browser_that_cannot_keep_the_screen_awake_throws_nothing(people: People, server: Server) -> None:
    page = await people("/ladder", base=server.address.replace("127.0.0.1", "plain.test"))
    assert await page.evaluate("'wakeLock' in navigator") is False
    await page.evaluate(WAKE)
