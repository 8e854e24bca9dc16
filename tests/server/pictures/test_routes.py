"""Pictures of tables, results and steps, and the previews of links."""

import html
import re
import struct

import httpx
import pytest
from tests.server.app_server import AppServer
from tests.server.conftest import Serve
from tests.server.requests import do, error, play_on

from faceup.server.http.rate_limits import RateLimit, ServerLimits
from faceup.server.process.settings import Settings


def size(answer: httpx.Response) -> tuple[int, int]:
    """Return the width and height of a PNG."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", answer.content[16:24])
    return width, height


async def finished_table(app: AppServer, ann: httpx.AsyncClient, bo: httpx.AsyncClient, **config: object) -> str:
    table = await app.table(ann, **config)
    await do(bo, table, "sit")
    await play_on([ann, bo], table)
    return table


def tags(answer: httpx.Response) -> dict[str, str]:
    """Return the preview tags of a page."""
    assert answer.status_code == 200
    metas = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', answer.text)
    return {name: html.unescape(value) for name, value in metas}


async def test_a_result_has_a_wide_and_a_tall_picture(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await finished_table(app, ann, bo)
        address = f"/api/tables/{table}/picture.png"
        assert size(await ann.get(address)) == (1200, 630)
        assert size(await anonymous.get(f"{address}?shape=tall&lang=zh")) == (1080, 1350)
        assert (await ann.get(address)).content != (await ann.get(f"{address}?at=0")).content
        assert error(await ann.get(f"{address}?lang=xx")) == (400, "malformed")


async def test_steps_of_finished_games_and_of_records_have_pictures(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann)
        await do(bo, table, "sit")
        assert error(await ann.get(f"/api/tables/{table}/picture.png?at=0")) == (403, "wrong_seat")
        await play_on([ann, bo], table)
        steps = [
            await anonymous.get(f"/api/tables/{table}/picture.png?at=0{seat}") for seat in ("", "&seat=0", "&seat=1")
        ]
        assert [size(step) for step in steps] == [(1200, 630)] * 3
        assert len({step.content for step in steps}) == 3
        record = (await anonymous.get(f"/api/tables/{table}/record")).content
        json_body = {"content-type": "application/json"}
        drawn = await anonymous.post("/api/picture?at=0&seat=1", content=record, headers=json_body)
        assert drawn.content == steps[2].content
        for wrong in (b"[]", b'","page":"home', b"\xff"):
            assert error(await anonymous.post("/api/picture", content=wrong, headers=json_body)) == (400, "malformed")
        assert error(await anonymous.get(f"/api/tables/{table}/picture.png?at=99")) == (400, "malformed")


async def test_only_the_browser_of_a_player_may_store_the_picture_of_their_view(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann)
        await do(bo, table, "sit")
        own_picture = await ann.get(f"/api/tables/{table}/picture.png")
        assert own_picture.headers["cache-control"] == "private, no-cache"
        assert own_picture.headers["vary"] == "cookie, authorization"
        again = await ann.get(
            f"/api/tables/{table}/picture.png", headers={"if-none-match": own_picture.headers["etag"]}
        )
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["cache-control"] == "private, no-cache"
        other = await bo.get(f"/api/tables/{table}/picture.png", headers={"if-none-match": own_picture.headers["etag"]})
        assert other.status_code == 200
        preview = await ann.get(f"/t/{table}/preview.png")
        assert preview.headers["cache-control"].startswith("public")


async def test_pictures_are_rate_limited(serve: Serve) -> None:
    app = await serve(limits=ServerLimits(pictures=RateLimit(1, 0.01)))
    async with app.client() as anonymous:
        assert size(await anonymous.get("/preview/home.png")) == (1200, 630)
        assert error(await anonymous.get("/preview/home.png")) == (429, "rate_limited")


async def test_every_page_has_a_preview_in_the_language_of_the_browser(serve: Serve) -> None:
    app = await serve(Settings(public_url="https://cards.example", base_path="/games"))
    async with app.client() as anonymous:
        for path, language, title in (
            ("/", "de", "faceup"),
            ("/replay", "en", "A game to watch again"),
            ("/puzzles", "zh", "faceup"),
            ("/daily/2026-11-23", "en", "The daily deal"),
            ("/daily/2026-11-23", "fr", "La donne du jour"),
        ):
            answer = await anonymous.get(f"/games{path}", headers={"accept-language": language})
            shown = tags(answer)
            assert shown["og:title"] == title
            assert f"<title>{title}</title>" in answer.text
            assert shown["og:url"] == f"https://cards.example/games{path}"
            assert shown["og:locale"].startswith(language)
            assert shown["twitter:card"] == "summary_large_image"
            assert shown["description"] == shown["og:description"]
            assert f"<p>{html.escape(shown['description'])}</p>" in answer.text.partition("<noscript>")[2]
            assert answer.headers["content-encoding"] == "gzip"
            assert shown["og:image"].startswith("https://cards.example/games/preview/")
            assert size(await anonymous.get(shown["og:image"].removeprefix("https://cards.example"))) == (1200, 630)


async def test_the_preview_of_a_table_follows_the_game(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("<b>Bo</b>&\"'") as bo, app.client() as anonymous:
        table = await app.table(ann)
        pending = tags(await anonymous.get(f"/t/{table}"))
        assert (pending["og:title"], pending["og:description"]) == (
            "Play 6 nimmt! with us",
            "At the table: Ann. Free seats: 1.",
        )
        await do(bo, table, "sit")
        active = await anonymous.get(f"/t/{table}", headers={"accept-language": "de"})
        assert tags(active)["og:description"] == "Es spielen Ann und <b>Bo</b>&\"'."
        assert "<b>Bo" not in active.text
        await play_on([ann, bo], table)
        finished = tags(await anonymous.get(f"/t/{table}"))
        assert finished["og:title"].endswith(("wins", "first place"))
        assert finished["og:description"].startswith("6 nimmt!: ")
        assert finished["og:image"] != tags(active)["og:image"]
        replay = tags(await anonymous.get(f"/t/{table}/replay"))
        assert replay["og:title"] == f"Replay: {finished['og:title']}"
        picture = await anonymous.get(finished["og:image"].removeprefix("http://cards.test"))
        assert size(picture) == (1200, 630)
        assert picture.content == (await anonymous.get(f"/api/tables/{table}/picture.png")).content


async def test_the_preview_of_a_table_without_spectators_tells_nothing_about_it(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo:
        table = await app.table(ann, spectators="nobody")
        unknown = await ann.get("/t/nowhere")
        for step in ("pending", "active", "finished"):
            page = await ann.get(f"/t/{table}")
            assert f'"status":"{step}"' in page.text
            described = {name: value for name, value in tags(page).items() if name != "og:url"}
            assert described == {name: value for name, value in tags(unknown).items() if name != "og:url"}
            generic = await ann.get("/preview/table.png")
            assert (await ann.get(f"/t/{table}/preview.png")).content == generic.content
            if step == "pending":
                await do(bo, table, "sit")
            else:
                await play_on([ann, bo], table)


@pytest.mark.sample(1)
@pytest.mark.parametrize("delay", [0, 600_000])
async def test_the_preview_of_a_table_has_the_delay_of_spectators(app: AppServer, delay: int) -> None:
    async with app.guest("Ann") as ann, app.guest("Bo") as bo, app.client() as anonymous:
        table = await app.table(ann, spectator_delay=delay)
        await do(bo, table, "sit")
        before = [(await ann.get(f"/t/{table}/preview.png")).content, tags(await ann.get(f"/t/{table}"))]
        await play_on([ann, bo], table)
        after = [(await ann.get(f"/t/{table}/preview.png")).content, tags(await ann.get(f"/t/{table}"))]
        assert (before == after) == bool(delay)
        assert after == [
            (await anonymous.get(f"/t/{table}/preview.png")).content,
            tags(await anonymous.get(f"/t/{table}")),
        ]


async def test_an_unknown_table_or_page_has_no_picture(app: AppServer) -> None:
    async with app.client() as anonymous:
        for path in (
            "/t/nowhere/preview.png",
            "/preview/nothing.png",
            "/preview/home",
            "/api/tables/nowhere/picture.png",
        ):
            assert (await anonymous.get(path)).status_code == 404


async def test_the_page_of_the_daily_deal_has_a_preview(app: AppServer) -> None:
    async with app.client() as anonymous:
        home = await anonymous.get("/preview/home.png?lang=de")
        shown = tags(await anonymous.get("/daily", headers={"accept-language": "de"}))
        assert shown["og:title"] == "Die Partie des Tages"
        assert shown["og:description"] == "Jeden Tag dieselben Karten für alle. Wie wenige Ochsenköpfe nimmst du?"
        assert shown["og:image:alt"] == "Bild: Die Partie des Tages"
        drawn = await anonymous.get(shown["og:image"])
        assert size(drawn) == (1200, 630)
        assert drawn.content != home.content


async def test_the_preview_of_a_table_names_bots_in_the_language_of_the_browser(app: AppServer) -> None:
    async with app.guest("Ann") as ann, app.client() as anonymous:
        table = await app.table(ann, bots=["greedy"])
        await do(ann, table, "start")
        seats = (await ann.get(f"/api/tables/{table}")).json()["room"]["seats"]
        assert seats[1]["name"] == "Penny"
        shown = tags(await anonymous.get(f"/t/{table}", headers={"accept-language": "zh"}))
        assert shown["og:description"] == "Ann和铜板正在对局。"
