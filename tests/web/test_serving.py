"""The page is served as it lies in the package: compressed, kept for ever, and nothing of it from elsewhere."""

import gzip

from tests.server.serving import Server
from tests.web.conftest import People, at_table

from faceup.server.api.web import AREAS, LANGUAGES, start, web


def test_a_file_is_compressed_and_kept_for_ever_at_an_address_that_changes_with_the_files(server: Server) -> None:
    answer = server.ask(f"/static/{web().stamp}/main.js", accept_encoding="gzip")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(answer.body) == web().assets["main.js"].plain
    assert server.ask("/static/0000/main.js").status == 404
    assert server.ask(f"/static/{web().stamp}/../../pyproject.toml").status == 404
    assert server.ask(f"/static/{web().stamp}/__init__.py").status == 404
    assert server.ask("/api/version").json["page"] == web().stamp


def test_all_modules_can_be_joined(server: Server) -> None:
    starts = [f"start/{start(area, language)}" for area in AREAS for language in LANGUAGES]
    for path in sorted({*starts, *(f"joined/{each}" for each in web().parts)}):
        answer = server.ask(f"/static/{web().stamp}/{path}", accept_encoding="gzip")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        text = gzip.decompress(answer.body)
        assert b"@license" in text or b'\n"vendor/' not in text
    assert server.ask(f"/static/{web().stamp}/joined/live/api.js").status == 404, "nobody loads it later"
    assert server.ask(f"/static/{web().stamp}/start/nowhere-en.js").status == 404


async def test_a_page_asks_nobody_but_its_server(people: People, server: Server) -> None:
    page = await people("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.reload(wait_until="networkidle")
    assert asked
    assert all(url.startswith(server.address) for url in asked)


async def test_all_that_a_table_is_shown_with_comes_in_one_file(people: People) -> None:
    page = await at_table(people, game="nimmt", options={"seats": 2}, browser={"locale": "de-AT"})
    await page.locator("nimmt-table .held").first.wait_for()
    used = await page.evaluate("performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)")
    assert [path.rpartition("/")[2] for path in used if path.endswith(".js")] == ["table-nimmt-de.js"]
