"""A live table in the page: what it is told is folded to the server's own sight, and a cut loses nothing."""

import json
from typing import Any

from playwright.async_api import Page, WebSocketRoute, expect
from tests.web.conftest import People, new_table, send

from faceup.server.api.web import web

OPEN = """async ([path, table]) => {
  const { Connection } = await import(path);
  globalThis.told = [];
  globalThis.live = new Connection(table);
  live.addEventListener("told", (event) => told.push(event.detail));
  await new Promise((done) => live.addEventListener("status", done, { once: true }));
}"""
SIGHT = "() => live.sight"


async def connected(page: Page, table: str) -> None:
    """A connection of the page's, as `live`; what it tells, as `told`."""
    await page.evaluate(OPEN, [f"/static/{web().stamp}/live/connection.js", table])


async def the_servers(page: Page, table: str) -> Any:
    """The sight that the server gives to this person when asked anew."""
    return (await (await page.request.get(f"/api/tables/{table}")).json())["sight"]


async def played(page: Page) -> None:
    """Choose the first card, as often as there is something to choose, until the game is over."""
    await page.evaluate(
        """async () => {
          while (live.sight.status === "active") {
            const { seat, words, decision, chosen } = live.sight;
            if (!words.length || chosen.includes(seat)) {
              await new Promise((done) => live.addEventListener("told", done, { once: true }));
              continue;
            }
            await live.send({ do: "choose", seat, action: words[0], decision }).catch(() => {});
            while (live.sight.decision === decision && !live.sight.chosen.includes(seat)) {
              await new Promise((done) => live.addEventListener("told", done, { once: true }));
            }
          }
        }"""
    )


async def test_the_fold_of_a_whole_game_is_the_servers_sight(people: People) -> None:
    page = await people("/")
    table = await new_table(page, game="nimmt", options={"seats": 3, "hand": 2}, bots=["random"])
    await connected(page, table)
    await page.evaluate("() => live.send({ do: 'start' })")
    await played(page)
    assert await page.evaluate(SIGHT) == await the_servers(page, table)
    assert await page.evaluate("() => told.filter((each) => each.jump).length") == 1


async def test_what_was_told_so_far_is_asked_for_again_where_the_server_has_too_much_to_do(people: People) -> None:
    page = await people("/")
    table = await new_table(page, game="nimmt", options={"seats": 2, "hand": 2}, bots=["random"])
    await send(page, table, "start")
    await connected(page, table)
    too_much = {"error": {"kind": "too_many", "message": "too much", "retry_after": 0.01}}
    await page.route("**/past", lambda route: route.fulfill(status=429, json=too_much), times=2)
    told = await page.evaluate("() => live.past()")
    assert json.loads(told.splitlines()[0])["sight"]["status"] == "active"
    people.wrong.clear()  # Chromium says that it was refused


async def test_what_was_sent_while_the_connection_was_lost_counts_once_when_it_is_back(people: People) -> None:
    page = await people("/")
    table = await new_table(page, game="nimmt", options={"seats": 2, "hand": 2}, bots=["random"])
    await connected(page, table)
    await page.evaluate("() => live.send({ do: 'start' })")
    await page.context.set_offline(True)
    await page.wait_for_function("() => live.status === 'lost'")
    await page.evaluate(
        "() => { globalThis.sent = live.send({do: 'choose', seat: 0, action: live.sight.words[0], decision: 0}); }"
    )
    await page.context.set_offline(False)
    await page.evaluate("() => sent")
    await played(page)
    assert await page.evaluate(SIGHT) == await the_servers(page, table)
    people.wrong.clear()  # Chromium says that it could not connect


async def test_a_browser_without_websockets_plays_over_http(people: People) -> None:
    page = await people("/")
    await page.evaluate("() => { delete globalThis.WebSocket; }")
    table = await new_table(page, game="niuniu", options={"seats": 2}, bots=["random"])
    await connected(page, table)
    await page.evaluate("() => live.send({ do: 'start' })")
    await played(page)
    assert await page.evaluate(SIGHT) == await the_servers(page, table)


async def test_a_table_is_shown_before_its_stream_is_there_and_goes_on_behind_what_is_shown(people: People) -> None:
    page = await people("/ladder")
    table = await new_table(page, game="nimmt", options={"seats": 2, "hand": 3})
    await send(page, table, "rename", seat=0, name="</script><b>Ann")
    held: list[WebSocketRoute] = []

    def hold(socket: WebSocketRoute) -> None:
        held.append(socket)

    await page.route_web_socket("**/live*", hold)
    await page.goto(f"/t/{table}")
    await expect(page.get_by_text("</script><b>Ann")).to_be_visible()
    (socket,) = held
    assert socket.url.endswith("/live?after=2")
    await send(page, table, "add_bot", seat=1, kind="random")
    socket.connect_to_server()
    await expect(page.locator("nimmt-table .held")).to_have_count(3)
