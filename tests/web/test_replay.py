"""Replays in a browser: both ways the same, from a file, from a link, in a page of somebody else."""

import http.server
import json
import re
import threading
from collections.abc import Iterator
from functools import partial
from importlib.resources import as_file, files
from pathlib import Path

import pytest
from playwright.async_api import Page, expect
from tests.web.conftest import People

from faceup.core.record import loads
from faceup.server.offline import replay_page
from faceup.server.rooms import replayed

STREAMS = Path(__file__).parent / "streams"
GAMES = ("nimmt", "niuniu", "war")

WALK = """async (text) => {
  const { href } = document.querySelector('link[rel=stylesheet]');
  const { Player } = await import(href.replace('style.css', 'table/player.js'));
  const player = new Player(text), there = [], back = [];
  for (let step = 0; step <= player.last; step += 1) { there.push(JSON.stringify(player.sight)); player.forward(); }
  for (;;) { back.unshift(JSON.stringify(player.sight)); if (!player.back()) break; }
  const jumps = [...there.keys()].reverse().map((step) => (player.seek(step), JSON.stringify(player.sight))).reverse();
  return [there, back, jumps];
}"""


def record(game: str) -> str:
    return (STREAMS / f"{game}.record.json").read_text("utf-8")


def lines(game: str) -> str:
    return b"".join(replayed(loads(record(game)))).decode()


async def open_file(page: Page, game: str) -> None:
    await page.set_input_files("input[type=file]", STREAMS / f"{game}.record.json")
    # The first record of a server waits for the process that reads it.
    await expect(page.locator("faceup-replay .controls")).to_be_visible(timeout=30_000)


async def test_there_and_back_and_by_leaps_each_step_shows_the_same(people: People) -> None:
    page = await people("/replay")
    for game in GAMES:
        there, back, jumps = await page.evaluate(WALK, lines(game))
        assert len(there) > 1
        assert there == back == jumps


async def test_a_record_from_a_file_is_stepped_through_by_keys_slider_and_log(people: People) -> None:
    page = await people("/replay", viewport={"width": 1280, "height": 800})
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
    await page.get_by_label("Seen by").select_option("1")
    hand = "document.querySelector('replay-page').renderRoot.querySelector('faceup-replay').player.sight.view.hand"
    assert len(await page.evaluate(hand)) > 0


async def test_what_is_no_record_is_refused_in_a_sentence(people: People, tmp_path: Path) -> None:
    page = await people("/replay")
    wrong = tmp_path / "wrong.json"
    wrong.write_text('{"format": 1}', "utf-8")
    await page.set_input_files("input[type=file]", wrong)
    await expect(page.get_by_role("alert")).to_contain_text("not a record of faceup", timeout=30_000)
    people.wrong.clear()  # the browser complains of the answer's status
    await open_file(page, "niuniu")


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder that somebody else serves: plain files, and nothing of ours."""
    (tmp_path / "favicon.ico").write_bytes(b"")  # browsers ask for one
    handler = partial(Quiet, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as other:
        thread = threading.Thread(target=other.serve_forever)
        thread.start()
        yield tmp_path, f"http://127.0.0.1:{other.server_address[1]}"
        other.shutdown()
        thread.join()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Logs nothing."""

    def log_message(self, *_: object) -> None:
        """Not a word."""


@pytest.mark.parametrize(
    "game", ["nimmt", *(pytest.param(other, marks=pytest.mark.long) for other in ("niuniu", "war"))]
)
async def test_a_page_without_a_server_plays_a_replay_to_its_end(
    people: People, elsewhere: tuple[Path, str], game: str
) -> None:
    folder, address = elsewhere
    (folder / "replay.html").write_text(replay_page(loads(record(game))), "utf-8")
    page = await people("/replay.html", base=address)
    await page.get_by_role("button", name="To the end").click()
    last = len(lines(game).splitlines()) - 1
    await expect(page.locator("faceup-replay .count")).to_have_text(f"{last} of {last}")
    await expect(page.locator("table-result")).to_be_visible()


async def test_the_element_plays_in_a_page_of_somebody_else_as_the_documentation_says(
    people: People, elsewhere: tuple[Path, str]
) -> None:
    folder, address = elsewhere
    guide = (Path(__file__).parents[2] / "docs" / "replays.md").read_text("utf-8")
    [page_of_theirs] = re.findall(r"```html\n(.*?)```", guide, re.DOTALL)
    (folder / "index.html").write_text(page_of_theirs, "utf-8")
    (folder / "game.ndjson").write_text(lines("war"), "utf-8")
    with as_file(files("faceup.web")) as web:
        (folder / "web").symlink_to(web)
        page = await people("/", base=address)
        replay = page.locator("faceup-replay")
        await expect(replay.locator(".count")).to_have_text("3 of 39")
        await replay.get_by_role("button", name="One step on").click()
        await expect(replay.locator(".count")).to_have_text("4 of 39")
        await page.keyboard.press("End")
        await expect(replay.locator(".count")).to_have_text("39 of 39")
        await page.wait_for_load_state("networkidle")  # what ends the game is still on its way


async def test_a_link_leads_to_a_moment_of_a_finished_table_which_can_be_kept(people: People) -> None:
    page = await people("/replay")
    opening = {"game": "niuniu", "options": {"seats": 2, "throws": 3}, "bots": ["random"]}
    origin = "/".join(page.url.split("/")[:3])
    made = await page.request.post("/api/tables", data={"opening": opening, "sit": False}, headers={"origin": origin})
    table = (await made.json())["id"]
    await page.request.post(
        f"/api/tables/{table}/commands", data={"id": "start", "do": "start"}, headers={"origin": origin}
    )
    while (await (await page.request.get(f"/api/tables/{table}")).json())["sight"]["status"] != "finished":
        await page.wait_for_timeout(50)
    await page.goto(f"/t/{table}/replay#at=2&seat=1")
    replay = page.locator("faceup-replay")
    await expect(replay.locator(".count")).to_have_text("2 of 3", timeout=30_000)
    await expect(replay.get_by_label("Seen by")).to_have_value("1")
    await page.keyboard.press("ArrowRight")
    await expect(page).to_have_url(f"{origin}/t/{table}/replay#at=3&seat=1")
    await page.get_by_role("button", name="Keep and share").click()
    for kind in ("SVG", "PNG"):
        async with page.expect_download() as coming:
            await page.get_by_role("button", name=f"({kind})").click()
        saved = await (await coming.value).path()
        assert saved.read_bytes()[:4] == (b"<svg" if kind == "SVG" else b"\x89PNG")
    async with page.expect_download() as coming:
        await page.get_by_role("link", name="The record").click()
    assert json.loads((await (await coming.value).path()).read_text("utf-8"))["game"] == "niuniu"
