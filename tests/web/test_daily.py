"""The daily deal in the browser: a whole deal on two devices, sharing, and the morning after."""

import json
import re
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.server.app_server import ListeningServer, listening_server
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener
from tests.web.driver import TABLE_VIEW, choose_by_keyboard, play_match, room
from tests.web.test_accessibility import violations

from faceup.server.daily import tasks as daily_deals
from faceup.server.daily.queries import Day, Par
from faceup.server.rooms.daily import DAY, HOUR, open_dates

NO_SHARE = "delete Navigator.prototype.share;"
CLIPBOARD = """window.copied = []; Object.defineProperty(navigator, "clipboard", { value: {
  writeText: async (text) => void window.copied.push(text) } });"""


class DailySite:
    """A server whose clock can be moved, and pages of it."""

    def __init__(self, server: ListeningServer, skew: list[int], opener: PageOpener) -> None:
        self.server, self.skew, self.open = server, skew, opener

    async def compute_par(self) -> None:
        """Do what the server does twice a minute."""
        await daily_deals.DailyDeals(self.server.store, self.server.hub).prepare()


MORNING = 11 * HOUR
"""The time of day in UTC at which tests start, since three dates are open then, and only two in the afternoon."""


@pytest.fixture(autouse=True)
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Bots without a search, and a par without a game."""

    async def compute(_: Day, __: object) -> Par:
        return Par(bot="champion", heads=9, place=2, turns=(0, 0, 3, 0, 0, 0, 1, 0, 5, 0))

    monkeypatch.setattr(daily_deals, "BOTS", ("random", "greedy", "random"))
    monkeypatch.setattr(daily_deals, "compute_par", compute)
    return iter([None])


@pytest_asyncio.fixture(loop_scope="session")
async def site(browser: Browser, tmp_path: Path) -> AsyncIterator[DailySite]:
    skew = [MORNING - round(time.time() * 1000) % DAY]
    async with AsyncExitStack() as opened, listening_server(tmp_path / "daily.sqlite", skew=skew) as server:
        opener = PageOpener(browser, server.base, opened)
        yield DailySite(server, skew, opener)
        await opened.aclose()
    assert not opener.page_errors, "\n".join(opener.page_errors)


async def play_lowest(page: Page, now: dict[str, Any]) -> None:
    """Choose the first action by the API of the page, so that two devices make the same choices."""
    await page.evaluate(f"""() => {{
      const {{ connection }} = document.querySelector("table-page");
      const {{ seat, decision, actions }} = {TABLE_VIEW};
      return connection.send({{ command: "choose", seat, decision, action: actions[0] }});
    }}""")
    assert now["daily"]


async def share_result(page: Page, heads: int) -> None:
    """Copy the text to share, which gives nothing away."""
    await page.get_by_role("button", name="Share").click()
    await expect(page.locator("daily-page").get_by_text("Copied. Paste it where you like")).to_be_visible()
    (shared,) = await page.evaluate("window.copied")
    assert f"🐮 {heads} (par 9)" in shared
    assert len(re.findall("[🟩🟨🟧🟥]", shared)) == 10
    assert shared.endswith("/daily")


async def test_a_new_day_is_shown_without_a_reload(site: DailySite) -> None:
    pages, asked = [await site.open("/daily", timezone_id="UTC"), await site.open("/", timezone_id="UTC")], list[str]()
    today = (datetime.fromtimestamp(site.server.store.now() / 1000, UTC)).date()
    for page, leaf in zip(pages, (".hero .leaf b", "daily-card .leaf b"), strict=True):
        page.on("request", lambda request: asked.append(request.url) if "/api/daily?" in request.url else None)
        await page.clock.set_fixed_time(f"{today}T23:59:58Z")  # also if loading takes longer
        await page.reload()
        await expect(page.locator(leaf)).to_have_text(str(today.day))
        asked.clear()
        tomorrow = today + timedelta(days=1)
        await page.clock.set_fixed_time(f"{tomorrow}T00:00:05Z")
        await expect(page.locator(leaf)).to_have_text(str(tomorrow.day))
        await page.clock.run_for(3_000)  # further timers ask nothing
        await page.evaluate("() => 0")  # requests are reported before this answer
        assert len(asked) == 1


@pytest.mark.long
async def test_two_devices_play_the_same_deal_to_the_end_and_its_secret_is_revealed(site: DailySite) -> None:
    phone = await site.open("/", **PHONE, **REDUCED_MOTION)
    desk = await site.open("/daily", **REDUCED_MOTION)
    await desk.add_init_script(NO_SHARE + CLIPBOARD)
    await phone.get_by_role("link", name=re.compile("Daily deal")).click()
    hands, logs = [], []
    for page in (phone, desk):
        await expect(page.get_by_text("Par and ranking appear when you have finished.")).to_be_visible()
        await page.get_by_role("button", name="Play").click()
        await page.wait_for_url(re.compile("/t/"))
        await page.wait_for_function(f"() => {TABLE_VIEW}?.view?.hand?.length")
        hands.append((await room(page))["view"]["hand"])
    assert hands[0] == hands[1]

    # A reload, and another way in, lead back to the same table.
    table = desk.url
    await play_match(desk, play_lowest, most=3)
    await desk.goto("/daily")
    await desk.get_by_role("button", name="Resume").click()
    await desk.wait_for_url(table)
    for page in (desk, phone):
        await play_match(page, play_lowest)
        logs.append((await room(page))["view"]["log"])
    assert logs[0] == logs[1], "the same choices lead to the same game"
    scores = (await room(desk))["result"]["scores"]
    await site.compute_par()

    await expect(desk.get_by_role("button", name="Play again")).to_have_count(0)
    await desk.get_by_role("link", name="Par and ranking").click()
    await expect(desk.get_by_text("Place 1 of 2")).to_be_visible()
    ranking = desk.get_by_role("region", name="Ranking")
    await expect(ranking.get_by_role("listitem")).to_have_count(2)
    await expect(ranking.get_by_text("You")).to_be_visible()
    await expect(desk.get_by_text("1 day in a row")).to_be_visible()
    await share_result(desk, scores[0])
    assert await violations(desk) == []

    # The own game can be replayed, but the others' cards stay hidden.
    await desk.get_by_role("link", name="Replay", exact=True).click()
    await expect(desk.locator("faceup-replay")).to_be_visible()
    stranger = await site.open("/daily", **REDUCED_MOTION)
    path = table.removeprefix(site.server.base)
    assert (await stranger.request.get(f"/api{path.replace('/t/', '/tables/')}/replay")).status == 403
    site.open.page_errors.clear()

    # The day is over everywhere.
    date = open_dates(site.server.hub.now())
    promised = (await (await desk.request.get("/api/daily")).json())["today"]
    site.skew[0] += 3 * DAY
    await stranger.goto(f"/daily/{promised['date']}")
    await expect(stranger.get_by_text("You did not play this deal.")).to_be_visible()
    await expect(stranger.get_by_text("This page has checked it")).to_be_visible()
    await expect(stranger.get_by_text(promised["commitment"])).to_be_visible()
    assert promised["date"] in date
    await stranger.get_by_role("link", name=re.compile("Replay of")).first.click()
    await expect(stranger.get_by_text(re.compile("^0 of 1"))).to_be_visible()
    assert all("403" in error for error in site.open.page_errors), "the page asks whether the player had a seat there"
    site.open.page_errors.clear()


async def test_a_false_secret_is_reported(site: DailySite) -> None:
    page = await site.open("/", **REDUCED_MOTION)
    date = (await (await page.request.get("/api/daily")).json())["today"]["date"]
    site.skew[0] += 3 * DAY

    async def falsify(route: Any) -> None:
        answer = await (await route.fetch()).json()
        await route.fulfill(body=json.dumps(answer | {"secret": "0" * 64}), content_type="application/json")

    await page.route(f"**/api/daily/{date}", falsify)
    await page.goto(f"/daily/{date}")
    await expect(page.get_by_text("The secret does not fit its hash")).to_be_visible()


@pytest.mark.sample(1)
@pytest.mark.parametrize(("language", "play"), [("de", "Spielen"), ("fr", "Jouer"), ("zh-CN", "开始")])
async def test_the_daily_deal_is_translated_and_fits_a_phone(site: DailySite, language: str, play: str) -> None:
    page = await site.open("/daily", locale=language, **PHONE, **REDUCED_MOTION)
    await expect(page.get_by_role("button", name=play)).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not re.search(r"\bdaily\.\w+", await page.locator("daily-page").inner_text())


@pytest.mark.long
async def test_the_daily_deal_is_played_by_keyboard(site: DailySite) -> None:
    page = await site.open("/daily", **REDUCED_MOTION)
    await page.get_by_role("button", name="Play").focus()
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile("/t/"))
    await play_match(page, choose_by_keyboard, most=2)
    await page.goto("/daily")
    await page.get_by_role("link", name=re.compile("not played yet")).first.focus()
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(r"/daily/\d{4}"))
