"""Games with days per move on the page: create one, find it again, and see for whom it waits."""

import json

import pytest
from playwright.async_api import Page, async_playwright, expect
from tests.server.server_process import Server
from tests.web.conftest import PHONE, REDUCED_MOTION, PageOpener, browser_path, create_table, send_command
from tests.web.test_accessibility import violations


async def test_a_game_with_days_per_move_is_created_and_waits_on_home(open_page: PageOpener) -> None:
    ann = await open_page("/new?game=nimmt", **REDUCED_MOTION | PHONE)
    await ann.get_by_label("Time per choice").select_option("2 days per move")
    await expect(ann.get_by_text("No one needs to be online")).to_be_visible()
    await ann.get_by_text("All settings").click()
    await expect(ann.get_by_label("Bot takes over after")).to_have_count(0)
    await ann.get_by_role("button", name="Remove a seat").click()
    await ann.get_by_role("button", name="Remove a seat").click()
    await ann.get_by_role("button", name="Create table").click()
    await expect(ann.get_by_text("You can close this page.")).to_be_visible()
    table = ann.url.rpartition("/")[2]
    await ann.goto("/")
    await expect(ann.get_by_text("Not started")).to_be_visible()

    bo = await open_page(None)
    await send_command(bo, table, "sit", name="Bo")
    await ann.goto("/")
    await expect(ann.get_by_role("heading", name="Your turn")).to_be_visible()
    await expect(ann.get_by_text("2 days left")).to_be_visible()
    await expect(ann.get_by_role("link", name="faceup home, 1 game waits for you")).to_be_visible()
    assert await ann.title() == "● Your turn (1) · faceup"
    assert await violations(ann) == []
    await ann.get_by_text("2 days left").click()
    await expect(ann.get_by_role("timer", name="2 days left")).to_be_visible()


@pytest.mark.long
async def test_a_push_message_is_shown_unless_the_player_looks_at_the_table(server: Server) -> None:
    """The browser delivers the message to the service worker as from a push service.

    The shell of Chromium, which the other tests use, allows no notifications.
    """
    async with async_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        chromium = await playwright.chromium.launch(executable_path=browser_path("chromium"), args=options)
        context = await chromium.new_context(base_url=server.address, permissions=["notifications"])
        await _check_messages(await context.new_page())
        await chromium.close()


async def _check_messages(page: Page) -> None:
    await page.goto("/ladder")
    table = await create_table(page, game="nimmt", options={"seats": 2}, terms={"clock": 86_400_000})
    cdp = await page.context.new_cdp_session(page)
    registered: list[str] = []
    cdp.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda message: registered.extend(registration["registrationId"] for registration in message["registrations"]),
    )
    await cdp.send("ServiceWorker.enable")
    await page.evaluate(
        "navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready)"
    )
    origin = "/".join(page.url.split("/")[:3])
    text = "It is your turn at 6 nimmt! (Ann and Bo)."

    async def deliver(*tables: str) -> list[dict[str, str]]:
        """Deliver a message for each table, and return all notices when the one of the last table is shown."""
        for name in tables:
            data = json.dumps({"text": text, "table": name})
            message = {"origin": origin, "registrationId": registered[-1], "data": data}
            await cdp.send("ServiceWorker.deliverPushMessage", message)
        await page.wait_for_function(
            f"(last) => ({SHOWN})().then((all) => all.some(({{ tag }}) => tag === last))", arg=tables[-1]
        )
        notices: list[dict[str, str]] = await page.evaluate(SHOWN)
        return notices

    assert await deliver(table) == [{"body": text, "tag": table, "data": f"{origin}/t/{table}"}]
    notices = await deliver(table, "OTHER")  # the second of the table replaces the first
    assert {notice["tag"] for notice in notices} == {table, "OTHER"}
    assert len(notices) == 2
    await page.evaluate(
        "navigator.serviceWorker.ready.then((it) => it.getNotifications()).then((all) => all.map((one) => one.close()))"
    )
    await page.goto(f"/t/{table}")
    assert [notice["tag"] for notice in await deliver(table, "OTHER")] == ["OTHER"]


SHOWN = """() => navigator.serviceWorker.ready.then((it) => it.getNotifications())
  .then((all) => all.map(({ body, tag, data }) => ({ body, tag, data })))"""
