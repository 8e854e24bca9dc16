"""The page in Firefox and WebKit: a whole game, a reload, the settings, sharing, and what screen readers get."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from tests.server.server_process import Server
from tests.web.driver import TABLE_VIEW
from tests.web.test_accessibility import RUN_AXE, axe
from tests.web.webdriver import BROWSERS, BrowserPage

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

NEW_TABLE = """
const post = async (path, body) => (await fetch(path, {
  method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
})).json();
const { id } = await post("/api/tables", { config: %s });
if (%s) await post(`/api/tables/${id}/commands`, { id: "start", command: "start" });
return id;
"""
CHOICE_OPEN = f"""
const {{ status, actions, choice, decision }} = {TABLE_VIEW} ?? {{}};
return status === "finished" || (status === "active" && actions.length && !choice && decision !== arguments[0]);
"""
NIMMT = '{ game: "nimmt", options: { seats: 3, hand: 4 }, bots: ["random", "random"] }'
GAMES = {
    "nimmt": NIMMT,
    "niuniu": '{ game: "niuniu", options: { seats: 2, throws: 3 }, bots: ["random"] }',
    "war": '{ game: "war", bots: ["random"] }',
}


@pytest.fixture(scope="module", params=BROWSERS)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserPage]:
    """Start a browser."""
    finding = ["script/browser", request.param]
    program = subprocess.run(finding, stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[-2]
    with BROWSERS[request.param](program, tmp_path_factory.mktemp(request.param)) as started:
        started.resize(1100, 900)
        yield started


def open_table(page: BrowserPage, server: Server, config: str, *, start: bool = True) -> str:
    """Create a table by the API as the page's player, and open its page; return the table's id."""
    page.goto(f"{server.address}/ladder")
    table = str(page.run_async(NEW_TABLE % (config, "true" if start else "false")))
    page.goto(f"{server.address}/t/{table}")
    page.wait(f"return Boolean({TABLE_VIEW})")
    return table


def view(page: BrowserPage) -> dict[str, Any]:
    """Return the page's view of its table."""
    view: dict[str, Any] = page.run(f"return {TABLE_VIEW}")
    return view


def choose(page: BrowserPage, now: dict[str, Any]) -> None:
    """Choose by keyboard, as an open decision asks."""
    match now["config"]["game"]:
        case "nimmt" if now["actions"][0].startswith("take"):
            page.press("1", "Enter")
        case "nimmt":
            page.press("ArrowRight", "Enter", "Enter")
        case _:
            page.press("x")


@pytest.mark.parametrize("game", GAMES)
def test_a_game_with_a_reload_is_played_by_keyboard(page: BrowserPage, server: Server, game: str) -> None:
    open_table(page, server, GAMES[game])
    before = -1
    for number in range(4 if game == "war" else 100):  # a game of War takes hundreds of battles
        page.wait(CHOICE_OPEN, before)
        now = view(page)
        if now["status"] == "finished":
            break
        page.see(f"{game}-table")
        if number == 1:
            page.reload()
            page.wait(f"return {TABLE_VIEW}?.decision === arguments[0]", now["decision"])
            assert view(page)["view"] == now["view"]
            page.see(f"{game}-table")
        choose(page, now)
        page.wait(f"return {TABLE_VIEW}.choice || {TABLE_VIEW}.decision !== arguments[0]", now["decision"])
        before = now["decision"]
    if game != "war":
        page.see("table-result")


def test_cards_of_a_reveal_go_to_their_rows(page: BrowserPage, server: Server) -> None:
    open_table(page, server, NIMMT)
    page.wait(CHOICE_OPEN, -1)
    page.click(".held")
    page.click(".held.marked")
    page.wait(f"return {TABLE_VIEW}.decision !== 0")
    rows = view(page)["view"]["rows"]
    page.wait(
        """const board = document.querySelector("table-page").shadowRoot.querySelector("faceup-table").shadowRoot
          .querySelector("nimmt-table").shadowRoot;
        return board.querySelectorAll(".lying").length === arguments[0];""",
        sum(map(len, rows)),
    )


def test_settings_change_theme_and_language_at_once(page: BrowserPage, server: Server) -> None:
    page.goto(f"{server.address}/ladder")
    page.click("button", "Settings")
    page.click("label", "Dark")
    assert page.wait("return document.documentElement.dataset.theme") == "dark"
    page.select("select#language", "de")
    assert page.wait("return document.documentElement.lang === 'de' && document.documentElement.lang") == "de"
    page.see("label", "Dunkel")
    page.run("localStorage.clear()")


def test_a_link_is_copied(page: BrowserPage, server: Server) -> None:
    table = open_table(page, server, "{ game: 'nimmt', options: { seats: 3 } }", start=False)
    page.click("button", "Copy link")
    page.see("[role=status], button", "Copied")
    assert table


def test_screen_readers_get_roles_and_names(page: BrowserPage, server: Server) -> None:
    open_table(page, server, NIMMT)
    page.wait(CHOICE_OPEN, -1)
    role, name = page.role_and_name(".held")
    assert role == "button"
    assert name
    assert page.role_and_name("button", "Menu") == ("button", "Menu")
    page.run(axe())
    assert page.run_async(f"return await ({RUN_AXE})();") == []
