"""On plain HTTP at a host that is not localhost, as in a local network: no button is dead, and text is compressed."""

import asyncio

import pytest
from playwright.async_api import Dialog, Page
from tests.server.server_process import Server
from tests.web.conftest import EVENT_TIMEOUT, REDUCED_MOTION, PageOpener
from tests.web.driver import play_match

pytestmark = pytest.mark.long

PAGES = ("/", "/new", "/ladder", "/learn", "/learn/nimmt", "/me", "/password", "/replay", "/nowhere")
WITHOUT_BUTTONS = {"/ladder", "/nowhere", "/replay"}

CONTROLS = """(inside) => {
  const found = [];
  let modal = null;
  const visit = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.matches("dialog:modal")) modal = each;
      if (each.matches("button, summary, [role=button], [role=tab]")) found.push(each);
      if (each.shadowRoot) visit(each.shadowRoot);
    }
  };
  visit(document);
  // What is chosen already may do nothing.
  window.controls = found.filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled
    && !each.matches("[aria-pressed=true], [aria-current=true], [aria-selected=true]")
    && (!inside || modal?.contains(each)));
  return window.controls.map((each) => [
    each.getAttribute("aria-label") || each.textContent.trim().replace(/\\s+/g, " "),
    each.getAttribute("aria-haspopup") === "dialog",
  ]);
}"""
"""Find the buttons that can be pressed, optionally only those of the open dialog. Return their names, and which of them
open a dialog."""

STATE = """() => {
  const shown = (root) => [...root.childNodes].map((each) => {
    if (each.nodeType !== 1) return each.textContent;
    const { localName, value, checked, open, selectionStart, selectionEnd, scrollTop } = each;
    const attributes = [...each.attributes].map(({ name, value }) => `${name}=${value}`);
    const own = [localName, ...attributes, value, checked, open, selectionStart, selectionEnd, Math.round(scrollTop)];
    return [...own, shown(each), each.shadowRoot && shown(each.shadowRoot)];
  });
  const focused = (root) => root?.shadowRoot ? focused(root.shadowRoot.activeElement) ?? root : root;
  const asked = focused(document.activeElement)?.matches(":invalid"); // the browser explains what a form lacks
  return JSON.stringify([asked, location.href, document.title, Object.entries(localStorage), scrollY, shown(document)]);
}"""
"""Everything that a press can change on the page."""


async def settled(page: Page) -> str:
    """Return the state of the page when it no longer changes, or after three seconds, since clocks never rest."""
    await page.wait_for_load_state("networkidle")
    state: str = await page.evaluate(STATE)
    for _ in range(10):
        await asyncio.sleep(0.3)
        before, state = state, await page.evaluate(STATE)
        if state == before:
            break
    return state


async def press_all(page: Page, path: str, effects: list[str], opener: int | None = None) -> tuple[list[str], int]:
    """Press every button of a page, and of the dialogs that it opens, each after a new visit.

    Args:
        page: the page.
        path: the address to visit.
        effects: what happened on the page besides changes of its content; see `effects_of`.
        opener: number of the button that opens a dialog, to press only the buttons in this dialog.

    Returns:
        The names of the buttons that do nothing, and how many buttons were pressed.
    """
    dead: list[str] = []
    pressed = 0
    number = 0
    while True:
        await page.goto(path)
        await settled(page)
        if opener is not None:
            await page.evaluate(CONTROLS, False)
            await page.evaluate(f"window.controls[{opener}].click()")
            await settled(page)
        names = await page.evaluate(CONTROLS, opener is not None)
        if number >= len(names):
            return dead, pressed
        name, opens = names[number]
        before = await settled(page)
        effects.clear()
        control = (await page.evaluate_handle(f"window.controls[{number}]")).as_element()
        assert control
        number += 1
        if not await control.is_enabled():
            continue
        await control.click()
        pressed += 1
        for _ in range(EVENT_TIMEOUT // 100):
            if effects or await page.evaluate(STATE) != before:
                break
            await asyncio.sleep(0.1)
        else:
            dead.append(f"{path}: {name}")
        if opens and opener is None:
            more, count = await press_all(page, path, effects, number - 1)
            dead += more
            pressed += count


def effects_of(page: Page) -> list[str]:
    """Return a list that gets the requests, downloads and new windows of the page. Its questions are answered by no."""
    effects: list[str] = []

    async def dismiss(dialog: Dialog) -> None:
        effects.append(dialog.message)
        await dialog.dismiss()

    for event in ("request", "filechooser", "download", "popup"):
        page.on(event, lambda message: effects.append(str(message)))
    page.on("dialog", dismiss)
    return effects


@pytest.fixture
def plain(server: Server) -> str:
    """Return the server's address by a name other than localhost."""
    return server.address.replace("127.0.0.1", "faceup.test")


@pytest.mark.parametrize("path", PAGES)
async def test_no_button_is_dead_on_any_page(open_page: PageOpener, plain: str, path: str) -> None:
    page = await open_page("/", base=plain, **REDUCED_MOTION)
    assert not await page.evaluate("isSecureContext")
    dead, pressed = await press_all(page, path, effects_of(page))
    assert dead == []
    assert pressed > 0 or path in WITHOUT_BUTTONS
    open_page.page_errors.clear()  # buttons that send an empty form


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
async def test_no_button_is_dead_at_a_table(open_page: PageOpener, plain: str, game: str) -> None:
    page = await open_page("/ladder", base=plain, **REDUCED_MOTION)
    send = """([path, body]) => fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    }).then((answer) => answer.json())"""
    options = {"nimmt": {"seats": 2, "hand": 3}, "niuniu": {"seats": 2, "throws": 2}, "war": {"per_suit": 2}}[game]
    config = {"game": game, "options": options, "bots": ["random"]}
    table = (await page.evaluate(send, ["/api/tables", {"config": config}]))["id"]
    start = [f"/api/tables/{table}/commands", {"id": "start", "command": "start"}]
    await page.evaluate(send, start)
    await page.goto(f"/t/{table}")
    await play_match(page)
    if game == "nimmt":  # later visits get the review at once
        await page.locator("review-panel .decided").wait_for()
    for path, least in ((f"/t/{table}", 5), (f"/t/{table}/replay", 5)):
        dead, pressed = await press_all(page, path, effects_of(page))
        assert dead == []
        assert pressed >= least


async def test_no_button_is_dead_in_a_lobby(open_page: PageOpener, plain: str) -> None:
    page = await open_page("/ladder", base=plain, **REDUCED_MOTION)
    send = """(body) => fetch("/api/tables", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    }).then((answer) => answer.json())"""
    table = (await page.evaluate(send, {"config": {"game": "nimmt", "options": {"seats": 3}}}))["id"]
    dead, pressed = await press_all(page, f"/t/{table}", effects_of(page))
    assert dead == []
    assert pressed > 3


async def test_text_is_compressed_without_https(open_page: PageOpener, plain: str) -> None:
    page = await open_page("/ladder", base=plain)
    encodings: dict[str, str] = {}
    page.on("response", lambda answer: encodings.update({answer.url: answer.headers.get("content-encoding", "")}))
    await page.goto("/")
    await page.wait_for_load_state("networkidle")
    text = {url: encoding for url, encoding in encodings.items() if url.endswith(("/", ".js", ".css"))}
    assert len(text) > 2
    assert {*text.values()} <= {"gzip", "br"}
    assert "" not in text.values()
