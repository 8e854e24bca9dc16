"""Replays in the browser: navigation, record files, links, standalone and third-party pages."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import PageOpener

from faceup.core.record import loads
from faceup.server.rooms import replay_lines
from faceup.server.rooms.replay_page import replay_page
from faceup.web.__main__ import main

STREAMS = Path(__file__).parent / "streams"
GAMES = ("nimmt", "niuniu", "war")

VISIT_STEPS = """async (text) => {
  const { href } = document.querySelector('link[rel=icon]');
  const { ReplaySource } = await import(new URL('table/replay-source.js', href));
  const player = new ReplaySource(text), there = [], back = [];
  for (let step = 0; step <= player.last; step += 1) { there.push(JSON.stringify(player.room)); player.forward(); }
  for (;;) { back.unshift(JSON.stringify(player.room)); if (!player.back()) break; }
  const jumps = [...there.keys()].reverse().map((step) => (player.seek(step), JSON.stringify(player.room))).reverse();
  return [there, back, jumps];
}"""


SHOW_ELEMENT = """async ({ text, at }) => {
  await customElements.whenDefined('faceup-replay');
  const element = document.createElement('faceup-replay');
  element.setAttribute('at', at);
  element.lines = text;
  document.body.append(element);
}"""


def record(game: str) -> str:
    return (STREAMS / f"{game}.record.json").read_text("utf-8")


def lines(game: str) -> str:
    return b"".join(replay_lines(loads(record(game)))).decode()


async def open_file(page: Page, game: str) -> None:
    await page.set_input_files("input[type=file]", STREAMS / f"{game}.record.json")
    # The server's first replay starts a worker process.
    await expect(page.locator("faceup-replay .controls")).to_be_visible()


async def test_steps_are_the_same_forwards_backwards_and_after_seeking(open_page: PageOpener) -> None:
    page = await open_page("/replay")
    for game in GAMES:
        there, back, jumps = await page.evaluate(VISIT_STEPS, lines(game))
        assert len(there) > 1
        assert there == back == jumps


async def test_record_file_is_navigated_by_keys_slider_and_log(open_page: PageOpener) -> None:
    page = await open_page("/replay", viewport={"width": 1280, "height": 800})
    await open_file(page, "nimmt")
    count = page.locator("faceup-replay .count")
    last = len(lines("nimmt").splitlines()) - 1
    await expect(count).to_have_text(f"0 of {last}")
    for key, step in (("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1), ("Home", 0)):
        await page.keyboard.press(key)
        await expect(count).to_have_text(f"{step} of {last}")
    await page.get_by_role("slider", name="Step").fill("3")
    await expect(count).to_have_text(f"3 of {last}")
    await page.locator("table-log button").nth(1).click()
    await expect(count).to_have_text(f"2 of {last}")
    await page.get_by_label("View as").select_option("1")
    hand = "document.querySelector('replay-page').renderRoot.querySelector('faceup-replay').replay.room.view.hand"
    assert len(await page.evaluate(hand)) > 0


async def test_invalid_record_shows_an_error(open_page: PageOpener, tmp_path: Path) -> None:
    page = await open_page("/replay")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": 1}', "utf-8")
    await page.set_input_files("input[type=file]", wrong)
    await expect(page.get_by_role("alert")).to_contain_text("Not a faceup record")
    open_page.page_errors.clear()  # Chromium logs the error response
    await open_file(page, "niuniu")


@pytest.mark.parametrize(
    "game", ["nimmt", *(pytest.param(other, marks=pytest.mark.long) for other in ("niuniu", "war"))]
)
async def test_standalone_page_plays_a_replay_to_its_end(
    open_page: PageOpener, other_site: tuple[Path, str], game: str
) -> None:
    folder, address = other_site
    (folder / "replay.html").write_text(replay_page(loads(record(game))), "utf-8")
    page = await open_page("/replay.html", base=address)
    await page.get_by_role("button", name="Go to end").click()
    last = len(lines(game).splitlines()) - 1
    await expect(page.locator("faceup-replay .count")).to_have_text(f"{last} of {last}")
    await expect(page.locator("table-result")).to_be_visible()


async def test_element_works_in_a_third_party_page_as_documented(
    open_page: PageOpener, other_site: tuple[Path, str]
) -> None:
    folder, address = other_site
    guide = (Path(__file__).parents[2] / "docs" / "how-to" / "embed-a-replay.md").read_text("utf-8")
    [their_page] = [block for block in re.findall(r"```html\n(.*?)```", guide, re.DOTALL) if "<!doctype" in block]
    (folder / "index.html").write_text(their_page, "utf-8")
    (folder / "game.ndjson").write_text(lines("war"), "utf-8")
    main([str(folder / "web")])
    page = await open_page("/", base=address)
    replay = page.locator("faceup-replay")
    await expect(replay.locator(".count")).to_have_text("3 of 39")  # after a hundred requests
    await expect(replay.locator("war-table .felt")).to_be_visible()  # it moves the controls
    await replay.get_by_role("button", name="Next step").click()
    await expect(replay.locator(".count")).to_have_text("4 of 39")
    await page.keyboard.press("End")
    await expect(replay.locator(".count")).to_have_text("39 of 39")
    await expect(page.locator("table-result")).to_be_visible()  # its modules load later


@pytest.mark.parametrize(("at", "step"), [("abc", 0), ("1.4", 1), ("-4", 0), ("99999", 39), ("", 0)])
async def test_element_starts_at_the_step_that_is_nearest_to_its_attribute(
    open_page: PageOpener, at: str, step: int
) -> None:
    page = await open_page("/replay")
    await page.evaluate(SHOW_ELEMENT, {"text": lines("war"), "at": at})
    count = page.locator("body > faceup-replay .count")
    await expect(count).to_have_text(f"{step} of 39")
    await page.evaluate("at => document.querySelector('body > faceup-replay').setAttribute('at', at)", "2.6")
    await expect(count).to_have_text("3 of 39")


async def test_element_says_that_a_replay_with_a_missing_line_cannot_be_read(open_page: PageOpener) -> None:
    """It was shown up to this line, and an error in the console was all that said so."""
    page = await open_page("/replay")
    first, second, _, *rest = lines("war").splitlines()
    await page.evaluate(SHOW_ELEMENT, {"text": "\n".join([first, second, *rest]), "at": "0"})
    await expect(page.locator("body > faceup-replay [role=alert]")).to_have_text("This replay cannot be read.")


async def test_link_opens_a_step_which_can_be_downloaded(open_page: PageOpener) -> None:
    page = await open_page("/replay")
    config = {"game": "niuniu", "options": {"seats": 2, "throws": 3}, "bots": ["random"]}
    origin = "/".join(page.url.split("/")[:3])
    made = await page.request.post("/api/tables", data={"config": config, "sit": False}, headers={"origin": origin})
    table = (await made.json())["id"]
    await page.request.post(
        f"/api/tables/{table}/commands", data={"id": "start", "command": "start"}, headers={"origin": origin}
    )
    while (await (await page.request.get(f"/api/tables/{table}")).json())["room"]["status"] != "finished":
        await page.wait_for_timeout(50)
    await page.goto(f"/t/{table}/replay#at=2&seat=1")
    replay = page.locator("faceup-replay")
    await expect(replay.locator(".count")).to_have_text("2 of 3")
    await expect(replay.get_by_label("View as")).to_have_value("1")
    await page.keyboard.press("ArrowRight")
    await expect(page).to_have_url(f"{origin}/t/{table}/replay#at=3&seat=1")
    await page.get_by_role("button", name="Share", exact=True).click()
    async with page.expect_download() as download:
        await page.get_by_role("link", name="Download record").click()
    assert json.loads((await (await download.value).path()).read_text("utf-8"))["game"] == "niuniu"
