"""Static files of the page: compression, caching, bundles, no third-party requests."""

import gzip
import io
import re
import runpy
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from urllib.parse import urljoin
from urllib.robotparser import RobotFileParser

import brotli  # type: ignore[import-untyped]
import pytest
from PIL import Image
from playwright.async_api import Page, Response, expect
from tests.server.server_process import Server, serving
from tests.web.conftest import PageOpener, open_at_table, screenshot

from faceup.translations import LANGUAGES
from faceup.web.assets import make_asset, web, with_uncompressed
from faceup.web.bundler import SCRIPT_SIZE, ModuleGraph, digest
from faceup.web.bundles import (
    ENTRY_PARTS,
    bundle,
    bundle_paths,
    find_asset,
    inline_names,
    inline_scripts,
    inline_start,
    inline_style,
    later_parts,
    opening,
    page_routes,
    start,
)

DECODERS: dict[str, Callable[[bytes], bytes]] = {"br": brotli.decompress, "gzip": gzip.decompress, "": bytes}
TABLE = "start/table-nimmt-en.js"
LATER = ["announcement-bar.js", "later.js", "reveal.js"]
"""The scripts that a table loads after its first picture."""
START_TABLE = """async () => {
  const post = async (path, body) => (await fetch(path, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  })).json();
  const config = { game: "nimmt", options: { seats: 2 }, bots: ["lowest"] };
  const { id } = await post("/api/tables", { config });
  await post(`/api/tables/${id}/commands`, { id: "start", command: "start" });
  return id;
}"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Start a server on the build of these sources."""
    subprocess.run([sys.executable, "script/build_page.py"], check=True)
    for function in (web, inline_start, find_asset.__globals__["_bundle"]):
        function.cache_clear()
    with serving(tmp_path_factory.mktemp("built")) as server:
        yield server


def test_assets_are_compressed_and_cached_under_the_build_id(server: Server) -> None:
    answer = server.ask(f"/static/{web().stamp}/main.js", accept_encoding="gzip")
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert gzip.decompress(answer.body) == web().assets["main.js"].plain
    assert server.ask("/static/0000/main.js").status == 404
    assert server.ask(f"/static/{web().stamp}/../../pyproject.toml").status == 404
    assert server.ask(f"/static/{web().stamp}/__init__.py").status == 404
    assert server.ask(f"/static/{web().stamp}/build/minified.json").status == 404
    assert server.ask("/api/version").json["page"] == web().stamp


def test_all_modules_can_be_bundled(server: Server) -> None:
    for path in sorted(bundle_paths()):
        answer = server.ask(f"/static/{web().stamp}/{path}", accept_encoding="gzip")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        text = gzip.decompress(answer.body)
        assert b"@license" in text or b'\n"vendor/' not in text
    assert server.ask(f"/static/{web().stamp}/joined/api/http.js").status == 404, "not a lazily loaded module"
    assert server.ask(f"/static/{web().stamp}/start/nowhere-en.js").status == 404
    assert {f"start/{start(area, language)}" for area in ENTRY_PARTS for language in LANGUAGES} <= bundle_paths()


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip, deflate", "gzip"),
        ("br;q=0.2, gzip;q=0.8", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("GZIP;q=1.0", "gzip"),
        ("*", "br"),
        ("gzip;q=0, *;q=0.1", "br"),
        ("identity;q=1, gzip;q=0.5", ""),
        ("identity, *;q=0", ""),
        ("br;q=much", ""),
        ("deflate", ""),
        ("", ""),
    ],
)
def test_the_client_chooses_the_content_coding(built: Server, accepted: str, coding: str) -> None:
    answer = built.ask(f"/static/{web().stamp}/{TABLE}", accept_encoding=accepted)
    assert answer.headers.get("content-encoding", "") == coding
    assert answer.headers["vary"] == "accept-encoding"
    assert DECODERS[coding](answer.body) == bundle(TABLE).encode()


def test_a_file_that_the_browser_has_is_not_sent_again(built: Server) -> None:
    ask = partial(built.ask, f"/static/{web().stamp}/{TABLE}")
    tags = {coding: ask(accept_encoding=coding).headers["etag"] for coding in ("br", "gzip", "identity")}
    assert len({*tags.values()}) == 3
    again = ask(accept_encoding="br", if_none_match=f'"other", {tags["br"]}')
    assert (again.status, again.body, again.headers["etag"]) == (304, b"", tags["br"])
    assert ask(accept_encoding="gzip", if_none_match=tags["br"]).status == 200


def test_the_build_holds_every_file_minified_and_compressed(built: Server) -> None:
    assert built.address
    texts = {path: find_asset(path) for path in sorted(bundle_paths())}
    assert [path for path, asset in texts.items() if asset is None or "br" not in asset.encoded] == []
    functions = web().modules.functions()
    unminified = [path for path, text in functions.items() if text in bundle(TABLE)]
    assert unminified == []
    # Of other files, pages load pictures and data, and the style sheet.
    others = [asset for path, asset in web().assets.items() if not path.endswith((".js", ".html"))]
    assert all("br" in asset.encoded for asset in others)


def test_an_edited_module_is_served_as_it_is() -> None:
    before, after = ({"module-loader.js": "", "main.js": f"export const a = {value};"} for value in (1, 2))
    function = ModuleGraph(before).functions()["main.js"]
    minified = {digest(function.encode()): "(short)"}
    assert '"main.js": (short)' in ModuleGraph(before, minified).start()
    assert "const a = 2;" in ModuleGraph(after, minified).start()
    assert make_asset("new.js", b"edited").encoded.keys() == {"gzip"}


async def test_plain_http_from_another_machine_gets_gzip(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/ladder", base=server.address.replace("127.0.0.1", "plain.test"))
    table = await page.evaluate(START_TABLE)
    failed, codings = [], {}

    def look(answer: Response) -> None:
        failed.extend([answer.url] * (not answer.ok))
        codings[answer.url.rpartition(".")[2]] = answer.headers.get("content-encoding", "")

    page.on("response", look)
    await page.goto(f"/t/{table}")
    await page.locator("nimmt-table .held").first.wait_for()
    assert not await page.evaluate("isSecureContext")
    assert (codings["js"], codings["css"]) == ("gzip", "gzip")  # browsers accept Brotli only over https
    assert failed == []


async def test_page_sends_no_third_party_requests(open_page: PageOpener, server: Server) -> None:
    page = await open_page("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.reload(wait_until="networkidle")
    assert asked
    assert all(url.startswith(server.address) for url in asked)


async def scripts(page: Page) -> list[str]:
    """Return the names of the scripts that the page has loaded, the last of which brings the announcement bar."""
    await page.locator("announcement-bar").wait_for(state="attached")
    await page.wait_for_load_state("networkidle")
    used = await page.evaluate("performance.getEntriesByType('resource').map(each => new URL(each.name).pathname)")
    return [path.rpartition("/")[2] for path in used if path.endswith(".js")]


async def test_a_table_loads_one_script_before_its_first_picture(open_page: PageOpener) -> None:
    page = await open_at_table(open_page, game="nimmt", options={"seats": 2}, browser={"locale": "de-AT"})
    await page.reload()  # on a first visit, the page contains the script
    await page.locator("nimmt-table .held").first.wait_for()
    first, *later = await scripts(page)
    assert (first, sorted(later)) == ("table-nimmt-de.js", LATER)


@pytest.mark.sample(1)
@pytest.mark.parametrize("path", ["", "/cards"])
async def test_the_first_visit_of_a_table_needs_only_the_page(
    open_page: PageOpener, built: Server, tmp_path: Path, path: str
) -> None:
    with serving(tmp_path, base_path=path) if path else nullcontext(built) as server:
        base = server.address if server.address.endswith(path) else f"{server.address}{path}"
        page = await open_page(f"{base}/robots.txt")
        table = await page.evaluate(START_TABLE.replace("/api/", f"{path}/api/"))
        file = f"{path}/static/{web().stamp}/{TABLE}"
        await page.goto(f"{base}/t/{table}")
        await page.locator("nimmt-table .held").first.wait_for()
        assert await page.locator("head script[src], head link[rel=stylesheet]").count() == 0
        assert sorted(await scripts(page)) == LATER
        async with page.expect_response(f"**{file}"):
            await page.reload()
        await page.locator("nimmt-table .held").first.wait_for()
        assert await page.locator("head script").get_attribute("src") == file
        await page.close()


def source(text: str) -> str:
    """Return the source of a text in a Content Security Policy."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def test_only_browsers_on_a_first_visit_get_the_script_in_the_page(built: Server) -> None:
    host = built.visitor()
    table = host.ask("/api/tables", {"config": {"game": "nimmt"}}).json["id"]
    browser = {"accept": "text/html", "accept_encoding": "gzip, br", "sec_fetch_dest": "document"}
    session = host.cookie
    first = host.ask(f"/t/{table}", **browser)
    begin = opening("pending-en.js")
    text = brotli.decompress(first.body)
    assert text.startswith(begin)
    rest = text.removeprefix(begin)
    sources = " ".join(map(source, inline_scripts("pending-en.js")))
    policy = f"script-src 'self' {sources}; style-src 'self' {source(inline_style())};"
    assert policy in first.headers["content-security-policy"]
    assert "link" not in first.headers, "the page contains all that it needs"
    assert b"stylesheet" not in rest
    assert b'id="first"' in rest
    assert rest in first.body, "not compressed, because the length could reveal secrets"
    cookie = first.headers["set-cookie"]
    assert cookie.startswith(f"faceup_cached={web().stamp}.pending; Path=/; Max-Age=")
    assert cookie.endswith("; HttpOnly; SameSite=Lax")

    others: list[tuple[str, dict[str, str]]] = [
        (f"/t/{table}", {"cookie": f"{session}; faceup_cached={web().stamp}.home.pending"}),
        (f"/t/{table}", {"cookie": session, "accept_encoding": "gzip"}),
        (f"/t/{table}", {"cookie": session, "sec_fetch_dest": "empty"}),
        ("/", {"cookie": f"faceup_cached={web().stamp}.home"}),
    ]
    for path, headers in others:
        answer = built.visitor().ask(path, **browser | headers)
        assert b'<script type="module" src="/static/' in DECODERS[answer.headers.get("content-encoding", "")](
            answer.body
        )
        assert "sha256" not in answer.headers["content-security-policy"]
        assert "modulepreload" in answer.headers["link"]
        assert "set-cookie" not in answer.headers
    newer = built.visitor().ask(f"/t/{table}", **browser, cookie=f"{session}; faceup_cached=0123456789abcdef.pending")
    assert brotli.decompress(newer.body).startswith(begin)


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("/", "home"),
        ("/learn", "learn"),
        ("/new", "new"),
        ("/daily", "daily"),
        ("/party/join/nowhere?by=ann", "join"),
        ("/party/nowhere", "party"),
        ("/party/nowhere/podium", "any"),
        ("/t/nowhere/replay", "replay"),
        ("/me", "any"),
        ("/t/x", "table"),
    ],
)
def test_the_first_page_of_each_area_contains_its_script(built: Server, path: str, area: str) -> None:
    browser = {"accept": "text/html", "accept_encoding": "gzip, br", "sec_fetch_dest": "document"}
    cookie = f"faceup_cached={web().stamp}.pending.unknown"
    answer = built.visitor().ask(path, **browser, cookie=cookie)
    assert brotli.decompress(answer.body).startswith(opening(f"{area}-en.js"))
    assert source(inline_scripts(f"{area}-en.js")[-1]) in answer.headers["content-security-policy"]
    links = re.findall(r"/static/\w+/(\w+)", answer.headers.get("link", ""))
    assert set(links) == ({"joined"} if area == "any" else set())
    assert answer.headers["set-cookie"].startswith(f"faceup_cached={web().stamp}.pending.{area}; ")


def test_pages_can_contain_every_entry_bundle(built: Server) -> None:
    assert built.address
    assert set(inline_names()) >= {start(area, language, "nimmt") for area in ENTRY_PARTS for language in LANGUAGES}
    for name in inline_names():
        made = inline_start(name)
        assert made is not None, name
        for more in (b"", b"x", b"x" * 65_536, b"x" * 65_537):
            assert brotli.decompress(with_uncompressed(made.encoded, more)) == opening(name) + more


def test_browsers_compile_the_modules_of_a_page_while_it_arrives(built: Server) -> None:
    assert built.address
    for name in inline_names():
        *scripts_of_modules, entry = inline_scripts(name)
        path_of_module = re.compile(r'^"(.+?\.js)": ', re.MULTILINE)
        paths = [path_of_module.findall(text) for text in scripts_of_modules]
        assert [path for defined in paths for path in defined] == path_of_module.findall(bundle(f"start/{name}")), name
        # A browser compiles a script when it has arrived completely, and the last one when the page has.
        sizes = [len(text) for text, defined in zip(scripts_of_modules, paths, strict=True) if len(defined) > 1]
        assert max(sizes) < SCRIPT_SIZE + 1_500, name
        assert len(entry) < 1_500, name


@pytest.mark.parametrize("text", ["<!-- a", "a\n --> b", "</script>", "<SCRIPT"])
def test_a_script_that_would_end_its_element_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setitem(opening.__globals__, "inline_scripts", lambda name: [f"{name} {text}", ""])
    with pytest.raises(ValueError, match="cannot contain"):
        opening("table-en.js")


def test_later_scripts_leave_out_what_all_their_importers_have() -> None:
    texts = {
        "module-loader.js": "",
        "main.js": "",
        "one.js": 'import "./shared.js";\nimport("./later.js");',
        "other.js": 'import "./shared.js";\nimport "./own.js";\nimport("./later.js");',
        "shared.js": "",
        "own.js": "",
        "later.js": 'import "./shared.js";\nimport "./own.js";',
    }
    part = ModuleGraph(texts).part("later.js")
    assert [path for path in texts if f'"{path}": ' in part] == ["own.js", "later.js"]
    assert '"games/nimmt/board.js": ' not in bundle("joined/games/nimmt/reveal.js")


def test_later_scripts_do_not_repeat_what_all_pages_have() -> None:
    for path in ("table/later.js", "games/nimmt/reveal.js", "ui/announcement-bar.js"):
        assert f'"{path}": ' not in bundle(TABLE)
        assert f'"{path}": ' in bundle(f"joined/{path}")
        assert '"vendor/lit/index.js": ' not in bundle(f"joined/{path}")


@pytest.mark.parametrize(
    ("path", "script", "data", "later"),
    [
        ("/", "home-en.js", "games", ["announcement-bar.js", "cards.js", "party.js"]),
        ("/learn", "learn-en.js", "games", ["announcement-bar.js"]),
        ("/learn/nimmt", "learn-en.js", "games", ["announcement-bar.js"]),
        ("/party/join/nowhere?by=ann", "join-en.js", "nowhere?by=ann", ["announcement-bar.js"]),
        ("/daily", "daily-en.js", "", ["announcement-bar.js"]),
    ],
)
async def test_a_page_loads_one_script_and_requests_its_data_at_once(
    open_page: PageOpener, path: str, script: str, data: str, later: list[str]
) -> None:
    asked: list[str] = []
    page = await open_page(path)
    await scripts(page)
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2] * ("/api/" in request.url)))
    await page.reload()  # on a first visit, the page contains the script
    first, *others = await scripts(page)
    assert (first, sorted(others)) == (script, later)
    if data:
        assert asked.count(data) == 1
        assert asked.index(data) < asked.index("server-info"), "requested with the page, not by its script"
    if "nowhere" in path:
        open_page.page_errors.clear()  # there is no such party


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("/watch", {"server-info", "watch"}),
        ("/puzzles", {"puzzles"}),
        ("/tournaments/nowhere", {"server-info", "games", "nowhere"}),
        ("/players/nobody", {"results", "games"}),
    ],
)
async def test_a_page_without_an_own_bundle_requests_everything_at_once(
    open_page: PageOpener, path: str, data: set[str]
) -> None:
    page = await open_page(None)
    response = await page.goto(urljoin(page.url, path))
    assert response is not None
    await page.locator("announcement-bar").wait_for(state="attached")
    links = re.findall("<([^>]+)>", (await response.all_headers())["link"])
    assert {link.rpartition("/")[2] for link in links if link.startswith("/api/")} == data
    loaded = await page.evaluate("performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)")
    assert set(links) <= set(loaded)
    assert max(map(loaded.count, links)) == 1, "what was requested with the page is not requested again"
    open_page.page_errors.clear()  # there is no such player or tournament


def test_the_lists_of_pages_are_read_completely() -> None:
    lists = [asset.plain.decode() for path, asset in web().assets.items() if path.endswith("/pages.js")]
    assert len(page_routes()) == sum(text.count("address: /") for text in lists) - 1  # all but the page of unknown ones
    assert {*chain.from_iterable(route.modules for route in page_routes())} <= web().parts
    assert later_parts("/puzzles/1", "any-de.js") == [
        "puzzles/puzzles.js",
        "games/nimmt/nimmt-table.js",
        "i18n/de/shell.js",
        "i18n/de/puzzles.js",
    ]
    assert later_parts("/daily", "daily-de.js") == []


def test_the_page_of_a_replay_contains_its_game(server: Server) -> None:
    visitor = server.visitor()
    table = visitor.ask("/api/tables", {"config": {"game": "niuniu"}}).json["id"]
    assert visitor.ask(f"/api/tables/{table}/commands", {"id": "1", "command": "start"}).status < 300
    answer = visitor.ask(f"/t/{table}/replay", accept="text/html")
    assert b"/start/replay-niuniu-en.js" in answer.body
    static = f"/static/{web().stamp}"
    assert answer.headers["link"].split(", ") == [
        f"<{static}/style.css>; rel=preload; as=style",
        f"<{static}/start/replay-niuniu-en.js>; rel=modulepreload",
        f"</api/tables/{table}/replay>; rel=preload; as=fetch; crossorigin=anonymous",
        f"</api/tables/{table}>; rel=preload; as=fetch; crossorigin=anonymous",
    ]
    assert b"/start/replay-en.js" in server.visitor().ask("/t/nowhere/replay", accept="text/html").body


def test_browsers_and_crawlers_find_the_files_at_the_root(server: Server) -> None:
    icon = server.ask("/favicon.ico")
    assert (icon.status, icon.headers["content-type"]) == (200, "image/x-icon")
    picture = Image.open(io.BytesIO(icon.body))
    assert picture.info["sizes"] == {(16, 16), (32, 32), (48, 48)}
    assert icon.body == runpy.run_path("script/icons.py")["favicon"](), "run ./script/icons"
    robots = server.ask("/robots.txt")
    assert robots.headers["content-type"].startswith("text/plain")
    rules = RobotFileParser()
    rules.parse(robots.body.decode().splitlines())
    allowed = {path: rules.can_fetch("*", path) for path in ("/", "/learn", "/ladder", "/api/tables", "/t/abc", "/me")}
    assert [path for path, may in allowed.items() if may] == ["/", "/learn", "/ladder", "/t/abc"]
    # Previews of links may read the page of a table, and search engines must not list it.
    assert server.ask("/t/abc").headers["x-robots-tag"] == "noindex"
    assert "x-robots-tag" not in server.ask("/").headers


@pytest.mark.parametrize("path", ["/rules", "/rules/nimmt", "/rules/nowhere"])
def test_the_address_of_the_rules_is_no_code_of_a_table(server: Server, path: str) -> None:
    answer = server.visitor().ask(path, accept="text/html")
    assert answer.status == 200
    assert b"/start/learn-en.js" in answer.body


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("locale", "language", "game", "words"),
    [
        ("en-GB", "en", "6 nimmt!", "needs JavaScript"),
        ("de-AT", "de", "6 nimmt!", "braucht JavaScript"),
        ("fr-CA", "fr", "6 qui prend", "besoin de JavaScript"),
        ("zh-CN", "zh-Hans", "谁是牛头王", "JavaScript"),
    ],
)
async def test_without_javascript_the_page_says_what_it_is(
    open_page: PageOpener, locale: str, language: str, game: str, words: str
) -> None:
    page = await open_page("/", locale=locale, java_script_enabled=False, viewport={"width": 320, "height": 640})
    await expect(page.locator("html")).to_have_attribute("lang", language)
    message = page.get_by_role("main")
    await expect(message).to_contain_text(game)
    await expect(message).to_contain_text(words)
    await expect(message.get_by_role("link")).to_have_count(3)
    await screenshot(page, f"no-javascript-{language}")
    box = await message.bounding_box()
    assert box is not None
    assert box["width"] <= 320
    await page.goto("/learn/war")
    await expect(message.get_by_role("heading", level=1)).to_be_visible()
    await expect(message).not_to_contain_text("JavaScript")
    await screenshot(page, f"no-javascript-rules-{language}")
