"""The page is served as it lies in the package: compressed, kept for ever, and nothing of it from elsewhere."""

import gzip
import re

from tests.server.serving import Server
from tests.web.conftest import People, at_table

from faceup.server.api.web import web


def test_a_file_is_compressed_and_kept_for_ever_at_an_address_that_changes_with_the_files(server: Server) -> None:
    answer = server.ask(f"/static/{web().stamp}/main.js", accept_encoding="gzip")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(answer.body) == web().assets["main.js"].plain
    assert server.ask("/static/0000/main.js").status == 404
    assert server.ask(f"/static/{web().stamp}/../../pyproject.toml").status == 404
    assert server.ask(f"/static/{web().stamp}/__init__.py").status == 404
    assert server.ask("/api/version").json["page"] == web().stamp


def test_all_modules_can_be_joined(server: Server) -> None:
    for path in sorted(web().joined):
        answer = server.ask(f"/static/{web().stamp}/joined/{path}", accept_encoding="gzip")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert b"@license" in answer.body or b"vendor/" not in answer.body
    assert server.ask(f"/static/{web().stamp}/joined/live/api.js").status == 404, "nobody loads it later"


async def test_a_page_asks_nobody_but_its_server(people: People, server: Server) -> None:
    page = await people("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.reload(wait_until="networkidle")
    assert asked
    assert all(url.startswith(server.address) for url in asked)


async def test_all_that_a_table_is_shown_with_is_named_at_once(people: People) -> None:
    page = await at_table(people, game="nimmt", options={"seats": 2}, browser={"locale": "de-AT"})
    await page.locator("nimmt-table .held").first.wait_for()
    used = await page.evaluate("performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)")
    html = await page.evaluate("fetch(location.href).then(answer => answer.text())")
    named = set(re.findall(r'modulepreload" href="([^"]+)"', html))
    modules = {path for path in used if path.endswith(".js")}
    assert any("/de/nimmt.js" in path for path in modules)
    assert modules <= named | {path for path in modules if path.endswith("/joined/main.js")}
