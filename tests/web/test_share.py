"""Sharing: links, pictures and embedded replays, also on plain HTTP, and the page as an installed app."""

import asyncio
import re
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Download, Locator, Page, expect
from tests.server.server_process import Server, serving
from tests.web.conftest import PHONE, PageOpener, open_at_table
from tests.web.driver import play_match

pytestmark = pytest.mark.slow

FAKE_SHARE_SHEET = """(mode) => {
  window.sheets = [];
  const canShare = ({ files }) => mode.files && files.every((each) => each instanceof File);
  Object.defineProperty(navigator, "canShare", { value: canShare });
  Object.defineProperty(navigator, "share", { value: async ({ files, ...rest }) => {
    sheets.push({ ...rest, files: (files ?? []).map(({ name, type, size }) => [name, type, size > 1000]) });
    if (mode.error) throw new DOMException("", mode.error);
  } });
}"""


@pytest.fixture
def plain(server: Server) -> str:
    """Return the server's address by a name other than localhost, as in a local network."""
    return server.address.replace("127.0.0.1", "faceup.test")


async def post(page: Page, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send a request from the page, which also works for hosts that only the browser can resolve."""
    send = """([path, body]) => fetch(path, {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
    }).then((answer) => answer.json())"""
    answer: dict[str, Any] = await page.evaluate(send, [path, body])
    return answer


async def new_table(page: Page, **config: Any) -> str:
    """Create a table with this player as its host, start it and return its id."""
    table: str = (await post(page, "/api/tables", {"config": {"bots": ["random"], **config}}))["id"]
    await post(page, f"/api/tables/{table}/commands", {"id": "start", "command": "start"})
    return table


async def finished_table(page: Page, game: str = "nimmt", **options: Any) -> str:
    """Play a game against bots to its end, and return the id of its table."""
    table = await new_table(page, game=game, options=options or {"seats": 3, "hand": 2})
    await page.goto(f"/t/{table}")
    await play_match(page)
    return table


def dialog_of(page: Page) -> Locator:
    return page.locator("share-dialog dialog")


async def open_dialog(page: Page) -> Locator:
    """Open the share dialog from the menu of a table, and wait for the picture."""
    await page.get_by_role("button", name="Menu").click()
    await page.locator("table-menu").get_by_role("button", name="Share").click()
    await expect(dialog_of(page).get_by_role("img")).to_be_visible()
    return dialog_of(page)


async def pasted(page: Page) -> str:
    """Return what is in the clipboard, by pasting it."""
    await page.evaluate("""() => {
      const field = document.createElement("textarea");
      field.id = "pasted";
      document.body.append(field);
      field.focus();
    }""")
    await page.keyboard.press("Control+v")
    text: str = await page.locator("#pasted").input_value()
    return text


async def picture_size(page: Page) -> list[int]:
    """Return the size of the picture in the dialog."""
    image = dialog_of(page).get_by_role("img")
    size: list[int] = await image.evaluate(
        "async (image) => (await image.decode(), [image.naturalWidth, image.naturalHeight])"
    )
    return size


@pytest.mark.long
async def test_on_plain_http_a_result_is_copied_and_its_picture_saved(open_page: PageOpener, plain: str) -> None:
    page = await open_page("/ladder", base=plain)
    assert not await page.evaluate("isSecureContext")
    table = await finished_table(page)
    dialog = await open_dialog(page)
    await expect(dialog.get_by_role("button", name="Share …")).to_have_count(0)
    assert await picture_size(page) == [1200, 630]
    await dialog.get_by_role("button", name="Copy link").click()
    await expect(dialog.get_by_role("status")).to_have_text("Copied")
    async with page.expect_download() as download:
        await dialog.get_by_role("link", name="Save picture").click()
    assert (await content(await download.value)).startswith(b"\x89PNG")
    await dialog.get_by_text("Tall").click()
    await expect(dialog.locator(".tall")).to_be_visible()
    await expect(dialog.get_by_role("img")).to_have_js_property("naturalHeight", 1350)
    await page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    assert await pasted(page) == f"{plain}/t/{table}"


async def content(download: Download) -> bytes:
    path = await download.path()
    return await asyncio.to_thread(path.read_bytes)


@pytest.mark.long
async def test_the_share_sheet_gets_the_picture_where_it_takes_files(open_page: PageOpener) -> None:
    for mode, copied in (
        ({"files": True}, False),
        ({"files": False}, False),
        ({"files": True, "error": "NotAllowedError"}, True),
    ):
        page = await open_page("/ladder", **PHONE)
        table = await finished_table(page)
        await page.evaluate(FAKE_SHARE_SHEET, mode)
        dialog = await open_dialog(page)
        await expect(dialog.locator(".tall")).to_be_visible()
        await dialog.get_by_role("button", name="Share …").click()
        await page.wait_for_function("sheets.length")
        [sheet] = await page.evaluate("sheets")
        assert sheet["title"] == "6 nimmt!"
        assert sheet["url"].endswith(f"/t/{table}")
        assert sheet["files"] == ([["faceup.png", "image/png", True]] if mode["files"] else [])
        await expect(dialog.get_by_role("status")).to_have_text("Copied" if copied else "")


@pytest.mark.long
async def test_a_running_table_is_shared_without_the_hand_unless_one_asks(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, bots=["random"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if ".png" in request.url else None)
    dialog = await open_dialog(page)
    assert [("preview.png" in url, "picture.png" in url) for url in asked] == [(True, False)]
    await expect(dialog.get_by_role("link", name="Download record")).to_have_count(0)
    await expect(dialog.get_by_text("Embed")).to_have_count(0)
    async with page.expect_response(re.compile("picture.png")) as response:
        await dialog.get_by_text("My hand, too").click()
    assert (await response.value).headers["cache-control"] == "private, no-cache"
    await page.keyboard.press("Escape")
    private = await new_table(page, game="nimmt", options={"seats": 2}, spectators="nobody")
    await page.goto(f"/t/{private}")
    dialog = await open_dialog(page)
    await expect(dialog.get_by_role("radio")).to_have_count(0)
    assert "picture.png" in asked[-1]


@pytest.mark.long
async def test_a_moment_of_a_replay_is_shared_with_its_step_and_seat(open_page: PageOpener, plain: str) -> None:
    page = await open_page("/ladder", base=plain)
    table = await finished_table(page)
    await page.goto(f"/t/{table}/replay#at=1&seat=1")
    await page.get_by_role("button", name="Share", exact=True).click()
    dialog = dialog_of(page)
    await expect(dialog.get_by_role("img")).to_be_visible()
    await expect(dialog.get_by_label("Link", exact=True)).to_have_value(f"{plain}/t/{table}/replay#at=1&seat=1")
    async with page.expect_download() as download:
        await dialog.get_by_role("link", name="Download record").click()
    assert b'"game":"nimmt"' in await content(await download.value)


@pytest.mark.long
async def test_a_record_from_a_file_has_a_picture_but_no_link(open_page: PageOpener, tmp_path: Path) -> None:
    page = await open_page("/ladder")
    table = await finished_table(page)
    record = tmp_path / "record.json"
    record.write_bytes(await (await page.request.get(f"/api/tables/{table}/record")).body())
    await page.goto("/replay")
    await page.set_input_files("input[type=file]", record)
    await page.get_by_role("button", name="Share", exact=True).click()
    await expect(dialog_of(page).get_by_role("img")).to_be_visible()
    await expect(dialog_of(page).get_by_role("textbox")).to_have_count(0)
    await expect(dialog_of(page).get_by_role("link", name="Save picture")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "options"),
    [("nimmt", {"seats": 3, "hand": 2}), pytest.param("war", {"per_suit": 2}, marks=pytest.mark.long)],
)
async def test_the_code_to_embed_works_on_another_site(
    open_page: PageOpener, plain: str, other_site: tuple[Path, str], game: str, options: dict[str, Any]
) -> None:
    folder, address = other_site
    page = await open_page("/ladder", base=plain)
    table = await finished_table(page, game, **options)
    await page.goto(f"/t/{table}/replay#at=1&seat=0")
    await page.get_by_role("button", name="Share", exact=True).click()
    await dialog_of(page).get_by_text("Embed").click()
    await expect(dialog_of(page).locator("faceup-replay .count")).to_contain_text("1 of")
    await dialog_of(page).get_by_role("button", name="Copy code").click()
    await expect(dialog_of(page).get_by_role("status")).to_have_text("Copied")
    await page.keyboard.press("Escape")
    code = await pasted(page)
    (folder / "index.html").write_text(f'<!doctype html><html lang="en"><title>x</title>{code}</html>', "utf-8")
    other = await open_page("/", base=address)
    await expect(other.locator("faceup-replay .count")).to_contain_text("1 of")
    await other.locator("faceup-replay").get_by_role("button", name="Next step").click()
    await expect(other.locator("faceup-replay .count")).to_contain_text("2 of")
    await expect(other.locator("faceup-replay").get_by_label("View as")).to_have_value("0")


@pytest.mark.parametrize("base", ["", "/games"])
async def test_the_page_can_be_installed(open_page: PageOpener, tmp_path: Path, base: str) -> None:
    with serving(tmp_path, "--base-path", base) if base else nullcontext() as own:
        page = await open_page(f"{base}/", base=own.address if own else None)
        devtools = await page.context.new_cdp_session(page)
        answer = await devtools.send("Page.getAppManifest")
        assert answer["errors"] == []
        failed = (await devtools.send("Page.getInstallabilityErrors"))["installabilityErrors"]
        assert {error["errorId"] for error in failed} <= {"in-incognito"}  # as the windows of all tests
        manifest = await page.evaluate("""async () => {
          const url = document.querySelector("link[rel=manifest]").href;
          const { start_url, scope, icons } = await (await fetch(url)).json();
          const pixels = icons.filter(({ type }) => type === "image/png");
          const sizes = await Promise.all(pixels.map(async ({ src, sizes }) => {
            const { width, height } = await createImageBitmap(await (await fetch(new URL(src, url))).blob());
            return [sizes, `${width}x${height}`];
          }));
          return { start: new URL(start_url, url).pathname, scope: new URL(scope, url).pathname, sizes };
        }""")
        assert (manifest["start"], manifest["scope"]) == (f"{base}/", f"{base}/")
        assert len(manifest["sizes"]) == 3
        assert all(promised == real for promised, real in manifest["sizes"])
        icon = await page.request.get(await page.locator("link[rel=apple-touch-icon]").evaluate("(link) => link.href"))
        assert (await icon.body()).startswith(b"\x89PNG")
        await page.goto("about:blank")  # or it would miss the server that stops


async def test_the_colour_of_the_browser_follows_the_theme(open_page: PageOpener) -> None:
    page = await open_page("/", color_scheme="light")
    metas = "[...document.querySelectorAll('meta[name=theme-color]')]"
    colour = f"{metas}.find((each) => matchMedia(each.media).matches).content"
    assert await page.evaluate(colour) == "#f5f0e6"
    await page.emulate_media(color_scheme="dark")
    assert await page.evaluate(colour) == "#14191a"
    await page.get_by_role("button", name="Settings").click()
    await page.get_by_text("Light", exact=True).click()
    assert await page.evaluate(colour) == "#f5f0e6"
