"""The documentation site: it builds without warnings, its links lead somewhere, and it shows everything there is.

The pages themselves are tested in `tests/test_examples.py`.
"""

import functools
import json
import re
import subprocess
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import pytest
from docs.extensions.cli_reference import cli, commands
from docs.extensions.comments import keywords_of
from docs.extensions.contents import DOCS, ORDER, contents
from docs.extensions.record_schema import record_schema
from docs.extensions.rules_reference import figure, rules
from docs.extensions.settings_reference import settings
from playwright.async_api import Page, async_playwright, expect
from tests.web.conftest import browser_path

from faceup.cli.main import parser
from faceup.core import list_games
from faceup.core.record import schema
from faceup.server.process.settings import Settings

ROOT = Path(__file__).parents[1]


# Generated texts.


def test_every_command_has_a_section_with_its_options_and_examples() -> None:
    text = cli() + cli("arena") + cli("admin")
    for name, command, _ in commands(parser()):
        section = text.partition(f"## `{name}`\n")[2].partition("\n## ")[0]
        assert section, f"{name} has no section"
        options = {
            option for action in command._actions for option in action.option_strings if action.help != "==SUPPRESS=="
        }
        missing = [option for option in options - {"-h", "--help"} if option not in section]
        assert not missing, f"{name}: {missing}"
        assert "**Examples**" in section, f"{name} has no examples"


def test_every_setting_has_an_entry() -> None:
    assert set(re.findall(r"^### `(\w+)`$", settings(), re.MULTILINE)) == set(Settings.__struct_fields__)


def test_every_type_of_a_record_has_a_section() -> None:
    assert re.findall(r"^## (\w+)$", record_schema(), re.MULTILINE) == [*schema()["$defs"]]


@pytest.mark.parametrize("game", ["nimmt", "niuniu", "war"])
def test_rules_have_every_variant_and_option_and_a_picture_for_every_figure(game: str) -> None:
    text = rules(game)
    [registered] = [listed for listed in list_games() if listed.name == game]
    assert all(f"| `{game}:{variant.name}` |" in text for variant in registered.variants)
    assert all(f"| `{option}` |" in text for option in registered.options)
    drawn = [
        figure(kind, block.strip().split("\n"))
        for kind, block in re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    ]
    assert len(drawn) == registered.guide.count("```") // 2
    assert all("<svg" in picture for picture in drawn)


@pytest.mark.parametrize("part", [*ORDER])
def test_the_index_of_a_part_lists_all_its_pages(part: str) -> None:
    listed = set(re.findall(r"\]\(([\w/-]+)\.md\)", contents(part)))
    pages = {path.stem for path in (DOCS / part).glob("*.md")} - {"index", "cli-arena", "cli-admin"}
    assert pages <= listed


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda path: str(path.relative_to(DOCS)))
def test_pages_can_be_read_on_github(page: Path) -> None:
    text = page.read_text("utf-8")
    syntax = re.findall(r"^ *(?::::+|```+)\{(?!eval-rst\}).*|(?<![/\w])\{[\w:]+\}`.*|\)\{[.#].*", text, re.MULTILINE)
    assert not syntax, "only the site understands this"
    assert not re.search(r": start -->\s*<!-- made by", text), "a generated part is empty"


def test_no_two_pages_have_the_same_keyword() -> None:
    pages: dict[str, list[str]] = {}
    for path in DOCS.rglob("*.md"):
        text = path.read_text("utf-8")
        assert "<!-- keywords:" not in text or (keywords_of(text) and text.startswith("# ")), f"{path}: after the title"
        for word in keywords_of(text):
            pages.setdefault(word, []).append(path.name)
    assert {word: names for word, names in pages.items() if len(names) > 1} == {}


# The site.

SEARCHES = {
    "timeout": "explanation/timeouts",
    "kick a player": "how-to/moderate",
    "docker": "how-to/compose",
    "observation space": "reference/environments",
    "json record": "reference/record-schema",
    "two phones": "tutorials/play-tonight",
    "ties": "explanation/tournaments",
    "license": "reference/licence",
    "ban": "how-to/moderate",
    "settings": "reference/settings",
    "mail": "how-to/mail",
    "backup": "how-to/back-up-and-restore",
    "restart": "how-to/run-a-server",
    # Inflected, rephrased, or of one word from a keyword.
    "kick player": "how-to/moderate",
    "timeouts": "explanation/timeouts",
    "backups": "how-to/back-up-and-restore",
    "forgot my password": "how-to/accounts",
    "environment variables": "reference/settings",
    "play with friends": "how-to/browser",
    "certificate": "how-to/https",
    "windows": "how-to/install",
    "elo": "explanation/ratings",
    "cheating": "explanation/sealed-choices",
    "provably fair": "explanation/fair-deals",
    "screen reader": "how-to/accessibility",
    "websocket": "reference/api",
    "prometheus": "how-to/monitor",
    "postgres": "how-to/compose",
    "firewall": "how-to/run-a-server",
    "swiss tournament": "how-to/tournaments",
    "crash": "how-to/debug-a-match",
    "gdpr": "how-to/moderate",
    "action mask": "reference/environments",
    "tiny": "reference/environments/nimmt-tiny",
    "self-play": "how-to/train-in-batches",
    "parallel_env": "reference/python/envs",
    "ban a player": "how-to/moderate",
    "install on windows": "how-to/install",
    "c++ bot": "tutorials/first-bot",
    "push notifications": "how-to/days-per-move",
    # Hosts.
    "translate": "how-to/translate",
    "translation": "how-to/translate",
    "privacy policy": "how-to/public-server",
    "imprint": "how-to/public-server",
    "terms of use": "how-to/public-server",
    "port already in use": "how-to/run-a-server",
    "raspberry pi": "how-to/run-a-server",
    "reverse proxy": "how-to/https",
    "single sign-on": "how-to/openid",
    "upgrade": "how-to/upgrade",
    # Bot authors.
    "openai": "how-to/language-models",
    "dataset": "how-to/train-with-your-library",
    "illegal move": "how-to/debug-a-match",
    "java bot": "tutorials/first-bot",
    "is my bot better": "tutorials/is-v2-better",
    "sample size": "explanation/statistics",
    "strongest bot": "explanation/bots",
    # Players.
    "delete my account": "how-to/accounts",
    "reset password": "how-to/accounts",
    "two-factor authentication": "how-to/accounts",
    "colour blind": "how-to/accessibility",
    "lost connection": "explanation/timeouts",
    "practice": "how-to/puzzles",
    "play alone": "how-to/browser",
    "emoji": "how-to/browser",
    "invite friends": "how-to/browser",
    "how to win": "reference/rules/nimmt",
}
"""What readers search for, and the page that they should find first."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site. The one test below uses it, so that it is built once, by one worker."""
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [ROOT / "script" / "docs", "--output", folder], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"The site is in {folder}" in done.stdout
    return folder


@pytest.mark.long
@pytest.mark.timeout(600)  # half a minute on an idle machine
async def test_the_site_builds_and_can_be_searched_offline(site: Path) -> None:
    assert broken_links(site) == []
    assert missing_names(site) == []
    api = json.loads((site / "api" / "openapi.json").read_text("utf-8"))
    endpoints = (site / "reference" / "endpoints.html").read_text("utf-8")
    assert all(path in endpoints for path in api["paths"])
    with served(site) as address:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
            page = await browser.new_page()
            requests: list[str] = []
            errors: list[str] = []
            page.on("request", lambda request: requests.append(request.url))
            page.on("pageerror", lambda error: errors.append(f"{page.url}: {error}"))
            await check_searches(page, address)
            await check_pages(page, address)
            await browser.close()
    assert not errors
    assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []


async def check_searches(page: Page, address: str) -> None:
    """Ask the search of the site, which is Sphinx's with the scores of `docs/_static/scorer.js`."""
    pages = {}
    for query in SEARCHES:
        await page.goto(f"{address}/search.html?q={quote(query)}")
        await page.wait_for_function("() => Search.hasIndex()")
        first = "query => Search._performSearch(...Search._parseQuery(query)).at(-1)[0]"
        pages[query] = await page.evaluate(first, query)
    assert pages == SEARCHES
    await page.goto(f"{address}/search.html?q=kick+a+player")
    await expect(page.locator("#search-results li a").first).to_have_attribute("href", re.compile(r"^how-to/moderate"))


async def check_pages(page: Page, address: str) -> None:
    """Search, and look at the pages that draw something with JavaScript."""
    await page.goto(f"{address}/index.html")
    await page.get_by_role("textbox", name="Search").fill("registration code")
    await page.keyboard.press("Enter")
    await expect(page.locator("#search-results a[href*='settings.html']").first).to_be_visible()
    await page.goto(f"{address}/explanation/architecture.html")
    await expect(page.locator("pre.mermaid svg").first).to_be_visible()
    await page.goto(f"{address}/api/index.html")
    await expect(page.locator("#api h1").first).to_contain_text("faceup", timeout=60_000)  # many endpoints


class served:  # noqa: N801 -- a context manager
    """Serve a folder over HTTP while the block runs."""

    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))

    def __enter__(self) -> str:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self._server.server_port}"

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


def broken_links(site: Path) -> list[str]:
    """Return the links, scripts and pictures of all pages that lead to no file of the site or to no anchor of it."""
    pages = {path: path.read_text("utf-8") for path in site.rglob("*.html")}
    ids = {path: set(re.findall(r'\bid="([^"]*)"', text)) for path, text in pages.items()}
    return [
        f"{path.relative_to(site)}: {link}"
        for path, text in pages.items()
        for link in sorted(set(re.findall(r'\b(?:href|src)="([^"]*)"', text)))
        if not leads_somewhere(link, path, site, ids)
    ]


def leads_somewhere(link: str, path: Path, site: Path, ids: dict[Path, set[str]]) -> bool:
    """Return whether a link leads to another site, or to a file and anchor of this one."""
    parts = urlsplit(link.replace("&amp;", "&"))
    if parts.scheme or parts.netloc:
        return parts.scheme in {"https", "http", "mailto", "data"}
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_file() or not target.is_relative_to(site.resolve()):
        return False
    anchor = unquote(parts.fragment)
    return not anchor or target not in ids or anchor in ids[target]


def missing_names(site: Path) -> list[str]:
    """Return the public names of packages that have no entry on the page of their package.

    A name may be documented in the module that defines it. `GAME` is a `faceup.core.Game`, which is documented.
    """
    missing = []
    for page in (site / "reference" / "python").glob("*.html"):
        text = page.read_text("utf-8")
        for package in re.findall(r'<h1><code[^>]*><span class="pre">(faceup[\w.]*)', text):
            names = set(getattr(import_module(package), "__all__", ())) - {"GAME"}
            missing += [f"{package}.{name}" for name in names if not re.search(rf'id="{package}[\w.]*\.{name}"', text)]
    return missing
