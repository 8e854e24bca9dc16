"""Static files of the page: compression, caching, bundles, no third-party requests."""

import gzip

from tests.server.server_process import Server
from tests.web.conftest import PageOpener, open_at_table

from faceup.server.api.static import ENTRY_PARTS, start
from faceup.web.assets import LANGUAGES, web


def test_assets_are_compressed_and_cached_under_the_build_id(server: Server) -> None:
    answer = server.ask(f"/static/{web().stamp}/main.js", accept_encoding="gzip")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(answer.body) == web().assets["main.js"].plain
    assert server.ask("/static/0000/main.js").status == 404
    assert server.ask(f"/static/{web().stamp}/../../pyproject.toml").status == 404
    assert server.ask(f"/static/{web().stamp}/__init__.py").status == 404
    assert server.ask("/api/version").json["page"] == web().stamp


def test_all_modules_can_be_bundled(server: Server) -> None:
    starts = [f"start/{start(area, language)}" for area in ENTRY_PARTS for language in LANGUAGES]
    for path in sorted({*starts, *(f"joined/{each}" for each in web().parts)}):
        answer = server.ask(f"/static/{web().stamp}/{path}", accept_encoding="gzip")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        text = gzip.decompress(answer.body)
        assert b"@license" in text or b'\n"vendor/' not in text
    assert server.ask(f"/static/{web().stamp}/joined/api/http.js").status == 404, "not a lazily loaded module"
    assert server.ask(f"/static/{web().stamp}/start/nowhere-en.js").status == 404


async def test_page_sends_no_third_party_requests(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.reload(wait_until="networkidle")
    assert asked
    assert all(url.startswith(server.address) for url in asked)


async def test_a_table_loads_one_script(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, browser={"locale": "de-AT"})
    await page.locator("nimmt-table .held").first.wait_for()
    used = await page.evaluate("performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)")
    assert [path.rpartition("/")[2] for path in used if path.endswith(".js")] == ["table-nimmt-de.js"]
