"""The page's connection to a live table: updates, reconnecting, HTTP fallback."""

import json
from itertools import count
from typing import Any

from playwright.async_api import Page, Route, WebSocketRoute, expect
from tests.web.conftest import PageOpener, create_table, send_command

from faceup.web.assets import web

OPEN = """async ([path, table]) => {
  const { Connection } = await import(path);
  globalThis.updates = [];
  globalThis.live = new Connection(table);
  live.addEventListener("update", (event) => updates.push(event.detail));
  await new Promise((done) => live.addEventListener("status", done, { once: true }));
}"""
TABLE_VIEW = "() => live.room"


async def connect(page: Page, table: str) -> None:
    """Open a connection in the page, as `live`; its updates are collected in `updates`."""
    await page.evaluate(OPEN, [f"/static/{web().stamp}/api/connection.js", table])


async def server_view(page: Page, table: str) -> Any:
    """Return the server's current view of the table for this player."""
    return (await (await page.request.get(f"/api/tables/{table}")).json())["room"]


async def play_to_end(page: Page) -> None:
    """Choose the first action at every decision until the game is over."""
    await page.evaluate(
        """async () => {
          while (live.room.status === "pending") {
            await new Promise((done) => live.addEventListener("update", done, { once: true }));
          }
          while (live.room.status === "active") {
            const { seat, actions, decision, chosen } = live.room;
            if (!actions.length || chosen.includes(seat)) {
              await new Promise((done) => live.addEventListener("update", done, { once: true }));
              continue;
            }
            await live.send({ command: "choose", seat, action: actions[0], decision }).catch(() => {});
            while (live.room.decision === decision && !live.room.chosen.includes(seat)) {
              await new Promise((done) => live.addEventListener("update", done, { once: true }));
            }
          }
        }"""
    )


async def test_updates_of_a_game_give_the_servers_view(open_page: PageOpener) -> None:
    page = await open_page("/")
    table = await create_table(page, game="nimmt", options={"seats": 3, "hand": 2}, bots=["random"])
    await connect(page, table)
    await page.evaluate("() => live.send({ command: 'start' })")
    await play_to_end(page)
    assert await page.evaluate(TABLE_VIEW) == await server_view(page, table)
    assert await page.evaluate("() => updates.filter((each) => each.jump).length") == 1


async def test_backlog_is_retried_after_a_rate_limit(
    open_page: PageOpener,
) -> None:
    page = await open_page("/")
    table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 2}, bots=["random"])
    await send_command(page, table, "start")
    await connect(page, table)
    too_much = {"error": {"kind": "rate_limited", "message": "too much", "retry_after": 0.01}}
    answers = count()

    async def answer(route: Route) -> None:
        # Not `times=2`: the third request follows while Chromium is told not to intercept any more, and may hang then.
        await (route.fulfill(status=429, json=too_much) if next(answers) < 2 else route.continue_())

    await page.route("**/backlog", answer)
    updates = await page.evaluate("() => live.fetchBacklog()")
    assert json.loads(updates.splitlines()[0])["room"]["status"] == "active"
    open_page.page_errors.clear()  # Chromium logs the refusal


async def test_command_sent_while_disconnected_counts_once_after_reconnecting(open_page: PageOpener) -> None:
    page = await open_page("/")
    table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 2}, bots=["random"])
    await connect(page, table)
    await page.evaluate("() => live.send({ command: 'start' })")
    await page.context.set_offline(True)
    await page.wait_for_function("() => live.status === 'lost'")
    await page.evaluate(
        """() => {
          globalThis.sent = live.send({ command: "choose", seat: 0, action: live.room.actions[0], decision: 0 });
        }"""
    )
    await page.context.set_offline(False)
    await page.evaluate("() => sent")
    await play_to_end(page)
    assert await page.evaluate(TABLE_VIEW) == await server_view(page, table)
    open_page.page_errors.clear()  # Chromium logs the lost connection


async def test_browser_without_websocket_plays_over_http(open_page: PageOpener) -> None:
    page = await open_page("/")
    await page.evaluate("() => { delete globalThis.WebSocket; }")
    table = await create_table(page, game="niuniu", options={"seats": 2}, bots=["random"])
    await connect(page, table)
    await page.evaluate("() => live.send({ command: 'start' })")
    await play_to_end(page)
    assert await page.evaluate(TABLE_VIEW) == await server_view(page, table)


async def test_embedded_snapshot_is_displayed_first_and_the_stream_resumes_after_it(
    open_page: PageOpener,
) -> None:
    page = await open_page("/ladder")
    table = await create_table(page, game="nimmt", options={"seats": 2, "hand": 3})
    await send_command(page, table, "rename", seat=0, name="</script><b>Ann")
    held: list[WebSocketRoute] = []

    def hold(socket: WebSocketRoute) -> None:
        held.append(socket)

    await page.route_web_socket("**/live*", hold)
    await page.goto(f"/t/{table}")
    await expect(page.get_by_text("</script><b>Ann")).to_be_visible()
    (socket,) = held
    assert socket.url.endswith("/live?after=2")
    await send_command(page, table, "add_bot", seat=1, kind="random")
    socket.connect_to_server()
    await expect(page.locator("nimmt-table .held")).to_have_count(3)
